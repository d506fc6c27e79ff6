import JettisonCore
import JettisonReports
import JettisonSupport

/// The saving habits of an app on one device: what each loses against what it writes.
struct HabitField {
  /// What a habit is among the others.
  enum Standing: String, CaseIterable {
    case captured
    case frugal
    case front
    case beaten

    var shape: Mark.Shape {
      switch self {
      case .captured: .square
      case .frugal: .disc
      case .front: .diamond
      case .beaten: .ring
      }
    }

    var style: String {
      switch self {
      case .captured: "plain"
      case .frugal: "good"
      case .front: "oracle"
      case .beaten: "unsure"
      }
    }

    var words: String {
      switch self {
      case .captured: "as captured"
      case .frugal: "loses nothing at the least writing"
      case .front: "on the frontier: nothing loses less and writes less"
      case .beaten: "another loses less and writes less"
      }
    }
  }

  static let lost = SavingsRow.comparedMetric
  static let written = metric("written_bytes")

  static func metric(_ name: String) -> Metric { ComparisonGroup.metric(name) }

  /// All habits of an app on a device; the first is as captured.
  let rows: [SavingsRow]

  /// Habits whose runs went through.
  private var finished: [SavingsRow] { rows.filter { !$0.figures.isEmpty } }

  private func point(_ row: SavingsRow) -> (x: Double, y: Double) {
    (row.figures[Self.written.name] ?? 0, row.figures[Self.lost.name] ?? 0)
  }

  /// The habits that no other beats in both, the one that writes least first.
  var front: [SavingsRow] {
    finished.filter { row in
      let own = point(row)
      return !finished.contains { other in
        let theirs = point(other)
        return theirs.x <= own.x && theirs.y <= own.y && (theirs.x < own.x || theirs.y < own.y)
      }
    }.sorted { (point($0).x, point($1).y) < (point($1).x, point($0).y) }
  }

  func standing(_ row: SavingsRow) -> Standing {
    if row.habit == rows.first?.habit { return .captured }
    if row.isFrugal { return .frugal }
    return front.contains { $0.habit == row.habit } ? .front : .beaten
  }

  var figure: Markup {
    let points = finished.map(point)
    // A habit that writes after every edit writes a thousand times what another does.
    let isWide = (points.map(\.x).max() ?? 0) > 40 * (points.map(\.x).filter { $0 > 0 }.min() ?? 1)
    let chart = Chart(
      x: Axis(
        "written in all", covering: points.map(\.x), unit: .bytes, scale: isWide ? .powers : .even),
      y: Axis("work lost in all", covering: points.map(\.y), unit: .seconds, scale: .powers))
    let marks = finished.reversed().map { row in
      Mark(standing(row).shape, standing(row).style, story: story(row))
        .markup(in: chart, x: point(row).x, y: point(row).y)
    }.joined()
    let order =
      finished.filter { standing($0) != .beaten } + finished.filter { standing($0) == .beaten }
    let labels = Labels(
      order.map { row in
        Labels.Label(
          text: row.habit, x: chart.x.percent(point(row).x), y: 100 - chart.y.percent(point(row).y))
      }, in: chart)
    return chart.figure(
      caption:
        "Work lost against writing, on a scale of powers\(isWide ? ", both" : ""); the lower "
        + "left is better.",
      content: chart.line(front.map(point), "front") + marks + labels.markup, legend: legend)
  }

  private var legend: Markup {
    let shown = Standing.allCases.filter { standing in
      finished.contains { self.standing($0) == standing }
    }
    return Markup(
      "ul", ["class": "legend"],
      shown.map { Mark($0.shape, $0.style, story: "").legend($0.words) }.joined())
  }

  private func text(_ row: SavingsRow, _ metric: Metric) -> String {
    HumanText.value(row.figures[metric.name], unit: metric.unit)
  }

  private func story(_ row: SavingsRow) -> String {
    var lines = [
      "\(row.habit) (\(standing(row).words))",
      "\(text(row, Self.lost)) of work lost in \(text(row, Self.metric("system_losses_noticed"))) losses",
      "\(text(row, Self.written)) written in \(text(row, Self.metric("saves"))) saves",
    ]
    if let comparison = row.comparison, let mean = comparison.meanDifference {
      let interval =
        comparison.interval.map { interval in
          ", 95 % interval \(HumanText.difference(interval.lowerBound, unit: .seconds)) to "
            + HumanText.difference(interval.upperBound, unit: .seconds)
        } ?? ""
      lines.append(
        "\(HumanText.difference(mean, unit: .seconds)) per user-day against as captured\(interval)")
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Table and data

  private static let shownNames = [
    "system_losses_noticed", "system_lost_work_noticed_seconds", "saves", "written_bytes",
    "saves_interrupted_window", "user_discarded_work_seconds",
  ]
  private static let titles = [
    "losses noticed", "work lost", "saves", "written", "out of time", "discarded by the user",
  ]

  var table: Markup {
    var table = PageTable(
      "Saving habits of \(PageText.name(rows[0].app))",
      [.words("habit")] + Self.titles.map { .figures($0) }
        + [.figures("work lost per user-day"), .figures("against as captured")])
    for row in rows {
      let difference = row.comparison?.meanDifference
      let isSure = row.comparison?.certainty == .sure
      table.add(
        [.name(row.habit)]
          + Self.shownNames.map { name in
            .figure(row.figures[name], unit: Self.metric(name).unit)
          } + [
            .figure(row.lostPerDay, unit: .seconds),
            .figure(
              difference,
              text: difference.map { HumanText.difference($0, unit: .seconds) } ?? "",
              style: !isSure ? "unsure" : (difference ?? 0) < 0 ? "good" : "bad"),
          ], style: row.isFrugal || row.habit == rows[0].habit ? "strong" : "")
    }
    return table.markup
  }

  var data: PageData {
    .array(
      rows.map { row in
        var members: [(String, PageData)] = [
          ("habit", .text(row.habit)), ("standing", .text(standing(row).rawValue)),
          ("front", .flag(front.contains { $0.habit == row.habit })),
          ("lost_work_per_user_day_seconds", .real(row.lostPerDay)),
          ("mean_difference", .real(row.comparison?.meanDifference)),
          ("low", .real(row.comparison?.low)), ("high", .real(row.comparison?.high)),
        ]
        members += Self.shownNames.map { ($0, .real(row.figures[$0])) }
        return .object(members)
      })
  }

  // MARK: Words

  /// The device and its memory.
  var place: String {
    "\(PageText.name(rows[0].device)) with \(RAMFigure.exact(rows[0].memoryBytes))"
  }

  /// What the reader wants to know, in a sentence.
  var sentence: String {
    let app = PageText.name(rows[0].app) + " on \(place)"
    let captured = text(rows[0], Self.lost)
    let failed = rows.count(where: \.figures.isEmpty)
    guard failed < rows.count else { return "\(app): every run failed." }
    guard failed == 0 else {
      return "\(app): \(failed) of \(rows.count) habits failed, so that which of all loses least "
        + "is not known; as captured it loses \(captured)."
    }
    if rows.allSatisfy(\.losesNothing) { return "\(app) loses nothing, whatever its habit." }
    if let frugal = rows.first(where: \.isFrugal) {
      return "\(app) loses nothing at the least writing (\(text(frugal, Self.written))) with the "
        + "habit '\(frugal.habit)'; as captured it loses \(captured)."
    }
    guard let least = front.last else { return "\(app): every run failed." }
    return "No habit of \(app) loses nothing: '\(least.habit)' loses least, "
      + "\(text(least, Self.lost)); as captured it loses \(captured)."
  }
}
