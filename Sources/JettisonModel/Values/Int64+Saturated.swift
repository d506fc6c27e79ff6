extension Int64 {
  /// The sum with a number that is not negative; the largest number if it does not fit.
  @inlinable package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Adds a number that is not negative, and stays at the largest number instead of leaving the range:
  /// times and sizes of a trace may be absurd.
  @inlinable package mutating func addSaturated(_ other: Int64) { self = addingSaturated(other) }

  /// The product of numbers that are not negative; the largest number if it does not fit.
  package func multipliedSaturated(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
