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
    guard !arrival.meetsBound, comesInAsItIs(app) else { return false }
    noteRequest(app)
    arrival.letIn = app
    if notes.wantsEvents {
      note(.launched, app, launchKind: hitKind(app))
    } else {
      arriveStraight()
    }
    return true
  }

  /// Whether a suspended app comes to the front and nothing else happens.
  @inline(__always)
  private mutating func comesInAsItIs(_ app: AppIndex) -> Bool {
    apps[app].state == .suspended && fitsAsItIs(app) && isFrontFree
  }

  /// T11 of the app that was let in.
  @usableFromInline
  mutating func arriveStraight() {
    let app = arrival.letIn
    arrival.letIn = .none
    arriveStraight(app)
  }

  @inline(__always)
  private mutating func arriveStraight(_ app: AppIndex) {
    counters.suspended.change(by: -apps[app].footprintBytes, at: now)
    apps[app].state = .active
    apps[app].activeSince = now
    let kind = hitKind(app)
    show(app)
    countLaunch(app, kind)
  }

  /// T11 of an app that has waited for a bound to be met; whether nothing else happens.
  @inline(__always)
  mutating func insertStraight(_ app: AppIndex) -> Bool {
    guard arrival.meetsBound, comesInAsItIs(app) else { return false }
    arriveStraight(app)
    return true
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

  // MARK: Making room

  /// What settling begins with, where there are no limits and no levels.
  @inline(__always)
  mutating func beginMakingRoom() {
    needsSettling = false
    decision.hasPurged = false
    counters.checkPurges(availableBytes: availableBytes)
  }

  /// Opens the decision that the waiting app needs; nil: it fits, or no app may go for it.
  @inline(__always)
  mutating func openForRoom() -> OpenDecision? {
    decision.openNumber = nil
    let needed = pendingBytes - apps[arrival.waiting].footprintBytes
    guard availableBytes < needed else { return nil }
    return model.nextDecision(&self)
  }

  /// What settling ends with, where there are no limits and no levels.
  @inline(__always)
  mutating func endMakingRoom() {
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
