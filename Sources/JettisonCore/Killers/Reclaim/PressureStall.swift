/// How long the apps of a group wait for memory: the analogue of Linux' pressure stall information.
///
/// An app is a member while it runs code; one that is suspended or frozen is idle and counts in
/// nothing. An operation that makes it wait (direct reclaim, a refault, a swap-in) stalls it for a
/// time from now on; what follows at once waits behind it. SOME is the time in which a member is
/// stalled, FULL the time in which one is and none makes progress. On several processors each
/// stretch between two changes counts by the ratios of the kernel: with `n` the lesser of members
/// and processors, SOME is `min(stalled / n, 1)` and FULL `(n - min(productive, n)) / n`.
///
/// Every 2 s the shares of the period enter three moving averages in the kernel's fixed point.
/// Time is moved lazily and exactly: however often it is moved, the figures are the same. Without
/// a stall and with averages that have died away, any stretch costs one step; so it does if
/// no averages are kept.
///
/// Source: Linux `kernel/sched/psi.c`; for the simulator see <doc:LinuxModels#Pressure-stalls>.
struct PressureStall: Sendable {
  /// Period of the averages, in nanoseconds.
  static let periodNanoseconds: Int64 = 2_000_000_000
  /// The most processors that are told apart.
  static let maximumProcessors = 8

  private struct Member: BitwiseCopyable, Sendable {
    let app: AppIndex
    /// When its newest stall ends, in nanoseconds; at or before now: it makes progress.
    ///
    /// Not kept where all end together.
    var stalledUntil: Int64
  }

  /// Time in which some member was stalled.
  private(set) var some = StallLine()
  /// Time in which a member was stalled and none made progress.
  private(set) var full = StallLine()
  /// The time up to which everything is accounted for, in nanoseconds.
  private(set) var now: Int64 = 0

  private let processors: Int64
  /// Whether anybody reads averages.
  let keepsAverages: Bool
  private var members: [Member] = []
  /// The first and the last end of the members' newest stalls: mostly all end together, and then these
  /// are all that is kept of them.
  private var firstEnd = Int64.max
  private var lastEnd = Int64.min
  private var periodEnd = PressureStall.periodNanoseconds

  /// Makes a group without members at the start of a trace.
  ///
  /// - Precondition: `processors` is 1 to ``maximumProcessors``.
  /// - Parameter keepsAverages: Whether anybody reads averages; without them only totals move.
  init(processors: Int = 1, keepsAverages: Bool = true) {
    precondition((1...Self.maximumProcessors).contains(processors), "1 to 8 processors")
    self.processors = Int64(processors)
    self.keepsAverages = keepsAverages
    members.reserveCapacity(8)
  }

  /// Number of members: the apps that run code.
  var memberCount: Int { members.count }

  /// Whether nothing is stalled and no average is above zero: nothing but a stall changes that.
  var isQuiet: Bool {
    some.isQuiet && full.isQuiet && lastEnd <= now
  }

  /// Whether averages can only fall: nothing is stalled, nor was in the period that is open.
  var isFalling: Bool {
    some.isPeriodEmpty && full.isPeriodEmpty && lastEnd <= now
  }

  /// When the last stall in flight ends; nil: none is.
  var stallsEnd: Int64? { lastEnd > now ? lastEnd : nil }

  // MARK: Changes

  /// An app begins or ceases to run code; a stall that it was in is over when it ceases.
  ///
  /// - Returns: Whether that is new.
  @discardableResult
  mutating func setRunning(_ app: AppIndex, _ isRunning: Bool, at time: Int64) -> Bool {
    let position = members.firstIndex { $0.app == app }
    guard isRunning != (position != nil) else { return false }
    advance(to: time)
    if let position {
      // They are in no order.
      members.swapAt(position, members.count - 1)
      members.removeLast()
      if members.isEmpty { (firstEnd, lastEnd) = (.max, .min) }
      if firstEnd != lastEnd { setEnds { $0 } }
    } else if lastEnd <= now {
      // It is like the others, who all make progress.
      members.append(Member(app: app, stalledUntil: now))
      setEnds(together: now)
    } else {
      tellApart()
      members.append(Member(app: app, stalledUntil: now))
      setEnds { $0 }
    }
    return true
  }

  /// An app waits for a time from now on, or from the end of the stall that it is in.
  ///
  /// An app that does not run waits for nothing.
  mutating func stall(_ app: AppIndex, for nanoseconds: Int64, at time: Int64) {
    advance(to: time)
    guard nanoseconds > 0, let position = members.firstIndex(where: { $0.app == app }) else {
      return
    }
    tellApart()
    let begin = max(now, members[position].stalledUntil)
    members[position].stalledUntil = begin.addingSaturated(nanoseconds)
    setEnds { $0 }
  }

  /// Every member waits for a time from now on, or from the end of the stall that it is in.
  mutating func stallAll(for nanoseconds: Int64, at time: Int64) {
    advance(to: time)
    guard !members.isEmpty else { return }
    if firstEnd == lastEnd || lastEnd <= now {
      setEnds(together: max(now, lastEnd).addingSaturated(nanoseconds))
    } else {
      setEnds { [now] in max(now, $0).addingSaturated(nanoseconds) }
    }
  }

  /// Gives all members' stalls one end.
  @inline(__always)
  private mutating func setEnds(together end: Int64) { (firstEnd, lastEnd) = (end, end) }

  /// Before the end of one of them becomes another: each remembers its own.
  private mutating func tellApart() {
    if firstEnd == lastEnd { setEnds { [lastEnd] _ in lastEnd } }
  }

  /// Gives every member's stall another end, where they do not end together.
  @inline(__always)
  private mutating func setEnds(_ end: (Int64) -> Int64) {
    (firstEnd, lastEnd) = Self.setEnds(of: &members, end)
  }

  /// The result are the first and the last end.
  @inline(__always)
  private static func setEnds(
    of members: inout [Member], _ end: (Int64) -> Int64
  ) -> (Int64, Int64) {
    var (first, last) = (Int64.max, Int64.min)
    var members = members.mutableSpan
    for position in members.indices {
      let stalledUntil = end(members[position].stalledUntil)
      members[position].stalledUntil = stalledUntil
      first = min(first, stalledUntil)
      last = max(last, stalledUntil)
    }
    return (first, last)
  }

  // MARK: Time

  /// Every member has waited for a time from now on, and does so again `count` times, every `step`:
  /// accounts for all but the last of these stalls, which begins then.
  ///
  /// The same as `count` times ``stallAll(for:at:)``.
  ///
  /// - Precondition: no member waits for longer than that, and the time is no longer than the step.
  /// - Complexity: O(members); with averages O(`count`).
  mutating func repeatStalls(_ count: Int64, every step: Int64, for nanoseconds: Int64) {
    guard !keepsAverages else {
      for _ in 0..<count { stallAll(for: nanoseconds, at: now + step) }
      return
    }
    guard !members.isEmpty else {
      now += count * step
      return
    }
    repeatStalls(in: count * nanoseconds, until: now + count * step, last: nanoseconds)
  }

  /// Every member waited for so long in all, until it began to wait at `time`, for a time from then
  /// on: accounts for all but that stall.
  ///
  /// The same as ``stallAll(for:at:)`` as often as they waited.
  ///
  /// - Precondition: there are members, no averages are kept, and no member waited past the next stall.
  mutating func repeatStalls(in all: Int64, until time: Int64, last nanoseconds: Int64) {
    precondition(!keepsAverages, "averages need each stall")
    some.add(whole: all)
    full.add(whole: all)
    now = time
    setEnds(together: now + nanoseconds)
  }

  /// Accounts for the time up to `time`; one in the past changes nothing.
  ///
  /// - Complexity: O(members) per change of state and per period of 2 s until all is quiet.
  @inline(__always)
  mutating func advance(to time: Int64) {
    guard now < time else { return }
    guard !keepsAverages else { return advanceByPeriods(to: time) }
    if now < lastEnd { accrue(to: time) }
    now = time
  }

  private mutating func advanceByPeriods(to time: Int64) {
    while now < time {
      if isQuiet {
        skip(to: time)
        return
      }
      let end = min(time, periodEnd)
      accrue(to: end)
      now = end
      if now == periodEnd { closePeriod() }
    }
  }

  /// Stalled time at a time that lies ahead, of some member and of all, if nothing changes before.
  @inline(__always)
  mutating func totals(at time: Int64) -> (some: Int64, full: Int64) {
    if firstEnd == lastEnd || lastEnd <= now {
      let ofAll = max(now, min(time, lastEnd)) - now
      return (some.totalNanoseconds + ofAll, full.totalNanoseconds + ofAll)
    }
    let lines = (some, full)
    defer { (some, full) = lines }
    accrue(to: time)
    return (some.totalNanoseconds, full.totalNanoseconds)
  }

  /// Nothing happens until `time`: averages stay at zero.
  private mutating func skip(to time: Int64) {
    now = time
    periodEnd = (time - time % Self.periodNanoseconds).addingSaturated(Self.periodNanoseconds)
  }

  /// Adds the stretches between now and `end`, in each of which the same members are stalled.
  private mutating func accrue(to end: Int64) {
    var begin = now
    guard begin < lastEnd else { return }
    if firstEnd == lastEnd {
      addStall(of: max(0, min(end, lastEnd) - begin))
      return
    }
    while begin < end {
      var stalled: Int64 = 0
      var next = end
      for member in members where member.stalledUntil > begin {
        stalled += 1
        next = min(next, member.stalledUntil)
      }
      guard stalled > 0 else { return }
      let count = Int64(members.count)
      let threads = min(count, processors)
      let productive = min(count - stalled, threads)
      some.add(
        next - begin, share: min(stalled, threads), of: threads, toAverages: keepsAverages)
      full.add(
        next - begin, share: threads - productive, of: threads, toAverages: keepsAverages)
      begin = next
    }
  }

  /// Adds a time in which every member was stalled.
  private mutating func addStall(of nanoseconds: Int64) {
    some.add(nanoseconds, share: 1, of: 1, toAverages: keepsAverages)
    full.add(nanoseconds, share: 1, of: 1, toAverages: keepsAverages)
  }

  private mutating func closePeriod() {
    some.closePeriod(of: Self.periodNanoseconds)
    full.closePeriod(of: Self.periodNanoseconds)
    periodEnd = periodEnd.addingSaturated(Self.periodNanoseconds)
  }
}

/// One line of pressure stall information: averages over 10, 60 and 300 s and a total.
struct StallLine: BitwiseCopyable, Sendable, Equatable {
  /// 1 in the kernel's fixed point.
  private static let one: Int64 = 2048
  /// Factors of a period of 2 s in 10, 60 and 300 s.
  private static let factors: (Int64, Int64, Int64) = (1677, 1981, 2034)
  /// Divisible by every number of processors that is told apart, so that shares add up exactly.
  private static let unitsPerNanosecond: Int64 = 840

  /// Stalled time so far, in nanoseconds.
  private(set) var totalNanoseconds: Int64 = 0
  private var unitsOverTotal: Int64 = 0
  private var periodUnits: Int64 = 0
  private var load10: Int64 = 0
  private var load60: Int64 = 0
  private var load300: Int64 = 0

  /// Average over about 10 s, in hundredths of a percent, truncated as the kernel prints it.
  var hundredths10: Int64 { Self.hundredths(load10) }
  /// Average over about 60 s, as ``hundredths10``.
  var hundredths60: Int64 { Self.hundredths(load60) }
  /// Average over about 300 s, as ``hundredths10``.
  var hundredths300: Int64 { Self.hundredths(load300) }

  /// Average over about 10 s, in percent.
  var percent10: Double { Double(hundredths10) / 100 }
  /// Average over about 60 s, in percent.
  var percent60: Double { Double(hundredths60) / 100 }
  /// Average over about 300 s, in percent.
  var percent300: Double { Double(hundredths300) / 100 }

  fileprivate var isPeriodEmpty: Bool { periodUnits == 0 }

  /// Whether there is nothing left to decay or to enter an average.
  fileprivate var isQuiet: Bool {
    periodUnits == 0 && load10 == 0 && load60 == 0 && load300 == 0
  }

  /// Adds stalled time to the total alone.
  fileprivate mutating func add(whole nanoseconds: Int64) { totalNanoseconds += nanoseconds }

  /// Adds a share of a stretch, of at most one period where averages are kept.
  fileprivate mutating func add(
    _ nanoseconds: Int64, share: Int64, of whole: Int64, toAverages: Bool
  ) {
    guard share < whole || toAverages else {
      totalNanoseconds += nanoseconds
      return
    }
    let units = nanoseconds * (Self.unitsPerNanosecond / whole) * share
    if toAverages { periodUnits += units }
    unitsOverTotal += units
    totalNanoseconds += unitsOverTotal / Self.unitsPerNanosecond
    unitsOverTotal %= Self.unitsPerNanosecond
  }

  /// Whole percent of the period enter the averages, as in the kernel.
  fileprivate mutating func closePeriod(of nanoseconds: Int64) {
    let percent = min(100, periodUnits * 100 / (nanoseconds * Self.unitsPerNanosecond))
    periodUnits = 0
    load10 = Self.load(load10, Self.factors.0, percent)
    load60 = Self.load(load60, Self.factors.1, percent)
    load300 = Self.load(load300, Self.factors.2, percent)
  }

  private static func load(_ old: Int64, _ factor: Int64, _ percent: Int64) -> Int64 {
    let active = percent * one
    let sum = old * factor + active * (one - factor)
    return (active >= old ? sum + one - 1 : sum) / one
  }

  private static func hundredths(_ load: Int64) -> Int64 {
    load / one * 100 + load % one * 100 / one
  }
}
