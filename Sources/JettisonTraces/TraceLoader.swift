public import JettisonModel
internal import JettisonSupport

/// Loads traces from files, standard input and memory.
///
/// ```swift
/// let trace = try TraceLoader.load("monday.csv")
/// let device = try DeviceTable.device(named: "iphone-4")
/// let configuration = try TraceLoader.configuration(for: trace, at: "monday.csv", on: device)
/// let result = try PolicySpec(parsing: "lru").run(trace, configuration)
/// ```
public enum TraceLoader {
  /// Reads and validates a trace, or a capture of another format.
  ///
  /// Throws ``TraceError`` with the place and the remedy if the input is missing or malformed.
  /// A binary trace stays in its file, which is mapped read-only; the events of another form are
  /// kept in memory, or in a temporary file for standard input and inputs of more than 1 GiB.
  ///
  /// - Parameters:
  ///   - path: A file, `-` for standard input, or a folder of the files of one capture.
  ///   - format: The format; nil: a table if `options` name columns, else detected from the content.
  ///   - formats: The formats that are known. Captures need those of `JettisonImporters`:
  ///     `TraceFormats.all`.
  ///   - options: For captures of other formats.
  /// - Complexity: O(bytes).
  public static func load(
    _ path: String, format: TraceFormat? = nil, formats: TraceFormats = .native,
    options: ImportOptions = ImportOptions()
  ) throws(TraceError) -> Trace {
    let input = try TraceInput(capture: path, formats: formats)
    return try load(input, format: format, options: options)
  }

  /// Reads and validates trace format 1 as text that is in memory already.
  ///
  /// Throws ``TraceError`` with line, column and remedy if the text is malformed.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - name: The name of the trace, and the file that errors speak of.
  /// - Complexity: O(bytes), and 32 bytes of memory per row.
  public static func read(text: Span<UInt8>, name: String) throws(TraceError) -> Trace {
    var reader = try TextTraceReader(file: name, traceName: name, storage: .memory)
    try reader.feed(text)
    return try reader.finish()
  }

  /// What a replay on a device takes the apps of a trace for, by ``/JettisonCore/AppIndex``.
  ///
  /// From the built-in categories, the trace's side file and its `apps:` block, the later ones
  /// first; what the trace measures wins over all of them. Throws ``TraceError`` if the side file
  /// is missing or malformed.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - path: Where the trace was read from: its side file is relative to it.
  ///   - device: The device, with whose memory the figures of the categories scale.
  /// - Complexity: O(apps), and O(events) for a trace with derived footprints.
  public static func profiles(
    of trace: Trace, at path: String, on device: Device
  ) throws(TraceError) -> [AppProfile] {
    try resolved(trace, at: path, on: device).map(\.profile)
  }

  /// The configuration of a replay on a device as the command makes it: under the device's own
  /// pressure model, with the apps' ``profiles(of:at:on:)``, and with those that end together.
  ///
  /// Throws ``TraceError`` if the trace's side file is missing or malformed.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - path: Where the trace was read from: its side file is relative to it.
  ///   - device: The device.
  /// - Complexity: O(apps), and O(events) for a trace with derived footprints.
  public static func configuration(
    for trace: Trace, at path: String, on device: Device
  ) throws(TraceError) -> RunConfiguration {
    let apps = try resolved(trace, at: path, on: device)
    var configuration = RunConfiguration(device: device, profiles: apps.map(\.profile))
    configuration.setGroups(of: apps)
    return configuration
  }

  private static func resolved(
    _ trace: Trace, at path: String, on device: Device
  ) throws(TraceError) -> [ResolvedApp] {
    let catalog = try Catalog(for: trace, at: path)
    var issues = ImportIssues()
    return catalog.resolve(trace, on: device, issues: &issues)
  }

  /// Reads and validates a trace from an open input.
  ///
  /// - Throws: ``TraceError`` with file, line and remedy.
  public static func load(
    _ input: TraceInput, format: TraceFormat? = nil, options: ImportOptions = ImportOptions()
  ) throws(TraceError) -> Trace {
    let format = try input.formats.choose(format, for: input, options)
    let trace = try format.read(input, options)
    try checkHoldsSomething(trace, format, input, options)
    return try finished(trace, input, options)
  }

  /// Reads and validates the traces of all users of an input, in the order of the input: one, for
  /// most formats and where `options` name the user.
  ///
  /// Their names are different: a second one of a name gets a number, `name:2`.
  ///
  /// - Throws: ``TraceError`` with file, line and remedy.
  public static func loadAll(
    _ input: TraceInput, format: TraceFormat? = nil, options: ImportOptions = ImportOptions()
  ) throws(TraceError) -> [Trace] {
    let format = try input.formats.choose(format, for: input, options)
    guard options.user == nil, let readAll = format.readAll else {
      return [try load(input, format: format, options: options)]
    }
    var traces: [Trace] = []
    var names: Set<String> = []
    for trace in try readAll(input, options) {
      let name = Self.unused(trace.name, &names)
      traces.append(try finished(trace, input, options).named(name))
    }
    guard !traces.isEmpty else {
      throw TraceError(
        file: input.displayName, what: "holds no trace that format '\(format.name)' reads",
        remedy: "check that it is the capture that you mean")
    }
    return traces
  }

  /// A name, with a number if it is taken, which it is from now on.
  private static func unused(_ name: String, _ names: inout Set<String>) -> String {
    var unused = name
    var number = 1
    while !names.insert(unused).inserted {
      number += 1
      unused = "\(name):\(number)"
    }
    return unused
  }

  /// The line of a text trace at which a key of its header stands; nil where that cannot be told.
  package static func headerLine(of key: String, in path: String) -> Int? {
    guard path != "-", !FileSystem.isSpecial(path), let input = try? TraceInput(path: path)
    else { return nil }
    let lines = input.prefix.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (position, line) in lines.enumerated() {
      guard line.first == UInt8(ascii: "#") else { return nil }
      if line.dropFirst().drop(while: { $0 == 0x20 }).starts(with: "\(key):".utf8) {
        return position + 1
      }
    }
    return nil
  }

  /// Refuses a capture in which nothing was found: most likely it is of another format.
  private static func checkHoldsSomething(
    _ trace: Trace, _ format: TraceFormat, _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) {
    guard !format.isNative, options.apps.isEmpty else { return }
    let counts = trace.index.kindCounts
    func count(_ kind: EventKind) -> Int { counts[Int(kind.rawValue)] }
    // A capture of allocations has a launch and an end of its own making.
    let found =
      format.provides == [.launches, .allocations]
      ? count(.alloc) + count(.free) + count(.realloc) : counts.reduce(0, +) - count(.end)
    guard found == 0 else { return }
    let first = trace.issues.firstError
    throw TraceError(
      file: input.displayName, line: first?.lines.first,
      what: "holds nothing that format '\(format.name)' knows"
        + (first.map { ": \($0.text)" } ?? ""),
      remedy:
        "omit `TraceLoader.load(format:)` to detect the format from the content, or see 'jettison formats'"
    )
  }

  /// Checks a trace against the options that concern any format.
  private static func finished(
    _ trace: Trace, _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    if options.isStrict, let issue = trace.issues.all.first(where: { $0.severity >= .error }) {
      throw TraceError(
        file: input.displayName, line: trace.issues.areLinesOfSource ? nil : issue.lines.first,
        what: issue.text,
        remedy: "without `ImportOptions.isStrict` it is counted and skipped")
    }
    return options.isAnonymized
      ? try Anonymizer.anonymize(trace, file: input.displayName) : trace
  }
}
