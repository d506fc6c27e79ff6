/// The part of a replay that is the same under every policy: events, timers, settling, and
/// carrying decisions out.
///
/// ``advance(in:)`` goes on until the policy has to be told or asked something. ``PolicySeat``
/// does that and calls again, so that only what a policy does itself is compiled for each of them. Runs of
/// nothing but launches it takes itself (``PolicySeat/takeLaunches(_:_:)``).
@usableFromInline
struct ReplayLoop: ~Copyable {
  /// What the policy has to do before the run goes on; whatever it is, the policy first hears of everything
  /// in `simulation.notes`, in order.
  @usableFromInline
  enum Stop {
    /// Nothing more.
    case notes
    /// Hear of ``purge``, while the victim's figures still stand.
    case purge
    /// Score `simulation.decision.candidates` for ``request``.
    case decision
    /// Say in ``victim`` which app goes next for ``request``; none: no app.
    case victim
    /// Say in ``overflowBytes`` by how much a part of the cache is over its bound.
    case bound
    /// Hand over the next window of the events.
    case events
    /// Nothing: the trace is over.
    case finished
  }

  /// What comes next, in the order in which an instant is settled.
  @usableFromInline
  enum Step: UInt8 {
    // One decision after the other, and then the launched app of the textbook cache.
    case openDecision, choose, takeNext, take, endVictim, askBound, openBound, insert
    case endSettling, check
    case events
  }

  @usableFromInline var simulation: Simulation
  /// The request that is open.
  @usableFromInline var request: PurgeRequest
  /// The purge that is about to happen.
  @usableFromInline var purge: EngineEvent
  /// Set by the policy at ``Stop/bound``, in bytes.
  @usableFromInline var overflowBytes: Int64 = 0

  var rules: Rules
  let appNames: [String]
  let eventCount: Int
  var cursor: LeaveCursor
  @usableFromInline var step = Step.events
  /// Position of the next event in the trace.
  var position = 0
  /// Position of the window's first event.
  @usableFromInline private(set) var windowStart = 0
  /// Up to here, rows that describe how things stood have no `present` among them.
  private var plainStateEnd = -1
  private var levelBefore = PressureLevel.normal
  var open: OpenDecision
  /// What follows the open decision.
  private var afterDecision = Step.openDecision
  /// The order of the open decision where it must be known as a whole; nil: the least candidate
  /// goes, as often as needed.
  private var ranking: RankedDecision?
  /// The app that goes next; set by the policy at ``Stop/victim``.
  @usableFromInline var victim = AppIndex.none
  /// Candidates whose scores are kept (``VictimSearch/keepingScores``).
  var kept: CandidateOrder
  /// Purgeable memory that the victim gave back before its end, in bytes.
  private var emptiedBytes: Int64 = 0
  /// The open decision needs no further victim.
  private var isOver = false

  /// How the policy's order is used.
  struct Rules {
    let savedFirst: Bool
    let choosesSets: Bool
    let isMinimal: Bool
    /// Who goes together, by ``AppIndex``; nil: every app for itself.
    let units: [UInt32]?
    /// Whether the policy gives the app in front a place of its own
    /// (``PurgePolicy/ordersFront(under:)``).
    let knowsFront: Bool
    let draws: Bool
    /// Whether the policy is asked for one victim after the other, not for scores of all.
    let findsOneByOne: Bool
    /// Whether the engine finds it by scores that it keeps (``VictimSearch/keepingScores``).
    let keepsScores: Bool
    /// See ``PurgePolicy/boundsParts``.
    let boundsParts: Bool
  }

  init(
    _ trace: Trace, _ configuration: RunConfiguration, model: any PressureModel.Type,
    modifiers: PolicyModifiers, rules: Rules, recorder: (any Recorder)?
  ) throws(RunError) {
    simulation = try Simulation(
      trace: trace, configuration: configuration, model: model, modifiers: modifiers,
      findsOneByOne: rules.findsOneByOne && model.traits.makesRoomFirst,
      recorder: recorder)
    kept = CandidateOrder(appCount: rules.keepsScores ? trace.apps.count : 0)
    self.rules = rules
    appNames = trace.apps
    eventCount = trace.events.count
    let leavesAtLock = simulation.conduct.leavesAtLock
    cursor = LeaveCursor(trace.index.leaves(leavesAtLock ? .background : .inactive))
    open = OpenDecision(
      tier: .suspended, trigger: .thresholds, modelTargetBytes: 0, untilBytes: .min,
      endsAfterOne: false, availableBytes: 0, level: .normal)
    request = PurgeRequest(
      timeNanoseconds: 0, decision: 0, neededBytes: 0, availableBytes: 0, level: .normal,
      trigger: .thresholds)
    purge = EngineEvent(.ended, app: .none, at: 0)
  }

  /// Makes a copy of a loop in which another app goes next.
  init(copying other: borrowing ReplayLoop, victim: AppIndex) {
    self.victim = victim
    simulation = Simulation(copying: other.simulation)
    request = other.request
    purge = other.purge
    overflowBytes = other.overflowBytes
    rules = other.rules
    // Worlds that are copied are shared by policies, for which no scores are kept. Asked of the
    // other: the compiler (6.3) releases too much where an initializer reads what it has set.
    precondition(!other.rules.keepsScores, "scores are kept for one policy alone")
    kept = CandidateOrder(appCount: 0)
    appNames = other.appNames
    cursor = other.cursor
    step = other.step
    position = other.position
    windowStart = other.windowStart
    eventCount = other.eventCount
    plainStateEnd = other.plainStateEnd
    levelBefore = other.levelBefore
    open = other.open
    afterDecision = other.afterDecision
    ranking = other.ranking
    emptiedBytes = other.emptiedBytes
    isOver = other.isOver
  }

  /// Goes on to the next point at which the policy has something to do, or a window is over.
  ///
  /// The caller must have done what the last stop asked for. No instant goes on in another window.
  @inlinable
  mutating func advance(in events: borrowing Span<TraceEvent>) throws(RunError) -> Stop {
    if step != .events, let stop = try settle() { return stop }
    return try runEvents(events)
  }

  /// Goes on for one policy alone.
  ///
  /// - Parameter slate: What the policy has left of the open decision, scored.
  mutating func goOn(by rules: Rules, with slate: [Candidate]) {
    self.rules = rules
    simulation.decision.candidates.removeAll()
    for candidate in slate { simulation.decision.candidates.append(candidate) }
  }

  /// Closes the run, which must have finished.
  mutating func finish() -> RunResult { simulation.finish() }

  // MARK: Events and timers

  /// Applies events and timers, settling after each of them that asks for it.
  @usableFromInline
  mutating func runEvents(_ events: borrowing Span<TraceEvent>) throws(RunError) -> Stop {
    while position < windowStart + events.count {
      let event = events[position - windowStart]
      if simulation.timers.queue.nextTime <= event.timeNanoseconds,
        let stop = try runTimers(through: event.timeNanoseconds)
      {
        return stop
      }
      simulation.advanceClock(to: event.timeNanoseconds)
      simulation.instant.boundSave = cursor.boundSave(at: position).map(Int64.init) ?? -1
      simulation.instant.unlockTime = cursor.unlockTime(at: position)
      if event.kind == .save { simulation.instant.isBoundSaveRow = cursor.isBoundRow(position) }
      lookAhead(in: events)
      simulation.instant.position = position
      position += 1
      simulation.apply(event)
      if event.kind.isOfBlock {
        position += simulation.applyBlocks(of: event.app, in: events, from: position - windowStart)
      }
      if simulation.needsSettling {
        if isDemandMet, let stop = try beginSettling() { return stop }
      } else if !simulation.notes.isEmpty {
        return .notes
      }
      #if DEBUG
        if !simulation.needsSettling { simulation.checkInvariants(isSettled: false) }
      #endif
    }
    if position < eventCount {
      windowStart = position
      return .events
    }
    let end = simulation.index.endNanoseconds
    if simulation.timers.queue.nextTime <= end, let stop = try runTimers(through: end) {
      return stop
    }
    simulation.advanceClock(to: end)
    if !simulation.notes.isEmpty { return .notes }
    if let failure = simulation.failure(appNames) { throw failure }
    return .finished
  }

  @inline(never)
  private mutating func runTimers(through time: Int64) throws(RunError) -> Stop? {
    simulation.instant.horizon = time
    while simulation.timers.queue.nextTime <= time {
      let timer = simulation.timers.queue.popNext()
      let isOff =
        timer.kind == .pressurePoll
        ? simulation.model.skipsPoll(at: timer.timeNanoseconds, &simulation)
        : !simulation.isStillSet(timer)
      if isOff { continue }
      simulation.advanceClock(to: timer.timeNanoseconds)
      simulation.fire(timer)
      if simulation.needsSettling, isDemandMet, let stop = try beginSettling() { return stop }
    }
    return nil
  }

  /// Whether nothing at this instant is still to be added to a launch's demand.
  ///
  /// The textbook cache knows the size at the launch and does not wait.
  private var isDemandMet: Bool {
    mutating get {
      position > simulation.instant.demand.end || simulation.arrival.waiting != .none
    }
  }

  // MARK: Rows that belong together

  /// Finds the rows that are settled together with the one at `position`.
  @inline(__always)
  private mutating func lookAhead(in events: borrowing Span<TraceEvent>) {
    let event = events[position - windowStart]
    switch event.kind {
    case .launch, .backgroundLaunch:
      simulation.instant.demand = demand(of: event.app, in: events)
    case .screen, .interruptEnd:
      let app = simulation.lock.app
      if app != .none, simulation.apps[app].state == .notRunning {
        simulation.instant.demand = demand(of: app, in: events)
      }
    default:
      if event.timeNanoseconds == 0, position > simulation.instant.demand.end,
        event.kind.describesState
      {
        findOpeningState(in: events)
      }
    }
  }

  /// Memory rows of an app that comes to the front, at that instant.
  @inline(__always)
  private mutating func demand(
    of app: AppIndex, in events: borrowing Span<TraceEvent>
  ) -> LaunchDemand {
    simulation.apps[app].looseEnds.contains(.measured)
      ? measuredDemand(of: app, in: events) : LaunchDemand(end: position)
  }

  @inline(never)
  private mutating func measuredDemand(
    of app: AppIndex, in events: borrowing Span<TraceEvent>
  ) -> LaunchDemand {
    var demand = LaunchDemand(end: position)
    let time = events[position - windowStart].timeNanoseconds
    var next = position + 1
    while next < windowStart + events.count,
      events[next - windowStart].timeNanoseconds == time
    {
      let event = events[next - windowStart]
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
  private mutating func findOpeningState(in events: borrowing Span<TraceEvent>) {
    guard position > plainStateEnd else { return }
    var end = position
    var hasPresent = events[position - windowStart].kind == .present
    while end + 1 < windowStart + events.count {
      let event = events[end + 1 - windowStart]
      guard event.timeNanoseconds == 0, event.kind.describesState else { break }
      end += 1
      hasPresent = hasPresent || event.kind == .present
    }
    if hasPresent {
      simulation.instant.demand = LaunchDemand(end: end)
    } else {
      plainStateEnd = end
    }
  }

  // MARK: Settling

  mutating func beginSettling() throws(RunError) -> Stop? {
    levelBefore = simulation.beginSettling()
    step = .openDecision
    return simulation.notes.isEmpty ? try settle() : .notes
  }

  /// Goes on settling; nil: all is settled.
  @usableFromInline
  mutating func settle() throws(RunError) -> Stop? {
    while step.rawValue < Step.endSettling.rawValue {
      if let stop = try decide() { return stop }
    }
    if step == .endSettling {
      simulation.endSettling(levelBefore: levelBefore)
      #if DEBUG
        simulation.checkInvariants()
      #endif
      step = .check
      if !simulation.notes.isEmpty { return .notes }
    }
    if let failure = simulation.failure(appNames) { throw failure }
    step = .events
    return nil
  }

  // MARK: Decisions

  /// Takes one step of the decisions of an instant; the result is what the policy has to do then.
  @inline(__always)
  private mutating func decide() throws(RunError) -> Stop? {
    if step == .openDecision {
      if let open = simulation.openDecision() { return ask(open, then: .openDecision) }
      guard simulation.arrival.waiting == .none else {
        step = rules.boundsParts ? .askBound : .insert
        return nil
      }
      step = .endSettling
      return nil
    }
    return try decideOn()
  }

  @inline(never)
  private mutating func decideOn() throws(RunError) -> Stop? {
    switch step {
    case .choose:
      choose()
      step = .takeNext
      return nil
    case .takeNext: return takeNext()
    case .take: return take()
    case .endVictim:
      noteEnd(freedBytes: simulation.end(victim, for: open, emptiedBytes: emptiedBytes))
      step = .takeNext
      return nil
    case .askBound:
      // There is room, but a part of the cache may have a bound of its own.
      step = .openBound
      return .bound
    case .openBound:
      guard overflowBytes > 0, let open = simulation.openBound(overflowBytes) else {
        step = .insert
        return nil
      }
      return ask(open, then: .askBound)
    case .insert:
      // Room has been made, the launched app comes in.
      let bytes = simulation.pendingBytes
      if let failure = simulation.insertPending(bytes, appNames) { throw failure }
      step = .endSettling
      return nil
    case .openDecision, .endSettling, .check, .events: return nil
    }
  }

  /// Asks the policy for the order of an open decision.
  private mutating func ask(_ open: OpenDecision, then next: Step) -> Stop {
    begin(open)
    afterDecision = next
    guard !rules.findsOneByOne else { return askNext() }
    step = .choose
    return .decision
  }

  /// Makes a request of an open decision.
  @inline(__always)
  mutating func begin(_ open: OpenDecision) {
    self.open = open
    request = PurgeRequest(
      timeNanoseconds: simulation.now, decision: simulation.decision.number,
      neededBytes: max(0, open.targetBytes - open.availableBytes),
      availableBytes: open.availableBytes,
      level: open.level, trigger: open.trigger, endsAfterOne: open.endsAfterOne,
      offersFront: simulation.offersFront(open))
    if simulation.front != .none {
      simulation.accrueEdits(simulation.front)
      simulation.changes.add(simulation.front)
    }
    if rules.draws { simulation.counters.system.drew = true }
  }

  /// Asks the policy for the next victim of an open decision.
  @inline(__always)
  private mutating func askNext() -> Stop {
    isOver = false
    step = .take
    return .victim
  }

  /// Puts groups before scores and, where victims depend on the whole order, finds it.
  private mutating func choose() {
    isOver = false
    if rules.savedFirst || request.offersFront { group(by: rules) }
    guard rules.choosesSets || simulation.log.wantsDecisions else { return }
    var order: [Candidate] = []
    order.reserveCapacity(simulation.decision.candidates.count)
    for position in simulation.decision.candidates.indices {
      order.append(simulation.decision.candidates[position])
    }
    order.sort(by: Candidate.precedes)
    ranking = RankedDecision(
      order, chosen: chosenSet(order),
      records: simulation.log.wantsDecisions ? order.map { simulation.candidateRecord($0) } : [],
      spared: simulation.log.wantsDecisions ? simulation.sparedApps() : [])
  }

  /// Writes what goes before the score: see ``Candidate/group``.
  mutating func group(by rules: Rules) {
    let isNamed = open.namedVictim != .none
    // Policies order what was left; where a model offers everybody, who is in use goes last.
    let inUse = request.offersFront && !rules.knowsFront ? simulation.front : .none
    let savedFirst = rules.savedFirst
    for position in simulation.decision.candidates.indices {
      let app = simulation.decision.candidates[position].app
      var group: UInt16 = savedFirst && simulation.apps[app].ledger.hasUnsavedData ? 1 : 0
      if app == inUse { group += 2 }
      // Where all are asked about at once, the model's own order of apps comes first.
      if isNamed {
        group = UInt16(
          clamping: Int(group) + 4 * simulation.model.precedence(of: app, &simulation))
      }
      simulation.decision.candidates[position].group = group
    }
  }

  /// Who of a ranked list goes, by position, where that is known beforehand; nil: it is not.
  private mutating func chosenSet(_ order: [Candidate]) -> [Bool]? {
    if open.namedVictim != .none { return order.map { $0.app == open.namedVictim } }
    guard rules.choosesSets else { return nil }
    var options: [VictimSet.Option] = []
    for candidate in order {
      options.append(
        VictimSet.Option(
          unit: rules.units.map { $0[candidate.app.position] } ?? candidate.app.rawValue,
          freedBytes: simulation.apps[candidate.app].chargedBytes,
          isPurge: simulation.isPurge(of: candidate.app, open)))
    }
    return VictimSet(open, isMinimal: rules.isMinimal).choose(options)
  }

  /// Finds the next victim, if one is needed.
  private mutating func takeNext() -> Stop? {
    guard !isOver else { return close() }
    guard !rules.findsOneByOne else { return askNext() }
    victim = nextVictim() ?? .none
    return take()
  }

  private mutating func nextVictim() -> AppIndex? {
    ranking != nil
      ? ranking?.takeNext() : simulation.decision.candidates.isEmpty ? nil : takeLeast()
  }

  /// Takes the victim that was found, or closes the decision if there is none.
  private mutating func take() -> Stop? {
    guard victim != .none else { return close() }
    let emptied = simulation.model.drain(victim, for: open, &simulation)
    emptiedBytes = emptied.bytes
    if emptied.isSpared {
      noteEnd(freedBytes: emptied.bytes)
      step = .takeNext
      return nil
    }
    step = .endVictim
    guard simulation.notes.wantsEvents, simulation.isPurge(of: victim, open) else { return nil }
    purge = EngineEvent(.ended, app: victim, at: simulation.now, endCause: .purge)
    return .purge
  }

  /// Takes the least candidate off the list, which must not be empty; no sorting, no records.
  @usableFromInline
  mutating func takeLeast() -> AppIndex {
    let least = Candidate.least(of: simulation.decision.candidates.count) {
      simulation.decision.candidates[$0]
    }
    let app = simulation.decision.candidates[least].app
    let last = simulation.decision.candidates.removeLast()
    if least < simulation.decision.candidates.count {
      simulation.decision.candidates[least] = last
    }
    return app
  }

  /// The victim is gone, or was spared because its purgeable memory was enough.
  private mutating func noteEnd(freedBytes: Int64) {
    let isGone = simulation.apps.state(victim) == .notRunning
    ranking?.note(freedBytes: freedBytes, isGone: isGone)
    // A set is known beforehand, and goes as a whole.
    isOver = ranking?.chosen == nil && (open.endsAfterOne || simulation.isDone(open))
  }

  private mutating func close() -> Stop? {
    if let ranking, simulation.log.wantsDecisions {
      simulation.log.recorder?.record(
        DecisionRecord(
          number: simulation.decision.number, timeNanoseconds: simulation.now,
          trigger: open.trigger, level: open.level, availableBytes: open.availableBytes,
          neededBytes: max(0, open.targetBytes - open.availableBytes),
          targetBytes: open.targetBytes, candidates: ranking.records, spared: ranking.spared))
      if open.namedVictim != .none { simulation.endNamedVictim(open) }
    }
    ranking = nil
    simulation.closeDecision()
    step = afterDecision
    return simulation.notes.isEmpty ? nil : .notes
  }
}

/// A decision whose whole order is known: for a log, or for victims that are a set.
private struct RankedDecision {
  /// Which apps go, by place; nil: the first ones, until it is enough.
  let chosen: [Bool]?
  /// What became of each candidate, by place; empty without a log.
  private(set) var records: [CandidateRecord]
  let spared: [SparedApp]
  private let order: [Candidate]
  /// Place of the newest victim.
  private var place = -1

  init(
    _ order: [Candidate], chosen: [Bool]?, records: [CandidateRecord], spared: [SparedApp]
  ) {
    self.order = order
    self.chosen = chosen
    self.records = records
    self.spared = spared
    for place in records.indices.dropLast() {
      self.records[place].tieBrokenBy = Candidate.tieBreak(order[place], order[place + 1])
    }
    if records.count > 1 {
      self.records[records.count - 1].tieBrokenBy = self.records[records.count - 2].tieBrokenBy
    }
  }

  /// The next app that goes; nil: there is none.
  mutating func takeNext() -> AppIndex? {
    repeat { place += 1 } while place < order.count && chosen?[place] == false
    return place < order.count ? order[place].app : nil
  }

  /// What the newest victim gave back; one whose purgeable memory was enough lives on.
  mutating func note(freedBytes: Int64, isGone: Bool) {
    guard !records.isEmpty else { return }
    records[place].freedBytes = freedBytes
    records[place].isChosen = isGone
  }
}
