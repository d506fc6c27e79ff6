import JettisonCore
import JettisonReports

/// The smallest of some memory sizes from which on users lose no more than so often.
struct EnoughMemory {
  /// What resampling the users says of the place of a size; ``none`` stands for: no size tried.
  struct Answer: Equatable {
    /// Place among the sizes; nil: none of them is enough.
    var place: Int?
    /// Places within which 95 % of the resamples fall; nil: there are too few users.
    var interval: ClosedRange<Int>?
  }

  private static let resampleCount = 1_999

  /// Losses per user-week: by size, then by user; nil where a run failed.
  private let values: [[Double]?]

  /// Takes what each user lost under each size, the smallest first; all in the order of the users.
  init(_ values: [[Double]?]) {
    self.values = values
  }

  /// The smallest size from which on all larger ones keep the mean at or below a limit.
  ///
  /// - Complexity: O(resamples × sizes × users).
  func answers(_ limits: [Double]) -> [Answer] {
    let means = values.map { $0.map(PairedStatistics.mean) }
    var answers = limits.map { Answer(place: Self.place(means, limit: $0), interval: nil) }
    guard let users = values.lazy.compactMap({ $0?.count }).first,
      users >= UserMetricTable.usersForInterval
    else { return answers }
    var drawn = Array(repeating: [Int](), count: limits.count)
    var random = SplitMix64(seed: 1)
    var sample = Array(repeating: 0, count: users)
    for _ in 0..<Self.resampleCount {
      for place in sample.indices {
        sample[place] = Int(random.next().multipliedFullWidth(by: UInt64(users)).high)
      }
      let means = values.map { own in
        own.map { own in sample.reduce(0) { $0 + own[$1] } / Double(users) }
      }
      for (number, limit) in limits.enumerated() {
        drawn[number].append(Self.place(means, limit: limit) ?? values.count)
      }
    }
    // Of 1,999 the 50th from either end.
    let rank = (Self.resampleCount + 1) / 40
    for number in limits.indices {
      let sorted = drawn[number].sorted()
      answers[number].interval = sorted[rank - 1]...sorted[sorted.count - rank]
    }
    return answers
  }

  private static func place(_ means: [Double?], limit: Double) -> Int? {
    var place: Int?
    for candidate in means.indices.reversed() {
      guard let mean = means[candidate], mean <= limit else { break }
      place = candidate
    }
    return place
  }
}
