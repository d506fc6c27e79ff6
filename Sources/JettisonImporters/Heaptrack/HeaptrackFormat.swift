internal import JettisonModel
internal import JettisonSupport
public import JettisonTraces

extension TraceFormat {
  /// Data files of the heap profiler heaptrack.
  public static let heaptrack = TraceFormat(
    name: "heaptrack",
    summary: "Data file of heaptrack, raw or interpreted, through gzip -dc or zstd -dc.",
    provides: [.launches, .allocations],
    sniff: { prefix in hasLine(in: prefix, amongFirst: 1) { HeaptrackReader.version($0) != nil } },
    read: { (input, options) throws(TraceError) in
      try HeaptrackReader.read(
        input, options,
        source: "heaptrack data of one process, in front all the time; times are known to 10 ms",
        begin: { HeaptrackReader($0, isNamed: options.app != nil) })
    })
}
