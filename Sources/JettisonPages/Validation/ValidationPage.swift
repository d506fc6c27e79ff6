import JettisonCore
public import JettisonReports
import JettisonSupport

/// The page of `jettison validate`: whether the simulated system ends whom the real one ended.
struct ValidationPage {
  /// Cells of `validation.csv` that a page holds.
  private static let mostCells = 150_000

  private let runs: [ValidatedRun]
  private let matrix: ValidationMatrix

  init(_ runs: [ValidatedRun]) {
    self.runs = runs
    matrix = ValidationMatrix(runs)
  }

  func page(command: String) -> Page {
    var page = Page(
      title: "jettison validate",
      question: "Does the simulated system end the apps that the real one ended?")
    page.answer = answer
    page.facts = RepeatFacts(command: command, runs: runs.compactMap(\.record))
    page.sections = matrix.rows.isEmpty ? [nothing] : [shares, kills]
    page.files = [
      DataFile(ValidationTables.summary, runs),
      DataFile(ValidationTables.rows, runs.flatMap(\.rows), mostCells: Self.mostCells),
      DataFile(name: "columns.md", meaning: "what the columns mean", text: ColumnsDocument.text),
    ]
    return page
  }

  /// How often the best policy is right, beside chance.
  private var answer: String {
    let ranked = matrix.columns.filter { $0.share != nil }
    guard !matrix.rows.isEmpty, let first = ranked.first else {
      return "No captured kill could be ranked."
    }
    let best = ranked.dropFirst().reduce(first) { ($1.share ?? 0) > ($0.share ?? 0) ? $1 : $0 }
    let chance = best.chanceOfFirst / Double(best.ranked)
    return "\(PageText.name(best.name)) puts \(best.first) of \(best.ranked) victims first "
      + "(\(HumanText.count(100 * (best.share ?? 0))) %); a random order would have "
      + "\(HumanText.count(best.chanceOfFirst)) (\(HumanText.percent(chance)))."
  }

  private var nothing: PageSection {
    PageSection(
      id: "kills", heading: "No captured kill",
      lead: [
        "The captures show no kill for memory, so there is no rank to draw: only warnings or "
          + "available memory were compared, which validation.csv has row by row."
      ], body: Markup())
  }

  private var shares: PageSection {
    var out = MarkupWriter()
    ValidationMatrixSection(matrix).writeShares(to: &out)
    return PageSection(
      id: "shares", heading: "Victims that each policy puts first",
      lead: [
        "At each captured kill the policy is asked whom it would end, with everybody else as the "
          + "capture has them. The upright line is chance: what a random order would have first."
      ], body: Markup(out))
  }

  private var kills: PageSection {
    let section = ValidationMatrixSection(matrix)
    var (body, data) = (MarkupWriter(), MarkupWriter())
    section.writeMatrix(to: &body)
    section.writeJSON(to: &data)
    var lead = [
      "The rank that each policy gave to the app that really died: 1 is the app it would end first, of "
        + "as many as the second column from the right says. By chance: the mean rank of a random "
        + "order. Open a kill for what came of it when each policy decided for itself."
    ]
    if section.hiddenRows > 0 {
      lead.append(
        "\(HumanText.counted(Double(section.hiddenRows), "later kill")) are not drawn: "
          + "validation.csv has all.")
    }
    return PageSection(
      id: "kills", heading: "Every captured kill", lead: lead, body: Markup(body),
      data: .json(data.bytes))
  }
}

/// Writes the page of a validation.
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
public final class ValidationPageSink: ValidationSink, FileOutput {
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
  public func finish(_ runs: [ValidatedRun]) throws(ReportError) {
    try file.write(ValidationPage(runs).page(command: file.command))
  }

  /// Gives the file its name.
  ///
  /// - Throws: `ReportError` if it cannot have it.
  public func publish() throws(ReportError) {
    try file.publish()
  }
}
