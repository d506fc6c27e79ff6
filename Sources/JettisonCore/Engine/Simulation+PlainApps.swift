/// Plain apps on the textbook cache: those without loose ends and without timers. What the verbs of the life
/// cycle come to then, in one pass.
///
/// A plain app has one size as long as it is in memory, so that coming back changes no memory and nothing
/// has to be settled.
extension Simulation {
  /// Whether plain apps of a run can take a short way: nothing takes time, no app is told anything, and
  /// no row of the log would be missed.
  static func goesStraight(
    _ traits: PressureTraits, _ device: Device, _ index: TraceIndex, _ recorder: (any Recorder)?
  ) -> Bool {
    traits.makesRoomFirst && traits.takesNoTime && traits.declaresSizes && !traits.hasLimits
      && !traits.followsApps && !traits.locks && !traits.letsAppsOptOut && device.multitasks
      && index.kindCounts[Int(EventKind.deviceChange.rawValue)] == 0
      && recorder?.wantsEvents != true && recorder?.wantsFootprints != true
  }

  /// T3, T5 and T7 of the app in front, if nothing keeps it; whether nothing did.
  @inline(__always)
  mutating func leaveStraight(_ app: AppIndex) -> Bool {
    guard goesStraight, apps[app].state == .active, isPlain(app) else { return false }
    front = .none
    suspensionCount += 1
    apps[app].suspendFromFront(at: now, order: suspensionCount)
    counters.suspended.change(by: apps[app].footprintBytes, at: now)
    decision.isMuted = false
    changes.add(app)
    note(.suspended, app)
    return true
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

  @inline(__always)
  private mutating func isPlain(_ app: AppIndex) -> Bool {
    apps[app].looseEnds.isEmpty && !timers.isAnySet(of: app.rawValue)
  }
}
