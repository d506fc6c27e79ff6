internal import JettisonCore

/// Something at a time that may be matched with others of its key.
struct TimedOutcome: Equatable {
  let timeNanoseconds: Int64
  /// What must be equal: the app, or the level too.
  let key: Int
}

/// Which observed outcomes and which simulated ones are the same.
///
/// Two are the same if their keys are equal and their times differ by no more than a window. Of all
/// ways to pair them in the order of their times, one with the most pairs is taken, each simulated
/// partner then moved to a nearer one that is free.
struct OutcomeMatching: Equatable {
  /// Position of the simulated partner of each observed outcome.
  private(set) var partners: [Int?]
  /// Position of the observed partner of each simulated outcome.
  private(set) var observedPartners: [Int?]

  /// Pairs two lists, each in order of time.
  ///
  /// Complexity: O(n log n).
  init(observed: [TimedOutcome], simulated: [TimedOutcome], windowNanoseconds: Int64) {
    partners = Array(repeating: nil, count: observed.count)
    observedPartners = Array(repeating: nil, count: simulated.count)
    let simulatedByKey = Dictionary(grouping: simulated.indices) { simulated[$0].key }
    let observedByKey = Dictionary(grouping: observed.indices) { observed[$0].key }
    // The order of the keys decides nothing: they do not share outcomes.
    for (key, own) in observedByKey {
      guard let others = simulatedByKey[key] else { continue }
      pair(
        own, own.map { observed[$0].timeNanoseconds }, others,
        others.map { simulated[$0].timeNanoseconds }, windowNanoseconds)
    }
  }

  private mutating func pair(
    _ own: [Int], _ ownTimes: [Int64], _ others: [Int], _ otherTimes: [Int64], _ window: Int64
  ) {
    var pairs: [(own: Int, other: Int)] = []
    var (left, right) = (0, 0)
    while left < own.count, right < others.count {
      let offset = otherTimes[right] - ownTimes[left]
      if offset < -window {
        right += 1
      } else if offset > window {
        left += 1
      } else {
        pairs.append((left, right))
        left += 1
        right += 1
      }
    }
    var limit = others.count
    for position in pairs.indices.reversed() {
      let (left, first) = pairs[position]
      var best = first
      for other in first..<limit
      where abs(otherTimes[other] - ownTimes[left]) < abs(otherTimes[best] - ownTimes[left]) {
        best = other
      }
      limit = best
      partners[own[left]] = others[best]
      observedPartners[others[best]] = own[left]
    }
  }
}

/// Observed kills that follow each other within the window, and how well the simulation has them
/// together.
struct KillMoments: Equatable {
  /// Positions of the observed kills, moment by moment.
  private(set) var ranges: [Range<Int>] = []
  /// Whether the same apps went on both sides, all of them in time.
  private(set) var isSameSet: [Bool] = []
  /// Whether they also went in the same order.
  private(set) var isExact: [Bool] = []
  /// Number of the moment of each observed kill, from 0.
  private(set) var momentOfKill: [Int] = []

  /// Looks at matched kills, each list in order of time.
  ///
  /// A simulated kill without a partner spoils every moment that is no farther than the window: at
  /// most two.
  init(
    observed: [TimedOutcome], simulated: [TimedOutcome], matching: OutcomeMatching,
    windowNanoseconds: Int64
  ) {
    for position in observed.indices {
      let isNew =
        position == 0
        || observed[position].timeNanoseconds - observed[position - 1].timeNanoseconds
          > windowNanoseconds
      if isNew {
        ranges.append(position..<position + 1)
      } else {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<position + 1
      }
      momentOfKill.append(ranges.count - 1)
    }
    for range in ranges {
      let partners = matching.partners[range]
      let isSame = partners.allSatisfy { $0 != nil }
      isSameSet.append(isSame)
      let order = partners.compactMap { $0 }
      isExact.append(isSame && zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
    }
    for (position, kill) in simulated.enumerated()
    where matching.observedPartners[position] == nil {
      for moment in near(kill.timeNanoseconds, observed, windowNanoseconds) {
        isSameSet[moment] = false
        isExact[moment] = false
      }
    }
  }

  /// The moments about a time.
  private func near(_ time: Int64, _ observed: [TimedOutcome], _ window: Int64) -> [Int] {
    func distance(_ moment: Int) -> Int64 {
      let first = observed[ranges[moment].lowerBound].timeNanoseconds
      let last = observed[ranges[moment].upperBound - 1].timeNanoseconds
      return max(first - time, time - last, 0)
    }
    let next = ranges.partitioningIndex {
      observed[$0.upperBound - 1].timeNanoseconds >= time
    }
    return [next - 1, next].filter { ranges.indices.contains($0) && distance($0) <= window }
  }
}

/// How often outcomes of a run would be at about the same time as observed ones by chance.
enum ChanceOfTime {
  /// Share of all shifts of a run along a capture, round its end, at which an outcome of the run
  /// is no farther than the window from a time of the capture: the same for every time.
  ///
  /// - Parameters:
  ///   - times: Times of the run's outcomes, ascending.
  ///   - begin: Where the capture begins to count, in nanoseconds.
  ///   - end: Where it ends.
  ///   - windowNanoseconds: What counts as about the same time.
  static func share(
    of times: [Int64], from begin: Int64, to end: Int64, windowNanoseconds: Int64
  ) -> Double {
    let length = end - begin
    guard let first = times.first, let last = times.last else { return 0 }
    guard length > 0, windowNanoseconds < length else { return 1 }
    // Each outcome covers a window before and after it; two that are near share a part.
    let width = 2 * windowNanoseconds
    var covered = min(first - last + length, width)
    for (earlier, later) in zip(times, times.dropFirst()) { covered += min(later - earlier, width) }
    return min(1, Double(covered) / Double(length))
  }
}
