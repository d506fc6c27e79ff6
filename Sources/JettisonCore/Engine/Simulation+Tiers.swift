/// When apps are purged or killed, in which tiers, and how it is carried out.
extension Simulation {
  // MARK: Settling

  /// Limits, level and warnings at this instant; tiers follow.
  ///
  /// The result is the level before, which the warning order needs afterwards.
  @inline(__always)
  mutating func beginSettling() -> PressureLevel {
    needsSettling = false
    decision.hasPurged = false
    decision.openNumber = nil
    let before = level
    if limits.isExceeded { enforceLimits() }
    if traits.hasLimits { counters.noteAvailable(availableBytes) }
    counters.checkPurges(availableBytes: availableBytes)
    updateLevel()
    if level > before, configuration.warningOrder != .purgeThenWarn { startRound() }
    return before
  }

  /// The level that is left after the tiers, and the warnings that come after them.
  @inline(__always)
  mutating func endSettling(levelBefore: PressureLevel) {
    counters.checkPurges(availableBytes: availableBytes)
    updateLevel()
    switch configuration.warningOrder {
    case .warnThenPurge: break
    case .purgeThenWarn: if level > levelBefore { startRound() }
    case .both: if decision.hasPurged, level != .normal { startRound() }
    }
    if traits.followsApps { model.settled(&self) }
    // What the decisions themselves changed is settled.
    needsSettling = false
    decision.openNumber = nil
  }

  /// An app over its own fatal limit dies at once, in front or not.
  @inline(never)
  private mutating func enforceLimits() {
    limits.isExceeded = false
    for position in 0..<apps.count {
      guard apps.records[position].passedLimit else { continue }
      apps.records[position].passedLimit = false
      if followed.isOn { continue }
      let record = apps.records[position]
      guard record.footprintBytes > record.limitBytes else { continue }
      kill(AppIndex(position), cause: .limitKill, recorded: .limit)
    }
  }

  // MARK: Opening decisions

  /// Looks for the next decision; its candidates are in `decision.candidates` without scores.
  mutating func openDecision() -> OpenDecision? {
    decision.openNumber = nil
    return followed.isOn ? openFollowed() : model.nextDecision(&self)
  }

  /// Whether tier 1 waits for warnings to be answered (`warning.purge-delay`).
  mutating func isHeldForWarnings() -> Bool {
    let due = pressureSince + configuration.warningPurgeDelayNanoseconds
    guard configuration.warningPurgeDelayNanoseconds > 0, level != .normal, availableBytes >= 0,
      now < due
    else { return false }
    if !timers.isSet(.purgeDelay, timers.device) {
      timers.set(.purgeDelay, timers.device, at: due)
    }
    return true
  }

  /// The first tier with a candidate; its candidates are collected.
  mutating func collectFirstTier(overSoftLimitOnly: Bool = false) -> Tier? {
    for rawValue in Tier.suspended.rawValue...Tier.front.rawValue {
      guard let tier = Tier(rawValue: rawValue) else { continue }
      collect(tier, overSoftLimitOnly: overSoftLimitOnly)
      if !decision.candidates.isEmpty { return tier }
    }
    return nil
  }

  /// The app that waits is so large; nil: it fits, or no app may go for it.
  @inline(__always)
  mutating func openForRoom(_ bytes: Int64) -> OpenDecision? {
    let needed = bytes - apps[arrival.waiting].footprintBytes
    return availableBytes < needed ? openShort(of: needed) : nil
  }

  @inline(__always)
  private mutating func openShort(of needed: Int64) -> OpenDecision? {
    guard offerResidents(but: arrival.waiting) else {
      recordNoVictim(trigger: .capacity, target: needed)
      return nil
    }
    return openDecision(.suspended, .capacity, target: needed, one: false)
  }

  /// A part of the cache is over its bound: so many bytes go though there is room.
  mutating func openBound(_ overflowBytes: Int64) -> OpenDecision? {
    guard offerResidents(but: arrival.waiting) else { return nil }
    return openDecision(
      .suspended, .bound, target: availableBytes.addingSaturated(overflowBytes), one: false)
  }

  /// Size of the app that waits to come in.
  @usableFromInline var pendingBytes: Int64 {
    @inline(__always) mutating get { declaredSize(arrival.waiting) }
  }

  mutating func open(
    _ tier: Tier, trigger: RecordedCause, target: Int64
  ) -> OpenDecision? {
    collect(tier)
    return decision.candidates.isEmpty
      ? nil : openDecision(tier, trigger, target: target, one: false)
  }

  /// Opens a decision about the collected candidates, of which there must be at least one.
  mutating func openDecision(
    _ tier: Tier, _ trigger: RecordedCause, target: Int64, one: Bool
  ) -> OpenDecision {
    decision.number += 1
    counters.system.decisions += 1
    decision.openNumber = decision.number
    decision.isMuted = false
    // Hysteresis is for purging: no running app is killed for it.
    let goesOn = (tier == .suspended || tier == .anyone) && !trigger.isOwnLimit
    let level = pressureLevel()
    if log.wantsFootprints { recordMemory(level) }
    return OpenDecision(
      tier: tier, trigger: trigger, modelTargetBytes: target,
      untilBytes: goesOn ? choice.untilBytes : .min, endsAfterOne: one,
      availableBytes: availableBytes, level: level)
  }

  // MARK: Candidates

  private mutating func collect(_ tier: Tier, overSoftLimitOnly: Bool = false) {
    let front = front
    collectEligible { app, record in
      Self.tier(of: app, record, front: front) == tier
        && (!overSoftLimitOnly || record.footprintBytes > record.softLimitBytes)
    }
  }

  /// Whether any app may go for one that comes in; candidates are collected, unless victims are found
  /// one by one.
  private mutating func offerResidents(but inserted: AppIndex) -> Bool {
    if changes.isKept { return isAnyEligible { app, _ in app != inserted } }
    collectEligible { app, _ in app != inserted }
    return !decision.candidates.isEmpty
  }

  /// Whether the app in front is among the candidates.
  ///
  /// On the textbook cache only an app that starts in the background leaves one in front.
  @inline(__always)
  mutating func offersFront(_ open: OpenDecision) -> Bool {
    open.tier == .anyone
      || (traits.makesRoomFirst && front != .none && front != arrival.waiting)
  }

  /// The app in front, if it may go: it is in use, so that it goes after all others.
  var lastResort: AppIndex {
    mutating get {
      front != .none && front != arrival.waiting && apps[front].mayGo ? front : .none
    }
  }

  /// Whether an app may go for the app that comes in before the one in front does, where victims are
  /// found one by one.
  @inlinable @inline(__always)
  mutating func mayGo(_ app: AppIndex) -> Bool {
    apps.records[app.position].mayGo && app != arrival.waiting && app != front
  }

  private static func tier(of app: AppIndex, _ record: AppRecord, front: AppIndex) -> Tier {
    if app == front { return .front }
    return record.state == .suspended ? .suspended : .background
  }

  /// Makes candidates of the residents that are meant; pins and protection belong to the run, not to
  /// the policy.
  @inline(__always)
  mutating func collectEligible(where matches: (AppIndex, AppRecord) -> Bool) {
    decision.candidates.removeAll()
    rankRecency()
    let isAnySpared = !decision.recency.isEmpty
    let interval = choice.intervalNanoseconds
    for position in 0..<residents.count {
      let app = residents[position]
      // Read in place: a record is large, and most of it is not needed here.
      guard matches(app, apps[app]), apps[app].mayGo else { continue }
      if isAnySpared, isSpared(app) { continue }
      if interval > 0, isResting(app) { continue }
      addCandidate(app, apps[app])
    }
  }

  /// Whether an app matches that may be a candidate, or may be one once it has rested.
  mutating func isAnyEligible(where matches: (AppIndex, AppRecord) -> Bool) -> Bool {
    rankRecency()
    for position in 0..<residents.count {
      let app = residents[position]
      if matches(app, apps[app]), apps[app].mayGo, !isSpared(app) { return true }
    }
    return false
  }

  /// Adds a candidate without its score.
  @inline(__always)
  mutating func addCandidate(_ app: AppIndex, _ record: AppRecord) {
    decision.candidates.append(candidate(app, record, score: 0))
  }

  /// What decides an app's place.
  ///
  /// On the textbook cache several accesses may share an instant; their order is that of the file.
  @inline(__always)
  mutating func candidate(_ app: AppIndex, _ record: AppRecord, score: Double) -> Candidate {
    Candidate(
      app: app, group: 0, score: score,
      suspendedAt: traits.makesRoomFirst ? record.suspensionOrder : record.suspendedAt,
      footprintBytes: record.footprintBytes)
  }

  /// Finds the most recently used apps that are spared; the app in front does not count.
  @inline(__always)
  private mutating func rankRecency() {
    decision.recency.removeAll()
    if choice.recentCount > 0 { rankProtected() }
  }

  @inline(never)
  private mutating func rankProtected() {
    while decision.recency.count < choice.recentCount {
      var newest = AppIndex.none
      for position in 0..<residents.count {
        let app = residents[position]
        guard app != front, app != arrival.waiting, !isSpared(app) else { continue }
        if newest == .none || isMoreRecent(app, than: newest) { newest = app }
      }
      guard newest != .none else { return }
      decision.recency.append(newest)
    }
  }

  /// Whether a decision ended the app less than `+interval` ago; at its end all is looked at anew.
  private mutating func isResting(_ app: AppIndex) -> Bool {
    let lastVictimAt = apps[app].lastVictimAt
    guard lastVictimAt != .min, now - lastVictimAt < choice.intervalNanoseconds else {
      return false
    }
    let (end, isNever) = lastVictimAt.addingReportingOverflow(choice.intervalNanoseconds)
    if !isNever, !timers.isSet(.restEnd, app.rawValue) {
      timers.set(.restEnd, app.rawValue, at: end)
    }
    return true
  }

  private mutating func isMoreRecent(_ a: AppIndex, than b: AppIndex) -> Bool {
    let usedA = apps.lastUsedNanoseconds(a)
    let usedB = apps.lastUsedNanoseconds(b)
    return usedA != usedB ? usedA > usedB : a < b
  }

  private mutating func isSpared(_ app: AppIndex) -> Bool {
    for position in 0..<decision.recency.count where decision.recency[position] == app {
      return true
    }
    return false
  }

  // MARK: Carrying out

  /// Whether an open decision may stop.
  mutating func isDone(_ open: OpenDecision) -> Bool { availableBytes >= open.targetBytes }

  /// Ends one victim of an open decision; the result is what it gave back, in bytes, purgeable
  /// memory that was emptied before included.
  mutating func end(
    _ victim: AppIndex, for open: OpenDecision, emptiedBytes: Int64
  ) -> Int64 {
    decision.hasPurged = true
    apps[victim].lastVictimAt = now
    let freed = apps[victim].chargedBytes + emptiedBytes
    dropWarningSpacing()
    if isPurge(of: victim, open) {
      purge(victim, rule: open.trigger)
      decision.freed.append(FreedVictim(app: victim, bytes: freed))
    } else {
      let isFront = victim == front
      let recorded: RecordedCause =
        switch open.tier {
        case .background: .background
        case .front: .foreground
        case .suspended, .anyone: open.trigger
        }
      let cause: EndCause =
        open.trigger.isLimitKill
        ? .limitKill : isFront ? .foregroundKill : .backgroundKill
      kill(victim, cause: cause, recorded: open.trigger.isOwnLimit ? open.trigger : recorded)
    }
    return freed
  }

  /// Whether a victim's end is a purge: it is suspended and broke no limit.
  ///
  /// On the textbook cache every end is one.
  mutating func isPurge(of victim: AppIndex, _ open: OpenDecision) -> Bool {
    guard !open.trigger.isOwnLimit else { return false }
    return open.tier == .suspended || (open.tier == .anyone && apps[victim].state == .suspended)
  }

  /// T10: a suspended app is gone, without a message.
  private mutating func purge(_ app: AppIndex, rule: RecordedCause) {
    countPurge(app)
    recordEnd(.purge, app, cause: rule, bytes: apps[app].footprintBytes)
    if endsPlainly(app) {
      endPlain(app)
    } else {
      endProcess(app, cause: .purge, transition: .t10)
    }
  }

  @inline(__always)
  mutating func countPurge(_ app: AppIndex) {
    let relaunchedAt = apps[app].relaunchedAt
    counters[app].countPurge(
      bytes: apps[app].footprintBytes, age: now - apps.lastUsedNanoseconds(app),
      isRepeat: relaunchedAt != .min && now - relaunchedAt <= RunCounters.repurgeNanoseconds)
  }

  /// T14: a running app is killed, without a message.
  mutating func kill(_ app: AppIndex, cause: EndCause, recorded: RecordedCause) {
    giveUpWaiting(app)
    switch cause {
    case .backgroundKill: counters[app].backgroundKills += 1
    case .foregroundKill: counters[app].foregroundKills += 1
    case .gpuInBackground: counters[app].gpuKills += 1
    case .sharedResource: counters[app].sharedResourceKills += 1
    default:
      counters[app].limitKills += 1
      if app == front { counters[app].limitKillsInFront += 1 }
    }
    recordEnd(.kill, app, cause: recorded, bytes: apps[app].footprintBytes)
    endProcess(app, cause: cause, transition: .t14)
  }

  private mutating func recordEnd(
    _ kind: RecordedKind, _ app: AppIndex, cause: RecordedCause, bytes: Int64
  ) {
    guard log.wantsEvents else { return }
    var row = EventRecord(kind, app: app, at: now)
    row.cause = cause
    row.bytes = bytes
    row.decision = decision.openNumber
    log.record(row)
  }

  /// All victims are gone: from now on it shows whether the purges were needed.
  mutating func closeDecision() {
    watchFreed()
    decision.availableAfter = availableBytes
  }

  @inline(__always)
  mutating func watchFreed() {
    for position in decision.freed.indices {
      let victim = decision.freed[position]
      counters.watchPurge(
        victim.app, freedBytes: victim.bytes, thresholdBytes: enoughBytes,
        availableBytes: availableBytes, at: now)
    }
    decision.freed.removeAll()
  }

  /// There is room: the launched app comes in at its declared size, in bytes.
  @inline(__always)
  mutating func insertPending(_ size: Int64, _ names: [String]) -> RunError? {
    goesStraight && insertPlain(bytes: size) ? nil : insertWithEnds(size, names)
  }

  private mutating func insertWithEnds(_ size: Int64, _ names: [String]) -> RunError? {
    let app = arrival.waiting
    arrival.waiting = .none
    changes.add(app)
    let capacity = configuration.capacity
    guard size <= capacity else {
      return .appLargerThanMemory(
        app: names[app.position], bytes: size, memoryBytes: capacity)
    }
    if arrival.isInBackground {
      arrival.isInBackground = false
      startInBackground(app)
    } else if app == front {
      finishFrontLaunch(app)
    } else {
      bringToFront(app)
    }
    if apps[app].footprintBytes != size || log.wantsFootprints { declareSize(app, size) }
    return nil
  }

  // MARK: Records

  /// No app could go: recorded once, until a candidate appears or the level changes.
  mutating func recordNoVictim(trigger: RecordedCause, target: Int64) {
    guard !decision.isMuted, decision.availableAfter != availableBytes else { return }
    decision.isMuted = true
    decision.number += 1
    counters.system.decisions += 1
    counters.system.noVictimDecisions += 1
    guard log.wantsDecisions else { return }
    log.recorder?.record(
      DecisionRecord(
        number: decision.number, timeNanoseconds: now, trigger: trigger,
        level: pressureLevel(), availableBytes: availableBytes,
        neededBytes: max(0, target - availableBytes),
        targetBytes: target, candidates: [], spared: sparedApps()))
  }

  /// Apps in memory that are no candidates of the open decision, with the reason; in order of names.
  mutating func sparedApps() -> [SparedApp] {
    var spared: [SparedApp] = []
    for position in 0..<residents.count {
      let app = residents[position]
      if decision.candidates.indices.contains(where: { decision.candidates[$0].app == app }) {
        continue
      }
      spared.append(
        SparedApp(
          app: app, state: apps[app].state, footprintBytes: apps[app].footprintBytes,
          reason: reasonToSpare(app)))
    }
    return spared.sorted { $0.app < $1.app }
  }

  private mutating func reasonToSpare(_ app: AppIndex) -> SparedApp.Reason {
    let record = apps[app]
    if app == arrival.waiting { return .launching }
    if record.isPinned { return .pinned }
    if record.isPinnedByOption {
      return configuration.pinned.contains(app) ? .pinnedByOption : .protected
    }
    if isSpared(app) { return .recent }
    if record.lastVictimAt != .min, now - record.lastVictimAt < choice.intervalNanoseconds {
      return .resting
    }
    if app == front { return .front }
    return record.state == .suspended ? .notMeant : .running
  }

  /// One row of a decision record, before its candidate is ended.
  mutating func candidateRecord(_ candidate: Candidate) -> CandidateRecord {
    let app = candidate.app
    let record = apps[app]
    return CandidateRecord(
      app: app, state: record.state,
      band: apps.rank(of: app),
      score: candidate.score,
      footprintBytes: record.footprintBytes,
      idleNanoseconds: app == front ? 0 : now - apps.lastUsedNanoseconds(app),
      unsavedWorkNanoseconds: record.ledger.unsavedWorkNanoseconds,
      unsavedBytes: record.ledger.unsavedBytes,
      sinceWarningNanoseconds: record.lastWarned == .min ? nil : now - record.lastWarned,
      isChosen: false, freedBytes: 0, tieBrokenBy: nil)
  }
}
