internal import JettisonCore
internal import JettisonReports

/// Runs a plan on several cores.
///
/// Results are kept by position in the plan, so nothing depends on which run is done first.
struct ExperimentDriver: Sendable {
  /// One run that is done.
  struct Completion: Sendable {
    /// Position in the plan.
    let position: Int
    /// What it yielded, or why it failed.
    let result: RunOutcome
    /// What listeners keep of it; nil if it had no listener, or if it shares the result of another seed.
    let part: TeePart?
    /// Runs done, this one included.
    let done: Int
    /// Runs in all.
    let total: Int
  }

  private let plan: RunPlan
  private let jobs: Int
  private let listeners: TeeListeners

  /// Prepares to run a plan.
  ///
  /// - Parameters:
  ///   - plan: What to run.
  ///   - jobs: How many runs at a time, at least 1.
  ///   - listeners: Who listens to runs.
  init(_ plan: RunPlan, jobs: Int, listeners: TeeListeners) {
    self.plan = plan
    self.jobs = max(1, jobs)
    self.listeners = listeners
  }

  /// Runs everything; `take` is told of each run once, in any order.
  ///
  /// A cell (trace, block, policy) whose first run draws nothing at random is run once. Its other
  /// seeds share the result, without listeners, if the user asked for them, because they would only
  /// repeat the first; otherwise they are skipped.
  ///
  /// - Throws: What `take` and listeners throw.
  func run(
    isolation: isolated (any Actor)? = #isolation,
    take: (Completion) async throws -> Void
  ) async throws {
    var firsts: [Int: RunOutcome] = [:]
    var done = 0
    var total = plan.runs.count
    func complete(
      _ position: Int, _ result: RunOutcome, _ part: TeePart?
    ) -> Completion {
      done += 1
      return Completion(
        position: position, result: result, part: part, done: done, total: total)
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
      // A failed run needs no spread.
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
    _ result: RunOutcome, hasNoise: Bool
  ) -> Bool {
    guard case .success(let result) = result else { return false }
    return !result.system.drew && !hasNoise
  }

  private func run(
    _ positions: [Int], isolation: isolated (any Actor)? = #isolation,
    take: (Int, RunOutcome, TeePart?) async throws -> Void
  ) async throws {
    let batches = batches(of: positions)
    try await withThrowingTaskGroup(of: [Done].self) { group in
      var next = 0
      // The plan goes from trace to trace.
      var shared = (trace: -1, work: SharedWork())
      func start() {
        guard next < batches.count else { return }
        let batch = batches[next]
        next += 1
        let trace = plan.runs[batch[0]].trace
        if trace != shared.trace { shared = (trace, SharedWork()) }
        let work = shared.work
        group.addTask {
          batch.count > 1
            ? self.run(together: batch, sharing: work)
            : [try self.run(batch[0], sharing: work)]
        }
      }
      for _ in 0..<min(jobs, batches.count) { start() }
      do {
        while let done = try await group.next() {
          if !Task.isCancelled { start() }
          for (position, result, part) in done { try await take(position, result, part) }
          try Task.checkCancellation()
        }
      } catch {
        group.cancelAll()
        // What other runs leave when they end is wanted no more.
        while let rest = await group.nextResult() {
          for run in (try? rest.get()) ?? [] { run.part?.discard() }
        }
        throw error
      }
    }
  }

  private typealias Done = (position: Int, result: RunOutcome, part: TeePart?)

  /// Runs by what is done in one piece: those that may share a world, in the order of the first of
  /// them, but in so many parts that no core is idle.
  private func batches(of positions: [Int]) -> [[Int]] {
    guard listeners.isEmpty else { return positions.map { [$0] } }
    var batches: [[Int]] = []
    /// Batches that others may join, of the trace that the plan is at.
    var open: [Int] = []
    for position in positions {
      let run = plan.runs[position]
      if let last = open.last, plan.runs[batches[last][0]].trace != run.trace { open = [] }
      guard mayShareWorld(run) else {
        batches.append([position])
        continue
      }
      if let place = open.first(where: { isSameWorld(run, plan.runs[batches[$0][0]]) }) {
        batches[place].append(position)
      } else {
        open.append(batches.count)
        batches.append([position])
      }
    }
    guard batches.count < jobs, !batches.isEmpty else { return batches }
    let parts = min(positions.count, (jobs - 1) / batches.count + 1)
    return parts == 1 ? batches : batches.flatMap { Self.split($0, into: parts) }
  }

  private func mayShareWorld(_ run: PlannedRun) -> Bool {
    plan.policies[run.policy].spec.mayShareWorld(plan.traces[run.trace].trace, run.configuration)
  }

  /// Whether nothing but the policy tells two runs of one trace apart.
  private func isSameWorld(_ a: PlannedRun, _ b: PlannedRun) -> Bool {
    a.block == b.block && a.configuration.seed == b.configuration.seed
      && a.configuration == b.configuration
  }

  private static func split(_ batch: [Int], into parts: Int) -> [[Int]] {
    let length = (batch.count + parts - 1) / parts
    return stride(from: 0, to: batch.count, by: length).map {
      Array(batch[$0..<min($0 + length, batch.count)])
    }
  }

  private func run(together batch: [Int], sharing work: SharedWork) -> [Done] {
    let first = plan.runs[batch[0]]
    let results = PolicySpec.run(
      batch.map { plan.policies[plan.runs[$0].policy].spec }, plan.traces[first.trace].trace,
      first.configuration, sharing: work)
    return zip(batch, results).map { ($0, $1, nil) }
  }

  private func run(
    _ position: Int, sharing work: SharedWork
  ) throws -> Done {
    let run = plan.runs[position]
    let trace = plan.traces[run.trace].trace
    // Default seeds show a spread; listeners hear of the first.
    let isHeard = run.isSeedAsked || run.firstOfCell == position
    let listener =
      try !isHeard
      ? nil
      : listeners.listener(
        to: StartedRun(
          key: plan.key(of: position), trace: trace, position: position,
          configuration: run.configuration, policy: plan.policies[run.policy].spec))
    let result = Result { () throws(RunError) in
      try plan.policies[run.policy].spec.run(
        trace, run.configuration, recorder: listener?.recorder, sharing: work)
    }
    return (position, result, try listener?.finish())
  }
}
