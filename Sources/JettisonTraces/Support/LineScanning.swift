/// Reading numbers and words at a position of a line, without making strings.
extension Span where Element == UInt8 {
  /// Moves a position over spaces.
  func skipSpaces(_ position: inout Int) {
    while position < count, self[position] == 0x20 { position += 1 }
  }

  /// Takes the digits at a position; nil if there is none, or if there are more than 18.
  func number(_ position: inout Int) -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < count, self[position] >= 0x30, self[position] <= 0x39 {
      guard position - start < 18 else { return nil }
      value = value * 10 + Int64(self[position] - 0x30)
      position += 1
    }
    return position > start ? value : nil
  }

  /// Takes an integer with an optional minus sign at a position.
  func signedNumber(_ position: inout Int) -> Int64? {
    guard position < count, self[position] == UInt8(ascii: "-") else { return number(&position) }
    position += 1
    return number(&position).map { -$0 }
  }

  /// Takes exactly so many digits at a position.
  func digits(_ digits: Int, _ position: inout Int) -> Int64? {
    guard digits <= count - position else { return nil }
    var value: Int64 = 0
    for offset in 0..<digits {
      let byte = self[position + offset]
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    position += digits
    return value
  }

  /// Takes one byte at a position, if it is the one given.
  func take(_ character: Unicode.Scalar, _ position: inout Int) -> Bool {
    guard position < count, UInt32(self[position]) == character.value else { return false }
    position += 1
    return true
  }

  /// Takes up to nine digits after a point as nanoseconds; further ones are dropped.
  func fractionNanoseconds(_ position: inout Int) -> Int64? {
    var value: Int64 = 0
    var digits = 0
    while position < count, self[position] >= 0x30, self[position] <= 0x39 {
      if digits < 9 { value = value * 10 + Int64(self[position] - 0x30) }
      digits += 1
      position += 1
    }
    guard digits > 0 else { return nil }
    for _ in Swift.min(digits, 9)..<9 { value *= 10 }
    return value
  }

  /// Whether a text stands at a position.
  func has(_ text: String, at position: Int) -> Bool {
    var position = position
    for byte in text.utf8 {
      guard position >= 0, position < count, self[position] == byte else { return false }
      position += 1
    }
    return true
  }

  /// Where a text stands first, from a position on; nil: nowhere.
  func find(_ text: String, from start: Int = 0) -> Int? {
    guard let first = text.utf8.first else { return nil }
    var position = start
    while position < count {
      if self[position] == first, has(text, at: position) { return position }
      position += 1
    }
    return nil
  }

  /// The bytes between two positions without the spaces around them, and without the carriage
  /// returns that a terminal adds.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D {
      end -= 1
    }
    return start..<end
  }

  /// The text of some bytes; what is no UTF-8 becomes replacement characters.
  func text(_ range: Range<Int>) -> String {
    String(decoding: Array(span: extracting(range)), as: UTF8.self)
  }
}
