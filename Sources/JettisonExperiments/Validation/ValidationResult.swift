public import JettisonCore
public import JettisonReports

/// What came of a validation, in the order of the experiment's runs.
public struct ValidationResult: Sendable {
  /// A run that could not go on.
  public struct Failure: Sendable {
    /// Which run.
    public let key: RunKey
    /// Why.
    public let error: RunError
  }

  /// The runs that did not fail; where ranks are compared, each with those of the capture and then
  /// with those of the model.
  public let runs: [ValidatedRun]
  /// The runs that failed.
  public let failures: [Failure]
  /// The conditions of the terms that runs meet.
  public let metGates: [MetGate]
  /// What one should know of the whole, as sentences: conditions on figures that no run has.
  public let notes: [String]
  /// What failed and which conditions are met, as sentences in the order of the runs.
  package let complaints: [String]
  private let hasOneTrace: Bool
  private let hasOneRun: Bool

  /// Puts together what became of a plan's runs.
  init(
    _ plan: RunPlan,
    _ outcomes: some Sequence<(ValidationRunner.Variant, Result<ValidatedRun, RunError>)>,
    gates: [ValidationGate]
  ) {
    var runs: [ValidatedRun] = []
    var failures: [Failure] = []
    var metGates: [MetGate] = []
    var complaints: [String] = []
    var positions: Set<Int> = []
    for (variant, outcome) in outcomes {
      positions.insert(variant.run)
      let key = plan.key(of: variant.run)
      switch outcome {
      case .failure(let error):
        failures.append(Failure(key: key, error: error))
        complaints.append("\(key.place(usesCapturedRanks: variant.usesCapturedRanks)): \(error)")
      case .success(let run):
        runs.append(run)
        let met = gates.compactMap { $0.met(by: run) }
        metGates += met
        complaints += met.map(\.sentence)
      }
    }
    self.runs = runs
    self.failures = failures
    self.metGates = metGates
    self.complaints = complaints
    notes =
      runs.isEmpty
      ? []
      : gates.filter { gate in runs.allSatisfy { gate.metric.value($0.figures).number == nil } }
        .map { MetricGate.silence(of: $0.text) }
    hasOneTrace = plan.traces.count == 1
    hasOneRun = positions.count == 1
  }

  /// What to tell a person, as lines each ended: every kill of a single run, a line for each run of
  /// several policies, the victims that policies put first over several traces.
  package func rendered(_ style: TextStyle) -> String {
    guard let first = runs.first else { return "" }
    guard hasOneTrace else { return ValidationPool(runs).rendered(style) }
    guard hasOneRun else { return ValidationComparison.rendered(runs, style) }
    var text = ValidationSummary(first).rendered(style)
    if runs.count > 1 {
      text += "\nThe ranks of the capture beside those of the model\n"
      text += ValidationComparison.rendered(runs, style)
    }
    return text
  }
}
