package import JettisonCore

/// Loads traces from files and standard input.
package enum TraceLoader {
  /// Reads and validates a trace of any registered format.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - format: The format; nil: detected by content.
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
    let format = if let format { format } else { try TraceFormat.detect(input) }
    let trace = try format.read(input, options)
    if options.isStrict, let issue = trace.issues.all.first(where: { $0.severity >= .error }) {
      throw TraceError(
        file: input.displayName, line: issue.lines.first, what: issue.text,
        remedy: "without --strict it is counted and passed over")
    }
    return trace
  }
}
