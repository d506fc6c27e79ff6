/// Looks that were left out: what they would have moved, in one step.
extension AndroidState {
  /// Time between two wake-ups of lmkd while it polls, in nanoseconds: less while swap is low.
  var pollNanoseconds: Int64 { daemon.swapIsLow ? 10_000_000 : Self.lookNanoseconds }

  /// Accounts for all looks and polls due up to a time that were not made, because they could
  /// neither change the level nor kill anybody.
  ///
  /// - Complexity: O(1) in general, however many they are.
  @inline(__always)
  mutating func bringUpToDate(through time: Int64) {
    if isAsleep || (time < nextLook && time < nextPoll && !descent.isOn) { return }
    follow(through: time)
  }

  @inline(never)
  private mutating func follow(through time: Int64) {
    if descent.isOn { endDescent() }
    if time >= nextLook { followLooks(through: time) }
    // What else lmkd polls for, between looks or when nothing is scanned any more, shows nothing.
    if nextPoll <= time {
      let polls = (time - nextPoll) / pollNanoseconds + 1
      let next = nextPoll.addingSaturated(polls * pollNanoseconds)
      nextPoll = next <= pollsUntil ? next : .max
    }
  }

  private mutating func followLooks(through time: Int64) {
    let count = (time - lookedAt) / Self.lookNanoseconds
    let last = lookedAt + count * Self.lookNanoseconds
    stall.advance(to: nextLook)
    let courses = courses(some: stall.some.totalNanoseconds, full: stall.full.totalNanoseconds)
    stallWindow.follow(count, on: courses.some)
    if flow.stallNanoseconds > 0 { followStalls(count, on: courses) }
    if leftOutPolls != .none { followPolls(count, through: last) }
    refaults += count * flow.refaultPages
    directScans += count * flow.directScans
    backgroundScans += count * flow.backgroundScans
    lookedAt = last
  }

  private mutating func followStalls(
    _ count: Int64, on courses: (some: StallTrigger.Course, full: StallTrigger.Course)
  ) {
    let growth = flow.stallNanoseconds
    stall.stallAll(for: growth, at: nextLook)
    stall.repeatStalls(count - 1, every: Self.lookNanoseconds, for: growth)
    if !rules.usesNewStrategy { lowTrigger.follow(courses.some, looks: count, lowOutlook) }
    partialTrigger.follow(courses.some, looks: count, partialOutlook)
    completeTrigger.follow(courses.full, looks: count, completeOutlook)
    seenStallNanoseconds = stall.some.totalNanoseconds
  }

  private mutating func followPolls(_ count: Int64, through last: Int64) {
    var reading = LMKDaemon.Reading()
    reading.time = lookedAt
    reading.directScans = directScans
    reading.backgroundScans = backgroundScans
    reading.refaults = refaults
    if daemon.noticesDirectReclaim(directScans) { extendPolls(from: nextLook) }
    switch leftOutPolls {
    case .none: return
    case .byThemselves: extendPolls(from: last)
    case .byEvents: extendPolls(from: partialTrigger.lastFiredNanoseconds)
    case .ending: break
    }
    let polls = min(count, (pollsUntil - lookedAt) / Self.lookNanoseconds)
    if polls > 0 {
      daemon.follow(flow, wakes: polls, every: Self.lookNanoseconds, from: reading)
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

  /// Something begins after a time in which no look found anything.
  @inline(__always)
  mutating func wakeUp(at time: Int64) {
    guard isAsleep else { return }
    isAsleep = false
    bringUpToDate(through: time)
  }

  /// The look after the newest, in nanoseconds.
  var nextLook: Int64 {
    mutating get { lookedAt + Self.lookNanoseconds }
  }

  /// How stalls go on from the next look while nothing changes, by what that look sees.
  private mutating func courses(
    some: Int64, full: Int64
  ) -> (some: StallTrigger.Course, full: StallTrigger.Course) {
    func course(_ total: Int64) -> StallTrigger.Course {
      StallTrigger.Course(time: lookedAt, total: total, growth: flow.stallNanoseconds)
    }
    return (course(some), course(full))
  }

  /// How stalls go on while nothing changes; nil: the looks after the next are not alike yet.
  mutating func evenCourses() -> (some: StallTrigger.Course, full: StallTrigger.Course)? {
    // Who began to wait at the instant of the next look has added nothing to its totals yet.
    guard (stall.stallsEnd ?? 0) <= nextLook else { return nil }
    let totals = stall.totals(at: nextLook)
    if flow.stallNanoseconds == 0, totals.some != seenStallNanoseconds { return nil }
    return courses(some: totals.some, full: totals.full)
  }

  // MARK: One look

  /// What running apps miss of the working set is read again, and they wait for it.
  mutating func rereadFilePages(at time: Int64) {
    lookedAt = time
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
    let isComplete = completeTrigger.check(at: lookedAt, total: full)
    let isPartial = partialTrigger.check(at: lookedAt, total: some)
    let isLow = !rules.usesNewStrategy && lowTrigger.check(at: lookedAt, total: some)
    if isComplete { return (.completeStall, .critical) }
    if isPartial { return (.partialStall, .medium) }
    return isLow ? (.partialStall, .low) : nil
  }

  /// Whether the next look may find something other than the newest did.
  @inline(__always)
  var needsPoll: Bool {
    mutating get {
      !flow.isStill || nextPoll != .max || factor != .normal || heldEventTime != .max
        || stall.stallsEnd != nil || stall.some.totalNanoseconds != seenStallNanoseconds
    }
  }

  /// The look at which an event is told that was found too soon after the last, in nanoseconds;
  /// `.max`: there is none.
  var heldEventTime: Int64 {
    mutating get {
      var time = min(partialTrigger.heldUntil, completeTrigger.heldUntil)
      if !rules.usesNewStrategy { time = min(time, lowTrigger.heldUntil) }
      guard time < .max else { return .max }
      let looks = max(0, time - lookedAt - 1) / Self.lookNanoseconds + 1
      return lookedAt + looks * Self.lookNanoseconds
    }
  }
}
