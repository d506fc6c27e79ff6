import JettisonCore
import JettisonReports
import JettisonSupport

/// A policy of a group as figures show it: which mark it has, and what is told of it.
struct ComparedPolicy {
  /// What a policy is beside the baseline.
  enum Standing: String, CaseIterable {
    case baseline
    case better
    case worse
    case open
    case oracle

    var shape: Mark.Shape {
      switch self {
      case .baseline: .square
      case .better: .disc
      case .worse: .triangle
      case .open: .ring
      case .oracle: .cross
      }
    }

    /// Class of its colour.
    var style: String {
      switch self {
      case .baseline: "plain"
      case .better: "good"
      case .worse: "bad"
      case .open: "unsure"
      case .oracle: "oracle"
      }
    }

    var words: String {
      switch self {
      case .baseline: "the baseline"
      case .better: "surely loses less work"
      case .worse: "surely loses more work"
      case .open: "chance may explain the difference"
      case .oracle: "sees the future: no phone can run it"
      }
    }
  }

  static let relaunches = ComparisonGroup.metric("relaunches_after_system_end")

  private static let metrics = [ComparisonGroup.work, ComparisonGroup.waiting, relaunches]

  let group: ComparisonGroup
  /// Names of policies that came to the same in every run.
  let names: [String]
  private let figures: [String: Double]
  private let changes: [String: PolicyChange]

  /// All policies of a group, the best first.
  static func all(of group: ComparisonGroup) -> [ComparedPolicy] {
    group.ranked.map { ComparedPolicy(group, $0) }
  }

  private init(_ group: ComparisonGroup, _ names: [String]) {
    self.group = group
    self.names = names
    var figures: [String: Double] = [:]
    var changes: [String: PolicyChange] = [:]
    for metric in Self.metrics {
      figures[metric.name] = group.mean(metric, names[0])
      changes[metric.name] = group.change(metric, names[0], by: group.mean)
    }
    self.figures = figures
    self.changes = changes
  }

  var name: String { names[0] }

  func figure(_ metric: Metric) -> Double? {
    figures[metric.name] ?? group.mean(metric, name)
  }

  /// Beside the baseline; nil for the baseline itself and where a figure is missing.
  func change(_ metric: Metric) -> PolicyChange? { changes[metric.name] }

  /// How it stands in a metric.
  func standing(_ metric: Metric = ComparisonGroup.work) -> Standing {
    if name == group.baseline { return .baseline }
    if names.allSatisfy(group.view.oracles.contains) { return .oracle }
    guard let change = change(metric), change.certainty == .sure else { return .open }
    return (change.difference < 0) == (metric.preference != .higher) ? .better : .worse
  }

  /// Where the figure would lie if the baseline's stood still and the difference went through its
  /// interval.
  func interval(_ metric: Metric) -> ClosedRange<Double>? {
    guard let change = change(metric), let interval = change.row?.interval else {
      return nil
    }
    return (change.baseline + interval.lowerBound)...(change.baseline + interval.upperBound)
  }

  /// `13 s of work lost`.
  func text(_ metric: Metric) -> String {
    guard let figure = figure(metric) else { return "–" }
    return metric.unit == .count && group.figures.isPerDay
      ? HumanText.rate(figure) : HumanText.value(figure, unit: metric.unit)
  }

  var shownNames: String {
    names.map { PageText.name($0) }.joined(separator: " = ")
  }

  /// Figures and differences in words.
  var story: String {
    let per = group.figures.isPerDay ? " per user-day" : " in all"
    var lines = [
      "\(shownNames) (\(standing().words))",
      "\(text(ComparisonGroup.work)) of work lost and \(text(Self.relaunches)) relaunches\(per)",
    ]
    for (metric, noun) in [
      (ComparisonGroup.work, "work lost"), (ComparisonGroup.waiting, "waiting"),
    ] {
      guard let change = change(metric) else { continue }
      let interval = change.interval.map { ", 95 % interval \($0)" } ?? ""
      let baseline = PageText.name(group.baseline)
      lines.append(
        "\(noun): \(change.words) than \(baseline)\(interval)\(Self.words(change.certainty))")
    }
    if let beyond = group.beyondMemoryWords(name) { lines.append(beyond) }
    return lines.joined(separator: "\n")
  }

  static func words(_ certainty: Comparison.Certainty) -> String {
    switch certainty {
    case .sure: ", sure"
    case .doubtful: ", not sure once the number of policies counts"
    case .open: ", not sure"
    }
  }
}
