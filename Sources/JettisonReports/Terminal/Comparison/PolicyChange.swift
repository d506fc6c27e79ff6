import JettisonCore
import JettisonSupport

/// A policy beside the baseline, in one metric.
struct PolicyChange {
  let policy: String
  let unit: MetricUnit
  let figure: Double
  let baseline: Double
  /// The row of `comparison.csv`, where users are compared.
  let row: Comparison?

  /// The mean difference over users; sums in another order are none.
  var difference: Double { row?.meanDifference ?? figure - baseline }

  /// Share by which the figure is more than the baseline's; nil where that is 0.
  var share: Double? { baseline == 0 ? nil : difference / baseline }

  /// How far the difference is more than chance.
  var certainty: Comparison.Certainty {
    difference == 0 ? .open : row?.certainty ?? .open
  }

  /// `-35 %*`, with a star where it is sure, and a question mark where it is doubtful.
  ///
  /// Where the baseline has nothing, the difference itself.
  var text: String {
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
  var interval: String? {
    guard let low = row?.low, let high = row?.high else { return nil }
    guard baseline != 0 else {
      return "\(HumanText.difference(low, unit: unit)) to "
        + HumanText.difference(high, unit: unit)
    }
    let least = max(-1, low / baseline)
    return "\(HumanText.change(least)) to \(HumanText.change(high / baseline)) %"
  }

  /// `35 % less`, `3 s more`.
  var words: String {
    let amount =
      share.map { "\(HumanText.change($0.magnitude).drop { $0 == "+" }) %" }
      ?? HumanText.value(difference.magnitude, unit: unit)
    return "\(Prose.together(amount)) \(difference < 0 ? "less" : "more")"
  }
}
