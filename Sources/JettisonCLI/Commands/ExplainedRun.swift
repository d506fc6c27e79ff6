internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports

/// Replays a run as often as a question about its decisions needs, and answers it.
struct ExplainedRun {
  /// What `explain` is asked.
  enum Question {
    /// The first purge, or the first decision of a run without one.
    case first
    /// One decision.
    case decision(DecisionFinder.Wanted)
    /// The n-th worst loss, from 1.
    case loss(Int)
    /// What ended an app.
    case app(String)
    /// All decisions.
    case list
  }

  private let plan: RunPlan
  private let others: [PolicySpec]
  private var spec: PolicySpec { plan.policies[0].spec }
  private var path: String { plan.traces[0].path }
  private var trace: Trace { plan.traces[0].trace }
  private var configuration: RunConfiguration { plan.runs[0].configuration }

  /// Takes a plan of one run, and the policies that are asked beside the one in force.
  init(_ plan: RunPlan, others: [PolicySpec]) {
    self.plan = plan
    self.others = others
  }

  /// The answer as lines, each ended.
  func answer(_ question: Question) throws -> String {
    switch question {
    case .first: try first()
    case .decision(let wanted): try page(wanted)
    case .loss(let number): try story(number)
    case .app(let name): try ends(of: name)
    case .list: try list()
    }
  }

  // MARK: One decision

  private func first() throws -> String {
    let finder = DecisionFinder(.purge(1))
    _ = try spec.run(trace, configuration, recorder: finder)
    guard finder.found == nil, finder.decisionCount > 0 else { return try page(.purge(1)) }
    return try page(.number(1))
  }

  private func page(_ wanted: DecisionFinder.Wanted) throws -> String {
    let finder = DecisionFinder(wanted)
    _ = try spec.run(trace, configuration, recorder: finder)
    guard let found = finder.found else { throw missing(finder) }
    let explanation = try spec.explain(
      trace, configuration, decision: found.decision.number,
      alternatives: others.filter { $0.name != spec.name })
    let asked: Int64? = if case .time(let time) = wanted { time } else { nil }
    return DecisionText(
      found: found, explanation: explanation, purgeCount: finder.purgeCount,
      askedNanoseconds: asked, plan: plan, style: Console.style
    ).rendered
  }

  private func missing(_ finder: DecisionFinder) -> any Error {
    guard finder.decisionCount > 0 else { return nothingDecided }
    return ExperimentError.misuse(
      what: "\(path): the run has \(Prose.counted(finder.purgeCount, "purge")) in "
        + Prose.counted(finder.decisionCount, "decision"),
      remedy: "--list shows them all")
  }

  /// Nothing was asked wrongly, but there is nothing to show.
  private var nothingDecided: CommandFailure {
    CommandFailure(
      .failed,
      "\(path): memory never got short, so nothing was decided (give the device less --memory)")
  }

  // MARK: One loss

  private func story(_ number: Int) throws -> String {
    var configuration = configuration
    configuration.listedLosses = number
    let result = try spec.run(trace, configuration)
    let count = result.apps.reduce(0) { $0 + Int($1.systemLossesNoticed) }
    guard number <= result.worstLosses.count else {
      throw ExperimentError.misuse(
        what: "\(path): there is no loss \(number): the user noticed \(count) in all",
        remedy: count == 0
          ? "--list shows what was decided" : "the least of them is --loss \(count)")
    }
    let loss = result.worstLosses[number - 1]
    let text = LossText(loss, number: number, of: count, apps: trace.apps, style: Console.style)
    guard let decision = loss.decision else { return text.rendered }
    return text.rendered + "\n" + (try page(.number(decision)))
  }

  // MARK: Lists

  private func list() throws -> String {
    let list = EndList()
    _ = try spec.run(trace, configuration, recorder: list)
    guard !list.entries.isEmpty else { throw nothingDecided }
    return EndListText(list, apps: trace.apps, style: Console.style)
      .rendered(title: "Decisions and other ends by the system: \(place)")
  }

  private func ends(of name: String) throws -> String {
    guard let position = trace.apps.firstIndex(of: name) else {
      throw ExperimentError.value("--app", .unknown(what: "app", name: name, known: trace.apps))
    }
    let app = AppIndex(position)
    let list = EndList(of: app)
    _ = try spec.run(trace, configuration, recorder: list)
    guard !list.entries.isEmpty else {
      let ended = list.endedApps.sorted().map { trace.apps[$0.position] }
      let remedy =
        ended.isEmpty
        ? "nor any other app; give the device less --memory" : "it ended \(Prose.listed(ended))"
      throw CommandFailure(.failed, "\(path): the system never ended '\(name)' (\(remedy))")
    }
    return EndListText(list, apps: trace.apps, style: Console.style)
      .rendered(title: place, app: app)
  }

  private var place: String {
    let key = plan.key(of: 0)
    return "\(key.trace) under \(key.policy) on \(key.device)"
  }
}
