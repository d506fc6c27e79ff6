package import JettisonCore

/// What became of one planned run.
package enum RunOutcome: Sendable {
  /// It went through.
  case finished(RunResult)
  /// It could not go on, for the reason given; other runs are not affected.
  case failed(reason: String)

  /// The result, unless the run failed.
  package var result: RunResult? {
    if case .finished(let result) = self { result } else { nil }
  }
}

/// Runs a plan on several cores.
///
/// Results are kept by position in the plan, so nothing depends on which run is done first.
package struct ExperimentDriver: Sendable {
  /// What watches one run; made on the core that runs it.
  package protocol Observer: AnyObject {
    /// Who listens to the run; nil: nobody.
    var recorder: (any Recorder)? { get }
    /// Told once, after the run; a thrown error ends the whole experiment.
    func finish() throws
  }

  private let plan: RunPlan
  private let jobs: Int

  /// Prepares to run a plan on at most `jobs` cores at a time.
  package init(_ plan: RunPlan, jobs: Int) {
    self.plan = plan
    self.jobs = max(1, jobs)
  }

  /// Runs everything.
  ///
  /// A cell (trace, block, policy) whose first run draws nothing at random is run once, and its
  /// other seeds share the result. Those are not observed: they would only repeat the first.
  ///
  /// - Parameters:
  ///   - observer: Makes what watches a run, by position in the plan; called on any core.
  ///   - progress: Told how many runs are done, out of how many.
  /// - Returns: Outcomes by position in the plan.
  /// - Throws: What an observer throws.
  package func run(
    observer: @escaping @Sendable (Int) throws -> (any Observer)?,
    progress: @Sendable (Int, Int) async -> Void
  ) async throws -> [RunOutcome] {
    var outcomes = [RunOutcome?](repeating: nil, count: plan.runs.count)
    let firsts = plan.runs.indices.filter { plan.runs[$0].firstOfCell == $0 }
    var done = 0
    var total = plan.runs.count
    try await run(firsts, observer) { position, outcome in
      outcomes[position] = outcome
      done += 1
      await progress(done, total)
    }
    var rest: [Int] = []
    for position in plan.runs.indices where outcomes[position] == nil {
      let run = plan.runs[position]
      if let first = outcomes[run.firstOfCell], Self.isShared(first, hasNoise: run.hasNoise) {
        outcomes[position] = first
      } else {
        rest.append(position)
      }
    }
    total = done + rest.count
    try await run(rest, observer) { position, outcome in
      outcomes[position] = outcome
      done += 1
      await progress(done, total)
    }
    return outcomes.map { outcome in
      guard let outcome else { preconditionFailure("every run of a plan has an outcome") }
      return outcome
    }
  }

  /// Whether all seeds of a cell end like this one. Of a failed run it is not known.
  private static func isShared(_ outcome: RunOutcome, hasNoise: Bool) -> Bool {
    guard let result = outcome.result else { return false }
    return !result.system.drew && !hasNoise
  }

  private func run(
    _ positions: [Int], _ observer: @escaping @Sendable (Int) throws -> (any Observer)?,
    take: (Int, RunOutcome) async -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, RunOutcome).self) { group in
      var next = 0
      func start() {
        guard next < positions.count else { return }
        let position = positions[next]
        next += 1
        group.addTask { (position, try self.run(position, observer)) }
      }
      for _ in 0..<min(jobs, positions.count) { start() }
      while let (position, outcome) = try await group.next() {
        await take(position, outcome)
        start()
      }
    }
  }

  private func run(
    _ position: Int, _ observer: @Sendable (Int) throws -> (any Observer)?
  ) throws -> RunOutcome {
    let run = plan.runs[position]
    let watcher = try observer(position)
    let outcome: RunOutcome
    do {
      let result = try plan.policies[run.policy].spec.run(
        plan.traces[run.trace].trace, run.configuration, recorder: watcher?.recorder)
      outcome = .finished(result)
    } catch {
      outcome = .failed(reason: "\(error)")
    }
    try watcher?.finish()
    return outcome
  }
}
