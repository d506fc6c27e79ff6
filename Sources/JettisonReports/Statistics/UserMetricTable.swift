package import JettisonCore
internal import JettisonSupport

/// What each policy cost each user, and how policies differ user by user.
///
/// The user is the unit: launches of one user depend on each other, users do not. A user counts
/// for a policy only if every run of the user under it went through, so that sums never cover
/// different traces.
package struct UserMetricTable: Sendable {
  /// Users from whom on an interval is given.
  package static let usersForInterval = 10
  /// Time of trace from which on a user enters rates per day, in nanoseconds.
  package static let shortestNanoseconds = Comparison.leastDays * 86_400e9

  /// What is put together into one figure: the runs of a user under a policy, or, without a user,
  /// those of all users with less than a day.
  private struct Cell: Hashable {
    var block: Block
    var policy: String
    var user: String?

    var ofAnyPolicy: Cell { Cell(block: block, policy: "", user: user) }
  }

  /// Devices and memory sizes, in order of first appearance, as the following.
  package let blocks: [Block]
  package let policies: [String]
  /// Users with at least a day of trace: only they enter rates.
  package let users: [String]
  /// Users with less than a day of trace, over all their traces.
  package let shortUsers: [String]
  private let shortUsersByBlock: [Block: Set<String>]
  /// Values by cell, in the order of ``MetricTable/compared``; nil where empty.
  private let values: [Cell: [Double?]]

  /// Pools runs by user, and takes means over seeds.
  ///
  /// A trace that was run under one seed only, because nothing in it is drawn, serves all seeds.
  ///
  /// - Complexity: O(runs × apps × metrics).
  package init(_ runs: [RunRecord]) {
    var order = (blocks: [Block](), policies: [String](), users: [String]())
    var seen = (blocks: Set<Block>(), policies: Set<String>())
    var durations: [String: [String: Int64]] = [:]
    for run in runs {
      let key = run.key
      let block = key.block
      if seen.blocks.insert(block).inserted { order.blocks.append(block) }
      if seen.policies.insert(key.policy).inserted { order.policies.append(key.policy) }
      if durations[key.user] == nil { order.users.append(key.user) }
      let duration = run.result?.system.durationNanoseconds ?? 0
      durations[key.user, default: [:]][key.trace, default: 0].raise(to: duration)
    }
    let short = Set(
      order.users.filter { user in
        let total = (durations[user] ?? [:]).values.reduce(0.0) { $0 + Double($1) }
        // Of a user whose runs all failed nothing is known.
        return total > 0 && total < Self.shortestNanoseconds
      })
    blocks = order.blocks
    policies = order.policies
    users = order.users.filter { !short.contains($0) }
    shortUsers = order.users.filter(short.contains)

    var shortUsersByBlock: [Block: Set<String>] = [:]
    // By place: a record holds a whole configuration.
    var cells: [Cell: [Int]] = [:]
    for (place, run) in runs.enumerated() {
      let block = run.key.block
      let user = short.contains(run.key.user) ? nil : run.key.user
      if user == nil { shortUsersByBlock[block, default: []].insert(run.key.user) }
      cells[Cell(block: block, policy: run.key.policy, user: user), default: []].append(place)
    }
    // What one policy met, all must have met.
    var traces: [Cell: Set<String>] = [:]
    for (cell, places) in cells {
      traces[cell.ofAnyPolicy, default: []].formUnion(places.lazy.map { runs[$0].key.trace })
    }
    var values: [Cell: [Double?]] = [:]
    for (cell, places) in cells {
      values[cell] = Self.values(
        of: places, in: runs, traceCount: traces[cell.ofAnyPolicy]?.count ?? 0,
        asTotals: cell.user == nil)
    }
    self.values = values
    self.shortUsersByBlock = shortUsersByBlock
  }

  /// A user's figure: sums per user-day, mean over seeds; nil where empty or incomplete.
  package func value(
    of metric: Metric, block: Block, policy: String, user: String
  ) -> Double? {
    guard let position = MetricTable.compared.firstIndex(where: { $0.name == metric.name })
    else { return nil }
    return values[Cell(block: block, policy: policy, user: user)]?[position]
  }

  /// Figures of runs put together, means over seeds; nil if a run is missing or failed.
  private static func values(
    of places: [Int], in runs: [RunRecord], traceCount: Int, asTotals: Bool
  ) -> [Double?]? {
    var names: [String] = []
    var byTrace: [String: [Int]] = [:]
    for place in places {
      let name = runs[place].key.trace
      if byTrace[name] == nil { names.append(name) }
      byTrace[name, default: []].append(place)
    }
    guard names.count == traceCount else { return nil }
    var bySeed: [[Double?]] = []
    for seed in Set(places.map { runs[$0].key.seed }).sorted() {
      var parts: [(result: RunResult, traceIssueCount: Int)] = []
      for name in names {
        let candidates = byTrace[name] ?? []
        let place =
          candidates.count == 1
          ? candidates.first : candidates.first { runs[$0].key.seed == seed }
        guard let place, let result = runs[place].result else { return nil }
        parts.append((result, runs[place].provenance.traceIssueCount))
      }
      let pooled = PooledRuns(parts)
      bySeed.append(
        MetricTable.compared.map { asTotals ? pooled.total(of: $0) : pooled.value(of: $0) })
    }
    return MetricTable.compared.indices.map { position in
      let numbers = bySeed.compactMap { $0[position] }
      return numbers.isEmpty ? nil : PairedStatistics.mean(numbers)
    }
  }
}

extension UserMetricTable {
  /// Every policy against a baseline, by device, memory size and metric.
  ///
  /// - Parameters:
  ///   - baseline: The policy that others are compared with; no rows if there is no run of it.
  ///   - metrics: Which of the metrics that can be compared.
  ///   - seed: Seed of resampling; equal seeds give equal rows.
  ///   - jobs: How many rows at a time; changes nothing in them.
  /// - Complexity: O(rows × users × resamples).
  package func comparisons(
    baseline: String, metrics: [Metric] = MetricTable.compared, seed: UInt64 = 1, jobs: Int = 1
  ) async -> [Comparison] {
    let names = Set(metrics.map(\.name))
    guard policies.contains(baseline) else { return [] }
    var rows: [Comparison] = []
    for block in blocks {
      var pairings = await pairings(
        in: block, baseline: baseline, of: names, seed: seed, jobs: jobs)
      Self.adjustProbabilities(of: &pairings, family: policies.count - 1)
      rows += pairings.map(\.row) + totals(in: block, baseline: baseline, of: names)
    }
    return rows
  }

  private func pairings(
    in block: Block, baseline: String, of names: Set<String>, seed: UInt64, jobs: Int
  ) async -> [Pairing] {
    let isEmpty = !users.contains {
      values[Cell(block: block, policy: baseline, user: $0)] != nil
    }
    guard !isEmpty || shortUsers.isEmpty else { return [] }
    let metrics = MetricTable.compared
    let others = policies.filter { $0 != baseline }
    let rows = metrics.indices.filter { names.contains(metrics[$0].name) }.flatMap { position in
      others.map { (position: position, policy: $0) }
    }
    return await rows.indices.concurrentMap(jobs: jobs) { place in
      let (position, policy) = rows[place]
      var pairing = pairing(
        metrics[position], at: position, in: block, policy: policy, baseline: baseline)
      pairing.addInterval(seed: seed)
      return pairing
    }
  }

  private func pairing(
    _ metric: Metric, at position: Int, in block: Block, policy: String, baseline: String
  ) -> Pairing {
    var pairing = Pairing(
      row: Comparison(
        device: block.device, memoryBytes: block.memoryBytes, metric: metric.name,
        policy: policy, baseline: baseline))
    var values: (policy: [Double], baseline: [Double]) = ([], [])
    for user in users {
      guard
        let ours = self.values[Cell(block: block, policy: policy, user: user)]?[position],
        let theirs = self.values[Cell(block: block, policy: baseline, user: user)]?[position]
      else { continue }
      pairing.differences.append(
        .init(user: user, difference: PairedStatistics.difference(ours, theirs)))
      values.policy.append(ours)
      values.baseline.append(theirs)
    }
    pairing.fill(metric, values.policy, values.baseline)
    return pairing
  }

  /// What the users with less than a day came to: totals, without spread.
  private func totals(
    in block: Block, baseline: String, of names: Set<String>
  ) -> [Comparison] {
    func figures(_ policy: String) -> [Double?]? {
      values[Cell(block: block, policy: policy, user: nil)]
    }
    guard let theirs = figures(baseline) else { return [] }
    let users = shortUsersByBlock[block]?.count ?? 0
    var rows: [Comparison] = []
    for (position, metric) in MetricTable.compared.enumerated()
    where names.contains(metric.name) {
      for policy in policies where policy != baseline {
        var row = Comparison(
          device: block.device, memoryBytes: block.memoryBytes, metric: metric.name,
          policy: policy, baseline: baseline, part: .short)
        row.method = .totals
        if let ours = figures(policy)?[position], let theirs = theirs[position] {
          row.users = users
          row.meanDifference = PairedStatistics.difference(ours, theirs)
          row.ratioOfTotals = theirs == 0 ? nil : ours / theirs
          row.policyMean = ours
          row.baselineMean = theirs
        }
        rows.append(row)
      }
    }
    return rows
  }

  /// Corrects over the policies of each metric, which follow each other.
  private static func adjustProbabilities(of pairings: inout [Pairing], family: Int) {
    guard family > 0 else { return }
    for start in stride(from: 0, to: pairings.count, by: family) {
      let tested = (start..<start + family).filter { pairings[$0].row.pValue != nil }
      let adjusted = PairedStatistics.holm(tested.compactMap { pairings[$0].row.pValue })
      for (place, position) in tested.enumerated() {
        pairings[position].row.pAdjusted = adjusted[place]
      }
    }
  }
}

/// A row in the making, with the differences of the users that count.
private struct Pairing: Sendable {
  var row: Comparison
  var differences: [Comparison.UserDifference] = []

  init(row: Comparison) {
    self.row = row
  }

  /// Everything but the interval.
  ///
  /// Sums run in ascending order, so that the order in which users were
  /// named changes no digit.
  mutating func fill(_ metric: Metric, _ ours: [Double], _ theirs: [Double]) {
    let sorted = differences.map(\.difference).sorted()
    row.users = sorted.count
    row.usersDiffering = sorted.count { $0 != 0 }
    guard row.users > 0 else { return }
    row.meanDifference = PairedStatistics.mean(sorted)
    row.medianDifference = PairedStatistics.median(sorted)
    row.policyMean = PairedStatistics.mean(ours.sorted())
    row.baselineMean = PairedStatistics.mean(theirs.sorted())
    if let policy = row.policyMean, let baseline = row.baselineMean, baseline != 0 {
      row.ratioOfTotals = policy / baseline
    }
    row.usersNeeded = PairedStatistics.usersNeeded(sorted)
    switch metric.preference {
    case .lower: row.winRate = PairedStatistics.shareBelowZero(sorted)
    case .higher: row.winRate = 1 - PairedStatistics.shareBelowZero(sorted)
    case .neither: break
    }
  }

  /// The interval and its test, or the single values where they are withheld.
  mutating func addInterval(seed: UInt64) {
    let byName = differences.sorted { $0.user < $1.user }
    guard row.users >= UserMetricTable.usersForInterval else {
      row.method = .values
      row.differences = byName
      return
    }
    guard let interval = PairedInterval(differences.map(\.difference), seed: seed) else {
      row.method = .fewDiffer
      row.differences = byName.filter { $0.difference != 0 }
      return
    }
    row.method = .studentised
    row.low = interval.low
    row.high = interval.high
    row.pValue = interval.pValue
  }
}

extension Int64 {
  fileprivate mutating func raise(to other: Int64) {
    self = Swift.max(self, other)
  }
}
