/// Exact arithmetic on shares and rates: every product is formed in 128 bits, and halves round
/// away from zero.
enum ModelArithmetic {
  /// `amount` × `partsPerMillion`, rounded to the nearest whole.
  static func share(_ amount: Int64, _ partsPerMillion: Int64) -> Int64 {
    quotient(Int128(amount) * Int128(partsPerMillion), by: 1_000_000)
  }

  /// How long `bytes` × share take at `bytesPerSecond`, in nanoseconds.
  static func duration(_ bytes: Int64, sharePPM: Int64, bytesPerSecond: Int64) -> Int64 {
    guard bytesPerSecond > 0 else { return 0 }
    return quotient(Int128(bytes) * Int128(sharePPM) * 1000, by: Int128(bytesPerSecond))
  }

  /// Nearest whole of a quotient of a non-negative number, clamped to 64 bits.
  static func quotient(_ numerator: Int128, by denominator: Int128) -> Int64 {
    Int64(clamping: (2 * numerator + denominator) / (2 * denominator))
  }

  /// The sum, or the largest time there is.
  static func sum(_ time: Int64, _ delay: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(delay)
    return overflow ? .max : sum
  }
}
