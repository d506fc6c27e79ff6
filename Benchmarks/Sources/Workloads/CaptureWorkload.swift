import JettisonCore

/// Captures of other formats, made line by line.
enum CaptureWorkload {
  /// An allocation dump with times, as the recorder writes it.
  static func memoryReplay(lines: Int) -> [UInt8] {
    var workload = AllocationWorkload()
    var text: [UInt8] = []
    for number in 1...lines {
      let operation = workload.next()
      let address = "0x" + String(0x7F00_0000_0000 + operation.slot * 16, radix: 16)
      let time = "\(number * 800) \(number * 800 + 90)"
      switch operation.kind {
      case .free: text += "4711: free \(address) \(time)\n".utf8
      case .realloc: text += "4711: realloc \(address) \(address) \(operation.bytes) \(time)\n".utf8
      default: text += "4711: malloc \(address) \(operation.bytes) \(time)\n".utf8
      }
    }
    return text
  }

  /// A raw heaptrack data file, whose recorder tells a new size as an end and a beginning.
  static func heaptrack(lines: Int) -> [UInt8] {
    var workload = AllocationWorkload()
    var text = Array("v 10400 3\nX ./editor\nI 1000 5e298f\n".utf8)
    for number in 1...lines {
      let operation = workload.next()
      let address = String(0x7F00_0000_0000 + operation.slot * 16, radix: 16)
      if operation.kind != .alloc { text += "- \(address)\n".utf8 }
      if operation.kind != .free {
        text += "+ \(String(operation.bytes, radix: 16)) 2c \(address)\n".utf8
      }
      if number % 3000 == 0 { text += "c \(String(number / 300, radix: 16))\n".utf8 }
    }
    return text
  }

  /// A screen-time log, newest row first.
  static func appUsage(lines: Int) -> [UInt8] {
    var generator = Generator(seed: 9)
    var text = Array("\"App name\",\"Date\",\"Time\",\"Duration\"\n".utf8)
    for number in 0..<lines {
      // A row a minute, so that the dates of 28 days are enough for any length.
      let minute = 1_439 - number % 1_440
      let day = 28 - number / 1_440 % 28
      let month = 12 - number / 40_320 % 12
      let year = 99 - number / 483_840
      let label = generator.next(below: 4) == 0 ? "Screen on (unlocked)" : "App \(number % 30)"
      text += "\"\(label)\",\"\(month)/\(day)/\(two(year))\",".utf8
      text += "\"\(two(minute / 60)):\(two(minute % 60)):00\",\"0:00:40\"\n".utf8
    }
    return text
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
