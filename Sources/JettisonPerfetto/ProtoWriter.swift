/// Encodes messages, field by field.
///
/// Nothing is checked against a schema: the caller knows number and type of each field.
package struct ProtoWriter {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Forgets what was written, and keeps the room for more.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// A whole number; negative ones are written as `int32` and `int64`.
  package mutating func add(_ field: Int, _ value: some BinaryInteger) {
    appendTag(field, .varint)
    appendVarint(UInt64(truncatingIfNeeded: value))
  }

  /// A number of eight bytes, `fixed64`.
  package mutating func add(_ field: Int, fixed value: UInt64) {
    appendTag(field, .fixed64)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// A number of type `double`.
  package mutating func add(_ field: Int, double value: Double) {
    add(field, fixed: value.bitPattern)
  }

  /// A text.
  package mutating func add(_ field: Int, text: String) {
    appendTag(field, .bytes)
    appendVarint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// A message that is encoded already.
  package mutating func add(_ field: Int, encoded message: borrowing ProtoWriter) {
    appendTag(field, .bytes)
    appendVarint(UInt64(message.bytes.count))
    bytes.append(contentsOf: message.bytes)
  }

  /// A message, whose fields `body` writes.
  ///
  /// - Complexity: O(length): its length is put in front of it at the end.
  package mutating func add(_ field: Int, _ body: (inout ProtoWriter) -> Void) {
    appendTag(field, .bytes)
    let start = bytes.count
    body(&self)
    let length = bytes.count - start
    // Nearly all messages are shorter than what one byte can tell.
    if length < 0x80 {
      bytes.insert(UInt8(length), at: start)
    } else {
      var prefix = ProtoWriter()
      prefix.appendVarint(UInt64(length))
      bytes.insert(contentsOf: prefix.bytes, at: start)
    }
  }

  private mutating func appendTag(_ field: Int, _ type: ProtoField.WireType) {
    appendVarint(UInt64(field) << 3 | UInt64(type.rawValue))
  }

  private mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
