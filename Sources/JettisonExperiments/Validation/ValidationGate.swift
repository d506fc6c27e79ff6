public import JettisonCore
public import JettisonReports
internal import JettisonSupport

/// A condition on a figure of a validation that no run should meet.
public struct ValidationGate: Sendable {
  /// What is measured.
  public let metric: ValidationMetric
  /// How it is compared.
  public let comparison: MetricGate.Comparison
  /// With what, in the metric's unit (times in seconds).
  public let value: Double

  /// Reads a condition: a column of `validation-summary.csv`, a comparison and a number; blanks may
  /// stand between them.
  ///
  /// - Throws: `ConfigurationError` if the column is unknown or the text is no condition.
  public init(parsing text: String) throws(ConfigurationError) {
    let parts = try MetricGate.parts(of: text, example: "recall<0.5")
    metric = try ValidationMetric.named(parts.name)
    (comparison, value) = (parts.comparison, parts.value)
  }

  /// The condition as it is written, without blanks.
  var text: String { "\(metric.name)\(comparison.rawValue)\(NumberText.real(value))" }

  /// Says that a run meets the condition; nil if it does not, or has no such figure.
  func met(by run: ValidatedRun) -> MetGate? {
    guard let number = metric.value(run.figures).number, comparison.holds(number, value) else {
      return nil
    }
    return MetGate(
      key: run.key, place: run.place, metric: metric.name, value: number, gate: text)
  }
}
