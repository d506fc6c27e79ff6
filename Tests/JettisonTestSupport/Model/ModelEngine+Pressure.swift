import JettisonCore

extension ModelEngine {
  // MARK: Levels

  private func bytes(_ percent: Double) -> Double { percent * Double(device.ramBytes) / 100 }

  func isBelow(_ percent: Double) -> Bool { Double(available) < bytes(percent) }

  /// The smallest available memory that reaches a percentage.
  private func target(_ percent: Double) -> Int64 { Int64(bytes(percent).rounded(.up)) }

  /// Available memory below which a purge was needed.
  var purgeThreshold: Double {
    switch configuration.pressure {
    case .thresholds: bytes(device.thresholds.purgePercent)
    case .ios4: bytes(device.thresholds.criticalPercent)
    case .idealCache, .androidLMKD: 0
    default: preconditionFailure("the model engine knows no other platform's killer")
    }
  }

  // MARK: After every event and timer

  /// Limits, then warnings, then tiers.
  func settle() {
    guard nextEvent > demandEnd else { return }
    if !isIdealCache { killOverLimit() }
    availableHistory.append((now, available))
    if isIdealCache { return }
    system.availableBytesLeast = min(system.availableBytesLeast, available)
    let before = level
    let purgesBefore = purgeCount
    purgesBeforeSettling = purgeCount
    followLevel()
    let order = configuration.warningOrder
    if order != .purgeThenWarn, level > before { startRound(at: level) }
    runTiers()
    followLevel()
    switch order {
    case .warnThenPurge: break
    case .purgeThenWarn: if level > before { startRound(at: level) }
    case .both: if purgeCount > purgesBefore, level != .normal { startRound(at: level) }
    }
  }

  /// A limit inside a page is passed with the next page.
  private func pages(_ bytes: Int64) -> Int64 {
    (bytes + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
  }

  private func killOverLimit() {
    for app in apps where app.life != nil {
      let own = app.profile.limitBytes
      guard let limit = own >= 0 ? own : device.limitBytes else { continue }
      if footprint(of: app) > pages(limit) { kill(app, rule: .limit, decision: nil) }
    }
  }

  // MARK: Candidates

  /// Pins and protection hold in every tier.
  func isEligible(_ app: ModelApp) -> Bool {
    if app.isPinned || configuration.pinned.contains(app.index) { return false }
    if modifiers.protects(app.name) { return false }
    if let victimAt = app.victimAt, let interval = modifiers.interval, now - victimAt < interval {
      if timers.time(of: .restEnd, app.index) == nil {
        timers.set(.restEnd, app.index, at: ModelArithmetic.sum(victimAt, interval))
      }
      return false
    }
    let recent = apps.filter { $0.life != nil && $0 !== front }
      .sorted { ($1.life?.lastUsed ?? 0, $0.index) < ($0.life?.lastUsed ?? 0, $1.index) }
    let spared = max(configuration.protectRecentCount, modifiers.recent)
    return !recent.prefix(spared).contains { $0 === app }
  }

  private func eligible(where matches: (ModelApp) -> Bool) -> [ModelApp] {
    apps.filter { $0.life != nil && matches($0) && isEligible($0) }
  }

  private var suspendedCandidates: [ModelApp] { eligible { $0.state == .suspended } }
  private var backgroundCandidates: [ModelApp] {
    eligible { $0.state == .background && $0 !== front }
  }
  private var frontCandidates: [ModelApp] { eligible { $0 === front } }

  // MARK: Tiers

  private func runTiers() {
    switch configuration.pressure {
    case .thresholds: runThresholds()
    case .ios4: while runIOS4() {}
    case .androidLMKD: runMemoryLimiter()
    case .idealCache: break
    default: preconditionFailure("the model engine knows no other platform's killer")
    }
  }

  private var isWaiting: Bool { available >= 0 && apps.contains { isOnItsWay($0) } }

  private var isPurgeHeldBack: Bool {
    guard available >= 0, let pressedSince else { return false }
    return now < ModelArithmetic.sum(pressedSince, configuration.warningPurgeDelayNanoseconds)
  }

  private func runThresholds() {
    let thresholds = device.thresholds
    if isWaiting { return }
    if isBelow(thresholds.purgePercent) {
      if isPurgeHeldBack { return }
      let candidates = suspendedCandidates
      if !candidates.isEmpty {
        decide(.thresholds, candidates, target: target(thresholds.untilPercent))
      } else if available >= 0 {
        decideNothing(.thresholds, target: target(thresholds.untilPercent))
      }
    }
    if available < 0, case let candidates = backgroundCandidates, !candidates.isEmpty {
      decide(.demand, candidates, target: 0)
    }
    if available < 0 {
      let candidates = frontCandidates
      if candidates.isEmpty { return decideNothing(.demand, target: 0) }
      decide(.demand, candidates, target: 0)
    }
  }

  /// One decision with one victim at most; says whether to look again.
  private func runIOS4() -> Bool {
    if isWaiting { return false }
    if Double(available) <= bytes(device.thresholds.purgePercent) {
      let over = [suspendedCandidates, backgroundCandidates, frontCandidates].map {
        $0.filter {
          $0.profile.softLimitBytes >= 0 && footprint(of: $0) > pages($0.profile.softLimitBytes)
        }
      }
      if let tier = over.first(where: { !$0.isEmpty }) {
        if tier[0].state == .suspended, isPurgeHeldBack { return false }
        decide(.highwater, tier, target: target(device.thresholds.purgePercent), one: true)
        return true
      }
    }
    guard Double(available) <= bytes(device.thresholds.criticalPercent) else { return false }
    let tiers = [suspendedCandidates, backgroundCandidates, frontCandidates]
    guard let tier = tiers.first(where: { !$0.isEmpty }) else {
      decideNothing(.level, target: target(device.thresholds.criticalPercent))
      return false
    }
    if tier[0].state == .suspended, isPurgeHeldBack { return false }
    decide(.level, tier, target: target(device.thresholds.criticalPercent), one: true)
    return true
  }

  // MARK: Decisions

  private func decideNothing(_ trigger: RecordedCause, target: Int64) {
    if notedNoVictim || availableAfterDecision == available { return }
    notedNoVictim = true
    decisionCount += 1
    system.decisions += 1
    decisions.append(
      DecisionRecord(
        number: decisionCount, timeNanoseconds: now, trigger: trigger, level: levelNow(),
        availableBytes: available, neededBytes: max(0, target - available),
        targetBytes: target, candidates: []))
    if counts { system.noVictimDecisions += 1 }
  }

  func decide(
    _ trigger: RecordedCause, _ candidates: [ModelApp], target: Int64,
    one: Bool = false
  ) {
    decisionCount += 1
    system.decisions += 1
    let number = decisionCount
    let ranked = rank(candidates, decision: number)
    let goesOn = ranked.contains { isPurge($0.app, trigger) }
    let until = goesOn ? modifiers.until(of: capacity) : nil
    let victims = victims(ranked, trigger, target: target, until: until, one: one)
    let target = max(target, until ?? target)
    if policy.name == .random, !ranked.isEmpty { system.drew = true }
    var record = DecisionRecord(
      number: number, timeNanoseconds: now, trigger: trigger, level: levelNow(),
      availableBytes: available, neededBytes: max(0, target - available), targetBytes: target,
      candidates: candidateRecords(ranked))
    let firstPurge = purges.count
    for (position, candidate) in ranked.enumerated() where victims.contains(position) {
      let freed = charge(of: candidate.app)
      endVictim(candidate, trigger, decision: number)
      record.candidates[position].isChosen = true
      record.candidates[position].freedBytes = freed
    }
    decisions.append(record)
    if ranked.isEmpty {
      if counts { system.noVictimDecisions += 1 }
    } else {
      notedNoVictim = false
    }
    availableAfterDecision = available
    for i in firstPurge..<purges.count { purges[i].firstSample = availableHistory.count }
    availableHistory.append((now, available))
  }

  /// Who of the ranked goes: the shortest prefix that is enough for the model, each with its unit;
  /// on to `until` with those whose end is a purge; less those that were not needed.
  private func victims(
    _ ranked: [RankedApp], _ trigger: RecordedCause, target: Int64, until: Int64?, one: Bool
  ) -> Set<Int> {
    var units: [[Int]] = []
    var after: Int64 { available + freed(units) }
    func freed(_ units: [[Int]]) -> Int64 {
      units.reduce(0) { $0 + $1.reduce(0) { $0 + charge(of: ranked[$1].app) } }
    }
    for (position, candidate) in ranked.enumerated() {
      if units.contains(where: { $0.contains(position) }) { continue }
      let isContent = one ? !units.isEmpty : !units.isEmpty && after >= target
      if isContent {
        guard let until, after < until, isPurge(candidate.app, trigger) else { break }
      }
      units.append(
        ranked.indices.filter {
          $0 == position
            || modifiers.goTogether(ranked[$0].app, candidate.app, configuration.groups)
        })
    }
    if modifiers.has("minimal") {
      let enough = one ? until ?? available : max(target, until ?? target)
      for unit in units.reversed() where units.count > 1 {
        let others = units.filter { $0 != unit }
        if available + freed(others) >= enough { units = others }
      }
    }
    return Set(units.joined())
  }

  private var capacity: Int64 { configuration.capacityApps ?? device.ramBytes }

  private func isPurge(_ app: ModelApp, _ trigger: RecordedCause) -> Bool {
    trigger == .capacity
      || app.state == .suspended && trigger != .highwater && trigger != .memoryLimiter
  }

  private func endVictim(_ victim: RankedApp, _ trigger: RecordedCause, decision: Int) {
    let app = victim.app
    let isPurge = isPurge(app, trigger)
    app.victimAt = now
    if isPurge {
      purge(app, rule: trigger, decision: decision)
      policy.purged(app, score: victim.score)
    } else if trigger == .highwater || trigger == .memoryLimiter {
      kill(app, rule: trigger, decision: decision)
    } else {
      kill(app, rule: app === front ? .foreground : .background, decision: decision)
    }
  }

  // MARK: Order

  /// A candidate with what decides its place.
  struct RankedApp {
    let app: ModelApp
    /// On the ideal cache the app in front goes last.
    let isInUse: Bool
    let isUnsaved: Bool
    let score: Double
    let suspendedAt: Int64
    let footprint: Int64
  }

  private func rank(_ apps: [ModelApp], decision: Int) -> [RankedApp] {
    let candidates = apps.map { app in
      let bytes = footprint(of: app)
      return RankedApp(
        app: app, isInUse: isIdealCache && app === front,
        isUnsaved: modifiers.has("saved") && app.ledger.figures(at: now).hasUnsavedLocal,
        score: policy.score(app, footprint: bytes, decision: decision, at: now),
        suspendedAt: isIdealCache
          ? app.life?.suspensionOrder ?? 0 : app.life?.suspendedAt ?? .min,
        footprint: bytes)
    }
    return candidates.sorted { goesFirst($0, $1) }
  }

  private func goesFirst(_ a: RankedApp, _ b: RankedApp) -> Bool {
    if a.isInUse != b.isInUse { return b.isInUse }
    if a.isUnsaved != b.isUnsaved { return b.isUnsaved }
    if a.score != b.score { return a.score < b.score }
    if a.suspendedAt != b.suspendedAt { return a.suspendedAt < b.suspendedAt }
    if a.footprint != b.footprint { return a.footprint > b.footprint }
    return a.app.index < b.app.index
  }

  private func tieBreak(_ a: RankedApp, _ b: RankedApp) -> TieBreak {
    if a.isInUse != b.isInUse || a.isUnsaved != b.isUnsaved { return .group }
    if a.score != b.score { return .score }
    if a.suspendedAt != b.suspendedAt { return .suspendedAt }
    return a.footprint != b.footprint ? .footprint : .app
  }

  private func candidateRecords(_ ranked: [RankedApp]) -> [CandidateRecord] {
    ranked.enumerated().map { position, candidate in
      let app = candidate.app
      let figures = app.ledger.figures(at: now)
      let other = position + 1 < ranked.count ? position + 1 : position - 1
      return CandidateRecord(
        app: app.index, state: app.state, score: candidate.score,
        footprintBytes: candidate.footprint,
        idleNanoseconds: app === front ? 0 : now - (app.life?.lastUsed ?? now),
        unsavedWorkNanoseconds: figures.unsavedWork, unsavedBytes: figures.unsavedBytes,
        sinceWarningNanoseconds: app.life?.lastHeard.map { now - $0 },
        isChosen: false, freedBytes: 0,
        tieBrokenBy: ranked.count < 2
          ? nil : tieBreak(ranked[min(position, other)], ranked[max(position, other)]))
    }
  }
}
