internal import SwiftProtobuf

extension PerfettoTracePacket {
  /// Appends the packet to a trace, framed.
  ///
  /// Throws only if a string of it is not UTF-8.
  package func append(to trace: inout [UInt8]) throws {
    let body: [UInt8] = try serializedBytes()
    trace.append(PacketCursor.tag)
    var length = body.count
    while length >= 0x80 {
      trace.append(UInt8(length & 0x7F | 0x80))
      length >>= 7
    }
    trace.append(UInt8(length))
    trace += body
  }
}
