internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Says how often the simulated system ends the apps that the real one ended.",
    discussion: """
      For traces with observed kills (observed-exit rows with a cause of memory), warnings or \
      measured available memory. Every run is made twice: once it decides for itself, which says \
      whom it ends and when; once it follows the capture, and the policy is asked at each observed \
      kill where it puts the victim among everybody who may go. Where the capture tells ranks \
      (rows adj) and the model asks for them, both are made again with the model's own ranks, \
      unless --adj says which or there are several traces.

      One policy: every kill with the reason why it was missed. Several: a line each. Add random \
      to see what no idea at all is worth. Several traces: how many victims each policy puts \
      first, of how many, with its interval. The status is 1 if there is nothing to compare with.
      """)

  @Argument(
    help: ArgumentHelp("Traces, or folders of them.", valueName: "trace"), completion: .file())
  var traces: [String]

  @Option(
    name: [.customLong("policies"), .customLong("policy")],
    help: ArgumentHelp(
      "Purge policies; see 'jettison policies' (default: the platform's own, such as linux-oom or "
        + "android; where it is not known, lru).", valueName: "a,b,c|all"),
    completion: .policies)
  var policies: [OptionValues] = []

  @Option(
    help: ArgumentHelp("What counts as about the same time (default: 10s).", valueName: "time"))
  var window: String?

  @Option(
    help: ArgumentHelp(
      "Causes of observed exits that count as kills for memory.",
      discussion: "Default: memory, which stands for all that are about memory.",
      valueName: "memory,other,…"))
  var causes: String?

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  @Option(
    help: ArgumentHelp(
      "Write validation.csv, validation-summary.csv and columns.md into a directory.",
      valueName: "dir"),
    completion: .directory)
  var csv: String?

  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if a column of validation-summary.csv meets a condition in any run. "
        + "Repeatable.", valueName: "recall<x"))
  var failIf: [OptionValues] = []

  @Option(help: ArgumentHelp("Runs at a time (default: all cores).", valueName: "n"))
  var jobs: String?

  func run() async throws {
    let validation = Validation(
      windowNanoseconds: try windowNanoseconds(), causes: try killCauses())
    let gates = try failIf.texts.map { (text) throws(ExperimentError) in
      do throws(ConfigurationError) {
        return try ValidationGate(parsing: text)
      } catch {
        throw .value("--fail-if", error)
      }
    }
    let asked = try experiment.text(
      traces: traces, policies: policies.texts, option: "--policies"
    ).specification(for: .validate)
    let planner = try RunPlanner(asked)
    let jobs = try ReportOptionGroup.jobCount(jobs)
    let writer = try csv.map {
      try ValidationWriter(directory: try ReportOptionGroup.directory($0))
    }
    let plan = try planner.plan(
      try await ExperimentSession.load(asked, jobs: jobs, isQuiet: experiment.quiet))
    try check(plan)
    let captured = plan.traces.map { CapturedOutcomes($0.trace, causes: validation.causes) }
    let empty = zip(plan.traces, captured).filter { !Self.isComparable($0.0.trace, $0.1) }
      .map { nothingToCompare($0.1, in: $0.0.path) }
    guard empty.count < captured.count else {
      throw CommandFailure(.failed, empty.joined(separator: "\n"))
    }
    if !experiment.quiet {
      for note in plan.notes + empty { Console.say("note: \(note)") }
    }
    let variants = Validation.variants(
      of: plan, ranksAreChosen: experiment.adj != nil || plan.traces.count > 1)
    let results = await validation.run(variants, of: plan, jobs: jobs)
    let runs = results.compactMap { try? $0.get() }
    let summaries = runs.map {
      ValidationTables.SummaryRow(
        key: $0.key, windowNanoseconds: validation.windowNanoseconds,
        usesCapturedRanks: $0.usesCapturedRanks, figures: $0.figures)
    }
    try writer?.finish(summaries, rows: runs.flatMap(\.rows))
    try Console.print(
      text(
        of: summaries, runs, plan, captured, window: validation.windowNanoseconds))
    try judge(results, variants, plan, gates)
  }

  private func text(
    of summaries: [ValidationTables.SummaryRow], _ runs: [Validation.Run], _ plan: RunPlan,
    _ captured: [CapturedOutcomes], window: Int64
  ) -> String {
    guard let first = runs.first else { return "" }
    if plan.traces.count > 1 {
      return ValidationPool(runs.map { ($0.key, $0.rows) }).rendered(Console.style)
    }
    guard plan.runs.count == 1 else {
      return ValidationComparison.rendered(summaries, Console.style)
    }
    var text = ValidationSummary(
      key: first.key, rows: first.rows, windowNanoseconds: window,
      otherExits: captured[0].otherExits, usesCapturedRanks: first.usesCapturedRanks
    ).rendered(Console.style)
    if runs.count > 1 {
      text += "\nThe ranks of the capture beside those of the model\n"
      text += ValidationComparison.rendered(summaries, Console.style)
    }
    return text
  }

  private static func isComparable(_ trace: Trace, _ captured: CapturedOutcomes) -> Bool {
    !captured.kills.isEmpty || !captured.warnings.isEmpty
      || trace.index.kindCounts[Int(EventKind.observedAvailable.rawValue)] > 0
  }

  /// Says what failed and which conditions are met, and ends the program if any.
  private func judge(
    _ results: [Result<Validation.Run, RunError>], _ variants: [Validation.Variant],
    _ plan: RunPlan, _ gates: [ValidationGate]
  ) throws {
    var status: ExitStatus?
    for (variant, result) in zip(variants, results) {
      let key = plan.key(of: variant.run)
      var place = "\(key.trace), \(key.policy), \(key.device), seed \(key.seed)"
      if let isCaptured = variant.usesCapturedRanks {
        place += ", adj \(isCaptured ? "captured" : "modelled")"
      }
      switch result {
      case .failure(let error):
        Console.say("\(place): \(error)")
        status = .failed
      case .success(let run):
        for gate in gates {
          guard let sentence = gate.sentence(run.figures) else { continue }
          Console.say("\(place): \(sentence)")
          status = status ?? .gate
        }
      }
    }
    if let status { throw CommandFailure(status) }
  }

  private func check(_ plan: RunPlan) throws(ExperimentError) {
    guard plan.runs.contains(where: { $0.configuration.pressure.isTextbook }) else { return }
    throw .misuse(
      what: "validate: ideal-cache is a textbook cache and no phone",
      remedy: "choose a device or a pressure model of a real system")
  }

  private func nothingToCompare(_ captured: CapturedOutcomes, in trace: String) -> String {
    let others = captured.otherExits.values.reduce(0, +)
    let what =
      others == 0
      ? "it has no observed-exit, observed-warning or observed-available row"
      : "none of its \(Prose.counted(others, "observed exit")) is for memory ("
        + ExitCause.allCases.filter { captured.otherExits[$0] != nil }
        .map { "\($0.name) \(captured.otherExits[$0] ?? 0)" }.joined(separator: ", ")
        + "; --causes says which count), and it has no observed-warning or observed-available row"
    return "\(trace): there is nothing to compare with: \(what)"
  }

  private func windowNanoseconds() throws(ExperimentError) -> Int64 {
    guard let window else { return Validation.defaultWindowNanoseconds }
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
    guard let causes else { return Validation.defaultCauses }
    var set: Set<ExitCause> = []
    for name in ListText.parts(of: causes) {
      guard name != Self.allOfMemory else {
        set.formUnion(Validation.defaultCauses)
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
