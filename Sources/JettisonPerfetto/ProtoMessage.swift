/// A message of which some fields are read.
///
/// A type has a property for each field that it reads, and says in ``read(_:from:)`` which number
/// belongs to which property:
///
///     package struct Clock: ProtoMessage {
///       package var clockID: UInt32 = 0
///       package var timestamp: UInt64?
///
///       package init() {}
///
///       package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) {
///         switch field.number {
///         case 1: field.read(into: &clockID)
///         case 2: field.read(into: &timestamp)
///         default: break
///         }
///       }
///     }
///
/// As with every decoder, fields that are not named are skipped, and so are named ones that are
/// written as something else; of several the last one counts, or all if the property is an array.
package protocol ProtoMessage: Sendable {
  /// A message without fields.
  init()

  /// Reads one field, or passes it over.
  mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage)
}

/// Bytes are not what their place says: a message that is cut short, text that is not UTF-8.
package struct ProtoDamage: Error {}

extension ProtoMessage {
  /// Decodes a message that is a part of some bytes; nil if it is damaged.
  package init?(_ range: Range<Int>, from bytes: Span<UInt8>) {
    self.init()
    do throws(ProtoDamage) { try merge(range, from: bytes) } catch { return nil }
  }

  /// Reads the fields of an encoded message.
  fileprivate mutating func merge(
    _ range: Range<Int>, from bytes: Span<UInt8>
  ) throws(ProtoDamage) {
    var fields = ProtoFields(range, groupDepth: 15)
    while let field = fields.next(bytes) { try read(field, from: bytes) }
    if fields.isDamaged { throw ProtoDamage() }
  }
}

// MARK: - Values

extension ProtoField {
  /// Reads a whole number, of which the lowest bits are kept.
  func read(into number: inout some FixedWidthInteger) {
    if wireType == .varint { number = .init(truncatingIfNeeded: value) }
  }

  /// Reads a whole number, of which the lowest bits are kept.
  func read<Number: FixedWidthInteger>(into number: inout Number?) {
    if wireType == .varint { number = Number(truncatingIfNeeded: value) }
  }

  /// Reads a number that stands for a case; others are skipped.
  func read<Case: RawRepresentable<Int32>>(into value: inout Case) {
    var number: Int32?
    read(into: &number)
    value = number.flatMap(Case.init) ?? value
  }

  /// Reads text.
  func read(into text: inout String, from bytes: Span<UInt8>) throws(ProtoDamage) {
    if wireType == .bytes { text = try self.text(from: bytes) }
  }

  /// Reads one of many texts.
  func read(into texts: inout [String], from bytes: Span<UInt8>) throws(ProtoDamage) {
    if wireType == .bytes { texts.append(try text(from: bytes)) }
  }

  func text(from bytes: Span<UInt8>) throws(ProtoDamage) -> String {
    guard let text = try? UTF8Span(validating: bytes.extracting(range)) else {
      throw ProtoDamage()
    }
    return String(copying: text)
  }

  /// Reads one of many messages.
  func read<Message: ProtoMessage>(
    into messages: inout [Message], from bytes: Span<UInt8>
  ) throws(ProtoDamage) {
    guard wireType == .bytes else { return }
    var message = Message()
    try message.merge(range, from: bytes)
    messages.append(message)
  }

  /// Reads a message; several messages merge into one.
  func read<Message: ProtoMessage>(
    into message: inout Message?, from bytes: Span<UInt8>
  ) throws(ProtoDamage) {
    guard wireType == .bytes else { return }
    var merged = message ?? Message()
    try merged.merge(range, from: bytes)
    message = merged
  }
}
