internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonTraces

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows one purge decision with every value in it, and what others had done.",
    discussion: """
      --purge counts purged apps from 1; --at takes 60s, 2h30m or nanoseconds and shows the \
      decision at that time, else the next one, else the last one before. Without either: the \
      first purge.

      "What if" asks other policies at the same moment: they saw the same events, and the same \
      apps may go. Of their modifiers those count that order and choose: +saved, +minimal, +unit.
      """)

  @Argument(help: ArgumentHelp("The trace.", valueName: "trace"), completion: .file())
  var trace: String

  @Option(help: ArgumentHelp("The n-th purge of the run.", valueName: "n"))
  var purge: Int?

  @Option(help: ArgumentHelp("The decision at a time.", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("The purge policy (default: lru).", valueName: "policy"))
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "Ask other policies at the same moment (default: on).", valueName: "on|off"))
  var whatIf: String?

  @Option(
    help: ArgumentHelp(
      "Which others; see 'jettison policies' (default: all that need no parameters).",
      valueName: "a,b,c"))
  var policies: String?

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  func run() async throws {
    let wanted = try wanted()
    let others = try others()
    try TraceCollection.checkFiles([trace], remedy: "name a trace in it")
    let options = experiment.options(traces: [trace], policies: policy, option: "--policy")
    let planner = try RunPlanner(options, for: .inspect)
    let plan = try planner.plan(
      try await ExperimentSession.load(options, jobs: 1, isQuiet: experiment.quiet))
    if !experiment.quiet {
      for note in plan.notes { Console.say("note: \(note)") }
    }
    guard plan.runs.count == 1 else {
      throw ExperimentError.misuse(
        what: "explain: this is a matrix of \(plan.runs.count) runs",
        remedy: "name one trace, policy, device, memory size and seed")
    }
    let finder = DecisionFinder(wanted)
    let spec = plan.policies[0].spec
    let (trace, configuration) = (plan.traces[0].trace, plan.runs[0].configuration)
    _ = try spec.run(trace, configuration, recorder: finder)
    guard let found = finder.found else { throw missing(finder) }
    let explanation = try spec.explain(
      trace, configuration, decision: found.decision.number,
      alternatives: others.filter { $0.name != spec.name })
    let text = DecisionText(
      found: found, explanation: explanation, purgeCount: finder.purgeCount, plan: plan,
      style: Console.style)
    try Console.print(text.rendered)
  }

  /// The policies that are asked beside the one in force.
  private func others() throws -> [PolicySpec] {
    switch whatIf ?? "on" {
    case "on": break
    case "off":
      guard policies == nil else {
        throw ExperimentError.misuse(
          what: "explain: --policies names whom to ask, and --what-if off asks nobody",
          remedy: "give one of them")
      }
      return []
    default:
      throw ExperimentError.option(
        "--what-if",
        .invalid(what: "value", text: whatIf ?? "", remedy: "write on or off"))
    }
    guard let policies, policies != "all" else {
      return try PolicySources.all.filter { !$0.needsArguments }
        .map { (policy) throws(ExperimentError) in try Self.alternative(policy.name) }
    }
    return try ExperimentOptions.splitPolicies(policies)
      .map { (text) throws(ExperimentError) in try Self.alternative(text) }
  }

  private static func alternative(_ text: String) throws(ExperimentError) -> PolicySpec {
    let spec = try PolicySources.spec(text) { .option("--policies", $0) }
    guard !spec.modifiers.decidesEligibility else {
      throw .option(
        "--policies",
        .invalid(
          what: "policy", text: text,
          remedy: "who may go, and how much is needed, is settled by --policy; of the others' "
            + "modifiers only +saved, +minimal and +unit count"))
    }
    return spec
  }

  private func wanted() throws(ExperimentError) -> DecisionFinder.Wanted {
    guard let at else {
      let number = purge ?? 1
      guard number >= 1 else {
        throw .option(
          "--purge",
          .invalid(what: "value", text: "\(number)", remedy: "purges count from 1"))
      }
      return .purge(number)
    }
    guard purge == nil else {
      throw .misuse(what: "explain: --purge and --at ask twice", remedy: "give one of them")
    }
    guard let time = Quantity.integer(at) ?? Quantity.nanoseconds(at), time >= 0 else {
      throw .option(
        "--at",
        .invalid(what: "time", text: at, remedy: "write 60s, 2h30m or nanoseconds"))
    }
    return .time(time)
  }

  private func missing(_ finder: DecisionFinder) -> ExperimentError {
    let what =
      finder.decisionCount == 0
      ? "explain: memory never got short, so nothing was decided"
      : "explain: the run has \(Prose.counted(finder.purgeCount, "purge")) in "
        + Prose.counted(finder.decisionCount, "decision")
    return .misuse(
      what: what,
      remedy: finder.decisionCount == 0
        ? "give the device less --memory"
        : finder.purgeCount == 0 ? "use --at 0s" : "name one of them, or use --at")
  }
}
