internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// What `replay` and `compare` do alike: read, plan, run, write reports, judge.
struct ExperimentSession {
  let plan: RunPlan
  let experiment: Experiment
  /// Every policy against the baseline; empty unless asked for.
  let comparisons: [ComparisonRow]

  /// Does everything up to the results on standard output.
  ///
  /// - Parameters:
  ///   - asked: What the user asked for.
  ///   - command: Which defaults hold.
  ///   - reports: Where results go.
  ///   - compares: Whether `comparison.csv` has rows.
  ///   - isQuiet: Whether nothing is said beside results and errors.
  static func run(
    _ asked: ExperimentOptions, for command: RunPlanner.Command, reports: ReportOptionGroup,
    compares: Bool, isQuiet: Bool
  ) async throws -> ExperimentSession {
    let start = ContinuousClock.now
    var options = try ExperimentFile.expand(asked)
    options.add(.failIf, reports.failIf.texts)
    options.add(.events, reports.events.texts)
    let planner = try RunPlanner(options, for: command)
    let jobs = try reports.jobCount()
    let writer = try reports.writer(eventKinds: try options.eventKinds())
    let junit = try reports.junitFile(hasGates: options.texts(.failIf) != nil)
    let traces = try await load(options, jobs: jobs, isQuiet: isQuiet)
    let plan = try planner.plan(traces)
    if !isQuiet {
      for note in plan.notes { Console.say("note: \(note)") }
    }
    let progress = ProgressDisplay(isWanted: !isQuiet)
    let firstRun = ContinuousClock.now
    let experiment = try await Experiment.run(plan, jobs: jobs, writer: writer) { done, total in
      let seconds = Self.seconds(since: firstRun)
      // Work that is over before anybody could read needs no line; what the first few runs took
      // tells little of the others.
      guard seconds > 0.3 else { return }
      let left = HumanText.duration(seconds: seconds * Double(total - done) / Double(done))
      await progress.show("\(done) of \(total) runs" + (done * 20 < total ? "" : ", \(left) left"))
    }
    await progress.clear()
    let comparisons = compares ? experiment.comparisons() : []
    try writer?.finish(runs: experiment.records, comparisons: comparisons)
    try junit?.write(experiment.gateReport().text)
    try junit?.publish()
    if !isQuiet {
      for note in experiment.notes() { Console.say("note: \(note)") }
      let time = HumanText.duration(seconds: Self.seconds(since: start))
      Console.say(
        "\(Prose.counted(experiment.records.count, "run")) in \(time)"
          + (reports.csv.map { "; reports in \($0)" } ?? ""))
    }
    return ExperimentSession(plan: plan, experiment: experiment, comparisons: comparisons)
  }

  static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Traces whose issues are told one by one.
  private static let shownTraces = 5

  /// Reads the traces and says how many issues they have.
  static func load(
    _ options: ExperimentOptions, jobs: Int, isQuiet: Bool
  ) async throws -> [LoadedTrace] {
    var reading = ImportOptions()
    reading.isStrict = options.isStrict
    let traces = try await TraceCollection.load(
      options.traces, catalogs: CatalogFile.read(options), jobs: jobs, options: reading)
    guard !isQuiet else { return traces }
    let troubled = traces.filter { $0.issues.count > 0 }
    for loaded in troubled.prefix(shownTraces) {
      Console.say(IssueText.summary(loaded.issues, path: loaded.path))
    }
    let rest = troubled.dropFirst(shownTraces)
    if !rest.isEmpty {
      let count = rest.reduce(0) { $0 + $1.issues.count }
      Console.say("\(Prose.counted(count, "issue")) in \(Prose.counted(rest.count, "more trace"))")
    }
    return traces
  }

  /// Ends the program if a run failed or a condition of `--fail-if` is met.
  func judge() throws {
    for sentence in failureSentences { Console.say(sentence) }
    if !experiment.failures.isEmpty {
      let isInput = experiment.failures.values.contains { $0.isInputError }
      throw CommandFailure(isInput ? .malformed : .failed)
    }
    let gates = experiment.metGates()
    for gate in gates { Console.say(gate.sentence) }
    if !gates.isEmpty { throw CommandFailure(.gate) }
  }
}

extension ExperimentSession {
  /// Why runs failed, each reason once, at the first run that it ended.
  private var failureSentences: [String] {
    var places: [String: (place: String, others: Int)] = [:]
    var order: [String] = []
    for position in experiment.failures.keys.sorted() {
      guard let failure = experiment.failures[position]?.description else { continue }
      if places[failure] == nil {
        let key = plan.key(of: position)
        places[failure] = ("\(key.trace), \(key.policy), \(key.device), seed \(key.seed)", 0)
        order.append(failure)
      } else {
        places[failure]?.others += 1
      }
    }
    return order.compactMap { failure in
      guard let (place, others) = places[failure] else { return nil }
      let more = others == 0 ? "" : " (and in \(Prose.counted(others, "more run")))"
      return "\(place): \(failure)\(more)"
    }
  }
}

extension RunError {
  /// Whether the trace asks for something that the device cannot have.
  var isInputError: Bool {
    if case .appLargerThanMemory = self { true } else { false }
  }
}

/// Issues of an input as text.
enum IssueText {
  /// One line about all issues of an input.
  static func summary(_ issues: ImportIssues, path: String) -> String {
    let counts = [IssueSeverity.info, .error, .dataLoss].compactMap { severity -> String? in
      let count = issues.all.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
      return count == 0 ? nil : "\(count) \(severity.name)"
    }
    return "\(path): \(Prose.counted(issues.count, "issue")): "
      + "\(counts.joined(separator: ", ")) ('jettison check \(path)' lists them)"
  }

  /// One line per kind of issue, with its first places.
  static func lines(_ issues: ImportIssues, path: String) -> [String] {
    issues.all.map { issue in
      let places = issue.lines.map { line in
        let place = issues.place(ofLine: line)
        return (file: place.file.map { "\(path)/\($0)" } ?? path, line: place.line)
      }
      let first = places.first.map { "\($0.file):\($0.line)" } ?? path
      var text = "\(first): \(issue.severity.name): \(issue.text)"
      if issue.count > 1 {
        let others = places.dropFirst().map {
          $0.file == places[0].file ? "\($0.line)" : "\($0.line) of \($0.file)"
        }
        let more = issue.count > issue.lines.count && !others.isEmpty ? ", …" : ""
        text += " (\(issue.count) times"
        text += others.isEmpty ? ")" : "; also in lines \(others.joined(separator: ", "))\(more))"
      }
      return text
    }
  }
}
