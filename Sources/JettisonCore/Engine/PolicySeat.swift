/// A policy in a run: told what happened, and asked for scores.
///
/// What a policy does itself is compiled once for each of them, where the policy is described: so
/// all of this may be inlined there, and nothing else of the engine.
@usableFromInline
struct PolicySeat<Policy: PurgePolicy> {
  @usableFromInline var policy: Policy
  /// What errors call it.
  @usableFromInline let name: String
  @usableFromInline let appNames: [String]
  @usableFromInline var slate = CandidateSlate()

  @inlinable
  init(_ policy: Policy, name: String, appNames: [String]) {
    self.policy = policy
    self.name = name
    self.appNames = appNames
  }

  /// Goes through a trace to its end, from where the loop is, and does what that asks for.
  @inlinable
  mutating func run(_ loop: inout ReplayLoop, _ trace: Trace) throws(RunError) {
    try trace.events.forEachWindow { (events, first) throws(RunError) in
      guard first >= loop.windowStart else { return }
      while true {
        switch try loop.advance(in: events) {
        case .notes:
          tell(loop.simulation.notes, apps: loop.simulation.apps)
          loop.simulation.notes.removeAll()
        case .purge: policy.observe(loop.purge, apps: loop.simulation.apps)
        case .decision:
          try score(
            &loop.simulation.decision.candidates, for: loop.request, apps: loop.simulation.apps)
        case .victim: try findVictim(&loop)
        case .bound:
          loop.overflowBytes = policy.overflowBytes(
            inserting: loop.simulation.pendingInsert, bytes: loop.simulation.pendingBytes)
        case .events, .finished: return
        }
      }
    }
  }

  @inlinable
  mutating func tell(_ notes: borrowing Column<EngineEvent>, apps: borrowing AppTable) {
    for position in notes.indices { policy.observe(notes[position], apps: apps) }
  }

  // MARK: Scores

  /// Fills in the scores of candidates.
  ///
  /// - Parameter order: The candidates in the engine's order, where that is known; nil: it is found
  ///   if the policy needs it.
  @inlinable
  mutating func score(
    _ candidates: inout Column<Candidate>, order: [AppIndex]? = nil, for request: PurgeRequest,
    apps: borrowing AppTable
  ) throws(RunError) {
    if Policy.ranksTogether {
      if order == nil { slate.fill(candidates) }
      try prepare(order ?? slate.apps, for: request, apps: apps)
    }
    for position in candidates.indices {
      candidates[position].score = try score(candidates[position].app, for: request, apps: apps)
    }
  }

  @inlinable
  func score(
    _ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) throws(RunError) -> Double {
    let score = policy.score(app, for: request, apps: apps)
    guard !score.isNaN else {
      throw .scoreIsNotANumber(policy: name, app: appNames[app.position])
    }
    return score
  }

  /// Lets a policy look at all candidates, in their order.
  @inlinable
  mutating func prepare(
    _ order: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(RunError) {
    do throws(PolicyFailure) {
      try policy.prepare(order, for: request, apps: apps)
    } catch {
      throw .policyFailed(policy: name, reason: error.reason)
    }
  }

  // MARK: One victim after the other

  /// Finds the next victim; only those are looked at to whom something happened.
  @inlinable
  mutating func findVictim(_ loop: inout ReplayLoop) throws(RunError) {
    let names = Policy.search == .naming
    while let change = loop.takeChange() {
      if names {
        policy.update(change.app, isCandidate: change.isCandidate, apps: loop.simulation.apps)
      } else if change.isCandidate {
        loop.keep(
          change.app,
          score: try score(change.app, for: loop.request, apps: loop.simulation.apps))
      } else {
        loop.forget(change.app)
      }
    }
    loop.victim =
      names
      ? policy.nextVictim(for: loop.request, apps: loop.simulation.apps) : loop.firstKept()
    guard loop.victim == .none || loop.mayTake(loop.victim) else {
      let app = loop.victim.position
      throw .victimIsNoCandidate(
        policy: name, app: appNames.indices.contains(app) ? appNames[app] : "number \(app)")
    }
    #if DEBUG
      loop.checkVictim(policy)
    #endif
  }
}

/// Candidates in the order in which equal scores leave them; kept to be reused.
@usableFromInline
struct CandidateSlate {
  private var candidates: [Candidate] = []
  @usableFromInline private(set) var apps: [AppIndex] = []

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func fill(_ unordered: borrowing Column<Candidate>) {
    candidates.removeAll(keepingCapacity: true)
    for position in unordered.indices { candidates.append(unordered[position]) }
    candidates.sort(by: Candidate.precedes)
    apps.removeAll(keepingCapacity: true)
    for candidate in candidates { apps.append(candidate.app) }
  }
}
