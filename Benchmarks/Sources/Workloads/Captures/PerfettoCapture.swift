/// A Perfetto trace, made packet by packet.
///
/// Field numbers are those of protos/perfetto in github.com/google/perfetto.
enum PerfettoCapture {
  private static let processes = 50
  private static let second = 1_000_000_000

  /// Polls of fifty processes, and bundles of events of the kernel; `lines` counts both's rows.
  static func trace(lines: Int) -> [UInt8] {
    var trace: [UInt8] = []
    add(clocks, to: &trace)
    add(tree, to: &trace)
    for poll in 1...max(1, lines / processes / 2) {
      add(stats(poll), to: &trace)
      add(events(poll), to: &trace)
    }
    return trace
  }

  private static func add(_ packet: Message, to trace: inout [UInt8]) {
    var frame = Message()
    var named = packet
    named.add(10, 1)
    frame.add(1, named)
    trace += frame.bytes
  }

  /// The clocks since boot and of the wall, 1000 s after the start.
  private static var clocks: Message {
    var snapshot = Message()
    for (clock, seconds) in [(6, 1000), (1, 1_600_001_000), (3, 1000)] {
      var reading = Message()
      reading.add(1, clock)
      reading.add(2, seconds * second)
      snapshot.add(1, reading)
    }
    var packet = Message()
    packet.add(6, snapshot)
    return packet
  }

  /// Names of processes.
  private static var tree: Message {
    var tree = Message()
    for number in 0..<processes {
      var process = Message()
      process.add(1, 1000 + number)
      process.add(2, 1)
      process.add(3, "com.example.app\(number)")
      tree.add(1, process)
    }
    var packet = Message()
    packet.add(8, 1000 * second)
    packet.add(2, tree)
    return packet
  }

  /// Memory and ranks of all processes.
  private static func stats(_ poll: Int) -> Message {
    var stats = Message()
    for number in 0..<processes {
      var process = Message()
      process.add(1, 1000 + number)
      process.add(4, 40_000 + (poll * 7 + number * 13) % 5000)
      process.add(6, 512)
      process.add(10, number == poll % processes ? 0 : 900)
      stats.add(1, process)
    }
    var packet = Message()
    packet.add(8, (1000 + poll * 2) * second)
    packet.add(9, stats)
    return packet
  }

  /// Memory that grows page by page, and ranks that change.
  private static func events(_ poll: Int) -> Message {
    var bundle = Message()
    bundle.add(1, 0)
    for number in 0..<processes {
      var fields = Message()
      let isRank = number % 10 == 0
      if isRank {
        fields.add(2, number == poll % processes ? 0 : 900)
        fields.add(3, 1000 + number)
      } else {
        fields.add(1, 1)
        fields.add(2, (40_000 + poll % 900 * 4) * 1024)
        fields.add(3, 1)
        fields.add(4, number)
      }
      var event = Message()
      event.add(1, (1000 + poll * 2) * second + number * 1_000_000)
      event.add(2, 1000 + number)
      event.add(isRank ? 326 : 313, fields)
      bundle.add(2, event)
    }
    var packet = Message()
    packet.add(1, bundle)
    return packet
  }
}

/// A message of protocol buffers, field by field.
private struct Message {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ field: Int, _ value: Int) {
    addNumber(UInt64(field) << 3)
    addNumber(UInt64(value))
  }

  mutating func add(_ field: Int, _ message: Message) { add(field, message.bytes) }
  mutating func add(_ field: Int, _ text: String) { add(field, Array(text.utf8)) }

  private mutating func add(_ field: Int, _ content: [UInt8]) {
    addNumber(UInt64(field) << 3 | 2)
    addNumber(UInt64(content.count))
    bytes += content
  }

  private mutating func addNumber(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
