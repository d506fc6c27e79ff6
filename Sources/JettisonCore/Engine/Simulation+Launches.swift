/// A run of nothing but launches on the textbook cache, the work of those who compare caches.
///
/// No app has anything to it but a size, nothing takes time, no app is told anything: so a launch comes to
/// a few assignments. The verbs of the life cycle come to the same, which a test finds out by running them.
extension Simulation {
  /// Begins such a run, if the trace and what listens allow it.
  mutating func beginLaunches() {
    guard goesStraight, isPlain else { return }
    var sizes: [Int64] = []
    for position in 0..<apps.count {
      let bytes = declaredSize(AppIndex(position))
      // What does not fit ends the run, and what takes no room can't be told from what is not there.
      guard bytes > 0, bytes <= configuration.capacity else { return }
      sizes.append(bytes)
    }
    launches = LaunchTallies(sizes)
    hasLaunchesOnly = true
  }

  /// Whether nothing but launches happens in the trace, to apps with nothing to them but a size.
  private var isPlain: Bool {
    mutating get {
      for kind in EventKind.allCases where kind != .launch && kind != .end {
        if index.kindCounts[Int(kind.rawValue)] > 0 { return false }
      }
      guard configuration.warmUpNanoseconds == 0, !notes.wantsFootprints else { return false }
      for position in 0..<apps.count {
        let record = apps.records[position]
        guard record.looseEnds.isEmpty, !record.modelsEdits, !record.isPinnedByOption
        else { return false }
      }
      return true
    }
  }

  // MARK: Launches

  /// Moves the clock to a launch and counts it: T3, T5 and T7 of the app in front, if another one is
  /// launched.
  ///
  /// - Returns: Who left; none if nobody did.
  @inlinable @inline(__always)
  mutating func leaveFront(for app: AppIndex, at time: Int64) -> AppIndex {
    now = time
    if launches.watchEnd < time { endWatches() }
    apps.records[app.position].launchesSeen += 1
    let left = front
    guard left != app, left != .none else { return .none }
    front = .none
    suspensionCount += 1
    apps.records[left.position].suspendFromFront(at: time, order: suspensionCount)
    return left
  }

  /// Counts the purges that have been watched long enough.
  @usableFromInline
  mutating func endWatches() {
    counters.expirePurges(at: now)
    launches.watchEnd = counters.firstPurgeDeadline
  }

  /// T11 of an app that is suspended.
  @inlinable @inline(__always)
  mutating func returnToFront(_ app: AppIndex) {
    launches.rows[app.position].idleTime += now - apps.records[app.position].lastLeftFront
    apps.records[app.position].activate(at: now)
    front = app
  }

  /// T1 of an app for which there is room.
  @usableFromInline
  mutating func start(_ app: AppIndex) {
    let bytes = launches[app].bytes
    apps[app].beginLife(at: now)
    apps[app].activate(at: now)
    apps[app].wasShown = true
    apps[app].footprintBytes = bytes
    availableBytes -= bytes
    launches.availableLeast = min(launches.availableLeast, availableBytes)
    front = app
    if !changes.isKept { appendResident(app) }
    counters.noteReturn(of: app)
    watchPurges()
  }

  /// All is in place for the launch: from now on it shows whether its purges were needed.
  @usableFromInline @inline(__always)
  mutating func watchPurges() {
    watchFreed()
    counters.checkPurges(availableBytes: availableBytes)
    launches.watchEnd = counters.firstPurgeDeadline
  }

  /// T10.
  @inline(__always)
  mutating func purgeLaunched(_ app: AppIndex) {
    let bytes = launches[app].bytes
    let age = now - apps[app].processStart
    // A toss of a coin: no branch.
    let isSoon = age <= RunCounters.repurgeNanoseconds ? 1 : Int64(0)
    launches[app].repurges += launches[app].purges > 0 ? isSoon : 0
    launches[app].purges += 1
    launches[app].victimAge += now - apps[app].lastLeftFront
    launches[app].lifeTime += age
    apps[app].state = .notRunning
    apps[app].footprintBytes = 0
    availableBytes += bytes
    if !changes.isKept { dropResident(app) }
  }

  // MARK: The end

  /// Writes what launches have come to where every run counts it, and goes on as every run does.
  mutating func endLaunches() {
    hasLaunchesOnly = false
    counters.footprintBytes = configuration.capacity - min(launches.availableLeast, availableBytes)
    counters.notePeak()
    counters.footprintBytes = configuration.capacity - availableBytes
    residents.removeAll()
    for position in 0..<apps.count {
      let app = AppIndex(position)
      if apps[app].state != .notRunning { endLaunches(ofResident: app) }
      counters.addLaunches(
        of: app, launches[app], count: Int64(apps[app].launchesSeen),
        residentBytes: apps[app].footprintBytes, at: now,
        wait: apps.extraLatencyNanoseconds(app, .cold, over: .hot))
    }
  }

  private mutating func endLaunches(ofResident app: AppIndex) {
    let bytes = launches[app].bytes
    apps[app].ballastBytes = bytes
    apps[app].chargedBytes = bytes
    addResident(app)
    launches[app].lifeTime += now - apps[app].processStart
    guard app != front else { return }
    launches[app].idleTime += now - apps[app].lastLeftFront
    counters.suspended.change(by: bytes, at: now)
  }
}
