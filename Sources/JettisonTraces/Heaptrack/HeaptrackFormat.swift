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
    read: { (input, options) throws(TraceError) in
      try HeaptrackReader.read(
        input, options,
        source: "heaptrack data of one process, in front all the time; times are known to 10 ms",
        begin: { HeaptrackReader($0, isNamed: options.app != nil) })
    })
}
