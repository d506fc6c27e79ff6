public import JettisonCore
public import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// What came of an experiment, in the order of its runs.
public struct ExperimentResult: Sendable {
  /// A run that could not go on.
  public struct Failure: Sendable {
    /// Which run.
    public let key: RunKey
    /// Why.
    public let error: RunError
  }

  /// All runs that were made, failed ones too.
  public let runs: [RunRecord]
  /// Every policy against the baseline, by device, memory size and metric; none for one policy.
  public let comparisons: [Comparison]
  /// The runs that failed.
  public let failures: [Failure]
  /// What one should know of the whole, as sentences: devices on which nothing was ever decided, and
  /// conditions on figures that no run has.
  public let notes: [String]
  private let gates: [MetricGate]

  /// Puts together what became of a plan's runs, by position; nil for seeds that would have
  /// repeated the first.
  ///
  /// - Parameters:
  ///   - plan: What was run.
  ///   - all: What became of each run.
  ///   - metrics: By what policies are compared; empty: not at all.
  ///   - jobs: How many rows of the comparison at a time.
  init(_ plan: RunPlan, _ all: [RunOutcome?], comparing metrics: [Metric], jobs: Int) async {
    let outcomes = Self.withoutRepeatedSeeds(all, of: plan)
    let runs = outcomes.enumerated().compactMap { position, outcome in
      outcome.map { plan.record(of: position, RunRecord.Outcome($0)) }
    }
    self.runs = runs
    comparisons =
      metrics.isEmpty
      ? []
      : await UserMetricTable(runs).comparisons(
        baseline: plan.policies[plan.baseline].name, metrics: metrics, jobs: jobs)
    failures = outcomes.enumerated().compactMap { position, outcome in
      guard case .failure(let error)? = outcome else { return nil }
      return Failure(key: plan.key(of: position), error: error)
    }
    var results: [Int: RunResult] = [:]
    for (position, outcome) in outcomes.enumerated() {
      if case .success(let result)? = outcome { results[position] = result }
    }
    let made = Set(outcomes.indices.filter { outcomes[$0] != nil })
    notes =
      plan.blocksWithoutDecisions(results, of: made)
      + MetricGate.silent(plan.gates, in: runs).map(MetricGate.silence(of:))
    gates = plan.gates
  }

  /// How a policy compares with the baseline in a metric, on the first device and memory size.
  ///
  /// - Parameters:
  ///   - policy: Name of the policy, as asked for.
  ///   - metric: Name of a metric of `comparison.csv`.
  ///   - part: Users with at least a day of trace, or those with less.
  /// - Returns: nil if there is no such row.
  public func comparison(
    of policy: String, by metric: String = MetricTable.primaryNames[0],
    part: Comparison.Part = .users
  ) -> Comparison? {
    comparisons.first { $0.policy == policy && $0.metric == metric && $0.part == part }
  }

  /// Where draws change nothing, default seeds with equal results are one run.
  private static func withoutRepeatedSeeds(
    _ outcomes: [RunOutcome?], of plan: RunPlan
  ) -> [RunOutcome?] {
    var outcomes = outcomes
    for first in plan.runs.indices
    where plan.runs[first].firstOfCell == first && !plan.runs[first].isSeedAsked {
      guard case .success(let result)? = outcomes[first] else { continue }
      let others = plan.runs.indices[(first + 1)...].prefix { plan.runs[$0].firstOfCell == first }
      let areEqual = others.allSatisfy { other in
        guard case .success(let own)? = outcomes[other] else { return outcomes[other] == nil }
        return own.counted == result.counted
      }
      if areEqual { for other in others { outcomes[other] = nil } }
    }
    return outcomes
  }
}

extension ExperimentResult {
  /// The conditions of the specification that runs meet, in the order of the runs.
  public func metGates() -> [MetGate] { MetGate.all(gates, in: runs) }
}

extension [ExperimentResult.Failure] {
  /// Why runs failed, each reason once, at the first run that it ended.
  package var sentences: [String] {
    var places: [String: (key: RunKey, others: Int)] = [:]
    var order: [String] = []
    for failure in self {
      let reason = "\(failure.error)"
      if places[reason] == nil {
        places[reason] = (failure.key, 0)
        order.append(reason)
      } else {
        places[reason]?.others += 1
      }
    }
    return order.compactMap { reason in
      guard let (key, others) = places[reason] else { return nil }
      let more = others == 0 ? "" : " (and in \(HumanText.counted(Double(others), "more run")))"
      return "\(key.place): \(reason)\(more)"
    }
  }
}

extension RunRecord.Outcome {
  fileprivate init(_ outcome: RunOutcome) {
    self =
      switch outcome {
      case .success(let result): .finished(result)
      case .failure(let error): .failed(reason: "\(error)")
      }
  }
}

extension RunPlan {
  /// A run with what became of it.
  package func record(of position: Int, _ outcome: RunRecord.Outcome) -> RunRecord {
    let run = runs[position]
    let loaded = traces[run.trace]
    let policy = policies[run.policy].spec
    return RunRecord(
      key: key(of: position), configuration: run.configuration,
      provenance: RunProvenance(
        traceHash: loaded.trace.contentHash, start: loaded.trace.header.start,
        catalogPaths: run.catalog.paths, catalogHash: run.catalog.hash,
        policy: policy, policyHash: policy.descriptor.definitionHash,
        apps: loaded.trace.apps, natures: run.natures, traceIssueCount: loaded.issues.count,
        hasNoise: run.hasNoise, isImputed: run.isImputed,
        jettisonVersion: JettisonVersion.text,
        jemallocVersion: run.configuration.footprints == .arena ? AllocatorVersion.text : nil),
      outcome: outcome)
  }
}
