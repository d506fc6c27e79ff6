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
    if let rate = options.operationsPerSecond, !MemoryReplayReader.rates.contains(rate) {
      throw TraceError(
        .misuse, file: file, what: "a rate of \(rate) events a second cannot be used",
        remedy: "use 0.001 to 1000000000")
    }
    // Standard input has no name to call the app by.
    let app = options.app ?? (input.path == nil ? "app" : input.traceName)
    var builder = try TraceBuilder(storage: input.storage, file: file)
    var reader: MemoryReplayReader
    do throws(TraceFault) {
      reader = try MemoryReplayReader(
        app: app, rate: options.operationsPerSecond, builder: &builder)
    } catch {
      throw TraceError(error, file: file)
    }
    try input.forEachLine { (line, number) throws(TraceError) in
      do throws(TraceFault) {
        try reader.take(line, number: number, builder: &builder)
      } catch {
        throw TraceError(error, file: file, line: number)
      }
    }
    do throws(TraceFault) {
      try reader.finish(builder: &builder)
    } catch {
      throw TraceError(error, file: file)
    }
    var header = TraceHeader(user: options.user ?? input.traceName)
    header.device = options.device
    header.source = "memory-replay dump of one process, in front all the time"
    header.appsYAML = CategoryBlock.yaml(apps: [app])
    return try builder.finish(name: input.traceName, header: header, file: file)
  }
}
