import JettisonCore

/// How policies compare, in a table for each device and memory size: the answer of
/// `jettison compare`.
package struct ComparisonSummary {
  private struct Block: Hashable {
    var device: String
    var memoryBytes: Int64
  }

  private let runs: [RunRecord]
  private let comparisons: [ComparisonRow]
  private let baseline: String

  /// Takes the runs of an experiment and their comparison with a baseline.
  package init(runs: [RunRecord], comparisons: [ComparisonRow], baseline: String) {
    self.runs = runs
    self.comparisons = comparisons
    self.baseline = baseline
  }

  /// All tables as lines, each ended.
  package func rendered(_ style: TextStyle) -> String {
    var blocks: [Block] = []
    var grouped: [Block: [RunRecord]] = [:]
    for run in runs {
      let block = Block(device: run.key.device, memoryBytes: run.key.memoryBytes)
      if grouped[block] == nil { blocks.append(block) }
      grouped[block, default: []].append(run)
    }
    var parts = blocks.compactMap { block in
      grouped[block].map { rendered(block, $0, style) }
    }
    if !blocks.isEmpty { parts.append(legend()) }
    if runs.contains(where: \.provenance.isImputed) {
      parts.append(ReplaySummary.imputedNote(style) + "\n")
    }
    return parts.joined(separator: "\n")
  }

  private func legend() -> String {
    let seeds = Set(runs.map(\.key.seed)).count > 1 ? ", means over seeds" : ""
    return """
      Sums over all traces\(seeds). Losses and work lost: unsaved state that was gone when the
      system ended an app, for whatever reason, and that the user missed. Relaunches: launches
      of an app that the system had ended; waiting: how much longer they took. Front kills: apps
      killed in the user's hand. Differences: policy less \(TextStyle.clean(baseline)); below 0 is better.

      """
  }

  private func rendered(_ block: Block, _ runs: [RunRecord], _ style: TextStyle) -> String {
    let totals = PolicyTotals(runs)
    let rows = comparisons.filter {
      $0.device == block.device && $0.memoryBytes == block.memoryBytes
    }
    let users = Set(runs.map(\.key.user)).count
    let memory =
      runs.first.map { ReplaySummary.memory($0.configuration, block.memoryBytes) } ?? ""
    let isPerDay = rows.contains { $0.method != .values }
    var text = style.heading(
      "\(block.device) with \(memory): \(HumanText.counted(Double(users), "user")), "
        + HumanText.counted(Double(Set(runs.map(\.key.trace)).count), "trace"))
    var table = TextTable(Self.columns(baseline: baseline, isPerDay: isPerDay))
    for policy in totals.policies {
      table.add(cells(of: policy, totals, rows, isPerDay: isPerDay))
    }
    text += table.rendered(style)
    for policy in totals.policies {
      guard let failure = totals.failure(of: policy) else { continue }
      // A line right below a table would be a row of it in Markdown.
      if style.form == .markdown { text += "\n" }
      text +=
        style.emphasised("\(TextStyle.clean(policy)) failed: \(TextStyle.clean(failure))", .red)
        + "\n"
    }
    return text + (users > 1 ? singleValues(rows, style) : "")
  }

  private static func columns(baseline: String, isPerDay: Bool) -> [TextTable.Column] {
    let unit = isPerDay ? "per user-day " : ""
    return [
      .init("policy", .left), .init("losses noticed", .right), .init("work lost", .right),
      .init("relaunches", .right), .init("waiting", .right), .init("purges", .right),
      .init("front kills", .right), .init("work lost \(unit)vs \(baseline)", .right),
      .init("waiting \(unit)vs \(baseline)", .right),
    ]
  }

  private func cells(
    of policy: String, _ totals: PolicyTotals, _ rows: [ComparisonRow], isPerDay: Bool
  ) -> [TextTable.Cell] {
    func total(_ name: String, unit: MetricUnit) -> TextTable.Cell {
      .init(HumanText.value(totals.sum(of: name, policy: policy), unit: unit))
    }
    var cells: [TextTable.Cell] = [
      .init(policy, policy == baseline ? .bold : nil),
      totals.failure(of: policy) == nil
        ? total("system_losses_noticed", unit: .count) : .init("failed", .red),
      total("system_lost_work_noticed_seconds", unit: .seconds),
      total("relaunches_after_system_end", unit: .count),
      total("system_relaunch_wait_seconds", unit: .seconds), total("purges", unit: .count),
      total("foreground_kills", unit: .count),
    ]
    for name in MetricTable.primaryNames {
      let row = rows.first { $0.policy == policy && $0.metric == name }
      cells.append(
        policy == baseline
          ? "" : difference(name, policy, totals, row, isPerDay: isPerDay))
    }
    return cells
  }

  /// With ten users or more the mean per user-day and its interval; otherwise that of the sums.
  private func difference(
    _ name: String, _ policy: String, _ totals: PolicyTotals, _ row: ComparisonRow?,
    isPerDay: Bool
  ) -> TextTable.Cell {
    let ours = totals.sum(of: name, policy: policy)
    let theirs = totals.sum(of: name, policy: baseline)
    let ofSums: Double? = if let ours, let theirs { ours - theirs } else { nil }
    let number = isPerDay ? row?.meanDifference : ofSums
    var text = HumanText.difference(number, unit: .seconds)
    var isSure = true
    if isPerDay, let low = row?.low, let high = row?.high {
      text +=
        " [\(HumanText.difference(low, unit: .seconds)), "
        + "\(HumanText.difference(high, unit: .seconds))]"
      isSure = low > 0 || high < 0
    }
    guard let number, number != 0, isSure else { return .init(text) }
    return .init(text, number < 0 ? .green : .red)
  }

  /// The differences of the primary metrics user by user, where they are few.
  private func singleValues(_ rows: [ComparisonRow], _ style: TextStyle) -> String {
    let names = MetricTable.primaryNames
    let values = rows.filter { names.contains($0.metric) && $0.method == .values && $0.users > 1 }
    guard !values.isEmpty else { return "" }
    var table = TextTable([
      .init("user", .left), .init("policy", .left),
      .init("work lost per day vs \(baseline)", .right),
      .init("waiting per day vs \(baseline)", .right),
    ])
    var order: [(user: String, policy: String)] = []
    var cells: [[String]: Double] = [:]
    for row in values {
      for single in row.differences {
        if !order.contains(where: { $0 == (single.user, row.policy) }) {
          order.append((single.user, row.policy))
        }
        cells[[row.metric, single.user, row.policy]] = single.difference
      }
    }
    for (user, policy) in order {
      table.add(
        [.init(user), .init(policy)]
          + names.map {
            .init(HumanText.difference(cells[[$0, user, policy]], unit: .seconds))
          })
    }
    let gap = style.form == .markdown ? "\n" : ""
    return "\nToo few users for an interval; the single values:\n\(gap)" + table.rendered(style)
  }
}

/// Sums over the traces of an experiment, means over seeds, by policy.
private struct PolicyTotals {
  let policies: [String]
  private let byPolicy: [String: [[(record: RunRecord, reader: MetricReader?)]]]

  init(_ runs: [RunRecord]) {
    var order: [String] = []
    var traces: [String: [String]] = [:]
    var grouped: [String: [String: [(record: RunRecord, reader: MetricReader?)]]] = [:]
    for run in runs {
      let (policy, trace) = (run.key.policy, run.key.trace)
      if grouped[policy] == nil { order.append(policy) }
      if grouped[policy]?[trace] == nil { traces[policy, default: []].append(trace) }
      grouped[policy, default: [:]][trace, default: []].append((run, run.metricReader()))
    }
    policies = order
    byPolicy = traces.reduce(into: [:]) { result, entry in
      result[entry.key] = entry.value.compactMap { grouped[entry.key]?[$0] }
    }
  }

  /// The first reason why a run under a policy failed.
  func failure(of policy: String) -> String? {
    for runs in byPolicy[policy] ?? [] {
      for run in runs {
        if case .failed(let reason) = run.record.outcome { return reason }
      }
    }
    return nil
  }

  /// A sum over traces, of means over seeds; nil if a run failed, for sums over different traces do
  /// not compare.
  func sum(of name: String, policy: String) -> Double? {
    guard let traces = byPolicy[policy], failure(of: policy) == nil,
      let metric = MetricTable.summary.first(where: { $0.name == name })
    else { return nil }
    var sum = 0.0
    for runs in traces {
      let ofTrace = runs.reduce(0.0) { $0 + ($1.reader?.value(of: metric).number ?? 0) }
      sum += ofTrace / Double(max(1, runs.count))
    }
    return sum
  }
}
