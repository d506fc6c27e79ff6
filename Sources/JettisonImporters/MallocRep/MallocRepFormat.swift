internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Allocation traces of the malloc laboratory of *Computer Systems: A Programmer's Perspective*.
  public static let mallocRep = TraceFormat(
    name: "malloc-rep",
    summary: "Allocation trace of the malloc lab (.rep): four numbers, then a, r and f lines.",
    provides: [.launches, .allocations],
    fileExtensions: ["rep"],
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
    read: { (input, options) throws(TraceError) in
      try MallocRepReader.read(
        input, options, source: "malloc lab trace of one process, in front all the time",
        begin: { MallocRepReader($0) })
    })
}
