import JettisonCore
import JettisonSupport

/// A policy beside the baseline, in one metric.
struct PolicyChange {
  /// Up to which probability a difference counts as sure.
  static let sureUpTo = 0.05

  let policy: String
  let unit: MetricUnit
  let figure: Double
  let baseline: Double
  /// The row of `comparison.csv`, where users are compared.
  let row: ComparisonRow?

  /// The mean difference over users; sums in another order are none.
  var difference: Double { row?.meanDifference ?? figure - baseline }

  /// Share by which the figure is more than the baseline's; nil where that is 0.
  var share: Double? { baseline == 0 ? nil : difference / baseline }

  /// Whether chance is ruled out, with the correction for the number of policies.
  var isSure: Bool {
    guard let row, row.users > 1, let probability = row.pAdjusted else { return false }
    return difference != 0 && probability <= Self.sureUpTo
  }

  /// Whether this comparison alone would rule chance out, and the number of policies undoes it.
  var isDoubtful: Bool {
    guard !isSure, let row, row.users > 1, let probability = row.pValue else { return false }
    return difference != 0 && probability <= Self.sureUpTo
  }

  /// `-35 %*`, with a star where it is sure, and a question mark where it is doubtful.
  ///
  /// Where the baseline has nothing, the difference itself.
  var text: String {
    let mark = isSure ? "*" : isDoubtful ? "?" : " "
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
