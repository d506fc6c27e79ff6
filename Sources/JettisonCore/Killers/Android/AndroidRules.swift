extension RunConfiguration {
  /// Android's Memory Limiter, which runs beside lmkd; nil: it is off.
  package var memoryLimiter: MemoryLimiter? {
    pressure == .androidLMKD ? MemoryLimiter(device) : nil
  }
}

/// What the parameters come to on a device, in the units of the rules.
struct AndroidRules: Sendable {
  let isLowRAM: Bool
  /// Whether cached apps have 900 to 906, as up to Android 9.
  let hasNarrowRange: Bool
  let pageSize: PageSize
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
  /// The Memory Limiter; nil: it is off.
  let limiter: MemoryLimiter?
  let daemon: LMKDaemon.Settings
  let legacy: LegacyLMKDaemon.Settings
  let windowNanoseconds: Int64
  let partialStallNanoseconds: Int64
  let completeStallNanoseconds: Int64
  /// Available pages below which free memory is under the low and the lowest mark.
  let lowAvailablePages: Int64
  let minAvailablePages: Int64
  /// Available pages from which on nothing is read again and taking memory wakes no daemon.
  let quietPages: Int64
  /// Available memory from which on the killer is content, in bytes.
  let contentBytes: Int64
  /// Whether ticks that can decide nothing are made too.
  let ticksAlways: Bool

  init(_ configuration: RunConfiguration) {
    let device = configuration.device
    let parameters = device.pressureParameters.android
    let isLowRAM = parameters.isLowRAM ?? (device.ramBytes <= 1 << 30)
    self.isLowRAM = isLowRAM
    hasNarrowRange = parameters.hasNarrowRange ?? (device.releaseLevel <= 28)
    pageSize = PageSize(device)
    let pixels = Self.bounded(parameters.displayPixels ?? (isLowRAM ? 480 * 854 : 1080 * 2400))
    memory = Self.memory(device, parameters, pixels: pixels)
    table = MinfreeTable(
      ramBytes: device.ramBytes, displayPixels: pixels,
      is64Bit: parameters.is64Bit ?? (device.ramBytes > 1 << 30),
      absoluteKiB: parameters.minfreeAbsoluteBytes.map { $0 / 1024 },
      adjustmentKiB: parameters.minfreeAdjustmentBytes / 1024,
      hasNarrowRange: hasNarrowRange)
    limits = CachedAppLimits(device)
    swapPages = pageSize.pages(device.swapBytes(under: .android))
    reclaimNanoseconds = Double(parameters.reclaimNanoseconds)
    swapInNanoseconds = Double(parameters.swapInNanoseconds)
    deathNanoseconds = parameters.deathNanoseconds
    reservePages = parameters.subtractsReserve ? memory.watermarks.highPages : 0
    usesDaemon = configuration.pressure == .androidLMKD
    usesNewStrategy = parameters.usesNewStrategy
    usesMinfreeLevels = parameters.usesMinfreeLevels
    tellsRunning = device.releaseLevel < 34
    limiter = configuration.memoryLimiter
    daemon = Self.daemon(parameters, isLowRAM: isLowRAM, pageSize)
    legacy = Self.legacy(parameters, isLowRAM: isLowRAM)
    windowNanoseconds = max(1, Self.bounded(parameters.stallWindowMilliseconds)) * 1_000_000
    let partial = parameters.partialStallMilliseconds ?? (isLowRAM ? 200 : 70)
    partialStallNanoseconds = min(windowNanoseconds, Self.bounded(partial) * 1_000_000)
    completeStallNanoseconds = min(
      windowNanoseconds, Self.bounded(parameters.completeStallMilliseconds) * 1_000_000)
    lowAvailablePages = memory.availablePages(freePages: memory.watermarks.lowPages)
    minAvailablePages = memory.availablePages(freePages: memory.watermarks.minPages)
    quietPages = max(memory.comfortPages, lowAvailablePages)
    let contentPages =
      usesDaemon && !(usesMinfreeLevels && !usesNewStrategy)
      ? lowAvailablePages : memory.availablePages(filePages: table.highestPages)
    let (bytes, overflow) = contentPages.multipliedReportingOverflow(by: pageSize.bytes)
    // Larger than any device: clamped, so that sums of it do not overflow.
    contentBytes = overflow ? 1 << 60 : min(bytes, 1 << 60)
    ticksAlways = parameters.ticksAlways
  }

  // MARK: Parts

  /// What is written may be absurd; beyond this it makes no difference.
  private static func bounded(_ value: Int) -> Int64 { Int64(min(max(0, value), 1_000_000_000)) }

  private static func adj(_ value: Int) -> Int16 { Int16(min(max(0, value), 1001)) }

  private static func memory(
    _ device: Device, _ parameters: AndroidParameters, pixels: Int64
  ) -> FileCacheModel {
    let pageBytes = PageSize(device).bytes
    let marks = Watermarks(
      minimumBytes: parameters.minimumFreeBytes
        ?? KernelReserve.minimumBytes(ramBytes: device.ramBytes),
      extraBytes: parameters.extraFreeBytes ?? pixels * 12, ramBytes: device.ramBytes,
      pageBytes: pageBytes)
    let workingSet = Double(device.ramBytes) * min(100, parameters.workingSetPercent) / 100
    return FileCacheModel(
      watermarks: marks, workingSetPages: Int64(workingSet / Double(pageBytes)),
      touchesPerSecond: min(1e9, parameters.touchesPerSecond),
      readNanoseconds: parameters.readNanoseconds)
  }

  private static func daemon(
    _ parameters: AndroidParameters, isLowRAM: Bool, _ pageSize: PageSize
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
    settings.fileCacheMinPages = pageSize.pages(bounded(parameters.fileCacheMinKiB) * 1024)
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
