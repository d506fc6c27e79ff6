/// Skipped ticks: what they would have moved, in one step.
extension AndroidState {
  /// Time between two wake-ups of lmkd while it polls, in nanoseconds: less while swap is low.
  var pollNanoseconds: Int64 { daemon.swapIsLow ? 10_000_000 : Self.tickNanoseconds }

  /// Accounts for all ticks and polls due up to a time that were not made, because they could
  /// neither change the level nor kill anybody.
  ///
  /// - Complexity: O(1) in general, however many they are.
  @inline(__always)
  mutating func bringUpToDate(through time: Int64) {
    if isAsleep || (time < nextTick && time < nextPoll && !descent.isOn) { return }
    follow(through: time)
  }

  @inline(never)
  private mutating func follow(through time: Int64) {
    if descent.isOn { endDescent() }
    if time >= nextTick { followTicks(through: time) }
    // What else lmkd polls for, between ticks or when nothing is scanned any more, shows nothing.
    if nextPoll <= time {
      let polls = (time - nextPoll) / pollNanoseconds + 1
      let next = nextPoll.addingSaturated(polls * pollNanoseconds)
      nextPoll = next <= pollsUntil ? next : .max
    }
  }

  private mutating func followTicks(through time: Int64) {
    let count = (time - lastTick) / Self.tickNanoseconds
    let last = lastTick + count * Self.tickNanoseconds
    stall.advance(to: nextTick)
    let courses = courses(some: stall.some.totalNanoseconds, full: stall.full.totalNanoseconds)
    stallWindow.follow(count, on: courses.some)
    if flow.stallNanoseconds > 0 { followStalls(count, on: courses) }
    if leftOutPolls != .none { followPolls(count, through: last) }
    refaults += count * flow.refaultPages
    directScans += count * flow.directScans
    backgroundScans += count * flow.backgroundScans
    lastTick = last
  }

  private mutating func followStalls(
    _ count: Int64, on courses: (some: StallTrigger.Course, full: StallTrigger.Course)
  ) {
    let growth = flow.stallNanoseconds
    stall.stallAll(for: growth, at: nextTick)
    stall.repeatStalls(count - 1, every: Self.tickNanoseconds, for: growth)
    if !rules.usesNewStrategy { lowTrigger.follow(courses.some, ticks: count, lowOutlook) }
    partialTrigger.follow(courses.some, ticks: count, partialOutlook)
    completeTrigger.follow(courses.full, ticks: count, completeOutlook)
    seenStallNanoseconds = stall.some.totalNanoseconds
  }

  private mutating func followPolls(_ count: Int64, through last: Int64) {
    var reading = LMKDaemon.Reading()
    reading.time = lastTick
    reading.directScans = directScans
    reading.backgroundScans = backgroundScans
    reading.refaults = refaults
    if daemon.noticesDirectReclaim(directScans) { extendPolls(from: nextTick) }
    switch leftOutPolls {
    case .none: return
    case .byThemselves: extendPolls(from: last)
    case .byEvents: extendPolls(from: partialTrigger.lastFiredNanoseconds)
    case .ending: break
    }
    let polls = min(count, (pollsUntil - lastTick) / Self.tickNanoseconds)
    if polls > 0 {
      daemon.follow(flow, wakes: polls, every: Self.tickNanoseconds, from: reading)
    }
    nextPoll = last + pollNanoseconds
    if nextPoll > pollsUntil {
      nextPoll = .max
      leftOutPolls = .none
    }
  }

  private mutating func extendPolls(from time: Int64) {
    pollsUntil = max(pollsUntil, time.addingSaturated(rules.windowNanoseconds))
  }

  /// Something begins after a time in which no tick found anything.
  @inline(__always)
  mutating func wakeUp(at time: Int64) {
    guard isAsleep else { return }
    isAsleep = false
    bringUpToDate(through: time)
  }

  /// The tick after the newest, in nanoseconds.
  var nextTick: Int64 {
    mutating get { lastTick + Self.tickNanoseconds }
  }

  /// How stalls go on from the next tick while nothing changes, by what that tick sees.
  private mutating func courses(
    some: Int64, full: Int64
  ) -> (some: StallTrigger.Course, full: StallTrigger.Course) {
    func course(_ total: Int64) -> StallTrigger.Course {
      StallTrigger.Course(time: lastTick, total: total, growth: flow.stallNanoseconds)
    }
    return (course(some), course(full))
  }

  /// How stalls go on while nothing changes; nil: the ticks after the next are not alike yet.
  mutating func evenCourses() -> (some: StallTrigger.Course, full: StallTrigger.Course)? {
    // Who began to wait at the instant of the next tick has added nothing to its totals yet.
    guard (stall.stallsEnd ?? 0) <= nextTick else { return nil }
    let totals = stall.totals(at: nextTick)
    if flow.stallNanoseconds == 0, totals.some != seenStallNanoseconds { return nil }
    return courses(some: totals.some, full: totals.full)
  }

  // MARK: One tick

  /// What running apps miss of the working set is read again, and they wait for it.
  mutating func rereadFilePages(at time: Int64) {
    lastTick = time
    stall.stallAll(for: flow.stallNanoseconds, at: time)
    refaults += flow.refaultPages
    directScans += flow.directScans
    backgroundScans += flow.backgroundScans
    seenStallNanoseconds = stall.some.totalNanoseconds
  }

  /// The most serious monitor that fires now, in the words of both strategies.
  mutating func stallEvent() -> (newer: LMKDaemon.Event, older: LegacyPressure)? {
    let some = stall.some.totalNanoseconds
    let full = stall.full.totalNanoseconds
    let isComplete = completeTrigger.check(at: lastTick, total: full)
    let isPartial = partialTrigger.check(at: lastTick, total: some)
    let isLow = !rules.usesNewStrategy && lowTrigger.check(at: lastTick, total: some)
    if isComplete { return (.completeStall, .critical) }
    if isPartial { return (.partialStall, .medium) }
    return isLow ? (.partialStall, .low) : nil
  }

  /// Whether the next tick may find something other than the newest did.
  @inline(__always)
  var needsPoll: Bool {
    mutating get {
      !flow.isStill || nextPoll != .max || factor != .normal || heldEventTime != .max
        || stall.stallsEnd != nil || stall.some.totalNanoseconds != seenStallNanoseconds
    }
  }

  /// The tick at which an event is reported that came too soon after the last, in nanoseconds;
  /// `.max`: there is none.
  var heldEventTime: Int64 {
    mutating get {
      var time = min(partialTrigger.heldUntil, completeTrigger.heldUntil)
      if !rules.usesNewStrategy { time = min(time, lowTrigger.heldUntil) }
      guard time < .max else { return .max }
      let ticks = max(0, time - lastTick - 1) / Self.tickNanoseconds + 1
      return lastTick + ticks * Self.tickNanoseconds
    }
  }
}
