package import JettisonCore
package import JettisonReports
internal import JettisonSupport

/// Runs a plan and keeps what reports need, in the order of the plan.
package struct Experiment {
  /// The records of all runs that were made, in the order of the plan.
  package private(set) var records: [RunRecord] = []
  /// Why runs failed, by position in the plan.
  package private(set) var failures: [Int: RunError] = [:]

  private let plan: RunPlan
  /// What came out, by position in the plan; nil for seeds that would have repeated the first.
  private var outcomes: [RunRecord.Outcome?]

  private init(_ plan: RunPlan) {
    self.plan = plan
    outcomes = [RunRecord.Outcome?](repeating: nil, count: plan.runs.count)
  }

  /// Runs everything and hands the rows of large reports to `writer` in the order of the plan.
  ///
  /// - Parameters:
  ///   - plan: What to run.
  ///   - jobs: How many runs at a time.
  ///   - writer: Where the large reports go; it is not finished.
  ///   - progress: Told of every run that is done.
  /// - Throws: ``ReportError`` if a large report cannot be written.
  package static func run(
    _ plan: RunPlan, jobs: Int, writer: ReportWriter?,
    isolation: isolated (any Actor)? = #isolation,
    progress: (_ done: Int, _ total: Int) async -> Void
  ) async throws -> Experiment {
    var experiment = Experiment(plan)
    let driver = ExperimentDriver(plan, jobs: jobs, details: writer?.details)
    try await driver.run { completion in
      switch completion.result {
      case .success(let result): experiment.outcomes[completion.position] = .finished(result)
      case .failure(let error):
        experiment.outcomes[completion.position] = .failed(reason: "\(error)")
        experiment.failures[completion.position] = error
      }
      try writer?.add(completion.details, at: completion.position)
      await progress(completion.done, completion.total)
    }
    experiment.leaveOutRepeatedSeeds()
    experiment.records = experiment.outcomes.enumerated().compactMap { position, outcome in
      outcome.map { plan.record(of: position, $0) }
    }
    return experiment
  }

  /// Draws may decide about nothing: seeds that nobody asked for, and that all came to the same,
  /// are one run.
  private mutating func leaveOutRepeatedSeeds() {
    for first in plan.runs.indices
    where plan.runs[first].firstOfCell == first && !plan.runs[first].isSeedAsked {
      guard case .finished(let result)? = outcomes[first] else { continue }
      let others = plan.runs.indices[(first + 1)...].prefix { plan.runs[$0].firstOfCell == first }
      let areEqual = others.allSatisfy { other in
        guard case .finished(let own)? = outcomes[other] else { return outcomes[other] == nil }
        return own == result
      }
      if areEqual { for other in others { outcomes[other] = nil } }
    }
  }

  /// Every policy against the baseline, by device, memory size and metric.
  package func comparisons() -> [ComparisonRow] {
    UserMetricTable(records).comparisons(baseline: plan.policies[plan.baseline].name)
  }

  /// What the user should know of the whole: devices on which nothing was ever decided.
  package func notes() -> [String] {
    var results: [Int: RunResult] = [:]
    for (position, outcome) in outcomes.enumerated() {
      if case .finished(let result) = outcome { results[position] = result }
    }
    let made = Set(outcomes.indices.filter { outcomes[$0] != nil })
    return plan.blocksWithoutDecisions(results, of: made)
  }

  /// A condition of `--fail-if` that a run meets.
  package struct MetGate {
    /// Position in ``RunPlan/gates``.
    let gate: Int
    /// Which run, which figure, which condition.
    package let sentence: String
  }

  /// The conditions of `--fail-if` that runs meet, in the order of the plan.
  package func metGates() -> [MetGate] {
    guard !plan.gates.isEmpty else { return [] }
    var met: [MetGate] = []
    for record in records {
      guard let reader = record.metricReader() else { continue }
      for (position, gate) in plan.gates.enumerated() {
        let value = reader.value(of: gate.metric)
        guard gate.isMet(by: value), let number = value.number else { continue }
        let key = record.key
        met.append(
          MetGate(
            gate: position,
            sentence: "\(key.trace), \(key.policy), \(key.device), seed \(key.seed): "
              + "\(gate.metric.name) is \(NumberText.real(number)), which meets '\(gate.text)'"))
      }
    }
    return met
  }

  /// The conditions of `--fail-if`, met or not, for build servers.
  package func gateReport() -> JUnitReport {
    let met = metGates()
    let errors = records.compactMap { record -> String? in
      guard case .failed(let reason) = record.outcome else { return nil }
      let key = record.key
      return "\(key.trace), \(key.policy), \(key.device), seed \(key.seed): failed: \(reason)"
    }
    return JUnitReport(
      plan.gates.enumerated().map { position, gate in
        .init(
          name: gate.text, failures: met.filter { $0.gate == position }.map(\.sentence),
          errors: errors)
      })
  }
}

extension MetricGate {
  /// The condition as it is written, without blanks.
  fileprivate var text: String { "\(metric.name)\(comparison.rawValue)\(NumberText.real(value))" }
}

extension RunPlan {
  /// A run with what became of it.
  package func record(of position: Int, _ outcome: RunRecord.Outcome) -> RunRecord {
    let run = runs[position]
    let loaded = traces[run.trace]
    return RunRecord(
      key: key(of: position), configuration: run.configuration,
      provenance: RunProvenance(
        traceHash: loaded.trace.contentHash, start: loaded.trace.header.start,
        catalogPaths: run.catalog.paths, catalogHash: run.catalog.hash,
        policyHash: policies[run.policy].spec.descriptor.definitionHash,
        apps: loaded.trace.apps, natures: run.natures, traceIssueCount: loaded.issues.count,
        hasNoise: run.hasNoise, isImputed: run.isImputed,
        jettisonVersion: JettisonVersion.text,
        jemallocVersion: run.configuration.footprints == .arena ? AllocatorVersion.text : nil),
      outcome: outcome)
  }
}
