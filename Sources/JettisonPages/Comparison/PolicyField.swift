import JettisonCore
import JettisonReports
import JettisonSupport

/// Each policy at what it costs in relaunches and in work: the lower left is where one wants to be.
struct PolicyField {
  private let policies: [ComparedPolicy]
  private let group: ComparisonGroup
  /// The policies that no other beats in both figures, by the first of them; oracles aside.
  private let front: [ComparedPolicy]
  /// The baseline and whom the answer names, then the front, then all others.
  private let byWeight: [ComparedPolicy]

  /// Policies without both figures, because a run failed, have no place.
  init(_ group: ComparisonGroup, _ policies: [ComparedPolicy]) {
    self.group = group
    let policies = policies.filter {
      $0.figure(ComparisonGroup.work) != nil && $0.figure(ComparedPolicy.relaunches) != nil
    }
    let front = Self.front(of: policies)
    self.front = front
    self.policies = policies
    let answer = ComparisonFinding(group).policy
    func weight(_ policy: ComparedPolicy) -> Int {
      if policy.names.contains(where: { $0 == answer }) || policy.standing() == .baseline {
        return 0
      }
      return front.contains { $0.name == policy.name } ? 1 : 2
    }
    let weights = policies.map(weight)
    byWeight = policies.indices.sorted { (weights[$0], $0) < (weights[$1], $1) }
      .map { policies[$0] }
  }

  private static func point(_ policy: ComparedPolicy) -> (x: Double, y: Double) {
    (policy.figure(ComparedPolicy.relaunches) ?? 0, policy.figure(ComparisonGroup.work) ?? 0)
  }

  private static func front(of policies: [ComparedPolicy]) -> [ComparedPolicy] {
    let real = policies.filter { $0.standing() != .oracle }
    return real.filter { policy in
      let own = point(policy)
      return !real.contains { other in
        let theirs = point(other)
        return theirs.x <= own.x && theirs.y <= own.y && (theirs.x < own.x || theirs.y < own.y)
      }
    }.sorted { (point($0).x, point($1).y) < (point($1).x, point($0).y) }
  }

  func figure(height: Int) -> Markup {
    let (work, relaunches) = (ComparisonGroup.work, ComparedPolicy.relaunches)
    let per = group.figures.isPerDay ? " per user-day" : ""
    let ends = { (metric: Metric) in
      policies.flatMap { policy in
        [policy.figure(metric), policy.interval(metric)?.upperBound].compactMap { $0 }
      }
    }
    let chart = Chart(
      x: Axis("relaunches\(per)", covering: ends(relaunches), unit: relaunches.unit),
      y: Axis("work lost\(per)", covering: ends(work), unit: work.unit), height: height)
    let line = chart.line(front.map(Self.point), "front")
    let bars = policies.map { self.bars(of: $0, in: chart) }.joined()
    // What matters most is drawn last, on top.
    let marks = byWeight.reversed().map { policy in
      Mark(policy.standing().shape, policy.standing().style, story: policy.story)
        .markup(in: chart, x: Self.point(policy).x, y: Self.point(policy).y)
    }.joined()
    return chart.figure(
      caption: "Work lost against relaunches of ended apps; the lower left is better.",
      content: line + bars + marks + labels(in: chart), legend: legend)
  }

  private func bars(of policy: ComparedPolicy, in chart: Chart) -> Markup {
    let (x, y) = Self.point(policy)
    let style = "error stroke \(policy.standing().style)"
    var bars = Markup()
    if let work = policy.interval(ComparisonGroup.work) {
      bars += chart.segment((x, max(0, work.lowerBound)), (x, max(0, work.upperBound)), style)
    }
    if let relaunches = policy.interval(ComparedPolicy.relaunches) {
      bars += chart.segment(
        (max(0, relaunches.lowerBound), y), (max(0, relaunches.upperBound), y), style)
    }
    return bars
  }

  private func labels(in chart: Chart) -> Markup {
    Labels(
      byWeight.map { policy in
        Labels.Label(
          text: policy.name, x: chart.x.percent(Self.point(policy).x),
          y: 100 - chart.y.percent(Self.point(policy).y))
      }, in: chart
    ).markup
  }

  private var legend: Markup {
    let shown = ComparedPolicy.Standing.allCases.filter { standing in
      policies.contains { $0.standing() == standing }
    }
    let marks = shown.map { Mark($0.shape, $0.style, story: "").legend($0.words) }.joined()
    let line = Markup(
      "li", [:],
      Markup(
        "svg", ["viewBox": "0 0 16 16", "aria-hidden": "true"],
        .shape("line", ["x1": "0", "y1": "8", "x2": "16", "y2": "8", "class": "front"]))
        + Markup("nothing is better in both"))
    return Markup("ul", ["class": "legend"], marks + (front.count > 1 ? line : Markup()))
  }

  var data: PageData {
    let inFront = Set(front.map(\.name))
    return .array(
      policies.map { policy in
        var members: [(String, PageData)] = [
          ("policy", .text(policy.name)),
          ("equal", .array(policy.names.dropFirst().map { .text($0) })),
          ("standing", .text(policy.standing().rawValue)),
          ("front", .flag(inFront.contains(policy.name))),
        ]
        for metric in [ComparisonGroup.work, ComparedPolicy.relaunches, ComparisonGroup.waiting] {
          let row = policy.change(metric)?.row
          members.append(
            (
              metric.name,
              .object([
                ("mean", .real(policy.figure(metric))),
                ("mean_difference", .real(row?.meanDifference)),
                ("low", .real(row?.low)), ("high", .real(row?.high)),
                ("p_value", .real(row?.pValue)), ("p_adjusted", .real(row?.pAdjusted)),
              ])
            ))
        }
        return .object(members)
      })
  }
}
