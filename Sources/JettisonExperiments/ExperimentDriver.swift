internal import JettisonCore
package import JettisonReports

/// Runs a plan on several cores.
///
/// Results are kept by position in the plan, so nothing depends on which run is done first.
package struct ExperimentDriver: Sendable {
  /// One run that is done.
  package struct Completion: Sendable {
    /// Position in the plan.
    package let position: Int
    /// What became of it.
    package let outcome: RunRecord.Outcome
    /// Its rows of the large reports, if they are wanted and were not written by another seed.
    package let details: DetailPart?
    /// Runs done, this one included.
    package let done: Int
    /// Runs to do in all, as far as is known.
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

  /// Runs everything; `take` is told of each run of the plan once, in any order.
  ///
  /// A cell (trace, block, policy) whose first run draws nothing at random is run once, and its
  /// other seeds share the result. Those have no rows in the large reports: they would only
  /// repeat the first.
  ///
  /// - Throws: What `take` throws, and ``ReportError`` if the large reports cannot be written.
  package func run(
    isolation: isolated (any Actor)? = #isolation,
    take: (Completion) async throws -> Void
  ) async throws {
    var firstOutcomes: [Int: RunRecord.Outcome] = [:]
    let firsts = plan.runs.indices.filter { plan.runs[$0].firstOfCell == $0 }
    var done = 0
    try await run(firsts) { position, outcome, part in
      firstOutcomes[position] = outcome
      done += 1
      try await take(
        Completion(
          position: position, outcome: outcome, details: part, done: done,
          total: plan.runs.count))
    }
    var rest: [Int] = []
    for position in plan.runs.indices {
      let run = plan.runs[position]
      guard run.firstOfCell != position else { continue }
      guard let first = firstOutcomes[run.firstOfCell],
        Self.isShared(first, hasNoise: run.hasNoise)
      else {
        rest.append(position)
        continue
      }
      done += 1
      try await take(
        Completion(
          position: position, outcome: first, details: nil, done: done, total: plan.runs.count))
    }
    try await run(rest) { position, outcome, part in
      done += 1
      try await take(
        Completion(
          position: position, outcome: outcome, details: part, done: done,
          total: plan.runs.count))
    }
  }

  /// Whether all seeds of a cell end like this one. Of a failed run it is not known.
  private static func isShared(_ outcome: RunRecord.Outcome, hasNoise: Bool) -> Bool {
    guard case .finished(let result) = outcome else { return false }
    return !result.system.drew && !hasNoise
  }

  private func run(
    _ positions: [Int], isolation: isolated (any Actor)? = #isolation,
    take: (Int, RunRecord.Outcome, DetailPart?) async throws -> Void
  ) async throws {
    typealias Done = (position: Int, outcome: RunRecord.Outcome, part: DetailPart?)
    try await withThrowingTaskGroup(of: Done.self) { group in
      var next = 0
      while next < min(jobs, positions.count) {
        let position = positions[next]
        group.addTask { try self.run(position) }
        next += 1
      }
      while let (position, outcome, part) = try await group.next() {
        if next < positions.count {
          let position = positions[next]
          group.addTask { try self.run(position) }
          next += 1
        }
        try await take(position, outcome, part)
      }
    }
  }

  private func run(
    _ position: Int
  ) throws -> (position: Int, outcome: RunRecord.Outcome, part: DetailPart?) {
    let run = plan.runs[position]
    let trace = plan.traces[run.trace].trace
    let part = try details?.recorder(key: plan.key(of: position), apps: trace.apps, index: position)
    let outcome: RunRecord.Outcome
    do throws(RunError) {
      let result = try plan.policies[run.policy].spec.run(
        trace, run.configuration, recorder: part?.recorder)
      outcome = .finished(result)
    } catch {
      outcome = .failed(reason: "\(error)")
    }
    return (position, outcome, try part?.finish())
  }
}
