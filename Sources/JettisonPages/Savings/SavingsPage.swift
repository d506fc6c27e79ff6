import JettisonCore
public import JettisonReports
import JettisonSupport

/// The page of `jettison savings`: what an app's users would lose if it saved at other moments.
struct SavingsPage {
  /// Apps that have figures of their own; the others are in the table.
  private static let mostFields = 12

  private let rows: [SavingsRow]
  /// By app, device and memory, the app that can lose most first.
  private let fields: [HabitField]

  /// Takes rows in their order: all habits of an app on a device follow each other.
  init(_ rows: [SavingsRow]) {
    self.rows = rows
    var groups: [[SavingsRow]] = []
    for row in rows {
      if let last = groups.last?.first, last.app == row.app, last.device == row.device,
        last.memoryBytes == row.memoryBytes
      {
        groups[groups.count - 1].append(row)
      } else {
        groups.append([row])
      }
    }
    fields = groups.map { HabitField(rows: $0) }
  }

  func page(command: String) -> Page {
    var page = Page(
      title: "jettison savings",
      question: "What would users lose if apps saved at other moments, and what would it cost?")
    page.answer = shown.first?.sentence ?? fields.first?.sentence ?? "No app could be replayed."
    var policies: [String] = []
    for row in rows where !policies.contains(row.policy) { policies.append(row.policy) }
    let first = rows.filter { $0.habit == rows[0].habit }.flatMap(\.runs)
    page.facts = RepeatFacts(command: command, runs: first, policies: policies)
    page.sections = curves + shownSections + [apps, losses(first)]
    page.files = [
      DataFile(SavingsTable.rows, rows),
      DataFile(name: "columns.md", meaning: "what the columns mean", text: ColumnsDocument.text),
    ]
    return page
  }

  /// Those with something to lose.
  private var losing: [HabitField] {
    fields.filter { field in !field.rows.allSatisfy(\.losesNothing) }
  }

  private var shown: [HabitField] { Array(losing.prefix(Self.mostFields)) }

  // MARK: Habits

  private var shownSections: [PageSection] {
    shown.enumerated().map { number, field in
      let first = field.rows[0]
      let users = HumanText.counted(Double(first.users), "user")
      let isOnly = fields.count { $0.rows[0].app == first.app } == 1
      let days = HumanText.value(first.figures["user_days"], unit: .days)
      return PageSection(
        id: "habits-\(number + 1)",
        heading: "\(PageText.name(first.app)) on \(field.place): \(users), \(days)",
        link: PageText.name(first.app, longest: 40)
          + (isOnly ? "" : ", \(RAMFigure.exact(first.memoryBytes))"), lead: [field.sentence],
        body: field.figure + field.table,
        data: .object([
          ("app", .text(first.app)), ("device", .text(first.device)),
          ("memory_bytes", .cell(.integer(first.memoryBytes))), ("habits", field.data),
        ]))
    }
  }

  // MARK: Memory

  /// An app on a device that was tried with several memory sizes: what its habits lose.
  private var curves: [PageSection] {
    var sections: [PageSection] = []
    var seen: Set<[String]> = []
    for field in losing where sections.count < Self.mostFields {
      let (app, device) = (field.rows[0].app, field.rows[0].device)
      guard seen.insert([app, device]).inserted else { continue }
      let own = fields.filter { $0.rows[0].app == app && $0.rows[0].device == device }
        .sorted { $0.rows[0].memoryBytes < $1.rows[0].memoryBytes }
      guard own.count > 1, own.contains(where: { $0.rows[0].lostPerDay != nil }) else { continue }
      sections.append(curve(own, number: sections.count + 1))
    }
    return sections
  }

  private func curve(_ fields: [HabitField], number: Int) -> PageSection {
    let first = fields[0].rows[0]
    let curves = Self.habits(fields).map { habit in
      RAMFigure.Curve(
        name: habit,
        points: fields.compactMap { field in
          guard let row = field.rows.first(where: { $0.habit == habit }), let lost = row.lostPerDay
          else { return nil }
          return RAMFigure.Point(
            memoryBytes: row.memoryBytes, mean: lost,
            interval: Self.interval(row, captured: field.rows[0].lostPerDay))
        })
    }
    let figure = RAMFigure(
      metric: HabitField.lost,
      caption: "Work lost against RAM, on a scale of powers of ten; shaded: where the 95 % "
        + "interval of the difference to the first habit puts the mean.",
      title: "work lost per user-day", curves: curves)
    return PageSection(
      id: "ram-\(number)",
      heading: "How memory spares \(PageText.name(first.app)) on \(PageText.name(first.device))",
      link: "RAM and \(PageText.name(first.app, longest: 40))", body: figure.markup,
      data: .object([
        ("app", .text(first.app)), ("device", .text(first.device)),
        (
          "habits",
          .array(
            curves.map {
              .object([("habit", .text($0.name)), ("lost_work_per_user_day_seconds", $0.data)])
            })
        ),
      ]))
  }

  private static func interval(_ row: SavingsRow, captured: Double?) -> ClosedRange<Double>? {
    guard let captured, let interval = row.comparison?.interval else { return nil }
    return max(0, captured + interval.lowerBound)...max(0, captured + interval.upperBound)
  }

  /// As captured, and the habits that are most often on the frontier.
  private static func habits(_ fields: [HabitField]) -> [String] {
    let names = fields[0].rows.map(\.habit)
    let counts = names.map { name in
      fields.count { field in field.front.contains { $0.habit == name } }
    }
    let order = names.indices.dropFirst().sorted { (-counts[$0], $0) < (-counts[$1], $1) }
    let chosen = Set(order.prefix(RAMFigure.mostLines - 1))
    return names.indices.filter { $0 == 0 || chosen.contains($0) }.map { names[$0] }
  }

  // MARK: Apps and losses

  private var apps: PageSection {
    var table = PageTable(
      "Apps",
      [
        .words("app"), .words("device"), .figures("users"), .figures("work lost as captured"),
        .figures("losses"), .words("least writing without a loss"), .figures("written"),
        .figures("written as captured"),
      ])
    for field in fields {
      let first = field.rows[0]
      let frugal = field.rows.first(where: \.isFrugal)
      table.add([
        .name(first.app), .name(field.place), .figure(Double(first.users), unit: .count),
        .figure(first.figures[HabitField.lost.name], unit: .seconds),
        .figure(first.figures["system_losses_noticed"], unit: .count),
        .name(frugal?.habit ?? "none"),
        .figure(frugal?.figures[HabitField.written.name], unit: .bytes),
        .figure(first.figures[HabitField.written.name], unit: .bytes),
      ])
    }
    let rest = losing.count - shown.count
    let lead =
      rest > 0 ? ["\(rest) more have no figure of their own: savings.csv has all habits."] : []
    return PageSection(
      id: "apps", heading: "App by app",
      lead: lead, body: table.markup,
      data: .array(
        fields.map { field in
          let first = field.rows[0]
          return .object([
            ("app", .text(first.app)), ("device", .text(first.device)),
            ("memory_bytes", .cell(.integer(first.memoryBytes))),
            ("captured_lost_work_seconds", .real(first.figures[HabitField.lost.name])),
            ("least_writing", .text(field.rows.first(where: \.isFrugal)?.habit ?? "")),
          ])
        }))
  }

  private func losses(_ captured: [RunRecord]) -> PageSection {
    LossStories(captured).section("as captured")
  }
}

/// Writes the page of a comparison of saving habits.
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
public final class SavingsPageSink: SavingsSink, FileOutput {
  /// As many as the page tells.
  public var listedLosses: Int { LossStories.most }
  private let file: PageFile
  package var outputFiles: [OutputFile] { [file.file] }

  /// Makes the file under a hidden name.
  ///
  /// - Parameters:
  ///   - path: Where the page belongs.
  ///   - command: What the page says to repeat it with, as a shell takes it; empty: nothing.
  /// - Throws: `ReportError` if it cannot be made.
  public init(path: String, command: String = "") throws(ReportError) {
    file = try PageFile(path: path, command: command)
  }

  /// Writes the page and closes the file.
  ///
  /// - Throws: `ReportError` if it cannot be written.
  public func finish(_ rows: [SavingsRow]) throws(ReportError) {
    try file.write(SavingsPage(rows).page(command: file.command))
  }

  /// Gives the file its name.
  ///
  /// - Throws: `ReportError` if it cannot have it.
  public func publish() throws(ReportError) {
    try file.publish()
  }
}
