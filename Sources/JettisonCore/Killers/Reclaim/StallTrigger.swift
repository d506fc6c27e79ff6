/// Says when stalled time grows by a threshold within a window: a trigger on a line of pressure
/// stall information.
///
/// The window slides approximately: growth since its start plus what is left of the growth of the
/// one before; after a window without a stall it begins anew. Meant to be checked every
/// ``tickNanoseconds`` while apps are stalled or an event is held. Fires at most once a window; what
/// is found too early is held until then.
struct StallTrigger: BitwiseCopyable, Sendable, Equatable {
  /// Time between two ticks, in nanoseconds.
  static let tickNanoseconds: Int64 = 100_000_000

  /// Stalled time that fires, in nanoseconds.
  let thresholdNanoseconds: Int64
  /// Length of the window, in nanoseconds.
  let windowNanoseconds: Int64
  private var windowStart: Int64
  private var valueAtStart: Int64
  private var growthBefore: Int64 = 0
  private var valueSeen: Int64
  private var lastGrown: Int64
  private var lastFired = Int64.min
  private var isPending = false

  /// Begins a window at a time and a total.
  ///
  /// - Precondition: the window is positive and at least as long as the threshold.
  init(
    thresholdNanoseconds: Int64, windowNanoseconds: Int64, at time: Int64 = 0, total: Int64 = 0
  ) {
    precondition(windowNanoseconds > 0, "a window has a length")
    precondition(thresholdNanoseconds <= windowNanoseconds, "a window can hold its threshold")
    self.thresholdNanoseconds = thresholdNanoseconds
    self.windowNanoseconds = windowNanoseconds
    windowStart = time
    valueAtStart = total
    valueSeen = total
    lastGrown = time
  }

  /// When an event that is held may be told, in nanoseconds; `.max`: none is held.
  var heldUntil: Int64 {
    guard isPending else { return .max }
    return lastFired == .min ? .min : lastFired + windowNanoseconds
  }

  /// When it fired last; `.min`: never.
  var lastFiredNanoseconds: Int64 { lastFired }

  /// Checks the total stalled time; true: it fires now.
  ///
  /// Time must not decrease.
  mutating func check(at time: Int64, total: Int64) -> Bool {
    if total != valueSeen {
      if time - lastGrown > windowNanoseconds {
        windowStart = time
        valueAtStart = valueSeen
        growthBefore = 0
      }
      lastGrown = time
      valueSeen = total
      if reaches(total, at: time) { isPending = true }
    }
    guard isPending, lastFired == .min || time - lastFired >= windowNanoseconds else {
      return false
    }
    lastFired = time
    isPending = false
    return true
  }

  /// Whether a total reaches the threshold; it may begin a window.
  private mutating func reaches(_ total: Int64, at time: Int64) -> Bool {
    let growth = total - valueAtStart
    let elapsed = time - windowStart
    if elapsed > windowNanoseconds {
      windowStart = time
      valueAtStart = total
      growthBefore = growth
      return growth >= thresholdNanoseconds
    }
    return isReached(by: growth, and: growthBefore, after: elapsed)
  }

  /// What is left of the growth of the window before, some time into this one.
  private func left(of growth: Int64, after elapsed: Int64) -> Int64 {
    let remaining = windowNanoseconds - elapsed
    let (product, overflow) = growth.multipliedReportingOverflow(by: remaining)
    guard overflow else { return product / windowNanoseconds }
    return windowNanoseconds.dividingFullWidth(growth.multipliedFullWidth(by: remaining)).quotient
  }
}

// MARK: - Equal stalls

extension StallTrigger {
  /// How the total goes on after the newest tick: by the same time from the next tick on.
  struct Course: BitwiseCopyable {
    /// The newest tick, in nanoseconds.
    let time: Int64
    /// The total at the next tick, in nanoseconds.
    let total: Int64
    /// Stalled time between that tick and the one after it, and so on, in nanoseconds.
    let growth: Int64

    /// The total at a tick, counted from 1.
    func total(atTick tick: Int64) -> Int64 { total + (tick - 1) * growth }

    /// When a tick is made, counted from 1, in nanoseconds.
    func time(ofTick tick: Int64) -> Int64 { time + tick * tickNanoseconds }
  }

  /// What a trigger will do on a course for as long as that lasts.
  enum Outlook {
    /// It fires never.
    case silent
    /// The threshold is reached at every tick, so that it fires once a window.
    case steady
    /// Something else.
    case mixed
  }

  /// Whether the newest tick saw stalled time grow, without which a course says nothing yet.
  func isOn(_ course: Course) -> Bool { lastGrown == course.time && course.total > valueSeen }

  /// What it will do on a course that it is on.
  ///
  /// Within a window growth is linear in time, so its ends tell all; and each window from the third
  /// on is like the third.
  func outlook(on course: Course) -> Outlook {
    guard Self.tickNanoseconds <= windowNanoseconds else { return .mixed }
    // A bound that is easily had: all of two windows, and of the one before.
    let bound =
      course.total - valueAtStart + growthBefore + 2 * ticksPerWindow * course.growth
    if bound < thresholdNanoseconds { return isPending ? .mixed : .silent }
    let finds = finds(on: course)
    if finds.isAlways { return .steady }
    return finds.isEver || isPending ? .mixed : .silent
  }

  /// Whether ticks on a course find the threshold reached.
  private func finds(on course: Course) -> Finds {
    let first = ticksToNextWindow(on: course)
    // As if it had grown by the same time before the next tick, too.
    let seen = course.total(atTick: 0) - valueAtStart
    let atNext = seen + first * course.growth
    var finds = Finds()
    func meet(_ tick: Int64, of begin: Int64, _ grown: Int64, after before: Int64) {
      let elapsed = tick * Self.tickNanoseconds - begin
      finds.meet(isReached(by: grown + tick * course.growth, and: before, after: elapsed))
    }
    finds.meet(atNext >= thresholdNanoseconds)
    if first > 1 {
      meet(1, of: windowStart - course.time, seen, after: growthBefore)
      meet(first - 1, of: windowStart - course.time, seen, after: growthBefore)
    }
    if finds.isMixed { return finds }
    let length = ticksPerWindow
    let full = length * course.growth
    // With so much in the window before, no tick of a window finds less: what is left of that falls
    // by no more than is added.
    let least = full - course.growth
    if finds.isAlways, least >= thresholdNanoseconds, atNext >= least { return finds }
    finds.meet(full >= thresholdNanoseconds)
    if length > 1 {
      meet(1, of: 0, 0, after: atNext)
      meet(length - 1, of: 0, 0, after: atNext)
      meet(1, of: 0, 0, after: full)
      meet(length - 1, of: 0, 0, after: full)
    }
    return finds
  }

  /// Whether the threshold is reached by growth and by what is left of the window before, some time
  /// into this one.
  ///
  /// Without a division, where the numbers allow.
  private func isReached(by growth: Int64, and before: Int64, after elapsed: Int64) -> Bool {
    let missing = thresholdNanoseconds - growth
    guard missing > 0 else { return true }
    let (left, leftOverflows) =
      before.multipliedReportingOverflow(by: windowNanoseconds - elapsed)
    let (wanted, wantedOverflows) = missing.multipliedReportingOverflow(by: windowNanoseconds)
    if leftOverflows || wantedOverflows { return self.left(of: before, after: elapsed) >= missing }
    return left >= wanted
  }

  private struct Finds: BitwiseCopyable {
    var isAlways = true
    var isEver = false

    var isMixed: Bool { isEver && !isAlways }

    mutating func meet(_ isReached: Bool) {
      isAlways = isAlways && isReached
      isEver = isEver || isReached
    }
  }

  /// When it fires next on a course, or some time before, if not in the first three windows or in
  /// the first 300 ticks.
  ///
  /// - Parameter outlook: That of the course.
  /// - Complexity: O(1), except where the outlook is mixed: O(ticks per window), for windows of any
  ///   length at most 300 ticks.
  func nextEvent(on course: Course, _ outlook: Outlook) -> Int64 {
    if outlook == .steady { return course.time(ofTick: firstEvent(on: course)) }
    var copy = self
    let last = min(300, 3 * ticksPerWindow)
    for tick in 1...last {
      let time = course.time(ofTick: tick)
      if copy.check(at: time, total: course.total(atTick: tick)) { return time }
    }
    return course.time(ofTick: last)
  }

  /// The first tick at which it fires, where each reaches the threshold.
  private func firstEvent(on course: Course) -> Int64 {
    guard lastFired != .min else { return 1 }
    return max(1, Self.ticks(in: lastFired + windowNanoseconds - course.time))
  }

  /// Makes `count` checks on a course, as ``check(at:total:)`` would one by one.
  ///
  /// - Parameter outlook: That of the course, from here or from earlier on it.
  /// - Complexity: O(1), except where the outlook is mixed: O(`count`).
  mutating func follow(_ course: Course, ticks count: Int64, _ outlook: Outlook) {
    if outlook == .mixed {
      for tick in 1...count {
        _ = check(at: course.time(ofTick: tick), total: course.total(atTick: tick))
      }
    } else {
      follow(course, ticks: count, outlook) { course.total(atTick: $0) }
    }
  }

  /// Makes `count` ticks as on a course of which only the beginning is known, where the total grows
  /// at each tick.
  ///
  /// - Parameters:
  ///   - outlook: What it does on it, which is never mixed.
  ///   - total: The total at a tick, counted from 1, in nanoseconds.
  @inline(__always)
  mutating func follow(
    _ course: Course, ticks count: Int64, _ outlook: Outlook, total: (Int64) -> Int64
  ) {
    moveWindow(course, count, total)
    if outlook == .steady { moveEvents(course, count) }
  }

  @inline(__always)
  private mutating func moveWindow(
    _ course: Course, _ count: Int64, _ total: (Int64) -> Int64
  ) {
    if course.time(ofTick: count) - windowStart > windowNanoseconds {
      let first = ticksToNextWindow(on: course)
      let length = ticksPerWindow
      // Mostly it is the newest.
      let begin =
        count - first < length ? first : first + (count - first) / length * length
      let atBegin = total(begin)
      growthBefore = atBegin - (begin > first ? total(begin - length) : valueAtStart)
      windowStart = course.time(ofTick: begin)
      valueAtStart = atBegin
    }
    valueSeen = total(count)
    lastGrown = course.time(ofTick: count)
  }

  /// Every tick reaches the threshold: it fires as often as it may.
  private mutating func moveEvents(_ course: Course, _ count: Int64) {
    let first = firstEvent(on: course)
    isPending = true
    guard count >= first else { return }
    let every = Self.ticks(in: windowNanoseconds)
    let last = first + (count - first) / every * every
    lastFired = course.time(ofTick: last)
    isPending = last < count
  }

  /// Ticks until the one at which a window begins: the first more than a window after its start.
  private func ticksToNextWindow(on course: Course) -> Int64 {
    (windowStart + windowNanoseconds - course.time) / Self.tickNanoseconds + 1
  }

  /// Ticks from the one at which a window begins to that at which the next does.
  private var ticksPerWindow: Int64 { windowNanoseconds / Self.tickNanoseconds + 1 }

  /// Ticks until so much time has passed, in nanoseconds.
  private static func ticks(in nanoseconds: Int64) -> Int64 {
    (nanoseconds + tickNanoseconds - 1) / tickNanoseconds
  }
}
