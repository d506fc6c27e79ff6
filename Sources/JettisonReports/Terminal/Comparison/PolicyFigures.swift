package import JettisonCore

/// What the runs of some users on one device and memory size came to, policy by policy.
///
/// Figures of a user are sums over the user's traces, each a mean over seeds.
package struct PolicyFigures {
  /// What is asked of a run: its record holds a whole configuration beside.
  private struct Run {
    let seed: UInt64
    /// nil where the run failed.
    let reader: MetricReader?
    /// Why it failed.
    let failure: String?

    var result: RunResult? { reader?.result }

    init(_ record: RunRecord) {
      seed = record.key.seed
      reader = record.metricReader()
      failure = if case .failed(let reason) = record.outcome { reason } else { nil }
    }
  }

  private struct User {
    var name: String
    /// Traces in order of first appearance.
    var traces: [String] = []
    /// By policy and trace, one run per seed.
    var runs: [String: [String: [Run]]] = [:]

    /// Time that counts.
    var days = 0.0

    /// The same under every policy and seed; what failed has none.
    func countedDays() -> Double {
      // Added up as whole numbers: 24 traces of an hour are a day.
      let total: Int64 = traces.reduce(0) { sum, trace in
        let ofTrace = runs.values.flatMap { $0[trace] ?? [] }
        return sum.addingSaturated(
          ofTrace.compactMap { $0.result?.system.durationNanoseconds }.max() ?? 0)
      }
      return Double(total) / 86_400e9
    }
  }

  /// In the order of the runs.
  package let policies: [String]
  /// Whether figures are means over users per user-day, or totals.
  package let isPerDay: Bool
  /// Why a run under a policy failed, the first reason of each.
  package let failures: [String: String]
  private let users: [User]

  /// The users with a day of trace or more, in rates, and the others, in totals; a part without
  /// users is omitted.
  static func parts(of records: some Sequence<RunRecord>) -> [PolicyFigures] {
    var policies: [String] = []
    var users: [User] = []
    var places: [String: Int] = [:]
    for record in records {
      let key = record.key
      if !policies.contains(key.policy) { policies.append(key.policy) }
      let place = places[key.user] ?? users.count
      if place == users.count {
        places[key.user] = place
        users.append(User(name: key.user))
      }
      if !users[place].traces.contains(key.trace) { users[place].traces.append(key.trace) }
      users[place].runs[key.policy, default: [:]][key.trace, default: []]
        .append(Run(record))
    }
    for place in users.indices { users[place].days = users[place].countedDays() }
    return [true, false].compactMap { isPerDay in
      let own = users.filter { ($0.days >= Comparison.leastDays) == isPerDay }
      return own.isEmpty ? nil : PolicyFigures(policies, own, isPerDay: isPerDay)
    }
  }

  private init(_ policies: [String], _ users: [User], isPerDay: Bool) {
    self.policies = policies
    self.users = users
    self.isPerDay = isPerDay
    var failures: [String: String] = [:]
    for policy in policies {
      for run in users.flatMap({ Self.runs(of: $0, policy) }) {
        if let reason = run.failure, failures[policy] == nil { failures[policy] = reason }
      }
    }
    self.failures = failures
  }

  private static func runs(of user: User, _ policy: String) -> [Run] {
    user.traces.flatMap { user.runs[policy]?[$0] ?? [] }
  }

  // MARK: Who

  /// How many users there are.
  package var userCount: Int { users.count }
  /// Whether a user is one of them.
  package func hasUser(_ name: String) -> Bool { users.contains { $0.name == name } }
  /// How many traces they have.
  package var traceCount: Int { users.reduce(0) { $0 + $1.traces.count } }
  /// How long they were recorded.
  package var userDays: Double { users.reduce(0) { $0 + $1.days } }

  /// Seeds in ascending order.
  package var seeds: [UInt64] {
    Set(runs.map(\.seed)).sorted()
  }

  /// Whether something was left to chance, and drawn once.
  var isOneDraw: Bool {
    seeds.count == 1 && runs.contains { $0.result?.system.drew == true }
  }

  private var runs: [Run] {
    users.flatMap { user in policies.flatMap { Self.runs(of: user, $0) } }
  }

  // MARK: How much

  /// What a policy came to: the mean over users per user-day, or the total.
  ///
  /// nil if a run failed, for sums over different traces do not compare, and for metrics that do
  /// not add up.
  package func figure(_ metric: Metric, _ policy: String) -> Double? {
    guard let values = values(metric, policy) else { return nil }
    // In ascending order: the order in which users were named changes no digit.
    let sum = values.sorted().reduce(0, +)
    return isPerDay ? sum / Double(values.count) : sum
  }

  /// How far seeds lie apart: the standard deviation of ``figure(_:_:)`` over them.
  func spread(_ metric: Metric, _ policy: String) -> Double? {
    let figures = seeds.compactMap { seed in
      values(metric, policy, seed: seed).map { values -> Double in
        values.sorted().reduce(0, +) / (isPerDay ? Double(values.count) : 1)
      }
    }
    return figures.count > 1 ? SeedSpread(figures)?.deviation : nil
  }

  /// For how many users a policy comes to something else than another.
  package func differingUsers(_ metric: Metric, _ policy: String, _ other: String) -> Int? {
    guard let ours = values(metric, policy), let theirs = values(metric, other) else { return nil }
    return zip(ours, theirs).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
  }

  /// Figures user by user; under one seed, if it is given.
  package func values(_ metric: Metric, _ policy: String, seed: UInt64? = nil) -> [Double]? {
    guard failures[policy] == nil, metric.pooling == .perUserDay else { return nil }
    return users.map { user in
      let sum = user.traces.reduce(0.0) { sum, trace in
        let runs = Self.chosen(user.runs[policy]?[trace] ?? [], seed)
        let ofTrace = runs.reduce(0.0) { $0 + ($1.reader?.value(of: metric).number ?? 0) }
        return sum + ofTrace / Double(max(1, runs.count))
      }
      return isPerDay ? sum / user.days : sum
    }
  }

  /// The run of a seed; one that was made under a single seed, because it draws nothing, serves all.
  private static func chosen(_ runs: [Run], _ seed: UInt64?) -> [Run] {
    guard let seed, runs.count > 1 else { return runs }
    return runs.filter { $0.seed == seed }
  }

  // MARK: What is the same

  /// Policies that came to the same in every run stand together, the baseline first in its group.
  func equalPolicies(baseline: String) -> [[String]] {
    var groups: [(results: [RunResult], policies: [String])] = []
    let order = policies.filter { $0 == baseline } + policies.filter { $0 != baseline }
    for policy in order {
      let results = users.flatMap { Self.runs(of: $0, policy).compactMap(\.result?.counted) }
      let isWhole = failures[policy] == nil
      if isWhole, let place = groups.firstIndex(where: { $0.results == results }) {
        groups[place].policies.append(policy)
      } else {
        // What failed equals nothing.
        groups.append((isWhole ? results : [], [policy]))
      }
    }
    return groups.map(\.policies)
  }

  /// Whether memory never got short: no run made a decision.
  package var isIdle: Bool {
    failures.isEmpty
      && users.allSatisfy { user in
        policies.allSatisfy { policy in
          Self.runs(of: user, policy).allSatisfy { $0.result?.system.decisions == 0 }
        }
      }
  }
}
