internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonPages
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct CanaryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "canary",
    abstract: "Takes memory away step by step and says when each class of apps first dies.",
    discussion: """
      Classes are cached (suspended), background, perceptible (such as music), protected (part of \
      what is seen, or pinned) and front. Without traces, apps of every class are made for each \
      device, all of one size; with traces, the apps are those in memory when a trace is over. The \
      system takes a step of memory every 10 s until it has all of it.

      Prints a line for each device, memory size and policy; --json prints the rows of canary.csv.
      """)

  @Argument(
    help: ArgumentHelp("Traces, or folders of them (default: made).", valueName: "trace"),
    completion: .file())
  var traces: [String] = []

  @Option(
    name: [.customLong("policies"), .customLong("policy")],
    help: ArgumentHelp(
      "Purge policies; see 'jettison policies' (default: the platform's own, or lru).",
      valueName: "a,b,c|all"),
    completion: .policies)
  var policies: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "Memory that is taken at a time (default: the 128th part of RAM).", valueName: "8MiB"))
  var step: String?

  @Option(help: ArgumentHelp("Time between two steps (default: 10s).", valueName: "time"))
  var every: String?

  @Flag(help: "Print the rows of canary.csv as JSON instead of the table.")
  var json = false

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  @OptionGroup(title: "Results")
  var output: OutputOptionGroup

  func run() async throws {
    let terms = try terms()
    let text = experiment.text(
      traces: traces, policies: policies.texts, option: "--policies")
    let asked = try text.specification(for: .validate)
    let jobs = try output.jobCount()
    let sinks = try sinks(inputs: text.inputs)
    let loaded =
      traces.isEmpty
      ? [] : try await ExperimentSession.load(asked, jobs: jobs, isQuiet: experiment.quiet)
    let canary = try Canary(asked, loaded, terms)
    if !experiment.quiet {
      for note in canary.notes { Console.say("note: \(note)") }
    }
    let result = try await canary.run(into: sinks, jobs: jobs)
    if json {
      try Console.print(CanaryTable.rows.json(result.rows))
    } else if !result.rows.isEmpty {
      try Console.print(CanarySummary(result.rows).rendered(Console.style))
    }
    for sentence in result.failures.sentences { Console.say(sentence) }
    try CommandFailure.check(result.failures.map(\.error))
  }

  private func sinks(inputs: [String]) throws -> [any CanarySink] {
    try output.check(inputs: inputs)
    let sinks: [(any CanarySink)?] = [
      try output.directory().map { try CSVCanarySink(directory: $0) },
      try output.page(CanaryPageSink.init(path:command:)),
    ]
    return sinks.compactMap { $0 }
  }

  private func terms() throws(ExperimentError) -> CanaryTerms {
    var terms = CanaryTerms()
    if let step {
      guard let bytes = Quantity.bytes(step), bytes > 0 else {
        throw .value(
          "--step", .invalid(what: "size", text: step, remedy: "write a size such as 8MiB"))
      }
      terms.stepBytes = bytes
    }
    if let every {
      guard let time = Quantity.nanoseconds(every), time > 0 else {
        throw .value(
          "--every",
          .invalid(what: "time", text: every, remedy: "write a duration such as 10s"))
      }
      terms.intervalNanoseconds = time
    }
    return terms
  }
}
