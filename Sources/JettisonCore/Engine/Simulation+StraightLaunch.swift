/// Launches on the textbook cache among plain apps: those without loose ends and without timers. What the
/// verbs of the life cycle come to then, in one pass.
///
/// A plain app has one size as long as it is in memory, so that coming back changes no memory and nothing
/// has to be settled.
extension Simulation {
  /// Whether launches of a run can be taken straight: nothing takes time, no app is told
  /// anything, and no row of the log would be missed.
  static func goesStraight(
    _ traits: PressureTraits, _ device: Device, _ index: TraceIndex, _ recorder: (any Recorder)?
  ) -> Bool {
    traits.makesRoomFirst && traits.takesNoTime && traits.declaresSizes && !traits.hasLimits
      && !traits.followsApps && !traits.locks && !traits.letsAppsOptOut && device.multitasks
      && index.kindCounts[Int(EventKind.deviceChange.rawValue)] == 0
      && recorder?.wantsEvents != true && recorder?.wantsFootprints != true
  }

  /// Whether launches can be taken straight from here on: nothing waits to be settled or is timed, and
  /// nothing lies over the app in front.
  ///
  /// Straight launches leave it so.
  @inline(__always)
  mutating func beginsStraight() -> Bool {
    goesStraight && !needsSettling && availableBytes >= 0 && timers.queue.nextTime == .max
      && isFrontFree && restarts.pending.app == .none && now >= configuration.warmUpNanoseconds
  }

  /// Whether a launch comes to no more than that one plain app leaves the front and another one, or the
  /// same, comes there.
  @inline(__always)
  mutating func launchesStraight(_ app: AppIndex) -> Bool {
    guard apps[app].looseEnds.isEmpty, !apps[app].generationEnded else { return false }
    let state = apps[app].state
    if front == app { return state == .active && !arrival.meetsBound }
    guard state == .suspended || state == .notRunning else { return false }
    return front == .none || (apps[front].state == .active && apps[front].looseEnds.isEmpty)
  }

  /// Moves the clock while there is neither pressure nor a log.
  @inline(__always)
  mutating func advanceStraight(to time: Int64) {
    if counters.firstPurgeDeadline < time { counters.expirePurges(at: time) }
    now = time
  }

  /// Everything of such a launch up to the arrival of the app; the result is its state before.
  ///
  /// Whoever decides about the app looks at it anew: it has left the front by then, or is in front.
  @inline(__always)
  mutating func beginStraightLaunch(_ app: AppIndex) -> AppState {
    apps[app].launchesSeen += 1
    if front != app, front != .none { leavePlain(front) }
    noteDemand()
    let state = apps[app].state
    switch state {
    case .notRunning: note(.requested, app)
    case .active:
      note(.launched, app, launchKind: .hot)
      countLaunch(app, .hot)
    default: note(.launched, app, launchKind: hitKind(app))
    }
    return state
  }

  /// T3, T5 and T7 of the app in front, if nothing keeps it; whether nothing did.
  @inline(__always)
  mutating func leaveStraight(_ app: AppIndex) -> Bool {
    guard goesStraight, apps[app].state == .active, isPlain(app) else { return false }
    leavePlain(app)
    return true
  }

  /// T3, T5 and T7 of a plain app in front.
  @inline(__always)
  mutating func leavePlain(_ app: AppIndex) {
    front = .none
    suspensionCount += 1
    apps[app].suspendFromFront(at: now, order: suspensionCount)
    counters.suspended.change(by: apps[app].footprintBytes, at: now)
    decision.isMuted = false
    changes.add(app)
    note(.suspended, app)
  }

  /// T11 of the app that was let in: one pass, as a plain app that comes back is as large as it was.
  @usableFromInline
  mutating func arriveStraight() {
    let app = arrival.letIn
    arrival.letIn = .none
    arrivePlain(app)
  }

  /// T11 of a plain app that was suspended.
  @inline(__always)
  mutating func arrivePlain(_ app: AppIndex) {
    counters.suspended.change(by: -apps[app].footprintBytes, at: now)
    let kind = hitKind(app)
    apps[app].activate(at: now)
    show(app)
    countLaunch(app, kind)
  }

  /// T1 of a plain app that waited for room.
  @inline(__always)
  mutating func startPlain(_ app: AppIndex, bytes: Int64) {
    counters.noteReturn(of: app)
    apps[app].beginLife(at: now)
    addResident(app)
    apps[app].activate(at: now)
    restoreSnapshot(app)
    resizePlain(app, to: bytes)
    show(app)
    countLaunch(app, .cold)
    note(.launched, app)
  }

  /// The app that waited for room comes in, if nothing else happens then; whether it did.
  @inline(__always)
  mutating func insertPlain(bytes: Int64) -> Bool {
    let app = arrival.waiting
    guard isPlain(app), isFrontFree, !arrival.isInBackground, bytes <= configuration.capacity
    else { return false }
    switch apps[app].state {
    case .suspended: arrivePlain(app)
    case .notRunning: startPlain(app, bytes: bytes)
    case .active, .inactive, .background: return false
    }
    arrival.waiting = .none
    return true
  }

  /// Ends an app so that another one fits.
  mutating func evict(_ victim: AppIndex, for open: OpenDecision) {
    guard endsPlainly(victim) else {
      _ = end(victim, for: open, emptiedBytes: 0)
      return
    }
    decision.hasPurged = true
    apps[victim].lastVictimAt = now
    decision.freed.append(FreedVictim(app: victim, bytes: apps[victim].chargedBytes))
    countPurge(victim)
    endPlain(victim)
  }

  /// Whether nothing has to be closed where an app is purged.
  @inline(__always)
  mutating func endsPlainly(_ app: AppIndex) -> Bool {
    goesStraight && apps[app].state == .suspended && isPlain(app)
  }

  /// T10 of a plain app that is suspended.
  @inline(__always)
  mutating func endPlain(_ app: AppIndex) {
    counters.suspended.change(by: -apps[app].footprintBytes, at: now)
    resizePlain(app, to: 0)
    removeResident(app)
    noteEnd(app, .purge)
    apps[app].state = .notRunning
  }

  /// A plain app is as large as it declares: no more than figures change.
  @inline(__always)
  private mutating func resizePlain(_ app: AppIndex, to bytes: Int64) {
    let delta = bytes - apps[app].footprintBytes
    guard delta != 0 else { return }
    apps[app].ballastBytes = bytes
    apps[app].footprintBytes = bytes
    apps[app].chargedBytes = bytes
    counters.footprintBytes += delta
    counters.notePeak()
    counters.footprintChanged(app, to: bytes, at: now)
    changeAvailable(by: -delta)
    if notes.wantsFootprints { note(.resized, app) }
  }

  // MARK: Making room

  /// What settling begins with, where there are no limits and no levels.
  @inline(__always)
  mutating func beginMakingRoom() {
    needsSettling = false
    decision.hasPurged = false
    counters.checkPurges(availableBytes: availableBytes)
  }

  /// What settling ends with, where there are no limits and no levels.
  @inline(__always)
  mutating func endMakingRoom() {
    watchFreed()
    counters.checkPurges(availableBytes: availableBytes)
    // What the decisions themselves changed is settled.
    needsSettling = false
    decision.openNumber = nil
  }

  @inline(__always)
  private mutating func isPlain(_ app: AppIndex) -> Bool {
    apps[app].looseEnds.isEmpty && !timers.isAnySet(of: app.rawValue)
  }
}
