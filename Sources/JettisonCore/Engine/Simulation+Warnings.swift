/// The round in which apps are told, one at a time, that memory is short, and what is known of
/// memory.
struct WarningRound: BitwiseCopyable {
  /// Level of the round; normal: none is under way.
  var level = PressureLevel.normal
  /// A purge or kill has happened since the round began: no more time between apps.
  var hurries = false
  /// Available memory when the level was read last, in bytes.
  var seenBytes: Int64
  /// Available memory as `ios-4` noted it last, in bytes.
  var notedBytes: Int64
  /// Whether the level has been read.
  var hasBeenRead = false

  init(availableBytes: Int64) {
    seenBytes = availableBytes
    notedBytes = availableBytes
  }
}

extension Simulation {
  static let warningSpacingNanoseconds: Int64 = 250_000_000

  // MARK: Levels

  /// Enters the level that available memory gives; a fall ends the round of a higher level.
  @inline(__always)
  mutating func updateLevel() {
    guard traits.hasLimits else { return }
    if traits.levelIsOfMemoryAlone, availableBytes == warning.seenBytes, warning.hasBeenRead {
      return
    }
    warning.hasBeenRead = true
    let newLevel = pressureLevel()
    if newLevel != level { enterLevel(newLevel) }
    if availableBytes != warning.seenBytes { noteMemory() }
  }

  /// Memory has changed: the model may note it, and may have an app to warn.
  @inline(never)
  private mutating func noteMemory() {
    let before = warning.seenBytes
    warning.seenBytes = availableBytes
    model.memoryMoved(from: before, &self)
  }

  @inline(never)
  private mutating func enterLevel(_ newLevel: PressureLevel) {
    let before = level
    if before == .normal { pressureSince = now }
    level = newLevel
    decision.isMuted = false
    model.levelChanged(from: before, &self)
  }

  /// Ends a round whose pressure is over: everyone may be told again.
  ///
  /// When critical turns to warning it goes on for those who have not heard yet.
  mutating func lowerRound(to newLevel: PressureLevel) {
    if newLevel == .normal {
      endRound()
      for position in 0..<residents.count { apps[residents[position]].heardLevel = .normal }
    } else if warning.level > newLevel {
      warning.level = newLevel
    }
  }

  private mutating func endRound() {
    warning.level = .normal
    timers.cancel(.warningDelivery, timers.device)
  }

  // MARK: Rounds

  /// Begins a round: the first app is told at once.
  mutating func startRound() {
    guard traits.tellsInRounds else { return }
    warning.level = level
    warning.hurries = decision.hasPurged
    model.deliverWarning(&self)
  }

  /// Tells the least important app that has not heard yet, or ends the round.
  mutating func tellNext() {
    guard let app = nextHearer() else {
      endRound()
      return
    }
    apps[app].heardLevel = warning.level
    warn(app, warning.level == .critical ? .critical : .warning)
    let spacing = warning.hurries ? 0 : Self.warningSpacingNanoseconds
    timers.set(.warningDelivery, timers.device, at: now + spacing)
  }

  /// A purge has begun: apps that have not heard yet are warned now.
  @inline(__always)
  mutating func dropWarningSpacing() {
    if warning.level != .normal { pullDelivery() }
  }

  @inline(never)
  private mutating func pullDelivery() {
    warning.hurries = true
    if timers.isSet(.warningDelivery, timers.device) {
      timers.set(.warningDelivery, timers.device, at: now)
    }
  }

  /// Background apps first, longest out of the front first; the app in front last.
  private mutating func nextHearer() -> AppIndex? {
    var next: AppIndex?
    for position in 0..<residents.count {
      let app = residents[position]
      guard app != front, mayHear(app) else { continue }
      if let chosen = next, !isLessImportant(app, than: chosen) { continue }
      next = app
    }
    if next == nil, front != .none, mayHear(front) { next = front }
    return next
  }

  private mutating func isLessImportant(_ a: AppIndex, than b: AppIndex) -> Bool {
    let usedA = apps.lastUsedNanoseconds(a)
    let usedB = apps.lastUsedNanoseconds(b)
    return usedA != usedB ? usedA < usedB : a < b
  }

  /// Runs code, and has heard neither of this level nor of a higher one since it was normal.
  private mutating func mayHear(_ app: AppIndex) -> Bool {
    let record = apps[app]
    return record.state.runsCode && record.heardLevel < warning.level
  }

  /// Tells an app that memory is short, or that its own limit is near; one whose main thread is busy
  /// hears the newest of its warnings when that is free.
  mutating func warn(_ app: AppIndex, _ cause: RecordedCause) {
    guard !apps[app].handlerRuns else {
      apps[app].keptWarning = cause
      return
    }
    noteWarning(app, cause)
    tell(app, .didReceiveMemoryWarning, .didReceiveMemoryWarningNotification)
    armResponse(app)
  }

  /// Counts and records that an app is warned.
  mutating func noteWarning(_ app: AppIndex, _ cause: RecordedCause) {
    counters[app].warnings += 1
    apps[app].lastWarned = now
    if log.wantsEvents {
      var row = EventRecord(.warning, app: app, at: now)
      row.cause = cause
      log.record(row)
    }
  }

  /// The app answers after its delay, if it answers warnings at all.
  mutating func armResponse(_ app: AppIndex) {
    guard answersWarnings(app), !timers.isSet(.response, app.rawValue) else { return }
    let delay = apps.profiles[app.position].warningDelayNanoseconds
    timers.set(.response, app.rawValue, at: now + delay)
  }

  /// Drawn once per user and app.
  private mutating func answersWarnings(_ app: AppIndex) -> Bool {
    if let answers = apps[app].answersWarnings { return answers }
    let probability = apps.profiles[app.position].warningResponseProbability
    var answers = probability >= 1
    if probability > 0, probability < 1 {
      counters.system.drew = true
      answers =
        draws.uniform(entity: apps.entity(app), episode: 0, purpose: .warningResponse)
        < probability
    }
    apps[app].answersWarnings = answers
    return answers
  }

  // MARK: Responses

  /// The app answers: it gives back what it can spare, and may save.
  mutating func respond(_ app: AppIndex) {
    let before = apps[app].footprintBytes
    release(app)
    let released = before - apps[app].footprintBytes
    if released > 0 { counters[app].warningsAnswered += 1 }
    counters[app].warningReleasedBytes.addSaturated(released)
    if log.wantsEvents {
      var row = EventRecord(.response, app: app, at: now)
      row.bytes = released
      log.record(row)
    }
    accrueEdits(app)
    if apps.profiles[app.position].saveTriggers.contains(.warning),
      apps[app].ledger.hasUnsaved
    {
      startSave(app, trigger: .warning, captured: nil, holdsTask: false)
    }
  }
}
