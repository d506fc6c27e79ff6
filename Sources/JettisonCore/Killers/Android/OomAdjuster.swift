/// Gives every running app its `oom_score_adj`, as ActivityManager would, from what the trace shows.
///
/// It counts what ActivityManager counts. Suspended apps with 900 or more are cached. Pinned apps
/// (native daemons of a capture, and persistent processes) are not, nor are the previous app, the
/// home screen, and apps that run a task or a mode.
///
/// A *pass* walks the running apps from most to least recent: the app in front, then those that
/// have been shown, longest out of the front last, then those that have not. It sends lmkd a
/// message for each app whose value changed; lmkd puts the app at the head of that value's list.
/// Rules and simplifications: <doc:AndroidModel#Who-gets-which-value>.
///
/// State: two numbers per app and the order of the running ones. A pass is O(running apps), but it
/// reads only those anew that were touched, and ends where all that follow get what they had: when it
/// has met all that are not cached and all that moved, and as many cached ones as then.
package struct OomAdjuster: Sendable {
  /// How long an app with declared background execution counts as just left, in nanoseconds
  /// (`TOP_TO_FGS_GRACE_DURATION`).
  private static let recentFrontNanoseconds: Int64 = 15_000_000_000

  let range: CachedSlots.Range
  let limits: CachedAppLimits
  /// Whether the values of one pass are sent from the least recent app on, as newer releases do.
  let sendsOldestFirst: Bool

  /// Running apps from most to least recent, as of the last pass.
  private(set) var running: [Process] = []
  /// Cached apps that have been shown, in the last pass.
  private(set) var shownCount = 0
  /// Empty apps, in the last pass.
  private(set) var emptyCount = 0
  /// Whether something happened that a pass must look at.
  private(set) var isStale = false

  /// Apps of which something changed since the last pass.
  private var touched: [AppIndex] = []
  private var isAllTouched = false
  /// Whether an app began, moved or ended since the last pass.
  private var isOrderStale = true
  /// How far the order may be another than in the last pass: the last place at which an app stands
  /// now, or stood then, that moved or ended.
  private var lastMoved = -1
  /// Running apps that are not cached.
  private var otherCount = 0
  /// Cached apps of each kind in the last pass, and the slots with which it began.
  private var metBefore = Met()
  private var factorsBefore: CachedSlots.Factors?
  private var topSleeping = AppIndex.none
  private var adjs: [Int16]
  private var setOrders: [Int64]
  private var messageCount: Int64 = 0
  private var serviceCount = 0
  /// Apps whose value the last pass changed, from the most recent on, with room for all; and how many.
  private var changedApps: [AppIndex]
  private var changedCount = 0

  package init(
    appCount: Int, range: CachedSlots.Range = .wide, limits: CachedAppLimits,
    sendsOldestFirst: Bool = true
  ) {
    self.range = range
    self.limits = limits
    self.sendsOldestFirst = sendsOldestFirst
    adjs = Array(repeating: OomAdj.unknown, count: appCount)
    setOrders = Array(repeating: 0, count: appCount)
    changedApps = Array(repeating: .none, count: appCount)
  }

  /// Apps whose value the last pass changed, from the most recent on.
  var changed: ArraySlice<AppIndex> { changedApps[..<changedCount] }

  /// Value of an app as of the last pass.
  package func adj(_ app: AppIndex) -> Int16 { adjs[app.position] }

  /// Rank of the app's last message to lmkd: lower is longer ago.
  package func setOrder(_ app: AppIndex) -> Int64 { setOrders[app.position] }

  // MARK: Life

  /// A process began.
  package mutating func began(_ app: AppIndex) {
    if adjs[app.position] == OomAdj.unknown, place(of: app) == nil {
      running.append(Process(app))
      otherCount += 1
    }
    touch(app)
  }

  /// A process began that ActivityManager does not know.
  mutating func beganNative(_ app: AppIndex, adj: Int16) { adjs[app.position] = adj }

  /// A process ended.
  package mutating func ended(_ app: AppIndex) {
    if let place = place(of: app) {
      if !running.remove(at: place).isCached { otherCount -= 1 }
      isOrderStale = true
      lastMoved = max(lastMoved, place - 1)
    }
    adjs[app.position] = OomAdj.unknown
    isStale = true
  }

  /// Something of an app changed that its value may depend on: a pass is due.
  @inline(__always)
  mutating func touch(_ app: AppIndex) {
    if touched.last != app { touched.append(app) }
    isStale = true
  }

  /// Something may have changed of every app, which the next pass must look at whenever it comes.
  package mutating func touchAll() { isAllTouched = true }

  /// Something changed that is not any app's own: a pass is due.
  mutating func makeStale() { isStale = true }

  // MARK: Passes

  /// Gives out values anew; ``changed`` says whose moved.
  ///
  /// - Parameters:
  ///   - apps: Only those that were touched may be other than in the pass before.
  ///   - now: In nanoseconds.
  ///   - topSleeping: The app on top of a device that sleeps. It keeps 0 and is not cached:
  ///     `computeOomAdjLSP` of `OomAdjuster.java` gives the top app `FOREGROUND_APP_ADJ` also where
  ///     the state of the top is `PROCESS_STATE_TOP_SLEEPING` ("top-sleeping").
  package mutating func pass(
    _ apps: borrowing AppTable, at now: Int64, topSleeping: AppIndex = .none
  ) {
    refresh(apps, topSleeping)
    isStale = false
    let slots = CachedSlots(
      range: range, shownBefore: shownCount, emptyBefore: emptyCount, limit: limits.shown)
    let areSlotsSame = slots.factors == factorsBefore
    if areSlotsSame, !isOrderStale, mayOnlyFrontMove {
      changedCount = 0
      return
    }
    isOrderStale = false
    // With other slots than before, all cached apps may get other values.
    let end = areSlotsSame ? lastMoved : running.count
    factorsBefore = slots.factors
    lastMoved = -1
    var tally = Tally(now: now, servicesBefore: serviceCount, topSleeping: topSleeping)
    Self.walk(
      &running, apps, slots, &tally, others: otherCount, through: end, metBefore, &adjs,
      &changedApps)
    metBefore = tally.met
    shownCount = tally.shown
    emptyCount = tally.empty
    serviceCount = tally.services
    changedCount = tally.changed
    if changedCount > 0 { sendMessages() }
  }

  /// Ranks the messages of a pass.
  private mutating func sendMessages() {
    for place in 0..<changedCount {
      let rank = sendsOldestFirst ? changedCount - place : place + 1
      setOrders[changedApps[place].position] = messageCount + Int64(rank)
    }
    messageCount += Int64(changedCount)
  }

  /// Gives out values from the most recent app on, to where all that follow keep theirs: past `end`,
  /// with all `others` that are not cached behind it, and having met what was met there before.
  private static func walk(
    _ running: inout [Process], _ apps: borrowing AppTable, _ initialSlots: CachedSlots,
    _ tally: inout Tally, others: Int, through end: Int, _ metBefore: Met, _ adjs: inout [Int16],
    _ changed: inout [AppIndex]
  ) {
    var slots = initialSlots
    var others = others
    var running = running.mutableSpan
    var adjs = adjs.mutableSpan
    var changed = changed.mutableSpan
    for position in running.indices {
      let process = running[position]
      if process.met != tally.met {
        running[position].met = tally.met
      } else if others == 0, position > end {
        tally.met = metBefore
        return
      }
      let adj: Int16
      if process.isCached {
        adj = cachedValue(wasShown: process.rank == .shown, &slots, &tally)
      } else {
        adj = otherValue(of: process.app, apps, &tally)
        others -= 1
      }
      guard adj != process.adj else { continue }
      running[position].adj = adj
      adjs[process.app.position] = adj
      changed[tally.changed] = process.app
      tally.changed += 1
    }
  }

  /// Cached apps that a pass has met.
  fileprivate struct Met: BitwiseCopyable, Equatable {
    var shown: Int32 = 0
    var empty: Int32 = 0
    /// Whether it has met the app that the user was in before the one in front.
    var hasPrevious = false
  }

  /// What a pass has met so far.
  private struct Tally {
    let now: Int64
    let servicesBefore: Int
    let topSleeping: AppIndex
    var services = 0
    var servicesA = 0
    var met = Met()
    /// Cached ones of a value of their own, which take no slots.
    var ownShown = 0
    var ownEmpty = 0
    /// Apps that got another value.
    var changed = 0

    var shown: Int { Int(met.shown) + ownShown }
    var empty: Int { Int(met.empty) + ownEmpty }
  }

  @inline(__always)
  private static func cachedValue(
    wasShown: Bool, _ slots: inout CachedSlots, _ tally: inout Tally
  ) -> Int16 {
    if wasShown, !tally.met.hasPrevious {
      tally.met.hasPrevious = true
      return OomAdj.previous
    }
    if wasShown { tally.met.shown += 1 } else { tally.met.empty += 1 }
    return slots.take(wasShown: wasShown)
  }

  /// Of an app that is in front, runs, or has a value of its own.
  @inline(never)
  private static func otherValue(
    of app: AppIndex, _ apps: borrowing AppTable, _ tally: inout Tally
  ) -> Int16 {
    let written = apps.writtenAdj(app)
    let state = apps[app].state
    if state == .active || state == .inactive || app == tally.topSleeping {
      return frontValue(written: written)
    }
    let wasShown = apps[app].wasShown
    if wasShown, written != OomAdj.home { tally.met.hasPrevious = true }
    if apps[app].isPinned || apps[app].isPinnedByOption {
      return written == .min ? OomAdj.persistent : written
    }
    guard written == .min else {
      if state == .suspended, written >= OomAdj.cachedFirst {
        if wasShown { tally.ownShown += 1 } else { tally.ownEmpty += 1 }
      }
      return written
    }
    return runningValue(of: app, apps, &tally)
  }

  /// An app in front, by the value that trace or catalog give it.
  fileprivate static func frontValue(written: Int16) -> Int16 {
    min(OomAdj.foreground, written == .min ? 0 : written)
  }

  /// An app that runs in the background.
  private static func runningValue(
    of app: AppIndex, _ apps: borrowing AppTable, _ tally: inout Tally
  ) -> Int16 {
    if apps[app].modes != 0 {
      let left = apps[app].lastLeftFront
      let wasInFrontLately = left != .min && tally.now - left < recentFrontNanoseconds
      return wasInFrontLately ? OomAdj.recentlyInFront : OomAdj.perceptible
    }
    if apps[app].openTaskCount > 0 {
      tally.services += 1
      if tally.servicesA > tally.servicesBefore / 3 { return OomAdj.oldService }
      tally.servicesA += 1
      return OomAdj.service
    }
    // Woken by the system, it executes a receiver; else its activity is still being stopped.
    return apps[app].wokenAt >= 0 ? OomAdj.foreground : OomAdj.perceptible
  }
}

// MARK: - Recency

extension OomAdjuster {
  /// A running app, as far as passes look at it.
  struct Process: BitwiseCopyable {
    enum Rank: UInt8, BitwiseCopyable {
      case inFront, shown, neverShown, new
    }

    let app: AppIndex
    fileprivate let rank: Rank
    /// Whether it is suspended, and nothing else is to be said of it.
    let isCached: Bool
    fileprivate var adj = OomAdj.unknown
    /// What the last pass had met before it.
    fileprivate var met = Met()
    fileprivate let used: Int64

    /// One that no pass has met: after all others.
    fileprivate init(_ app: AppIndex) {
      self.app = app
      rank = .new
      isCached = false
      used = .min
    }

    fileprivate init(
      _ app: AppIndex, _ apps: borrowing AppTable, topSleeping: AppIndex, adj: Int16
    ) {
      self.app = app
      self.adj = adj
      let state = apps[app].state
      let isInFront = state == .active || state == .inactive || app == topSleeping
      rank = isInFront ? .inFront : apps[app].wasShown ? .shown : .neverShown
      isCached =
        state == .suspended && !isInFront && !apps[app].isPinned && !apps[app].isPinnedByOption
        && apps.writtenAdj(app) == .min
      used = apps.lastUsedNanoseconds(app)
    }

    /// Whether it stands where another reading of it stood, and has the value that it would get there
    /// if no app moved.
    @inline(__always)
    fileprivate func isSame(as old: Process, written: Int16) -> Bool {
      guard rank == old.rank, used == old.used, isCached == old.isCached else { return false }
      return rank != .inFront || adj == frontValue(written: written)
    }

    /// Whether it is more recent.
    @inline(__always)
    fileprivate func precedes(_ other: Process) -> Bool {
      if rank != other.rank { return rank.rawValue < other.rank.rawValue }
      return used != other.used ? used > other.used : app < other.app
    }
  }

  /// Checks what was touched since the pass before.
  private mutating func refresh(_ apps: borrowing AppTable, _ topSleeping: AppIndex) {
    if topSleeping != self.topSleeping {
      touch(self.topSleeping)
      touch(topSleeping)
      self.topSleeping = topSleeping
    }
    if isAllTouched {
      isAllTouched = false
      touched = running.map(\.app)
    }
    while let app = touched.popLast() {
      guard let place = place(of: app) else { continue }
      let old = running[place]
      let process = Process(app, apps, topSleeping: topSleeping, adj: old.adj)
      if !process.isSame(as: old, written: apps.writtenAdj(app)) { move(process, from: place) }
    }
    #if DEBUG
      for process in running {
        let fresh = Process(process.app, apps, topSleeping: topSleeping, adj: process.adj)
        precondition(
          !process.precedes(fresh) && !fresh.precedes(process)
            && process.isCached == fresh.isCached, "what changed was touched")
      }
    #endif
  }

  /// Whether only the app in front can differ from the last pass while no app moves: all others are
  /// cached.
  private var mayOnlyFrontMove: Bool {
    otherCount == 0 || running[otherCount - 1].rank == .inFront
  }

  /// The place after the last app that is not cached.
  var otherEnd: Int {
    var (place, left) = (0, otherCount)
    while left > 0 {
      if !running[place].isCached { left -= 1 }
      place += 1
    }
    return place
  }

  #if DEBUG
    /// Recounts the apps that are not cached.
    func checkCounts() {
      precondition(
        otherCount == running.count { !$0.isCached }, "apps that are not cached are counted")
    }
  #endif

  /// Where an app stands among the running ones; nil: it does not run.
  private func place(of app: AppIndex) -> Int? { running.firstIndex { $0.app == app } }

  /// Moves a process to where it stands now.
  private mutating func move(_ process: Process, from place: Int) {
    let old = running[place]
    if old.isCached { otherCount += 1 }
    if process.isCached { otherCount -= 1 }
    let hole = Self.put(process, in: &running, from: place)
    isOrderStale = true
    // A new one stood nowhere in the last pass, and pushes others on.
    lastMoved = max(lastMoved, hole, old.rank == .new ? lastMoved + 1 : place)
  }

  /// Moves a process from a place to where it belongs, which is the result.
  private static func put(
    _ process: Process, in running: inout [Process], from place: Int
  ) -> Int {
    var running = running.mutableSpan
    var hole = place
    while hole > 0, process.precedes(running[hole - 1]) {
      running[hole] = running[hole - 1]
      hole -= 1
    }
    while hole < running.count - 1, running[hole + 1].precedes(process) {
      running[hole] = running[hole + 1]
      hole += 1
    }
    running[hole] = process
    return hole
  }
}
