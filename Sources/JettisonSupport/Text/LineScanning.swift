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
    let word = TextWord(self, from: position)
    let digits = word.digitCount
    if digits == 8 { return longNumber(&position) }
    if digits == 0 { return nil }
    position += digits
    return word.number(digits: digits)
  }

  /// Takes digits as ``number(_:)`` does, however many there are.
  @usableFromInline func longNumber(_ position: inout Int) -> Int64? {
    let start = position
    var value: Int64 = 0
    while true {
      let word = TextWord(self, from: position)
      let digits = word.digitCount
      guard position - start + digits <= 18 else { return nil }
      if digits > 0 {
        // Wrapping for speed: 18 digits do not overflow.
        value = value &* TextWord.power(ofTen: digits) &+ word.number(digits: digits)
        position += digits
      }
      if digits < 8 { return position > start ? value : nil }
    }
  }

  /// Takes the digits at a position, as many as fit a number; nil if there is none, or if they don't.
  @inlinable package func wholeNumber(_ position: inout Int) -> Int64? {
    var end = position
    if let value = number(&end) {
      position = end
      return value
    }
    return widestNumber(&position)
  }

  /// Takes digits as ``wholeNumber(_:)`` does, one by one.
  @usableFromInline func widestNumber(_ position: inout Int) -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < count, self[position] >= 0x30, self[position] <= 0x39 {
      guard let next = value.timesTenPlus(Int64(self[position] - 0x30)) else { return nil }
      value = next
      position += 1
    }
    return position > start ? value : nil
  }

  /// Takes the hexadecimal digits in lower case at a position; nil if there is none, or if there are
  /// more than 16.
  @inlinable package func hexadecimal(_ position: inout Int) -> UInt64? {
    let word = TextWord(self, from: position)
    let digits = word.hexadecimalCount
    if digits == 0 { return nil }
    position += digits
    let value = word.number(hexadecimal: digits)
    return digits < 8 ? value : hexadecimal(after: value, &position)
  }

  /// Takes up to 8 hexadecimal digits that follow the first 8 of a number.
  @usableFromInline func hexadecimal(after first: UInt64, _ position: inout Int) -> UInt64? {
    let word = TextWord(self, from: position)
    let digits = word.hexadecimalCount
    if digits == 0 { return first }
    position += digits
    if digits == 8, TextWord(self, from: position).hexadecimalCount > 0 { return nil }
    return first << UInt64(4 * digits) | word.number(hexadecimal: digits)
  }

  /// Takes an integer with an optional minus sign at a position.
  @inlinable package func signedNumber(_ position: inout Int) -> Int64? {
    guard position < count, self[position] == UInt8(ascii: "-") else { return number(&position) }
    position += 1
    return number(&position).map { -$0 }
  }

  /// Takes exactly so many digits at a position.
  @inlinable package func digits(_ digits: Int, _ position: inout Int) -> Int64? {
    // Readers ask for two to four.
    let word = TextWord(self, from: position)
    guard (1...8).contains(digits), word.digitCount >= digits else { return nil }
    position += digits
    return word.number(digits: digits)
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
  @usableFromInline package func lineEnd(from start: Int) -> Int? {
    unsafe withUnsafeBufferPointer { buffer -> Int? in
      guard let base = buffer.baseAddress, start < buffer.count else { return nil }
      let found = unsafe memchr(base + start, 0x0A, buffer.count - start)
      return unsafe found.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }
  }

  /// Whether the bytes begin with those of a text.
  @inlinable @inline(__always)
  package func starts(with text: StaticString) -> Bool { has(text, at: 0) }

  /// Whether a text stands at a position, which is compared by constants once this is inlined.
  @inlinable @inline(__always)
  package func has(_ text: StaticString, at position: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position >= 0, length <= count - position else { return false }
    for place in 0..<length where unsafe self[position + place] != text.utf8Start[place] {
      return false
    }
    return true
  }

  /// Where a text stands first, from a position on; nil: nowhere.
  @inlinable package func find(_ text: StaticString, from start: Int = 0) -> Int? {
    guard text.utf8CodeUnitCount > 0 else { return nil }
    var position = start
    while let found = firstIndex(of: unsafe text.utf8Start[0], from: position) {
      if has(text, at: found) { return found }
      position = found + 1
    }
    return nil
  }

  /// Whether the bytes begin with others.
  package func starts(with others: Span<UInt8>) -> Bool {
    guard others.count <= count else { return false }
    for position in 0..<others.count where self[position] != others[position] { return false }
    return true
  }

  /// Whether the bytes begin with those of a text that is not written in the source.
  @_disfavoredOverload
  @inlinable package func starts(with text: String) -> Bool { has(text, at: 0) }

  /// Whether such a text stands at a position.
  @_disfavoredOverload
  @inlinable package func has(_ text: String, at position: Int) -> Bool {
    let wanted = text.utf8.span
    guard position >= 0, wanted.count <= count - position else { return false }
    for place in 0..<wanted.count where self[position + place] != wanted[place] { return false }
    return true
  }

  /// Where such a text stands first, from a position on; nil: nowhere.
  @_disfavoredOverload
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
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }
  /// Puts a span over the first bytes, and grows if there are fewer.
  mutating func overwrite(with span: Span<UInt8>) {
    if count < span.count { append(contentsOf: repeatElement(0, count: span.count - count)) }
    unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe span.withUnsafeBufferPointer { source in
        _ = unsafe bytes.update(fromContentsOf: source)
      }
    }
  }
}
