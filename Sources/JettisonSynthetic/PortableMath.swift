/// Logarithm and exponential made of additions, multiplications and divisions alone.
///
/// The functions of a system's mathematics library differ in their last bit from one release to
/// the next; generated traces must not. IEEE 754 fixes every operation used here, so the results
/// are the same on every platform. Accurate to a few units in the last place.
enum PortableMath {
  private static let ln2 = 0x1.62e42fefa39efp-1
  /// The leading 32 bits of ln 2: its products with small integers are exact.
  private static let ln2High = 0x1.62e42feep-1
  private static let ln2Low = 0x1.a39ef35793c76p-33
  private static let squareRootOfHalf = 0x1.6a09e667f3bcdp-1

  /// Natural logarithm; −∞ at 0.
  ///
  /// Complexity: O(1).
  ///
  /// - Precondition: `x` is finite and not negative.
  static func ln(_ x: Double) -> Double {
    precondition(x.isFinite && x >= 0, "a logarithm is taken of finite numbers from 0")
    guard x > 0 else { return -.infinity }
    var mantissa = x.significand / 2
    var exponent = Double(x.exponent) + 1
    if mantissa < squareRootOfHalf {
      mantissa *= 2
      exponent -= 1
    }
    // ln m = 2 artanh((m − 1) / (m + 1)); the argument is below 0.172, so 12 terms suffice.
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var sum = 0.0
    for k in stride(from: 23, through: 1, by: -2) { sum = sum * square + 1 / Double(k) }
    return exponent * ln2High + (exponent * ln2Low + 2 * s * sum)
  }

  /// e to the power of `x`; arguments beyond ±700 are taken as ±700.
  ///
  /// Complexity: O(1).
  static func exp(_ x: Double) -> Double {
    let x = min(max(x, -700), 700)
    let twos = (x / ln2).rounded()
    let rest = (x - twos * ln2High) - twos * ln2Low
    // |rest| <= ln 2 / 2: the 15th term is below 1e-18.
    var sum = 1.0
    for k in stride(from: 15, through: 1, by: -1) { sum = 1 + rest * sum / Double(k) }
    return sum * Double(sign: .plus, exponent: Int(twos), significand: 1)
  }
}
