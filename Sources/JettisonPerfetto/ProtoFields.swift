/// One field of an encoded message.
package struct ProtoField: Equatable, Sendable {
  /// How a value is written, which the lowest three bits of a tag tell.
  package enum WireType: UInt8, Sendable {
    case varint = 0
    case fixed64 = 1
    /// A string, a message, or several numbers.
    case bytes = 2
    case group = 3
    case fixed32 = 5
  }

  /// The field's number, at least 1.
  package let number: Int
  /// How the value is written, whatever a schema says of the field.
  package let wireType: WireType
  /// The value of a number of variable length; otherwise 0.
  package let value: UInt64
  /// Where the value's bytes are; of a number of variable length, the empty place behind it.
  package let range: Range<Int>
}

/// Walks the fields of an encoded message without decoding them.
///
/// No input traps.
package struct ProtoFields {
  /// Where the next field begins; after damage, where the damaged field begins.
  package private(set) var position: Int
  /// Whether the walk ended because the bytes are no field.
  package private(set) var isDamaged = false
  private let end: Int
  private let groupDepth: Int

  /// Prepares a walk over a part of some bytes.
  ///
  /// - Parameter groupDepth: How deep groups may be nested; 0: a group is damage. Perfetto writes
  ///   none.
  package init(_ range: Range<Int>, groupDepth: Int = 0) {
    position = range.lowerBound
    end = range.upperBound
    self.groupDepth = groupDepth
  }

  /// The next field; nil at the end and at damage.
  ///
  /// Complexity: O(1); of a group, its length.
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
    // A tag has 32 bits, and no zeros in front of them.
    guard let tag = varint(bytes, at: position), tag.value < 1 << 32, tag.end - position <= 5,
      tag.value >> 3 >= 1, let type = ProtoField.WireType(rawValue: UInt8(tag.value & 7))
    else { return nil }
    let start = tag.end
    var value: UInt64 = 0
    var range = start..<start
    switch type {
    case .varint:
      guard let number = varint(bytes, at: start) else { return nil }
      value = number.value
      range = number.end..<number.end
    case .fixed64, .fixed32:
      let count = type == .fixed64 ? 8 : 4
      guard end - start >= count else { return nil }
      range = start..<start + count
    case .bytes:
      guard let length = varint(bytes, at: start), length.value <= UInt64(end - length.end) else {
        return nil
      }
      range = length.end..<length.end + Int(length.value)
    case .group:
      guard let last = endOfGroup(bytes, at: start, tag: tag.value) else { return nil }
      range = start..<last
    }
    return ProtoField(number: Int(tag.value >> 3), wireType: type, value: value, range: range)
  }

  /// Where a group ends, its last tag included; nil if it does not.
  private func endOfGroup(_ bytes: Span<UInt8>, at start: Int, tag: UInt64) -> Int? {
    guard groupDepth > 0 else { return nil }
    var fields = ProtoFields(start..<end, groupDepth: groupDepth - 1)
    while fields.next(bytes) != nil {}
    // The tag that ends a group is no field: the walk stops there.
    guard let last = varint(bytes, at: fields.position), last.value == tag + 1 else { return nil }
    return last.end
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
