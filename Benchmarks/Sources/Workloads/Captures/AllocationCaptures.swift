import JettisonCore

/// Captures of one program's allocations, made line by line.
enum AllocationCaptures {
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

  /// A trace of the malloc lab, whose header says how many ids and operations follow.
  static func mallocRep(lines: Int) -> [UInt8] {
    var workload = AllocationWorkload()
    var operations: [UInt8] = []
    for _ in 1...lines {
      let operation = workload.next()
      switch operation.kind {
      case .free: operations += "f \(operation.slot)\n".utf8
      case .realloc: operations += "r \(operation.slot) \(operation.bytes)\n".utf8
      default: operations += "a \(operation.slot) \(operation.bytes)\n".utf8
      }
    }
    return Array("20000\n\(workload.slotCount)\n\(lines)\n1\n".utf8) + operations
  }
}
