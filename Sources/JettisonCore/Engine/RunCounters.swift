/// Everything a run counts.
struct RunCounters: ~Copyable {
  private var totals: Column<AppTotals>
  private var histograms: FootprintHistograms
  private var requestedMax: Column<Int64>
  private var activeMax: Column<Int64>
  private var dirtyMax: Column<Int64>
  var system = SystemTotals()
  /// Cold launches after a purge, by app and by what each would have been without: how long the user
  /// waits depends on nothing else.
  private var relaunches: Column<Int>
  private let kindCount = LaunchKind.allCases.count
  var staleness: [AppSample] = []
  var worstLosses: WorstLosses

  /// Apps in memory.
  var residents = TimeIntegral()
  /// Bytes of suspended apps.
  var suspended = TimeIntegral()
  var footprintBytes: Int64 = 0
  var requestedBytes: Int64 = 0
  private var lastDayWithLoss: Int64 = -1
  /// A purge so soon after the app was launched again is a repeated one.
  static let repurgeNanoseconds: Int64 = 600_000_000_000
  private var watchedPurges = PurgeWatch()

  init(appCount: Int, listedLosses: Int) {
    worstLosses = WorstLosses(limit: listedLosses)
    totals = Column(repeating: AppTotals(), count: appCount)
    histograms = FootprintHistograms(appCount: appCount)
    relaunches = Column(repeating: 0, count: appCount * kindCount)
    requestedMax = Column(repeating: 0, count: appCount)
    activeMax = Column(repeating: 0, count: appCount)
    dirtyMax = Column(repeating: 0, count: appCount)
  }

  init(copying other: borrowing RunCounters) {
    totals = Column(copying: other.totals)
    histograms = FootprintHistograms(copying: other.histograms)
    requestedMax = Column(copying: other.requestedMax)
    activeMax = Column(copying: other.activeMax)
    dirtyMax = Column(copying: other.dirtyMax)
    system = other.system
    relaunches = Column(copying: other.relaunches)
    staleness = other.staleness
    worstLosses = other.worstLosses
    residents = other.residents
    suspended = other.suspended
    footprintBytes = other.footprintBytes
    requestedBytes = other.requestedBytes
    lastDayWithLoss = other.lastDayWithLoss
    watchedPurges = PurgeWatch(copying: other.watchedPurges)
  }

  subscript(app: AppIndex) -> AppTotals {
    @inline(__always) _read { yield totals[app.position] }
    @inline(__always) _modify { yield &totals[app.position] }
  }

  /// Adds a stretch of time in which nothing changed, available memory below 0 or not.
  @inline(__always)
  mutating func addTime(from: Int64, to: Int64, level: PressureLevel, availableBytes: Int64) {
    if availableBytes < 0 { system.beyondMemoryNanoseconds += to - from }
    switch level {
    case .normal: break
    case .warning: system.warningLevelNanoseconds += to - from
    case .critical: system.criticalLevelNanoseconds += to - from
    }
    if firstPurgeDeadline < to { expirePurges(at: to) }
  }

  /// Forgets everything counted so far: the warm-up is over.
  mutating func restart(at time: Int64, apps: borrowing AppTable) {
    for position in totals.indices {
      totals[position] = AppTotals()
      requestedMax[position] = apps.records[position].liveBytes
      activeMax[position] = 0
      dirtyMax[position] = 0
    }
    histograms.restart(at: time)
    forgetSystem()
    notePeak()
    system.requestedBytesPeak = requestedBytes
    forgetSamples()
    residents.restart(at: time)
    suspended.restart(at: time)
    watchedPurges.removeAll()
    lastDayWithLoss = -1
  }

  /// The trace ended before the warm-up did: nothing counts.
  mutating func forgetEverything(at time: Int64) {
    for position in totals.indices {
      totals[position] = AppTotals()
      requestedMax[position] = 0
    }
    histograms.removeAll()
    forgetSystem()
    forgetSamples()
  }

  private mutating func forgetSamples() {
    for place in relaunches.indices { relaunches[place] = 0 }
    staleness = []
    worstLosses.removeAll()
  }

  /// That the seed mattered stays true, and so does how short memory ever got.
  private mutating func forgetSystem() {
    let (drew, decisions, least) = (system.drew, system.decisions, system.availableBytesLeast)
    system = SystemTotals()
    system.drew = drew
    system.decisions = decisions
    system.availableBytesLeast = least
  }

  /// Notes available memory as it stands before any app is purged.
  @inline(__always)
  mutating func noteAvailable(_ bytes: Int64) {
    if bytes < system.availableBytesLeast { system.availableBytesLeast = bytes }
  }

  // MARK: Footprints

  /// Notes that an app's footprint changed; 0 while it does not run.
  mutating func footprintChanged(_ app: AppIndex, to bytes: Int64, at time: Int64) {
    histograms.change(app, to: bytes, at: time)
  }

  /// Notes that an app's footprint grew in steps, each at the time that `nextTime` gives for a
  /// footprint; the result is the last.
  @inline(__always)
  mutating func footprintGrew(
    _ app: AppIndex, by step: Int64, _ nextTime: (_ bytes: Int64) -> Int64?
  ) -> Int64 {
    histograms.grow(app, by: step, nextTime)
  }

  @inline(__always)
  mutating func notePeak() {
    if footprintBytes > system.footprintBytesPeak { system.footprintBytesPeak = footprintBytes }
  }

  @inline(__always)
  mutating func requestedChanged(_ app: AppIndex, by delta: Int64, liveBytes: Int64) {
    requestedChanged(app, from: liveBytes - delta, to: liveBytes, over: liveBytes)
  }

  /// Notes that an app's live blocks went from one sum to another, and how much they were at most on
  /// the way.
  @inline(__always)
  mutating func requestedChanged(_ app: AppIndex, from: Int64, to: Int64, over most: Int64) {
    let peak = requestedBytes + (most - from)
    if peak > system.requestedBytesPeak { system.requestedBytesPeak = peak }
    if most > requestedMax[app.position] { requestedMax[app.position] = most }
    requestedBytes += to - from
  }

  /// Notes how many bytes of an arena were active, and how many dirty, at most since the last time.
  @inline(__always)
  mutating func arenaChanged(_ app: AppIndex, activeBytes: Int64, dirtyBytes: Int64) {
    if activeBytes > activeMax[app.position] { activeMax[app.position] = activeBytes }
    if dirtyBytes > dirtyMax[app.position] { dirtyMax[app.position] = dirtyBytes }
  }

  // MARK: Relaunches

  /// A purge made a launch cold that would have been another.
  @inline(__always)
  mutating func noteRelaunch(_ app: AppIndex, instead kind: LaunchKind) {
    relaunches[app.position * kindCount + Int(kind.rawValue)] += 1
  }

  private func relaunchWaits(_ apps: borrowing AppTable) -> [AppSample] {
    var waits: [AppSample] = []
    for position in totals.indices {
      for kind in LaunchKind.allCases {
        let count = relaunches[position * kindCount + Int(kind.rawValue)]
        guard count > 0 else { continue }
        let app = AppIndex(position)
        let wait = apps.extraLatencyNanoseconds(app, .cold, over: kind)
        waits.append(AppSample(app: app, nanoseconds: wait, count: count))
      }
    }
    return waits
  }

  // MARK: Losses and wasted purges

  /// Days count from the end of the warm-up.
  mutating func noteDayWithLoss(at time: Int64, warmUp: Int64) {
    let day = (time - warmUp) / 86_400_000_000_000
    guard day != lastDayWithLoss else { return }
    lastDayWithLoss = day
    system.daysWithLoss += 1
  }

  /// Watches a purge from the end of its decision.
  mutating func watchPurge(
    _ app: AppIndex, freedBytes: Int64, thresholdBytes: Int64, availableBytes: Int64,
    at time: Int64
  ) {
    let purge = WatchedPurge(
      app: app, freedBytes: freedBytes, neededBelow: thresholdBytes + freedBytes, time: time)
    if availableBytes >= purge.neededBelow { watchedPurges.add(purge) }
  }

  /// Checks whether available memory has fallen so far that watched purges were needed.
  @inline(__always)
  mutating func checkPurges(availableBytes: Int64) {
    watchedPurges.drop(availableBytes: availableBytes)
  }

  /// When the first watched purge has been watched long enough.
  @inline(__always)
  var firstPurgeDeadline: Int64 { watchedPurges.firstDeadline }

  /// Counts the purges whose minute is over before `time` as wasted.
  @inline(never)
  mutating func expirePurges(at time: Int64) {
    watchedPurges.expire(at: time) { purge in
      totals[purge.app.position].wastedPurges += 1
      totals[purge.app.position].wastedPurgeBytes.addSaturated(purge.freedBytes)
    }
  }

  /// A process of the app starts: its purge is over and done with.
  mutating func forgetPurge(of app: AppIndex) {
    _ = watchedPurges.noteReturn(of: app)
  }

  /// The user opens an app that does not run: if its purge is watched still, it was needless.
  @inline(__always)
  mutating func noteReturn(of app: AppIndex) {
    if watchedPurges.noteReturn(of: app) { totals[app.position].needlessEnds += 1 }
  }

  // MARK: Launches

  /// Writes down what an app has come to in a run of nothing but launches.
  ///
  /// - Parameters:
  ///   - count: The app's launches.
  ///   - residentBytes: What it holds now, in bytes.
  ///   - wait: How much longer a cold launch takes than a hot one, in nanoseconds.
  mutating func addLaunches(
    of app: AppIndex, _ row: LaunchTallies.Row, count: Int64, residentBytes: Int64, at time: Int64,
    wait: Int64
  ) {
    let cold = row.purges + (residentBytes > 0 ? 1 : 0)
    guard cold > 0 else { return }
    // Nothing but purges ends an app, so that one is behind every cold launch but the first.
    let relaunches = cold - 1
    let place = app.position
    totals[place].coldLaunches = cold
    totals[place].hotLaunches = count - cold
    totals[place].purges = row.purges
    totals[place].purgedBytes = row.bytes.multipliedSaturated(by: row.purges)
    totals[place].repurges = row.repurges
    totals[place].victimAgeNanoseconds = row.victimAge
    totals[place].coldLaunchesAfterPurge = relaunches
    totals[place].relaunchesAfterSystemEnd = relaunches
    totals[place].relaunchWaitNanoseconds = wait.multipliedSaturated(by: relaunches)
    totals[place].systemRelaunchWaitNanoseconds = totals[place].relaunchWaitNanoseconds
    self.relaunches[place * kindCount + Int(LaunchKind.hot.rawValue)] = Int(relaunches)
    histograms.hold(app, row.bytes, for: row.lifeTime)
    histograms.change(app, to: residentBytes, at: time)
    residents.add(1, for: row.lifeTime)
    suspended.add(row.bytes, for: row.idleTime + row.victimAge)
  }

  // MARK: Result

  mutating func result(
    end: Int64, warmUp: Int64, apps: borrowing AppTable, usesArenas: Bool
  ) -> RunResult {
    system.durationNanoseconds = max(0, end - warmUp)
    let day: Int64 = 86_400_000_000_000
    system.days = (system.durationNanoseconds + day - 1) / day
    if system.durationNanoseconds > 0 {
      let duration = system.durationNanoseconds
      system.residentAppsMean = residents.mean(over: duration, until: end)
      system.suspendedBytesMean = suspended.mean(over: duration, until: end)
    }
    var appTotals: [AppTotals] = []
    var footprints: [FootprintStatistics] = []
    // Room for these and no more: results of many runs are kept until the last.
    appTotals.reserveCapacity(totals.count)
    footprints.reserveCapacity(totals.count)
    for position in totals.indices {
      appTotals.append(totals[position])
      var statistics = histograms.statistics(AppIndex(position), at: end)
      statistics.requestedBytesMax = requestedMax[position]
      if usesArenas {
        statistics.arenaActiveBytesMax = activeMax[position]
        statistics.arenaDirtyBytesMax = dirtyMax[position]
      }
      footprints.append(statistics)
    }
    var result = RunResult(
      apps: appTotals, footprints: footprints, system: system, relaunchWaits: relaunchWaits(apps),
      staleness: staleness)
    result.worstLosses = worstLosses.list
    return result
  }
}
