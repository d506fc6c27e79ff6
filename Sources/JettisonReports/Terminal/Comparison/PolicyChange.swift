import JettisonCore
import JettisonSupport

/// A policy beside the baseline, in one metric.
package struct PolicyChange {
  package let policy: String
  let unit: MetricUnit
  package let figure: Double
  package let baseline: Double
  /// The row of `comparison.csv`, where users are compared.
  package let row: Comparison?

  /// The mean difference over users; sums in another order are none.
  package var difference: Double { row?.meanDifference ?? figure - baseline }

  /// Share by which the figure is more than the baseline's; nil where that is 0.
  package var share: Double? { baseline == 0 ? nil : difference / baseline }

  /// How far the difference is more than chance.
  package var certainty: Comparison.Certainty {
    difference == 0 ? .open : row?.certainty ?? .open
  }

  /// `-35 %*`, with a star where it is sure, and a question mark where it is doubtful.
  ///
  /// Where the baseline has nothing, the difference itself.
  package var text: String {
    let mark =
      switch certainty {
      case .sure: "*"
      case .doubtful: "?"
      case .open: " "
      }
    guard difference != 0 else { return "0 %\(mark)" }
    guard let share else { return HumanText.difference(difference, unit: unit) + mark }
    return "\(HumanText.change(share)) %\(mark)"
  }

  /// `-73 to -17 %`, the interval of the mean difference on the scale of ``text``.
  ///
  /// Nothing can become less by more than all of it: there the interval ends.
  package var interval: String? {
    guard let low = row?.low, let high = row?.high else { return nil }
    guard baseline != 0 else {
      return "\(HumanText.difference(low, unit: unit)) to "
        + HumanText.difference(high, unit: unit)
    }
    let least = max(-1, low / baseline)
    return "\(HumanText.change(least)) to \(HumanText.change(high / baseline)) %"
  }

  /// `35 % less`, `3 s more`.
  package var words: String {
    let amount =
      share.map { "\(HumanText.change($0.magnitude).drop { $0 == "+" }) %" }
      ?? HumanText.value(difference.magnitude, unit: unit)
    return "\(Prose.together(amount)) \(difference < 0 ? "less" : "more")"
  }
}
