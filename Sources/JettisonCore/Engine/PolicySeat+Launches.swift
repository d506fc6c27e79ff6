/// A run of nothing but launches on the textbook cache (``Simulation/beginLaunches()``), the work of those
/// who compare caches.
///
/// All of it is written out here, once for each policy, so that the policy hears of things where they
/// happen. That a run by ``ReplayLoop``, whose verbs know every case, ends the same is tested.
extension PolicySeat {
  /// Takes the launches of a window.
  @inlinable
  mutating func takeLaunches(
    _ loop: inout ReplayLoop, _ events: borrowing Span<TraceEvent>
  ) throws(RunError) {
    var place = loop.placeInWindow
    while place < events.count, events[place].kind == .launch {
      let launch = events[place]
      let app = launch.app
      place += 1
      let left = loop.simulation.leaveFront(for: app, at: launch.timeNanoseconds)
      if left != .none {
        tell(.suspended, left, &loop)
        if Policy.search == .keepingScores { keepScore(of: left, &loop) }
        if Policy.search == .naming, Policy.updateReadsUse { loop.simulation.changes.add(left) }
      }
      if loop.simulation.apps.records[app.position].state == .notRunning {
        tell(.requested, app, &loop)
        try makeRoom(for: app, &loop)
        loop.simulation.start(app)
        tell(.launched, app, &loop)
        // It may go from when it leaves the front: no victim is asked for before that.
        update(app, isCandidate: true, &loop)
      } else {
        tell(.launched, app, &loop, launchKind: .hot)
        if Policy.boundsParts, overflowBytes(for: app, &loop) > 0 {
          try keepBounds(forUseOf: app, &loop)
        }
        if app != loop.simulation.front { loop.simulation.returnToFront(app) }
      }
    }
    loop.endLaunches(at: place, in: events)
  }

  /// Lets the policy hear of something, if it listens.
  @inlinable @inline(__always)
  mutating func tell(
    _ kind: EngineEvent.Kind, _ app: AppIndex, _ loop: inout ReplayLoop,
    launchKind: LaunchKind = .cold, endCause: EndCause = .none
  ) {
    guard Policy.observesEvents else { return }
    policy.observe(
      EngineEvent(
        kind, app: app, at: loop.simulation.now, launchKind: launchKind, endCause: endCause),
      apps: loop.simulation.apps)
  }

  /// Keeps the score of an app that has left the front: it stands until the app is launched again.
  @inlinable @inline(__always)
  func keepScore(of app: AppIndex, _ loop: inout ReplayLoop) {
    guard loop.simulation.changes.isKept else { return }
    let score = policy.score(app, for: loop.request, apps: loop.simulation.apps)
    // What is no number fails the run once a victim is looked for, and not before.
    if score.isNaN { loop.simulation.changes.add(app) } else { loop.keep(app, score: score) }
  }

  /// Purges apps until the launched app fits.
  @inlinable @inline(never)
  mutating func makeRoom(for app: AppIndex, _ loop: inout ReplayLoop) throws(RunError) {
    loop.simulation.arrival.waiting = app
    let lack = loop.simulation.launches.rows[app.position].bytes - loop.simulation.availableBytes
    if lack > 0 {
      loop.open(.capacity, freeing: lack)
      try purge(&loop)
    }
    if Policy.boundsParts { try keepBounds(for: app, &loop) }
    loop.simulation.arrival.waiting = .none
  }

  /// Purges apps until parts of the cache keep their bounds though an app in memory is used.
  @inlinable @inline(never)
  mutating func keepBounds(forUseOf app: AppIndex, _ loop: inout ReplayLoop) throws(RunError) {
    loop.simulation.arrival.waiting = app
    loop.simulation.changes.add(app)
    try keepBounds(for: app, &loop)
    loop.simulation.arrival.waiting = .none
    loop.simulation.changes.add(app)
    loop.simulation.watchPurges()
  }

  @inlinable @inline(__always)
  mutating func keepBounds(for app: AppIndex, _ loop: inout ReplayLoop) throws(RunError) {
    while loop.opensForBound(overflowBytes(for: app, &loop)) { try purge(&loop) }
  }

  /// By how much a part of the cache would be over its bound.
  @inlinable @inline(__always)
  func overflowBytes(for app: AppIndex, _ loop: inout ReplayLoop) -> Int64 {
    policy.overflowBytes(inserting: app, bytes: loop.simulation.launches.rows[app.position].bytes)
  }

  /// Purges what an open decision needs.
  @inlinable @inline(__always)
  mutating func purge(_ loop: inout ReplayLoop) throws(RunError) {
    if Policy.search == .scoringAll || !loop.simulation.changes.isKept {
      return try purgeByScores(&loop)
    }
    var needsMore = true
    while needsMore {
      try findVictim(&loop)
      guard loop.victim != .none else { return }
      tell(.ended, loop.victim, &loop, endCause: .purge)
      needsMore = loop.endVictim()
      update(loop.victim, isCandidate: false, &loop)
    }
  }

  /// Tells a policy that names victims who may go.
  @inlinable @inline(__always)
  mutating func update(_ app: AppIndex, isCandidate: Bool, _ loop: inout ReplayLoop) {
    guard Policy.search == .naming, loop.simulation.changes.isKept else { return }
    if Policy.updateReadsUse {
      loop.simulation.changes.add(app)
    } else {
      policy.update(app, isCandidate: isCandidate, apps: loop.simulation.apps)
    }
  }

  /// Purges what an open decision needs, by scores of all who may go.
  @inlinable @inline(never)
  mutating func purgeByScores(_ loop: inout ReplayLoop) throws(RunError) {
    loop.collectCandidates()
    try score(
      &loop.simulation.decision.candidates, for: loop.request, apps: loop.simulation.apps)
    while !loop.simulation.decision.candidates.isEmpty {
      loop.victim = loop.takeLeast()
      tell(.ended, loop.victim, &loop, endCause: .purge)
      guard loop.endVictim() else { return }
    }
  }
}
