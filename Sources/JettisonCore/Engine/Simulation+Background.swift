/// Apps in the background: suspended when idle, woken, and what their tasks may take.
extension Simulation {
  /// The app is suspended after the delay once its handler has returned and nothing is open.
  ///
  /// Where nothing takes time the delay is 0, and a leave needs no timer at all (`atOnce`).
  mutating func suspendWhenIdle(_ app: AppIndex, atOnce: Bool = false) {
    let record = apps[app]
    guard record.state == .background, !record.handlerRuns, record.openTaskCount == 0,
      record.modes == 0, apps.profiles[app.position].processKind == .app, app != topSleeping
    else { return }
    if traits.takesNoTime, atOnce {
      suspend(app)
      return
    }
    let due = now + (traits.takesNoTime ? 0 : configuration.device.suspensionDelayNanoseconds)
    timers.set(.suspension, app.rawValue, at: due)
    needsSettling = true
  }

  /// Whether the app will be suspended without anything else happening.
  mutating func isOnItsWay(_ app: AppIndex) -> Bool {
    let record = apps[app]
    return record.state == .background && record.openTaskCount == 0 && record.modes == 0
      && app != front && (record.handlerRuns || timers.isSet(.suspension, app.rawValue))
  }

  mutating func isAnyOnItsWay() -> Bool {
    for position in 0..<residents.count where isOnItsWay(residents[position]) { return true }
    return false
  }

  /// T7, without a message.
  mutating func suspend(_ app: AppIndex) {
    assert(apps[app].state == .background, "only background apps are suspended")
    if apps[app].heldResources != 0, conduct.policesBackground {
      kill(app, cause: .sharedResource, recorded: .sharedResource)
      return
    }
    enter(.suspended, app, cause: .t7)
    apps[app].suspendedAt = now
    suspensionCount += 1
    apps[app].suspensionOrder = suspensionCount
    changes.add(app)
    timers.cancel(.response, app.rawValue)
    timers.cancel(.decay, app.rawValue)
    freezeSaves(app)
    stopAutosaveClock(app)
    countSavedShare(app)
    fall(app, toCeiling: apps.profiles[app.position].suspendedCeilingBytes)
    note(.suspended, app)
    needsSettling = true
  }

  /// T12: the system resumes the app in the background.
  mutating func wake(_ app: AppIndex) {
    apps[app].wokenAt = now
    enter(.background, app, cause: .t12)
    resumeCode(app)
    deliverDeviceChanges(app)
    apps[app].budgetFrom = now
    apps[app].expirationHandlerCame = false
    needsSettling = true
    suspendWhenIdle(app)
  }

  /// What was frozen goes on.
  mutating func resumeCode(_ app: AppIndex) {
    thawSaves(app)
    startAutosaveClock(app)
    armDecay(app)
  }

  @inline(__always)
  mutating func deliverDeviceChanges(_ app: AppIndex) {
    while let change = deviceChanges.takeNext(app) { tellChange(app, change) }
  }

  /// `background-launch`: T2 if the app does not run, T12 if it is suspended.
  mutating func launchInBackground(_ app: AppIndex) {
    beginGenerationIfEnded(app)
    guard multitasks(app) else {
      counters[app].skippedEvents += 1
      return
    }
    switch apps[app].state {
    case .suspended: wake(app)
    case .background:
      if timers.isSet(.suspension, app.rawValue) { suspendWhenIdle(app) }
    case .active, .inactive: break
    case .notRunning:
      note(.requested, app)
      guard traits.makesRoomFirst else {
        startInBackground(app)
        return
      }
      request(app)
      arrival.isInBackground = true
    }
  }

  /// T2.
  mutating func startInBackground(_ app: AppIndex) {
    beginProcess(app)
    apps[app].wokenAt = now
    enter(.background, app, cause: .t2)
    restoreSnapshot(app)
    tell(app, .didFinishLaunching, .didFinishLaunchingNotification)
    if configuration.device.era?.tellsBackgroundLaunch ?? true {
      tell(app, .didEnterBackground, .didEnterBackgroundNotification)
    }
    apps[app].budgetFrom = now
    apps[app].expirationHandlerCame = false
    startMemory(app)
    counters[app].backgroundLaunches += 1
    if log.wantsEvents {
      var row = EventRecord(.launch, app: app, at: now)
      row.cause = .background
      log.record(row)
    }
    note(.launchedInBackground, app)
    needsSettling = true
    suspendWhenIdle(app, atOnce: true)
  }

  // MARK: Tasks

  mutating func openTask(_ app: AppIndex) {
    apps[app].openTaskCount += 1
    noteAssertions(app)
    timers.cancel(.suspension, app.rawValue)
    needsSettling = true
    armTaskDeadline(app)
  }

  /// Tasks or modes changed: so may the app's standing.
  @inline(__always)
  mutating func noteAssertions(_ app: AppIndex) {
    if traits.followsApps {
      model.stateChanged(app, from: apps[app].state, to: apps[app].state, &self)
    }
  }

  mutating func closeTask(_ app: AppIndex) {
    apps[app].openTaskCount -= 1
    noteAssertions(app)
    guard apps[app].openTaskCount == 0 else { return }
    stopTaskBudget(app)
    suspendWhenIdle(app)
  }

  /// Nothing expires until a budget begins anew.
  mutating func stopTaskBudget(_ app: AppIndex) {
    timers.cancel(.expirationHandler, app.rawValue)
    timers.cancel(.taskDeadline, app.rawValue)
  }

  /// The app ends its tasks, those of saves under way included.
  mutating func endTasks(_ app: AppIndex) {
    // Rows that end them later end nothing.
    apps[app].processEpoch = max(1, apps[app].processEpoch &+ 1)
    var slot = apps[app].firstSave
    while slot != AppRecord.none {
      saves[slot].holdsTask = false
      slot = saves[slot].next
    }
    guard apps[app].openTaskCount > 0 else { return }
    apps[app].openTaskCount = 1
    closeTask(app)
  }

  /// Tasks, modes and resources of a generation that the capture saw ending are over here as well.
  mutating func forgetTasks(_ app: AppIndex) {
    apps[app].heldResources = 0
    guard apps[app].openTaskCount > 0 || apps[app].modes != 0 else { return }
    apps[app].processEpoch = max(1, apps[app].processEpoch &+ 1)
    if apps[app].modes != 0 { apps[app].budgetFrom = now }
    apps[app].modes = 0
    apps[app].openTaskCount = 1
    var slot = apps[app].firstSave
    while slot != AppRecord.none {
      if saves[slot].holdsTask { apps[app].openTaskCount += 1 }
      slot = saves[slot].next
    }
    closeTask(app)
    armTaskDeadline(app)
  }

  /// One budget for all tasks, counted from entering the background; while a mode is open or the
  /// app is on top behind a lock it needs none, and the budget begins anew after that.
  @inline(__always)
  mutating func armTaskDeadline(_ app: AppIndex) {
    if apps[app].openTaskCount > 0 { armOpenTaskDeadline(app) }
  }

  @inline(never)
  private mutating func armOpenTaskDeadline(_ app: AppIndex) {
    let record = apps[app]
    guard record.state == .background, record.modes == 0,
      !timers.isSet(.taskDeadline, app.rawValue),
      apps.profiles[app.position].processKind == .app, app != topSleeping
    else { return }
    let budgets = configuration.device.budgets
    let deadline =
      record.wokenAt >= 0
      ? record.budgetFrom + min(budgets.taskNanoseconds, budgets.backgroundLaunchNanoseconds)
      : record.budgetFrom + budgets.taskNanoseconds
    let lead: Int64 = 5_000_000_000
    if !record.expirationHandlerCame {
      timers.set(
        .expirationHandler, app.rawValue, at: max(now, deadline - lead))
    }
    timers.set(.taskDeadline, app.rawValue, at: max(now, deadline))
  }

  /// The main thread calls it: while that is busy it has to wait, and may come too late.
  mutating func callExpirationHandler(_ app: AppIndex) {
    guard !apps[app].handlerRuns else { return }
    apps[app].expirationHandlerCame = true
    tell(app, .expirationHandler)
    answerExpiration(app)
  }

  /// Whether it was due while the main thread was busy, and the tasks are still open.
  mutating func isExpirationOverdue(_ app: AppIndex) -> Bool {
    timers.isSet(.taskDeadline, app.rawValue) && !apps[app].expirationHandlerCame
      && !timers.isSet(.expirationHandler, app.rawValue)
  }

  mutating func cancelBackgroundTimers(_ app: AppIndex) {
    timers.cancel(.suspension, app.rawValue)
    timers.cancel(.handlerDeadline, app.rawValue)
    timers.cancel(.expirationHandler, app.rawValue)
    timers.cancel(.taskDeadline, app.rawValue)
    apps[app].handlerRuns = false
    apps[app].handlerSave = AppRecord.none
  }
}
