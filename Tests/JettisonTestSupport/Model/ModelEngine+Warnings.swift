import JettisonCore

extension ModelEngine {
  // MARK: Rounds

  func startRound(at level: PressureLevel) {
    cancelRound()
    roundCount += 1
    round = ModelRound(number: roundCount, level: level, lastDelivery: now)
    round?.sawPurge = purgeCount > purgesBeforeSettling
    deliverNext()
  }

  func cancelRound() {
    timers.cancel(.warningRound, .none)
    round = nil
  }

  /// The round's timer: the next delivery, or the repeat.
  func continueRound() {
    guard let round else { return }
    if !round.isOver { return deliverNext() }
    if round.level == level { startRound(at: level) } else { cancelRound() }
  }

  /// After a purge or kill the next warning is not kept waiting.
  func hurryRound() {
    guard let round else { return }
    self.round?.sawPurge = true
    guard !round.isOver, timers.time(of: .warningRound, .none) != nil else { return }
    timers.cancel(.warningRound, .none)
    timers.set(.warningRound, .none, at: now)
  }

  private func deliverNext() {
    guard let round else { return }
    guard let hearer = nextHearer(of: round) else {
      self.round?.isOver = true
      timers.set(.warningRound, .none, at: round.lastDelivery + Self.warningInterval)
      return
    }
    warn(hearer, round)
    self.round?.lastDelivery = now
    timers.set(.warningRound, .none, at: now + (round.sawPurge ? 0 : Self.warningSpacing))
  }

  /// Background apps before the front app, those longest in the background first.
  private func nextHearer(of round: ModelRound) -> ModelApp? {
    let hearers = apps.filter { app in
      guard let life = app.life, life.state.runsCode, life.toldInRound != round.number else {
        return false
      }
      let heard = round.level == .critical ? life.heardCritical : life.heardWarning
      return heard.map { now - $0 >= Self.warningInterval } ?? true
    }
    let background = hearers.filter { $0 !== front }
    return background.min {
      ($0.life?.lastUsed ?? 0, $0.index) < ($1.life?.lastUsed ?? 0, $1.index)
    } ?? hearers.first
  }

  private func warn(_ app: ModelApp, _ round: ModelRound) {
    app.life?.toldInRound = round.number
    if round.level == .critical {
      app.life?.heardCritical = now
    } else {
      app.life?.heardWarning = now
    }
    emit(.warning, app) { $0.cause = round.level == .critical ? .critical : .warning }
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
      let releasable = Double(before) * Double(app.profile.releasablePPM) / 1e6
      let released = Int64(
        (releasable * Double(app.profile.warningReleasePPM) / 1e6).rounded())
      app.life?.ballast = max(0, ballast - released)
    }
    let drop = before - footprint(of: app)
    emit(.response, app) { $0.bytes = drop }
    count(app) {
      $0.warningsAnswered += 1
      $0.warningReleasedBytes += drop
    }
    saveOnWarning(app)
    memoryChanged()
  }
}
