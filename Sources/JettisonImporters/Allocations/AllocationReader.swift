internal import JettisonModel
internal import JettisonTraces

/// Turns the lines of a capture of one process's allocations into rows.
protocol AllocationReader {
  /// What the app is called, as far as the lines so far say.
  var appName: String { get }

  /// Takes one line, counted from 1.
  mutating func take(
    _ line: Span<UInt8>, number: Int, builder: inout TraceBuilder
  ) throws(TraceFault)
  /// Ends the trace at its last event.
  mutating func finish(builder: inout TraceBuilder) throws(TraceFault)

  /// Refuses an input whose first line shows that it cannot be read.
  func checkFirst(_ line: Span<UInt8>, file: String) throws(TraceError)
  /// Refuses an input that ended before it could be told to be of the format.
  func checkEnd(file: String) throws(TraceError)
}

extension AllocationReader {
  /// What few lines with a row are shorter than.
  private static var usualRowBytes: Int { 10 }

  func checkFirst(_ line: Span<UInt8>, file: String) throws(TraceError) {}
  func checkEnd(file: String) throws(TraceError) {}

  /// Reads an input to its end and makes the trace.
  ///
  /// - Parameters:
  ///   - source: What the capture is, for the header.
  ///   - begin: Makes the reader for a stream.
  static func read(
    _ input: TraceInput, _ options: ImportOptions, source: String,
    begin: (AllocationStream) -> Self
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    var builder = try TraceBuilder(storage: input.storage, file: file)
    builder.reserve(rows: (input.byteCount ?? 0) / usualRowBytes)
    var reader = begin(
      AllocationStream(name: options.appName(of: input), rate: try options.rate(for: file)))
    try input.forEachLine { (line, number) throws(TraceError) in
      if number == 1 { try reader.checkFirst(line, file: file) }
      do throws(TraceFault) {
        try reader.take(line, number: number, builder: &builder)
      } catch {
        throw TraceError(error, file: file, line: number)
      }
    }
    try reader.checkEnd(file: file)
    do throws(TraceFault) {
      try reader.finish(builder: &builder)
    } catch {
      throw TraceError(error, file: file)
    }
    let header = TraceHeader(of: input, options, app: reader.appName, source: source)
    return try builder.finish(name: input.traceName, header: header, file: file)
  }
}
