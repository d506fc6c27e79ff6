package import JettisonCore
package import JettisonReports

/// Runs a plan on several cores.
///
/// Results are kept by position in the plan, so nothing depends on which run is done first.
package struct ExperimentDriver: Sendable {
  /// One run that is done.
  package struct Completion: Sendable {
    /// Position in the plan.
    package let position: Int
    /// What it yielded, or why it failed.
    package let result: Result<RunResult, RunError>
    /// Its rows of the large reports, if they are wanted and were not written by another seed.
    package let details: DetailPart?
    /// Runs done, this one included.
    package let done: Int
    /// Runs in all.
    package let total: Int
  }

  private let plan: RunPlan
  private let jobs: Int
  private let details: DetailPlan?

  /// Prepares to run a plan.
  ///
  /// - Parameters:
  ///   - plan: What to run.
  ///   - jobs: How many runs at a time, at least 1.
  ///   - details: Makes recorders for the large reports; nil: none is wanted.
  package init(_ plan: RunPlan, jobs: Int, details: DetailPlan? = nil) {
    self.plan = plan
    self.jobs = max(1, jobs)
    self.details = details
  }

  /// Runs everything; `take` is told of each run once, in any order.
  ///
  /// A cell (trace, block, policy) whose first run draws nothing at random is run once. Its other
  /// seeds share the result if somebody asked for them, without rows in the large reports, which
  /// would only repeat the first; otherwise they are left out.
  ///
  /// - Throws: What `take` throws, and ``ReportError`` if the large reports cannot be written.
  package func run(
    isolation: isolated (any Actor)? = #isolation,
    take: (Completion) async throws -> Void
  ) async throws {
    var firsts: [Int: Result<RunResult, RunError>] = [:]
    var done = 0
    var total = plan.runs.count
    func complete(
      _ position: Int, _ result: Result<RunResult, RunError>, _ part: DetailPart?
    ) -> Completion {
      done += 1
      return Completion(
        position: position, result: result, details: part, done: done, total: total)
    }
    let leaders = plan.runs.indices.filter { plan.runs[$0].firstOfCell == $0 }
    try await run(leaders) { position, result, part in
      firsts[position] = result
      try await take(complete(position, result, part))
    }
    var rest: [Int] = []
    for position in plan.runs.indices {
      let run = plan.runs[position]
      guard run.firstOfCell != position else { continue }
      guard let first = firsts[run.firstOfCell] else { continue }
      let isShared = Self.isShared(first, hasNoise: run.hasNoise)
      let hasFailed = if case .failure = first { true } else { false }
      // Of what failed nobody wants to know a spread.
      guard isShared || (hasFailed && !run.isSeedAsked) else {
        rest.append(position)
        continue
      }
      if run.isSeedAsked {
        try await take(complete(position, first, nil))
      } else {
        total -= 1
      }
    }
    try await run(rest) { position, result, part in
      try await take(complete(position, result, part))
    }
  }

  /// Whether all seeds of a cell end like this one; of a failed run it is not known.
  private static func isShared(
    _ result: Result<RunResult, RunError>, hasNoise: Bool
  ) -> Bool {
    guard case .success(let result) = result else { return false }
    return !result.system.drew && !hasNoise
  }

  private func run(
    _ positions: [Int], isolation: isolated (any Actor)? = #isolation,
    take: (Int, Result<RunResult, RunError>, DetailPart?) async throws -> Void
  ) async throws {
    typealias Done = (position: Int, result: Result<RunResult, RunError>, part: DetailPart?)
    try await withThrowingTaskGroup(of: Done.self) { group in
      var next = 0
      while next < min(jobs, positions.count) {
        let position = positions[next]
        group.addTask { try self.run(position) }
        next += 1
      }
      while let (position, result, part) = try await group.next() {
        if next < positions.count {
          let position = positions[next]
          group.addTask { try self.run(position) }
          next += 1
        }
        try await take(position, result, part)
      }
    }
  }

  private func run(
    _ position: Int
  ) throws -> (position: Int, result: Result<RunResult, RunError>, part: DetailPart?) {
    let run = plan.runs[position]
    let trace = plan.traces[run.trace].trace
    // Seeds that nobody asked for show a spread; the large reports tell of the first.
    let isTold = run.isSeedAsked || run.firstOfCell == position
    let part =
      try !isTold
      ? nil
      : details?.recorder(
        key: plan.key(of: position), apps: trace.apps, details: trace.detailTexts, index: position)
    let result = Result { () throws(RunError) in
      try plan.policies[run.policy].spec.run(trace, run.configuration, recorder: part?.recorder)
    }
    return (position, result, try part?.finish())
  }
}
