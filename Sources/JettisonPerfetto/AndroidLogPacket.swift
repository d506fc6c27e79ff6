/// Events of Android's log.
package struct AndroidLogPacket: ProtoMessage {
  package struct LogEvent: ProtoMessage {
    package struct Arg: ProtoMessage {
      package enum Value: Sendable {
        case intValue(Int64)
        /// Nothing reads what it is.
        case floatValue
        case stringValue(String)
      }

      package var name = ""
      package var value: Value?

      package init() {}

      package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
        switch (field.number, field.wireType) {
        case (1, _): try field.read(into: &name, from: bytes)
        case (2, .varint): value = .intValue(Int64(truncatingIfNeeded: field.value))
        case (3, .fixed32): value = .floatValue
        case (4, .bytes): value = .stringValue(try field.text(from: bytes))
        default: break
        }
      }
    }

    package var pid: Int32 = 0
    package var timestamp: UInt64 = 0
    package var tag = ""
    package var args: [Arg] = []

    package init() {}

    package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
      switch field.number {
      case 2: field.read(into: &pid)
      case 5: field.read(into: &timestamp)
      case 6: try field.read(into: &tag, from: bytes)
      case 9: try field.read(into: &args, from: bytes)
      default: break
      }
    }
  }

  package var events: [LogEvent] = []

  package init() {}

  package mutating func read(_ field: ProtoField, from bytes: Span<UInt8>) throws(ProtoDamage) {
    if field.number == 1 { try field.read(into: &events, from: bytes) }
  }
}
