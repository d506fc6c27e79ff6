import JettisonCore
import JettisonSupport

/// The table of a group: a policy in each row, the best first.
struct ComparisonTable {
  private struct Field {
    var column: TextTable.Column
    var cell: (String) -> TextTable.Cell
  }

  private let group: ComparisonGroup

  init(_ group: ComparisonGroup) {
    self.group = group
  }

  var table: TextTable {
    let fields = self.fields
    var table = TextTable(fields.map(\.column))
    for policies in group.shown { table.add(fields.map { $0.cell(policies[0]) }) }
    return table
  }

  /// Every column with the way to fill it; those with a rank leave where there is no room.
  private var fields: [Field] {
    let isCompared = group.figures.policies.count > 1
    let hasTests = isCompared && group.rows.contains { $0.users > 1 && $0.pAdjusted != nil }
    let hasIntervals = group.rows.contains { $0.low != nil }
    var fields = [Field(column: .init("policy", .left), cell: name)]
    if let sort = group.view.sort, !shownNames.contains(sort.name) {
      fields.append(figure(sort, sort.name.replacing("_", with: " ")))
      if isCompared { fields.append(change(sort)) }
    }
    fields.append(figure(ComparisonGroup.work, "work lost"))
    if isCompared { fields.append(change(ComparisonGroup.work)) }
    if hasIntervals { fields.append(interval(ComparisonGroup.work, rank: 2)) }
    if group.figures.seeds.count > 1 { fields.append(spread(ComparisonGroup.work, rank: 3)) }
    fields.append(figure(ComparisonGroup.waiting, "waiting"))
    if isCompared { fields.append(change(ComparisonGroup.waiting)) }
    if hasIntervals { fields.append(interval(ComparisonGroup.waiting, rank: 4)) }
    fields.append(figure(ComparisonGroup.frontKills, "front kills"))
    if group.tellsBackgroundKills {
      fields.append(figure(ComparisonGroup.backgroundKills, "background kills"))
    }
    fields.append(figure(ComparisonGroup.metric("purges"), "purges"))
    if group.tellsBeyondMemory {
      fields.append(figure(ComparisonGroup.beyondMemory, "beyond memory"))
    }
    if hasTests { fields.append(differingUsers(rank: 1)) }
    fields.append(
      figure(ComparisonGroup.metric("system_losses_noticed"), "losses noticed", rank: 5))
    fields.append(
      figure(ComparisonGroup.metric("relaunches_after_system_end"), "relaunches", rank: 6))
    return fields
  }

  /// Metrics that have a column, whatever is sorted by.
  private var shownNames: [String] {
    MetricTable.primaryNames + [ComparisonGroup.frontKills.name, "purges"]
      + (group.tellsBackgroundKills ? [ComparisonGroup.backgroundKills.name] : [])
      + (group.tellsBeyondMemory ? [ComparisonGroup.beyondMemory.name] : [])
  }

  private func name(_ policy: String) -> TextTable.Cell {
    policy == group.baseline
      ? .init(group.figures.policies.count > 1 ? "\(policy) (baseline)" : policy, .bold)
      : .init(policy)
  }

  private func figure(_ metric: Metric, _ title: String, rank: Int? = nil) -> Field {
    Field(column: .init(title, .right, rank: rank)) { policy in
      let figure = group.figure(metric, policy)
      if figure == nil, group.figures.failures[policy] != nil {
        return metric.name == ComparisonGroup.work.name ? .init("failed", .red) : "–"
      }
      guard let figure, metric.unit == .count, group.figures.isPerDay else {
        return .init(HumanText.value(figure, unit: metric.unit))
      }
      return .init(HumanText.rate(figure))
    }
  }

  private func change(_ metric: Metric) -> Field {
    Field(column: .init("change", .right)) { policy in
      guard let change = group.change(metric, policy) else { return "" }
      guard change.certainty == .sure, metric.preference != .neither else {
        return .init(change.text, .dim)
      }
      let isBetter = (change.difference < 0) == (metric.preference == .lower)
      return .init(change.text, isBetter ? .green : .red)
    }
  }

  private func interval(_ metric: Metric, rank: Int) -> Field {
    Field(column: .init("95 % interval", .right, rank: rank)) { policy in
      .init(group.change(metric, policy)?.interval ?? "", .dim)
    }
  }

  private func spread(_ metric: Metric, rank: Int) -> Field {
    Field(column: .init("sd over seeds", .right, rank: rank)) { policy in
      .init(HumanText.value(group.figures.spread(metric, policy), unit: metric.unit), .dim)
    }
  }

  private func differingUsers(rank: Int) -> Field {
    Field(column: .init("users differ", .right, rank: rank)) { policy in
      guard policy != group.baseline else { return "" }
      let count = group.figures.differingUsers(ComparisonGroup.work, policy, group.baseline)
      return .init(count.map { "\($0)" } ?? "–")
    }
  }
}
