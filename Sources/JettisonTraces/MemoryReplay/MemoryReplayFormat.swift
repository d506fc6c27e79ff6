internal import JettisonCore

extension TraceFormat {
  /// Allocation dumps for Android's memory replay tools.
  package static let memoryReplay = TraceFormat(
    name: "memory-replay",
    summary: "Allocation dump of one process for Android's memory replay tools (tid: malloc …).",
    provides: [.launches, .allocations],
    sniff: { prefix in
      var isFound = false
      LineSplitter.eachWholeLine(of: prefix, atMost: 8) { line in
        if (try? MemoryReplayOperation.parse(line)) != nil { isFound = true }
        return !isFound
      }
      return isFound
    },
    read: { (input, options) throws(TraceError) in
      try MemoryReplayReader.read(
        input, options,
        source: "memory-replay dump of one process, in front all the time",
        begin: { MemoryReplayReader($0) })
    })
}
