package import JettisonCore
package import JettisonSupport

/// What a metric counts in.
package typealias MetricUnit = Metric.Unit

extension HumanText {
  /// A figure of a metric in the metric's unit; a dash where there is none.
  package static func value(_ number: Double?, unit: MetricUnit) -> String {
    guard let number else { return "–" }
    return switch unit {
    case .seconds: duration(seconds: number)
    case .bytes: size(bytes: number)
    case .share: percent(number)
    case .days: duration(seconds: number * 86_400)
    case .count, .apps, .weightedSeconds: count(number)
    }
  }

  /// A difference, with its sign.
  package static func difference(_ number: Double?, unit: MetricUnit) -> String {
    let text = value(number, unit: unit)
    return (number ?? 0) > 0 ? "+\(text)" : text
  }
}
