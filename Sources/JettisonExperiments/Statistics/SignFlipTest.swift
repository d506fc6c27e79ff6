import JettisonCore

/// Whether differences could as well have had the opposite signs: a permutation test of their
/// mean that assumes nothing but that, without a true difference, either sign is as likely.
enum SignFlipTest {
  /// Most users for whom all patterns of signs are counted.
  static let exactLimit = 20
  /// Patterns drawn for more users.
  static let drawCount = 10_000

  /// Two-sided probability of a mean at least as far from 0; nil for no differences.
  ///
  /// - Complexity: O(2^(n/2) n) for up to ``exactLimit`` differences, else O(draws × n).
  static func pValue(_ differences: [Double], seed: UInt64) -> Double? {
    guard !differences.isEmpty else { return nil }
    let sum = differences.reduce(0, +)
    let limit = sum.magnitude - PairedStatistics.tolerance(differences)
    return differences.count <= exactLimit
      ? exact(differences, limit: limit) : drawn(differences, limit: limit, seed: seed)
  }

  /// Counts all patterns: sums of the first half of the users meet those of the second half,
  /// which are sorted, so that no more than 2^10 sums are held.
  private static func exact(_ differences: [Double], limit: Double) -> Double {
    let middle = differences.count / 2
    let first = signedSums(differences[..<middle])
    let second = signedSums(differences[middle...]).sorted()
    var extreme = 0
    for sum in first {
      let above = second.count - partitionPoint(second) { sum + $0 >= limit }
      let below = partitionPoint(second) { sum + $0 > -limit }
      // Where the limit is not positive, every pattern is as extreme, and would count twice.
      extreme += limit <= 0 ? second.count : above + below
    }
    return Double(extreme) / Double(first.count * second.count)
  }

  private static func signedSums(_ values: ArraySlice<Double>) -> [Double] {
    var sums = [0.0]
    for value in values { sums = sums.map { $0 + value } + sums.map { $0 - value } }
    return sums
  }

  /// Position of the first value for which `isPast` holds; it holds for all after it.
  private static func partitionPoint(
    _ sorted: [Double], where isPast: (Double) -> Bool
  ) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if isPast(sorted[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func drawn(_ differences: [Double], limit: Double, seed: UInt64) -> Double {
    let random = KeyedRandom(seed: seed, user: "")
    let words = (differences.count + 63) / 64
    var extreme = 0
    for draw in 0..<drawCount {
      var sum = 0.0
      var bits: UInt64 = 0
      for (place, difference) in differences.enumerated() {
        if place % 64 == 0 {
          bits = random.bits(
            entity: UInt64(differences.count), episode: UInt64(draw * words + place / 64),
            purpose: .permutation)
        }
        sum += bits & 1 == 0 ? difference : -difference
        bits >>= 1
      }
      if sum.magnitude >= limit { extreme += 1 }
    }
    // The pattern that was seen is one of those possible.
    return Double(extreme + 1) / Double(drawCount + 1)
  }
}
