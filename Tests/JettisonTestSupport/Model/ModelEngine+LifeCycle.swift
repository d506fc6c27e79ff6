import JettisonCore

extension ModelEngine {
  // MARK: States

  /// Changes the state without a row, with what belongs to being active.
  func setState(_ app: ModelApp, _ state: AppState) {
    if app.state == .active {
      app.ledger.endDirtyUse(at: now)
      pauseGrowth(app)
    }
    app.life?.state = state
    if state == .active {
      if app.isInDirtyEpisode { app.ledger.beginDirtyUse(at: now) }
      resumeGrowth(app)
    }
  }

  /// Changes the state with a row.
  func move(_ app: ModelApp, to state: AppState, _ transition: RecordedCause) {
    let before = app.state
    setState(app, state)
    if isAndroid, before == .inactive, state == .background { hideWindows(of: app) }
    emit(.state, app) {
      $0.stateBefore = before
      $0.stateAfter = state
      $0.cause = transition
    }
  }

  private func hideWindows(of app: ModelApp) {
    if app.life?.handlerSave == nil {
      tell(app, .trimUIHidden)
    } else {
      app.life?.keptHidden = true
    }
  }

  private var tellsWillFinishLaunching: Bool {
    switch device.era {
    case .ios6, .ios7, .ios12, .ios14, .ios17, .ios18: true
    default: false
    }
  }

  private var tellsBackgroundAtLaunch: Bool {
    switch device.era {
    case .ios14, .ios17, .ios18: false
    default: true
    }
  }

  func becomeInactive(_ app: ModelApp) {
    tell(app, .willResignActive, .willResignActiveNotification)
    move(app, to: .inactive, .t3)
  }

  func becomeActiveAgain(_ app: ModelApp) {
    move(app, to: .active, .t4)
    tell(app, .didBecomeActive, .didBecomeActiveNotification)
  }

  // MARK: Launch

  func launch(_ app: ModelApp, at position: Int) {
    beginGeneration(of: app)
    findDemand(of: app, after: position)
    let size = idealSize(of: app, launchedAt: position)
    forgetRestart()
    clearInterruptions()
    let opening = ModelWait(since: now, isLaunch: true)
    if front === app {
      guard app.life?.handlerSave != nil else { return relaunchFront(app, size: size) }
      giveUpWaiting(for: app)
      return comeBack(app, opening)
    }
    if let leaving = front { leave(leaving, at: position) }
    front = app
    if app.life == nil { return launchCold(app, size: size) }
    app.life?.sizeAtLaunch = size
    comeBack(app, opening)
  }

  private func relaunchFront(_ app: ModelApp, size: Int64) {
    policy.launched(app, at: now)
    insertIntoCache(app, size: size)
    if app.state == .inactive { becomeActiveAgain(app) }
    recordLaunch(app, .hot, latency: app.profile.hotLaunchNanoseconds)
    memoryChanged()
  }

  /// Starts a process for the app in front, which its user may have waited for already.
  func launchCold(_ app: ModelApp, size: Int64, waited: Int64 = 0) {
    closePurge(of: app, isReturn: true)
    insertIntoCache(app, size: size)
    startProcess(app, size: size)
    app.life?.wasShown = true
    app.life?.followsPurge = app.newestEnd == .purge
    beginEpisode(app)
    move(app, to: .inactive, .t1)
    restore(app)
    if tellsWillFinishLaunching { tell(app, .willFinishLaunching) }
    tell(app, .didFinishLaunching, .didFinishLaunchingNotification)
    if interruptions.isEmpty, !isLocked {
      move(app, to: .active, .t1)
      tell(app, .didBecomeActive, .didBecomeActiveNotification)
    }
    policy.launched(app, at: now)
    recordLaunch(app, .cold, latency: waited + app.profile.coldLaunchNanoseconds)
    if let wait = chargeSystem(app, .cold), app.newestEnd == .purge {
      count(app) {
        $0.coldLaunchesAfterPurge += 1
        $0.relaunchWaitNanoseconds += wait
      }
      if counts { relaunchWaits.append(AppSample(app: app.index, nanoseconds: wait)) }
    }
    startTimerSaves(app)
    memoryChanged()
  }

  /// The user waits longer because the system had ended the app.
  ///
  /// - Returns: How much longer; nil: not because of the system.
  func chargeSystem(_ app: ModelApp, _ kind: LaunchKind) -> Int64? {
    defer { app.undisturbedLaunch = nil }
    func latency(_ kind: LaunchKind) -> Int64 {
      switch kind {
      case .cold: app.profile.coldLaunchNanoseconds
      case .warm: app.profile.warmLaunchNanoseconds
      case .hot: app.profile.hotLaunchNanoseconds
      }
    }
    let wait: Int64
    switch (kind, app.undisturbedLaunch) {
    case (.cold, let other?): wait = max(0, latency(.cold) - latency(other))
    case (.warm, .hot?): wait = max(0, latency(.warm) - latency(.hot))
    default: return nil
    }
    count(app) {
      $0.relaunchesAfterSystemEnd += 1
      $0.systemRelaunchWaitNanoseconds += wait
    }
    return wait
  }

  /// The app starts again after its newest purge, by the user's hand or not.
  private func closePurge(of app: ModelApp, isReturn: Bool) {
    guard let newest = purges.lastIndex(where: { $0.app === app }), purges[newest].restart == nil
    else { return }
    purges[newest].restart = (now, isReturn, availableHistory.count)
  }

  /// The newest snapshot is read, unless there is none and nothing is missing.
  private func restore(_ app: ModelApp) {
    let figures = app.ledger.figures(at: now)
    let lost = app.lostSomething
    app.lostSomething = false
    guard figures.hasSnapshot || lost else { return }
    if figures.durableBytes > 0 || figures.durableWork > 0 {
      app.life?.restored = (figures.durableBytes, figures.durableWork)
    }
    emit(.restore, app) {
      $0.restoreOutcome = !figures.hasSnapshot ? RestoreOutcome.none : lost ? .partial : .full
      $0.bytes = figures.durableBytes
      $0.workNanoseconds = figures.durableWork
      $0.nanoseconds = figures.newestDurableEdit.map { now - $0 }
    }
  }

  /// T11, after a wait or without one.
  func comeUp(_ app: ModelApp, _ wait: ModelWait) {
    let kind: LaunchKind = app.life?.wasShown == true ? .hot : .warm
    if wait.isLaunch { policy.launched(app, at: now) }
    insertIntoCache(app, size: app.life?.sizeAtLaunch ?? 0)
    for timer in [ModelTimerKind.handlerDeadline, .suspension, .expirationHandler, .taskDeadline] {
      timers.cancel(timer, app.index)
    }
    app.life?.unsavedAtLeave = nil
    app.life?.wasShown = true
    let wasSuspended = app.state == .suspended
    beginEpisode(app)
    if wasSuspended { move(app, to: .background, .t11) }
    tell(app, .willEnterForeground, .willEnterForegroundNotification)
    tellKeptChanges(to: app)
    move(app, to: .inactive, .t11)
    if interruptions.isEmpty, !isLocked {
      move(app, to: .active, .t11)
      tell(app, .didBecomeActive, .didBecomeActiveNotification)
    }
    if wait.isLaunch {
      let profile = app.profile
      let latency = kind == .hot ? profile.hotLaunchNanoseconds : profile.warmLaunchNanoseconds
      recordLaunch(app, kind, latency: wait.length(at: now) + latency)
      _ = chargeSystem(app, kind)
    }
    if wasSuspended { thaw(app) }
    memoryChanged()
  }

  func recordLaunch(_ app: ModelApp, _ kind: LaunchKind, latency: Int64) {
    emit(.launch, app) {
      $0.nanoseconds = latency
      switch kind {
      case .cold: $0.cause = .cold
      case .warm: $0.cause = .warm
      case .hot: $0.cause = .hot
      }
    }
    count(app) {
      switch kind {
      case .cold: $0.coldLaunches += 1
      case .warm: $0.warmLaunches += 1
      case .hot: $0.hotLaunches += 1
      }
    }
  }

  private func startProcess(_ app: ModelApp, size: Int64) {
    closePurge(of: app, isReturn: false)
    app.life = ModelLife(startedAt: now)
    equip(app)
    app.life?.cacheSize = size
  }

  /// A foreground episode begins; whether it is dirty is drawn once.
  func beginEpisode(_ app: ModelApp) {
    if let continuedUse {
      app.isInDirtyEpisode = continuedUse
      return
    }
    let episode = app.nextEpisode
    app.nextEpisode += 1
    app.isInDirtyEpisode =
      app.modelsEdits
      && happens(app.profile.editProbability, app, episode: episode, .dirtyEpisode)
  }

  // MARK: The background

  func launchInBackground(_ app: ModelApp, at position: Int) {
    beginGeneration(of: app)
    findDemand(of: app, after: position)
    guard multitasks(app) else { return skip(app) }
    switch app.state {
    case .notRunning:
      let size = idealSize(of: app, launchedAt: position)
      insertIntoCache(app, size: size)
      startProcess(app, size: size)
      enterBackground(app, budget: wakeBudget)
      move(app, to: .background, .t2)
      restore(app)
      tell(app, .didFinishLaunching, .didFinishLaunchingNotification)
      if tellsBackgroundAtLaunch {
        tell(app, .didEnterBackground, .didEnterBackgroundNotification)
      }
      emit(.launch, app) { $0.cause = .background }
      count(app) { $0.backgroundLaunches += 1 }
      startTimerSaves(app)
      considerSuspension(app)
      memoryChanged()
    case .suspended: wake(app)
    case .background:
      if timers.time(of: .suspension, app.index) != nil { considerSuspension(app) }
    case .inactive, .active: break
    }
  }

  private var wakeBudget: Int64 {
    min(device.budgets.taskNanoseconds, device.budgets.backgroundLaunchNanoseconds)
  }

  func enterBackground(_ app: ModelApp, budget: Int64) {
    app.life?.backgroundSince = now
    app.life?.backgroundBudget = budget
    app.life?.expirationHandlerCame = false
    app.life?.keptExpiration = false
  }

  /// Whether the app may stay in memory when it is left; those that may not are of old systems.
  func multitasks(_ app: ModelApp) -> Bool {
    if !device.multitasks { return false }
    switch device.era {
    case nil, .ios4, .ios6, .ios7, .ios12: return app.profile.multitasks || isIdealCache
    default: return true
    }
  }

  /// The app in front leaves it: T5, T6 or T15; for a lock also T3 and T5.
  func leave(_ app: ModelApp, at position: Int, locks: Bool = false) {
    giveUpWaiting(for: app)
    front = nil
    interruptions = []
    if app.state == .background {
      app.life?.leftFrontAt = now
      saveAgainOnLeaving(app, at: position)
      return
    }
    let wasActive = app.state == .active
    guard multitasks(app) else { return endByLeaving(app, wasActive: wasActive) }
    if wasActive {
      tell(app, .willResignActive, .willResignActiveNotification)
      move(app, to: .inactive, locks ? .t3 : .t5)
    }
    move(app, to: .background, wasActive || locks ? .t5 : .t6)
    tell(app, .didEnterBackground, .didEnterBackgroundNotification)
    app.life?.leftFrontAt = now
    app.life?.unsavedAtLeave = app.ledger.figures(at: now).unsavedBytes
    enterBackground(app, budget: device.budgets.taskNanoseconds)
    saveOnLeaving(app, at: position, wasActive: wasActive)
    if app.life?.handlerSave == nil {
      applyCeiling(app.profile.backgroundCeilingBytes, to: app)
    } else {
      timers.set(
        .handlerDeadline, app.index,
        at: ModelArithmetic.sum(now, device.budgets.handlerNanoseconds))
    }
    armTaskDeadline(app)
    considerSuspension(app)
    if isIdealCache, isReadyForSuspension(app) { suspend(app) }
  }

  /// Something resumes a suspended app in the background: T12.
  func wake(_ app: ModelApp) {
    enterBackground(app, budget: wakeBudget)
    move(app, to: .background, .t12)
    tellKeptChanges(to: app)
    thaw(app)
    considerSuspension(app)
    memoryChanged()
  }

  /// A row proves that an app suspended here ran.
  func wakeByEvent(_ app: ModelApp) {
    count(app) { $0.impliedWakes += 1 }
    wake(app)
  }

  func wakeIfSuspended(_ app: ModelApp) {
    if app.state == .suspended { wakeByEvent(app) }
  }

  func tellKeptChanges(to app: ModelApp) {
    for (_, detail) in (app.life?.keptChanges ?? [:]).sorted(by: { $0.key < $1.key }) {
      tellChange(detail, to: app)
    }
    app.life?.keptChanges = [:]
  }

  /// Frozen saves and the autosave timer go on.
  private func thaw(_ app: ModelApp) {
    guard var life = app.life else { return }
    for i in life.saves.indices where life.saves[i].runsSince == nil {
      let end = ModelArithmetic.sum(now, life.saves[i].duration - life.saves[i].ranBefore)
      life.saves[i].runsSince = now
      timers.set(.saveEnd, app.index, at: end, save: life.saves[i].number)
    }
    app.life = life
    resumeTimerSaves(app)
  }

  // MARK: Suspension

  /// Nothing keeps the app awake any longer.
  func isReadyForSuspension(_ app: ModelApp) -> Bool {
    guard let life = app.life else { return false }
    return life.state == .background && life.handlerSave == nil && !life.isHeldAwake
      && app !== topSleeping
  }

  /// Sets the suspension timer anew if nothing keeps the app awake.
  func considerSuspension(_ app: ModelApp) {
    timers.cancel(.suspension, app.index)
    guard isReadyForSuspension(app) else { return }
    let delay = isIdealCache ? 0 : device.suspensionDelayNanoseconds
    timers.set(.suspension, app.index, at: ModelArithmetic.sum(now, delay))
  }

  /// Whether the app will be suspended by itself, so that it pays to wait.
  func isOnItsWay(_ app: ModelApp) -> Bool {
    guard let life = app.life, life.state == .background, !life.isHeldAwake, app !== front
    else { return false }
    return life.handlerSave != nil || timers.time(of: .suspension, app.index) != nil
  }

  func suspend(_ app: ModelApp) {
    if policesBackground, app.life?.resources.isEmpty == false {
      return killForForbidden(app, .sharedResource, rule: .sharedResource)
    }
    timers.cancel(.suspension, app.index)
    timers.cancel(.response, app.index)
    freeze(app)
    if let unsaved = app.life?.unsavedAtLeave {
      let left = app.ledger.figures(at: now).unsavedBytes
      count(app) {
        $0.dirtyBytesAtLeave += unsaved
        $0.savedBytesAtSuspension += max(0, unsaved - left)
      }
      app.life?.unsavedAtLeave = nil
    }
    move(app, to: .suspended, .t7)
    app.life?.suspendedAt = now
    suspensionCount += 1
    app.life?.suspensionOrder = suspensionCount
    applyCeiling(app.profile.suspendedCeilingBytes, to: app)
    policy.suspended(app)
    notedNoVictim = false
    memoryChanged()
  }

  private func freeze(_ app: ModelApp) {
    guard var life = app.life else { return }
    for i in life.saves.indices where life.saves[i].runsSince != nil {
      life.saves[i].ranBefore = life.saves[i].elapsed(at: now)
      life.saves[i].runsSince = nil
      timers.cancelSave(life.saves[i].number)
    }
    app.life = life
    pauseTimerSaves(app)
  }

  // MARK: Background tasks

  /// A task or mode began or ended.
  func assertionsChanged(_ app: ModelApp) {
    guard let life = app.life, life.state == .background else { return }
    if life.hasTask, life.modes.isEmpty {
      if timers.time(of: .taskDeadline, app.index) == nil { armTaskDeadline(app) }
    } else {
      timers.cancel(.expirationHandler, app.index)
      timers.cancel(.taskDeadline, app.index)
    }
    if life.isHeldAwake {
      timers.cancel(.suspension, app.index)
    } else if timers.time(of: .suspension, app.index) == nil {
      considerSuspension(app)
    }
  }

  /// The app saves and ends its tasks then, ends them at once, or does neither.
  func callExpirationHandler(of app: ModelApp) {
    app.life?.expirationHandlerCame = true
    tell(app, .expirationHandler)
    if app.profile.saveTriggers.contains(.expiration), app.ledger.figures(at: now).hasUnsaved {
      startSave(modelled(.expiration, of: app), of: app)
    } else if app.profile.endsTasksAtExpiration {
      endTasks(of: app)
    }
  }

  /// The app ends all its tasks, those of saves under way included.
  func endTasks(of app: ModelApp) {
    app.life?.tasks = []
    for i in app.life?.saves.indices ?? 0..<0 { app.life?.saves[i].holdsTask = false }
    assertionsChanged(app)
  }

  func armTaskDeadline(_ app: ModelApp) {
    guard let life = app.life, life.state == .background, life.hasTask, life.modes.isEmpty,
      app !== topSleeping
    else { return }
    let deadline = ModelArithmetic.sum(life.backgroundSince, life.backgroundBudget)
    if !life.expirationHandlerCame {
      timers.set(
        .expirationHandler, app.index, at: max(now, deadline - Self.expirationLead))
    }
    timers.set(.taskDeadline, app.index, at: max(now, deadline))
  }
}
