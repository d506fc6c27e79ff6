import JettisonCore

extension ModelEngine {
  // MARK: Footprints

  func footprint(of app: ModelApp) -> Int64 {
    guard let life = app.life else { return 0 }
    if isIdealCache { return life.cacheSize }
    let bytes = ModelArithmetic.sum(app.liveBytes, life.ballast)
    return (bytes + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
  }

  /// What the app takes from available memory.
  func charge(of app: ModelApp) -> Int64 {
    let bytes = footprint(of: app)
    guard !isIdealCache, let compression = device.compression else { return bytes }
    let share = compression.suspendedShare
    if isAndroid {
      let saved = swapped(of: app, share: share) * (1 - 1 / compression.ratio)
      return bytes - Int64(saved.rounded())
    }
    guard app.state == .suspended else { return bytes }
    return Int64((Double(bytes) * (1 - share + share / compression.ratio)).rounded())
  }

  var available: Int64 {
    if isIdealCache {
      return (configuration.capacityApps ?? device.ramBytes) - residentBytes
    }
    return device.ramBytes - (systemMemory ?? device.reserveBytes) - residentBytes
  }

  private var residentBytes: Int64 { apps.reduce(0) { $0 + charge(of: $1) } }

  /// Gives a new process its memory: live blocks, else the newest sample, else the catalog.
  func equip(_ app: ModelApp) {
    for i in app.blocks.indices { app.blocks[i].isDropped = false }
    if !app.blocks.isEmpty { return }
    let isLaunch = rows[nextEvent - 1].kind != .present
    let rowsNow = isLaunch && nextEvent <= demandEnd ? rows[nextEvent...demandEnd] : []
    let memoryRowsNow = rowsNow.filter { $0.kind.isMemory && $0.app == app.index }
    let sampleNow = memoryRowsNow.last { $0.kind == .footprint }?.value
    if let sample = sampleNow ?? app.newestSample {
      app.life?.ballast = sample
    } else if memoryRowsNow.isEmpty {
      app.life?.ballast = app.profile.launchFootprintBytes
      app.life?.isModelled = true
    }
  }

  /// A new generation begins: blocks of one that the capture saw ending are gone.
  func beginGeneration(of app: ModelApp) {
    guard app.generationEnded else { return }
    app.generationEnded = false
    app.blocks = []
    memoryChanged()
  }

  /// Memory rows of a launched app at the instant of its launch belong to the launch's demand.
  func findDemand(of app: ModelApp, after position: Int) {
    for i in demandRows(after: position) where rows[i].kind.isMemory && rows[i].app == app.index {
      demandEnd = max(demandEnd, i)
    }
  }

  /// Positions after a launch up to the next launch or the end of the instant.
  private func demandRows(after position: Int) -> Range<Int> {
    let end =
      rows[(position + 1)...].firstIndex {
        $0.timeNanoseconds != rows[position].timeNanoseconds || $0.kind == .launch
          || $0.kind == .backgroundLaunch
      } ?? rows.count
    return position + 1..<end
  }

  // MARK: Rows

  func applySample(_ bytes: Int64, to app: ModelApp) {
    app.newestSample = bytes
    guard app.life != nil else { return skip(app) }
    app.life?.isModelled = false
    app.life?.released = 0
    if bytes < app.liveBytes { countIssue() }
    app.life?.ballast = max(0, bytes - app.liveBytes)
    memoryChanged()
  }

  func applyAllocation(_ event: TraceEvent, _ detail: EventDetail, to app: ModelApp) {
    let runs = app.life != nil
    if !runs { skip(app) }
    wakeIfSuspended(app)
    if app.life?.isModelled == true {
      app.life?.isModelled = false
      app.life?.ballast = 0
    }
    let position = app.blocks.firstIndex { $0.slot == event.slot }
    switch event.kind {
    case .alloc:
      app.blocks.append(
        ModelBlock(slot: event.slot, bytes: event.value, isPurgeable: detail.isPurgeable))
    case .free:
      if let position { app.blocks.remove(at: position) }
    default:
      if let position {
        app.blocks[position].bytes = event.value
        app.blocks[position].isDropped = false
      }
    }
    memoryChanged()
  }

  // MARK: Growth

  /// Growth is counted in bytes per minute × nanoseconds × 5, so that a fifth of a rate is whole.
  static var growthUnit: Int128 { 5 * 60_000_000_000 }
  private static var growthStep: Int128 { Int128(growthStepBytes) * growthUnit }
  private static var fastGrowth: Int64 { 300 * second }

  /// When growth slows down: five minutes after the start of the process.
  private func slowdown(of life: ModelLife) -> Int64 {
    ModelArithmetic.sum(life.startedAt, Self.fastGrowth)
  }

  func resumeGrowth(_ app: ModelApp) {
    guard app.growsByModel, !isIdealCache, let life = app.life else { return }
    app.life?.growthSince = now
    let rate = Int128(app.profile.growthBytesPerMinute)
    let missing = Self.growthStep - life.growth
    let fastTime = Int128(max(0, slowdown(of: life) - now))
    var wait = (missing + 5 * rate - 1) / (5 * rate)
    if wait > fastTime {
      let slowlyGrown = missing - 5 * rate * fastTime
      wait = fastTime + (slowlyGrown + rate - 1) / rate
    }
    timers.set(.growth, app.index, at: ModelArithmetic.sum(now, Int64(clamping: wait)))
  }

  func pauseGrowth(_ app: ModelApp) {
    timers.cancel(.growth, app.index)
    guard let life = app.life, let since = life.growthSince else { return }
    let rate = Int128(app.profile.growthBytesPerMinute)
    let middle = min(max(slowdown(of: life), since), now)
    app.life?.growth += 5 * rate * Int128(middle - since) + rate * Int128(now - middle)
    app.life?.growthSince = nil
  }

  func grow(_ app: ModelApp) {
    pauseGrowth(app)
    app.life?.growth -= Self.growthStep
    app.life?.ballast += Self.growthStepBytes
    resumeGrowth(app)
    memoryChanged()
  }

  /// The footprint falls to a ceiling of the catalog; a negative one is none.
  func applyCeiling(_ ceiling: Int64, to app: ModelApp) {
    guard ceiling >= 0, app.facts.isDisjoint(with: .memory), let life = app.life else { return }
    app.life?.ballast = min(life.ballast, ceiling)
  }

  // MARK: The ideal cache

  /// Size of an app on the ideal cache, fixed at each launch.
  func idealSize(of app: ModelApp, launchedAt position: Int?) -> Int64 {
    if configuration.capacityApps != nil { return 1 }
    if !app.blocks.isEmpty { return app.blocks.reduce(0) { $0 + $1.bytes } }
    var size = app.newestSample ?? app.profile.launchFootprintBytes
    if let position {
      for i in demandRows(after: position)
      where rows[i].kind == .footprint && rows[i].app == app.index {
        size = rows[i].value
      }
    }
    return size
  }

  /// Makes room for an app, or for its growth, then sets its size.
  func insertIntoCache(_ app: ModelApp, size: Int64) {
    guard isIdealCache else { return }
    let missing = size - (app.life?.cacheSize ?? 0)
    if available < missing {
      let candidates = apps.filter { $0.life != nil && $0 !== app && isEligible($0) }
      decide(.capacity, candidates, target: missing)
    }
    app.life?.cacheSize = size
  }
}
