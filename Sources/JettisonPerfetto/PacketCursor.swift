/// Cuts a Perfetto trace into its packets.
///
/// A trace is nothing but a repeated field, so that its packets can be framed by hand: none but the
/// one at hand is decoded, and damage to one does not cost the others. After damage the cursor goes
/// on at the next bytes that look like two packets in a row.
package struct PacketCursor {
  /// What the cursor met.
  package enum Step: Equatable, Sendable {
    /// The bytes of a packet, and where its frame begins.
    case packet(Range<Int>, at: Int)
    /// Bytes that belong to no packet.
    case damage(Range<Int>)
    /// A packet whose end is missing, at the end of the trace.
    case cutShort(Range<Int>)
  }

  /// First byte of every packet: field 1, bytes of a given length.
  private static let tag: UInt8 = 0x0A
  /// More fields than any packet has of its own.
  ///
  /// A candidate is believed after them, so that the search for the next packet takes time in
  /// proportion to the bytes searched.
  private static let believedFields = 64

  private var position = 0

  /// Begins at the first byte.
  package init() {}

  /// What comes next; nil at the end.
  package mutating func next(_ bytes: Span<UInt8>) -> Step? {
    guard position < bytes.count else { return nil }
    let start = position
    // A length that was changed leads into another packet: what it spans is no message.
    if let packet = Self.packet(at: start, bytes), Self.isMessage(packet, bytes) {
      position = packet.upperBound
      return .packet(packet, at: start)
    }
    while position < bytes.count {
      position += 1
      if Self.beginsPackets(at: position, bytes) { return .damage(start..<position) }
    }
    return bytes[start] == Self.tag ? .cutShort(start..<position) : .damage(start..<position)
  }

  /// Whether an input begins like a trace: packets from the first byte on, of
  /// which the first names its sequence, its user or its time.
  package static func isTrace(_ prefix: Span<UInt8>) -> Bool {
    guard let first = packet(at: 0, prefix), isPacket(first, prefix) else { return false }
    return first.upperBound == prefix.count || prefix[first.upperBound] == tag
  }

  /// Whether there is a packet among the first bytes of an input, perhaps after damage, or one that
  /// goes on behind them.
  package static func hasPacket(_ prefix: Span<UInt8>) -> Bool {
    var cursor = PacketCursor()
    while let step = cursor.next(prefix) {
      if case .damage = step { continue }
      return true
    }
    return false
  }

  /// The packet that begins at a byte; nil if none does, or not the whole of one.
  private static func packet(at start: Int, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard start < bytes.count, bytes[start] == tag else { return nil }
    var fields = ProtoFields(start..<bytes.count)
    return fields.next(bytes)?.range
  }

  /// Whether two whole packets, or one and the end, begin at a byte.
  private static func beginsPackets(at start: Int, _ bytes: Span<UInt8>) -> Bool {
    guard let first = packet(at: start, bytes), isPacket(first, bytes) else { return false }
    if first.upperBound == bytes.count { return true }
    guard let second = packet(at: first.upperBound, bytes) else { return false }
    return isPacket(second, bytes)
  }

  private static func isMessage(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    var fields = ProtoFields(range)
    var count = 0
    while count < believedFields, fields.next(bytes) != nil { count += 1 }
    return !fields.isDamaged
  }

  /// Whether a message names its writer, its user or its time, as packets do; messages inside of
  /// packets may look like packets otherwise.
  private static func isPacket(_ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    var fields = ProtoFields(range)
    var count = 0
    var isNamed = false
    while count < believedFields, let field = fields.next(bytes) {
      count += 1
      // trusted_uid, timestamp, trusted_packet_sequence_id
      if [3, 8, 10].contains(field.number), field.range.isEmpty { isNamed = true }
    }
    return isNamed && !fields.isDamaged
  }
}
