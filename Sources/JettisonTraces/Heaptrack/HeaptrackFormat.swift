internal import JettisonCore

extension TraceFormat {
  /// Data files of the heap profiler heaptrack.
  package static let heaptrack = TraceFormat(
    name: "heaptrack",
    summary: "Data file of heaptrack, raw or interpreted, through gzip -dc or zstd -dc.",
    provides: [.launches, .allocations],
    sniff: { prefix in
      var isFound = false
      LineSplitter.eachWholeLine(of: prefix, atMost: 1) { line in
        isFound = HeaptrackReader.version(line) != nil
        return false
      }
      return isFound
    },
    read: { (input, options) throws(TraceError) in try readHeaptrack(input, options) })

  private static func readHeaptrack(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    var builder = try TraceBuilder(storage: input.storage, file: file)
    let stream = AllocationStream(
      name: options.appName(of: input), rate: try options.rate(for: file))
    var reader = HeaptrackReader(stream, isNamed: options.app != nil)
    try input.forEachLine { (line, number) throws(TraceError) in
      if number == 1 { try checkVersion(line, file: file) }
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
    let header = TraceHeader(
      of: input, options, app: reader.appName,
      source: "heaptrack data of one process, in front all the time; times are known to 10 ms")
    return try builder.finish(name: input.traceName, header: header, file: file)
  }

  private static func checkVersion(_ line: Span<UInt8>, file: String) throws(TraceError) {
    guard let version = HeaptrackReader.version(line) else {
      throw TraceError(
        file: file, line: 1, what: "no heaptrack data: the first line does not say its version",
        remedy: "it is like 'v 10400 3'")
    }
    guard version <= HeaptrackReader.newestVersion else {
      throw TraceError(
        file: file, line: 1, what: "heaptrack data of version \(version)",
        remedy: "versions up to \(HeaptrackReader.newestVersion) can be read")
    }
  }
}
