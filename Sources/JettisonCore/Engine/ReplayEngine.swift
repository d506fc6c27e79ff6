/// Replays a trace under one policy.
///
/// All rules are in ``Simulation``, and ``ReplayLoop`` goes through the trace. What is left here is
/// compiled once for each policy: telling it what happened, and asking it for scores.
struct ReplayEngine<Policy: PurgePolicy>: ~Copyable {
  private var loop: ReplayLoop
  private var seat: PolicySeat<Policy>
  /// Candidates whose scores are kept (``VictimSearch/keepingScores``).
  private var kept: CandidateOrder

  /// - Parameters:
  ///   - model: The pressure model that serves the family in force.
  ///   - name: What errors call the policy.
  ///   - knowsFront: See ``PurgePolicy/ordersFront(under:)``.
  ///   - draws: Whether the policy draws, so that seeds differ.
  init(
    _ trace: Trace, _ configuration: RunConfiguration, model: any PressureModel.Type,
    policy: Policy, name: String, modifiers: PolicyModifiers, knowsFront: Bool, draws: Bool,
    recorder: (any Recorder)?
  ) throws(RunError) {
    let findsOneByOne = Self.findsOneByOne(
      trace, configuration, model: model, modifiers: modifiers, recorder: recorder)
    let rules = ReplayLoop.Rules(
      savedFirst: modifiers.isSavedFirst, choosesSets: modifiers.choosesSets,
      isMinimal: modifiers.isMinimal, units: modifiers.units(of: trace.apps, configuration),
      knowsFront: knowsFront, draws: draws, findsOneByOne: findsOneByOne,
      boundsParts: Policy.boundsParts)
    loop = try ReplayLoop(
      trace, configuration, model: model, modifiers: modifiers, rules: rules, recorder: recorder)
    loop.simulation.notesEvents = Policy.observesEvents
    loop.simulation.notesFootprints = Policy.observesEvents && Policy.observesFootprints
    kept = CandidateOrder(
      appCount: findsOneByOne && Policy.search == .keepingScores ? trace.apps.count : 0)
    seat = PolicySeat(policy, name: name, appNames: trace.apps)
  }

  /// Whether victims are found one by one, without asking about everybody.
  ///
  /// Where the launched app comes in once there is room, whoever is in memory may go; logs and
  /// modifiers that choose among all need the whole order.
  private static func findsOneByOne(
    _ trace: Trace, _ configuration: RunConfiguration, model: any PressureModel.Type,
    modifiers: PolicyModifiers, recorder: (any Recorder)?
  ) -> Bool {
    let choice = ChoiceRules(modifiers, configuration)
    guard model.traits.makesRoomFirst, recorder?.wantsDecisions != true, !modifiers.choosesSets,
      !modifiers.isSavedFirst, choice.recentCount == 0, choice.intervalNanoseconds == 0
    else { return false }
    switch Policy.search {
    case .scoringAll: return false
    case .keepingScores: return true
    // Apps that ran before the trace began are in no queue.
    case .naming: return trace.index.kindCounts[Int(EventKind.present.rawValue)] == 0
    }
  }

  var policy: Policy { seat.policy }

  /// The world, for tests.
  var simulation: Simulation { _read { yield loop.simulation } }

  /// Lets the run end apps where the capture did, instead of deciding.
  mutating func follow(_ causes: Set<ExitCause>) {
    loop.simulation.followed.causes = causes
    loop.simulation.goesStraight = false
  }

  /// Runs to the end of the trace.
  mutating func run(_ trace: Trace) throws(RunError) -> RunResult {
    try trace.events.forEachWindow { (events, _) throws(RunError) in
      while true {
        switch try loop.advance(in: events) {
        case .notes: tell()
        case .purge: seat.policy.observe(loop.purge, apps: loop.simulation.apps)
        case .decision:
          try seat.score(
            &loop.simulation.decision.candidates, for: loop.request, apps: loop.simulation.apps)
        case .victim: try findVictim()
        case .bound:
          loop.overflowBytes = seat.policy.overflowBytes(
            inserting: loop.simulation.pendingInsert, bytes: loop.simulation.pendingBytes)
        case .events, .finished: return
        }
      }
    }
    return loop.finish()
  }

  private mutating func tell() {
    seat.tell(loop.simulation.notes, apps: loop.simulation.apps)
    loop.simulation.notes.removeAll()
  }

  /// Finds the next victim; only those are looked at to whom something happened.
  private mutating func findVictim() throws(RunError) {
    let names = Policy.search == .naming
    while let app = loop.simulation.changes.takeNext() {
      let isCandidate = loop.simulation.mayGo(app)
      if names {
        seat.policy.update(app, isCandidate: isCandidate, apps: loop.simulation.apps)
      } else if isCandidate {
        try keepScore(of: app)
      } else {
        kept.remove(app)
      }
    }
    loop.victim =
      names ? seat.policy.nextVictim(for: loop.request, apps: loop.simulation.apps) : kept.first()
    #if DEBUG
      checkVictim()
    #endif
  }

  private mutating func keepScore(of app: AppIndex) throws(RunError) {
    let score = try seat.score(app, for: loop.request, apps: loop.simulation.apps)
    kept.put(
      loop.simulation.candidate(app, loop.simulation.apps[app], score: score))
  }

  #if DEBUG
    /// Asks about everybody after all: nobody may come before the victim that was found.
    private mutating func checkVictim() {
      let victim = loop.victim
      precondition(victim == .none || loop.simulation.mayGo(victim), "a victim may go")
      guard Policy.search == .keepingScores else { return }
      var first: Candidate?
      for position in loop.simulation.residents.indices {
        let app = loop.simulation.residents[position]
        guard loop.simulation.mayGo(app) else { continue }
        let score = seat.policy.score(app, for: loop.request, apps: loop.simulation.apps)
        let other = loop.simulation.candidate(app, loop.simulation.apps[app], score: score)
        if first.map({ Candidate.precedes(other, $0) }) ?? true { first = other }
      }
      precondition((first?.app ?? .none) == victim, "kept scores are those of now")
    }
  #endif
}
