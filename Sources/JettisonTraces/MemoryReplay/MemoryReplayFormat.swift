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
    read: { (input, options) throws(TraceError) in try readMemoryReplay(input, options) })

  private static func readMemoryReplay(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    let app = options.appName(of: input)
    var builder = try TraceBuilder(storage: input.storage, file: file)
    var reader = MemoryReplayReader(
      AllocationStream(name: app, rate: try options.rate(for: file)))
    try input.forEachLine { (line, number) throws(TraceError) in
      do throws(TraceFault) {
        try reader.take(line, number: number, builder: &builder)
      } catch {
        throw TraceError(error, file: file, line: number)
      }
    }
    if let line = reader.strangerLine {
      throw TraceError(
        file: file, line: line, what: "is no allocation dump: no line is a call",
        remedy: "lines are such as '202: malloc 0xb4837058 20'")
    }
    do throws(TraceFault) {
      try reader.finish(builder: &builder)
    } catch {
      throw TraceError(error, file: file)
    }
    let header = TraceHeader(
      of: input, options, app: app,
      source: "memory-replay dump of one process, in front all the time")
    return try builder.finish(name: input.traceName, header: header, file: file)
  }
}
