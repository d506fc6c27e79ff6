/// Why lmkd kills; the value is the code in its reports.
package enum LMKDReason: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case pressureAfterKill = 0
  case notResponding = 1
  case lowSwapAndThrashing = 2
  case lowMemoryAndSwap = 3
  case lowMemoryAndThrashing = 4
  case directReclaimAndThrashing = 5
  case lowMemoryAndSwapUtilization = 6
  case lowFileCacheAfterThrashing = 7
  case lowMemory = 8
}

/// The user-space low-memory killer: when it kills, and from which `oom_score_adj` on.
///
/// Holds what lmkd remembers between two wake-ups, and decides at each; it chooses no victim. All
/// arithmetic is lmkd's, in integers. The order of reasons is that of the revision of December
/// 2023; see <doc:AndroidModel#lmkd>.
///
/// Source: `lmkd.cpp` of the Android Open Source Project.
package struct LMKDaemon: Sendable {
  /// What a wake-up rests on besides what lmkd reads.
  package struct Settings: Sendable, Equatable {
    /// Time to wait for a victim, in nanoseconds; 0: until it is dead.
    package var killTimeoutNanoseconds: Int64 = 100_000_000
    /// Swap is low below this share of it, in percent.
    package var swapFreeLowPercent: Int64 = 10
    /// Thrashing is too much above this share of the file cache read again, in percent.
    package var thrashingLimit: Int64 = 100
    /// What a kill for thrashing takes off the limit, in percent.
    package var thrashingLimitDecay: Int64 = 10
    /// Above it no app is protected.
    package var thrashingLimitCritical: Int64 = 300
    /// Most of the swappable memory that may be swapped, in percent; 100: off.
    package var swapUtilizationMax: Int64 = 100
    /// File cache below which lmkd kills after thrashing, in pages; 0: off.
    package var fileCacheMinPages: Int64 = 0
    /// Complete stalls above which no app is protected, in percent over 10 s; 100: off.
    package var stallLimitCritical: Double = 100
    /// Lowest value of a kill for pressure that a kill has left.
    package var pressureAfterKillMinAdj: Int16 = 0
    /// Lowest value of a kill for low memory alone, at least 201; above 1000: never.
    package var lowMemoryMinAdj: Int16 = 701
    /// Uncompressed over compressed size, by which easily available memory limits free swap; 0: off.
    package var swapCompressionRatio: Int64 = 0

    package init() {}
  }

  /// Why lmkd wakes.
  package enum Event: UInt8, BitwiseCopyable, Sendable {
    /// It polls, some time after an event.
    case poll
    /// Some apps were stalled for long.
    case partialStall
    /// All apps were.
    case completeStall
  }

  /// What lmkd reads when it wakes: counters since boot, and sizes in pages.
  package struct Reading: BitwiseCopyable, Sendable {
    /// Now, in nanoseconds.
    package var time: Int64 = 0
    package var directScans: Int64 = 0
    package var backgroundScans: Int64 = 0
    package var refaults: Int64 = 0
    /// Free pages without those set aside for devices.
    package var freePages: Int64 = 0
    package var activeFilePages: Int64 = 0
    package var inactiveFilePages: Int64 = 0
    /// Anonymous and shared pages in memory.
    package var anonymousPages: Int64 = 0
    package var swapTotalPages: Int64 = 0
    package var swapFreePages: Int64 = 0
    /// Complete stalls over 10 s, in percent.
    package var fullStallPercent: Double = 0

    package init() {}

    fileprivate var sample: Sample {
      Sample(time: time, refaults: refaults, filePages: filePages)
    }

    /// Pages of file cache; half of what is set counts as inactive.
    var filePages: Int64 {
      get { activeFilePages + inactiveFilePages }
      set {
        inactiveFilePages = newValue / 2
        activeFilePages = newValue - inactiveFilePages
      }
    }
  }

  /// Whom to kill for, and what follows from it.
  package struct Order: BitwiseCopyable, Sendable, Equatable {
    package let reason: LMKDReason
    /// Only apps of this value or a higher one may go.
    package let minAdj: Int16
    /// Whether a kill lowers the limit of thrashing.
    package let cutsLimit: Bool

    package init(reason: LMKDReason, minAdj: Int16, cutsLimit: Bool) {
      self.reason = reason
      self.minAdj = minAdj
      self.cutsLimit = cutsLimit
    }
  }

  /// What a wake-up came to.
  package enum Outcome: Equatable, Sendable {
    /// The last victim is waited for.
    case skipped
    case nothing
    case kill(Order)
  }

  private static let windowNanoseconds: Int64 = 1_000_000_000
  private static let perceptibleAndBelow: Int16 = 201

  package let settings: Settings
  package let watermarks: Watermarks

  private var hasWoken = false
  private var isKilling = false
  private var victimIsDead = false
  private var lastKill: Int64 = 0
  private var lastRefaults: Int64 = 0
  private var lastDirectScans: Int64 = 0
  private var lastBackgroundScans: Int64 = 0
  private var baseFilePages: Int64 = 0
  private var baseRefaults: Int64 = 0
  private var windowStart: Int64 = 0
  private var growthBefore: Int64 = 0
  private var checksFileCache = false
  /// The limit of thrashing after what kills have taken off, in percent.
  package private(set) var limit: Int64
  /// Thrashing at the last wake-up, in percent.
  package private(set) var thrashing: Int64 = 0
  /// The most since the last kill, in percent; without ticks of a path, of which only the last count.
  package private(set) var thrashingMax: Int64 = 0
  /// Whether swap was low at the last wake-up.
  package private(set) var swapIsLow = false
  /// Whether apps had to reclaim memory themselves before the last wake-up.
  package private(set) var reclaimsDirectly = false

  package init(_ settings: Settings, watermarks: Watermarks) {
    self.settings = settings
    self.watermarks = watermarks
    limit = settings.thrashingLimit
  }

  /// Whether a victim is waited for at a time.
  package func isWaiting(at time: Int64) -> Bool {
    isKilling && !victimIsDead
      && (settings.killTimeoutNanoseconds == 0
        || time - lastKill < settings.killTimeoutNanoseconds)
  }

  /// One wake-up.
  package mutating func wake(_ event: Event, _ reading: Reading) -> Outcome {
    if isWaiting(at: reading.time) { return .skipped }
    let afterKill = isKilling
    if afterKill || !hasWoken {
      // lmkd itself starts from zeros, but at boot, long before its first wake-up.
      hasWoken = true
      isKilling = false
      beginWindow(reading.sample)
      growthBefore = 0
    }
    swapIsLow = isSwapLow(reading)
    guard noticesReclaim(reading) else { return .nothing }
    measureThrashing(reading.sample)
    let breach = watermarks.breach(freePages: reading.freePages)
    guard var order = order(event, reading, breach, afterKill: afterKill) else { return .nothing }
    if reading.fullStallPercent > settings.stallLimitCritical {
      order = Order(reason: order.reason, minAdj: 0, cutsLimit: order.cutsLimit)
    }
    return .kill(order)
  }

  /// A victim of an order was found and killed.
  package mutating func didKill(_ order: Order, at time: Int64) {
    isKilling = true
    victimIsDead = false
    lastKill = time
    thrashingMax = 0
    if order.cutsLimit { limit = limit * (100 - settings.thrashingLimitDecay) / 100 }
  }

  /// The last victim is dead: the next wake-up is handled.
  package mutating func victimDied() {
    victimIsDead = true
  }

  // MARK: What is read

  func isSwapLow(_ reading: Reading) -> Bool {
    var free = reading.swapFreePages
    if settings.swapCompressionRatio > 0 {
      let easy = reading.freePages + reading.inactiveFilePages
      free = min(free, easy * settings.swapCompressionRatio)
    }
    return free < reading.swapTotalPages * settings.swapFreeLowPercent / 100
  }

  /// Whether memory is being reclaimed or read again; if not, nothing is killed.
  private mutating func noticesReclaim(_ reading: Reading) -> Bool {
    reclaimsDirectly = false
    if reading.directScans > lastDirectScans {
      reclaimsDirectly = true
      lastDirectScans = reading.directScans
      lastBackgroundScans = reading.backgroundScans
    } else if reading.backgroundScans > lastBackgroundScans {
      lastBackgroundScans = reading.backgroundScans
    } else if reading.refaults == lastRefaults {
      return false
    }
    lastRefaults = reading.refaults
    return true
  }

  /// What thrashing is measured by.
  fileprivate struct Sample: BitwiseCopyable {
    var time: Int64
    var refaults: Int64
    var filePages: Int64
  }

  private mutating func beginWindow(_ sample: Sample) {
    baseFilePages = sample.filePages
    baseRefaults = sample.refaults
    windowStart = sample.time
  }

  private mutating func measureThrashing(_ sample: Sample) {
    let growth = (sample.refaults - baseRefaults) * 100 / (baseFilePages + 1)
    let elapsed = sample.time - windowStart
    if elapsed > Self.windowNanoseconds {
      growthBefore = growth
      let windows = elapsed / Self.windowNanoseconds
      if windows > 1 || growthBefore < limit { growthBefore >>= windows }
      beginWindow(sample)
      limit = settings.thrashingLimit
      thrashing = growthBefore
    } else {
      thrashing = growth + growthBefore
    }
    thrashingMax = max(thrashingMax, thrashing)
  }

  // MARK: Reasons

  /// The first reason that holds, in lmkd's order.
  private mutating func order(
    _ event: Event, _ reading: Reading, _ breach: Watermarks.Breach, afterKill: Bool
  ) -> Order? {
    let isBelowMin = breach < .low
    let isBelowLow = breach < .high
    if afterKill, isBelowMin {
      return Order(
        reason: .pressureAfterKill, minAdj: settings.pressureAfterKillMinAdj, cutsLimit: false)
    }
    if event == .completeStall {
      return Order(reason: .notResponding, minAdj: 0, cutsLimit: false)
    }
    if swapIsLow, thrashing > settings.thrashingLimit {
      checksFileCache = true
      return Order(
        reason: .lowSwapAndThrashing, minAdj: minAdjForSwap(isBelowMin), cutsLimit: false)
    }
    if swapIsLow, isBelowLow {
      return Order(reason: .lowMemoryAndSwap, minAdj: minAdjForSwap(isBelowMin), cutsLimit: false)
    }
    if isBelowLow, settings.swapUtilizationMax < 100,
      swapUtilization(reading) > settings.swapUtilizationMax
    {
      return Order(reason: .lowMemoryAndSwapUtilization, minAdj: 0, cutsLimit: false)
    }
    if thrashing > limit, isBelowLow || reclaimsDirectly {
      checksFileCache = true
      return Order(
        reason: isBelowLow ? .lowMemoryAndThrashing : .directReclaimAndThrashing,
        minAdj: thrashing < settings.thrashingLimitCritical ? Self.perceptibleAndBelow : 0,
        cutsLimit: true)
    }
    return orderForFileCache(reading) ?? orderForLowMemory(isBelowLow)
  }

  private mutating func orderForFileCache(_ reading: Reading) -> Order? {
    guard checksFileCache else { return nil }
    guard reading.filePages < settings.fileCacheMinPages else {
      checksFileCache = false
      return nil
    }
    return Order(
      reason: .lowFileCacheAfterThrashing, minAdj: Self.perceptibleAndBelow, cutsLimit: false)
  }

  private func orderForLowMemory(_ isBelowLow: Bool) -> Order? {
    guard isBelowLow, settings.lowMemoryMinAdj <= OomAdj.highest else { return nil }
    return Order(
      reason: .lowMemory, minAdj: max(Self.perceptibleAndBelow, settings.lowMemoryMinAdj),
      cutsLimit: false)
  }

  /// Spares what is perceptible unless free memory is below the least mark or thrashing critical.
  private func minAdjForSwap(_ isBelowMin: Bool) -> Int16 {
    !isBelowMin && thrashing < settings.thrashingLimitCritical ? Self.perceptibleAndBelow : 0
  }

  private func swapUtilization(_ reading: Reading) -> Int64 {
    let used = reading.swapTotalPages - reading.swapFreePages
    let swappable = reading.anonymousPages + used
    return swappable > 0 ? used * 100 / swappable : 0
  }
}

// MARK: - Wake-ups without a victim

extension LMKDaemon {
  /// What wake-ups may ask for as long as memory stays as it is.
  struct Outlook: BitwiseCopyable {
    /// The lowest value that any of them may kill from; above 1000: none kills.
    var lowestAdj: Int16 = OomAdj.unknown
    /// Whether each asks for a kill.
    var alwaysKills = false
    /// Whether some may ask for one and others not.
    var isMixed = false
  }

  /// Whether the next wake-up is the first after a kill.
  var isKillPending: Bool { isKilling }

  /// Whether a wake-up that reads these counters does nothing.
  func seesNothingNew(directScans: Int64, backgroundScans: Int64, refaults: Int64) -> Bool {
    hasSeen(refaults: refaults) && directScans <= lastDirectScans
      && backgroundScans <= lastBackgroundScans
  }

  /// Whether the newest wake-up read this counter.
  func hasSeen(refaults: Int64) -> Bool { hasWoken && refaults == lastRefaults }

  /// Whether the next wake-up finds that apps had to reclaim memory themselves.
  func noticesDirectReclaim(_ directScans: Int64) -> Bool { directScans > lastDirectScans }

  /// What wake-ups without a pending kill or a complete stall may ask for from a reading on while
  /// `flow` goes on, one at every tick `step` nanoseconds after the last.
  ///
  /// Bounds, not figures: it may allow a kill that will not come, but misses none.
  ///
  /// - Parameter isRough: Whether a wide bound of thrashing will do, which is had at once. Then more
  ///   may be allowed, and ``Outlook/alwaysKills`` is no more often true.
  func outlook(
    _ reading: Reading, _ flow: FilePageFlow, every step: Int64, isRough: Bool = false
  ) -> Outlook {
    var outlook = Outlook()
    let most =
      isRough
      ? thrashingBound(reading, flow, every: step) : mostThrashing(reading, flow, every: step)
    let breach = watermarks.breach(freePages: reading.freePages)
    let isBelowLow = breach < .high
    let swapIsLow = isSwapLow(reading)
    let thrashes = most > min(limit, settings.thrashingLimit)
    let spared: Int16 = most < settings.thrashingLimitCritical ? Self.perceptibleAndBelow : 0
    if swapIsLow, isBelowLow || thrashes {
      outlook.mayKill(from: breach < .low ? 0 : spared)
    }
    let mayReclaim = flow.directScans > 0 || noticesDirectReclaim(reading.directScans)
    if thrashes, isBelowLow || mayReclaim { outlook.mayKill(from: spared) }
    if isBelowLow, settings.swapUtilizationMax < 100,
      swapUtilization(reading) > settings.swapUtilizationMax
    {
      outlook.mayKill(from: 0)
      outlook.alwaysKills = true
    }
    if let lowMemory = orderForLowMemory(isBelowLow) {
      outlook.mayKill(from: lowMemory.minAdj)
      outlook.alwaysKills = true
    }
    if swapIsLow, isBelowLow { outlook.alwaysKills = true }
    // What the flag of the file cache comes to depends on each wake-up.
    if settings.fileCacheMinPages > 0, checksFileCache || thrashes {
      outlook.mayKill(from: Self.perceptibleAndBelow)
      outlook.alwaysKills = false
    }
    outlook.isMixed = outlook.lowestAdj <= OomAdj.highest && !outlook.alwaysKills
    if settings.stallLimitCritical < 100, outlook.lowestAdj <= OomAdj.highest {
      outlook.lowestAdj = 0
    }
    return outlook
  }

  /// The most thrashing that any wake-up will measure, or some more where no limit lies between.
  private func mostThrashing(
    _ reading: Reading, _ flow: FilePageFlow, every step: Int64
  ) -> Int64 {
    let bound = thrashingBound(reading, flow, every: step)
    // At the end of a window, all of it is measured at least.
    let least =
      Self.windowNanoseconds / step * flow.refaultPages * 100 / (flow.filePages + 1)
    func isBetween(_ limit: Int64) -> Bool { least <= limit && limit < bound }
    guard
      isBetween(min(limit, settings.thrashingLimit))
        || isBetween(settings.thrashingLimitCritical - 1)
    else { return bound }
    // The third window is like all that follow.
    var copy = self
    copy.thrashingMax = 0
    copy.follow(
      flow, wakes: 3 * (Self.windowNanoseconds / step + 1), every: step, from: reading)
    return copy.thrashingMax
  }

  /// What no wake-up will measure more than: all of a window and all of the one before it.
  private func thrashingBound(
    _ reading: Reading, _ flow: FilePageFlow, every step: Int64
  ) -> Int64 {
    let ofOneWindow = (Self.windowNanoseconds / step + 1) * flow.refaultPages
    let atItsEnd = (reading.refaults - baseRefaults + ofOneWindow) * 100 / (baseFilePages + 1)
    let later = ofOneWindow * 100 / (flow.filePages + 1)
    return max(atItsEnd + max(growthBefore, later), later + later)
  }

  /// Wakes `count` times, at every tick `step` nanoseconds after the last, as ``wake(_:_:)`` would
  /// one by one where `flow` goes on and there is no app to kill.
  ///
  /// - Parameter reading: What the newest wake-up read, and pages scanned since then.
  /// - Complexity: O(1): windows of one flow are alike from the third on.
  mutating func follow(
    _ flow: FilePageFlow, wakes count: Int64, every step: Int64, from reading: Reading
  ) {
    let length = Self.windowNanoseconds / step + 1
    var done: Int64 = 0
    var windows = 0
    while true {
      // The first wake-up after more than a window.
      let roll = max(1, (windowStart + Self.windowNanoseconds - reading.time) / step + 1)
      if roll - 1 > done { note(flow, wake: min(roll - 1, count), every: step, from: reading) }
      guard roll <= count else { break }
      done = roll
      windows += 1
      note(flow, wake: roll, every: step, from: reading)
      if windows >= 3 {
        let whole = (count - done) / length * length
        done += whole
        windowStart += whole * step
        baseRefaults += whole * flow.refaultPages
      }
    }
    reclaimsDirectly =
      flow.directScans > 0 || (count == 1 && noticesDirectReclaim(reading.directScans))
    lastRefaults = reading.refaults + count * flow.refaultPages
    lastDirectScans = reading.directScans + count * flow.directScans
    lastBackgroundScans = reading.backgroundScans + count * flow.backgroundScans
  }

  /// Wakes at every tick of a path, ``follow(_:wakes:every:from:)`` where the flow changes and apps
  /// never reclaim memory themselves.
  ///
  /// - Parameters:
  ///   - reading: What the newest wake-up before it read.
  ///   - backgroundScans: Pages scanned in the background when it wakes last.
  mutating func follow(
    _ path: borrowing FlowPath, every step: Int64, from reading: Reading, backgroundScans: Int64
  ) {
    func read(_ tick: Int64) -> Sample {
      Sample(
        time: reading.time + tick * step,
        refaults: reading.refaults + path.refaults(throughTick: tick),
        filePages: path.flow(atTick: tick).filePages)
    }
    let first = max(1, (windowStart + Self.windowNanoseconds - reading.time) / step + 1)
    if first <= path.ticks {
      measureThrashing(read(first))
      // Of the windows that follow, the last is measured, from where it begins.
      let length = Self.windowNanoseconds / step + 1
      let last = first + (path.ticks - first) / length * length
      if last > first {
        if last > first + length { beginWindow(read(last - length)) }
        measureThrashing(read(last))
      }
      if path.ticks > last { measureThrashing(read(path.ticks)) }
    } else {
      measureThrashing(read(path.ticks))
    }
    reclaimsDirectly = false
    lastRefaults = reading.refaults + path.refaults(throughTick: path.ticks)
    lastDirectScans = reading.directScans
    lastBackgroundScans = backgroundScans
  }

  /// What the wake-up of a number measures.
  @inline(__always)
  private mutating func note(
    _ flow: FilePageFlow, wake: Int64, every step: Int64, from reading: Reading
  ) {
    measureThrashing(
      Sample(
        time: reading.time + wake * step, refaults: reading.refaults + wake * flow.refaultPages,
        filePages: flow.filePages))
  }
}

extension LMKDaemon.Outlook {
  fileprivate mutating func mayKill(from adj: Int16) { lowestAdj = min(lowestAdj, adj) }
}
