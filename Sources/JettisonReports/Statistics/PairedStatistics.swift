/// Figures of paired differences, one per user.
///
/// Sums run in the order of the values, so that equal input gives equal bytes. Figures of runs are
/// finite; what becomes of other values stands at each function.
public enum PairedStatistics {
  /// Arithmetic mean; 0 for no values, exactly the value where all are equal.
  ///
  /// Infinite if a value is, and no number if one is none or if infinite ones have both signs.
  public static func mean(_ values: [Double]) -> Double {
    guard let first = values.first else { return 0 }
    let mean = first + values.reduce(0) { $0 + ($1 - first) } / Double(values.count)
    guard !mean.isFinite else { return mean }
    // Sums may be too large where their mean is not.
    return values.reduce(0) { $0 + $1 / Double(values.count) }
  }

  /// A figure less another; 0 where they differ by rounding alone.
  ///
  /// Infinite if one of them is, and no number if one is none or if both are infinite alike.
  public static func difference(_ value: Double, _ baseline: Double) -> Double {
    let difference = value - baseline
    guard difference.isFinite else { return difference }
    return abs(difference) <= 1e-12 * max(abs(value), abs(baseline)) ? 0 : difference
  }

  /// Middle value, or the mean of the two middle ones; 0 for no values.
  ///
  /// No number if a value is none, or if the two middle ones are infinite with different signs.
  public static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    guard !values.contains(where: \.isNaN) else { return .nan }
    let sorted = values.sorted()
    let upper = sorted[sorted.count / 2]
    guard sorted.count % 2 == 0 else { return upper }
    let lower = sorted[sorted.count / 2 - 1]
    let sum = lower + upper
    return sum.isFinite ? sum / 2 : lower / 2 + upper / 2
  }

  /// Standard error of the mean; 0 for fewer than two values.
  ///
  /// No number if a value is not finite, and infinite if values are too far apart to be squared.
  public static func standardError(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let mean = mean(values)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / (Double(values.count) * Double(values.count - 1))).squareRoot()
  }

  /// How many users it would take to find a difference such as this one four times in five, by a
  /// test at 5 %: ((1.960 + 0.842) × standard deviation / mean)², the usual formula for pairs.
  ///
  /// - Returns: nil where values do not vary, their mean is 0, or one of them is not finite.
  public static func usersNeeded(_ differences: [Double]) -> Int? {
    let mean = mean(differences).magnitude
    let error = standardError(differences)
    guard mean > tolerance(differences), error > 0 else { return nil }
    let ratio =
      (distanceOfLevel + distanceOfPower) * error
      * Double(differences.count).squareRoot() / mean
    return Int(min(max(2, (ratio * ratio).rounded(.up)), 1e12))
  }

  /// How many users it would take to find the same as one of several differences that are tested
  /// together: at 5 % divided by their number, as the first step of ``holm(_:)`` asks.
  ///
  /// - Parameters:
  ///   - users: Users that a test by itself would take: ``usersNeeded(_:)``.
  ///   - tests: How many are tested together; at least 1.
  static func usersNeeded(_ users: Int, amongTests tests: Int) -> Int {
    guard tests > 1 else { return users }
    let distance = NormalDistribution.distance(leaving: 0.05 / Double(tests))
    let ratio = (distance + distanceOfPower) / (distanceOfLevel + distanceOfPower)
    return Int((Double(users) * ratio * ratio).rounded(.up))
  }

  /// Standard errors beyond which lie 5 % of a normal distribution, both sides together.
  private static let distanceOfLevel = 1.959964
  /// Standard errors below which lie four fifths of it.
  private static let distanceOfPower = 0.841621

  /// Share of differences that are below 0, ties counting half; what is no number is not below.
  public static func shareBelowZero(_ differences: [Double]) -> Double {
    let points = differences.reduce(0.0) { $0 + ($1 < 0 ? 1 : $1 == 0 ? 0.5 : 0) }
    return points / Double(max(1, differences.count))
  }

  /// Holm's step-down correction: the probability that *any* of the hypotheses rejected at a
  /// level is true stays below that level.
  ///
  /// - Returns: Adjusted values in the order given, never above 1; what is no number is no test, and
  ///   stays.
  public static func holm(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.filter { !pValues[$0].isNaN }.sorted {
      (pValues[$0], $0) < (pValues[$1], $1)
    }
    var adjusted = pValues
    var largest = 0.0
    for (place, index) in order.enumerated() {
      largest = max(largest, min(1, pValues[index] * Double(order.count - place)))
      adjusted[index] = largest
    }
    return adjusted
  }

  /// Room for rounding when sums of the same terms in another order or sign are compared.
  static func tolerance(_ values: [Double]) -> Double {
    values.reduce(0) { $0 + $1.magnitude } * 1e-12
  }
}
