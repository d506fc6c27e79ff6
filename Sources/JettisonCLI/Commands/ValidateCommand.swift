internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonPages
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Says how often the simulated system ends the apps that the real one ended.",
    discussion: """
      For traces with observed kills (observed-exit rows with a cause of memory), warnings or \
      measured available memory. Every run is made twice. In the first, the simulation decides for \
      itself, which shows whom it ends and when. In the second it follows the capture: at each \
      observed kill the policy is asked where it ranks the victim among the candidates. If the \
      capture has ranks (rows adj) and the model uses them, both runs are repeated with the \
      model's own ranks, unless --adj picks one or there are several traces.

      With one policy, it lists every kill and why it was missed; with several, it prints a line \
      for each. Add random to see what plain chance scores. With several traces, it says how many \
      victims each policy ranks first, with an interval. The status is 1 if there is nothing to \
      compare with.
      """)

  @Argument(
    help: ArgumentHelp("Traces, or folders of them.", valueName: "trace"), completion: .file())
  var traces: [String]

  @Option(
    name: [.customLong("policies"), .customLong("policy")],
    help: ArgumentHelp(
      "Purge policies; see 'jettison policies' (default: the platform's own, such as linux-oom or "
        + "android, or lru if it isn't known).", valueName: "a,b,c|all"),
    completion: .policies)
  var policies: [OptionValues] = []

  @Option(
    help: ArgumentHelp(
      "How far apart two events may be and count as the same (default: 10s).", valueName: "time"))
  var window: String?

  @Option(
    help: ArgumentHelp(
      "Causes of observed exits that count as kills for memory.",
      discussion: "Default: memory, which stands for every cause that is about memory.",
      valueName: "memory,other,…"))
  var causes: String?

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  @OptionGroup(title: "Results")
  var output: OutputOptionGroup

  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if a column of validation-summary.csv meets a condition in any run. "
        + "Repeatable.", valueName: "recall<x"))
  var failIf: [OptionValues] = []

  func run() async throws {
    let terms = try terms()
    let text = experiment.text(
      traces: traces, policies: policies.texts, option: "--policies")
    let asked = try text.specification(for: .validate)
    let planner = try RunPlanner(asked)
    let jobs = try output.jobCount()
    let sinks = try sinks(inputs: text.inputs)
    let loaded = try await ExperimentSession.load(asked, jobs: jobs, isQuiet: experiment.quiet)
    let experiment = Experiment(try planner.plan(loaded))
    let validation = try validation(of: experiment, terms)
    if !self.experiment.quiet {
      for note in experiment.notes + validation.incomparable.map(Self.sentence) {
        Console.say("note: \(note)")
      }
    }
    let result = try await validation.run(into: sinks, jobs: jobs)
    if !self.experiment.quiet {
      for note in result.notes { Console.say("note: \(note)") }
    }
    try Console.print(result.rendered(Console.style))
    for complaint in result.complaints { Console.say(complaint) }
    if !result.failures.isEmpty { throw CommandFailure(.failed) }
    if !result.metGates.isEmpty { throw CommandFailure(.gate) }
  }

  private func validation(of experiment: Experiment, _ terms: ValidationTerms) throws -> Validation
  {
    do throws(Validation.Failure) {
      return try Validation(of: experiment, terms)
    } catch {
      switch error {
      case .unusable(let error): throw error
      case .nothingToCompare(let traces):
        throw CommandFailure(.failed, traces.map(Self.sentence).joined(separator: "\n"))
      }
    }
  }

  private func sinks(inputs: [String]) throws -> [any ValidationSink] {
    try output.check(inputs: inputs)
    let sinks: [(any ValidationSink)?] = [
      try output.directory().map { try CSVValidationSink(directory: $0) },
      try output.page(ValidationPageSink.init(path:command:)),
    ]
    return sinks.compactMap { $0 }
  }

  /// Why a trace cannot be compared, with the option that helps.
  private static func sentence(_ trace: IncomparableTrace) -> String {
    trace.sentence(causes: "--causes says")
  }

  private func terms() throws(ExperimentError) -> ValidationTerms {
    var terms = ValidationTerms()
    terms.windowNanoseconds = try windowNanoseconds()
    terms.causes = try killCauses()
    if experiment.adj != nil { terms.comparesRanks = false }
    terms.gates = try failIf.texts.map { (text) throws(ExperimentError) in
      do throws(ConfigurationError) {
        return try ValidationGate(parsing: text)
      } catch {
        throw .value("--fail-if", error)
      }
    }
    return terms
  }

  private func windowNanoseconds() throws(ExperimentError) -> Int64 {
    guard let window else { return ValidationTerms().windowNanoseconds }
    guard let time = Quantity.nanoseconds(window), time >= 0 else {
      throw .value(
        "--window",
        .invalid(what: "time", text: window, remedy: "write a duration such as 10s, or 0s"))
    }
    return time
  }

  /// Stands for all causes that are about memory.
  private static let allOfMemory = "memory"

  private func killCauses() throws(ExperimentError) -> Set<ExitCause> {
    guard let causes else { return ValidationTerms.causesOfMemory }
    var set: Set<ExitCause> = []
    for name in ListText.parts(of: causes) {
      guard name != Self.allOfMemory else {
        set.formUnion(ValidationTerms.causesOfMemory)
        continue
      }
      guard let cause = ExitCause.allCases.first(where: { $0.name == name }) else {
        throw .value(
          "--causes",
          .unknown(
            what: "cause", name: name,
            known: [Self.allOfMemory] + ExitCause.allCases.map(\.name)))
      }
      set.insert(cause)
    }
    return set
  }
}
