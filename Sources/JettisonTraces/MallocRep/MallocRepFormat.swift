internal import JettisonCore

extension TraceFormat {
  /// Allocation traces of the malloc laboratory of *Computer Systems: A Programmer's Perspective*.
  package static let mallocRep = TraceFormat(
    name: "malloc-rep",
    summary: "Allocation trace of the malloc lab (.rep): four numbers, then a, r and f lines.",
    provides: [.launches, .allocations],
    sniff: { prefix in
      var reader = MallocRepReader(AllocationStream(name: "", rate: nil))
      var isFound = false
      LineSplitter.eachWholeLine(of: prefix, atMost: 8) { line in
        guard let content = MallocRepReader.content(of: line) else { return false }
        if content == .blank { return true }
        if !reader.isHeaderComplete {
          if case .number(let number) = content { return reader.takeHeader(number) }
          return false
        }
        if case .number = content { return false }
        isFound = true
        return false
      }
      return isFound
    },
    read: { (input, options) throws(TraceError) in try readMallocRep(input, options) })

  private static func readMallocRep(
    _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    let file = input.displayName
    let app = options.appName(of: input)
    var builder = try TraceBuilder(storage: input.storage, file: file)
    var reader = MallocRepReader(
      AllocationStream(name: app, rate: try options.rate(for: file)))
    try input.forEachLine { (line, number) throws(TraceError) in
      do throws(TraceFault) {
        try reader.take(line, number: number, builder: &builder)
      } catch {
        throw TraceError(error, file: file, line: number)
      }
    }
    guard reader.isHeaderComplete else {
      throw TraceError(
        file: file, what: "no malloc lab trace: it does not begin with four numbers",
        remedy: "they are the heap's size, the number of ids, the number of operations, a weight")
    }
    do throws(TraceFault) {
      try reader.finish(builder: &builder)
    } catch {
      throw TraceError(error, file: file)
    }
    let header = TraceHeader(
      of: input, options, app: app,
      source: "malloc lab trace of one process, in front all the time")
    return try builder.finish(name: input.traceName, header: header, file: file)
  }
}
