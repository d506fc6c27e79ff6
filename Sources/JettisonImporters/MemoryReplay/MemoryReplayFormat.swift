internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Allocation dumps for Android's memory replay tools.
  public static let memoryReplay = TraceFormat(
    name: "memory-replay",
    summary: "Allocation dump of one process for Android's memory replay tools (tid: malloc …).",
    provides: [.launches, .allocations],
    fileExtensions: ["alloc", "replay"],
    sniff: { prefix in
      hasLine(in: prefix, amongFirst: 8) { (try? MemoryReplayOperation.parse($0)) != nil }
    },
    read: { (input, options) throws(TraceError) in
      try MemoryReplayReader.read(
        input, options,
        source: "memory-replay dump of one process, in front all the time",
        begin: { MemoryReplayReader($0) })
    })
}
