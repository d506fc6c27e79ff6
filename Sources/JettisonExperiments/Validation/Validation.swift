package import JettisonCore
package import JettisonReports

/// How often a simulated system does what the real one did.
///
/// Every run of a plan is made twice: once deciding for itself, which says whom it ends and when;
/// once following the capture, which says where the policy puts each app that the real system
/// ended, with everybody else in the state of the capture.
package struct Validation: Sendable {
  /// What came of one run of the plan.
  package struct Run: Sendable {
    /// Which run it is.
    package let key: RunKey
    /// Whether the ranks of the capture counted; nil: it has none, or the model asks for none.
    package let usesCapturedRanks: Bool?
    /// Everything that was compared, in order of time.
    package let rows: [ValidationRow]
    /// What the rows add up to.
    package let figures: ValidationFigures
  }

  /// What counts as about the same time, in nanoseconds.
  package let windowNanoseconds: Int64
  /// Which observed ends count as ends for memory.
  package let causes: Set<ExitCause>

  /// The causes that count unless others are named.
  package static let defaultCauses = Set(ExitCause.allCases.filter(\.isForMemory))
  /// What counts as about the same time unless the user says otherwise, in nanoseconds.
  package static let defaultWindowNanoseconds: Int64 = 10_000_000_000

  /// Sets the terms.
  package init(
    windowNanoseconds: Int64 = defaultWindowNanoseconds,
    causes: Set<ExitCause> = defaultCauses
  ) {
    self.windowNanoseconds = windowNanoseconds
    self.causes = causes
  }

  /// A run of a plan, and whose ranks count in it.
  package struct Variant: Sendable, Equatable {
    /// Position among the plan's runs.
    package let run: Int
    /// Whether the ranks of the capture count; nil: it has none, or the model asks for none.
    package let usesCapturedRanks: Bool?
  }

  /// What there is to run: where the capture has ranks and the model asks for them, each run with
  /// them and with the model's own, unless one of both was chosen.
  package static func variants(of plan: RunPlan, ranksAreChosen: Bool) -> [Variant] {
    plan.runs.indices.flatMap { position -> [Variant] in
      let run = plan.runs[position]
      let counts = plan.traces[run.trace].trace.index.kindCounts
      let asksForRanks = run.configuration.pressure.reads(.ranks)
      guard counts[Int(EventKind.adj.rawValue)] > 0, asksForRanks else {
        return [Variant(run: position, usesCapturedRanks: nil)]
      }
      let ways = ranksAreChosen ? [run.configuration.usesCapturedRanks] : [true, false]
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
  package func run(
    _ variants: [Variant], of plan: RunPlan, jobs: Int
  ) async -> [Result<Run, RunError>] {
    await withTaskGroup(of: (Int, Result<Run, RunError>).self) { group in
      var results = [Result<Run, RunError>?](repeating: nil, count: variants.count)
      for position in variants.indices {
        if position >= max(1, jobs), let (done, result) = await group.next() {
          results[done] = result
        }
        group.addTask {
          let result = Result { () throws(RunError) in try run(variants[position], of: plan) }
          return (position, result)
        }
      }
      for await (done, result) in group { results[done] = result }
      return results.map { result in
        guard let result else { preconditionFailure("every variant has a result") }
        return result
      }
    }
  }

  /// Validates one run of a plan, with the ranks that were chosen for it.
  package func run(_ position: Int, of plan: RunPlan) throws(RunError) -> Run {
    let variant = Self.variants(of: plan, ranksAreChosen: true).first { $0.run == position }
    return try run(variant ?? Variant(run: position, usesCapturedRanks: nil), of: plan)
  }

  private func run(_ variant: Variant, of plan: RunPlan) throws(RunError) -> Run {
    let run = plan.runs[variant.run]
    var configuration = run.configuration
    if let usesCapturedRanks = variant.usesCapturedRanks {
      configuration.usesCapturedRanks = usesCapturedRanks
    }
    return try self.run(
      plan.traces[run.trace].trace, configuration, plan.policies[run.policy].spec,
      key: plan.key(of: variant.run), usesCapturedRanks: variant.usesCapturedRanks)
  }

  /// Validates one trace under one policy.
  package func run(
    _ trace: Trace, _ configuration: RunConfiguration, _ policy: PolicySpec, key: RunKey,
    usesCapturedRanks: Bool? = nil
  ) throws(RunError) -> Run {
    let captured = CapturedOutcomes(trace, causes: causes)
    let counted = captured.from(configuration.warmUpNanoseconds)
    let simulated = SimulatedOutcomes(
      appCount: trace.apps.count, observed: counted.kills, windowNanoseconds: windowNanoseconds,
      warmUpNanoseconds: configuration.warmUpNanoseconds)
    _ = try policy.run(trace, configuration, recorder: simulated)
    let ranks = FollowedRanks(
      exitCount: trace.index.kindCounts[Int(EventKind.observedExit.rawValue)],
      kills: captured.kills)
    if !captured.kills.isEmpty {
      try policy.follow(trace, configuration, causes: causes, recorder: ranks)
    }
    var rows = ValidationScore(
      key: key, apps: trace.apps, observed: counted, simulated: simulated, ranks: ranks,
      windowNanoseconds: windowNanoseconds, begin: configuration.warmUpNanoseconds,
      end: trace.index.endNanoseconds
    ).rows()
    for position in rows.indices { rows[position].usesCapturedRanks = usesCapturedRanks }
    return Run(
      key: key, usesCapturedRanks: usesCapturedRanks, rows: rows, figures: ValidationFigures(rows))
  }
}
