/// Android's Memory Limiter in the engine: <doc:AndroidModel#Memory-Limiter>.
extension Simulation {
  // MARK: Limits

  /// Gives every app the limits of its process state, after a pass, in order of names.
  mutating func limitProcesses() {
    guard let limiter = android.rules.limiter, !followed.isOn else { return }
    android.isAnyTouched = false
    for position in 0..<apps.count where isLimited(position) {
      let app = AppIndex(position)
      let limitClass = limitClass(of: app)
      let isNew = limitClass != android.limited[app.position].limitClass
      if isNew { android.limited[app.position].enter(limitClass, limiter) }
      let held = apps[app].footprintBytes
      if isNew || android.limited[app.position].needsPoll(heldBytes: held, limiter) {
        pollLimit(app, limiter)
      }
    }
    counters.noteAvailable(availableBytes)
  }

  /// Polls those whose memory changed where no pass is due.
  mutating func pollTouched() {
    guard android.isAnyTouched, let limiter = android.rules.limiter else { return }
    android.isAnyTouched = false
    for position in 0..<apps.count where android.limited[position].isTouched {
      pollLimit(AppIndex(position), limiter)
    }
    counters.noteAvailable(availableBytes)
  }

  /// Whether an app is a process of ActivityManager's now.
  private mutating func isLimited(_ position: Int) -> Bool {
    apps.records[position].state != .notRunning
      && apps.profiles[position].processKind == .app
  }

  private mutating func limitClass(of app: AppIndex) -> LimitClass {
    let userID = apps.profiles[app.position].userID
    if (0..<MemoryLimiter.firstAppUserID).contains(userID) { return .unlimited }
    return android.adjuster.processState(of: app, apps[app], topSleeping: topSleeping).limitClass
  }

  private mutating func pollLimit(_ app: AppIndex, _ limiter: MemoryLimiter) {
    let record = apps[app]
    android.limited[app.position].isTouched = false
    let passes = android.limited[app.position]
      .passesHigh(heldBytes: record.footprintBytes, runs: record.state.runsCode)
    if passes { setLimiterTimer(app, after: limiter.pollNanoseconds) }
    reclaimAboveLimit(app, limiter)
  }

  private mutating func setLimiterTimer(_ app: AppIndex, after nanoseconds: Int64) {
    timers.set(
      .ownLimit, app.rawValue, at: now.addingSaturated(nanoseconds))
  }

  // MARK: Pages

  /// A footprint changed, and its charge has yet to follow.
  @inline(never)
  mutating func limitedFootprintChanged(_ app: AppIndex) {
    guard let limiter = android.rules.limiter else { return }
    let held = apps[app].footprintBytes
    freeSwapped(app, bytes: apps[app].swappedBytes - held)
    guard android.limited[app.position].needsPoll(heldBytes: held, limiter) else { return }
    android.limited[app.position].isTouched = true
    android.isAnyTouched = true
    needsSettling = true
  }

  /// Forgets swapped pages that were freed, whole ones: they need not be read back.
  private mutating func freeSwapped(_ app: AppIndex, bytes: Int64) {
    guard bytes > 0 else { return }
    let page = android.rules.pageSize.bytes
    let left = max(0, apps[app].swappedBytes - bytes) / page * page
    android.swapUsedBytes -= apps[app].swappedBytes - left
    apps[app].swappedBytes = left
  }

  /// Takes from an app what is above its limit, or gives it back.
  private mutating func reclaimAboveLimit(_ app: AppIndex, _ limiter: MemoryLimiter) {
    let record = apps[app]
    let freed = android.limited[app.position].reclaim(heldBytes: record.footprintBytes, limiter)
    guard configuration.device.compression != nil else { return }
    if record.state.runsCode { freeSwapped(app, bytes: freed) }
    updateCharge(app)
  }

  /// What of an app is to be swapped where `suspendedBytes` would be because it is suspended, in
  /// bytes.
  mutating func limitedSwap(_ app: AppIndex, _ suspendedBytes: Double) -> Double {
    let process = android.limited[app.position]
    let reclaimed = Double(min(process.reclaimedBytes, apps[app].footprintBytes))
    return min(max(suspendedBytes, reclaimed), Double(process.swapMaxBytes))
  }

  // MARK: Time

  /// An app in the red zone is polled, or the time of one that held too much is over.
  mutating func fireMemoryLimiter(_ app: AppIndex) {
    guard let limiter = android.rules.limiter else { return }
    needsSettling = true
    switch android.limited[app.position].zone {
    case .red:
      android.limited[app.position].poll(heldBytes: apps[app].footprintBytes, limiter)
      armAfterPoll(app, limiter)
      reclaimAboveLimit(app, limiter)
    case .hot:
      android.limited[app.position].expire()
      android.isAnyDue = true
    case .green, .due: break
    }
  }

  private mutating func armAfterPoll(_ app: AppIndex, _ limiter: MemoryLimiter) {
    switch android.limited[app.position].zone {
    case .red: setLimiterTimer(app, after: limiter.pollNanoseconds)
    case .hot: setLimiterTimer(app, after: limiter.graceNanoseconds)
    case .green, .due: break
    }
  }

  /// The end of an app whose time is over: a decision without a choice.
  mutating func openMemoryLimiter() -> OpenDecision? {
    guard android.isAnyDue else { return nil }
    for position in 0..<apps.count where android.limited[position].zone == .due {
      let record = apps.records[position]
      guard !record.isPinned, !record.isPinnedByOption else {
        // Pinned meanwhile: as a persistent process it has no limits any longer.
        android.limited[position] = LimitedProcess()
        continue
      }
      decision.candidates.removeAll()
      addCandidate(AppIndex(position), record)
      return openDecision(.anyone, .memoryLimiter, target: availableBytes, one: true)
    }
    android.isAnyDue = false
    return nil
  }
}
