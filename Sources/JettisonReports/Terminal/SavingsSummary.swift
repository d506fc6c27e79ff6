import JettisonCore
import JettisonSupport

/// What saving habits of apps come to, in a table for each app and device: the answer of
/// `jettison savings`.
package struct SavingsSummary {
  private let groups: [Group]
  private let isImputed: Bool

  /// Takes rows in their order: all habits of an app on a device follow each other.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - isImputed: Whether imputed figures have a part in them.
  package init(_ rows: [SavingsRow], isImputed: Bool) {
    self.isImputed = isImputed
    var groups: [Group] = []
    for row in rows {
      if groups.last?.holds(row) == true {
        groups[groups.count - 1].rows.append(row)
      } else {
        groups.append(Group(rows: [row]))
      }
    }
    self.groups = groups
  }

  /// All tables as lines, each ended.
  ///
  /// Of several apps, those that lose nothing whatever they do get a line together.
  package func rendered(_ style: TextStyle) -> String {
    let apps = Set(groups.map(\.rows[0].app))
    let shown = apps.count > 1 ? groups.filter { !$0.neverLoses } : groups
    var parts = shown.map { $0.rendered(style) }
    let safe = groups.map(\.rows[0].app).filter { app in
      !shown.contains { $0.rows[0].app == app }
    }
    if !safe.isEmpty {
      var names: [String] = []
      for name in safe where !names.contains(name) { names.append(TextStyle.clean(name)) }
      parts.append(
        Prose.paragraph(
          "Nothing to lose, whatever the habit: \(names.joined(separator: ", ")).", style))
    }
    if !shown.isEmpty {
      parts.append(Self.legend.map { Prose.paragraph($0, style) }.joined() + "\n")
    }
    if isImputed { parts.append(ReplaySummary.imputedNote(style) + "\n") }
    return parts.joined(separator: "\n")
  }

  private static let legend = [
    "As captured: the saves of the trace, or those of the catalog where it has none.",
    "Losses and work lost: unsaved state that was gone when the system ended the app, and that the "
      + "user missed. Written: what was unsaved when a save began; an app that writes its whole "
      + "document each time writes more.",
  ]
}

/// The habits of one app on one device.
private struct Group {
  var rows: [SavingsRow]

  func holds(_ row: SavingsRow) -> Bool {
    rows[0].app == row.app && rows[0].device == row.device
      && rows[0].memoryBytes == row.memoryBytes
  }

  /// Whether even an app that never saves loses nothing.
  var neverLoses: Bool { rows.allSatisfy(\.losesNothing) }

  /// Whether there are users enough for an interval.
  private var isPerDay: Bool {
    rows.contains { $0.comparison.map { $0.method != .values } ?? false }
  }

  func rendered(_ style: TextStyle) -> String {
    let first = rows[0]
    var text = style.heading(
      "\(first.app) on \(first.device) with \(HumanText.size(bytes: first.memoryBytes)) under "
        + "\(first.policy): \(HumanText.counted(Double(first.users), "user")), "
        + HumanText.value(first.figures["user_days"], unit: .days))
    let columns = columns(isWide: (style.width ?? .max) >= Self.wide)
    var table = TextTable(columns.map(\.head))
    for row in rows { table.add(columns.map { $0.cell(row) }) }
    text += table.rendered(style)
    return text + sentences.map { Prose.paragraph($0, style) }.joined()
  }

  // MARK: Columns

  private struct Column {
    let head: TextTable.Column
    let cell: (SavingsRow) -> TextTable.Cell
  }

  /// Narrowest terminal with room for what is no loss by the system.
  private static let wide = 96

  private func columns(isWide: Bool) -> [Column] {
    var columns = [
      Column(head: .init("habit", .left)) { row in
        row.isFrugal ? .init("\(row.habit) *", .green) : .init(row.habit)
      },
      figure("losses noticed", "system_losses_noticed", isBad: true),
    ]
    if isPerDay {
      columns.append(
        Column(head: .init("work lost per user-day", .right)) { row in
          .init(HumanText.value(row.lostPerDay, unit: .seconds))
        })
    } else {
      columns.append(figure("work lost", "system_lost_work_noticed_seconds", isBad: true))
    }
    columns.append(
      Column(head: .init("against \(rows[0].habit)", .right)) { difference($0) })
    columns += [figure("saves", "saves"), figure("written", "written_bytes")]
    if varies(Self.outOfTime) { columns.append(figure("out of time", Self.outOfTime, isBad: true)) }
    if isWide, varies(Self.discarded) { columns.append(figure("discarded", Self.discarded)) }
    if waits.count > 1 {
      columns.append(
        Column(head: .init("waiting", .right)) { row in
          .init(HumanText.value(Self.waiting(row), unit: .seconds))
        })
    }
    return columns
  }

  private static let outOfTime = "saves_interrupted_window"
  private static let discarded = "user_discarded_work_seconds"

  private func figure(_ title: String, _ name: String, isBad: Bool = false) -> Column {
    let unit = SavingsRow.metrics.first { $0.name == name }?.unit ?? .count
    return Column(head: .init(title, .right)) { row in
      guard let number = row.figures[name] else { return .init("failed", .red) }
      return .init(HumanText.value(number, unit: unit), isBad && number > 0 ? .red : nil)
    }
  }

  /// Per user-day with the interval, or that of the sums where users are too few for one.
  private func difference(_ row: SavingsRow) -> TextTable.Cell {
    guard let comparison = row.comparison else { return "" }
    let name = SavingsRow.comparedMetric.name
    guard isPerDay else {
      guard let ours = row.figures[name], let theirs = rows[0].figures[name] else { return "–" }
      return Self.coloured(HumanText.difference(ours - theirs, unit: .seconds), ours - theirs)
    }
    guard let mean = comparison.meanDifference else { return "–" }
    guard let low = comparison.low, let high = comparison.high else {
      return .init(HumanText.difference(mean, unit: .seconds))
    }
    // Nothing can become less by more than all of it: there the interval ends.
    let least = max(low, -(comparison.baselineMean ?? .infinity))
    return Self.coloured(
      Self.interval(mean, least, high), comparison.certainty == .sure ? mean : 0)
  }

  /// A mean and its interval in the unit of the largest, named once: tables are wide enough.
  private static func interval(_ mean: Double, _ low: Double, _ high: Double) -> String {
    let numbers = [mean, low, high]
    let largest = numbers.map(\.magnitude).max() ?? 0
    let (unit, seconds) =
      largest < 1
      ? ("ms", 0.001) : largest < 600 ? ("s", 1) : largest < 36_000 ? ("min", 60) : ("h", 3600)
    let texts = numbers.map { signed($0 / seconds) }
    return "\(texts[0]) [\(texts[1]), \(texts[2])] \(unit)"
  }

  /// Three digits at most, so that what is not 0 is hardly ever shown as 0.
  private static func signed(_ number: Double) -> String {
    let scale: Double = number.magnitude < 1 ? 100 : number.magnitude < 100 ? 10 : 1
    let rounded = (number * scale).rounded() / scale
    return (rounded > 0 ? "+" : "") + NumberText.real(rounded)
  }

  private static func coloured(_ text: String, _ difference: Double) -> TextTable.Cell {
    .init(text, difference == 0 ? nil : difference < 0 ? .green : .red)
  }

  // MARK: Below the table

  private func varies(_ name: String) -> Bool {
    Set(rows.compactMap { $0.figures[name] }).count > 1
  }

  /// Waiting for a handler that has not returned, and for relaunches after a system end.
  private static func waiting(_ row: SavingsRow) -> Double? {
    guard let handler = row.figures["handler_wait_seconds"],
      let relaunch = row.figures["system_relaunch_wait_seconds"]
    else { return nil }
    return handler + relaunch
  }

  /// The habit that loses the least work, at the least writing.
  private var leastLosing: SavingsRow? {
    let names = [SavingsRow.comparedMetric.name, "written_bytes", "saves"]
    return rows.min { first, second in
      names.map { first.figures[$0] ?? 0 }.lexicographicallyPrecedes(
        names.map { second.figures[$0] ?? 0 })
    }
  }

  /// Whether chance may be all that sets the habit that loses least apart, where users are compared.
  private var doubt: String {
    guard isPerDay, let comparison = leastLosing?.comparison, comparison.certainty != .sure else {
      return ""
    }
    return ", which chance may explain"
  }

  private var waits: Set<Double> { Set(rows.compactMap(Self.waiting)) }

  private var sentences: [String] {
    let failed = rows.count(where: \.figures.isEmpty)
    guard failed == 0 else {
      return [
        failed == rows.count
          ? "Every run failed."
          : "\(failed) of \(rows.count) habits failed: which of all loses least is not known."
      ]
    }
    var sentences: [String] = []
    if neverLoses {
      sentences.append("Nothing to lose: no end by the system met anything unsaved.")
    } else if rows.contains(where: \.isFrugal) {
      sentences.append("* loses nothing, and writes least of the habits that lose nothing")
    } else {
      let least = leastLosing?.habit ?? "–"
      sentences.append("No habit loses nothing; \(least) loses least\(doubt).")
    }
    if let rated = rows.compactMap(\.comparison).withMostUsers?.users, isPerDay,
      rated < rows[0].users
    {
      sentences.append(
        "Work lost per user-day is that of the "
          + "\(HumanText.counted(Double(rated), "user")) with a day of trace or more; other columns "
          + "count all \(rows[0].users).")
    }
    if !varies(Self.outOfTime) {
      let number = rows.compactMap { $0.figures[Self.outOfTime] }.first
      sentences.append(
        (number ?? 0) == 0
          ? "No save ran out of time."
          : "\(HumanText.count(number ?? 0)) saves ran out of time, whatever the habit.")
    }
    if let wait = waits.first, waits.count == 1 {
      let time = HumanText.duration(seconds: wait)
      sentences.append(
        wait == 0
          ? "No user waited for a handler or a relaunch."
          : "Users waited \(time) for handlers and relaunches, whatever the habit.")
    }
    return sentences
  }
}
