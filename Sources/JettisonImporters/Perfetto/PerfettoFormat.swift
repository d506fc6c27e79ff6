internal import JettisonModel
internal import JettisonPerfetto
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Traces of Android and Linux in Perfetto's own form.
  public static let perfetto = TraceFormat(
    name: "perfetto",
    summary: "Perfetto trace (protobuf) of Android or Linux: process stats, ftrace, meminfo, log.",
    provides: [
      .launches, .backgroundLaunches, .footprints, .systemMemory, .exits, .screen, .latencies,
    ],
    fileExtensions: ["pb", "pftrace", "perfetto-trace"],
    sniff: { prefix in PacketCursor.isTrace(prefix) },
    read: { (input, options) throws(TraceError) in try readPerfetto(input, options) })

  private static func readPerfetto(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    // A stream of anything else need not be spooled to its end.
    let prefix = input.prefix
    if input.isStream, !PacketCursor.hasPacket(prefix.span) {
      throw TraceError(
        file: input.displayName, what: "has no packet of a Perfetto trace in its first 256 KiB",
        remedy: "see 'jettison formats' for what can be read")
    }
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
