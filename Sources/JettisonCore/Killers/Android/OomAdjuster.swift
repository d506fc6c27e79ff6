/// Gives every running app its `oom_score_adj`, as ActivityManager would, from what the trace shows.
///
/// It counts what ActivityManager counts: cached are suspended apps with 900 or more. What is pinned
/// (native daemons of a capture, and persistent processes) is not among them, nor is the previous app, the home screen, or whoever runs a task or a mode.
///
/// A *pass* walks the running apps from most to least recent: the app in front, then those that
/// have been shown, longest out of the front last, then those that have not. It sends lmkd a
/// message for each app whose value changed; lmkd puts the app at the head of that value's list.
/// Rules and simplifications: <doc:AndroidModel#Who-gets-which-value>.
///
/// State: two numbers per app and the order of the running ones. A pass is O(running apps).
struct OomAdjuster: Sendable {
  /// How long an app with declared background execution counts as just left, in nanoseconds
  /// (`TOP_TO_FGS_GRACE_DURATION`).
  private static let recentFrontNanoseconds: Int64 = 15_000_000_000

  let range: CachedSlots.Range
  let limits: CachedAppLimits
  /// Whether the values of one pass are sent from the least recent app on, as newer releases do.
  let sendsOldestFirst: Bool

  /// Running apps from most to least recent, as of the last pass.
  private(set) var running: [AppIndex] = []
  /// Apps whose value the last pass changed.
  private(set) var changed: [AppIndex] = []
  /// Cached apps that have been shown, in the last pass.
  private(set) var shownCount = 0
  /// Empty apps, in the last pass.
  private(set) var emptyCount = 0
  /// Whether something happened that a pass must look at.
  var isStale = false

  private var adjs: [Int16]
  private var setOrders: [Int64]
  private var messageCount: Int64 = 0
  private var serviceCount = 0

  init(
    appCount: Int, range: CachedSlots.Range = .wide, limits: CachedAppLimits,
    sendsOldestFirst: Bool = true
  ) {
    self.range = range
    self.limits = limits
    self.sendsOldestFirst = sendsOldestFirst
    adjs = Array(repeating: OomAdj.unknown, count: appCount)
    setOrders = Array(repeating: 0, count: appCount)
  }

  /// Value of an app as of the last pass.
  func adj(_ app: AppIndex) -> Int16 { adjs[app.position] }

  /// Rank of the app's last message to lmkd: lower is longer ago.
  func setOrder(_ app: AppIndex) -> Int64 { setOrders[app.position] }

  // MARK: Life

  /// A process began.
  mutating func began(_ app: AppIndex) {
    if adjs[app.position] == OomAdj.unknown, !running.contains(app) { running.append(app) }
    isStale = true
  }

  /// A process began that ActivityManager does not know.
  mutating func beganNative(_ app: AppIndex, adj: Int16) { adjs[app.position] = adj }

  /// A process ended.
  mutating func ended(_ app: AppIndex) {
    if let position = running.firstIndex(of: app) { running.remove(at: position) }
    adjs[app.position] = OomAdj.unknown
    isStale = true
  }

  // MARK: Passes

  /// Gives out values anew; ``changed`` says whose moved.
  ///
  /// - Parameters:
  ///   - now: In nanoseconds.
  ///   - topSleeping: The app on top of a device that sleeps. It keeps 0 and is not cached:
  ///     `computeOomAdjLSP` of `OomAdjuster.java` gives the top app `FOREGROUND_APP_ADJ` also where
  ///     the state of the top is `PROCESS_STATE_TOP_SLEEPING` ("top-sleeping").
  mutating func pass(
    _ apps: borrowing AppTable, at now: Int64, topSleeping: AppIndex = .none
  ) {
    isStale = false
    changed.removeAll(keepingCapacity: true)
    sortByRecency(apps, topSleeping)
    var slots = CachedSlots(
      range: range, shownBefore: shownCount, emptyBefore: emptyCount, limit: limits.shown)
    var tally = Tally(now: now, servicesBefore: serviceCount, topSleeping: topSleeping)
    for app in running {
      let adj = Self.value(of: app, apps, &slots, &tally)
      guard adj != adjs[app.position] else { continue }
      adjs[app.position] = adj
      changed.append(app)
    }
    shownCount = tally.shown
    emptyCount = tally.empty
    serviceCount = tally.services
    if sendsOldestFirst { changed.reverse() }
    for app in changed {
      messageCount += 1
      setOrders[app.position] = messageCount
    }
  }

  /// What a pass has met so far.
  private struct Tally {
    let now: Int64
    let servicesBefore: Int
    let topSleeping: AppIndex
    var services = 0
    var servicesA = 0
    var shown = 0
    var empty = 0
    var hasPrevious = false

    mutating func count(wasShown: Bool) {
      if wasShown { shown += 1 } else { empty += 1 }
    }
  }

  @inline(__always)
  private static func value(
    of app: AppIndex, _ apps: borrowing AppTable, _ slots: inout CachedSlots,
    _ tally: inout Tally
  ) -> Int16 {
    let record = apps[app]
    // Most are suspended, and nothing else is to be said of them.
    if record.state == .suspended, !record.isPinned, !record.isPinnedByOption,
      apps.writtenAdj(app) == .min, app != tally.topSleeping
    {
      if record.wasShown, !tally.hasPrevious {
        tally.hasPrevious = true
        return OomAdj.previous
      }
      tally.count(wasShown: record.wasShown)
      return slots.take(wasShown: record.wasShown)
    }
    return otherValue(of: app, apps, &tally)
  }

  /// Of an app that is in front, runs, or has a value of its own.
  @inline(never)
  private static func otherValue(
    of app: AppIndex, _ apps: borrowing AppTable, _ tally: inout Tally
  ) -> Int16 {
    let record = apps[app]
    let written = apps.writtenAdj(app)
    let isInFront =
      record.state == .active || record.state == .inactive || app == tally.topSleeping
    if isInFront { return min(OomAdj.foreground, written == .min ? 0 : written) }
    let isHome = written == OomAdj.home
    let isPrevious = record.wasShown && !tally.hasPrevious && !isHome
    if isPrevious { tally.hasPrevious = true }
    if record.isPinned || record.isPinnedByOption {
      return written == .min ? OomAdj.persistent : written
    }
    if written != .min {
      if record.state == .suspended, written >= OomAdj.cachedFirst {
        tally.count(wasShown: record.wasShown)
      }
      return written
    }
    return runningValue(of: record, &tally)
  }

  /// An app that runs in the background.
  private static func runningValue(of record: AppRecord, _ tally: inout Tally) -> Int16 {
    if record.modes != 0 {
      let wasInFrontLately =
        record.lastLeftFront != .min
        && tally.now - record.lastLeftFront < recentFrontNanoseconds
      return wasInFrontLately ? OomAdj.recentlyInFront : OomAdj.perceptible
    }
    if record.openTaskCount > 0 {
      tally.services += 1
      if tally.servicesA > tally.servicesBefore / 3 { return OomAdj.oldService }
      tally.servicesA += 1
      return OomAdj.service
    }
    // Woken by the system, it executes a receiver; else its activity is still being stopped.
    return record.wokenAt >= 0 ? OomAdj.foreground : OomAdj.perceptible
  }

  /// Insertion sort: from pass to pass hardly anything moves.
  private mutating func sortByRecency(_ apps: borrowing AppTable, _ topSleeping: AppIndex) {
    guard running.count > 1 else { return }
    var before = Recency(running[0], apps, topSleeping)
    for position in 1..<running.count {
      let app = running[position]
      let recency = Recency(app, apps, topSleeping)
      guard recency < before else {
        before = recency
        continue
      }
      var hole = position
      repeat {
        running[hole] = running[hole - 1]
        hole -= 1
      } while hole > 0 && recency < Recency(running[hole - 1], apps, topSleeping)
      running[hole] = app
    }
  }

  /// Where an app stands among the running ones: less is more recent.
  private struct Recency: BitwiseCopyable, Comparable {
    /// 0: in front; 1: has been shown; 2: has not.
    let rank: UInt8
    let used: Int64
    let app: AppIndex

    @inline(__always)
    init(_ app: AppIndex, _ apps: borrowing AppTable, _ topSleeping: AppIndex) {
      self.app = app
      let state = apps.state(app)
      let isInFront = state == .active || state == .inactive || app == topSleeping
      rank = isInFront ? 0 : apps.wasShown(app) ? 1 : 2
      used = apps.lastUsedNanoseconds(app)
    }

    @inline(__always)
    static func < (a: Recency, b: Recency) -> Bool {
      if a.rank != b.rank { return a.rank < b.rank }
      return a.used != b.used ? a.used > b.used : a.app < b.app
    }
  }
}
