/// Which ends of the capture a run carries out, where it follows the capture instead of deciding.
struct FollowedCapture {
  /// Causes of ends that are put to the policy; nil: the run decides for itself.
  var causes: Set<ExitCause>?
  /// Apps whose end was observed and is to be carried out, in the order of the rows.
  var due: [AppIndex] = []
  /// Whether a measured figure of available memory waits for the other rows of its instant.
  var isAvailableOpen = false
  /// That figure, in bytes.
  var measuredBytes: Int64 = 0

  /// Whether the run follows the capture.
  var isOn: Bool { causes != nil }
}

extension Simulation {
  // MARK: Rows that are only compared

  /// The real system ended an app.
  ///
  /// Its blocks stay here until the next generation begins, and unless the run follows the capture,
  /// so does the app; its tasks and modes will never be closed.
  mutating func observeExit(_ event: TraceEvent) {
    let app = event.app
    if log.wantsObservations { recordObservation(.exit, app) }
    apps[app].generationEnded = true
    guard apps[app].state != .notRunning else { return }
    guard let causes = followed.causes else {
      forgetTasks(app)
      return
    }
    let cause = details[Int(event.detail)].exitCause
    if causes.contains(cause) {
      followed.due.append(app)
      needsSettling = true
    } else {
      followExit(app, cause)
    }
  }

  /// An end that was not for memory, as far as the capture tells.
  private mutating func followExit(_ app: AppIndex, _ cause: ExitCause) {
    switch cause {
    case .userRequest, .userStopped: endByUser(app, cause: .quit)
    case .packageUpdated: endByUser(app, cause: .update)
    case .crash, .nativeCrash, .notResponding, .initFailure, .signal:
      endByItself(app, cause: .crash)
    default: endByItself(app, cause: .exit)
    }
  }

  /// The real system warned.
  mutating func observeWarning(_ event: TraceEvent) {
    if log.wantsObservations { recordObservation(.warning, event.app) }
  }

  /// The real system had so much memory available: the rows of an instant, of which those about
  /// memory may follow this one, come first.
  mutating func observeAvailable(_ event: TraceEvent) {
    guard log.wantsObservations else { return }
    followed.measuredBytes = event.value
    followed.isAvailableOpen = true
  }

  /// All rows of the instant were applied.
  mutating func recordAvailable() {
    followed.isAvailableOpen = false
    recordObservation(.available, .none, measuredBytes: followed.measuredBytes)
  }

  private mutating func recordObservation(
    _ kind: ObservationRecord.Kind, _ app: AppIndex, measuredBytes: Int64? = nil
  ) {
    log.recorder?.record(
      ObservationRecord(
        timeNanoseconds: now, kind: kind, app: app, state: app == .none ? nil : apps[app].state,
        availableBytes: availableBytes, level: level, measuredBytes: measuredBytes))
  }

  // MARK: Ends of the capture as decisions

  /// The next end that was observed, as a decision about everybody who may go.
  mutating func openFollowed() -> OpenDecision? {
    model.refreshRanks(&self)
    var next = AppIndex.none
    while next == .none, !followed.due.isEmpty {
      let app = followed.due.removeFirst()
      // Two rows at one instant may end one life.
      if apps[app].state != .notRunning { next = app }
    }
    guard next != .none else { return nil }
    collectEligible { _, _ in true }
    var open = openDecision(.anyone, model.usualRule(&self), target: enoughBytes, one: true)
    open.namedVictim = next
    return open
  }

  /// A named victim is gone whatever the decision could do about it: it may be pinned here, or have
  /// had purgeable memory enough.
  mutating func endNamedVictim(_ open: OpenDecision) {
    guard apps[open.namedVictim].state != .notRunning else { return }
    _ = end(open.namedVictim, for: open, emptiedBytes: 0)
  }
}
