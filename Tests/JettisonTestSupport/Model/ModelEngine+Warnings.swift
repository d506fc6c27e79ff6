import JettisonCore

extension ModelEngine {
  // MARK: Levels

  /// How short memory is, given the level that holds.
  func levelNow() -> PressureLevel {
    switch configuration.pressure {
    case .thresholds: hysteresis()
    case .ios4: plainLevel(of: noted(available))
    default: .normal
    }
  }

  private func plainLevel(of bytes: Int64) -> PressureLevel {
    if bytes < atLeast(device.thresholds.criticalPercent) { return .critical }
    return bytes < atLeast(device.thresholds.warnPercent) ? .warning : .normal
  }

  /// Whole bytes that are not below a percentage of RAM.
  private func atLeast(_ percent: Double) -> Int64 {
    Int64((percent * Double(device.ramBytes) / 100).rounded(.up))
  }

  /// A level is worse where it begins; a level that holds goes on until it is left.
  private func hysteresis() -> PressureLevel {
    let thresholds = device.thresholds
    func isLeft(_ percent: Double) -> Bool {
      let threshold = percent * Double(device.ramBytes) / 100
      return Double(available) > threshold * ((100 + thresholds.returnPercent) / 100)
    }
    let begun = plainLevel(of: available)
    var held = PressureLevel.normal
    if level != .normal, !isLeft(max(thresholds.warnPercent, thresholds.criticalPercent)) {
      held = .warning
    }
    if level == .critical, !isLeft(thresholds.criticalPercent) { held = .critical }
    return max(begun, held)
  }

  /// What `ios-4` knows of memory once `bytes` are available.
  func noted(_ bytes: Int64) -> Int64 {
    let last = notedMemory ?? bytes
    let critical = atLeast(device.thresholds.criticalPercent)
    let step = device.thresholds.stepPercent * Double(device.ramBytes) / 100
    let moved = Double(bytes > last ? bytes - last : last - bytes)
    let isFar = moved >= step
    let passesCritical =
      (bytes < critical && last >= critical) || (bytes >= critical && last < critical)
    return isFar || passesCritical ? bytes : last
  }

  /// The level is what memory makes it; at normal everyone may hear again.
  func followLevel() {
    let new = levelNow()
    if configuration.pressure == .ios4 { notedMemory = noted(available) }
    if new == level { return }
    notedNoVictim = false
    if new == .normal {
      pressedSince = nil
      timers.cancel(.purgeDelay, .none)
      stopRound()
      for app in apps { app.life?.heard = .normal }
    } else if let round, round.level > new {
      self.round?.level = new
    }
    if level == .normal {
      pressedSince = now
      let delay = configuration.warningPurgeDelayNanoseconds
      if delay > 0 { timers.set(.purgeDelay, .none, at: ModelArithmetic.sum(now, delay)) }
    }
    level = new
  }

  // MARK: Rounds

  func startRound(at level: PressureLevel) {
    stopRound()
    round = ModelRound(level: level, sawPurge: purgeCount > purgesBeforeSettling)
    continueRound()
  }

  private func stopRound() {
    timers.cancel(.warningRound, .none)
    round = nil
  }

  /// Tells the next app, the others later; the round is over when nobody is left.
  func continueRound() {
    guard let round else { return }
    guard let hearer = nextHearer(of: round) else { return stopRound() }
    warn(hearer, round)
    timers.set(.warningRound, .none, at: now + (round.sawPurge ? 0 : Self.warningSpacing))
  }

  /// After a purge or kill the next warning is not kept waiting.
  func dropWarningSpacing() {
    guard round != nil else { return }
    round?.sawPurge = true
    guard timers.time(of: .warningRound, .none) != nil else { return }
    timers.cancel(.warningRound, .none)
    timers.set(.warningRound, .none, at: now)
  }

  /// Background apps before the front app, those longest in the background first.
  private func nextHearer(of round: ModelRound) -> ModelApp? {
    let hearers = apps.filter { app in
      guard let life = app.life else { return false }
      return life.state.runsCode && life.heard < round.level
    }
    let background = hearers.filter { $0 !== front }
    return background.min {
      ($0.life?.lastUsed ?? 0, $0.index) < ($1.life?.lastUsed ?? 0, $1.index)
    } ?? hearers.first
  }

  private func warn(_ app: ModelApp, _ round: ModelRound) {
    app.life?.heard = round.level
    if app.life?.handlerSave == nil {
      hearWarning(app, round.level)
    } else {
      app.life?.keptWarning = round.level
    }
  }

  func hearWarning(_ app: ModelApp, _ level: PressureLevel) {
    app.life?.lastHeard = now
    emit(.warning, app) { $0.cause = level == .critical ? .critical : .warning }
    count(app) { $0.warnings += 1 }
    tell(app, .didReceiveMemoryWarning, .didReceiveMemoryWarningNotification)
    let profile = app.profile
    let responds = happens(
      profile.warningResponseProbability, app, episode: 0, .warningResponse)
    guard responds, timers.time(of: .response, app.index) == nil else { return }
    timers.set(
      .response, app.index, at: ModelArithmetic.sum(now, profile.warningDelayNanoseconds))
  }

  // MARK: Responses

  func respond(_ app: ModelApp) {
    let before = footprint(of: app)
    let purgeable = app.blocks.indices.filter {
      app.blocks[$0].isPurgeable && !app.blocks[$0].isDropped
    }
    for i in purgeable { app.blocks[i].isDropped = true }
    if purgeable.isEmpty, let ballast = app.life?.ballast {
      // What an earlier warning has freed cannot be freed again.
      let earlier = app.life?.released ?? 0
      let releasable = max(
        0, ModelArithmetic.share(before + earlier, app.profile.releasablePPM) - earlier)
      let released = min(
        ballast, ModelArithmetic.share(releasable, app.profile.warningReleasePPM))
      app.life?.ballast = ballast - released
      app.life?.released = earlier + released
    }
    let drop = before - footprint(of: app)
    emit(.response, app) { $0.bytes = drop }
    count(app) {
      $0.warningsAnswered += drop > 0 ? 1 : 0
      $0.warningReleasedBytes += drop
    }
    saveOnWarning(app)
    memoryChanged()
  }
}
