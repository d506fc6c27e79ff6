import JettisonCore
import JettisonReports
import JettisonSupport

/// The paired differences to the baseline in one metric, the best first, with their intervals: those
/// that chance may explain are grey.
struct DifferenceFigure {
  private static let rowHeight = 34

  private let metric: Metric
  private let noun: String
  private let group: ComparisonGroup
  private let policies: [(policy: ComparedPolicy, change: PolicyChange)]

  /// - Parameters:
  ///   - metric: What is compared.
  ///   - noun: What it is called.
  init(
    _ group: ComparisonGroup, _ policies: [ComparedPolicy], _ metric: Metric, _ noun: String
  ) {
    self.group = group
    self.metric = metric
    self.noun = noun
    self.policies = policies.compactMap { policy in
      policy.change(metric).map { (policy, $0) }
    }.sorted { $0.1.difference < $1.1.difference }
  }

  var markup: Markup {
    guard !policies.isEmpty else { return Markup() }
    let values = policies.flatMap { _, change in
      [0, change.difference, change.row?.low, change.row?.high].compactMap { $0 }
    }
    let per = group.figures.isPerDay ? " per user-day" : ""
    let baseline = PageText.name(group.baseline, longest: 24)
    let chart = Chart(
      x: Axis("difference to \(baseline)\(per)", covering: values, unit: metric.unit),
      y: Axis(rows: policies.count), height: Self.rowHeight * policies.count, isFramed: false)
    let zero = chart.segment((0, 0), (0, Double(policies.count)), "frame")
    let rows = policies.enumerated().map { place, entry in
      row(entry.policy, entry.change, at: Double(policies.count - place), in: chart)
    }.joined()
    return chart.figure(
      caption: "Difference in \(noun), user by user; left of the line is better.",
      content: zero + rows)
  }

  /// The name above, the difference with its interval below it.
  private func row(
    _ policy: ComparedPolicy, _ change: PolicyChange, at top: Double, in chart: Chart
  ) -> Markup {
    let standing = policy.standing(metric)
    let y = top - 0.72
    var row = Markup(
      "svg", ["x": "0", "y": "\(Chart.rounded(100 - chart.y.percent(top)))%"],
      Markup("text", ["x": "0", "y": "13", "class": "row-name"], text: name(policy)))
    row += Markup(
      "svg", ["x": "100%", "y": "\(Chart.rounded(100 - chart.y.percent(top)))%"],
      Markup(
        "text", ["x": "0", "y": "13", "text-anchor": "end", "class": "row-name \(standing.style)"],
        text: change.text.trimmingBlanks))
    if let interval = change.row?.interval {
      row += chart.segment(
        (interval.lowerBound, y), (interval.upperBound, y), "error stroke \(standing.style)")
    }
    return row
      + Mark(standing.shape, standing.style, story: story(policy, change))
      .markup(in: chart, x: change.difference, y: y)
  }

  private func name(_ policy: ComparedPolicy) -> String {
    let rest = policy.names.count - 1
    return PageText.name(policy.name, longest: 28) + (rest > 0 ? " (and \(rest) equal)" : "")
  }

  private func story(_ policy: ComparedPolicy, _ change: PolicyChange) -> String {
    let interval = change.interval.map { ", 95 % interval \($0)" } ?? ""
    return "\(policy.shownNames): \(change.words) \(noun) than "
      + "\(PageText.name(group.baseline))\(interval)\n"
      + "\(HumanText.difference(change.difference, unit: metric.unit))"
      + (group.figures.isPerDay ? " per user-day" : "") + ComparedPolicy.words(change.certainty)
  }
}

extension String {
  /// Without blanks at its end.
  fileprivate var trimmingBlanks: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
