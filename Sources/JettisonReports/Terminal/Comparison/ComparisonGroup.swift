package import JettisonCore
import JettisonSupport

/// Users that are compared with each other: those of one device and memory size who have a day of
/// trace or more, or those who have not.
package struct ComparisonGroup {
  /// Name of the device, with what is swept after a colon.
  package let device: String
  /// RAM in bytes, or the capacity in apps.
  package let memoryBytes: Int64
  /// Memory in words.
  package let memory: String
  /// Whether memory is a capacity in apps.
  package let countsApps: Bool
  /// What the runs came to.
  package let figures: PolicyFigures
  /// The rows of `comparison.csv`; none where figures are totals.
  package let rows: [Comparison]
  /// The policy that others are compared with.
  package let baseline: String
  /// What is shown, and in which order.
  package let view: ComparisonView
  /// Where the row of a policy stands among ``rows``, by metric: tables ask for each of them.
  private let places: [String: [String: Int]]

  /// Policies that came to the same, each under its first name, in the order of the table.
  package private(set) var ranked: [[String]] = []

  /// The metric of losses that decides.
  package static let work = metric(MetricTable.primaryNames[0])
  /// The metric of waiting that decides.
  package static let waiting = metric(MetricTable.primaryNames[1])
  /// Apps killed in the user's hand.
  package static let frontKills = metric("kills_in_front")
  /// Apps and daemons killed at work behind the one in front.
  package static let backgroundKills = metric("background_kills")

  /// The metric of a name, which the table has.
  package static func metric(_ name: String) -> Metric {
    guard let metric = MetricTable.summary.first(where: { $0.name == name }) else {
      preconditionFailure("the table has a metric \(name)")
    }
    return metric
  }

  init(
    device: String, memoryBytes: Int64, memory: String, countsApps: Bool, figures: PolicyFigures,
    rows: [Comparison], baseline: String, view: ComparisonView
  ) {
    self.device = device
    self.memoryBytes = memoryBytes
    self.memory = memory
    self.countsApps = countsApps
    self.figures = figures
    let rows = figures.isPerDay ? rows.filter { $0.part == .users } : []
    self.rows = rows
    var places: [String: [String: Int]] = [:]
    for (place, row) in rows.enumerated() where places[row.metric]?[row.policy] == nil {
      places[row.metric, default: [:]][row.policy] = place
    }
    self.places = places
    self.baseline = baseline
    self.view = view
    ranked = sorted(figures.equalPolicies(baseline: baseline))
    tellsBackgroundKills = differsInBackgroundKills()
    tellsBeyondMemory = figures.policies.contains { beyondMemory($0) != nil }
  }

  /// Device and memory in words.
  package var place: String { "\(device) with \(memory)" }

  // MARK: Figures

  /// What a policy came to; of metrics that do not add up, what the comparison found.
  package func figure(_ metric: Metric, _ policy: String) -> Double? {
    if let figure = figures.figure(metric, policy) { return figure }
    guard figures.failures[policy] == nil else { return nil }
    return policy == baseline
      ? baselineRow(metric)?.baselineMean : row(metric, policy)?.policyMean
  }

  /// Time in a state that no phone can be in.
  package static let beyondMemory = metric("beyond_memory_seconds")

  /// Whether a policy kills notably more or less in the background than the baseline; else no table
  /// tells it.
  package private(set) var tellsBackgroundKills = false

  private func differsInBackgroundKills() -> Bool {
    guard let usual = figure(Self.backgroundKills, baseline) else { return false }
    return figures.policies.contains { policy in
      guard let kills = figure(Self.backgroundKills, policy) else { return false }
      return abs(kills - usual) > Self.notable(Self.backgroundKills, usual)
    }
  }

  /// By how much more harm is done before a table or a sentence says so: a tenth of what the baseline
  /// does, and at least one kill in front in 20 user-days, one in the background in four, or a minute
  /// beyond memory.
  static func notable(_ harm: Metric, _ usual: Double) -> Double {
    let least =
      switch harm.name {
      case frontKills.name: 0.05
      case beyondMemory.name: 60.0
      default: 0.25
      }
    return max(least, 0.1 * usual)
  }

  /// Whether a policy leaves more memory in use than there is for notably longer than the baseline;
  /// else no table tells it.
  package private(set) var tellsBeyondMemory = false

  /// For how long a policy leaves more memory in use than there is, beside the baseline; nil where that
  /// is hardly longer.
  ///
  /// Who ends nobody loses nothing, on no phone that there is.
  package func beyondMemory(_ policy: String) -> PolicyChange? {
    guard let time = change(Self.beyondMemory, policy),
      time.difference > Self.notable(Self.beyondMemory, time.baseline)
    else { return nil }
    return time
  }

  private func row(_ metric: Metric, _ policy: String) -> Comparison? {
    places[metric.name]?[policy].map { rows[$0] }
  }

  /// What a policy came to as `comparison.csv` has it; ``figure(_:_:)`` where it has no row.
  package func mean(_ metric: Metric, _ policy: String) -> Double? {
    let row =
      policy == baseline
      ? baselineRow(metric)?.baselineMean
      : row(metric, policy)?.policyMean
    guard figures.failures[policy] == nil, let row else { return figure(metric, policy) }
    return row
  }

  /// The row that has the most users: where a policy failed, its row has fewer.
  private func baselineRow(_ metric: Metric) -> Comparison? {
    (places[metric.name] ?? [:]).values.sorted().map { rows[$0] }.withMostUsers
  }

  /// A policy beside the baseline; nil for the baseline itself and where a figure is missing.
  ///
  /// - Parameter mean: What a policy came to; nil: ``figure(_:_:)``.
  package func change(
    _ metric: Metric, _ policy: String, by mean: ((Metric, String) -> Double?)? = nil
  ) -> PolicyChange? {
    let mean = mean ?? figure
    guard policy != baseline, let ours = mean(metric, policy),
      let theirs = mean(metric, baseline)
    else { return nil }
    let row = row(metric, policy)
    // A row's own users: where a figure can be missing, rows have different ones.
    return PolicyChange(
      policy: policy, unit: metric.unit, figure: ours, baseline: row?.baselineMean ?? theirs,
      row: row)
  }

  // MARK: Order

  /// The best first; what has no figure last; equals by waiting, then as they were named.
  private func sorted(_ groups: [[String]]) -> [[String]] {
    let metrics = [view.sort ?? Self.work, Self.work, Self.waiting]
    let keys = groups.map { group in metrics.map { key($0, group[0]) } }
    return groups.indices
      .sorted { (left, right) in
        for (ours, theirs) in zip(keys[left], keys[right]) where ours != theirs {
          return ours < theirs
        }
        return left < right
      }
      .map { groups[$0] }
  }

  /// Smaller is better.
  private func key(_ metric: Metric, _ policy: String) -> Double {
    guard let figure = figure(metric, policy) else { return .infinity }
    return metric.preference == .higher ? -figure : figure
  }

  /// The policies that are shown: those in front, the baseline, and whom the sentence is about.
  var shown: [[String]] {
    guard let top = view.top else { return ranked }
    let named = [baseline, ComparisonFinding(self).policy]
    return ranked.prefix(top)
      + ranked.dropFirst(top).filter { names in named.contains { $0.map(names.contains) ?? false } }
  }

  /// How many policies, equal ones counted once, are not shown.
  var omittedCount: Int { ranked.count - shown.count }

  // MARK: Whole

  /// Who it is about.
  package var heading: String {
    let users = HumanText.counted(Double(figures.userCount), "user")
    let traces = HumanText.counted(Double(figures.traceCount), "trace")
    let days = HumanText.counted(figures.userDays, "user-day")
    return "\(place): \(users), \(traces)" + (figures.isPerDay ? ", \(days)" : "")
  }

  /// A sentence in place of a table: memory was never short, or no choice mattered; nil: there is
  /// something to compare.
  package var equality: String? {
    let count = figures.policies.count
    guard figures.isIdle || (ranked.count == 1 && count > 1) else { return nil }
    func text(_ metric: Metric) -> String {
      Prose.together(HumanText.value(figure(metric, baseline), unit: metric.unit))
    }
    func counted(_ name: String, _ noun: String) -> String {
      figure(Self.metric(name), baseline).map { Prose.together(HumanText.counted($0, noun)) } ?? ""
    }
    let same = count > 1 ? "all \(count) policies come to the same" : "there was nothing to decide"
    return "\(heading). \(figures.isIdle ? "Memory never got short, and" : "Here") \(same): "
      + "\(text(Self.work)) of work lost, \(text(Self.waiting)) of waiting, "
      + counted("purges", "purge")
      + ((figure(Self.backgroundKills, baseline) ?? 0) > 0
        ? ", \(counted("background_kills", "background kill"))" : "")
      + " and \(counted("kills_in_front", "front kill"))"
      + (figures.isPerDay ? " per user-day." : ".")
  }
}

extension ComparisonGroup {
  /// All groups of an experiment: rates before totals, many users before few.
  package static func all(
    of runs: [RunRecord], _ comparisons: [Comparison], baseline: String, view: ComparisonView
  ) -> [ComparisonGroup] {
    var blocks: [Block] = []
    // By place: a record holds a whole configuration.
    var places: [Block: [Int]] = [:]
    for (place, run) in runs.enumerated() {
      let block = run.key.block
      if places[block] == nil { blocks.append(block) }
      places[block, default: []].append(place)
    }
    let groups = blocks.flatMap { block -> [ComparisonGroup] in
      guard let own = places[block], let first = own.first.map({ runs[$0] }) else { return [] }
      let memory = ReplaySummary.memory(first.configuration, block.memoryBytes)
      let rows = comparisons.filter {
        $0.device == block.device && $0.memoryBytes == block.memoryBytes
      }
      return PolicyFigures.parts(of: own.lazy.map { runs[$0] }).map { figures in
        ComparisonGroup(
          device: block.device, memoryBytes: block.memoryBytes, memory: memory,
          countsApps: first.configuration.capacityApps != nil, figures: figures, rows: rows,
          baseline: baseline, view: view)
      }
    }
    let users = groups.map { $0.figures.isPerDay ? $0.figures.userCount : 0 }
    return groups.indices.sorted { (-users[$0], $0) < (-users[$1], $1) }.map { groups[$0] }
  }
}
