internal import JettisonSupport

/// Figures of `/proc/meminfo` in kilobytes; nil: the sample has no such line.
struct MemoryFigures {
  private(set) var total: Int64?
  private var free: Int64?
  private var told: Int64?
  private var buffers: Int64?
  private var cached: Int64?

  /// Whether the kernel says itself how much is available: it does from Linux 3.14 on.
  var isAvailableTold: Bool { told != nil }

  /// What is available: what the kernel says, or what is free and what it would give up.
  var available: Int64? {
    told ?? free.map { $0 + (buffers ?? 0) + (cached ?? 0) }
  }

  /// Takes a line of the file; others than those that count are ignored.
  mutating func take(_ line: Span<UInt8>) {
    if line.starts(with: "MemTotal:") {
      total = Self.kilobytes(line)
    } else if line.starts(with: "MemFree:") {
      free = Self.kilobytes(line)
    } else if line.starts(with: "MemAvailable:") {
      told = Self.kilobytes(line)
    } else if line.starts(with: "Buffers:") {
      buffers = Self.kilobytes(line)
    } else if line.starts(with: "Cached:") {
      cached = Self.kilobytes(line)
    }
  }

  /// The figure of `MemTotal:  3809036 kB`.
  private static func kilobytes(_ line: Span<UInt8>) -> Int64? {
    var value: Int64?
    for position in 0..<line.count {
      let byte = line[position]
      guard (0x30...0x39).contains(byte) else {
        if value != nil { return value }
        continue
      }
      guard let next = (value ?? 0).timesTenPlus(Int64(byte - 0x30)), next < 1 << 32 else {
        return nil
      }
      value = next
    }
    return value
  }
}
