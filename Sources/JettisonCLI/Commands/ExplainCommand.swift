internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows why an app was ended: a decision with every value in it, or a list of them.",
    discussion: """
      --list shows all decisions, a line each; --app shows those that ended an app, and the other \
      times that the system ended it. A single decision is shown in full. Choose it by its number \
      (--decision), by the number of the purge (--purge) or of the loss (--loss, the worst first, \
      as 'jettison replay' lists them), or by time (--at 60s, 2h30m or nanoseconds: the next \
      decision from then on, else the last one before). Without any of these, it is the first \
      purge, or the first decision if nothing was purged. The status is 1 if nothing was decided, \
      or the app of --app never ended.

      "What if" asks other policies at the same moment: they saw the same events, and they have \
      the same candidates. Of their modifiers, only +saved, +minimal and +unit apply.
      """)

  @Argument(help: ArgumentHelp("The trace.", valueName: "trace"), completion: .file())
  var trace: String

  @Flag(help: "Every decision, a line each.")
  var list = false

  @Option(help: ArgumentHelp("Every decision that ended an app.", valueName: "name"))
  var app: String?

  @Option(help: ArgumentHelp("The n-th worst loss, and the decision behind it.", valueName: "n"))
  var loss: String?

  @Option(help: ArgumentHelp("The n-th decision of the run.", valueName: "n"))
  var decision: String?

  @Option(help: ArgumentHelp("The n-th purge of the run.", valueName: "n"))
  var purge: String?

  @Option(help: ArgumentHelp("The decision at a time.", valueName: "time"))
  var at: String?

  @Option(
    help: ArgumentHelp("The purge policy (default: lru).", valueName: "policy"),
    completion: .policies)
  var policy: String?

  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: "Ask other policies at the same moment (default: --what-if).")
  var whatIf: Bool?

  @Option(
    help: ArgumentHelp(
      "Which other policies to ask; see 'jettison policies' (default: all that need no parameters).",
      valueName: "a,b,c"),
    completion: .policies)
  var policies: String?

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  func run() async throws {
    let question = try question()
    let others = try others()
    try TraceCollection.checkFiles([trace], remedy: "name a trace in it")
    let asked = try experiment.text(
      traces: [trace], policies: [policy].compactMap { $0 }, option: "--policy"
    ).specification(for: .inspect)
    let matrix = try await ExperimentSession.prepare(
      RunPlanner(asked), jobs: 1, isQuiet: experiment.quiet)
    let text: String
    do throws(ExplainError) {
      text = try matrix.explain(question, others: others, style: Console.style)
    } catch {
      throw Self.failure(error)
    }
    try Console.print(text)
  }

  /// The policies that are asked beside the one in force.
  private func others() throws -> [PolicySpec] {
    if whatIf == false {
      guard policies == nil else {
        throw ExperimentError.misuse(
          what: "explain: --policies asks other policies, and --no-what-if asks none",
          remedy: "give one of them")
      }
      return []
    }
    guard let policies, policies != "all" else {
      return try PolicySources.all.filter { !$0.needsArguments }
        .map { (policy) throws(ExperimentError) in try Self.alternative(policy.name) }
    }
    return try ListText.policies(of: policies)
      .map { (text) throws(ExperimentError) in try Self.alternative(text) }
  }

  private static func alternative(_ text: String) throws(ExperimentError) -> PolicySpec {
    let spec = try PolicySources.spec(text) { .value("--policies", $0) }
    guard !spec.modifiers.decidesEligibility else {
      throw .value(
        "--policies",
        .invalid(
          what: "policy", text: text,
          remedy: "who may go, and how much is needed, is settled by --policy; of the others' "
            + "modifiers only +saved, +minimal and +unit count"))
    }
    return spec
  }

  /// Why a decision cannot be shown, with the option that helps.
  private static func failure(_ error: ExplainError) -> any Error {
    switch error {
    case .nothingDecided(let path):
      CommandFailure(
        .failed,
        "\(path): memory never got short, so nothing was decided (give the device less --memory)")
    case .noSuchDecision(let path, let purges, let decisions):
      ExperimentError.misuse(
        what: "\(path): the run has \(Prose.counted(purges, "purge")) in "
          + Prose.counted(decisions, "decision"),
        remedy: "--list shows them all")
    case .noSuchLoss(let path, let number, let losses):
      ExperimentError.misuse(
        what: "\(path): there is no loss \(number): the user noticed \(losses) in all",
        remedy: losses == 0
          ? "--list shows what was decided" : "the least of them is --loss \(losses)")
    case .neverEnded(let path, let app, let ended):
      CommandFailure(
        .failed,
        "\(path): the system never ended '\(app)' "
          + (ended.isEmpty
            ? "(nor any other app; give the device less --memory)"
            : "(it ended \(Prose.listed(ended)))"))
    case .unknownApp(let error): ExperimentError.value("--app", error)
    case .experiment(let error): error
    case .run(let error): error
    }
  }

  /// What is asked, if it is asked once.
  private func question() throws(ExperimentError) -> ExplainQuestion {
    let asked: [(option: String, isGiven: Bool)] = [
      ("--list", list), ("--app", app != nil), ("--loss", loss != nil),
      ("--decision", decision != nil), ("--purge", purge != nil), ("--at", at != nil),
    ]
    let given = asked.filter(\.isGiven).map(\.option)
    guard given.count <= 1 else {
      throw .misuse(
        what: "explain: \(given[0]) and \(given[1]) ask twice",
        remedy: "give one of them")
    }
    if list || app != nil {
      guard policies == nil, whatIf == nil else {
        throw .misuse(
          what: "explain: \(given[0]) is about many decisions, and other policies are asked about "
            + "one",
          remedy: "name it with --decision")
      }
    }
    if list { return .list }
    if let app { return .app(app) }
    if let at { return .time(try Self.time(at)) }
    if let loss { return .loss(try Self.number(loss, "--loss", "losses")) }
    if let decision {
      return .decision(try Self.number(decision, "--decision", "decisions"))
    }
    guard let purge else { return .first }
    return .purge(try Self.number(purge, "--purge", "purges"))
  }

  private static func number(
    _ text: String, _ option: String, _ nouns: String
  ) throws(ExperimentError) -> Int {
    try WholeNumber.read(text, option, 1...Int.max, remedy: "\(nouns) count from 1")
  }

  private static func time(_ text: String) throws(ExperimentError) -> Int64 {
    guard let time = Quantity.integer(text) ?? Quantity.nanoseconds(text), time >= 0 else {
      throw .value(
        "--at",
        .invalid(what: "time", text: text, remedy: "write 60s, 2h30m or nanoseconds"))
    }
    return time
  }
}
