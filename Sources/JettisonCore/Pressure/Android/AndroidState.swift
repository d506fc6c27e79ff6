/// What the parameters come to on a device, in the units of the rules.
struct AndroidRules: Sendable {
  let isLowRAM: Bool
  let pageBytes: Int64
  let memory: FileCacheModel
  let table: MinfreeTable
  let limits: CachedAppLimits
  let swapPages: Int64
  let reclaimNanoseconds: Double
  let swapInNanoseconds: Double
  let deathNanoseconds: Int64
  /// Pages that do not count as free for the driver.
  let reservePages: Int64
  let usesDaemon: Bool
  let usesNewStrategy: Bool
  let usesMinfreeLevels: Bool
  let tellsRunning: Bool
  let daemon: LMKDaemon.Settings
  let legacy: LegacyLMKDaemon.Settings
  let windowNanoseconds: Int64
  let partialStallNanoseconds: Int64
  let completeStallNanoseconds: Int64

  init(_ configuration: RunConfiguration) {
    let device = configuration.device
    let parameters = device.pressureParameters.android
    let isLowRAM = parameters.isLowRAM ?? (device.ramBytes <= 1 << 30)
    self.isLowRAM = isLowRAM
    pageBytes = max(1, device.pageBytes)
    let pixels = Self.bounded(parameters.displayPixels ?? (isLowRAM ? 480 * 854 : 1080 * 2400))
    memory = Self.memory(device, parameters, pixels: pixels)
    table = MinfreeTable(
      ramBytes: device.ramBytes, displayPixels: pixels,
      is64Bit: parameters.is64Bit ?? (device.ramBytes > 1 << 30),
      absoluteKiB: parameters.minfreeAbsoluteBytes.map { $0 / 1024 },
      adjustmentKiB: parameters.minfreeAdjustmentBytes / 1024,
      hasNarrowRange: parameters.hasNarrowRange)
    limits = CachedAppLimits(
      maximum: parameters.cachedLimit == 0 ? nil : parameters.cachedLimit,
      emptyNanoseconds: parameters.emptyNanoseconds)
    swapPages = device.swapBytes(under: .android) / pageBytes
    reclaimNanoseconds = Double(parameters.reclaimNanoseconds)
    swapInNanoseconds = Double(parameters.swapInNanoseconds)
    deathNanoseconds = parameters.deathNanoseconds
    reservePages = parameters.subtractsReserve ? memory.watermarks.highPages : 0
    usesDaemon = configuration.pressure == .androidLMKD
    usesNewStrategy = parameters.usesNewStrategy
    usesMinfreeLevels = parameters.usesMinfreeLevels
    tellsRunning = parameters.apiLevel < 34
    daemon = Self.daemon(parameters, isLowRAM: isLowRAM, pageBytes: pageBytes)
    legacy = Self.legacy(parameters, isLowRAM: isLowRAM)
    windowNanoseconds = max(1, Self.bounded(parameters.stallWindowMilliseconds)) * 1_000_000
    let partial = parameters.partialStallMilliseconds ?? (isLowRAM ? 200 : 70)
    partialStallNanoseconds = min(windowNanoseconds, Self.bounded(partial) * 1_000_000)
    completeStallNanoseconds = min(
      windowNanoseconds, Self.bounded(parameters.completeStallMilliseconds) * 1_000_000)
  }

  /// Available memory from which on the killer is content, in bytes.
  var contentBytes: Int64 {
    let pages =
      usesDaemon && !(usesMinfreeLevels && !usesNewStrategy)
      ? memory.availablePages(freePages: memory.watermarks.lowPages)
      : memory.availablePages(filePages: table.highestPages)
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: pageBytes)
    // What no device has is as good as what none can have, and can be added to.
    return overflow ? 1 << 60 : min(bytes, 1 << 60)
  }

  // MARK: Parts

  /// What is written may be absurd; beyond this it makes no difference.
  private static func bounded(_ value: Int) -> Int64 { Int64(min(max(0, value), 1_000_000_000)) }

  private static func adj(_ value: Int) -> Int16 { Int16(min(max(0, value), 1001)) }

  private static func memory(
    _ device: Device, _ parameters: AndroidParameters, pixels: Int64
  ) -> FileCacheModel {
    let pageBytes = max(1, device.pageBytes)
    let marks = Watermarks(
      minimumBytes: parameters.minimumFreeBytes
        ?? Watermarks.kernelMinimumBytes(ramBytes: device.ramBytes),
      extraBytes: parameters.extraFreeBytes ?? pixels * 12, ramBytes: device.ramBytes,
      pageBytes: pageBytes)
    let workingSet = Double(device.ramBytes) * min(100, parameters.workingSetPercent) / 100
    return FileCacheModel(
      watermarks: marks, workingSetPages: Int64(workingSet / Double(pageBytes)),
      touchesPerSecond: min(1e9, parameters.touchesPerSecond),
      readNanoseconds: parameters.readNanoseconds)
  }

  private static func daemon(
    _ parameters: AndroidParameters, isLowRAM: Bool, pageBytes: Int64
  ) -> LMKDaemon.Settings {
    var settings = LMKDaemon.Settings()
    settings.killTimeoutNanoseconds = bounded(parameters.killTimeoutMilliseconds) * 1_000_000
    settings.swapFreeLowPercent = min(100, bounded(parameters.swapFreeLowPercent))
    settings.thrashingLimit = bounded(parameters.thrashingLimit ?? (isLowRAM ? 30 : 100))
    settings.thrashingLimitDecay =
      min(100, bounded(parameters.thrashingLimitDecay ?? (isLowRAM ? 50 : 10)))
    settings.thrashingLimitCritical =
      parameters.thrashingLimitCritical.map(bounded) ?? settings.thrashingLimit * 3
    settings.swapUtilizationMax = bounded(parameters.swapUtilizationMax)
    settings.fileCacheMinPages = bounded(parameters.fileCacheMinKiB) * 1024 / pageBytes
    settings.stallLimitCritical = parameters.stallLimitCritical
    settings.pressureAfterKillMinAdj = adj(parameters.pressureAfterKillMinAdj)
    settings.lowMemoryMinAdj = adj(parameters.lowMemoryMinAdj)
    settings.swapCompressionRatio = min(1000, bounded(parameters.swapCompressionRatio))
    return settings
  }

  private static func legacy(
    _ parameters: AndroidParameters, isLowRAM: Bool
  ) -> LegacyLMKDaemon.Settings {
    var settings = LegacyLMKDaemon.Settings()
    settings.lowAdj = adj(parameters.lowAdj)
    settings.mediumAdj = adj(parameters.mediumAdj)
    settings.criticalAdj = adj(parameters.criticalAdj)
    settings.upgradesToCritical = parameters.upgradesToCritical
    settings.upgradePressure = bounded(parameters.upgradePressure)
    settings.downgradePressure = bounded(parameters.downgradePressure)
    settings.swapFreeLowPercent = min(100, bounded(parameters.swapFreeLowPercent))
    settings.isLowRAM = isLowRAM
    return settings
  }
}

/// What Android's killers remember during a run.
struct AndroidState: ~Copyable {
  /// Time between two looks at who waits for memory, in nanoseconds; looks are at its multiples.
  static let tickNanoseconds: Int64 = 100_000_000
  /// After so long without a change everything has repeated itself: the model sleeps.
  static let steadyNanoseconds: Int64 = 5_000_000_000

  let rules: AndroidRules
  var adjuster: OomAdjuster
  var factor = MemoryFactor.normal
  /// Running apps when the factor was last evaluated.
  var countAtEvaluation = 0
  /// Highest `onTrimMemory` level told to each app since the factor was last normal.
  var toldLevels: Column<UInt8>
  /// When each app last heard `onLowMemory`; `.min`: never.
  var lowMemoryTold: Column<Int64>
  /// A killer took an app since the last pass.
  var hasKilled = false

  /// When the driver killed last; nil: it has not.
  var lastKill: Int64?

  var stall: PressureStall
  var lowTrigger: StallTrigger
  var partialTrigger: StallTrigger
  var completeTrigger: StallTrigger
  var daemon: LMKDaemon
  var legacy: LegacyLMKDaemon
  var stallWindow: StallWindow
  /// What lmkd wants to kill for, until the engine settles.
  var order: KillOrder?
  /// When lmkd looks again by itself; `.max`: only at an event.
  var nextPoll = Int64.max
  var pollsUntil: Int64 = 0
  /// When anything that lmkd reads last changed.
  var lastChange: Int64 = 0
  var seenAvailableBytes = Int64.max

  /// Pages scanned since boot, by apps themselves and in the background.
  var directScans: Int64 = 0
  var backgroundScans: Int64 = 0
  /// File pages read again since boot.
  var refaults: Double = 0
  /// Compressed pages of all apps, as they were in memory, in bytes.
  var swapUsedBytes: Int64 = 0

  init(_ configuration: RunConfiguration) {
    // Other models' runs carry an empty one.
    let isInForce = configuration.pressure.family == .android
    let appCount = isInForce ? configuration.profiles.count : 0
    let parameters = configuration.device.pressureParameters.android
    let rules = AndroidRules(configuration)
    self.rules = rules
    adjuster = OomAdjuster(
      appCount: appCount, range: parameters.hasNarrowRange ? .narrow : .wide,
      limits: rules.limits, sendsOldestFirst: parameters.sendsOldestFirst)
    toldLevels = Column(repeating: 0, count: appCount)
    lowMemoryTold = Column(repeating: .min, count: appCount)
    stall = PressureStall(
      processors: min(max(1, parameters.processorCount), PressureStall.maximumProcessors))
    let isNew = rules.usesNewStrategy
    func trigger(_ threshold: Int64) -> StallTrigger {
      StallTrigger(
        thresholdNanoseconds: min(threshold, rules.windowNanoseconds),
        windowNanoseconds: rules.windowNanoseconds)
    }
    lowTrigger = trigger(70_000_000)
    partialTrigger = trigger(isNew ? rules.partialStallNanoseconds : 100_000_000)
    completeTrigger = trigger(isNew ? rules.completeStallNanoseconds : 70_000_000)
    daemon = LMKDaemon(rules.daemon, watermarks: rules.memory.watermarks)
    legacy = LegacyLMKDaemon(rules.legacy)
    stallWindow = StallWindow()
  }

  /// Bytes of swap that are free.
  var swapFreeBytes: Int64 { max(0, rules.swapPages * rules.pageBytes - swapUsedBytes) }

  /// Whole pages of available memory; negative where more is in use than there is.
  func pages(_ bytes: Int64) -> Int64 { bytes / rules.pageBytes }
}

/// Whom lmkd kills for, with the rule that reports name.
struct KillOrder: BitwiseCopyable {
  let trigger: RecordedCause
  let minAdj: Int16
  /// The order of the newer strategy; nil: of the older one.
  let order: LMKDaemon.Order?
}

/// Time stalled in the current and in the last window of a second: what the memory factor rests on.
struct StallWindow: BitwiseCopyable {
  private static let nanoseconds: Int64 = 1_000_000_000
  private var start: Int64 = 0
  private var totalAtStart: Int64 = 0
  private var growthBefore: Int64 = 0

  /// The factor by the time in which some app was stalled: 15, 30 or 50 ms of a second (assumed).
  mutating func factor(at time: Int64, total: Int64) -> MemoryFactor {
    if time - start >= Self.nanoseconds {
      growthBefore = time - start < 2 * Self.nanoseconds ? total - totalAtStart : 0
      start = time
      totalAtStart = total
    }
    switch max(growthBefore, total - totalAtStart) {
    case 50_000_000...: return .critical
    case 30_000_000...: return .low
    case 15_000_000...: return .moderate
    default: return .normal
    }
  }
}

extension LMKDReason {
  /// The rule that reports name.
  var cause: RecordedCause {
    switch self {
    case .pressureAfterKill: .pressureAfterKill
    case .notResponding: .notResponding
    case .lowSwapAndThrashing: .lowSwapAndThrashing
    case .lowMemoryAndSwap: .lowMemAndSwap
    case .lowMemoryAndThrashing: .lowMemAndThrashing
    case .directReclaimAndThrashing: .directReclaimAndThrashing
    case .lowMemoryAndSwapUtilization: .lowMemAndSwapUtil
    case .lowFileCacheAfterThrashing: .lowFilecacheAfterThrashing
    case .lowMemory: .lowMem
    }
  }
}

extension LegacyPressure {
  /// The rule that reports name.
  var cause: RecordedCause {
    switch self {
    case .low: .lowPressure
    case .medium: .mediumPressure
    case .critical: .criticalPressure
    }
  }
}
