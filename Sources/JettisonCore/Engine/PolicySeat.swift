/// A policy in a run: told what happened, and asked for scores.
///
/// What a policy does itself is compiled once for each of them, where the policy is described: so all of
/// this may be inlined there, and of the engine no more than what a launch comes to where nothing else
/// happens (`PolicySeat+Launches.swift`).
@usableFromInline
struct PolicySeat<Policy: PurgePolicy> {
  @usableFromInline var policy: Policy
  /// What errors call it.
  @usableFromInline let name: String
  @usableFromInline let appNames: [String]
  @usableFromInline var slate = CandidateSlate()
  @usableFromInline var places: CandidatePlaces

  @inlinable
  init(_ policy: Policy, name: String, appNames: [String]) {
    self.policy = policy
    self.name = name
    self.appNames = appNames
    places = CandidatePlaces(appCount: Policy.ordering == .byRank ? appNames.count : 0)
  }

  /// A seat by its type, which is known where it goes on alone.
  ///
  /// In a function of its own: where a loop is in reach, a way that ends in a trap is compiled with all
  /// that it takes to free the loop.
  ///
  /// - Precondition: It is a seat of this type.
  @inlinable
  init(_ seat: any SharedSeat) {
    guard let seat = seat as? Self else {
      preconditionFailure("a policy goes on in its own seat")
    }
    self = seat
  }

  /// Goes through a trace to its end, from where the loop is, and does what that asks for.
  @inlinable
  mutating func run(_ loop: inout ReplayLoop, _ trace: Trace) throws(RunError) {
    try trace.events.forEachWindow { (events, first) throws(RunError) in
      guard first >= loop.windowStart else { return }
      if loop.simulation.hasLaunchesOnly { try takeLaunches(&loop, events) }
      while true {
        let stop = try loop.advance(in: events)
        if !loop.simulation.notes.isEmpty {
          // Some may be left by policies that shared the world.
          if Policy.observesEvents {
            tell(loop.simulation.notes.events, apps: loop.simulation.apps)
          }
          loop.simulation.notes.removeAll()
        }
        switch stop {
        case .notes: break
        case .purge: policy.observe(loop.purge, apps: loop.simulation.apps)
        case .decision:
          try score(
            &loop.simulation.decision.candidates, for: loop.request, apps: loop.simulation.apps)
        case .victim:
          try findVictim(&loop)
        case .bound:
          loop.overflowBytes = policy.overflowBytes(
            inserting: loop.simulation.arrival.waiting, bytes: loop.simulation.pendingBytes)
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
    if Policy.followsPlatform, takePlatformOrder(&candidates, for: request, apps: apps) { return }
    switch Policy.ordering {
    case .byScore: break
    case .byPreparedScore:
      if order == nil { slate.fill(candidates) }
      try prepare(order ?? slate.apps, for: request, apps: apps)
    case .byRank:
      if let order { slate.fill(order) } else { slate.fill(candidates) }
      return try rank(&candidates, for: request, apps: apps)
    }
    for position in candidates.indices {
      candidates[position].score = try score(candidates[position].app, for: request, apps: apps)
    }
  }

  /// Takes the platform's ranks as scores; false if the decision has none, and all are to be scored.
  @inlinable
  func takePlatformOrder(
    _ candidates: inout Column<Candidate>, for request: PurgeRequest, apps: borrowing AppTable
  ) -> Bool {
    for position in candidates.indices {
      guard let rank = apps.platformRank(candidates[position].app, for: request) else {
        return false
      }
      candidates[position].score = Double(rank)
    }
    return true
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

  /// Lets a policy put the slate in order, and gives candidates their places as scores.
  @inlinable
  mutating func rank(
    _ candidates: inout Column<Candidate>, for request: PurgeRequest, apps: borrowing AppTable
  ) throws(RunError) {
    do throws(PolicyFailure) {
      try policy.putInOrder(&slate.apps, for: request, apps: apps)
    } catch {
      throw .policyFailed(policy: name, reason: error.reason)
    }
    places.note(slate.apps)
    for position in candidates.indices {
      let app = candidates[position].app
      guard let place = places[app] else {
        let failure = CandidatePlaces.lack(of: appNames[app.position])
        throw .policyFailed(policy: name, reason: failure.reason)
      }
      candidates[position].score = place
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
    // Scores are kept of those alone who may go.
    if names, loop.victim == .none ? loop.mayAnyGo() : !loop.mayTake(loop.victim) {
      throw refusal(of: loop.victim)
    }
    #if DEBUG
      loop.checkVictim(policy)
    #endif
    if loop.victim == .none { loop.victim = loop.lastResort() }
  }
}

extension PolicySeat {
  /// What is wrong with a victim that may not go, or with none where an app may: the run would ask for
  /// ever.
  @inlinable
  func refusal(of victim: AppIndex) -> RunError {
    guard victim != .none else {
      return .policyFailed(
        policy: name,
        reason: "it named no victim, though apps may go (name one that 'update' called a "
          + "candidate)")
    }
    let app = victim.position
    return .victimIsNoCandidate(
      policy: name, app: appNames.indices.contains(app) ? appNames[app] : "number \(app)")
  }
}

/// Candidates in the order in which equal scores leave them; kept to be reused.
@usableFromInline
struct CandidateSlate {
  private var candidates: [Candidate] = []
  @usableFromInline var apps: [AppIndex] = []

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

  @usableFromInline
  mutating func fill(_ ordered: [AppIndex]) {
    apps.removeAll(keepingCapacity: true)
    apps.append(contentsOf: ordered)
  }
}

/// The places of apps in an order; kept to be reused.
@usableFromInline
struct CandidatePlaces: Sendable {
  /// By app, valid where ``round`` is that of the newest order.
  private var places: [Double]
  private var rounds: [Int]
  private var round = 0

  @usableFromInline
  init(appCount: Int) {
    places = Array(repeating: 0, count: appCount)
    rounds = Array(repeating: 0, count: appCount)
  }

  /// Takes the places of an order; what is no app has none.
  @usableFromInline
  mutating func note(_ order: [AppIndex]) {
    round += 1
    var place = 0.0
    for app in order {
      if places.indices.contains(app.position) {
        places[app.position] = place
        rounds[app.position] = round
      }
      place += 1
    }
  }

  /// The place of an app in the newest order, from 0; nil if it is not in it.
  @usableFromInline
  subscript(app: AppIndex) -> Double? {
    rounds[app.position] == round ? places[app.position] : nil
  }

  /// What is said of an order without one of the candidates.
  @usableFromInline
  static func lack(of app: String) -> PolicyFailure { PolicyFailure("its order lacks '\(app)'") }
}

extension PurgePolicy {
  /// Scores of candidates in the engine's order, as a decision about them would have them.
  ///
  /// - Throws: ``PolicyFailure`` if the policy cannot put them in order.
  mutating func scores(
    of candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable,
    appNames: [String]
  ) throws(PolicyFailure) -> [Double] {
    var scores: [Double] = []
    if Self.followsPlatform {
      for app in candidates {
        if let rank = apps.platformRank(app, for: request) { scores.append(Double(rank)) }
      }
      if scores.count == candidates.count { return scores }
      scores = []
    }
    if Self.ordering == .byRank {
      var order = candidates
      try putInOrder(&order, for: request, apps: apps)
      var places = CandidatePlaces(appCount: apps.count)
      places.note(order)
      for app in candidates {
        guard let place = places[app] else {
          throw CandidatePlaces.lack(of: appNames[app.position])
        }
        scores.append(place)
      }
      return scores
    }
    if Self.ordering == .byPreparedScore { try prepare(candidates, for: request, apps: apps) }
    for app in candidates { scores.append(score(app, for: request, apps: apps)) }
    return scores
  }
}
