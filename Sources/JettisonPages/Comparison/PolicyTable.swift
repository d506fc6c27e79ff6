import JettisonCore
import JettisonReports
import JettisonSupport

/// The table of a group: what `jettison compare` prints, with every column.
struct PolicyTable {
  private let group: ComparisonGroup
  private let policies: [ComparedPolicy]

  init(_ group: ComparisonGroup, _ policies: [ComparedPolicy]) {
    self.group = group
    self.policies = policies
  }

  private var counted: [(title: String, metric: Metric)] {
    [
      ("relaunches", ComparedPolicy.relaunches),
      ("losses noticed", ComparisonGroup.metric("system_losses_noticed")),
      ("front kills", ComparisonGroup.frontKills),
    ] + (group.tellsBackgroundKills ? [("background kills", ComparisonGroup.backgroundKills)] : [])
      + [("purges", ComparisonGroup.metric("purges"))]
      + (group.tellsBeyondMemory ? [("beyond memory", ComparisonGroup.beyondMemory)] : [])
  }

  var markup: Markup {
    let isCompared = group.figures.policies.count > 1
    let change: [PageTable.Column] =
      isCompared ? [.figures("change"), .figures("95 % interval")] : []
    var table = PageTable(
      "Policies on \(PageText.name(group.place))",
      [.words("policy"), .figures("work lost")] + change + [.figures("waiting")] + change
        + counted.map { .figures($0.title) })
    let answer = ComparisonFinding(group).policy
    for policy in policies {
      var cells: [PageTable.Cell] = [.name(policy.names.joined(separator: " = "))]
      for metric in [ComparisonGroup.work, ComparisonGroup.waiting] {
        cells.append(figure(metric, policy))
        if isCompared { cells += changes(metric, policy) }
      }
      cells += counted.map { figure($0.metric, policy) }
      let isNamed = policy.standing() == .baseline || policy.names.contains { $0 == answer }
      table.add(cells, style: isNamed ? "strong" : "")
    }
    return table.markup
  }

  private func figure(_ metric: Metric, _ policy: ComparedPolicy) -> PageTable.Cell {
    .figure(policy.figure(metric), text: policy.text(metric))
  }

  private func changes(_ metric: Metric, _ policy: ComparedPolicy) -> [PageTable.Cell] {
    guard let change = policy.change(metric) else {
      return [.figure(nil, text: ""), .figure(nil, text: "")]
    }
    let style =
      switch policy.standing(metric) {
      case .better: "good"
      case .worse: "bad"
      default: "unsure"
      }
    return [
      .figure(change.difference, text: change.text, style: style),
      .figure(change.row?.low, text: change.interval ?? "", style: "unsure"),
    ]
  }
}
