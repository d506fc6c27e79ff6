internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Figures as the killers print them.
enum JournalText {
  private static let units: [(letter: Unicode.Scalar, shift: Int64)] = [
    ("B", 0), ("K", 10), ("M", 20), ("G", 30), ("T", 40), ("P", 50),
  ]

  /// Hundredths of a percent as a setting: `12.5%`.
  static func percent(_ hundredths: Int64) -> String {
    let rest = hundredths % 100
    guard rest != 0 else { return "\(hundredths / 100)%" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(hundredths / 100).\(digits)%"
  }

  /// A percentage at a position, in hundredths: `10.00%`, ` 5 %`; nil if it isn't one up to 100.
  static func percent(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
    text.skipSpaces(&position)
    guard let whole = text.number(&position), whole <= 100 else { return nil }
    var hundredths = whole * 100
    if text.take(".", &position) {
      guard let fraction = text.fractionNanoseconds(&position) else { return nil }
      hundredths += fraction / 10_000_000
    }
    text.skipSpaces(&position)
    guard text.take("%", &position), hundredths <= 10_000 else { return nil }
    return hundredths
  }

  /// A size with one letter, in steps of 1024, at a position: `388.4M`, `0B`.
  static func bytes(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
    text.skipSpaces(&position)
    guard let whole = text.number(&position) else { return nil }
    var fraction: Int64 = 0
    if text.take(".", &position) {
      guard let read = text.fractionNanoseconds(&position) else { return nil }
      fraction = read
    }
    for unit in units where text.take(unit.letter, &position) {
      guard whole <= TraceLimits.bytes >> unit.shift else { return nil }
      let part = Int64(Int128(fraction) << Int128(unit.shift) / 1_000_000_000)
      return min(TraceLimits.bytes, whole << unit.shift + part)
    }
    return nil
  }

  /// A number of MiB at a position, in bytes.
  static func mebibytes(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
    text.skipSpaces(&position)
    guard let count = text.number(&position), count <= TraceLimits.bytes >> 20 else { return nil }
    return count << 20
  }

  /// A span of time at a position: `20s`, `1min 30s`; nil if it isn't one.
  static func nanoseconds(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
    var total: Int64?
    while position < text.count {
      text.skipSpaces(&position)
      let start = position
      guard text.number(&position) != nil else { break }
      while position < text.count, text[position] >= 0x61, text[position] <= 0x7A {
        position += 1
      }
      guard let part = Quantity.nanoseconds(text.text(start..<position)),
        part <= TraceLimits.timeNanoseconds
      else { return nil }
      total = min(TraceLimits.timeNanoseconds, (total ?? 0) + part)
    }
    return total
  }
}

extension Span where Element == UInt8 {
  /// Where a text ends that stands somewhere behind a position; nil: nowhere.
  func end(of text: StaticString, from start: Int = 0) -> Int? {
    find(text, from: start).map { $0 + text.utf8CodeUnitCount }
  }

  /// The number behind a text; nil: there is none.
  func number(after text: StaticString, from start: Int = 0) -> Int64? {
    guard var position = end(of: text, from: start) else { return nil }
    skipSpaces(&position)
    return signedNumber(&position)
  }
}
