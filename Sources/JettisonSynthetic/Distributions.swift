import JettisonModel

/// Draws from the distributions that the generator needs, portable to the last bit.
extension SplitMix64 {
  /// A uniform number in (0, 1]: safe under a logarithm.
  mutating func positiveUniform() -> Double { 1 - uniform() }

  /// A uniform number between two bounds.
  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * uniform()
  }

  /// A standard normal number, by the polar method (Marsaglia and Bray 1964).
  mutating func normal() -> Double {
    while true {
      let x = 2 * uniform() - 1
      let y = 2 * uniform() - 1
      let square = x * x + y * y
      if square > 0, square < 1 {
        return x * (-2 * PortableMath.ln(square) / square).squareRoot()
      }
    }
  }

  /// A log-normal number with the given median and standard deviation of its logarithm.
  mutating func logNormal(median: Double, sigma: Double) -> Double {
    median * PortableMath.exp(sigma * normal())
  }

  /// An exponential number with mean 1.
  mutating func exponential() -> Double { -PortableMath.ln(positiveUniform()) }

  /// A geometric number from 0 with the given positive mean.
  mutating func geometric(mean: Double) -> Int {
    let stay = mean / (1 + mean)
    return Int(min(PortableMath.ln(positiveUniform()) / PortableMath.ln(stay), 1_000))
  }

  /// A gamma number of scale 1 (Marsaglia and Tsang 2000).
  mutating func gamma(shape: Double) -> Double {
    if shape < 1 {
      let boost = PortableMath.exp(PortableMath.ln(positiveUniform()) / shape)
      return gamma(shape: shape + 1) * boost
    }
    let d = shape - 1 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      guard root > 0 else { continue }
      let v = root * root * root
      if PortableMath.ln(positiveUniform()) < 0.5 * x * x + d - d * v + d * PortableMath.ln(v) {
        return d * v
      }
    }
  }

  /// A position drawn with probability proportional to its weight; nil if all weights are 0.
  ///
  /// Complexity: O(weights).
  mutating func pick(_ weights: [Double]) -> Int? {
    var total = 0.0
    for weight in weights { total += weight }
    guard total > 0 else { return nil }
    var rest = uniform() * total
    for (position, weight) in weights.enumerated() where weight > 0 {
      rest -= weight
      if rest < 0 { return position }
    }
    return weights.lastIndex { $0 > 0 }
  }
}
