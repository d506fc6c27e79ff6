internal import JettisonSupport
internal import JettisonTraces

extension TraceInput {
  /// What is said of a last line that may be cut off.
  static let cutLine = "the last line has no end: it is cut off"

  /// Hands out all lines, and says of the last one whether it has no end, so that it may be cut off.
  ///
  /// - Parameter body: Gets each line without its end, its number from 1, and whether it is open.
  func forEachLine(
    open body: (Span<UInt8>, Int, Bool) throws(TraceError) -> Void
  ) throws(TraceError) {
    var splitter = LineSplitter()
    try forEachChunk { (chunk) throws(TraceError) in
      try splitter.feed(chunk) { (line, number) throws(TraceError) in
        try body(line, number, false)
      }
    }
    try splitter.finish { (line, number) throws(TraceError) in try body(line, number, true) }
  }
}
