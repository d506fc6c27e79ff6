#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reading numbers and words at a position of a line, without making strings.
///
/// Readers call these for every line of a capture: they are inlined.
extension Span where Element == UInt8 {
  /// Moves a position over spaces.
  @inlinable package func skipSpaces(_ position: inout Int) {
    while position < count, self[position] == 0x20 { position += 1 }
  }

  /// Takes the digits at a position; nil if there is none, or if there are more than 18.
  @inlinable package func number(_ position: inout Int) -> Int64? {
    guard position + 8 <= count else { return longNumber(&position) }
    let word = TextWord(self, at: position)
    let digits = word.digitCount
    if digits == 8 { return longNumber(&position) }
    if digits == 0 { return nil }
    position += digits
    return word.number(digits: digits)
  }

  /// Takes digits as ``number(_:)`` does, however many there are.
  @usableFromInline func longNumber(_ position: inout Int) -> Int64? {
    let start = position
    // Wrapping for speed: 18 digits do not overflow.
    var value: Int64 = 0
    while position + 8 <= count, position - start <= 8 {
      let word = TextWord(self, at: position)
      let digits = word.digitCount
      if digits > 0 {
        value = value &* TextWord.power(ofTen: digits) &+ word.number(digits: digits)
        position += digits
      }
      if digits < 8 { return position > start ? value : nil }
    }
    while position < count, self[position] >= 0x30, self[position] <= 0x39 {
      guard position - start < 18 else { return nil }
      value = value &* 10 &+ Int64(self[position] - 0x30)
      position += 1
    }
    return position > start ? value : nil
  }

  /// Takes an integer with an optional minus sign at a position.
  @inlinable package func signedNumber(_ position: inout Int) -> Int64? {
    guard position < count, self[position] == UInt8(ascii: "-") else { return number(&position) }
    position += 1
    return number(&position).map { -$0 }
  }

  /// Takes exactly so many digits at a position.
  @inlinable package func digits(_ digits: Int, _ position: inout Int) -> Int64? {
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
  @inlinable package func take(_ character: Unicode.Scalar, _ position: inout Int) -> Bool {
    guard position < count, UInt32(self[position]) == character.value else { return false }
    position += 1
    return true
  }

  /// Takes up to nine digits after a point as nanoseconds; further ones are dropped.
  @inlinable package func fractionNanoseconds(_ position: inout Int) -> Int64? {
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

  /// Where a byte stands first, from a position on; nil: nowhere.
  @inlinable package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    var position = start
    while position + 8 <= count {
      let place = TextWord(self, at: position).place(of: byte)
      if place < 8 { return position + place }
      position += 8
    }
    while position < count {
      if self[position] == byte { return position }
      position += 1
    }
    return nil
  }

  /// Where the line that holds a position ends, which is where its line feed stands; nil: the bytes
  /// hold none.
  package func lineEnd(from start: Int) -> Int? {
    unsafe withUnsafeBufferPointer { buffer -> Int? in
      guard let base = buffer.baseAddress, start < buffer.count else { return nil }
      let found = unsafe memchr(base + start, 0x0A, buffer.count - start)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }
  }

  /// Whether the bytes begin with those of a text.
  @inlinable package func starts(with text: String) -> Bool { has(text, at: 0) }

  /// Whether a text stands at a position.
  @inlinable package func has(_ text: String, at position: Int) -> Bool {
    let wanted = text.utf8.span
    guard position >= 0, wanted.count <= count - position else { return false }
    for place in 0..<wanted.count where self[position + place] != wanted[place] { return false }
    return true
  }

  /// Where a text stands first, from a position on; nil: nowhere.
  @inlinable package func find(_ text: String, from start: Int = 0) -> Int? {
    guard let first = text.utf8.first else { return nil }
    var position = start
    while let found = firstIndex(of: first, from: position) {
      if has(text, at: found) { return found }
      position = found + 1
    }
    return nil
  }

  /// The bytes between two positions without the spaces around them, and without the carriage
  /// returns that a terminal adds.
  @inlinable package func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D {
      end -= 1
    }
    return start..<end
  }

  /// The text of some bytes; what is no UTF-8 becomes replacement characters.
  package func text(_ range: Range<Int>) -> String {
    String(decoding: Array(span: extracting(range)), as: UTF8.self)
  }
}

extension Array where Element == UInt8 {
  /// Copies a span.
  package init(span: Span<UInt8>) {
    self.init()
    reserveCapacity(span.count)
    for position in 0..<span.count { append(span[position]) }
  }
}
