#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The standard normal distribution.
enum NormalDistribution {
  /// Probability of a value below `x`.
  static func cumulative(_ x: Double) -> Double {
    0.5 * erfc(-x / 2.0.squareRoot())
  }

  /// The value below which lies the probability `p`; infinite at 0 and 1.
  ///
  /// A rough rational start (Abramowitz and Stegun 26.2.23), then Halley steps on the cumulative
  /// probability, which triple the correct digits each time.
  static func quantile(_ p: Double) -> Double {
    guard p > 0 else { return -.infinity }
    guard p < 1 else { return .infinity }
    guard p <= 0.5 else { return -quantile(1 - p) }
    let t = (-2 * log(p)).squareRoot()
    var x =
      (2.515517 + t * (0.802853 + t * 0.010328))
      / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t
    for _ in 0..<3 {
      let step = (cumulative(x) - p) * (2 * Double.pi).squareRoot() * exp(x * x / 2)
      x -= step / (1 + x * step / 2)
    }
    return x
  }
}
