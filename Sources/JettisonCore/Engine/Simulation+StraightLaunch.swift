/// Launches on the textbook cache where no end is loose: what the verbs of the life cycle come to then, in
/// one pass.
///
/// An app that comes back as large as it was changes no memory, so nothing has to be settled.
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

  /// T3, T5 and T7 of the app in front, if nothing keeps it; whether nothing did.
  @inline(__always)
  mutating func leaveStraight(_ app: AppIndex) -> Bool {
    guard goesStraight, apps[app].state == .active, isPlain(app) else { return false }
    front = .none
    suspensionCount += 1
    apps[app].state = .suspended
    apps[app].activeSince = -1
    apps[app].lastLeftFront = now
    apps[app].suspendedAt = now
    apps[app].suspensionOrder = suspensionCount
    counters.suspended.change(by: apps[app].footprintBytes, at: now)
    decision.isMuted = false
    changes.add(app)
    note(.suspended, app)
    return true
  }

  /// The launch of a suspended app that is let in as it is, if it may be; whether it is.
  ///
  /// A policy that listens is told before the app is there: see ``arriveStraight()``.
  @inline(__always)
  mutating func launchStraight(_ app: AppIndex) -> Bool {
    guard apps[app].state == .suspended, fitsAsItIs(app), isFrontFree else { return false }
    noteRequest(app)
    arrival.letIn = app
    if notes.wantsEvents {
      note(.launched, app, launchKind: hitKind(app))
    } else {
      arriveStraight()
    }
    return true
  }

  /// T11 of the app that was let in.
  @usableFromInline
  mutating func arriveStraight() {
    let app = arrival.letIn
    arrival.letIn = .none
    counters.suspended.change(by: -apps[app].footprintBytes, at: now)
    apps[app].state = .active
    apps[app].activeSince = now
    let kind = hitKind(app)
    show(app)
    countLaunch(app, kind)
  }

  /// T1 of an app whose process has begun, if nothing rare belongs to it; whether nothing does.
  @inline(__always)
  mutating func startStraight(_ app: AppIndex) -> Bool {
    guard goesStraight, apps[app].looseEnds.isEmpty else { return false }
    apps[app].state = .active
    apps[app].activeSince = now
    restoreSnapshot(app)
    declareSize(app, declaredSize(app))
    return true
  }

  /// T10 of a suspended app that leaves nothing open; whether it leaves nothing.
  @inline(__always)
  mutating func endStraight(_ app: AppIndex) -> Bool {
    guard goesStraight, apps[app].state == .suspended, isPlain(app) else { return false }
    declareSize(app, 0)
    removeResident(app)
    apps.forgetAdj(of: app)
    noteEnd(app, .purge)
    apps[app].state = .notRunning
    return true
  }

  /// Whether an app in memory asks for no more of it, so that nothing has to be settled.
  @inline(__always)
  mutating func fitsAsItIs(_ app: AppIndex) -> Bool {
    goesStraight && !needsSettling && isPlain(app) && availableBytes >= 0
      && declaredSize(app) == apps[app].footprintBytes
  }

  @inline(__always)
  private mutating func isPlain(_ app: AppIndex) -> Bool {
    apps[app].looseEnds.isEmpty && !timers.isAnySet(of: app.rawValue)
  }
}
