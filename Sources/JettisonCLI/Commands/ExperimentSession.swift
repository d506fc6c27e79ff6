internal import JettisonCore
internal import JettisonExperiments
internal import JettisonImporters
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// What `replay` and `compare` do alike: read, plan, run, write reports, judge.
struct ExperimentSession {
  let experiment: Experiment
  let result: ExperimentResult

  /// Does everything up to the results on standard output.
  ///
  /// - Parameters:
  ///   - text: What the user asked for.
  ///   - purpose: Which defaults hold.
  ///   - reports: Where results go.
  ///   - perfetto: Whether what happens is shown in Perfetto, too.
  ///   - page: Makes the page of the command at a path.
  ///   - isQuiet: Whether nothing is said beside results and errors.
  static func run(
    _ text: SpecificationText, for purpose: SpecificationText.Purpose,
    reports: ReportOptionGroup,
    perfetto: PerfettoOptionGroup? = nil,
    page: (_ path: String, _ asked: ExperimentSpecification) throws -> any ReportSink,
    isQuiet: Bool
  ) async throws -> ExperimentSession {
    let start = ContinuousClock.now
    let inputs = text.inputs
    var text = try ExperimentFile.expand(text)
    text.add(.failIf, reports.failIf.texts)
    text.add(.events, reports.events.texts)
    let asked = try text.specification(for: purpose)
    // What is wrong with it alone is told before any file is made.
    let planner = try RunPlanner(asked)
    let jobs = try reports.output.jobCount()
    let sinks = try reports.sinks(
      for: asked, inputs: inputs + text.inputs, perfetto: perfetto
    ) { try page($0, asked) }
    let experiment = try await prepare(planner, jobs: jobs, isQuiet: isQuiet)
    let result = try await run(experiment, into: sinks, jobs: jobs, isQuiet: isQuiet)
    if !isQuiet {
      for note in result.notes { Console.say("note: \(note)") }
      let time = HumanText.duration(seconds: Self.seconds(since: start))
      Console.say(
        "\(Prose.counted(result.runs.count, "run")) in \(time)"
          + (reports.output.csv.map { "; reports in \($0)" } ?? ""))
    }
    return ExperimentSession(experiment: experiment, result: result)
  }

  /// Reads the traces and makes the plan, and says what one should know of both.
  static func prepare(
    _ planner: RunPlanner, jobs: Int, isQuiet: Bool
  ) async throws -> Experiment {
    let traces = try await load(planner.asked, jobs: jobs, isQuiet: isQuiet)
    let experiment = Experiment(try planner.plan(traces))
    if !isQuiet {
      for note in experiment.notes { Console.say("note: \(note)") }
    }
    return experiment
  }

  private static func run(
    _ experiment: Experiment, into sinks: [any ReportSink], jobs: Int, isQuiet: Bool
  ) async throws -> ExperimentResult {
    let progress = ProgressDisplay(isWanted: !isQuiet)
    let firstRun = ContinuousClock.now
    let result = try await experiment.run(into: sinks, jobs: jobs) { done, total in
      let seconds = Self.seconds(since: firstRun)
      // Work that is over before anybody could read needs no line; what the first few runs took
      // tells little of the others.
      guard seconds > 0.3 else { return }
      let left = HumanText.duration(seconds: seconds * Double(total - done) / Double(done))
      await progress.show("\(done) of \(total) runs" + (done * 20 < total ? "" : ", \(left) left"))
      if done == total { await progress.clear() }
    }
    await progress.clear()
    return result
  }

  static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Traces whose issues are told one by one.
  private static let shownTraces = 5

  /// Reads the traces and says how many issues they have.
  static func load(
    _ asked: ExperimentSpecification, jobs: Int, isQuiet: Bool
  ) async throws -> [LoadedTrace] {
    var asked = asked
    asked.formats = .all
    let traces = try await TraceCollection.load(for: asked, jobs: jobs)
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
    for sentence in result.failures.sentences { Console.say(sentence) }
    try CommandFailure.check(result.failures.map(\.error))
    let gates = result.metGates()
    for gate in gates { Console.say(gate.sentence) }
    if !gates.isEmpty { throw CommandFailure(.gate) }
  }
}

extension CommandFailure {
  /// Ends the program if runs failed: the input is at fault if one asks for what no device can have.
  static func check(_ errors: [RunError]) throws {
    guard !errors.isEmpty else { return }
    throw CommandFailure(errors.contains(where: \.isInputError) ? .malformed : .failed)
  }
}

extension RunError {
  /// Whether the trace asks for something that the device cannot have.
  fileprivate var isInputError: Bool {
    if case .appLargerThanMemory = self { true } else { false }
  }
}
