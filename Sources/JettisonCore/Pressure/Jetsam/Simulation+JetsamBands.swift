/// Which band an app is in, what it may use there, and what of it is compressed or frozen.
extension Simulation {
  // MARK: Bands

  /// An app changed its state, tasks or modes, so its band may change.
  mutating func jetsamStandingChanged(_ app: AppIndex, from before: AppState, to after: AppState) {
    if before != after {
      if before == .suspended { jetsam.suspendedCount -= 1 }
      if after == .suspended { jetsam.suspendedCount += 1 }
    }
    guard after != .notRunning else {
      forgetProcess(app)
      return
    }
    if before == .suspended, jetsam[app].isFrozen { thaw(app) }
    let band = requestedBand(app)
    let isNew = apps.ranks.standings[app.position].band == .min
    guard isNew || band != jetsam[app].process.requested else { return }
    request(band, app)
  }

  /// Asks for a band, and follows up what that means.
  private mutating func request(_ band: Int16, _ app: AppIndex) {
    let before = apps.ranks.standings[app.position].band
    jetsamBox.value.request(band, app, &apps.ranks.standings[app.position], at: now)
    moved(app, from: before)
  }

  private mutating func moved(_ app: AppIndex, from before: Int16) {
    let after = apps.ranks.standings[app.position].band
    if before == PriorityBand.idle { jetsam.idleCount -= 1 }
    if after == PriorityBand.idle {
      jetsam.idleCount += 1
      jetsam.nextSweep = .min
    }
    guard after != .min else { return }
    armAgeing(app)
    updateLimits(app)
  }

  /// `present`: the app asked for its place before the capture began.
  mutating func placePresent(_ app: AppIndex, since: Int64) {
    if apps[app].state == .suspended { jetsam.suspendedCount += 1 }
    jetsamBox.value.place(
      requestedBand(app), app, &apps.ranks.standings[app.position], since: since, at: now)
    moved(app, from: .min)
  }

  /// What the system's app life cycle asks for an app, by its state.
  private mutating func requestedBand(_ app: AppIndex) -> Int16 {
    let record = apps[app]
    let profile = apps.profiles[app.position]
    let own = profile.band
    let works = record.openTaskCount > 0 || record.modes != 0
    if app == front || record.state == .active || record.state == .inactive {
      return max(own, PriorityBand.foreground)
    }
    switch profile.processKind {
    case .system: return own >= 0 ? own : PriorityBand.important
    case .daemon:
      guard works else { return PriorityBand.idle }
      return own >= 0 ? own : PriorityBand.background
    case .app:
      if record.state == .suspended { return PriorityBand.idle }
      if works { return own >= 0 ? own : PriorityBand.background }
      return record.wokenAt >= 0 ? PriorityBand.background : PriorityBand.foregroundSupport
    }
  }

  private mutating func armAgeing(_ app: AppIndex) {
    let end = jetsam[app].process.ageingEnd
    if end >= 0 {
      timers.setOnce(.ageing, app.rawValue, at: max(now, end))
    } else {
      timers.cancel(.ageing, app.rawValue)
    }
  }

  /// Ageing is over.
  mutating func age(_ app: AppIndex) {
    let works = apps[app].openTaskCount > 0 || apps[app].modes != 0
    let before = apps.ranks.standings[app.position].band
    jetsamBox.value.age(app, &apps.ranks.standings[app.position], works: works, at: now)
    moved(app, from: before)
    decision.isMuted = false
  }

  private mutating func forgetProcess(_ app: AppIndex) {
    if jetsam[app].process.wasFrozen { jetsam.freezer.forget() }
    jetsam.apps[app.position].process = JetsamProcess(jetsam[app].process.kind)
    jetsam.apps[app.position].isFrozen = false
    jetsam.apps[app.position].heardWarning = false
    jetsam.apps[app.position].heardCritical = false
    jetsam.apps[app.position].limitWarning.rearm()
    let before = apps.ranks.standings[app.position].band
    apps.ranks.standings[app.position] = Standing()
    moved(app, from: before)
    timers.cancel(.ageing, app.rawValue)
  }

  // MARK: Limits

  /// Active or inactive limits come into force; what is over the new ones is not killed for it.
  private mutating func updateLimits(_ app: AppIndex) {
    let works = apps[app].openTaskCount > 0 || apps[app].modes != 0
    let isActive = JetsamLimits.isActive(
      jetsam[app].process, band: apps.ranks.standings[app.position].band, isDirty: works)
    guard isActive != jetsam[app].isActive else { return }
    jetsam[app].enforce(active: isActive, warningPercent: jetsam.limitWarningPercent)
    jetsam[app].limitWarning.rearm()
    apps[app].limitBytes = jetsam[app].limits.fatal(isActive: isActive)
  }

  /// A footprint changed: an app above its limit is noted, one that comes near it is warned.
  @inline(never)
  mutating func checkLimit(_ app: AppIndex, from before: Int64, to after: Int64) {
    let limit = jetsam[app].highwaterBytes
    guard limit != .max else { return }
    if after > limit, after > before { jetsam.isViolatorFlagged = true }
    guard jetsam.era.hasLimits else { return }
    let passes = jetsam[app].limitWarning.passes(
      jetsam[app].warningBytes, from: before, to: after)
    // An app that was present has come to its footprint before the capture began.
    guard passes, after <= apps[app].limitBytes, apps[app].state.runsCode,
      apps.ranks.standings[app.position].band != .min
    else { return }
    warn(app, .limit)
  }

  // MARK: Compression

  /// Keeps count of the RAM that compressed memory takes.
  mutating func noteCompressed(_ app: AppIndex, bytes: Int64) {
    jetsam.compressorBytes += bytes - jetsam[app].compressorBytes
    jetsam.apps[app.position].compressorBytes = bytes
  }

  // MARK: The freezer

  /// Freezes the app that has been idle for longest, if the freezer may work.
  mutating func workFreezer(availablePages: Int64) {
    guard jetsam.freezer.isOn else { return }
    let thresholds = jetsam.loop.thresholds
    guard availablePages <= thresholds.freeze else { return }
    if now < jetsam.freezer.nextFreeze {
      if timers.queue.pollTime != jetsam.freezer.nextFreeze {
        timers.queue.setPoll(at: jetsam.freezer.nextFreeze)
      }
      return
    }
    guard jetsam.freezer.mayFreeze(availablePages: availablePages, thresholds: thresholds, at: now)
    else { return }
    let app = nextToFreeze()
    guard app != .none else { return }
    let written = frozenBytes(app)
    guard jetsam.freezer.spend(written, at: now) else { return }
    jetsam.apps[app.position].process.wasFrozen = true
    jetsam.apps[app.position].isFrozen = true
    request(PriorityBand.freezer, app)
    updateCharge(app)
    timers.queue.setPoll(at: jetsam.freezer.nextFreeze)
  }

  /// What an app writes: all of it, compressed.
  private mutating func frozenBytes(_ app: AppIndex) -> Int64 {
    let ratio = configuration.device.compression?.ratio ?? 1
    return Int64((Double(apps[app].footprintBytes) / max(1, ratio)).rounded())
  }

  private mutating func nextToFreeze() -> AppIndex {
    var next = AppIndex.none
    for position in 0..<residents.count {
      let app = residents[position]
      let record = apps[app]
      let standing = apps.ranks.standings[app.position]
      guard
        jetsam.freezer.isCandidate(
          jetsam[app].process, band: standing.band, isSuspended: record.state == .suspended,
          footprintBytes: record.footprintBytes)
      else { continue }
      if next != .none {
        let best = apps.ranks.standings[next.position]
        if (best.band, best.order) <= (standing.band, standing.order) { continue }
      }
      next = app
    }
    return next
  }

  /// A frozen app runs again: its memory comes back from flash.
  private mutating func thaw(_ app: AppIndex) {
    jetsam.apps[app.position].isFrozen = false
    updateCharge(app)
  }
}
