public import JettisonCore
package import JettisonReports

/// What an experiment with one trace, policy, device, memory size and seed can be asked about its
/// decisions.
public enum ExplainQuestion: Sendable, Equatable {
  /// The first purge, or the first decision of a run without one.
  case first
  /// The decision of a number, from 1.
  case decision(Int)
  /// The decision behind the n-th purge of a suspended app, from 1.
  case purge(Int)
  /// The next decision from a time on, in nanoseconds; the last one if none follows.
  case time(Int64)
  /// The n-th worst loss that the user noticed, from 1, and the decision behind it.
  case loss(Int)
  /// What ended an app.
  case app(String)
  /// All decisions.
  case list
}

extension Experiment {
  /// Shows why an app was ended: a decision with every value in it, or a list of them.
  ///
  /// The run is replayed as often as the question needs.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - others: Policies that are asked about a decision beside the one in force; only
  ///     their modifiers that order and choose apply.
  /// - Returns: Lines for people, each ended.
  /// - Throws: ``ExplainError`` if there is nothing to show, if the experiment is a matrix, and if the
  ///   run fails.
  public func explain(
    _ question: ExplainQuestion = .first, others: [PolicySpec] = []
  ) throws(ExplainError) -> String {
    try explain(question, others: others, style: TextStyle())
  }

  /// See ``explain(_:others:)``; `style` says how it looks.
  package func explain(
    _ question: ExplainQuestion, others: [PolicySpec], style: TextStyle
  ) throws(ExplainError) -> String {
    // Default seeds show a spread; the first is as good as any.
    let asked = plan.runs.filter { $0.isSeedAsked || $0.firstOfCell != 0 }
    guard plan.runs.count == 1 || (asked.isEmpty && !plan.runs.isEmpty) else {
      throw .experiment(
        .misuse(
          what:
            "\(plan.traces.first?.path ?? "no trace"): this is a matrix of \(plan.runs.count) runs",
          remedy: "name one trace, policy, device, memory size and seed"))
    }
    return try ExplainedRun(plan, others: others, style).answer(question)
  }
}

/// Why a decision cannot be explained.
public enum ExplainError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Memory never got short in the run of a trace.
  case nothingDecided(path: String)
  /// No decision is the one that was asked for; the run has so many.
  case noSuchDecision(path: String, purges: Int, decisions: Int)
  /// No loss has the number; the user noticed so many.
  case noSuchLoss(path: String, number: Int, losses: Int)
  /// The system never ended the app, but perhaps others.
  case neverEnded(path: String, app: String, ended: [String])
  /// The trace has no such app.
  case unknownApp(ConfigurationError)
  /// The experiment has several runs, or none; the error says what to name.
  case experiment(ExperimentError)
  /// The run could not be carried out.
  case run(RunError)

  /// The sentence, with what to do about it.
  public var description: String {
    switch self {
    case .nothingDecided(let path):
      "\(path): memory never got short, so nothing was decided (give the device less memory)"
    case .noSuchDecision(let path, let purges, let decisions):
      "\(path): the run has \(Prose.counted(purges, "purge")) in "
        + "\(Prose.counted(decisions, "decision")) (ask for the list)"
    case .noSuchLoss(let path, let number, let losses):
      "\(path): there is no loss \(number): the user noticed \(losses) in all "
        + (losses == 0 ? "(give the device less memory)" : "(ask for one from 1 to \(losses))")
    case .neverEnded(let path, let app, let ended):
      "\(path): the system never ended '\(app)' "
        + (ended.isEmpty
          ? "(nor any other app; give the device less memory)"
          : "(it ended \(Prose.listed(ended)))")
    case .unknownApp(let error): "\(error)"
    case .experiment(let error): "\(error)"
    case .run(let error): "\(error)"
    }
  }
}

/// Replays a run as often as a question about its decisions needs, and answers it.
private struct ExplainedRun {
  private let plan: RunPlan
  private let others: [PolicySpec]
  private let style: TextStyle
  private var spec: PolicySpec { plan.policies[0].spec }
  private var path: String { plan.traces[0].path }
  private var trace: Trace { plan.traces[0].trace }
  private var configuration: RunConfiguration { plan.runs[0].configuration }

  /// Takes a plan of one run, and the policies that are asked beside the one in force.
  init(_ plan: RunPlan, others: [PolicySpec], _ style: TextStyle) {
    self.plan = plan
    self.others = others
    self.style = style
  }

  /// The answer as lines, each ended.
  func answer(_ question: ExplainQuestion) throws(ExplainError) -> String {
    switch question {
    case .first: try first()
    case .decision(let number): try page(.number(number))
    case .purge(let number): try page(.purge(number))
    case .time(let time): try page(.time(max(0, time)))
    case .loss(let number): try story(number)
    case .app(let name): try ends(of: name)
    case .list: try list()
    }
  }

  private func replay(recorder: any Recorder) throws(ExplainError) {
    _ = try Self.wrapped { () throws(RunError) in
      try spec.run(trace, configuration, recorder: recorder)
    }
  }

  private static func wrapped<Result>(
    _ body: () throws(RunError) -> Result
  ) throws(ExplainError) -> Result {
    do throws(RunError) { return try body() } catch { throw .run(error) }
  }

  // MARK: One decision

  private func first() throws(ExplainError) -> String {
    let finder = DecisionFinder(.purge(1))
    try replay(recorder: finder)
    guard finder.found == nil, finder.decisionCount > 0 else { return try page(.purge(1)) }
    return try page(.number(1))
  }

  private func page(_ wanted: DecisionFinder.Wanted) throws(ExplainError) -> String {
    let finder = DecisionFinder(wanted)
    try replay(recorder: finder)
    guard let found = finder.found else { throw missing(finder) }
    let explanation = try Self.wrapped { () throws(RunError) in
      try spec.explain(
        trace, configuration, decision: found.decision.number,
        alternatives: others.filter { $0.name != spec.name })
    }
    let asked: Int64? = if case .time(let time) = wanted { time } else { nil }
    return DecisionText(
      found: found, explanation: explanation, purgeCount: finder.purgeCount,
      askedNanoseconds: asked, plan: plan, style: style
    ).rendered
  }

  private func missing(_ finder: DecisionFinder) -> ExplainError {
    guard finder.decisionCount > 0 else { return .nothingDecided(path: path) }
    return .noSuchDecision(
      path: path, purges: finder.purgeCount, decisions: finder.decisionCount)
  }

  // MARK: One loss

  private func story(_ number: Int) throws(ExplainError) -> String {
    var configuration = configuration
    configuration.listedLosses = max(0, number)
    let result = try Self.wrapped { () throws(RunError) in
      try spec.run(trace, configuration)
    }
    let count = result.apps.reduce(0) { $0 + Int($1.systemLossesNoticed) }
    guard number >= 1, number <= result.worstLosses.count else {
      throw .noSuchLoss(path: path, number: number, losses: count)
    }
    let loss = result.worstLosses[number - 1]
    let text = LossText(loss, app: trace.apps[loss.app.position])
      .rendered(number: number, of: count, style)
    guard let decision = loss.decision else { return text }
    return text + "\n" + (try page(.number(decision)))
  }

  // MARK: Lists

  private func list() throws(ExplainError) -> String {
    let list = EndList()
    try replay(recorder: list)
    guard !list.entries.isEmpty else { throw .nothingDecided(path: path) }
    return EndListText(list, apps: trace.apps, style: style)
      .rendered(title: "Decisions and other ends by the system: \(place)")
  }

  private func ends(of name: String) throws(ExplainError) -> String {
    guard let position = trace.apps.firstIndex(of: name) else {
      throw .unknownApp(.unknown(what: "app", name: name, known: trace.apps))
    }
    let app = AppIndex(position)
    let list = EndList(of: app)
    try replay(recorder: list)
    guard !list.entries.isEmpty else {
      let ended = list.endedApps.sorted().map { trace.apps[$0.position] }
      throw .neverEnded(path: path, app: name, ended: ended)
    }
    return EndListText(list, apps: trace.apps, style: style)
      .rendered(title: place, app: app)
  }

  private var place: String {
    let key = plan.key(of: 0)
    return "\(key.trace) under \(key.policy) on \(key.device)"
  }
}
