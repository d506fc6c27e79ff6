import JettisonSupport

/// Validated runs of several traces: what they come to together, and a line per trace.
package struct ValidationPool {
  /// Runs of one policy.
  private struct Group {
    let policy: String
    var runs: [(trace: String, figures: ValidationFigures)] = []
    var rows: [ValidationRow] = []
  }

  private let groups: [Group]

  /// Traces that are shown one by one.
  private static let shownTraces = 20

  /// Takes all runs.
  package init(_ runs: [ValidatedRun]) {
    var groups: [Group] = []
    for run in runs {
      let place = groups.firstIndex { $0.policy == run.key.policy } ?? groups.count
      if place == groups.count { groups.append(Group(policy: run.key.policy)) }
      groups[place].runs.append((run.key.trace, run.figures))
      groups[place].rows += run.rows
    }
    self.groups = groups
  }

  /// Everything, as lines each ended.
  package func rendered(_ style: TextStyle) -> String {
    var text = total.rendered(style)
    text += "\n"
    text += Prose.paragraph(
      "First: observed kills whose victim the policy puts first among all candidates, of "
        + "those that could be ranked; its 95 % interval takes every kill as drawn by itself. By "
        + "chance: the share that a random order would have first.", style)
    guard let first = groups.first, groups.count == 1 else { return text }
    text += "\n" + traces(Array(first.runs.prefix(Self.shownTraces))).rendered(style)
    if first.runs.count > Self.shownTraces {
      text += "… and \(first.runs.count - Self.shownTraces) more: --csv DIR has all\n"
    }
    return text
  }

  private static let counts: [TextTable.Column] = [
    .init("kills observed", .right), .init("simulated", .right), .init("same time", .right),
    .init("ranked", .right), .init("first", .right),
  ]

  private static func cells(_ figures: ValidationFigures) -> [TextTable.Cell] {
    [
      .init("\(figures.observedKills)"), .init("\(figures.simulatedKills)"),
      .init("\(figures.matchedKills)"), .init("\(figures.rankedKills)"),
      .init("\(figures.firstKills)"),
    ]
  }

  private var total: TextTable {
    var table = TextTable(
      [.init("policy", .left), .init("traces", .right)] + Self.counts
        + [.init("share", .right), .init("interval", .right), .init("by chance", .right)])
    for group in groups {
      let figures = ValidationFigures(group.rows)
      let ranked = Double(figures.rankedKills)
      let chance = ranked > 0 ? figures.chanceOfFirstKills / ranked : nil
      let interval = figures.firstInterval.map {
        "\(Self.percent($0.lowerBound)) to \(Self.percent($0.upperBound))"
      }
      table.add(
        [
          .init(TextStyle.clean(group.policy)),
          .init("\(Set(group.runs.map(\.trace)).count)"),
        ] + Self.cells(figures) + [
          .init(Self.percent(figures.firstShare)), .init(interval ?? "–"),
          .init(Self.percent(chance)),
        ])
    }
    return table
  }

  private func traces(_ runs: [(trace: String, figures: ValidationFigures)]) -> TextTable {
    var table = TextTable([.init("trace", .left)] + Self.counts)
    for (trace, figures) in runs {
      table.add([.init(TextStyle.clean(trace))] + Self.cells(figures))
    }
    return table
  }

  /// With a decimal: near to all of them tenths of a percent count.
  private static func percent(_ share: Double?) -> String {
    share.map { "\(NumberText.real(($0 * 1000).rounded() / 10)) %" } ?? "–"
  }
}
