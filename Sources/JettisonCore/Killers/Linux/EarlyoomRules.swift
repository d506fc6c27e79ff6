/// When earlyoom acts, how long it sleeps and whom it prefers (<doc:LinuxModels#earlyoom>).
package struct EarlyoomRules: Sendable {
  /// What a poll of memory calls for.
  enum Level: Sendable {
    case none, term, kill
  }

  /// What a poll of memory reads, in bytes.
  struct Memory: BitwiseCopyable, Sendable {
    var availableBytes: Int64
    var anonymousBytes: Int64
    var swapTotalBytes: Int64
    var swapFreeBytes: Int64

    /// `MemAvailable + AnonPages`: what user space can have.
    var userTotalBytes: Int64 { availableBytes + anonymousBytes }

    var availablePercent: Double {
      userTotalBytes > 0 ? 100 * Double(availableBytes) / Double(userTotalBytes) : 0
    }

    /// 0 without swap: then memory alone decides.
    var swapFreePercent: Double {
      swapTotalBytes > 0 ? 100 * Double(swapFreeBytes) / Double(swapTotalBytes) : 0
    }
  }

  /// What `--prefer` adds to an `oom_score`, and `--avoid` takes off.
  package static let preferenceScore: Int64 = 300
  /// The same where resident sets are compared, in bytes: 3 GiB.
  package static let preferenceBytes: Int64 = 3_145_728 * 1024
  /// Shortest and longest sleep, in milliseconds.
  static let sleepMilliseconds: ClosedRange<Int64> = 100...1000
  /// Fastest fill that is expected, in KiB per millisecond.
  private static let memoryFillRate: Int64 = 6000
  private static let swapFillRate: Int64 = 800

  let parameters: EarlyoomParameters

  /// Both memory and swap must be low.
  func level(_ memory: Memory) -> Level {
    let (available, free) = (memory.availablePercent, memory.swapFreePercent)
    let killMemory = parameters.killMemoryPercent ?? parameters.termMemoryPercent / 2
    let killSwap = parameters.killSwapPercent ?? parameters.termSwapPercent / 2
    if available <= killMemory, free <= killSwap { return .kill }
    if available <= parameters.termMemoryPercent, free <= parameters.termSwapPercent {
      return .term
    }
    return .none
  }

  /// How long until the next poll, in milliseconds: as long as the headroom could last.
  func sleepMilliseconds(_ memory: Memory) -> Int64 {
    Self.sleepMilliseconds(
      memoryHeadroomKiB: Self.headroom(
        memory.availablePercent - parameters.termMemoryPercent, of: memory.userTotalBytes),
      swapHeadroomKiB: Self.headroom(
        memory.swapFreePercent - parameters.termSwapPercent, of: memory.swapTotalBytes))
  }

  static func sleepMilliseconds(memoryHeadroomKiB: Int64, swapHeadroomKiB: Int64) -> Int64 {
    let lasts = memoryHeadroomKiB / memoryFillRate + swapHeadroomKiB / swapFillRate
    return min(sleepMilliseconds.upperBound, max(sleepMilliseconds.lowerBound, lasts))
  }

  private static func headroom(_ percent: Double, of bytes: Int64) -> Int64 {
    max(0, Int64((percent * Double(bytes / 1024) / 100).rounded(.towardZero)))
  }
}

/// What earlyoom knows of a process.
package struct EarlyoomProcess: BitwiseCopyable, Sendable {
  /// `oom_score`, corrected by preference.
  var score: Int64
  /// Resident set in bytes, corrected by preference where it is what is compared.
  var residentBytes: Int64

  package init(score: Int64, residentBytes: Int64) {
    self.score = score
    self.residentBytes = residentBytes
  }

  /// Whether this one is the better victim; of two that are equal in everything neither is.
  ///
  /// A process with an empty resident set (its main thread is a zombie) is always compared by
  /// `oom_score`.
  package func isPreferred(to other: EarlyoomProcess, byRSS: Bool) -> Bool {
    let comparesRSS = byRSS && residentBytes != 0 && other.residentBytes != 0
    if comparesRSS, residentBytes != other.residentBytes {
      return residentBytes > other.residentBytes
    }
    if score != other.score { return score > other.score }
    return residentBytes > other.residentBytes
  }
}
