/// Time stalled in the current and in the last full second: what the memory factor rests on.
///
/// Checked every ``AndroidState/tickNanoseconds``, of which a second is a multiple.
struct StallWindow: BitwiseCopyable, Equatable {
  private static let nanoseconds: Int64 = 1_000_000_000
  private static let ticks = nanoseconds / AndroidState.tickNanoseconds

  /// The current second, counted from 0.
  private var second: Int64 = 0
  private var totalAtStart: Int64 = 0
  private var growthBefore: Int64 = 0

  /// Reads the total stalled time; the result is the memory factor.
  mutating func tick(at time: Int64, total: Int64) -> MemoryFactor {
    if time >= (second + 1) * Self.nanoseconds {
      let now = time / Self.nanoseconds
      growthBefore = now == second + 1 ? total - totalAtStart : 0
      second = now
      totalAtStart = total
    }
    return Self.factor(max(growthBefore, total - totalAtStart))
  }

  /// Makes `count` ticks on a course.
  ///
  /// - Complexity: O(1).
  mutating func follow(_ count: Int64, on course: StallTrigger.Course) {
    follow(count, on: course) { course.total(atTick: $0) }
  }

  /// Makes `count` ticks as on a course of which only the beginning is known.
  ///
  /// - Parameter total: The total at a tick, counted from 1, in nanoseconds.
  @inline(__always)
  mutating func follow(
    _ count: Int64, on course: StallTrigger.Course, total: (Int64) -> Int64
  ) {
    let now = course.time(ofTick: count) / Self.nanoseconds
    guard now > second else { return }
    let tick = (now * Self.nanoseconds - course.time) / AndroidState.tickNanoseconds
    let totalAtStart = total(tick)
    growthBefore =
      totalAtStart - (now == second + 1 ? self.totalAtStart : total(tick - Self.ticks))
    second = now
    self.totalAtStart = totalAtStart
  }

  /// The first tick on a course that finds another factor, in nanoseconds; `.max`: none does.
  ///
  /// - Complexity: O(1): after two seconds nothing changes any more.
  func nextChange(of factor: MemoryFactor, on course: StallTrigger.Course) -> Int64 {
    // The tick with which the next second begins.
    let next =
      ((second + 1) * Self.nanoseconds - course.time) / AndroidState.tickNanoseconds
    let grown = course.total - totalAtStart
    if let tick = Self.change(
      of: factor, from: grown, by: course.growth, before: growthBefore, ticks: next - 1)
    {
      return course.time(ofTick: 1 + tick)
    }
    let ofSecond = grown + (next - 1) * course.growth
    if let tick = Self.change(
      of: factor, from: 0, by: course.growth, before: ofSecond, ticks: Self.ticks)
    {
      return course.time(ofTick: next + tick)
    }
    let isSame = Self.factor(Self.ticks * course.growth) == factor
    return isSame ? .max : course.time(ofTick: next + Self.ticks)
  }

  /// The first tick of a second, counted from 0, that finds another factor; nil: none does.
  ///
  /// - Parameters:
  ///   - grown: Stalled time in this second by its first tick, to which `growth` is added from tick
  ///     to tick.
  ///   - before: Stalled time in the second before.
  @inline(__always)
  private static func change(
    of factor: MemoryFactor, from grown: Int64, by growth: Int64, before: Int64, ticks: Int64
  ) -> Int64? {
    guard ticks > 0 else { return nil }
    guard Self.factor(max(before, grown)) == factor else { return 0 }
    // It grows, so that a higher factor comes once it is far enough.
    guard growth > 0, factor != .critical else { return nil }
    let missing = end(of: factor) - grown
    return missing > (ticks - 1) * growth ? nil : (missing + growth - 1) / growth
  }

  // The stalled time from which on the factor is that (assumed), in nanoseconds of a second.
  private static let moderate: Int64 = 15_000_000
  private static let low: Int64 = 30_000_000
  private static let critical: Int64 = 50_000_000

  /// The factor by the time in which some app was stalled.
  @inline(__always)
  private static func factor(_ stalled: Int64) -> MemoryFactor {
    switch stalled {
    case critical...: .critical
    case low...: .low
    case moderate...: .moderate
    default: .normal
    }
  }

  /// The stalled time from which on the factor is a higher one.
  @inline(__always)
  private static func end(of factor: MemoryFactor) -> Int64 {
    switch factor {
    case .normal: moderate
    case .moderate: low
    case .low: critical
    case .critical: .max
    }
  }
}
