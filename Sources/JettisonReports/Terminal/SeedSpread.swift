import JettisonCore
import JettisonSupport

/// A figure over the seeds of a run: its mean, and how far single seeds are from it.
struct SeedSpread: Equatable {
  /// Arithmetic mean.
  let mean: Double
  /// Standard deviation of a sample; 0 for a single value.
  let deviation: Double

  /// Takes one value per seed; nil for none.
  init?(_ values: [Double]) {
    guard let first = values.first else { return nil }
    // Equal values have exactly themselves as their mean.
    let mean = first + values.reduce(0) { $0 + ($1 - first) } / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    self.mean = mean
    deviation = values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : 0
  }

  /// The mean in words, with the deviation behind it where there is any.
  func text(_ unit: Metric.Unit) -> String {
    let text = HumanText.value(mean, unit: unit)
    return deviation == 0 ? text : "\(text) ± \(HumanText.value(deviation, unit: unit))"
  }
}
