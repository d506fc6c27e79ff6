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
    if time >= (second + 1) * Self.nanoseconds {
      let now = time / Self.nanoseconds
      growthBefore = now == second + 1 ? total - totalAtStart : 0
      second = now
      totalAtStart = total
    }
    return Self.factor(max(growthBefore, total - totalAtStart))
  }

  /// Looks `count` times on a course.
  ///
  /// - Complexity: O(1).
  mutating func follow(_ count: Int64, on course: StallTrigger.Course) {
    follow(count, on: course) { course.total(atLook: $0) }
  }

  /// Looks `count` times as on a course of which only the beginning is known.
  ///
  /// - Parameter total: The total at a look, counted from 1, in nanoseconds.
  @inline(__always)
  mutating func follow(
    _ count: Int64, on course: StallTrigger.Course, total: (Int64) -> Int64
  ) {
    let now = (course.time + count * course.step) / Self.nanoseconds
    guard now > second else { return }
    let look = (now * Self.nanoseconds - course.time) / course.step
    let totalAtStart = total(look)
    growthBefore =
      totalAtStart - (now == second + 1 ? self.totalAtStart : total(look - Self.looks))
    second = now
    self.totalAtStart = totalAtStart
  }

  /// The first look on a course that finds another factor, in nanoseconds; `.max`: none does.
  ///
  /// - Complexity: O(1): after two seconds nothing changes any more.
  func nextChange(of factor: MemoryFactor, on course: StallTrigger.Course) -> Int64 {
    let left = (second + 1) * Self.nanoseconds - course.time
    let atFirst = max(growthBefore, course.total - totalAtStart)
    let atEnd = course.total(atLook: left / course.step) - totalAtStart
    let full = Self.looks * course.growth
    let least = min(atFirst, atEnd, full)
    let most = max(atFirst, atEnd, full)
    if Self.factor(least) == factor, Self.factor(most) == factor { return .max }
    var copy = self
    var next = course.time
    var total = course.total
    for _ in 1...(2 * Self.looks) {
      next += course.step
      if copy.look(at: next, total: total) != factor { return next }
      total += course.growth
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
