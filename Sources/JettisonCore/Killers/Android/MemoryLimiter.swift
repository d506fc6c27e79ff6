/// Android 17's Memory Limiter: what it goes by on one device.
///
/// It runs beside lmkd. Each process has limits of its own, whatever the device has left. Above its
/// limit the kernel takes pages from a process; only one that holds more than both limits together,
/// swapped or not, is ended. Rules and assumptions: <doc:AndroidModel#Memory-Limiter>.
///
/// Source: `MemoryLimiter.java`, `com_android_server_am_MemoryLimiter.cpp` and their description in
/// the Android Open Source Project.
package struct MemoryLimiter: BitwiseCopyable, Sendable {
  /// Processes of users below this number belong to the system and have no limits.
  static let firstAppUserID: Int32 = 10_000

  /// Limits of visible processes.
  package let visible: MemoryLimit
  /// Limits of others that are not cached.
  package let notVisible: MemoryLimit
  /// Time between two polls of a process that was over its limit, in nanoseconds.
  package let pollNanoseconds: Int64
  /// From the poll that finds a process too large to its end, in nanoseconds.
  package let graceNanoseconds: Int64
  /// By how much `memory.high` is raised for a process that was over it, in bytes.
  let raiseBytes: Int64
  /// How far below `memory.high` a process is no longer polled, in bytes.
  let marginBytes: Int64

  /// The limiter of a device; nil: it is off there.
  init?(_ device: Device) {
    let parameters = device.pressureParameters.android
    guard parameters.usesMemoryLimiter ?? (device.releaseLevel >= 37),
      device.ramBytes >= parameters.limiterMinimumRAMBytes,
      let limits = parameters.memoryLimits.limits(ramBytes: device.ramBytes)
    else { return nil }
    visible = limits.visible
    notVisible = limits.notVisible
    // Android polls no more often, so that polls take no time worth speaking of.
    pollNanoseconds = max(1_000_000_000, parameters.limiterPollNanoseconds)
    graceNanoseconds = max(0, parameters.limiterGraceNanoseconds)
    raiseBytes = max(0, parameters.limiterRaiseBytes)
    marginBytes = max(0, parameters.limiterMarginBytes)
  }
}

/// One process under the Memory Limiter.
struct LimitedProcess: BitwiseCopyable, Sendable {
  /// How the limiter watches it.
  enum Zone: UInt8, BitwiseCopyable, Sendable {
    /// The kernel tells when it passes `memory.high`.
    case green
    /// It did: now it is polled again and again.
    case red
    /// It held too much and will be ended, whatever it frees; its limits are lifted.
    case hot
    /// Its time is over.
    case due
  }

  /// Its limits as configured.
  private(set) var limit = MemoryLimit.none
  private(set) var limitClass = LimitClass.untouched
  private(set) var zone = Zone.green
  /// Something changed by which it may be over its limit.
  var isTouched = false
  /// What the kernel has taken from it for its limit, in bytes.
  private(set) var reclaimedBytes: Int64 = 0
  /// What it held when it was last polled, in bytes.
  private var seenBytes: Int64 = 0

  /// Its process state is another one.
  mutating func enter(_ limitClass: LimitClass, _ limiter: MemoryLimiter) {
    self.limitClass = limitClass
    switch limitClass {
    case .untouched: break
    case .unlimited: limit = .none
    case .visible: limit = limiter.visible
    case .notVisible: limit = limiter.notVisible
    case .cached: limit.swapBytes = .max
    }
  }

  // MARK: Limits in force

  /// `memory.high` as it is in force, in bytes.
  func highBytes(_ limiter: MemoryLimiter) -> Int64 {
    switch zone {
    case .green: limit.memoryBytes
    case .red: limit.memoryBytes.addingSaturated(limiter.raiseBytes)
    case .hot, .due: .max
    }
  }

  /// `memory.swap.max` as it is in force, in bytes.
  var swapMaxBytes: Int64 { zone == .hot || zone == .due ? .max : limit.swapBytes }

  /// Whether a poll of it may do anything while it holds so much, in bytes.
  func needsPoll(heldBytes: Int64, _ limiter: MemoryLimiter) -> Bool {
    heldBytes > highBytes(limiter) || reclaimedBytes > 0
  }

  /// The kernel takes what is above `memory.high`, as far as it may be swapped, or gives it back.
  ///
  /// - Returns: What the process has freed since the last poll, in bytes: that need not be read back.
  mutating func reclaim(heldBytes: Int64, _ limiter: MemoryLimiter) -> Int64 {
    let freed = max(0, seenBytes - heldBytes)
    seenBytes = heldBytes
    reclaimedBytes = max(0, min(heldBytes - highBytes(limiter), swapMaxBytes))
    return freed
  }

  // MARK: Zones

  /// Whether the kernel tells that a process that runs passes `memory.high`.
  mutating func passesHigh(heldBytes: Int64, runs: Bool) -> Bool {
    guard zone == .green, runs, heldBytes > limit.memoryBytes else { return false }
    zone = .red
    return true
  }

  /// Polls a process in the red zone, by what it holds, swapped or not, in bytes.
  mutating func poll(heldBytes: Int64, _ limiter: MemoryLimiter) {
    assert(zone == .red, "only the red zone is polled")
    if heldBytes > limit.bothBytes {
      zone = .hot
    } else if heldBytes < limit.memoryBytes - limiter.marginBytes {
      zone = .green
    }
  }

  /// The time between the poll that found it too large and its end is over.
  mutating func expire() { zone = .due }
}
