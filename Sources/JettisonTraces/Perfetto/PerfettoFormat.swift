internal import JettisonCore
internal import JettisonPerfetto

extension TraceFormat {
  /// Traces of Android and Linux in Perfetto's own form.
  package static let perfetto = TraceFormat(
    name: "perfetto",
    summary: "Perfetto trace (protobuf) of Android or Linux: process stats, ftrace, meminfo, log.",
    provides: [.launches, .backgroundLaunches, .footprints, .systemMemory, .exits, .screen],
    sniff: { prefix in PacketCursor.isTrace(prefix) },
    read: { (input, options) throws(TraceError) in try readPerfetto(input, options) })

  private static func readPerfetto(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let mapped = try input.mapped()
    let capture: PerfettoCapture
    do throws(TraceFault) {
      var reader = try PerfettoReader(input.storage)
      try mapped.withBytes { (bytes) throws(TraceFault) in try reader.read(bytes) }
      capture = try reader.finish()
    } catch {
      throw TraceError(error, file: input.displayName)
    }
    return try PerfettoHistory.trace(of: capture, input, options)
  }
}
