/// Cuts chunks of bytes into lines, without their ends (`\n` or `\r\n`).
///
/// A line that lies within one chunk is lent, not copied. A byte-order mark is dropped.
@usableFromInline
package struct LineSplitter {
  /// Longer lines are no text.
  package static let longestLine = 1 << 20

  /// Number of lines handed out.
  @usableFromInline package internal(set) var lineNumber = 0
  /// The beginning of a line whose end has not come yet.
  @usableFromInline var carry: [UInt8] = []

  /// Begins an input.
  package init() {}

  /// Hands out the lines that end in `chunk`.
  ///
  /// - Parameter body: Gets each line and its number from 1.
  @inlinable package mutating func feed<Fault: Error>(
    _ chunk: Span<UInt8>, _ body: (Span<UInt8>, Int) throws(Fault) -> Void
  ) throws(Fault) {
    var start = 0
    while let end = chunk.lineEnd(from: start) {
      let piece = chunk.extracting(start..<end)
      if carry.isEmpty {
        try hand(piece, body)
      } else {
        append(piece)
        let line = carry
        carry.removeAll(keepingCapacity: true)
        try hand(line.span, body)
      }
      start = end + 1
    }
    append(chunk.extracting(start..<chunk.count))
  }

  /// Hands out a last line that has no end.
  @inlinable package mutating func finish<Fault: Error>(
    _ body: (Span<UInt8>, Int) throws(Fault) -> Void
  ) throws(Fault) {
    guard !carry.isEmpty else { return }
    let line = carry
    carry.removeAll()
    try hand(line.span, body)
  }

  /// Keeps a piece; what is beyond the longest line is dropped, so that memory stays bounded.
  @usableFromInline mutating func append(_ piece: Span<UInt8>) {
    for position in 0..<piece.count {
      if carry.count > Self.longestLine { return }
      carry.append(piece[position])
    }
  }

  @inlinable mutating func hand<Fault: Error>(
    _ line: Span<UInt8>, _ body: (Span<UInt8>, Int) throws(Fault) -> Void
  ) throws(Fault) {
    lineNumber += 1
    var line = line
    if line.count > 0, line[line.count - 1] == 0x0D {
      line = line.extracting(0..<line.count - 1)
    }
    if lineNumber == 1, line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF {
      line = line.extracting(3..<line.count)
    }
    try body(line, lineNumber)
  }
}

extension LineSplitter {
  /// Shows the first lines of a prefix, for detection by content; a last one without an end may be
  /// cut, and is shown only if it is the only one.
  ///
  /// `body` says whether to go on.
  package static func eachWholeLine(
    of prefix: Span<UInt8>, atMost limit: Int, _ body: (Span<UInt8>) -> Bool
  ) {
    var splitter = LineSplitter()
    var goesOn = true
    let start = prefix.extracting(first: 1 << 14)
    splitter.feed(start) { line, number in
      if goesOn, number <= limit { goesOn = body(line) }
    }
    guard splitter.lineNumber == 0 else { return }
    splitter.finish { line, _ in _ = body(line) }
  }
}
