/// Replays a trace under one policy.
///
/// Takes the earlier of the next event and the next timer, applies it, tells the policy, and
/// settles: limits, warnings, and decisions for as long as one is due. All rules are in
/// ``Simulation``; this loop is what is specialised for each policy.
struct ReplayEngine<Policy: PurgePolicy>: ~Copyable {
  private(set) var simulation: Simulation
  private(set) var policy: Policy
  private let policyName: String
  private let savedFirst: Bool
  private let choosesSets: Bool
  private let isMinimal: Bool
  /// Who goes together, by ``AppIndex``; nil: every app for itself.
  private let units: [UInt32]?
  /// Whether the policy gives the app in front a place of its own (``PurgePolicy/ordersFront(under:)``).
  private let knowsFront: Bool
  private let draws: Bool
  private let appNames: [String]
  private var failure: RunError?
  /// Up to here, rows that describe how things stood have no `present` among them.
  private var plainStateEnd = -1
  /// Candidates in the engine's order, for policies that rank them together; kept to be reused.
  private var slate: [Candidate] = []
  private var slateApps: [AppIndex] = []

  init(
    _ trace: Trace, _ configuration: RunConfiguration, policy: Policy, spec: PolicySpec,
    recorder: (any Recorder)?
  ) throws(RunError) {
    simulation = try Simulation(
      trace: trace, configuration: configuration, modifiers: spec.modifiers, recorder: recorder)
    simulation.notesFootprints = Policy.observesFootprints
    self.policy = policy
    policyName = spec.name
    savedFirst = spec.modifiers.isSavedFirst
    choosesSets = spec.modifiers.choosesSets
    isMinimal = spec.modifiers.isMinimal
    units = spec.modifiers.units(of: trace.apps, configuration)
    knowsFront = spec.descriptor.ordersFront(configuration.pressure)
    draws = spec.descriptor.draws
    appNames = trace.apps
  }

  /// Lets the run end apps where the capture did, instead of deciding.
  mutating func follow(_ causes: Set<ExitCause>) {
    simulation.followed.causes = causes
  }

  /// Runs to the end of the trace.
  mutating func run(_ trace: Trace) throws(RunError) -> RunResult {
    var cursor = LeaveCursor(
      simulation.index.leaves(simulation.leavesAtLock ? .background : .inactive))
    try trace.events.withEvents { events throws(RunError) in
      for position in 0..<events.count {
        let event = events[position]
        runTimers(through: event.timeNanoseconds, before: position)
        simulation.advanceClock(to: event.timeNanoseconds)
        simulation.boundSave =
          cursor.boundSave(at: position).map { Int64(events[$0].detail) } ?? -1
        simulation.unlockTime = cursor.unlockTime(at: position)
        if event.kind == .save { simulation.isBoundSaveRow = cursor.isBoundRow(position) }
        lookAhead(from: position, in: events)
        simulation.eventPosition = position
        simulation.apply(event)
        if simulation.needsSettling {
          if isDemandMet(at: position) { settle() }
        } else {
          drainNotes()
        }
        if let failure { throw failure }
      }
    }
    runTimers(through: trace.index.endNanoseconds, before: .max)
    simulation.advanceClock(to: trace.index.endNanoseconds)
    drainNotes()
    if failure == nil { failure = simulation.failure(appNames) }
    if let failure { throw failure }
    return simulation.finish()
  }

  // MARK: The loop

  @inline(__always)
  private mutating func runTimers(through time: Int64, before position: Int) {
    if simulation.queue.nextTime <= time { runDueTimers(through: time, before: position) }
  }

  @inline(never)
  private mutating func runDueTimers(through time: Int64, before position: Int) {
    simulation.horizon = time
    while simulation.queue.nextTime <= time {
      let timer = simulation.queue.popNext()
      simulation.advanceClock(to: timer.timeNanoseconds)
      simulation.fire(timer)
      if simulation.needsSettling, isDemandMet(at: position - 1) { settle() }
    }
  }

  /// Finds the rows that are settled together with the one at `position`.
  @inline(__always)
  private mutating func lookAhead(from position: Int, in events: borrowing Span<TraceEvent>) {
    let event = events[position]
    switch event.kind {
    case .launch, .backgroundLaunch:
      simulation.demand = Self.demand(of: event.app, from: position, in: events)
    case .screen, .interruptEnd:
      if simulation.lock.app != .none {
        simulation.demand = Self.demand(of: simulation.lock.app, from: position, in: events)
      }
    default:
      if event.timeNanoseconds == 0, position > simulation.demand.end, event.kind.describesState {
        findOpeningState(from: position, in: events)
      }
    }
  }

  /// Memory rows of an app that comes to the front, at that instant.
  private static func demand(
    of app: AppIndex, from position: Int, in events: borrowing Span<TraceEvent>
  ) -> LaunchDemand {
    let time = events[position].timeNanoseconds
    var demand = LaunchDemand(end: position)
    var next = position + 1
    while next < events.count, events[next].timeNanoseconds == time {
      let event = events[next]
      if event.kind == .launch || event.kind == .backgroundLaunch { break }
      if event.kind.isMemory, event.app == app {
        demand.end = next
        demand.hasMemoryRows = true
        if event.kind == .footprint { demand.sampleBytes = event.value }
      }
      next += 1
    }
    return demand
  }

  /// Rows that describe how things stood when the capture began are one demand, if one of them is
  /// `present`.
  private mutating func findOpeningState(
    from position: Int, in events: borrowing Span<TraceEvent>
  ) {
    guard position > plainStateEnd else { return }
    var end = position
    var hasPresent = events[position].kind == .present
    while end + 1 < events.count, events[end + 1].timeNanoseconds == 0,
      events[end + 1].kind.describesState
    {
      end += 1
      hasPresent = hasPresent || events[end].kind == .present
    }
    if hasPresent {
      simulation.demand = LaunchDemand(end: end)
    } else {
      plainStateEnd = end
    }
  }

  /// Whether nothing at this instant is still to be added to a launch's demand.
  ///
  /// The textbook cache knows the size at the launch and does not wait.
  private func isDemandMet(at position: Int) -> Bool {
    position >= simulation.demand.end || simulation.pendingInsert != .none
  }

  // MARK: Settling

  private mutating func settle() {
    let levelBefore = simulation.beginSettling()
    drainNotes()
    while failure == nil, let open = simulation.openDecision() {
      decide(open)
      drainNotes()
    }
    if failure == nil, simulation.pendingInsert != .none {
      if Policy.boundsParts { keepBounds() }
      if failure == nil { insert() }
    }
    simulation.endSettling(levelBefore: levelBefore)
    drainNotes()
    if failure == nil { failure = simulation.failure(appNames) }
  }

  /// `ideal-cache`: there is room, but a part of the cache may have a bound of its own.
  private mutating func keepBounds() {
    while failure == nil {
      let overflow = policy.overflowBytes(
        inserting: simulation.pendingInsert, bytes: simulation.pendingBytes)
      guard overflow > 0, let open = simulation.openBound(overflow) else { return }
      decide(open)
      drainNotes()
    }
  }

  /// `ideal-cache`: room has been made, the launched app comes in.
  private mutating func insert() {
    failure = simulation.insertPending(appNames)
  }

  private mutating func drainNotes() {
    guard !simulation.notes.isEmpty else { return }
    for position in simulation.notes.indices {
      policy.observe(simulation.notes[position], apps: simulation.apps)
    }
    simulation.notes.removeAll()
  }

  // MARK: Decisions

  private mutating func decide(_ open: OpenDecision) {
    guard score(open) else { return }
    if simulation.log.wantsDecisions {
      decideInFull(open)
    } else if choosesSets {
      decideBySet(open)
    } else {
      decideByMinimum(open)
    }
  }

  /// Fills in the scores; false if the policy failed.
  private mutating func score(_ open: OpenDecision) -> Bool {
    let request = PurgeRequest(
      timeNanoseconds: simulation.now, decision: simulation.decision.number,
      neededBytes: max(0, open.targetBytes - open.availableBytes),
      availableBytes: open.availableBytes,
      level: open.level, trigger: open.trigger, endsAfterOne: open.endsAfterOne,
      offersFront: open.tier == .anyone)
    if simulation.front != .none { simulation.accrueEdits(simulation.front) }
    if draws { simulation.counters.system.drew = true }
    if Policy.ranksTogether, !prepare(request) { return false }
    let follows = simulation.followed.isOn
    for position in simulation.decision.candidates.indices {
      let candidate = simulation.decision.candidates[position]
      let score = policy.score(candidate.app, for: request, apps: simulation.apps)
      guard !score.isNaN else {
        failure = .scoreIsNotANumber(
          policy: policyName, app: appNames[candidate.app.position])
        return false
      }
      let holdsUnsaved = savedFirst && simulation.apps.hasUnsavedState(candidate.app)
      // Policies order what was left; where a model offers everybody, who is in use goes last.
      let isInUse = open.tier == .anyone && candidate.app == simulation.front && !knowsFront
      var group = (holdsUnsaved ? 1 : 0) + (isInUse ? 2 : 0)
      if follows { group += 4 * simulation.followedGroup(of: candidate.app) }
      simulation.decision.candidates[position] = Candidate(
        app: candidate.app, group: UInt16(clamping: group), score: score,
        suspendedAt: candidate.suspendedAt, footprintBytes: candidate.footprintBytes)
    }
    return true
  }

  /// Lets a policy look at all candidates, in the order in which equal scores leave them.
  private mutating func prepare(_ request: PurgeRequest) -> Bool {
    slate.removeAll(keepingCapacity: true)
    for position in simulation.decision.candidates.indices {
      slate.append(simulation.decision.candidates[position])
    }
    slate.sort(by: Candidate.precedes)
    slateApps.removeAll(keepingCapacity: true)
    for candidate in slate { slateApps.append(candidate.app) }
    do throws(PolicyFailure) {
      try policy.prepare(slateApps, for: request, apps: simulation.apps)
      return true
    } catch {
      failure = .policyFailed(policy: policyName, reason: error.reason)
      return false
    }
  }

  /// Without a log: the least candidate, as often as needed; no sorting, no records.
  private mutating func decideByMinimum(_ open: OpenDecision) {
    repeat {
      var least = 0
      var group = simulation.decision.candidates[0].group
      var score = simulation.decision.candidates[0].score
      for position in 1..<simulation.decision.candidates.count {
        let candidate = simulation.decision.candidates[position]
        // Nearly all are out by group and score, which are at hand; ties are looked at in full.
        if candidate.group > group || (candidate.group == group && candidate.score > score) {
          continue
        }
        if Candidate.precedes(candidate, simulation.decision.candidates[least]) {
          least = position
          group = candidate.group
          score = candidate.score
        }
      }
      let victim = simulation.decision.candidates[least].app
      let last = simulation.decision.candidates.removeLast()
      if least < simulation.decision.candidates.count {
        simulation.decision.candidates[least] = last
      }
      _ = end(victim, open)
    } while !open.endsAfterOne && !simulation.isDone(open)
      && !simulation.decision.candidates.isEmpty
    simulation.closeDecision()
  }

  private func rankedCandidates() -> [Candidate] {
    var order: [Candidate] = []
    order.reserveCapacity(simulation.decision.candidates.count)
    for position in simulation.decision.candidates.indices {
      order.append(simulation.decision.candidates[position])
    }
    order.sort(by: Candidate.precedes)
    return order
  }

  /// Without a log, where a modifier makes of the victims a set that must be known beforehand.
  private mutating func decideBySet(_ open: OpenDecision) {
    let order = rankedCandidates()
    let victims = chosenSet(order, open)
    for position in order.indices where victims[position] { _ = end(order[position].app, open) }
    simulation.closeDecision()
  }

  /// Who of a ranked list goes, by position.
  private mutating func chosenSet(_ order: [Candidate], _ open: OpenDecision) -> [Bool] {
    var options: [VictimSet.Option] = []
    for candidate in order {
      options.append(
        VictimSet.Option(
          unit: units.map { $0[candidate.app.position] } ?? candidate.app.rawValue,
          freedBytes: simulation.apps[candidate.app].chargedBytes,
          isPurge: simulation.isPurge(of: candidate.app, open)))
    }
    return VictimSet(open, isMinimal: isMinimal).choose(options)
  }

  /// With a log: the whole order, and what became of each candidate.
  private mutating func decideInFull(_ open: OpenDecision) {
    let order = rankedCandidates()
    let spared = simulation.sparedApps()
    var records = order.map { simulation.candidateRecord($0) }
    for position in records.indices.dropLast() {
      records[position].tieBrokenBy = Candidate.tieBreak(order[position], order[position + 1])
    }
    if records.count > 1 {
      records[records.count - 1].tieBrokenBy = records[records.count - 2].tieBrokenBy
    }
    let victims =
      simulation.followed.isOn
      ? order.map { $0.app == simulation.followed.victim }
      : choosesSets ? chosenSet(order, open) : nil
    for position in records.indices {
      if let victims, !victims[position] { continue }
      records[position].freedBytes = end(order[position].app, open)
      // A victim whose purgeable memory was enough lives on.
      records[position].isChosen =
        simulation.apps.state(order[position].app) == .notRunning
      if victims == nil, open.endsAfterOne || simulation.isDone(open) { break }
    }
    simulation.log.recorder?.record(
      DecisionRecord(
        number: simulation.decision.number, timeNanoseconds: simulation.now,
        trigger: open.trigger, level: open.level,
        availableBytes: open.availableBytes,
        neededBytes: max(0, open.targetBytes - open.availableBytes),
        targetBytes: open.targetBytes, candidates: records, spared: spared))
    if simulation.followed.isOn { simulation.endFollowedVictim(open) }
    simulation.closeDecision()
  }

  /// Ends a victim.
  ///
  /// A purge is told to the policy while the app's figures still stand.
  private mutating func end(_ victim: AppIndex, _ open: OpenDecision) -> Int64 {
    let emptied = simulation.emptyVictim(victim, open)
    if emptied.isSpared { return emptied.bytes }
    if simulation.isPurge(of: victim, open) {
      let event = EngineEvent(
        .ended, app: victim, at: simulation.now, endCause: .purge)
      policy.observe(event, apps: simulation.apps)
    }
    return simulation.end(victim, for: open, emptiedBytes: emptied.bytes)
  }
}
