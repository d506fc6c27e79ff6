internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonPages
internal import JettisonReports
internal import JettisonTraces

struct SavingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "savings",
    abstract: "Says what an app's users would lose if it saved at other moments.",
    discussion: """
      Replays the life of an app as captured, and as if it never saved, or saved when it is told \
      that it ends, resigns or enters the background, every so often, or after every edit. Only \
      that app's saves change. The habit that loses nothing at the least writing is marked.

      How it saves stays as its catalog entry says; --set changes that: \
      --set com.example.notes.save.rate=1MB/s
      """)

  @Argument(
    help: ArgumentHelp("Traces, or directories of them.", valueName: "trace"),
    completion: .file())
  var traces: [String]

  @Option(
    help: ArgumentHelp("The app (default: each in turn). Repeatable.", valueName: "name"))
  var app: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "The purge policy; see 'jettison policies' (default: lru).", valueName: "policy"),
    completion: .policies)
  var policy: String?

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  @OptionGroup(title: "Results")
  var output: OutputOptionGroup

  func run() async throws {
    let start = ContinuousClock.now
    try ReplayCommand.check(traces, policy: policy, command: "savings")
    let text = experiment.text(
      traces: traces, policies: [policy].compactMap { $0 }, option: "--policy")
    let asked = try text.specification(for: .replay)
    let planner = try RunPlanner(asked)
    let jobs = try output.jobCount()
    let sinks = try sinks(inputs: text.inputs)
    let loaded = try await ExperimentSession.load(asked, jobs: jobs, isQuiet: experiment.quiet)
    let names = try AppNames(loaded).chosen(app.texts, named: "--app")
    guard !names.isEmpty else {
      throw CommandFailure(.failed, "no trace has an app, so that no habit of saving can be tried")
    }
    let plan = try planner.plan(loaded.filter { $0.trace.apps.contains(where: names.contains) })
    if !experiment.quiet {
      for note in plan.notes { Console.say("note: \(note)") }
    }
    let savings = try await savings(
      of: names, in: Experiment(plan), into: sinks, jobs: jobs, since: start)
    let summary = SavingsSummary(
      savings.flatMap(\.rows), isImputed: plan.runs.contains(where: \.isImputed))
    try Console.print(summary.rendered(Console.style))
    let failures = savings.flatMap(\.failures)
    for failure in failures { Console.say("\(failure)") }
    try CommandFailure.check(failures)
  }

  private func sinks(inputs: [String]) throws -> [any SavingsSink] {
    try output.check(inputs: inputs)
    let sinks: [(any SavingsSink)?] = [
      try output.directory().map { try CSVSavingsSink(directory: $0) },
      try output.page(SavingsPageSink.init(path:command:)),
    ]
    return sinks.compactMap { $0 }
  }

  private func savings(
    of names: [String], in asked: Experiment, into sinks: [any SavingsSink], jobs: Int,
    since start: ContinuousClock.Instant
  ) async throws -> [Savings] {
    let progress = ProgressDisplay(isWanted: !experiment.quiet)
    let savings = try await asked.savings(of: names, into: sinks, jobs: jobs) { name, done, total in
      guard ExperimentSession.seconds(since: start) > 0.3 else { return }
      let place = (names.firstIndex(of: name) ?? 0) + 1
      let app = names.count > 1 ? "app \(place) of \(names.count): " : ""
      await progress.show("\(app)\(done) of \(total) runs")
      if place == names.count, done == total { await progress.clear() }
    }
    await progress.clear()
    return savings
  }
}
