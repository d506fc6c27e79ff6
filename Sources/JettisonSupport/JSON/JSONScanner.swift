/// Reads JSON token by token, without making anything of it.
///
/// Captures are cut and damaged. Libraries refuse such a text as a whole; this scanner hands out
/// everything before the damage, with line numbers, in memory that does not depend on the input.
/// Several values may follow each other, as in a report that begins with a line of its own.
package struct JSONScanner {
  /// What stands next.
  ///
  /// Ranges are positions of the bytes, without quotation marks.
  package enum Token: Equatable {
    case beginObject, endObject, beginArray, endArray
    case key(Range<Int>)
    case string(Range<Int>)
    case number(Range<Int>)
    /// `true`, `false` or `null`.
    case word(Range<Int>)
    /// Nothing follows, and nothing is open.
    case end
  }

  /// Why a text cannot be read on.
  package enum Damage: Error, Equatable {
    /// It ends in the middle of a value.
    case cut
    /// This is not JSON.
    case broken
    /// Values are nested deeper than ``JSONScanner/maximumDepth``.
    case deep
  }

  /// Deeper values are refused; the captures that are read have four levels.
  package static let maximumDepth = 64

  private enum Expected {
    case value, valueOrEnd, keyOrEnd, key, commaOrEnd
  }

  /// Line of the token that was read last, from 1.
  package private(set) var line = 1
  /// Number of open objects and arrays.
  package private(set) var depth = 0
  private var position = 0
  private var lineStart = 0
  private var expected = Expected.value
  /// Which of the open values are arrays: bit 0 is the outermost.
  private var arrays: UInt64 = 0

  /// Begins a text.
  package init() {}

  private var isInArray: Bool { depth > 0 && arrays >> UInt64(depth - 1) & 1 == 1 }

  /// Reads the next token.
  package mutating func next(_ bytes: Span<UInt8>) throws(Damage) -> Token {
    while true {
      skipSpace(bytes)
      guard position < bytes.count else {
        if depth == 0 { return .end }
        throw .cut
      }
      let byte = bytes[position]
      switch (expected, byte) {
      case (.commaOrEnd, UInt8(ascii: ",")):
        position += 1
        expected = isInArray ? .value : .key
      case (.commaOrEnd, UInt8(ascii: "}")), (.keyOrEnd, UInt8(ascii: "}")):
        return try close(isArray: false)
      case (.commaOrEnd, UInt8(ascii: "]")), (.valueOrEnd, UInt8(ascii: "]")):
        return try close(isArray: true)
      case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")): return try key(bytes)
      case (.value, _), (.valueOrEnd, _): return try value(byte, bytes)
      default: throw .broken
      }
    }
  }

  /// Passes over the value that comes next.
  package mutating func skipValue(_ bytes: Span<UInt8>) throws(Damage) {
    let before = depth
    repeat {
      if try next(bytes) == .end { throw .cut }
    } while depth > before
  }

  /// Where reading stopped in the line, in characters from 1: after ``Damage``, at what is wrong.
  package func column(_ bytes: Span<UInt8>) -> Int {
    let before = bytes.extracting(lineStart..<min(position, bytes.count))
    return 1 + before.indices.count { before[$0] & 0xC0 != 0x80 }
  }

  private mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x0A:
        line += 1
        lineStart = position + 1
      case 0x20, 0x09, 0x0D: break
      default: return
      }
      position += 1
    }
  }

  private mutating func close(isArray: Bool) throws(Damage) -> Token {
    guard depth > 0, isInArray == isArray else { throw .broken }
    position += 1
    depth -= 1
    arrays &= ~(1 << UInt64(depth))
    expected = depth == 0 ? .value : .commaOrEnd
    return isArray ? .endArray : .endObject
  }

  private mutating func open(isArray: Bool) throws(Damage) -> Token {
    guard depth < Self.maximumDepth else { throw .deep }
    position += 1
    if isArray { arrays |= 1 << UInt64(depth) }
    depth += 1
    expected = isArray ? .valueOrEnd : .keyOrEnd
    return isArray ? .beginArray : .beginObject
  }

  private mutating func key(_ bytes: Span<UInt8>) throws(Damage) -> Token {
    let range = try string(bytes)
    skipSpace(bytes)
    guard position < bytes.count else { throw .cut }
    guard bytes[position] == UInt8(ascii: ":") else { throw .broken }
    position += 1
    expected = .value
    return .key(range)
  }

  private mutating func value(_ byte: UInt8, _ bytes: Span<UInt8>) throws(Damage) -> Token {
    switch byte {
    case UInt8(ascii: "{"): return try open(isArray: false)
    case UInt8(ascii: "["): return try open(isArray: true)
    default: break
    }
    let token: Token
    switch byte {
    case UInt8(ascii: "\""): token = .string(try string(bytes))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      token = .number(try run(bytes) { Self.isOfNumber($0) })
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      let range = try run(bytes) { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      let text = bytes.extracting(range)
      guard ["true", "false", "null"].contains(where: { text.equals($0) }) else {
        position = range.lowerBound
        throw .broken
      }
      token = .word(range)
    default: throw .broken
    }
    expected = depth == 0 ? .value : .commaOrEnd
    return token
  }

  /// The bytes from here that belong together; at the end of the text there may have been more.
  private mutating func run(
    _ bytes: Span<UInt8>, while isPart: (UInt8) -> Bool
  ) throws(Damage) -> Range<Int> {
    let start = position
    while position < bytes.count, isPart(bytes[position]) { position += 1 }
    if position == bytes.count, depth > 0 { throw .cut }
    return start..<position
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func string(_ bytes: Span<UInt8>) throws(Damage) -> Range<Int> {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return start..<position - 1
      case UInt8(ascii: "\\"): position += 2
      case 0..<0x20: throw .broken
      default: position += 1
      }
    }
    throw .cut
  }
}

// MARK: - What tokens say

extension JSONScanner {
  /// The text of a string, with its escapes resolved; what is no UTF-8 is replaced.
  package static func text(_ range: Range<Int>, _ bytes: Span<UInt8>) -> String {
    var units: [UInt8] = []
    units.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "\\"), position < range.upperBound else {
        units.append(byte)
        continue
      }
      let escape = bytes[position]
      position += 1
      switch escape {
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "u"):
        let scalar = Self.scalar(&position, range.upperBound, bytes)
        units += Array(String(Character(scalar)).utf8)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF8.self)
  }

  /// A whole number; nil for any other.
  package static func integer(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Int64? {
    guard range.count <= 20 else { return nil }
    return Quantity.integer(
      String(decoding: Array(span: bytes.extracting(range)), as: UTF8.self))
  }

  /// The character of `\uXXXX`, or of two of them that belong together.
  private static func scalar(
    _ position: inout Int, _ end: Int, _ bytes: Span<UInt8>
  ) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    guard let high = unit(position, end, bytes) else { return replacement }
    position += 4
    guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) ?? replacement }
    guard position + 1 < end, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u"), let low = unit(position + 2, end, bytes),
      (0xDC00..<0xE000).contains(low)
    else { return replacement }
    position += 6
    return Unicode.Scalar(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? replacement
  }

  private static func unit(_ position: Int, _ end: Int, _ bytes: Span<UInt8>) -> UInt32? {
    guard position + 4 <= end else { return nil }
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position + offset])).hexDigitValue else {
        return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

extension Span where Element == UInt8 {
  /// Whether the bytes equal a text.
  package func equals(_ text: String) -> Bool {
    count == text.utf8.count && starts(with: text)
  }
}
