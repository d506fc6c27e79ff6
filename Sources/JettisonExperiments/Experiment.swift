internal import JettisonCore
public import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// A matrix of runs that is complete before the first: traces are read, everything is checked.
///
/// ```swift
/// let experiment = try await Experiment(specification)
/// let result = try await experiment.run(into: [try CSVReportSink(directory: "reports")])
/// ```
///
/// Runs execute in parallel; equal specifications give equal results in the same order, whatever
/// the number of threads.
public struct Experiment: Sendable {
  /// What is run.
  package let plan: RunPlan

  /// Reads the traces and catalogs and checks everything.
  ///
  /// - Parameters:
  ///   - specification: What is asked for.
  ///   - jobs: How many traces are read at a time; nil: one per core.
  /// - Throws: ``ExperimentError`` for the first thing that cannot be read or used.
  public init(
    _ specification: ExperimentSpecification, jobs: Int? = nil
  ) async throws(ExperimentError) {
    // What is wrong with the specification alone is told before anything is read.
    let planner = try RunPlanner(specification)
    let traces = try await TraceCollection.load(for: specification, jobs: Self.count(jobs))
    plan = try planner.plan(traces)
  }

  /// Takes a plan that is complete.
  package init(_ plan: RunPlan) {
    self.plan = plan
  }

  /// What one should know before reading results, as sentences: values that do nothing, traces that
  /// name no device.
  public var notes: [String] { plan.notes }

  /// Runs everything and feeds the sinks.
  ///
  /// A run that fails does not stop the others; see ``ExperimentResult/failures``.
  ///
  /// - Parameters:
  ///   - sinks: Where results go.
  ///   - jobs: How many runs at a time; nil: one per core.
  ///   - isolation: Where the sinks and `progress` are called.
  ///   - progress: Told of every run that is done.
  /// - Throws: What sinks throw (`ReportError`, for those of Jettison), and `CancellationError` if the
  ///   task is cancelled; nothing without sinks in a task that is not cancelled.
  public func run(
    into sinks: [any ReportSink] = [], jobs: Int? = nil,
    isolation: isolated (any Actor)? = #isolation,
    progress: (_ done: Int, _ total: Int) async -> Void = { _, _ in }
  ) async throws -> ExperimentResult {
    try await run(
      comparing: MetricTable.compared, into: sinks, jobs: Self.count(jobs), progress: progress)
  }

  /// The same, with policies compared by some metrics only; by none where the list is empty.
  func run(
    comparing metrics: [Metric], into sinks: [any ReportSink] = [], jobs: Int,
    isolation: isolated (any Actor)? = #isolation,
    progress: (_ done: Int, _ total: Int) async -> Void
  ) async throws -> ExperimentResult {
    try Publishing.begin(sinks)
    let tee = ReportTee(sinks)
    let plan = plan.listing(losses: tee.listedLosses)
    let driver = ExperimentDriver(plan, jobs: jobs, listeners: tee.listeners)
    var outcomes = [RunOutcome?](repeating: nil, count: plan.runs.count)
    try await driver.run { completion in
      outcomes[completion.position] = completion.result
      try tee.add(completion.part, at: completion.position)
      await progress(completion.done, completion.total)
    }
    let result = await ExperimentResult(plan, outcomes, comparing: metrics, jobs: jobs)
    try tee.finish(runs: result.runs, comparisons: result.comparisons)
    return result
  }

  /// As many as asked for, else one per core; one where threads are short, with the same results.
  static func count(_ jobs: Int?) -> Int {
    let wanted = max(1, jobs ?? Threads.coreCount)
    return Threads.hasRoom(forJobs: wanted) ? wanted : 1
  }
}

extension RunPlan {
  /// The plan with results that list so many of the worst losses, or more.
  func listing(losses count: Int) -> RunPlan {
    var plan = self
    for run in plan.runs.indices where plan.runs[run].configuration.listedLosses < count {
      plan.runs[run].configuration.listedLosses = count
    }
    return plan
  }
}

/// How a run ended.
typealias RunOutcome = Result<RunResult, RunError>
