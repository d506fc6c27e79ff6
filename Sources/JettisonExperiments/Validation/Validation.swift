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

  /// Validates every run of a plan.
  ///
  /// - Parameters:
  ///   - plan: What to run; not on `ideal-cache`.
  ///   - jobs: How many runs at a time.
  /// - Returns: One result per run of the plan, in its order.
  package func run(_ plan: RunPlan, jobs: Int) async -> [Result<Run, RunError>] {
    await withTaskGroup(of: (Int, Result<Run, RunError>).self) { group in
      var results = [Result<Run, RunError>?](repeating: nil, count: plan.runs.count)
      for position in plan.runs.indices {
        if position >= max(1, jobs), let (done, result) = await group.next() {
          results[done] = result
        }
        group.addTask {
          (position, Result { () throws(RunError) in try run(position, of: plan) })
        }
      }
      for await (done, result) in group { results[done] = result }
      return results.map { result in
        guard let result else { preconditionFailure("every run of a plan has a result") }
        return result
      }
    }
  }

  /// Validates one run of a plan.
  package func run(_ position: Int, of plan: RunPlan) throws(RunError) -> Run {
    let run = plan.runs[position]
    return try self.run(
      plan.traces[run.trace].trace, run.configuration, plan.policies[run.policy].spec,
      key: plan.key(of: position))
  }

  /// Validates one trace under one policy.
  package func run(
    _ trace: Trace, _ configuration: RunConfiguration, _ policy: PolicySpec, key: RunKey
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
    let rows = ValidationScore(
      key: key, apps: trace.apps, observed: counted, simulated: simulated, ranks: ranks,
      windowNanoseconds: windowNanoseconds
    ).rows()
    return Run(key: key, rows: rows, figures: ValidationFigures(rows))
  }
}
