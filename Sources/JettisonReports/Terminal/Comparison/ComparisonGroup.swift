import JettisonCore
import JettisonSupport

/// Users that are compared with each other: those of one device and memory size who have a day of
/// trace or more, or those who have not.
struct ComparisonGroup {
  /// Device and memory in words.
  let place: String
  let figures: PolicyFigures
  /// The rows of `comparison.csv`; none where figures are totals.
  let rows: [Comparison]
  let baseline: String
  let view: ComparisonView
  /// Where the row of a policy stands among ``rows``, by metric: tables ask for each of them.
  private let places: [String: [String: Int]]

  /// Policies that came to the same, each under its first name, in the order of the table.
  private(set) var ranked: [[String]] = []

  static let work = metric(MetricTable.primaryNames[0])
  static let waiting = metric(MetricTable.primaryNames[1])
  static let frontKills = metric("kills_in_front")

  static func metric(_ name: String) -> Metric {
    guard let metric = MetricTable.summary.first(where: { $0.name == name }) else {
      preconditionFailure("the table has a metric \(name)")
    }
    return metric
  }

  init(
    place: String, figures: PolicyFigures, rows: [Comparison], baseline: String,
    view: ComparisonView
  ) {
    self.place = place
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
  }

  // MARK: Figures

  /// What a policy came to; of metrics that do not add up, what the comparison found.
  func figure(_ metric: Metric, _ policy: String) -> Double? {
    if let figure = figures.figure(metric, policy) { return figure }
    guard figures.failures[policy] == nil else { return nil }
    return policy == baseline
      ? rows.first { $0.metric == metric.name }?.baselineMean : row(metric, policy)?.policyMean
  }

  private func row(_ metric: Metric, _ policy: String) -> Comparison? {
    places[metric.name]?[policy].map { rows[$0] }
  }

  /// A policy beside the baseline; nil for the baseline itself and where a figure is missing.
  func change(_ metric: Metric, _ policy: String) -> PolicyChange? {
    guard policy != baseline, let ours = figure(metric, policy),
      let theirs = figure(metric, baseline)
    else { return nil }
    return PolicyChange(
      policy: policy, unit: metric.unit, figure: ours, baseline: theirs,
      row: row(metric, policy))
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
  var heading: String {
    let users = HumanText.counted(Double(figures.userCount), "user")
    let traces = HumanText.counted(Double(figures.traceCount), "trace")
    let days = HumanText.counted(figures.userDays, "user-day")
    return "\(place): \(users), \(traces)" + (figures.isPerDay ? ", \(days)" : "")
  }

  /// A sentence in place of a table: memory was never short, or no choice mattered; nil: there is
  /// something to compare.
  var equality: String? {
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
      + "\(counted("purges", "purge")) and \(counted("kills_in_front", "front kill"))"
      + (figures.isPerDay ? " per user-day." : ".")
  }
}
