#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Student's t distribution with whole degrees of freedom.
struct StudentDistribution {
  /// Degrees of freedom, at least 1.
  let freedom: Int

  /// Probability of a value at least as far from 0 as `t`, on either side.
  ///
  /// The finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4.
  ///
  /// - Complexity: O(degrees of freedom).
  func probability(beyond t: Double) -> Double {
    let angle = atan(t.magnitude / Double(freedom).squareRoot())
    let isOdd = freedom % 2 == 1
    let square = cos(angle) * cos(angle)
    var term = isOdd ? cos(angle) : 1
    var sum = 0.0
    // The k-th term has the power k of the cosine, up to that of two below the freedom.
    for power in stride(from: isOdd ? 1 : 0, through: freedom - 2, by: 2) {
      sum += term
      term *= square * Double(power + 1) / Double(power + 2)
    }
    let within = isOdd ? (angle + sin(angle) * sum) * 2 / .pi : sin(angle) * sum
    return min(1, max(0, 1 - within))
  }

  /// The distance from 0 beyond which lies the probability `share`, both sides together.
  ///
  /// - Parameter share: Above 0, below 1.
  func distance(leaving share: Double) -> Double {
    Bisection.distance(leaving: share, probability(beyond:))
  }
}

/// The standard normal distribution.
enum NormalDistribution {
  /// The distance from 0 beyond which lies the probability `share`, both sides together.
  ///
  /// - Parameter share: Above 0, below 1.
  static func distance(leaving share: Double) -> Double {
    Bisection.distance(leaving: share) { erfc($0 / 2.0.squareRoot()) }
  }
}

private enum Bisection {
  /// Where a probability that falls from 1 at 0 comes down to `share`.
  static func distance(leaving share: Double, _ probability: (Double) -> Double) -> Double {
    var (near, far) = (0.0, 1.0)
    while probability(far) > share { far *= 2 }
    while true {
      let middle = (near + far) / 2
      guard middle > near, middle < far else { return far }
      if probability(middle) > share { near = middle } else { far = middle }
    }
  }
}
