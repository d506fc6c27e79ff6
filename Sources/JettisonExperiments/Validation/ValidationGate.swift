package import JettisonCore
package import JettisonReports
internal import JettisonSupport

/// A condition on a figure of a validation that no run should meet.
package struct ValidationGate {
  private let metric: ValidationMetric
  private let comparison: MetricGate.Comparison
  private let value: Double

  /// Reads a condition: a column of `validation-summary.csv`, a comparison and a number.
  package init(parsing text: String) throws(ConfigurationError) {
    let parts = try MetricGate.parts(of: text, example: "recall<0.5")
    metric = try ValidationMetric.named(parts.name)
    (comparison, value) = (parts.comparison, parts.value)
  }

  /// The sentence about figures that meet the condition; an empty figure never does.
  package func sentence(_ figures: ValidationFigures) -> String? {
    guard let number = metric.value(figures).number, comparison.holds(number, value) else {
      return nil
    }
    return "\(metric.name) is \(NumberText.real(number)), which meets "
      + "'\(metric.name)\(comparison.rawValue)\(NumberText.real(value))'"
  }
}
