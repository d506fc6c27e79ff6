internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// Validates runs of a plan.
struct ValidationRunner: Sendable {
  /// A run of a plan, and whose ranks count in it.
  struct Variant: Sendable, Equatable {
    /// Position among the plan's runs.
    let run: Int
    /// Whether the ranks of the capture count; nil: it has none, or the model asks for none.
    let usesCapturedRanks: Bool?
  }

  private let terms: ValidationTerms

  /// Sets the terms.
  init(_ terms: ValidationTerms = ValidationTerms()) {
    self.terms = terms
  }

  /// What there is to run: where the capture has ranks and the model asks for them, each run with
  /// them and with the model's own if they are to be compared.
  static func variants(of plan: RunPlan, comparesRanks: Bool) -> [Variant] {
    plan.runs.indices.flatMap { position -> [Variant] in
      let run = plan.runs[position]
      // Default seeds show a spread; the first is as good as any.
      guard run.isSeedAsked || run.firstOfCell == position else { return [] }
      let counts = plan.traces[run.trace].trace.index.kindCounts
      let asksForRanks = run.configuration.pressure.reads(.ranks)
      guard counts[Int(EventKind.adj.rawValue)] > 0, asksForRanks else {
        return [Variant(run: position, usesCapturedRanks: nil)]
      }
      let ways = comparesRanks ? [true, false] : [run.configuration.usesCapturedRanks]
      return ways.map { Variant(run: position, usesCapturedRanks: $0) }
    }
  }

  /// Validates runs of a plan.
  ///
  /// - Parameters:
  ///   - variants: Which, and how.
  ///   - plan: Their plan; not on `ideal-cache`.
  ///   - jobs: How many runs at a time.
  /// - Returns: One result per variant, in their order.
  func run(
    _ variants: [Variant], of plan: RunPlan, jobs: Int
  ) async -> [Result<ValidatedRun, RunError>] {
    await variants.indices.concurrentMap(jobs: jobs) { place in
      Result { () throws(RunError) in try run(variants[place], of: plan) }
    }
  }

  /// Validates one run of a plan, with the ranks that were chosen for it.
  func run(_ position: Int, of plan: RunPlan) throws(RunError) -> ValidatedRun {
    let variant = Self.variants(of: plan, comparesRanks: false).first { $0.run == position }
    return try run(variant ?? Variant(run: position, usesCapturedRanks: nil), of: plan)
  }

  private func run(_ variant: Variant, of plan: RunPlan) throws(RunError) -> ValidatedRun {
    let run = plan.runs[variant.run]
    var configuration = run.configuration
    if let usesCapturedRanks = variant.usesCapturedRanks {
      configuration.usesCapturedRanks = usesCapturedRanks
    }
    var (validated, result) = try self.runs(
      plan.traces[run.trace].trace, configuration, plan.policies[run.policy].spec,
      key: plan.key(of: variant.run), usesCapturedRanks: variant.usesCapturedRanks)
    validated.record = plan.record(of: variant.run, .finished(result))
    return validated
  }

  /// Validates one trace under one policy.
  func run(
    _ trace: Trace, _ configuration: RunConfiguration, _ policy: PolicySpec, key: RunKey,
    usesCapturedRanks: Bool? = nil
  ) throws(RunError) -> ValidatedRun {
    try runs(trace, configuration, policy, key: key, usesCapturedRanks: usesCapturedRanks).validated
  }

  /// The same, and what the run yielded that decided for itself.
  private func runs(
    _ trace: Trace, _ configuration: RunConfiguration, _ policy: PolicySpec, key: RunKey,
    usesCapturedRanks: Bool?
  ) throws(RunError) -> (validated: ValidatedRun, result: RunResult) {
    let captured = CapturedOutcomes(trace, causes: terms.causes)
    let counted = captured.from(configuration.warmUpNanoseconds)
    let simulated = SimulatedOutcomes(
      appCount: trace.apps.count, observed: counted.kills,
      windowNanoseconds: terms.windowNanoseconds,
      warmUpNanoseconds: configuration.warmUpNanoseconds)
    let result = try policy.run(trace, configuration, recorder: simulated)
    let ranks = FollowedRanks(
      exitCount: trace.index.kindCounts[Int(EventKind.observedExit.rawValue)],
      kills: captured.kills)
    if !captured.kills.isEmpty {
      try policy.follow(trace, configuration, causes: terms.causes, recorder: ranks)
    }
    var rows = ValidationScore(
      key: key, apps: trace.apps, observed: counted, simulated: simulated, ranks: ranks,
      windowNanoseconds: terms.windowNanoseconds, begin: configuration.warmUpNanoseconds,
      end: trace.index.endNanoseconds
    ).rows()
    for position in rows.indices { rows[position].usesCapturedRanks = usesCapturedRanks }
    let validated = ValidatedRun(
      key: key, windowNanoseconds: terms.windowNanoseconds, usesCapturedRanks: usesCapturedRanks,
      otherExits: captured.otherExits, rows: rows)
    return (validated, result)
  }
}
