import JettisonCore
public import JettisonReports
import JettisonSupport

/// The page of `jettison replay`: what the user lost, when, and who decided it.
struct ReplayPage {
  private let records: [RunRecord]
  /// The costliest first.
  private let runs: [SkylineRun]
  /// Runs that cost less than those.
  private let droppedCount: Int
  private let label: RunLabel

  /// Takes the results of an experiment, and what is kept of its costliest runs.
  init(_ records: [RunRecord], _ costliest: CostliestRuns) {
    self.records = records
    runs = costliest.inOrder
    droppedCount = costliest.droppedCount
    label = RunLabel(costliest.runs.map(\.key))
  }

  func page(command: String) -> Page {
    var page = Page(
      title: "jettison replay", question: "What did the user lose, when, and who decided it?")
    page.answer = answer
    page.notes = notes
    page.facts = RepeatFacts(command: command, runs: records)
    page.sections = skylines + [losses, apps].compactMap { $0 }
    page.files = RunFiles.all(runs: records, comparisons: [])
    return page
  }

  // MARK: Sentences

  /// Of the run that cost most.
  private var answer: String {
    guard let run = runs.first, let record = record(of: run), let reader = record.metricReader()
    else { return "No run went through." }
    func text(_ name: String) -> String {
      let metric = MetricTable.summary.first { $0.name == name }
      return metric.map { HumanText.value(reader.value(of: $0).number, unit: $0.unit) } ?? "–"
    }
    func times(_ name: String) -> String { text(name) + (text(name) == "1" ? " time" : " times") }
    let losses = text("system_losses_noticed")
    let user = PageText.isolated(run.key.user)
    return "\(user) lost \(text("system_lost_work_noticed_seconds")) of work under "
      + "\(PageText.name(run.key.policy))\(label.seed(of: run.key)), in "
      + "\(losses) \(losses == "1" ? "loss" : "losses") that they noticed: the system ended apps "
      + "\(times("system_ends")), and "
      + "\(times("relaunches_after_system_end")) the user opened one again."
      + worst(beside: reader.value(of: ComparisonGroup.work).number ?? 0)
  }

  /// Which of several runs cost its user most, if one lost more than that: not all have a skyline.
  private func worst(beside shown: Double) -> String {
    let finished = self.finished
    let lost = finished.map { $0.metricReader()?.value(of: ComparisonGroup.work).number ?? 0 }
    guard finished.count > 1, let most = lost.max(), let place = lost.firstIndex(of: most) else {
      return ""
    }
    let worst = finished[place]
    guard most > shown else { return " No run of \(finished.count) cost its user more." }
    let seed = RunLabel(finished.map(\.key)).seed(of: worst.key)
    return " Of \(finished.count) runs the one that cost most is \(PageText.name(worst.key.trace))"
      + "\(seed): \(HumanText.value(most, unit: .seconds))."
  }

  private var notes: [String] {
    var notes: [String] = []
    if droppedCount > 0 {
      notes.append(
        "Skylines of the \(runs.count) runs that cost most are shown; "
          + "\(HumanText.counted(Double(droppedCount), "other")) are in the files only.")
    }
    for record in records {
      guard case .failed(let reason) = record.outcome else { continue }
      notes.append("\(PageText.isolated(record.key.place)) failed: \(PrintableText.clean(reason))")
    }
    return notes
  }

  // MARK: Sections

  private func record(of run: SkylineRun) -> RunRecord? { records.first { $0.key == run.key } }

  private var skylines: [PageSection] {
    runs.enumerated().compactMap { place, run in
      record(of: run).map { SkylineSection(run, $0, number: place + 1).section(label) }
    }
  }

  private var finished: [RunRecord] { records.filter { $0.result != nil } }

  private var losses: PageSection? {
    guard let first = finished.first else { return nil }
    return LossStories(finished).section("under \(PageText.name(first.key.policy))")
  }

  private var apps: PageSection? {
    guard let first = finished.first else { return nil }
    let costs = AppCosts(finished, policies: [first.key.policy])
    guard !costs.isEmpty else { return nil }
    return PageSection(
      id: "apps", heading: "App by app",
      lead: ["Sums over all runs; apps whose ends cost nothing are in apps.csv only."],
      body: costs.table, data: costs.data)
  }
}

/// Writes the page of a replay: a skyline of each of the runs that cost most.
///
/// The file is created at once and gets its name in ``publish()``: an error before leaves what was
/// there untouched.
public final class ReplayPageSink: ReportSink, FileOutput {
  /// Those that collect what skylines show.
  public let listeners: (any RunListeners)? = SkylineListeners()
  /// As many as the page tells.
  public var listedLosses: Int { LossStories.most }
  private let file: PageFile
  private var costliest = CostliestRuns()
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

  /// Takes what is kept of a run.
  public func add(_ part: any RunPart) {
    if let part = part as? SkylinePart { costliest.add(part.run) }
  }

  /// Writes the page and closes the file.
  ///
  /// - Throws: `ReportError` if it cannot be written, and if a run's record names other apps than its
  ///   result has.
  public func finish(
    runs: [RunRecord], comparisons: [Comparison]
  ) throws(ReportError) {
    for run in runs { try run.checkApps() }
    try file.write(ReplayPage(runs, costliest).page(command: file.command))
  }

  /// Gives the file its name.
  ///
  /// - Throws: `ReportError` if it cannot have it.
  public func publish() throws(ReportError) {
    try file.publish()
  }
}
