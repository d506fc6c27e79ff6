extension Int64 {
  /// The sum with a number that is not negative; the largest number if it does not fit.
  @inlinable package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
