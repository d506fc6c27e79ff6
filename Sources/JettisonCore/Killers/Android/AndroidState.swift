/// What Android's killers remember during a run.
struct AndroidState: ~Copyable {
  /// Time between two ticks, at which Android checks who waits for memory, in nanoseconds; ticks are at its multiples.
  static var tickNanoseconds: Int64 { StallTrigger.tickNanoseconds }

  let rules: AndroidRules
  var adjuster: OomAdjuster
  var factor = MemoryFactor.normal
  /// Running apps when the factor was last evaluated.
  var countAtEvaluation = 0
  /// Highest `onTrimMemory` level told to each app since the factor was last normal.
  var toldLevels: Column<UInt8>
  /// When each app last heard `onLowMemory`; `.min`: never.
  var lowMemoryTold: Column<Int64>
  /// What waits for each app's main thread.
  ///
  /// Apart from ``AppRecord/keptWarning``, of which the newest alone counts: Android keeps three kinds
  /// of message side by side, and no other model's apps need the room for them.
  var keptTrims: Column<KeptTrims>
  /// Apps as the Memory Limiter sees them; empty where it is off.
  var limited: Column<LimitedProcess>
  /// Whether the Memory Limiter is on.
  let limitsProcesses: Bool
  /// Whether memory of a limited app changed since they were polled.
  var isAnyTouched = false
  /// Whether the time of an app that held too much is over.
  var isAnyDue = false
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
  var order: KillCommand?
  /// When lmkd polls by itself; `.max`: only at an event.
  var nextPoll = Int64.max
  var pollsUntil: Int64 = 0
  /// The newest tick that is accounted for, in nanoseconds, and the stalled time that it saw.
  var lastTick: Int64 = 0
  var seenStallNanoseconds: Int64 = 0
  /// What each tick does while nothing changes.
  var flow: FilePageFlow
  /// How the polls go on that are skipped because lmkd would kill no app.
  var leftOutPolls = LeftOutPolls.none
  /// What the monitors will do while nothing changes.
  var lowOutlook = StallTrigger.Outlook.silent
  var partialOutlook = StallTrigger.Outlook.silent
  var completeOutlook = StallTrigger.Outlook.silent
  /// Ticks that are skipped while apps take memory.
  var descent = Descent()
  /// Whether no tick is needed until something changes.
  var isAsleep = false
  /// Whether the tick that is set may still be skipped.
  var isTickProposed = false
  /// Available memory and running apps when the flow was last worked out.
  var seenAvailableBytes = Int64.max
  var seenRunningCount = -1

  /// Pages scanned since boot, by apps themselves and in the background.
  var directScans: Int64 = 0
  var backgroundScans: Int64 = 0
  /// File pages read again since boot.
  var refaults: Int64 = 0
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
      appCount: appCount, range: rules.hasNarrowRange ? .narrow : .wide,
      limits: rules.limits, sendsOldestFirst: parameters.sendsOldestFirst)
    toldLevels = Column(repeating: 0, count: appCount)
    lowMemoryTold = Column(repeating: .min, count: appCount)
    keptTrims = Column(repeating: KeptTrims(), count: appCount)
    limitsProcesses = isInForce && rules.limiter != nil
    limited = Column(repeating: LimitedProcess(), count: limitsProcesses ? appCount : 0)
    stall = PressureStall(
      processors: min(max(1, parameters.processorCount), PressureStall.maximumProcessors),
      keepsAverages: rules.daemon.stallLimitCritical < 100)
    flow = rules.memory.flow(availablePages: 0, runningCount: 0)
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

  init(copying other: borrowing AndroidState) {
    rules = other.rules
    adjuster = other.adjuster
    factor = other.factor
    countAtEvaluation = other.countAtEvaluation
    toldLevels = Column(copying: other.toldLevels)
    lowMemoryTold = Column(copying: other.lowMemoryTold)
    keptTrims = Column(copying: other.keptTrims)
    limited = Column(copying: other.limited)
    limitsProcesses = other.limitsProcesses
    isAnyTouched = other.isAnyTouched
    isAnyDue = other.isAnyDue
    hasKilled = other.hasKilled
    lastKill = other.lastKill
    stall = other.stall
    lowTrigger = other.lowTrigger
    partialTrigger = other.partialTrigger
    completeTrigger = other.completeTrigger
    daemon = other.daemon
    legacy = other.legacy
    stallWindow = other.stallWindow
    order = other.order
    nextPoll = other.nextPoll
    pollsUntil = other.pollsUntil
    lastTick = other.lastTick
    seenStallNanoseconds = other.seenStallNanoseconds
    flow = other.flow
    leftOutPolls = other.leftOutPolls
    lowOutlook = other.lowOutlook
    partialOutlook = other.partialOutlook
    completeOutlook = other.completeOutlook
    descent = Descent(copying: other.descent)
    isAsleep = other.isAsleep
    isTickProposed = other.isTickProposed
    seenAvailableBytes = other.seenAvailableBytes
    seenRunningCount = other.seenRunningCount
    directScans = other.directScans
    backgroundScans = other.backgroundScans
    refaults = other.refaults
    swapUsedBytes = other.swapUsedBytes
  }

  /// Bytes of swap that are free.
  var swapFreeBytes: Int64 { max(0, rules.swapPages * rules.pageSize.bytes - swapUsedBytes) }

  /// Whole pages of available memory; negative where more is in use than there is.
  @inline(__always)
  func pages(_ bytes: Int64) -> Int64 { rules.pageSize.pages(bytes) }
}

/// What keeps lmkd polling at every tick, where these polls are skipped.
enum LeftOutPolls: BitwiseCopyable {
  /// None are: it does not poll, or polls are made, or find that nothing was read.
  case none
  /// Nothing: they end a window after the last event.
  case ending
  /// An event in each window.
  case byEvents
  /// Each of them.
  case byThemselves
}

/// Whom lmkd kills for, with the rule that reports name.
struct KillCommand: BitwiseCopyable {
  let trigger: RecordedCause
  let minAdj: Int16
  /// The order of the newer strategy; nil: of the older one.
  let order: LMKDaemon.Order?
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
