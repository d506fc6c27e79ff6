/// A policy in a run: told what happened, and asked for scores.
///
/// What a policy does itself is compiled once for each of them, here.
struct PolicySeat<Policy: PurgePolicy> {
  var policy: Policy
  /// What errors call it.
  let name: String
  private let appNames: [String]
  /// Candidates in the engine's order, for policies that rank them together; kept to be reused.
  private var slate: [Candidate] = []
  private var slateApps: [AppIndex] = []

  init(_ policy: Policy, name: String, appNames: [String]) {
    self.policy = policy
    self.name = name
    self.appNames = appNames
  }

  mutating func tell(_ notes: borrowing Column<EngineEvent>, apps: borrowing AppTable) {
    for position in notes.indices { policy.observe(notes[position], apps: apps) }
  }

  /// Fills in the scores of candidates.
  ///
  /// - Parameter order: The candidates in the engine's order, where that is known; nil: it is found
  ///   if the policy needs it.
  mutating func score(
    _ candidates: inout Column<Candidate>, order: [AppIndex]? = nil, for request: PurgeRequest,
    apps: borrowing AppTable
  ) throws(RunError) {
    if Policy.ranksTogether {
      if order == nil { sort(candidates) }
      try prepare(order ?? slateApps, for: request, apps: apps)
    }
    for position in candidates.indices {
      candidates[position].score = try score(candidates[position].app, for: request, apps: apps)
    }
  }

  func score(
    _ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) throws(RunError) -> Double {
    let score = policy.score(app, for: request, apps: apps)
    guard !score.isNaN else {
      throw .scoreIsNotANumber(policy: name, app: appNames[app.position])
    }
    return score
  }

  /// Puts candidates in the order in which equal scores leave them.
  private mutating func sort(_ candidates: borrowing Column<Candidate>) {
    slate.removeAll(keepingCapacity: true)
    for position in candidates.indices { slate.append(candidates[position]) }
    slate.sort(by: Candidate.precedes)
    slateApps.removeAll(keepingCapacity: true)
    for candidate in slate { slateApps.append(candidate.app) }
  }

  /// Lets a policy look at all candidates, in their order.
  private mutating func prepare(
    _ order: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(RunError) {
    do throws(PolicyFailure) {
      try policy.prepare(order, for: request, apps: apps)
    } catch {
      throw .policyFailed(policy: name, reason: error.reason)
    }
  }
}
