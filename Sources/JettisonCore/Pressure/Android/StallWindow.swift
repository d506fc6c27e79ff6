/// Time stalled in the current and in the last full second: what the memory factor rests on.
///
/// Looked at every ``AndroidState/lookNanoseconds``, of which a second is a multiple.
struct StallWindow: BitwiseCopyable, Equatable {
  private static let nanoseconds: Int64 = 1_000_000_000
  private static let looks = nanoseconds / AndroidState.lookNanoseconds

  /// The current second, counted from 0.
  private var second: Int64 = 0
  private var totalAtStart: Int64 = 0
  private var growthBefore: Int64 = 0

  /// Looks at the total stalled time; the result is the memory factor.
  mutating func look(at time: Int64, total: Int64) -> MemoryFactor {
    let now = time / Self.nanoseconds
    if now > second {
      growthBefore = now == second + 1 ? total - totalAtStart : 0
      second = now
      totalAtStart = total
    }
    return Self.factor(max(growthBefore, total - totalAtStart))
  }

  /// Looks `count` times after a look at `time` and `total`, the total growing by the same time
  /// from look to look.
  ///
  /// - Complexity: O(1).
  mutating func follow(_ count: Int64, from time: Int64, total: Int64, growth: Int64) {
    let last = time + count * AndroidState.lookNanoseconds
    let now = last / Self.nanoseconds
    guard now > second else { return }
    let start = now * Self.nanoseconds
    let totalAt = { total + ($0 - time) / AndroidState.lookNanoseconds * growth }
    growthBefore = now == second + 1 ? totalAt(start) - totalAtStart : Self.looks * growth
    second = now
    totalAtStart = totalAt(start)
  }

  /// The first look after one at `time` and `total` that finds another factor if the total grows by
  /// the same time from look to look, in nanoseconds; `.max`: none does.
  ///
  /// - Complexity: O(1): after two seconds nothing changes any more.
  func nextChange(
    of factor: MemoryFactor, from time: Int64, total: Int64, growth: Int64
  ) -> Int64 {
    let left = (second + 1) * Self.nanoseconds - time
    let atEnd = total - totalAtStart + left / AndroidState.lookNanoseconds * growth
    let full = Self.looks * growth
    let least = min(max(growthBefore, total - totalAtStart), atEnd, full)
    let most = max(growthBefore, atEnd, full)
    if Self.factor(least) == factor, Self.factor(most) == factor { return .max }
    var copy = self
    for look in 1...(2 * Self.looks) {
      let next = time + look * AndroidState.lookNanoseconds
      if copy.look(at: next, total: total + look * growth) != factor { return next }
    }
    return .max
  }

  /// The factor by the time in which some app was stalled: 15, 30 or 50 ms of a second (assumed).
  private static func factor(_ stalled: Int64) -> MemoryFactor {
    switch stalled {
    case 50_000_000...: .critical
    case 30_000_000...: .low
    case 15_000_000...: .moderate
    default: .normal
    }
  }
}
