/// When jetsam kills, and whom it lets the policy choose from.
extension Simulation {
  /// Available memory in pages, rounded down.
  ///
  /// Purgeable memory counts only where nothing is compressed.
  mutating func jetsamAvailablePages() -> Int64 {
    jetsam.pageSize.wholePages(availableBytes + (jetsam.compresses ? 0 : purgeableBytes))
  }

  /// How short memory is.
  mutating func jetsamLevel() -> PressureLevel {
    guard jetsam.compresses else {
      return jetsam.levels.next(
        after: level, available: jetsamAvailablePages(), suspendedCount: jetsam.suspendedCount,
        hasFrozen: jetsam.freezer.frozenCount > 0)
    }
    // The kernel compresses when pages are needed, not when an app is suspended.
    let next = levelByCompressor()
    return next > level && availableBytes >= warning.seenBytes ? level : next
  }

  private mutating func levelByCompressor() -> PressureLevel {
    let usable = configuration.device.ramBytes - systemBytes - jetsam.compressorBytes
    return jetsam.levels.next(
      after: level, uncompressed: jetsam.pageSize.pages(usable),
      compressor: jetsam.pageSize.pages(jetsam.compressorBytes))
  }

  /// Whether a higher level waits for an app that needs pages.
  private mutating func isJetsamLevelHeldBack() -> Bool {
    jetsam.compresses && levelByCompressor() > level
  }

  /// The next victim's band, or nil: called until nothing more is due.
  mutating func openJetsam() -> OpenDecision? {
    let available = jetsamAvailablePages()
    let isAwake = isJetsamAwake(availablePages: available)
    let maySweep = maySweep(availablePages: available)
    guard isAwake || maySweep else {
      workFreezer(availablePages: available)
      return nil
    }
    collectEligible { _, _ in true }
    let survey = surveyJetsam()
    if jetsam.aggression.isActive, let open = openAggressive(survey) { return open }
    let situation = situation(survey, availablePages: available, isAwake: isAwake)
    if let action = jetsam.loop.next(situation) { return open(action, situation, survey) }
    if let open = openSustained(survey) { return open }
    workFreezer(availablePages: available)
    return nil
  }

  private mutating func isJetsamAwake(availablePages: Int64) -> Bool {
    jetsam.reaper.isSweeping || jetsam.aggression.isActive || jetsam.sustained.isDue
      || jetsam.loop.isWoken(
        availablePages: availablePages, hasIdle: jetsam.idleCount > 0,
        isViolatorFlagged: jetsam.isViolatorFlagged)
  }

  private mutating func maySweep(availablePages: Int64) -> Bool {
    now >= jetsam.nextSweep && availablePages < jetsam.loop.thresholds.reaper
  }

  /// Whether the killer, the freezer and the sender of warnings have nothing to do before a time.
  mutating func isJetsamAtRest(until time: Int64) -> Bool {
    let available = jetsamAvailablePages()
    return (level == .normal || jetsam.delivery.isQuiet(until: time)) && !jetsam.freezer.isOn
      && !isJetsamAwake(availablePages: available)
      && !maySweep(availablePages: available)
  }

  /// Until memory has fallen to where a killer checks it, or the app has grown to where it is warned.
  mutating func jetsamGrowthRoom(for app: AppIndex) -> GrowthRoom? {
    let state = jetsam[app]
    let limit = state.limits.highwater(isActive: state.isActive)
    let mark =
      jetsam.era.hasLimits && limit != .max
      ? JetsamLimits.warning(limit: limit, percent: jetsam.limitWarningPercent) : limit
    guard apps[app].footprintBytes <= min(mark, limit), !isJetsamLevelHeldBack() else { return nil }
    let thresholds = jetsam.loop.thresholds
    var pages = max(thresholds.critical, thresholds.reaper)
    if jetsam.idleCount > 0 { pages = max(pages, thresholds.idle) }
    if jetsam.isViolatorFlagged { pages = max(pages, thresholds.highwater) }
    if !jetsam.compresses, level == .normal { pages = max(pages, thresholds.soft) }
    let purgeable = jetsam.compresses ? 0 : purgeableBytes
    return GrowthRoom(
      leastAvailableBytes: pages * jetsam.pageSize.bytes - purgeable,
      mostFootprintBytes: min(mark, limit),
      lastNanoseconds: level == .normal ? .max : jetsam.delivery.quietUntil)
  }

  // MARK: Looking around

  /// What one pass over all candidates shows.
  private struct JetsamSurvey {
    var lowestBand: Int16 = .max
    var lowestViolatorBand: Int16 = .max
    var idleCount: Int64 = 0
    /// In bands 0 and 10, and how many of them are likely to come back.
    var returningCount: Int64 = 0
    var likelyCount: Int64 = 0
    /// Start of the longest stay in band 0 that the reaper may end; `.max`: none.
    var oldestIdle: Int64 = .max
  }

  private mutating func surveyJetsam() -> JetsamSurvey {
    var survey = JetsamSurvey()
    for position in decision.candidates.indices {
      let app = decision.candidates[position].app
      let standing = apps.ranks.standings[app.position]
      let kind = jetsam[app].process.kind
      survey.lowestBand = min(survey.lowestBand, standing.band)
      if isViolator(app) {
        survey.lowestViolatorBand = min(survey.lowestViolatorBand, standing.band)
      }
      if standing.band == PriorityBand.idle { survey.idleCount += 1 }
      if standing.band == PriorityBand.idle || standing.band == PriorityBand.deferred {
        survey.returningCount += 1
        if case .daemon(.high) = kind { survey.likelyCount += 1 }
      }
      if jetsam.reaper.isSweepable(kind, standing) {
        survey.oldestIdle = min(survey.oldestIdle, standing.sinceNanoseconds)
      }
    }
    if survey.lowestViolatorBand == .max { jetsam.isViolatorFlagged = isAnyViolator() }
    return survey
  }

  /// Whether any app is over its limit, whether or not it may be killed.
  private mutating func isAnyViolator() -> Bool {
    guard jetsam.isViolatorFlagged else { return false }
    for position in 0..<residents.count where isViolator(residents[position]) { return true }
    return false
  }

  private mutating func isViolator(_ app: AppIndex) -> Bool {
    apps[app].footprintBytes > jetsam[app].highwaterBytes
  }

  private mutating func situation(
    _ survey: JetsamSurvey, availablePages: Int64, isAwake: Bool
  ) -> JetsamSituation {
    var situation = JetsamSituation(availablePages: availablePages)
    situation.hasIdle = survey.idleCount > 0
    let isHealthy = jetsam.loop.isHealthy(situation)
    if isHealthy {
      situation.hasReapable = findLongIdle(survey, availablePages: availablePages)
    } else {
      if survey.returningCount == 0 { jetsam.aggression.reset(at: now) }
      situation.callsForAggression = jetsam.aggression.isCalledFor(
        idleCount: survey.returningCount, likelyCount: survey.likelyCount,
        availablePages: availablePages, thresholds: jetsam.loop.thresholds)
    }
    situation.hasViolator =
      survey.lowestViolatorBand != .max && (isAwake || situation.hasReapable)
    return situation
  }

  /// Begins, goes on with, ends or waits for a sweep; true if an app is to be swept.
  private mutating func findLongIdle(
    _ survey: JetsamSurvey, availablePages: Int64
  ) -> Bool {
    let isAnyRipe =
      survey.oldestIdle != .max
      && now - survey.oldestIdle >= jetsam.reaper.ageNanoseconds
    if jetsam.reaper.isSweeping {
      if isAnyRipe { return true }
      jetsam.reaper.end(at: now)
    }
    guard availablePages < jetsam.loop.thresholds.reaper else { return false }
    guard survey.oldestIdle != .max else {
      jetsam.nextSweep = .max
      return false
    }
    let start = jetsam.reaper.start(oldest: survey.oldestIdle)
    jetsam.nextSweep = start
    guard start <= now else {
      timers.setOnce(.reaperSweep, timers.device, at: start)
      return false
    }
    jetsam.reaper.begin()
    return true
  }

  // MARK: Opening decisions

  private mutating func open(
    _ action: JetsamAction, _ situation: JetsamSituation, _ survey: JetsamSurvey
  ) -> OpenDecision? {
    let target = jetsam.loop.target(action, hasIdle: situation.hasIdle)
    switch action {
    case .highwater:
      keepJetsamCandidates(.violators(survey.lowestViolatorBand))
      return madeJetsam(.highwater, targetPages: target)
    case .idleExit:
      keepJetsamCandidates(.band(PriorityBand.idle))
      return madeJetsam(.idleExit, targetPages: target)
    case .longIdleExit:
      keepJetsamCandidates(.reapable)
      return madeJetsam(.longIdleExit, targetPages: target)
    case .aggressive:
      jetsam.aggression.begin(at: now)
      let limit = jetsam.aggression.target
      var belowTarget: Int64 = 0
      for position in decision.candidates.indices {
        let band = apps.ranks.standings[decision.candidates[position].app.position].band
        if band < limit { belowTarget += 1 }
      }
      jetsam.aggression.limit(toTwice: belowTarget)
      return openAggressive(survey)
    case .pageShortage:
      guard survey.lowestBand != .max else {
        recordNoVictim(trigger: .vmPageshortage, target: bytes(ofPages: target))
        return nil
      }
      keepJetsamCandidates(.band(survey.lowestBand))
      return madeJetsam(.vmPageshortage, targetPages: target)
    }
  }

  /// The next of an activation: the lowest band up to the target, whatever is available by now.
  private mutating func openAggressive(_ survey: JetsamSurvey) -> OpenDecision? {
    let band = survey.lowestBand
    guard band <= jetsam.aggression.target else {
      jetsam.aggression.stop()
      return nil
    }
    let target = jetsam.loop.critical(hasIdle: survey.idleCount > 0)
    jetsam.aggression.killed()
    keepJetsamCandidates(.band(band))
    return madeJetsam(.procThrashing, targetPages: target)
  }

  /// Pressure has lasted too long: one of band 0, then a pause.
  private mutating func openSustained(_ survey: JetsamSurvey) -> OpenDecision? {
    guard jetsam.sustained.isDue else { return nil }
    guard survey.idleCount > 0, jetsamLevel() != .normal else {
      jetsam.sustained.stop()
      return nil
    }
    if jetsam.sustained.killed() {
      timers.set(
        .pressureRest, timers.device, at: now + jetsam.sustained.pauseNanoseconds)
    }
    keepJetsamCandidates(.band(PriorityBand.idle))
    return madeJetsam(.sustainedMemoryPressure, targetPages: jetsam.loop.thresholds.soft)
  }

  private mutating func madeJetsam(
    _ trigger: RecordedCause, targetPages: Int64
  ) -> OpenDecision {
    openDecision(.anyone, trigger, target: bytes(ofPages: targetPages), one: true)
  }

  private mutating func bytes(ofPages pages: Int64) -> Int64 {
    let (bytes, overflows) = pages.multipliedReportingOverflow(by: jetsam.pageSize.bytes)
    return overflows ? .max : bytes
  }

  /// Whose turn it is.
  private enum JetsamTurn {
    case band(Int16)
    case violators(Int16)
    case reapable
  }

  /// Of all candidates, only those whose turn it is remain.
  private mutating func keepJetsamCandidates(_ turn: JetsamTurn) {
    var kept = 0
    for position in decision.candidates.indices {
      let candidate = decision.candidates[position]
      guard isTurn(of: candidate.app, turn) else { continue }
      decision.candidates[kept] = candidate
      kept += 1
    }
    while decision.candidates.count > kept { _ = decision.candidates.removeLast() }
    assert(kept > 0, "a decision that is opened wants at least one victim")
  }

  private mutating func isTurn(of app: AppIndex, _ turn: JetsamTurn) -> Bool {
    let standing = apps.ranks.standings[app.position]
    return switch turn {
    case .band(let band): standing.band == band
    case .violators(let band): standing.band == band && isViolator(app)
    case .reapable: jetsam.reaper.isReapable(jetsam[app].process.kind, standing, at: now)
    }
  }

  // MARK: Purging instead of killing

  /// Empties a victim's purgeable memory: what that gave, in bytes, and whether it is enough to
  /// spare the victim.
  mutating func drainPurgeable(
    _ victim: AppIndex, _ open: OpenDecision
  ) -> (bytes: Int64, isSpared: Bool) {
    let action: JetsamAction
    switch open.trigger {
    case .highwater: action = .highwater
    case .idleExit, .sustainedMemoryPressure: action = .idleExit
    case .longIdleExit: action = .longIdleExit
    case .vmPageshortage: action = .pageShortage
    default: return (0, false)
    }
    let before = availableBytes
    guard emptyPurgeable(victim), availableBytes > before else { return (0, false) }
    let isSpared = jetsam.loop.spares(
      action, availablePages: jetsamAvailablePages(), footprintBytes: apps[victim].footprintBytes,
      limitBytes: jetsam[victim].highwaterBytes)
    return (availableBytes - before, isSpared)
  }

  // MARK: Timers

  /// Handles a timer of the model that is due.
  mutating func fireJetsam(_ timer: Timer) {
    switch timer.kind {
    case .ageing: age(AppIndex(rawValue: timer.subject))
    case .sustainedPressure: beginSustained()
    case .pressureRest: jetsam.sustained.resume()
    case .reaperSweep, .pressurePoll: break
    default: return
    }
    needsSettling = true
  }

  private mutating func beginSustained() {
    collectEligible { _, _ in true }
    jetsam.sustained.begin(idleCount: surveyJetsam().idleCount)
  }
}
