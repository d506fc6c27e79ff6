internal import JettisonCore
internal import JettisonSupport

/// One validated run, told to a person: how often, how often by chance, and every single kill.
package struct ValidationSummary {
  private let run: ValidatedRun
  private var key: RunKey { run.key }
  private var figures: ValidationFigures { run.figures }

  /// Rows of each table that are shown.
  private static let shownRows = 20

  /// Takes one run.
  package init(_ run: ValidatedRun) {
    self.run = run
  }

  /// Everything, as lines each ended.
  package func rendered(_ style: TextStyle) -> String {
    var text = style.heading(
      "\(TextStyle.clean(key.trace)) under \(key.policy) on \(key.device) "
        + "(\(HumanText.size(bytes: key.memoryBytes)))\(ranks): the capture beside the simulation")
    text += "\n\(figureTable.rendered(style))"
    text += table(.observedKill, "Observed kills", killTable, style)
    text += table(
      .simulatedKill, "Simulated kills that the capture does not show", extraTable, style)
    text += table(.observedWarning, "Observed warnings", warningTable, style)
    text += table(
      .simulatedWarning, "Simulated warnings that the capture does not show", extraTable, style)
    return text
  }

  private var ranks: String {
    run.usesCapturedRanks.map { $0 ? ", adj captured" : ", adj modelled" } ?? ""
  }

  private func table(
    _ kind: ValidationRow.Kind, _ title: String, _ make: ([ValidationRow]) -> TextTable,
    _ style: TextStyle
  ) -> String {
    let own = run.rows.filter { $0.kind == kind }
    guard !own.isEmpty else { return "" }
    let shown = Array(own.prefix(Self.shownRows))
    let more =
      own.count > shown.count ? "… and \(own.count - shown.count) more: --csv DIR has all\n" : ""
    return "\n\(title)\n" + make(shown).rendered(style) + more
  }

  // MARK: Figures

  private var figureTable: TextTable {
    var table = TextTable([.init("", .left), .init("", .left)])
    table.hasHeader = false
    for (label, text) in played + asked + warned + measured {
      table.add([.init("  " + label), .init(text)])
    }
    return table
  }

  /// What the simulation did when it decided for itself.
  private var played: [(String, String)] {
    guard figures.observedKills > 0 else {
      return [("observed kills", "none" + unscored)]
    }
    let window = HumanText.duration(nanoseconds: run.windowNanoseconds)
    var facts = [
      ("observed kills", "\(figures.observedKills)" + unscored),
      (
        "same time",
        "\(count(figures.matchedKills, of: figures.observedKills)) went within \(window); "
          + "by chance \(chance(figures.chanceOfMatchedKills, of: figures.observedKills)); "
          + (figures.simulatedKills == 0
            ? "the simulation ended no app"
            : "of what the simulation ended, "
              + count(figures.matchedKills, of: figures.simulatedKills))
      ),
      (
        "same set",
        "\(count(figures.sameSetKills, of: figures.observedKills)) in moments with the same "
          + "victims"
      ),
      (
        "exact",
        "\(count(figures.exactKills, of: figures.observedKills)) in the same order too"
      ),
    ]
    let inStep =
      figures.firstDifferenceNanoseconds.map {
        "until \(HumanText.duration(nanoseconds: $0)): from there on the two differ in who runs"
      } ?? "to the end"
    facts.append(("in step", inStep))
    return facts
  }

  /// Where the policy puts the victims when the run follows the capture.
  private var asked: [(String, String)] {
    guard figures.observedKills > 0 else { return [] }
    guard figures.rankedKills > 0 else {
      return [("ranked", "none: no victim runs at its moment, or all are pinned")]
    }
    let ranked = figures.rankedKills
    func count(_ part: Int, _ chance: Double) -> String {
      "\(self.count(part, of: ranked)); by chance \(self.chance(chance, of: ranked))"
    }
    return [
      (
        "asked at the moment",
        "\(self.count(ranked, of: figures.observedKills)) could be ranked"
      ),
      ("first", count(figures.firstKills, figures.chanceOfFirstKills)),
      ("top 3", count(figures.top3Kills, figures.chanceOfTop3Kills)),
      (
        "mean of 1/rank",
        "\(hundredths(figures.meanReciprocalRank)); by chance "
          + hundredths(figures.chanceOfMeanReciprocalRank)
      ),
    ]
  }

  private var warned: [(String, String)] {
    guard figures.observedWarnings > 0 else { return [] }
    return [
      (
        "warnings",
        "\(count(figures.matchedWarnings, of: figures.observedWarnings)) at the same level and "
          + "time; \(figures.unobservedWarnings) that the capture does not show"
      )
    ]
  }

  /// How far the simulation's available memory is from the measured one.
  private var measured: [(String, String)] {
    guard let mean = figures.meanAbsoluteDifferenceBytes, let bias = figures.meanDifferenceBytes
    else { return [] }
    let direction = bias < 0 ? "less" : "more"
    return [
      (
        "available memory",
        "off by \(HumanText.size(bytes: mean)) on average, at most "
          + "\(HumanText.size(bytes: figures.largestDifferenceBytes)), in "
          + "\(HumanText.counted(Double(figures.measurements), "measurement")); on average the "
          + "simulation has \(HumanText.size(bytes: bias.magnitude)) \(direction)"
      )
    ]
  }

  /// Observed ends that are none for memory.
  private var unscored: String {
    let causes = ExitCause.allCases.filter { run.otherExits[$0] != nil }
    guard !causes.isEmpty else { return "" }
    let total = causes.reduce(0) { $0 + (run.otherExits[$1] ?? 0) }
    let list = causes.map { "\($0.name) \(run.otherExits[$0] ?? 0)" }.joined(separator: ", ")
    return "; \(HumanText.counted(Double(total), "other end")) not scored (\(list))"
  }

  private func count(_ part: Int, of whole: Int) -> String {
    "\(part) of \(whole)"
      + (whole == 0 ? "" : " (\(HumanText.percent(Double(part) / Double(whole))))")
  }

  private func chance(_ part: Double, of whole: Int) -> String {
    "\(HumanText.count(part)) (\(HumanText.percent(part / Double(whole))))"
  }

  private func hundredths(_ value: Double?) -> String {
    value.map { NumberText.real(($0 * 100).rounded() / 100) } ?? "–"
  }

  // MARK: Tables

  private func killTable(_ rows: [ValidationRow]) -> TextTable {
    let hasBand = rows.contains { $0.band != nil }
    var columns: [TextTable.Column] = [
      .init("at", .right), .init("app", .left), .init("cause", .left),
    ]
    if hasBand { columns.append(.init("band", .right)) }
    columns += [.init("rank", .right), .init("in the simulation", .left)]
    var table = TextTable(columns)
    for row in rows {
      var cells: [TextTable.Cell] = [
        .init(HumanText.duration(nanoseconds: row.timeNanoseconds)), .init(row.app),
        .init(row.cause),
      ]
      if hasBand { cells.append(.init(row.band.map { "\($0)" } ?? "–")) }
      let place = row.candidateCount.flatMap { count in row.rank.map { "\($0) of \(count)" } }
      cells += [.init(place ?? "–"), .init(Self.story(row), row.isMatched ? nil : .red)]
      table.add(cells)
    }
    return table
  }

  private func extraTable(_ rows: [ValidationRow]) -> TextTable {
    var table = TextTable([
      .init("at", .right), .init("app", .left), .init("why", .left), .init("decision", .right),
    ])
    for row in rows {
      table.add([
        .init(HumanText.duration(nanoseconds: row.timeNanoseconds)),
        .init(row.app.isEmpty ? "(all)" : row.app),
        .init(row.kind == .simulatedKill ? row.cause : row.level?.name ?? ""),
        .init(row.decision.map { "\($0)" } ?? "–"),
      ])
    }
    return table
  }

  private func warningTable(_ rows: [ValidationRow]) -> TextTable {
    var table = TextTable([
      .init("at", .right), .init("app", .left), .init("level", .left),
      .init("in the simulation", .left),
    ])
    for row in rows {
      table.add([
        .init(HumanText.duration(nanoseconds: row.timeNanoseconds)),
        .init(row.app.isEmpty ? "(all)" : row.app), .init(row.level?.name ?? ""),
        .init(Self.story(row), row.isMatched ? nil : .red),
      ])
    }
    return table
  }

  /// What the simulation has of an observed kill or warning, in words.
  package static func story(_ row: ValidationRow) -> String {
    switch row.outcome {
    case .matched: return "the same, \(offset(row))"
    case .otherVictim:
      let place = row.decisionRank.map { "it was number \($0)" } ?? "it stayed"
      return "ended \(row.otherApp); \(place) in decision \(number(row.decision))\(later(row))"
    case .notCandidate:
      return "no candidate in decision \(number(row.decision)): \(row.reason)\(later(row))"
    case .purgedEarlier: return "gone already, \(offset(row))"
    case .purgedLater: return "went \(offset(row))"
    case .notRunning:
      return row.reason == "never-started" ? "never started" : "does not run: \(row.reason)"
    case .noDecision:
      let available = row.availableBytes.map { HumanText.size(bytes: $0) } ?? "–"
      return "decided nothing: \(available) available, level \(row.level?.name ?? "–")"
    case .otherLevel: return "another level (\(row.reason)), \(offset(row))"
    case .noWarning: return "no warning"
    case .unobserved, .compared: return ""
    }
  }

  private static func number(_ decision: Int?) -> String { decision.map { "\($0)" } ?? "–" }

  private static func later(_ row: ValidationRow) -> String {
    row.offsetNanoseconds == nil ? "" : "; it went \(offset(row))"
  }

  private static func offset(_ row: ValidationRow) -> String {
    let offset = row.offsetNanoseconds ?? 0
    if offset == 0 { return "at the same time" }
    let span = HumanText.duration(seconds: Double(offset.magnitude) / 1e9)
    return "\(span) \(offset < 0 ? "earlier" : "later")"
  }
}

/// Several validated runs, one line each.
package enum ValidationComparison {
  /// The table, as lines each ended.
  package static func rendered(
    _ runs: [ValidatedRun], _ style: TextStyle
  ) -> String {
    let ranks = runs.contains { $0.usesCapturedRanks != nil }
    let isMeasured = runs.contains { $0.figures.measurements > 0 }
    let devices = Set(runs.map(\.key.device)).count > 1
    let memories = Set(runs.map(\.key.memoryBytes)).count > 1
    let seeds = Set(runs.map(\.key.seed)).count > 1
    var columns: [TextTable.Column] = [.init("policy", .left)]
    if devices { columns.append(.init("device", .left)) }
    if memories { columns.append(.init("memory", .right)) }
    if seeds { columns.append(.init("seed", .right)) }
    if ranks { columns.append(.init("adj", .left)) }
    columns += [
      .init("kills observed", .right), .init("simulated", .right), .init("same time", .right),
      .init("by chance", .right), .init("same set", .right), .init("exact", .right),
      .init("ranked", .right), .init("first", .right), .init("top 3", .right),
      .init("by chance", .right), .init("1/rank", .right), .init("by chance", .right),
      .init("warnings", .right),
    ]
    if isMeasured { columns.append(.init("memory off by", .right)) }
    var table = TextTable(columns)
    for run in runs {
      let (key, figures) = (run.key, run.figures)
      var cells: [TextTable.Cell] = [.init(key.policy)]
      if devices { cells.append(.init(key.device)) }
      if memories { cells.append(.init(HumanText.size(bytes: key.memoryBytes))) }
      if seeds { cells.append(.init("\(key.seed)")) }
      if ranks {
        cells.append(.init(run.usesCapturedRanks.map { $0 ? "captured" : "modelled" } ?? "–"))
      }
      cells += self.cells(figures)
      if isMeasured {
        cells.append(
          .init(figures.meanAbsoluteDifferenceBytes.map { HumanText.size(bytes: $0) } ?? "–"))
      }
      table.add(cells)
    }
    return table.rendered(style)
  }

  private static func cells(_ figures: ValidationFigures) -> [TextTable.Cell] {
    func hundredths(_ value: Double?) -> TextTable.Cell {
      .init(value.map { NumberText.real(($0 * 100).rounded() / 100) } ?? "–")
    }
    let isRanked = figures.rankedKills > 0
    return [
      .init("\(figures.observedKills)"), .init("\(figures.simulatedKills)"),
      .init("\(figures.matchedKills)"), .init(HumanText.count(figures.chanceOfMatchedKills)),
      .init("\(figures.sameSetKills)"), .init("\(figures.exactKills)"),
      .init("\(figures.rankedKills)"),
      .init(isRanked ? "\(figures.firstKills)" : "–"),
      .init(isRanked ? "\(figures.top3Kills)" : "–"),
      .init(isRanked ? HumanText.count(figures.chanceOfTop3Kills) : "–"),
      hundredths(figures.meanReciprocalRank), hundredths(figures.chanceOfMeanReciprocalRank),
      .init(
        figures.observedWarnings == 0
          ? "–" : "\(figures.matchedWarnings) of \(figures.observedWarnings)"),
    ]
  }
}
