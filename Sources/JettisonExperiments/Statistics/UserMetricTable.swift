package import JettisonCore
package import JettisonReports

/// What each policy cost each user, and how policies differ user by user.
///
/// The user is the unit: launches of one user depend on each other, users do not. A user counts
/// for a policy only if every run of the user under it went through, so that sums never cover
/// different traces.
package struct UserMetricTable: Sendable {
  /// Users from whom on an interval is given.
  package static let usersForInterval = 10

  /// A device at one memory size: what is compared within.
  package struct Block: Hashable, Sendable {
    package var device: String
    package var memoryBytes: Int64
  }

  private struct Cell: Hashable {
    var block: Block
    var policy: String
    var user: String
  }

  /// Devices and memory sizes, in order of first appearance, as the following.
  package let blocks: [Block]
  package let policies: [String]
  package let users: [String]
  /// Values by cell, in the order of ``MetricTable/compared``; nil where empty.
  private let values: [Cell: [Double?]]

  /// Pools runs by user, and takes means over seeds.
  ///
  /// A trace that was run under one seed only, because nothing in it is drawn, serves all seeds.
  ///
  /// - Complexity: O(runs × apps × metrics).
  package init(_ runs: [RunRecord]) {
    var order = (blocks: [Block](), policies: [String](), users: [String]())
    var seen = (blocks: Set<Block>(), policies: Set<String>(), users: Set<String>())
    var cells: [Cell: [RunRecord]] = [:]
    var cellOrder: [Cell] = []
    var traces: [String: Set<String>] = [:]
    for run in runs {
      let block = Block(device: run.key.device, memoryBytes: run.key.memoryBytes)
      let cell = Cell(block: block, policy: run.key.policy, user: run.key.user)
      if seen.blocks.insert(block).inserted { order.blocks.append(block) }
      if seen.policies.insert(cell.policy).inserted { order.policies.append(cell.policy) }
      if seen.users.insert(cell.user).inserted { order.users.append(cell.user) }
      if cells[cell] == nil { cellOrder.append(cell) }
      cells[cell, default: []].append(run)
      traces[cell.user, default: []].insert(run.key.trace)
    }
    var values: [Cell: [Double?]] = [:]
    for cell in cellOrder {
      values[cell] = Self.values(
        of: cells[cell] ?? [], traceCount: traces[cell.user]?.count ?? 0)
    }
    self.blocks = order.blocks
    self.policies = order.policies
    self.users = order.users
    self.values = values
  }

  /// A user's figure: sums per user-day, mean over seeds; nil where empty or incomplete.
  package func value(
    of metric: Metric, block: Block, policy: String, user: String
  ) -> Double? {
    guard let position = MetricTable.compared.firstIndex(where: { $0.name == metric.name })
    else { return nil }
    return values[Cell(block: block, policy: policy, user: user)]?[position]
  }

  /// Figures of one user under one policy; nil if a run is missing or failed.
  private static func values(of runs: [RunRecord], traceCount: Int) -> [Double?]? {
    var names: [String] = []
    var byTrace: [String: [RunRecord]] = [:]
    for run in runs {
      if byTrace[run.key.trace] == nil { names.append(run.key.trace) }
      byTrace[run.key.trace, default: []].append(run)
    }
    guard names.count == traceCount else { return nil }
    var bySeed: [[Double?]] = []
    for seed in Set(runs.map(\.key.seed)).sorted() {
      var parts: [(result: RunResult, traceIssueCount: Int)] = []
      for name in names {
        let candidates = byTrace[name] ?? []
        let run =
          candidates.count == 1
          ? candidates.first : candidates.first { $0.key.seed == seed }
        guard let run, let result = run.result else { return nil }
        parts.append((result, run.provenance.traceIssueCount))
      }
      let pooled = PooledRuns(parts)
      bySeed.append(MetricTable.compared.map(pooled.value))
    }
    return MetricTable.compared.indices.map { position in
      let numbers = bySeed.compactMap { $0[position] }
      return numbers.isEmpty ? nil : PairedStatistics.mean(numbers)
    }
  }
}

extension UserMetricTable {
  /// A row in the making, with the values of the users that count.
  private struct Pairing {
    var row: ComparisonRow
    var differences: [Double]
  }

  /// Every policy against a baseline, by device, memory size and metric.
  ///
  /// - Parameters:
  ///   - baseline: The policy that others are compared with; no rows if there is no run of it.
  ///   - metrics: Which of the metrics that can be compared.
  ///   - seed: Seed of resampling; equal seeds give equal rows.
  /// - Complexity: O(rows × users × resamples).
  package func comparisons(
    baseline: String, metrics: [Metric] = MetricTable.compared, seed: UInt64 = 1
  ) -> [ComparisonRow] {
    let names = Set(metrics.map(\.name))
    guard policies.contains(baseline) else { return [] }
    var rows: [ComparisonRow] = []
    for block in blocks {
      var pairings: [Pairing] = []
      for (position, metric) in MetricTable.compared.enumerated() where names.contains(metric.name)
      {
        for policy in policies where policy != baseline {
          pairings.append(
            pairing(metric, at: position, in: block, policy: policy, baseline: baseline))
        }
      }
      Self.addIntervals(to: &pairings, seed: seed)
      Self.addProbabilities(to: &pairings, family: policies.count - 1, seed: seed)
      rows += pairings.map(\.row)
    }
    return rows
  }

  private func pairing(
    _ metric: Metric, at position: Int, in block: Block, policy: String, baseline: String
  ) -> Pairing {
    var row = ComparisonRow(
      device: block.device, memoryBytes: block.memoryBytes, metric: metric.name, policy: policy,
      baseline: baseline)
    var differences: [Double] = []
    var totals = (policy: 0.0, baseline: 0.0)
    for user in users {
      guard
        let ours = values[Cell(block: block, policy: policy, user: user)]?[position],
        let theirs = values[Cell(block: block, policy: baseline, user: user)]?[position]
      else { continue }
      differences.append(ours - theirs)
      row.differences.append(.init(user: user, difference: ours - theirs))
      totals.policy += ours
      totals.baseline += theirs
    }
    row.users = differences.count
    if row.users >= Self.usersForInterval { row.differences = [] }
    guard row.users > 0 else { return Pairing(row: row, differences: []) }
    row.meanDifference = PairedStatistics.mean(differences)
    row.medianDifference = PairedStatistics.median(differences)
    row.ratioOfTotals = totals.baseline == 0 ? nil : totals.policy / totals.baseline
    row.policyMean = totals.policy / Double(row.users)
    row.baselineMean = totals.baseline / Double(row.users)
    switch metric.preference {
    case .lower: row.winRate = PairedStatistics.shareBelowZero(differences)
    case .higher: row.winRate = 1 - PairedStatistics.shareBelowZero(differences)
    case .neither: break
    }
    return Pairing(row: row, differences: differences)
  }

  /// Gives an interval to the rows with enough users; rows of as many users share their draws.
  private static func addIntervals(to pairings: inout [Pairing], seed: UInt64) {
    let counts = Set(pairings.map(\.row.users)).filter { $0 >= usersForInterval }.sorted()
    for count in counts {
      let members = pairings.indices.filter { pairings[$0].row.users == count }
      let means = Bootstrap.resampledMeans(
        of: members.map { pairings[$0].differences }, seed: seed)
      for (place, member) in members.enumerated() {
        let interval = Bootstrap.interval(
          of: pairings[member].differences, resampledMeans: means[place])
        pairings[member].row.low = interval.low
        pairings[member].row.high = interval.high
        pairings[member].row.method = interval.isCorrected ? .bca : .percentile
      }
    }
  }

  /// Tests every row, then corrects over the policies of each metric, which follow each other.
  private static func addProbabilities(
    to pairings: inout [Pairing], family: Int, seed: UInt64
  ) {
    for position in pairings.indices {
      pairings[position].row.pValue = SignFlipTest.pValue(
        pairings[position].differences, seed: seed)
    }
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
