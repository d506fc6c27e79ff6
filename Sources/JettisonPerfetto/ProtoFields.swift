/// One field of an encoded message.
package struct ProtoField: Equatable, Sendable {
  /// The field's number, at least 1.
  package let number: Int
  /// The value of a number; 0 for bytes.
  package let value: UInt64
  /// Where the bytes of a string, a message or a fixed number are.
  package let range: Range<Int>
}

/// Walks the fields of an encoded message without decoding them.
///
/// Perfetto writes no groups, so that a group counts as damage. No input traps.
package struct ProtoFields {
  /// Where the next field begins; after damage, where the damaged field begins.
  package private(set) var position: Int
  /// Whether the walk ended because the bytes are no field.
  package private(set) var isDamaged = false
  private let end: Int

  /// Prepares a walk over a part of some bytes.
  package init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next field; nil at the end and at damage.
  ///
  /// Complexity: O(1).
  package mutating func next(_ bytes: Span<UInt8>) -> ProtoField? {
    guard !isDamaged, position < end else { return nil }
    guard let field = field(bytes) else {
      isDamaged = true
      return nil
    }
    position = field.range.upperBound
    return field
  }

  private func field(_ bytes: Span<UInt8>) -> ProtoField? {
    guard let tag = varint(bytes, at: position), tag.value >> 3 >= 1, tag.value >> 3 < 1 << 29
    else { return nil }
    let number = Int(tag.value >> 3)
    let start = tag.end
    switch tag.value & 7 {
    case 0:
      guard let number0 = varint(bytes, at: start) else { return nil }
      return ProtoField(number: number, value: number0.value, range: number0.end..<number0.end)
    case 1:
      guard end - start >= 8 else { return nil }
      return ProtoField(number: number, value: 0, range: start..<start + 8)
    case 2:
      guard let length = varint(bytes, at: start), length.value <= UInt64(end - length.end) else {
        return nil
      }
      let last = length.end + Int(length.value)
      return ProtoField(number: number, value: 0, range: length.end..<last)
    case 5:
      guard end - start >= 4 else { return nil }
      return ProtoField(number: number, value: 0, range: start..<start + 4)
    default:
      return nil
    }
  }

  /// A variable-length number of at most ten bytes; nil if it does not end before the message.
  private func varint(_ bytes: Span<UInt8>, at start: Int) -> (value: UInt64, end: Int)? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var position = start
    while position < end, shift < 70 {
      let byte = bytes[position]
      position += 1
      // Bits beyond the 64th are dropped, as every decoder does.
      value |= shift < 64 ? UInt64(byte & 0x7F) << shift : 0
      if byte < 0x80 { return (value, position) }
      shift += 7
    }
    return nil
  }
}
