import JettisonCore

/// The bootstrap of a mean over users.
enum Bootstrap {
  /// Samples drawn.
  static let resampleCount = 10_000

  /// An interval and how it was found.
  struct Interval: Equatable {
    var low: Double
    var high: Double
    /// Whether the bias-corrected and accelerated form exists for these values.
    var isCorrected: Bool
  }

  /// Means of resampled users, for several series over users at once.
  ///
  /// Every series sees the same users drawn: draws depend on the seed, the number of users and
  /// the place in the resample, so a comparison added beside another changes nothing in it.
  ///
  /// - Parameters:
  ///   - series: Values by user; all series as long as the first, not empty.
  ///   - seed: Seed of the draws.
  /// - Returns: ``resampleCount`` means per series.
  /// - Complexity: O(resamples × users × series).
  static func resampledMeans(of series: [[Double]], seed: UInt64) -> [[Double]] {
    let count = series.first?.count ?? 0
    precondition(series.allSatisfy { $0.count == count }, "series are over the same users")
    guard count > 0 else { return series }
    let random = KeyedRandom(seed: seed, user: "")
    var means = series.map { _ in [Double](repeating: 0, count: resampleCount) }
    var drawn = [Int](repeating: 0, count: count)
    for resample in 0..<resampleCount {
      for place in 0..<count {
        let bits = random.bits(
          entity: UInt64(count), episode: UInt64(resample * count + place), purpose: .bootstrap)
        drawn[place] = Int(bits.multipliedFullWidth(by: UInt64(count)).high)
      }
      for position in series.indices {
        var sum = 0.0
        for user in drawn { sum += series[position][user] }
        means[position][resample] = sum / Double(count)
      }
    }
    return means
  }

  /// The 95 % interval of the mean: bias-corrected and accelerated (Efron 1987), or percentile
  /// where the correction does not exist, as for values that are all equal.
  ///
  /// - Parameters:
  ///   - values: Values by user.
  ///   - means: Their resampled means.
  static func interval(of values: [Double], resampledMeans means: [Double]) -> Interval {
    let sorted = means.sorted()
    let tail = 0.025
    guard
      let low = correctedShare(tail, of: values, resampledMeans: means),
      let high = correctedShare(1 - tail, of: values, resampledMeans: means)
    else {
      return Interval(
        low: quantile(sorted, tail), high: quantile(sorted, 1 - tail), isCorrected: false)
    }
    return Interval(low: quantile(sorted, low), high: quantile(sorted, high), isCorrected: true)
  }

  /// Which share of the resampled means lies below the corrected end of the interval.
  private static func correctedShare(
    _ share: Double, of values: [Double], resampledMeans means: [Double]
  ) -> Double? {
    let estimate = PairedStatistics.mean(values)
    let tolerance = PairedStatistics.tolerance(values) / Double(max(1, values.count))
    // Means equal to the estimate count half: metrics of few events have many of them.
    var below = 0.0
    for mean in means {
      if (mean - estimate).magnitude <= tolerance {
        below += 0.5
      } else if mean < estimate {
        below += 1
      }
    }
    let bias = NormalDistribution.quantile(below / Double(means.count))
    guard bias.isFinite, let acceleration = acceleration(values) else { return nil }
    let shifted = bias + NormalDistribution.quantile(share)
    let scale = 1 - acceleration * shifted
    guard scale > 0 else { return nil }
    return NormalDistribution.cumulative(bias + shifted / scale)
  }

  /// Skewness of the jackknife over users; nil if the values do not vary.
  private static func acceleration(_ values: [Double]) -> Double? {
    let count = Double(values.count)
    guard count > 1 else { return nil }
    let sum = values.reduce(0, +)
    let left = values.map { (sum - $0) / (count - 1) }
    let center = PairedStatistics.mean(left)
    var squares = 0.0
    var cubes = 0.0
    for value in left {
      let influence = (count - 1) * (center - value) / count
      squares += influence * influence
      cubes += influence * influence * influence
    }
    let tolerance = PairedStatistics.tolerance(values) / count
    guard squares > tolerance * tolerance else { return nil }
    return cubes / (6 * squares * squares.squareRoot())
  }

  /// Quantile of ascending values by linear interpolation; `sorted` is not empty.
  static func quantile(_ sorted: [Double], _ share: Double) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = min(max(0, Int(place.rounded(.down))), sorted.count - 1)
    guard below + 1 < sorted.count else { return sorted[below] }
    return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
  }
}
