package import JettisonCore

/// Loads traces from files and standard input.
package enum TraceLoader {
  /// Reads and validates a trace of any registered format.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - format: The format; nil: a table if `options` name columns, else detected by content.
  ///   - options: For captures of other formats.
  package static func load(
    _ path: String, format: TraceFormat? = nil, options: ImportOptions = ImportOptions()
  ) throws(TraceError) -> Trace {
    let input = try TraceInput(path: path)
    return try load(input, format: format, options: options)
  }

  /// Reads and validates a trace from an open input.
  package static func load(
    _ input: TraceInput, format: TraceFormat? = nil, options: ImportOptions = ImportOptions()
  ) throws(TraceError) -> Trace {
    let format = if let format { format } else { try chosen(input, options) }
    if format.isNative, let option = options.captureOption {
      throw TraceError(
        .misuse, file: input.displayName,
        what: "is a trace already, and \(option) is for captures of other formats",
        remedy: "leave it out")
    }
    let trace = try format.read(input, options)
    if options.isStrict, let issue = trace.issues.all.first(where: { $0.severity >= .error }) {
      throw TraceError(
        file: input.displayName, line: issue.lines.first, what: issue.text,
        remedy: "without --strict it is counted and passed over")
    }
    return options.isAnonymized
      ? try Anonymizer.anonymize(trace, file: input.displayName) : trace
  }

  private static func chosen(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> TraceFormat {
    options.columns.isEmpty ? try TraceFormat.detect(input) : .table
  }
}
