import JettisonCore
public import JettisonReports
import JettisonSupport

/// The page of `jettison canary`: at how much memory taken away each class of apps first dies.
struct CanaryPage {
  /// Runs that have a figure of their own; the others are in the table.
  private static let mostFigures = 24

  private let rows: [CanaryRow]
  private let records: [RunRecord]
  private let runs: [SurvivorSteps]
  private let label: RunLabel

  /// Takes rows in their order, those of a run follow each other, and the runs.
  init(_ rows: [CanaryRow], runs records: [RunRecord]) {
    self.rows = rows
    self.records = records
    var runs: [[CanaryRow]] = []
    for row in rows {
      if runs.isEmpty || row.appClass == CanaryClass.allCases[0] { runs.append([]) }
      runs[runs.count - 1].append(row)
    }
    self.runs = runs.map { SurvivorSteps(rows: $0) }
    label = RunLabel(runs.map { $0[0].key })
  }

  func page(command: String) -> Page {
    var page = Page(
      title: "jettison canary",
      question: "How much memory can be taken away before a killer takes what the user would miss?")
    page.answer = runs.first.map(sentence) ?? "No run went through."
    if runs.count > 1 { page.answer += " The table has all \(runs.count) runs." }
    page.facts = RepeatFacts(command: command, runs: records)
    page.sections = [table] + figures
    page.files = [
      DataFile(CanaryTable.rows, rows), DataFile(RunTables.runs, records),
      DataFile(name: "columns.md", meaning: "what the columns mean", text: ColumnsDocument.text),
    ]
    return page
  }

  private func place(of steps: SurvivorSteps) -> String {
    let key = steps.rows[0].key
    return "\(PageText.name(key.device)) with \(RAMFigure.exact(key.memoryBytes)) under "
      + "\(PageText.name(key.policy)) (\(steps.rows[0].model))\(label.seed(of: key))"
  }

  /// When the least and the most important apps die.
  private func sentence(_ steps: SurvivorSteps) -> String {
    let living = steps.rows.filter { $0.apps > 0 }
    let parts = [living.first, living.count > 1 ? living.last : nil].compactMap { row in
      row.map { row in
        let app = row.appClass == .front ? "the app in front" : "the first \(row.appClass) app"
        let taken = row.deaths.first.map { "dies when \(RAMFigure.exact($0.takenBytes)) are gone" }
        return "\(app) \(taken ?? "never dies")"
      }
    }
    let key = steps.rows[0].key
    let subject = label.hasTraces ? "\(PageText.name(key.trace)) on" : "On"
    let answer = parts.isEmpty ? "no app is in memory" : parts.joined(separator: ", ")
    return "\(subject) \(place(of: steps)) \(answer)."
  }

  private var table: PageSection {
    var table = PageTable(
      "Memory taken away when the first app of each class died",
      [.words("device"), .figures("RAM"), .words("killer"), .words("policy"), .words("trace")]
        + (label.hasSeeds ? [.figures("seed")] : [])
        + CanaryClass.allCases.map { .figures($0.rawValue) })
    for steps in runs {
      let key = steps.rows[0].key
      table.add(
        [
          .name(key.device),
          .figure(Double(key.memoryBytes), text: RAMFigure.exact(key.memoryBytes)),
          .name(steps.rows[0].model), .name(key.policy), .name(key.trace),
        ] + (label.hasSeeds ? [.figure(Double(key.seed), text: "\(key.seed)")] : [])
          + steps.rows.map { row in
            guard row.apps > 0 else { return .figure(nil, text: "–") }
            let first = row.deaths.first?.takenBytes
            return .figure(first.map(Double.init), text: first.map(Self.mebibytes) ?? "survives")
          })
    }
    return PageSection(
      id: "first-deaths", heading: "Who dies first",
      lead: [
        "Memory that had been taken away when the first app of each class died. An app in front that "
          + "the system ends is opened again; only its first end counts."
      ], body: table.markup)
  }

  /// One unit for all, so that rows compare at a glance.
  private static func mebibytes(_ bytes: Int64) -> String {
    "\(HumanText.count(Double(bytes) / Double(1 << 20))) MiB"
  }

  private var figures: [PageSection] {
    runs.prefix(Self.mostFigures).enumerated().map { number, steps in
      let key = steps.rows[0].key
      return PageSection(
        id: "run-\(number + 1)",
        heading: label.trace(of: key) + place(of: steps),
        link: label.trace(of: key) + "\(PageText.name(key.device, longest: 40)), "
          + "\(RAMFigure.exact(key.memoryBytes)), \(PageText.name(key.policy, longest: 40))"
          + label.seed(of: key),
        body: steps.figure,
        data: .object([
          ("trace", .text(key.trace)), ("policy", .text(key.policy)),
          ("seed", .cell(.integer(Int64(clamping: key.seed)))),
          ("device", .text(key.device)), ("memory_bytes", .cell(.integer(key.memoryBytes))),
          ("step_bytes", .cell(.integer(steps.rows[0].stepBytes))),
          ("taken_bytes", .cell(.integer(steps.rows[0].takenBytes))), ("classes", steps.data),
        ]))
    }
  }
}

/// Writes the page of runs in which memory is taken away.
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
public final class CanaryPageSink: CanarySink, FileOutput {
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
  public func finish(_ rows: [CanaryRow], runs: [RunRecord]) throws(ReportError) {
    try file.write(CanaryPage(rows, runs: runs).page(command: file.command))
  }

  /// Gives the file its name.
  ///
  /// - Throws: `ReportError` if it cannot have it.
  public func publish() throws(ReportError) {
    try file.publish()
  }
}
