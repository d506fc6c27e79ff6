internal import JettisonSupport

/// When a line of a log was written, as it stands there.
struct LogcatStamp: Equatable {
  /// The date, or nil where the line counts seconds.
  struct Date: Equatable {
    /// The year, where it is written (`-v year`).
    var year: Int?
    var month: Int
    var day: Int
  }

  var date: Date?
  /// Nanoseconds since midnight; where there is no date, since 1970 in UTC or since the start of
  /// the device (`-v epoch`, `-v monotonic`).
  var nanoseconds: Int64
  /// Offset from UTC in seconds, where it is written (`-v zone`).
  var offsetSeconds: Int64?

  /// Takes a stamp at a position.
  init?(_ line: Span<UInt8>, _ position: inout Int) {
    let start = position
    guard let first = line.number(&position), position < line.count else { return nil }
    if line.take(".", &position) {
      guard first < 1 << 33, let fraction = line.fractionNanoseconds(&position) else { return nil }
      nanoseconds = first * 1_000_000_000 + fraction
      return
    }
    var written = Date(year: nil, month: 0, day: 0)
    if position - start == 4 {
      written.year = Int(first)
      guard line.take("-", &position), let month = line.digits(2, &position) else { return nil }
      written.month = Int(month)
    } else {
      guard position - start == 2 else { return nil }
      written.month = Int(first)
    }
    guard line.take("-", &position), let day = line.digits(2, &position),
      line.take(" ", &position),
      let hour = line.digits(2, &position), line.take(":", &position),
      let minute = line.digits(2, &position), line.take(":", &position),
      let second = line.digits(2, &position), hour < 24, minute < 60, second < 60,
      (1...12).contains(written.month), (1...31).contains(day)
    else { return nil }
    written.day = Int(day)
    date = written
    nanoseconds = ((hour * 60 + minute) * 60 + second) * 1_000_000_000
    if line.take(".", &position) || line.take(",", &position) {
      guard let fraction = line.fractionNanoseconds(&position) else { return nil }
      nanoseconds += fraction
    }
    offsetSeconds = Self.offset(line, &position)
  }

  /// Takes ` +0100`; leaves the position where it is if there is no offset.
  private static func offset(_ line: Span<UInt8>, _ position: inout Int) -> Int64? {
    var ahead = position
    guard line.take(" ", &ahead) else { return nil }
    let isWest = line.take("-", &ahead)
    guard isWest || line.take("+", &ahead), let hours = line.digits(2, &ahead), hours < 24,
      let minutes = line.digits(2, &ahead), minutes < 60
    else { return nil }
    position = ahead
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }
}

/// The head of one line of a log, in any of the layouts of `logcat -v`: when it was written, by
/// which process, under which tag.
///
/// Budget: no allocation.
struct LogcatLine: Equatable {
  let stamp: LogcatStamp
  /// The process that wrote the line; nil where the layout leaves it out.
  let pid: Int32?
  /// Where the tag stands, without its padding.
  let tag: Range<Int>
  /// Where the message stands.
  let message: Range<Int>

  /// Reads a line; nil if it isn't one of a log.
  init?(_ line: Span<UInt8>) {
    var position = 0
    line.skipSpaces(&position)
    guard let stamp = LogcatStamp(line, &position) else { return nil }
    self.stamp = stamp
    // Up to three words before the priority: user, process, thread.
    var last: Int64?
    var beforeLast: Int64?
    for _ in 0..<4 {
      line.skipSpaces(&position)
      let start = position
      guard start + 1 < line.count else { return nil }
      if Self.isPriority(line[start]) {
        if line[start + 1] == UInt8(ascii: "/") {
          guard let brief = Self.brief(line, start + 2) else { return nil }
          (tag, message, pid) = brief
          return
        }
        if line[start + 1] == 0x20 {
          guard let (tag, message) = Self.tagged(line, start + 2) else { return nil }
          (self.tag, self.message) = (tag, message)
          pid = beforeLast.flatMap { Int32(exactly: $0) }
          return
        }
      }
      beforeLast = last
      last = line.number(&position)
      while position < line.count, line[position] != 0x20 {
        // Names of users such as `root` and `u0_a87`.
        last = nil
        position += 1
      }
    }
    return nil
  }

  private static func isPriority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "V"), UInt8(ascii: "D"), UInt8(ascii: "I"), UInt8(ascii: "W"),
      UInt8(ascii: "E"), UInt8(ascii: "F"), UInt8(ascii: "A"), UInt8(ascii: "S"):
      true
    default: false
    }
  }

  /// `am_kill : message` from a position on.
  private static func tagged(
    _ line: Span<UInt8>, _ start: Int
  ) -> (tag: Range<Int>, message: Range<Int>)? {
    var end = start
    while end < line.count, line[end] != UInt8(ascii: ":") { end += 1 }
    guard end < line.count else { return nil }
    return (line.trimmed(start..<end), line.trimmed(end + 1..<line.count))
  }

  /// `am_kill( 1234): message` from a position on (`-v time`).
  private static func brief(
    _ line: Span<UInt8>, _ start: Int
  ) -> (tag: Range<Int>, message: Range<Int>, pid: Int32?)? {
    var open = start
    while open < line.count, line[open] != UInt8(ascii: "(") { open += 1 }
    var close = open
    while close < line.count, line[close] != UInt8(ascii: ")") { close += 1 }
    guard close < line.count, line.has(":", at: close + 1) else { return nil }
    // With `-v uid` the user stands before the process.
    var digits = close
    while digits > open + 1, line[digits - 1] >= 0x30, line[digits - 1] <= 0x39 { digits -= 1 }
    let pid = line.number(&digits).flatMap { Int32(exactly: $0) }
    return (line.trimmed(start..<open), line.trimmed(close + 2..<line.count), pid)
  }
}
