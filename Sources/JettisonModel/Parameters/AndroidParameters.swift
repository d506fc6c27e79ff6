/// Parameters of `android-lmk` and `android-lmkd`.
///
/// Those of the daemon have the names of its properties (`ro.lmk.kill_timeout_ms` is
/// `lmkd.kill-timeout-ms`). What is nil follows from the device: <doc:AndroidModel#Parameters>.
public struct AndroidParameters: Sendable, Equatable {
  // MARK: The device and its memory

  /// Whether the device is a low-RAM device; nil: up to 1 GiB of RAM.
  public var isLowRAM: Bool?
  /// Pixels of the display; nil: 480 × 854 on a low-RAM device, else 1080 × 2400.
  public var displayPixels: Int?
  /// Processors that stalls are told apart on, 1 to 8.
  public var processorCount: Int = 8
  /// The least free memory, in bytes; nil: the kernel's `min_free_kbytes`.
  public var minimumFreeBytes: Int64?
  /// Bytes on top of the low and high watermarks; nil: three screens of 4 bytes a pixel.
  public var extraFreeBytes: Int64?
  /// File pages that running apps keep touching, in percent of RAM (assumed).
  public var workingSetPercent: Double = 10
  /// Pages of it that a running app touches in a second of progress (assumed).
  public var touchesPerSecond: Double = 25_000
  /// Time to read an evicted file page again, in nanoseconds (assumed).
  public var readNanoseconds: Int64 = 100_000
  /// Time in which an app reclaims a page itself, in nanoseconds (assumed).
  public var reclaimNanoseconds: Int64 = 4_000
  /// Time to swap a page in, in nanoseconds (assumed).
  public var swapInNanoseconds: Int64 = 20_000
  /// Swap, as it would be in memory, in bytes; nil: half of RAM where the device compresses, else
  /// none (assumed).
  public var swapBytes: Int64?
  /// How long a victim takes to die, in nanoseconds (assumed).
  public var deathNanoseconds: Int64 = 100_000_000

  // MARK: The framework

  /// Cached apps that the framework keeps; 0: no limit; nil: 32, from API level 34 on 1024.
  public var cachedLimit: Int?
  /// How long it keeps empty apps when there are many, in nanoseconds; nil: 30 minutes, from API
  /// level 34 on 1000 hours.
  public var emptyNanoseconds: Int64?
  /// Whether cached apps have 900 to 906 instead of 900 to 999; nil: up to API level 28.
  public var hasNarrowRange: Bool?
  /// Whether the values of one pass are sent from the least recent app on, as newer releases do.
  public var sendsOldestFirst: Bool = true

  // MARK: The Memory Limiter

  /// Whether lmkd has the Memory Limiter beside it; nil: from API level 37 on.
  public var usesMemoryLimiter: Bool?
  /// RAM below which it is off, in bytes.
  public var limiterMinimumRAMBytes: Int64 = 3200 << 20
  /// What processes may hold.
  public var memoryLimits = MemoryLimits.automatic
  /// Time between two polls of a process that was over its limit, in nanoseconds, at least 1 s.
  public var limiterPollNanoseconds: Int64 = 30_000_000_000
  /// From the poll that finds a process too large to its end, in nanoseconds.
  public var limiterGraceNanoseconds: Int64 = 30_000_000_000
  /// By how much the limit of memory is raised for a process that was over it, in bytes.
  public var limiterRaiseBytes: Int64 = 100 << 20
  /// How far below the limit of memory a process is no longer polled, in bytes.
  public var limiterMarginBytes: Int64 = 10 << 20

  // MARK: The driver

  /// Whether apps are 64-bit; nil: above 1 GiB of RAM.
  public var is64Bit: Bool?
  /// What the last row of the table is set to, in bytes; nil: as computed.
  public var minfreeAbsoluteBytes: Int64?
  /// What is added to the last row of the table, in bytes.
  public var minfreeAdjustmentBytes: Int64 = 0
  /// Whether pages that are reserved do not count as free, as in mature drivers.
  public var subtractsReserve: Bool = true

  // MARK: The daemon

  /// Whether lmkd follows its newer strategy.
  public var usesNewStrategy: Bool = true
  /// Whether the older strategy acts like the driver.
  public var usesMinfreeLevels: Bool = false
  /// Window of stall monitors, in milliseconds.
  public var stallWindowMilliseconds: Int = 1000
  /// Partial stall per window that wakes lmkd, in milliseconds; nil: 70, or 200 on a low-RAM device.
  public var partialStallMilliseconds: Int?
  /// Complete stall per window that wakes lmkd, in milliseconds.
  public var completeStallMilliseconds: Int = 700
  /// Time to wait for a victim, in milliseconds; 0: until it is dead.
  public var killTimeoutMilliseconds: Int = 100
  /// Swap is low below this share of it, in percent.
  public var swapFreeLowPercent: Int = 10
  /// File cache read again per window that is thrashing, in percent; nil: 100, or 30 of little
  /// memory.
  public var thrashingLimit: Int?
  /// What each kill for thrashing takes off the limit, in percent; nil: 10, or 50 with low RAM.
  public var thrashingLimitDecay: Int?
  /// Thrashing above which no app is protected, in percent; nil: three times the limit.
  public var thrashingLimitCritical: Int?
  /// Most of the swappable memory that may be swapped, in percent; 100: off.
  public var swapUtilizationMax: Int = 100
  /// File cache below which lmkd kills after thrashing, in KiB; 0: off.
  public var fileCacheMinKiB: Int = 0
  /// Complete stall over 10 s above which no app is protected, in percent; 100: off.
  public var stallLimitCritical: Double = 100
  /// Lowest `oom_score_adj` killed for pressure that a kill has left.
  public var pressureAfterKillMinAdj: Int = 0
  /// Lowest `oom_score_adj` killed for low memory alone, at least 201; above 1000: never.
  public var lowMemoryMinAdj: Int = 701
  /// Uncompressed over compressed size by which free memory limits free swap; 0: off.
  public var swapCompressionRatio: Int = 0
  /// Older strategy: lowest `oom_score_adj` at low pressure; above 1000: never.
  public var lowAdj: Int = 1001
  /// Older strategy: at medium pressure.
  public var mediumAdj: Int = 800
  /// Older strategy: at critical pressure.
  public var criticalAdj: Int = 0
  /// Older strategy: whether medium pressure may count as critical.
  public var upgradesToCritical: Bool = false
  /// Older strategy: share of memory in memory and swap below which it does, in percent.
  public var upgradePressure: Int = 100
  /// Older strategy: share above which an event is taken less seriously, in percent.
  public var downgradePressure: Int = 100
  /// Whether ticks that can decide nothing are made too: results are the same, only later.
  package var ticksAlways = false

  /// Every default.
  public init() {}

  package static let parameters: [ModelParameter] =
    device + framework + memoryLimiter + driver + daemon + olderStrategy

  private static let device: [ModelParameter] = [
    ModelParameter(
      "android.low-ram", "Whether the device is one of little memory; auto: up to 1 GiB.",
      .optionalFlag(\.android.isLowRAM)),
    ModelParameter(
      "android.display",
      "Pixels of the display; auto: 480 x 854 of little memory, else 1080 x 2400.",
      .optionalCount(\.android.displayPixels)),
    ModelParameter(
      "android.processors", "Processors that stalls are told apart on, 1 to 8.",
      .count(\.android.processorCount)),
    ModelParameter(
      "android.min-free", "Lowest watermark of free memory; auto: the kernel's rule.",
      .optionalBytes(\.android.minimumFreeBytes)),
    ModelParameter(
      "android.extra-free", "Added to the upper watermarks; auto: three screens.",
      .optionalBytes(\.android.extraFreeBytes)),
    ModelParameter(
      "android.working-set", "File pages that running apps keep touching, of RAM (assumed).",
      .percent(\.android.workingSetPercent)),
    ModelParameter(
      "android.touches", "Pages of it that a running app touches per second (assumed).",
      .number(\.android.touchesPerSecond)),
    ModelParameter(
      "android.read-time", "Time to read an evicted file page again (assumed).",
      .duration(\.android.readNanoseconds)),
    ModelParameter(
      "android.reclaim-time", "Time in which an app reclaims a page itself (assumed).",
      .duration(\.android.reclaimNanoseconds)),
    ModelParameter(
      "android.swap-in-time", "Time to swap a page in (assumed).",
      .duration(\.android.swapInNanoseconds)),
    ModelParameter(
      "android.swap", "Swap as it would be in memory; auto: half of RAM under compression, else 0.",
      .optionalBytes(\.android.swapBytes)),
    ModelParameter(
      "android.death-time", "How long a victim takes to die (assumed).",
      .duration(\.android.deathNanoseconds)),
  ]

  private static let framework: [ModelParameter] = [
    ModelParameter(
      "android.max-cached",
      "Cached apps that the framework keeps; auto: 32, from API level 34 on 1024; 0: no limit.",
      .optionalCount(\.android.cachedLimit)),
    ModelParameter(
      "android.empty-time",
      "How long it keeps empty apps when there are many; auto: 30min, from API level 34 on 1000h.",
      .optionalDuration(\.android.emptyNanoseconds)),
    ModelParameter(
      "android.narrow-range", "Cached apps have 900 to 906; auto: up to API level 28 (Android 9).",
      .optionalFlag(\.android.hasNarrowRange)),
    ModelParameter(
      "android.oldest-first", "Values of a pass are sent from the least recent app on.",
      .flag(\.android.sendsOldestFirst)),
  ]

  private static let memoryLimiter: [ModelParameter] = [
    ModelParameter(
      "android.memory-limiter.on", "The Memory Limiter beside lmkd; auto: from API level 37 on.",
      .optionalFlag(\.android.usesMemoryLimiter)),
    ModelParameter(
      "android.memory-limiter.min-ram", "RAM below which the Memory Limiter is off.",
      .bytes(\.android.limiterMinimumRAMBytes)),
    ModelParameter(
      "android.memory-limiter.limits",
      "What processes may hold; auto: 1/2 of RAM if visible, else 1/4, and half as much swap.",
      .limits(\.android.memoryLimits)),
    ModelParameter(
      "android.memory-limiter.poll", "Time between polls of a process that was over its limit.",
      .duration(\.android.limiterPollNanoseconds)),
    ModelParameter(
      "android.memory-limiter.grace",
      "From the poll that finds a process too large to its end.",
      .duration(\.android.limiterGraceNanoseconds)),
    ModelParameter(
      "android.memory-limiter.raise",
      "Added to the limit of memory of a process that was over it.",
      .bytes(\.android.limiterRaiseBytes)),
    ModelParameter(
      "android.memory-limiter.margin",
      "How far below the limit of memory a process is no longer polled.",
      .bytes(\.android.limiterMarginBytes)),
  ]

  private static let driver: [ModelParameter] = [
    ModelParameter(
      "lmk.64-bit", "Whether apps are 64-bit; auto: above 1 GiB of RAM.",
      .optionalFlag(\.android.is64Bit)),
    ModelParameter(
      "lmk.minfree-absolute", "What the last row of the table is set to; auto: as computed.",
      .optionalBytes(\.android.minfreeAbsoluteBytes)),
    ModelParameter(
      "lmk.minfree-adjust", "What is added to the last row of the table, to others in proportion.",
      .bytes(\.android.minfreeAdjustmentBytes)),
    ModelParameter(
      "lmk.subtract-reserve", "Reserved pages do not count as free, as in mature drivers.",
      .flag(\.android.subtractsReserve)),
  ]

  private static let daemon: [ModelParameter] = [
    ModelParameter(
      "lmkd.use-new-strategy", "Whether lmkd follows its newer strategy.",
      .flag(\.android.usesNewStrategy)),
    ModelParameter(
      "lmkd.psi-window-size-ms", "Window of stall monitors, in milliseconds.",
      .count(\.android.stallWindowMilliseconds)),
    ModelParameter(
      "lmkd.psi-partial-stall-ms", "Partial stall per window that wakes lmkd; auto: 70 or 200.",
      .optionalCount(\.android.partialStallMilliseconds)),
    ModelParameter(
      "lmkd.psi-complete-stall-ms", "Complete stall per window that wakes lmkd.",
      .count(\.android.completeStallMilliseconds)),
    ModelParameter(
      "lmkd.kill-timeout-ms", "Time to wait for a victim; 0: until it is dead.",
      .count(\.android.killTimeoutMilliseconds)),
    ModelParameter(
      "lmkd.swap-free-low-percentage", "Swap is low below this share of it, in percent.",
      .count(\.android.swapFreeLowPercent)),
    ModelParameter(
      "lmkd.thrashing-limit", "File cache read again per window, in percent; auto: 100 or 30.",
      .optionalCount(\.android.thrashingLimit)),
    ModelParameter(
      "lmkd.thrashing-limit-decay", "Percent off the limit after a kill for it; auto: 10 or 50.",
      .optionalCount(\.android.thrashingLimitDecay)),
    ModelParameter(
      "lmkd.thrashing-limit-critical", "Above it no app is protected; auto: 3 times the limit.",
      .optionalCount(\.android.thrashingLimitCritical)),
    ModelParameter(
      "lmkd.swap-util-max", "Most of the swappable memory that may be swapped; 100: off.",
      .count(\.android.swapUtilizationMax)),
    ModelParameter(
      "lmkd.filecache-min-kb", "File cache below which lmkd kills after thrashing; 0: off.",
      .count(\.android.fileCacheMinKiB)),
    ModelParameter(
      "lmkd.stall-limit-critical", "Complete stall over 10 s above which no app is protected.",
      .percent(\.android.stallLimitCritical)),
    ModelParameter(
      "lmkd.pressure-after-kill-min-score", "Lowest adj killed for pressure that a kill has left.",
      .count(\.android.pressureAfterKillMinAdj)),
    ModelParameter(
      "lmkd.lowmem-min-oom-score", "Lowest adj killed for low memory alone; above 1000: never.",
      .count(\.android.lowMemoryMinAdj)),
    ModelParameter(
      "lmkd.swap-compression-ratio", "By which free memory limits free swap; 0: off.",
      .count(\.android.swapCompressionRatio)),
  ]

  private static let olderStrategy: [ModelParameter] = [
    ModelParameter(
      "lmkd.use-minfree-levels", "Older strategy: act like the driver.",
      .flag(\.android.usesMinfreeLevels)),
    ModelParameter(
      "lmkd.low", "Older strategy: lowest adj at low pressure; above 1000: never.",
      .count(\.android.lowAdj)),
    ModelParameter(
      "lmkd.medium", "Older strategy: lowest adj at medium pressure.",
      .count(\.android.mediumAdj)),
    ModelParameter(
      "lmkd.critical", "Older strategy: lowest adj at critical pressure.",
      .count(\.android.criticalAdj)),
    ModelParameter(
      "lmkd.critical-upgrade", "Older strategy: medium pressure may count as critical.",
      .flag(\.android.upgradesToCritical)),
    ModelParameter(
      "lmkd.upgrade-pressure", "Older strategy: percent in memory below which it does.",
      .count(\.android.upgradePressure)),
    ModelParameter(
      "lmkd.downgrade-pressure", "Older strategy: percent above which events count less.",
      .count(\.android.downgradePressure)),
  ]
}
