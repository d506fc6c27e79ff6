/// Replays a trace under several policies, which share a world for as long as they choose alike.
///
/// What happens between two decisions depends on no policy. So runs that differ in nothing but their
/// policy go through the trace together until a decision tells them apart: then the world is copied,
/// and each part of them goes on by itself; a policy that is left alone goes on as if it had always
/// been. Every result is that of ``ReplayEngine`` for its policy alone; only what would be done twice is
/// done once.
///
/// For runs without listeners, whose victims are chosen one by one, and whose memory is all
/// figures (``AppMemory/mayHaveArenas``).
struct SharedReplay: ~Copyable {
  /// A policy and what it makes of an open decision.
  struct Member {
    /// Its place among the results.
    let position: Int
    var seat: any SharedSeat
    /// Those of a run of its own.
    let rules: ReplayLoop.Rules
    /// Lets it go on alone.
    let goOn: SoleRun
    /// Whether it has drawn at random.
    var drew = false
    /// Candidates of the open decision that are left.
    var slate: [Candidate] = []
  }

  /// Runs that are still to be gone on with, and their world.
  private final class Branch {
    private var loop: ReplayLoop?
    let members: [Member]

    init(_ loop: consuming ReplayLoop, _ members: [Member]) {
      self.loop = consume loop
      self.members = members
    }

    /// Hands out the world, once.
    func takeLoop() -> ReplayLoop {
      guard let loop = loop.take() else { preconditionFailure("a world is gone on with once") }
      return loop
    }
  }

  private var branches: [Branch]
  private var outcomes: [Result<RunResult, RunError>?]
  /// Who each member says goes next; kept to be reused.
  private var victims: [AppIndex] = []
  private var slate = CandidateSlate()

  /// Begins with one world for all.
  init(_ loop: consuming ReplayLoop, _ members: [Member]) {
    outcomes = Array(repeating: nil, count: members.count)
    branches = [Branch(loop, members)]
  }

  /// Runs all to the end of the trace; results by ``Member/position``.
  mutating func run(_ trace: Trace) -> [Result<RunResult, RunError>] {
    while let branch = branches.popLast() {
      var members = branch.members
      do throws(RunError) {
        let result = try run(branch.takeLoop(), &members, trace)
        for member in members {
          var own = result
          own.system.drew = own.system.drew || member.drew
          outcomes[member.position] = .success(own)
        }
      } catch {
        for member in members { outcomes[member.position] = .failure(error) }
      }
    }
    return outcomes.map { outcome in
      guard let outcome else { preconditionFailure("every run ends") }
      return outcome
    }
  }

  /// Goes on with a world until the trace is over; those who choose otherwise leave `members`.
  private mutating func run(
    _ loop: consuming ReplayLoop, _ members: inout [Member], _ trace: Trace
  ) throws(RunError) -> RunResult {
    loop.noteWhoListens(members)
    if members.count > 1 { try runTogether(&loop, &members, trace) }
    if members.count == 1 {
      let member = members[0]
      loop.goOn(by: member.rules, with: member.slate)
      try member.goOn(member.seat, &loop, trace)
    }
    return loop.finish()
  }

  /// Goes on until the trace is over, or one of them is left.
  private mutating func runTogether(
    _ loop: inout ReplayLoop, _ members: inout [Member], _ trace: Trace
  ) throws(RunError) {
    // A world that was copied is in the middle of one.
    var decision = loop.request.decision
    try trace.events.forEachWindow { (events, first) throws(RunError) in
      // A world that was copied has gone through the windows before its own.
      guard first >= loop.windowStart else { return }
      while members.count > 1 {
        let stop = try loop.advance(in: events)
        if !loop.simulation.notes.isEmpty {
          for position in members.indices {
            members[position].seat.tell(loop.simulation.notes.events, apps: loop.simulation.apps)
          }
          loop.simulation.notes.removeAll()
        }
        switch stop {
        case .notes: break
        case .purge:
          for position in members.indices {
            members[position].seat.observe(loop.purge, apps: loop.simulation.apps)
          }
        case .victim:
          if decision != loop.request.decision { score(&loop, &members) }
          decision = loop.request.decision
          choose(&loop, &members)
        case .decision, .bound: preconditionFailure("victims are chosen one by one")
        case .events, .finished: return
        }
      }
    }
  }

  // MARK: Choosing

  /// Lets every member score the candidates of a decision; one that fails is out.
  private mutating func score(_ loop: inout ReplayLoop, _ members: inout [Member]) {
    // Once for all who ask.
    if members.contains(where: { $0.seat.looksAtAll }) {
      slate.fill(loop.simulation.decision.candidates)
    }
    var failed: [Int] = []
    for position in members.indices {
      members[position].drew = members[position].drew || members[position].rules.draws
      do throws(RunError) {
        try loop.score(by: &members[position], slate.apps)
      } catch {
        outcomes[members[position].position] = .failure(error)
        failed.append(position)
      }
    }
    for position in failed.reversed() { members.remove(at: position) }
  }

  /// Lets every member say who goes next; those who say something else than the first go on in a
  /// world of their own.
  private mutating func choose(_ loop: inout ReplayLoop, _ members: inout [Member]) {
    guard !members.isEmpty else { return }
    victims.removeAll(keepingCapacity: true)
    for position in members.indices { victims.append(Self.takeLeast(&members[position].slate)) }
    loop.victim = victims[0]
    if victims.contains(where: { $0 != victims[0] }) { part(&loop, &members) }
  }

  private mutating func part(_ loop: inout ReplayLoop, _ members: inout [Member]) {
    let chosen = loop.victim
    var others: [AppIndex] = []
    for victim in victims where victim != chosen && !others.contains(victim) {
      others.append(victim)
    }
    for victim in others.reversed() {
      let part = members.indices.filter { victims[$0] == victim }.map { members[$0] }
      branches.append(Branch(ReplayLoop(copying: loop, victim: victim), part))
    }
    members = members.indices.filter { victims[$0] == chosen }.map { members[$0] }
    loop.noteWhoListens(members)
  }

  /// Takes the least candidate off a list; none if it is empty.
  private static func takeLeast(_ slate: inout [Candidate]) -> AppIndex {
    guard !slate.isEmpty else { return .none }
    let least = Candidate.least(of: slate.count) { slate[$0] }
    let app = slate[least].app
    slate.swapAt(least, slate.count - 1)
    slate.removeLast()
    return app
  }
}

extension ReplayLoop {
  /// Nothing is noted where no listener is left.
  fileprivate mutating func noteWhoListens(_ members: [SharedReplay.Member]) {
    simulation.notes.wantsEvents = members.contains { $0.seat.observesEvents }
    simulation.notes.wantsFootprints = members.contains { $0.seat.observesFootprints }
  }

  /// Lets a policy score the candidates of the open decision, and hands them to it.
  fileprivate mutating func score(
    by member: inout SharedReplay.Member, _ order: [AppIndex]
  ) throws(RunError) {
    member.slate.removeAll(keepingCapacity: true)
    // What another policy made of them is no matter.
    for position in simulation.decision.candidates.indices {
      simulation.decision.candidates[position].score = 0
      simulation.decision.candidates[position].group = 0
    }
    try member.seat.score(
      &simulation.decision.candidates, order: order, for: request, apps: simulation.apps)
    group(by: member.rules)
    for position in simulation.decision.candidates.indices {
      member.slate.append(simulation.decision.candidates[position])
    }
  }
}

/// Lets a policy that shared its world with others go on to the end of the trace, in its own seat.
@usableFromInline
typealias SoleRun = @Sendable (any SharedSeat, inout ReplayLoop, Trace) throws(RunError) -> Void

/// A ``PolicySeat`` of any policy.
@usableFromInline
protocol SharedSeat {
  var observesEvents: Bool { get }
  var observesFootprints: Bool { get }
  /// Whether the policy compares all candidates with each other.
  var looksAtAll: Bool { get }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable)
  mutating func tell(_ notes: borrowing Column<EngineEvent>, apps: borrowing AppTable)
  mutating func score(
    _ candidates: inout Column<Candidate>, order: [AppIndex]?, for request: PurgeRequest,
    apps: borrowing AppTable
  ) throws(RunError)
}

extension PolicySeat: SharedSeat {
  @usableFromInline var observesEvents: Bool { Policy.observesEvents }
  @usableFromInline var observesFootprints: Bool {
    Policy.observesEvents && Policy.observesFootprints
  }
  @usableFromInline var looksAtAll: Bool { Policy.ordering != .byScore }

  @usableFromInline
  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    policy.observe(event, apps: apps)
  }
}
