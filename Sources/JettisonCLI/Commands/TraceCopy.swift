internal import JettisonCore
internal import JettisonImporters
internal import JettisonReports
internal import JettisonTraces

/// Reads an input and writes it as a trace: what `import` and `convert` share.
enum TraceCopy {
  /// What an input without a name is called, and its user with it: as the output.
  ///
  /// A trace on standard output names no user, so that the name of the file that it goes to counts.
  static func streamName(for output: String) -> String {
    TraceInput.hasName(output) ? TraceFormats.all.traceName(of: output) : ""
  }

  /// The name for an input whose trace goes to a place; nil: it has one.
  static func name(of input: String, for output: String) -> String? {
    TraceInput.hasName(input) ? nil : streamName(for: output)
  }

  /// Creates the output first, so that a bad place fails at once; it appears when it is whole.
  static func copy(
    _ source: TraceInput, to output: String, format: TraceFormat?, options: ImportOptions,
    into batch: inout TraceBatch, isQuiet: Bool
  ) throws(TraceError) {
    let sink = try ByteSink(path: output)
    let trace = try TraceLoader.load(source, format: format, options: options)
    try write(
      trace, to: sink, as: output, from: source.displayName, into: &batch, isQuiet: isQuiet)
  }

  /// Makes one trace of several inputs, named after the output.
  static func merge(
    _ inputs: [String], to output: String, format: TraceFormat?, options: ImportOptions,
    isQuiet: Bool
  ) throws(TraceError) {
    let sink = try ByteSink(path: output)
    let name = output == "-" ? "merged" : TraceFormats.all.traceName(of: output)
    let trace = try TraceMerge.load(
      inputs, name: name, streamName: streamName(for: output), format: format, formats: .all,
      options: options)
    var batch = TraceBatch()
    try write(trace, to: sink, as: output, from: name, into: &batch, isQuiet: isQuiet)
    try batch.publish()
  }

  /// Writes a trace and says on standard error what is in it.
  static func write(
    _ trace: Trace, to sink: consuming ByteSink, as output: String, from input: String,
    into batch: inout TraceBatch, isQuiet: Bool
  ) throws(TraceError) {
    try batch.write(trace, to: sink, as: output)
    guard !isQuiet else { return }
    for line in IssueText.lines(trace.issues, path: input) { Console.say(line) }
    Console.say(
      "\(input): \(Prose.counted(trace.events.count, "event")), "
        + Prose.counted(trace.apps.count, "app"))
  }
}
