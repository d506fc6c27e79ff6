/// Android's killers in the engine: <doc:AndroidModel>.
extension Simulation {
  // MARK: Decisions

  /// The next victim, or nil: called until nothing more is due.
  @inline(__always)
  mutating func openAndroid() -> OpenDecision? {
    bringAndroidUpToDate()
    if android.rules.usesDaemon { refreshFlow() }
    if android.adjuster.isStale {
      passAdjuster()
      if let open = openCachedLimit() { return open }
    }
    if android.limitsProcesses {
      pollTouched()
      if let open = openMemoryLimiter() { return open }
    }
    guard android.rules.usesDaemon else { return openDriver() }
    if android.order != nil, let open = openDaemon() { return open }
    proposeAndroidTick()
    return nil
  }

  /// The framework keeps no more cached apps than it wants, whether memory is short or not.
  private mutating func openCachedLimit() -> OpenDecision? {
    let limits = android.rules.limits
    if let most = limits.shown, android.adjuster.shownCount > most {
      if let open = openCached(wasShown: true, .cachedLimit) { return open }
    }
    if android.adjuster.emptyCount > limits.trimEmpty, limits.maximum != nil {
      let before = now - limits.emptyNanoseconds
      if let open = openCached(wasShown: false, .emptyAge, usedBefore: before) { return open }
    }
    if let most = limits.empty, android.adjuster.emptyCount > most {
      return openCached(wasShown: false, .emptyLimit)
    }
    return nil
  }

  private mutating func openCached(
    wasShown: Bool, _ trigger: RecordedCause, usedBefore: Int64 = .max
  ) -> OpenDecision? {
    let adjuster = android.adjuster
    collectEligible { app, record in
      let used = record.lastLeftFront == .min ? record.processStart : record.lastLeftFront
      return record.state == .suspended && record.wasShown == wasShown && used < usedBefore
        && adjuster.adj(app) >= OomAdj.cachedFirst
    }
    guard !decision.candidates.isEmpty else { return nil }
    return openDecision(.anyone, trigger, target: availableBytes, one: true)
  }

  private mutating func openDriver() -> OpenDecision? {
    guard let minAdj = minimumAdjByTable() else { return nil }
    let isDying = android.lastKill.map { now - $0 < android.rules.deathNanoseconds } ?? false
    guard
      LowMemoryKiller.maySelect(
        at: now, lastKill: android.lastKill, victimHoldsMemory: isDying)
    else {
      armDriver()
      return nil
    }
    guard
      let open = openKill(
        KillCommand(trigger: .lowmemorykiller, minAdj: minAdj, order: nil))
    else { return nil }
    android.lastKill = now
    return open
  }

  /// The driver checks again when its victim is dead, or when it has waited long enough.
  private mutating func armDriver() {
    guard let lastKill = android.lastKill, !timers.isSet(.killTimeout, timers.device) else {
      return
    }
    let wait = min(android.rules.deathNanoseconds, LowMemoryKiller.pendingKillNanoseconds + 1)
    timers.set(
      .killTimeout, timers.device, at: max(now, lastKill.addingSaturated(wait)))
  }

  /// What the table says about memory as it is; nil: no app may go.
  mutating func minimumAdjByTable() -> Int16? {
    let rules = android.rules
    let available = android.pages(availableBytes)
    return rules.table.minimumAdj(
      otherFreePages: rules.memory.freePages(availablePages: available) - rules.reservePages,
      otherFilePages: rules.memory.filePages(availablePages: available))
  }

  private mutating func openDaemon() -> OpenDecision? {
    guard let wanted = android.order else { return nil }
    android.order = nil
    guard let open = openKill(wanted) else { return nil }
    if let order = wanted.order { android.daemon.didKill(order, at: now) }
    android.lastKill = now
    wakeAndroidUp()
    // Then it checks at once.
    android.nextPoll = now.addingSaturated(max(1, victimWaitNanoseconds()))
    android.pollsUntil = android.nextPoll.addingSaturated(android.rules.windowNanoseconds)
    return open
  }

  /// How long lmkd waits for a victim, in nanoseconds: until it is dead, or has taken too long.
  mutating func victimWaitNanoseconds() -> Int64 {
    let timeout = android.daemon.settings.killTimeoutNanoseconds
    let death = android.rules.deathNanoseconds
    return timeout == 0 ? death : min(timeout, death)
  }

  /// One victim among the apps of at least a value; none is recorded as such.
  private mutating func openKill(_ wanted: KillCommand) -> OpenDecision? {
    let adjuster = android.adjuster
    collectEligible { app, record in
      adjuster.adj(app) >= wanted.minAdj && record.footprintBytes > 0
    }
    let target = android.rules.contentBytes
    guard !decision.candidates.isEmpty else {
      recordNoVictim(trigger: wanted.trigger, target: target)
      return nil
    }
    return openDecision(.anyone, wanted.trigger, target: target, one: true)
  }

  /// Whether no killer has anything to do now; the next tick is set, before a time or after it.
  @inline(__always)
  mutating func isAndroidAtRest(until time: Int64) -> Bool {
    guard !android.adjuster.isStale, !android.isAnyTouched, !android.isAnyDue else { return false }
    guard android.rules.usesDaemon else { return minimumAdjByTable() == nil }
    guard android.order == nil else { return false }
    if android.isAsleep, android.pages(availableBytes) >= android.rules.quietPages { return true }
    if isDescending {
      android.descend(through: tickedThrough, to: availableBytes)
      return true
    }
    bringAndroidUpToDate()
    refreshFlow()
    let due = setAndroidTick()
    // It is worth its outlook if several more steps are taken in peace.
    if due == .max {
      let steps = (min(timers.queue.nextTime, instant.horizon) - now) / max(1, time - now)
      if steps > 4 { beginDescent(steps: steps + 2) }
    }
    return true
  }

  /// To the end of a descent, or to where an app reads pages again.
  mutating func androidGrowthRoom() -> GrowthRoom? {
    guard android.rules.usesDaemon, !android.limitsProcesses else { return nil }
    if isDescending {
      return GrowthRoom(leastAvailableBytes: android.descent.leastBytes, isFollowed: true)
    }
    let (bytes, overflow) = android.rules.quietPages.multipliedReportingOverflow(
      by: android.rules.pageSize.bytes)
    guard android.isAsleep, !overflow else { return nil }
    return GrowthRoom(leastAvailableBytes: bytes)
  }

  // MARK: Values

  /// An app changed its state, tasks or modes, so its `oom_score_adj` may change.
  mutating func androidStandingChanged(_ app: AppIndex, from before: AppState, to after: AppState) {
    guard apps.profiles[app.position].processKind == .app else {
      nativeStandingChanged(app, from: before, to: after)
      return
    }
    makeStandingStale(of: app)
    bringAndroidUpToDate()
    noteWork(of: app)
    guard before != after else { return }
    if before == .notRunning { android.adjuster.began(app) }
    if after == .notRunning { forgetStanding(app) }
    if before == .inactive, after == .background { trim(app, KeptTrims(hidesWindows: true)) }
  }

  /// Something of an app changed that the next pass must look at; limits by state do not wait for
  /// more.
  @inline(__always)
  mutating func makeStandingStale(of app: AppIndex) {
    android.adjuster.touch(app)
    if android.limitsProcesses { needsSettling = true }
  }

  /// The same of what is not any app's own.
  mutating func makeStandingsStale() {
    android.adjuster.makeStale()
    if android.limitsProcesses { needsSettling = true }
  }

  /// A daemon or a part of the system is no process of ActivityManager's: it keeps its value, is
  /// told nothing, and waits for memory only while it has work.
  private mutating func nativeStandingChanged(
    _ app: AppIndex, from before: AppState, to after: AppState
  ) {
    bringAndroidUpToDate()
    if after == .notRunning {
      forgetStanding(app)
    } else if before == .notRunning {
      rankNative(app)
    }
    noteWork(of: app)
  }

  /// An app that starts or stops work changes how long apps wait, and so when the next tick is
  /// needed.
  @inline(__always)
  private mutating func noteWork(of app: AppIndex) {
    guard android.rules.usesDaemon, android.stall.setRunning(app, isAtWork(app), at: now)
    else { return }
    needsSettling = true
  }

  private mutating func rankNative(_ app: AppIndex) {
    let written = apps.writtenAdj(app)
    android.adjuster.beganNative(app, adj: written == .min ? OomAdj.native : written)
    apps.ranks.standings[app.position].band = android.adjuster.adj(app)
    apps.ranks.standings[app.position].sinceNanoseconds = now
  }

  /// The trace told another value of an app that runs.
  mutating func androidRankWritten(_ app: AppIndex) {
    bringAndroidUpToDate()
    guard apps.profiles[app.position].processKind == .app else { return rankNative(app) }
    android.adjuster.touch(app)
  }

  /// Whether the app does something that memory may keep it waiting for: daemons, and the app behind
  /// a lock, whose activity has been stopped, only while they have something to do.
  private mutating func isAtWork(_ app: AppIndex) -> Bool {
    let record = apps[app]
    guard record.state.runsCode else { return false }
    let isIdle = apps.profiles[app.position].processKind != .app || app == topSleeping
    return !isIdle || record.openTaskCount > 0 || record.modes != 0
  }

  private mutating func forgetStanding(_ app: AppIndex) {
    android.adjuster.ended(app)
    apps.ranks.standings[app.position] = Standing()
    android.toldLevels[app.position] = 0
    android.lowMemoryTold[app.position] = .min
    android.keptTrims[app.position] = KeptTrims()
    let end = apps[app].lastEnd
    // What ActivityManager ends itself, it takes for no sign of low memory.
    let isByLimiter = forgetLimits(of: app)
    if end == .purge || end.isKill, !isByLimiter { android.hasKilled = true }
  }

  /// The process is gone, and its limits; the result is whether the Memory Limiter ended it.
  private mutating func forgetLimits(of app: AppIndex) -> Bool {
    guard android.limitsProcesses else { return false }
    defer { android.limited[app.position] = LimitedProcess() }
    return android.limited[app.position].zone == .due
  }

  /// Brings the values of `oom_score_adj` up to date where no kill is looked for.
  mutating func refreshStandings() {
    if android.adjuster.isStale { passAdjuster() }
  }

  private mutating func passAdjuster() {
    androidBox.value.adjuster.pass(apps, at: now, topSleeping: topSleeping)
    for app in android.adjuster.changed {
      apps.ranks.standings[app.position].band = android.adjuster.adj(app)
      apps.ranks.standings[app.position].order = android.adjuster.setOrder(app)
      apps.ranks.standings[app.position].sinceNanoseconds = now
    }
    if android.limitsProcesses { limitProcesses() }
    if !android.rules.usesDaemon { evaluateByCounts() }
    tellTrimLevels()
    if android.hasKilled { tellLowMemory() }
  }

  // MARK: Warnings

  /// Without stall information the framework goes by how many cached apps are left.
  private mutating func evaluateByCounts() {
    let adjuster = android.adjuster
    let limits = android.rules.limits
    let evaluated = MemoryFactor.byCounts(
      cached: adjuster.shownCount, empty: adjuster.emptyCount, trimCached: limits.trimCached,
      trimEmpty: limits.trimEmpty)
    let factor = android.factor.updated(
      to: evaluated, appCount: adjuster.running.count, countBefore: android.countAtEvaluation)
    android.countAtEvaluation = adjuster.running.count
    _ = enterFactor(factor)
  }

  /// The result is whether the factor is another one now.
  mutating func enterFactor(_ factor: MemoryFactor) -> Bool {
    guard factor != android.factor else { return false }
    android.factor = factor
    needsSettling = true
    if factor == .normal {
      for process in android.adjuster.running { android.toldLevels[process.app.position] = 0 }
    }
    return true
  }

  /// Tells running apps, the least recent first, the level of the factor, if it is higher than what
  /// they were told last.
  mutating func tellTrimLevels() {
    let level = android.factor.runningLevel
    guard level != .none, android.rules.tellsRunning else { return }
    // Cached apps run no code.
    let end =
      android.adjuster.isStale ? android.adjuster.running.count : android.adjuster.otherEnd
    for place in (0..<end).reversed() {
      let app = android.adjuster.running[place].app
      guard apps[app].state.runsCode, android.toldLevels[app.position] < level.rawValue else {
        continue
      }
      android.toldLevels[app.position] = level.rawValue
      trim(app, KeptTrims(level: level))
    }
  }

  /// A killer has taken the last cached app: the running ones hear of it, once a minute at most.
  private mutating func tellLowMemory() {
    android.hasKilled = false
    let adjuster = android.adjuster
    guard adjuster.shownCount + adjuster.emptyCount == 0 else { return }
    for process in adjuster.running.reversed() where apps[process.app].state.runsCode {
      let app = process.app
      let last = android.lowMemoryTold[app.position]
      guard last == .min || now - last >= Self.lowMemoryRestNanoseconds else { continue }
      android.lowMemoryTold[app.position] = now
      trim(app, KeptTrims(isLowMemory: true))
    }
  }

  /// Tells an app, or keeps for it what its main thread is too busy to hear.
  private mutating func trim(_ app: AppIndex, _ sent: KeptTrims) {
    guard apps[app].handlerRuns else {
      tell(app, sent)
      return
    }
    if sent.hidesWindows { android.keptTrims[app.position].hidesWindows = true }
    if sent.level != .none { android.keptTrims[app.position].level = sent.level }
    if sent.isLowMemory { android.keptTrims[app.position].isLowMemory = true }
  }

  /// The main thread is free.
  mutating func deliverKeptTrims(_ app: AppIndex) {
    let kept = android.keptTrims[app.position]
    guard kept != KeptTrims() else { return }
    android.keptTrims[app.position] = KeptTrims()
    tell(app, kept)
  }

  private mutating func tell(_ app: AppIndex, _ trims: KeptTrims) {
    if trims.hidesWindows { tell(app, .trimUIHidden) }
    if trims.level != .none {
      warn(app, trims.level == .runningCritical ? .critical : .warning, trims.level.message)
    }
    if trims.isLowMemory { warn(app, .critical, .lowMemory) }
  }

  private mutating func warn(_ app: AppIndex, _ cause: RecordedCause, _ message: Message) {
    noteWarning(app, cause)
    tell(app, message)
    armResponse(app)
  }

  private static let lowMemoryRestNanoseconds: Int64 = 60_000_000_000

  // MARK: Stalls

  /// An app took memory.
  @inline(__always)
  mutating func androidMemoryTaken(by app: AppIndex, bytes: Int64) {
    let after = android.pages(availableBytes)
    guard after < android.rules.lowAvailablePages, android.rules.usesDaemon else { return }
    if isDescending {
      android.descend(through: tickedThrough, to: availableBytes)
    } else {
      wakeAndroidUp()
    }
    let before = android.pages(availableBytes.addingSaturated(bytes))
    let direct = max(0, min(before, android.rules.minAvailablePages) - after)
    android.directScans += direct
    android.backgroundScans += max(0, min(before, android.rules.lowAvailablePages) - after) - direct
    if direct > 0 {
      stallForMemory(app, nanoseconds: Double(direct) * android.rules.reclaimNanoseconds)
    }
  }

  /// An app took memory in a descent, in which no app has to reclaim memory itself.
  mutating func androidDescended(by bytes: Int64) {
    android.descend(through: tickedThrough, to: availableBytes)
    let after = android.pages(availableBytes)
    let low = android.rules.lowAvailablePages
    if after < low {
      let before = android.pages(availableBytes.addingSaturated(bytes))
      android.backgroundScans += max(0, min(before, low) - after)
    }
  }

  /// Compresses an app's pages as far as there is swap, or takes them back; the result is what is
  /// compressed now, in bytes as they were in memory.
  mutating func androidSwap(_ app: AppIndex, to wantedBytes: Double) -> Double {
    let page = android.rules.pageSize.bytes
    let before = apps[app].swappedBytes
    let room = android.swapFreeBytes.addingSaturated(before)
    let bytes = min(Int64(min(wantedBytes, 9e18)), room) / page * page
    guard bytes != before else { return Double(bytes) }
    apps[app].swappedBytes = bytes
    android.swapUsedBytes += bytes - before
    if apps[app].state.runsCode { stallForSwap(app, pages: (bytes - before) / page) }
    return Double(bytes)
  }

  /// A running app waits for pages that it reads back, or that it must swap out itself.
  private mutating func stallForSwap(_ app: AppIndex, pages: Int64) {
    let each = pages < 0 ? android.rules.swapInNanoseconds : android.rules.reclaimNanoseconds
    stallForMemory(app, nanoseconds: Double(pages.magnitude) * each)
  }

  private mutating func stallForMemory(_ app: AppIndex, nanoseconds: Double) {
    guard android.rules.usesDaemon else { return }
    wakeAndroidUp()
    android.stall.setRunning(app, isAtWork(app), at: now)
    android.stall.stall(app, for: Int64(min(nanoseconds, 9e18).rounded()), at: now)
  }
}

extension TrimLevel {
  /// What an app that runs is told.
  var message: Message {
    switch self {
    case .runningModerate: .trimRunningModerate
    case .runningLow: .trimRunningLow
    case .runningCritical: .trimRunningCritical
    case .uiHidden: .trimUIHidden
    // Cached apps are suspended here: no app hears these.
    case .none, .background: .none
    }
  }
}
