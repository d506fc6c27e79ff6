internal import HeapModule
internal import JettisonCore

/// What can be said of the mean of paired differences, one per user: its 95 % interval, and the
/// test that belongs to the interval.
///
/// On each side the interval is the wider of two. *Student's* takes the spread as known and is too
/// short where differences are skewed; the *studentised bootstrap* (Efron 1981; Hall 1988) follows
/// the skewness and is too short where most of it is left to chance. The probability is the larger
/// of theirs on the side of the mean, so that the interval leaves out 0 exactly where it is at most
/// 5 %. The article *Replaying and comparing* says how often it holds the truth.
public struct PairedInterval: Equatable, Sendable {
  /// Samples drawn; one less than a multiple of 40, so that the ranks of the ends are whole.
  public static let resampleCount = 9_999
  /// Users who must differ: below, resamples are too few to tell spread from chance.
  public static let fewestDiffering = 6

  /// Lower end of the interval.
  public let low: Double
  /// Upper end of the interval.
  public let high: Double
  /// Two-sided probability of a mean at least as far from 0 without a true difference.
  public let pValue: Double

  /// Finds the interval; nil where fewer than ``fewestDiffering`` users differ, all by the same, or one
  /// by what is not finite.
  ///
  /// The order of the differences has no influence.
  ///
  /// - Parameters:
  ///   - differences: Values by user.
  ///   - seed: Seed of the draws.
  /// - Complexity: O(resamples × users).
  public init?(_ differences: [Double], seed: UInt64 = 1) {
    self.init(differences, seed: seed, resampleCount: Self.resampleCount)
  }

  /// See ``init(_:seed:)``; so many samples are drawn, one less than a multiple of 40.
  init?(_ differences: [Double], seed: UInt64, resampleCount: Int) {
    let differing = differences.count { $0 != 0 }
    guard differing >= Self.fewestDiffering else { return nil }
    let sorted = differences.sorted()
    let mean = PairedStatistics.mean(sorted)
    let error = PairedStatistics.standardError(sorted)
    guard error > PairedStatistics.tolerance(sorted) else { return nil }
    let means = Self.reflectedMeans(
      sorted, mean: mean, error: error, seed: seed, count: resampleCount)
    // Of 9,999 the 250th from either end: 250 / 10,000 lie at or beyond it.
    let ends = Self.ends(of: means, rank: (resampleCount + 1) / 40)
    let student = StudentDistribution(freedom: sorted.count - 1)
    let reach = student.distance(leaving: 0.05) * error
    low = min(ends.low, mean - reach)
    high = max(ends.high, mean + reach)
    guard low.isFinite, high.isFinite else { return nil }
    let beyond = means.count { mean > 0 ? $0 <= 0 : $0 >= 0 }
    let drawn = 2 * Double(beyond + 1) / Double(resampleCount + 1)
    pValue = min(1, max(drawn, student.probability(beyond: mean / error)))
  }

  /// The value of a rank, from 1, in ascending and in descending order.
  ///
  /// - Complexity: O(n log rank), and nearly O(n) in random order.
  private static func ends(of values: [Double], rank: Int) -> (low: Double, high: Double) {
    var least = Heap(values.prefix(rank))
    var greatest = least
    for value in values.dropFirst(rank) {
      if let bound = least.max, value < bound { least.replaceMax(with: value) }
      if let bound = greatest.min, value > bound { greatest.replaceMin(with: value) }
    }
    return (least.max ?? .nan, greatest.min ?? .nan)
  }

  /// The mean less the error of each resample in standard errors: what the true mean would be if the
  /// sample had erred as the resample does.
  private static func reflectedMeans(
    _ values: [Double], mean: Double, error: Double, seed: UInt64, count: Int
  ) -> [Double] {
    let centred = values.map { $0 - mean }
    let users = UInt64(values.count)
    let least = centred.reduce(0) { $0 + $1 * $1 } * 1e-12
    var random = SplitMix64(seed: KeyedRandom.mix(seed))
    var ends: [Double] = []
    ends.reserveCapacity(count)
    for _ in 0..<count {
      var sum = 0.0
      var squares = 0.0
      for _ in 0..<users {
        let value = centred[Int(random.next().multipliedFullWidth(by: users).high)]
        sum += value
        squares += value * value
      }
      let drawnMean = sum / Double(users)
      let spread = squares - sum * drawnMean
      if spread > least {
        let drawnError = (spread / (Double(users) * Double(users - 1))).squareRoot()
        ends.append(mean - error * drawnMean / drawnError)
      } else {
        // One user drawn every time: infinitely many standard errors away.
        ends.append(drawnMean > 0 ? -.infinity : .infinity)
      }
    }
    return ends
  }
}
