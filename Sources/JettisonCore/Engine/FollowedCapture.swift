/// Which ends of the capture a run carries out, where it follows the capture instead of deciding.
struct FollowedCapture {
  /// Causes of ends that are put to the policy; nil: the run decides for itself.
  var causes: Set<ExitCause>?
  /// Apps whose end was observed and is to be carried out, in the order of the rows.
  var due: [AppIndex] = []
  /// Whom the open decision ends, whatever the policy says.
  var victim = AppIndex.none
  /// Whether a measured figure of available memory waits for the other rows of its instant.
  var isAvailableOpen = false
  /// That figure, in bytes.
  var measuredBytes: Int64 = 0

  /// Whether the run follows the capture.
  var isOn: Bool { causes != nil }
}

extension PolicySpec {
  /// Replays a trace as the capture went, and asks this policy at every end that was observed.
  ///
  /// The simulated system decides nothing: an app ends when the capture says so, and nobody else
  /// does for memory. At each `observed-exit` of one of `causes` whose app runs here, the policy
  /// puts everybody who may go in order, as a decision about all of them would find them, and the
  /// recorder gets the decision with the observed victim as the chosen one, after the
  /// ``ObservationRecord`` of the row. The apps are grouped as the pressure model does: suspended
  /// before running before the one in front, or by band; inside the groups the policy decides.
  ///
  /// Not for `ideal-cache`, which must make room itself.
  ///
  /// - Throws: ``RunError`` if the run fails.
  package func follow(
    _ trace: Trace, _ configuration: RunConfiguration, causes: Set<ExitCause>,
    recorder: any Recorder
  ) throws(RunError) {
    precondition(configuration.pressure != .idealCache, "a textbook cache makes room itself")
    precondition(recorder.wantsDecisions, "decisions are what the run is for")
    let policy: any PurgePolicy
    do throws(ConfigurationError) {
      policy = try descriptor.make(arguments, PolicyContext(trace, configuration))
    } catch {
      throw .policyFailed(policy: name, reason: error.description)
    }
    var engine = try ReplayEngine(
      trace, configuration, policy: WatchedPolicy(policy, others: [], decision: 0), spec: self,
      recorder: recorder)
    engine.follow(causes)
    _ = try engine.run(trace)
  }
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
    if rules.family == .android { refreshStandings() }
    var next = AppIndex.none
    while next == .none, !followed.due.isEmpty {
      let app = followed.due.removeFirst()
      // Two rows at one instant may end one life.
      if apps[app].state != .notRunning { next = app }
    }
    guard next != .none else { return nil }
    followed.victim = next
    collectEligible { _, _ in true }
    return made(.anyone, usualTrigger, target: rules.wasteThresholdBytes, one: true)
  }

  /// The rule under which the model ends most apps.
  private var usualTrigger: RecordedCause {
    switch rules.family {
    case .thresholds, .idealCache: .thresholds
    case .ios4: .level
    case .jetsam: .vmPageshortage
    case .android: android.rules.usesDaemon ? .lowMem : .lowmemorykiller
    case .linux: .oomKill
    }
  }

  /// Which of the model's groups a candidate belongs to, from 0: lower groups go first.
  mutating func followedGroup(of app: AppIndex) -> Int {
    switch rules.family {
    case .thresholds, .ios4:
      return app == front ? 2 : apps[app].state == .suspended ? 0 : 1
    case .jetsam:
      let band = apps.standings[app.position].band
      var lower: Set<Int16> = []
      for position in decision.candidates.indices {
        let other = apps.standings[decision.candidates[position].app.position].band
        if other < band { lower.insert(other) }
      }
      return lower.count
    case .android, .linux, .idealCache:
      return 0
    }
  }

  /// The victim of a followed end is gone whatever the decision could do about it: it may be
  /// pinned here, or have had purgeable memory enough.
  mutating func endFollowedVictim(_ open: OpenDecision) {
    let victim = followed.victim
    followed.victim = .none
    guard apps[victim].state != .notRunning else { return }
    _ = end(victim, for: open, emptiedBytes: 0)
  }
}
