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
    emit(.state, app) {
      $0.stateBefore = before
      $0.stateAfter = state
      $0.cause = transition
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

  private func clearInterruptions() {
    isInterrupted = false
    isLocked = false
  }

  func clearFront(ifHeldBy app: ModelApp) {
    guard front === app else { return }
    front = nil
    clearInterruptions()
  }

  // MARK: Launch

  func launch(_ app: ModelApp, at position: Int) {
    beginGeneration(of: app)
    findDemand(of: app, after: position)
    let size = idealSize(of: app, launchedAt: position)
    if front === app {
      relaunchFront(app, size: size)
    } else {
      if let leaving = front { leave(leaving, at: position) }
      front = app
      if app.life == nil { launchCold(app, size: size) } else { resume(app, size: size) }
    }
  }

  private func relaunchFront(_ app: ModelApp, size: Int64) {
    policy.launched(app, at: now)
    insertIntoCache(app, size: size)
    if app.state == .inactive {
      clearInterruptions()
      becomeActiveAgain(app)
    }
    recordLaunch(app, .hot)
  }

  private func launchCold(_ app: ModelApp, size: Int64) {
    insertIntoCache(app, size: size)
    startProcess(app, size: size)
    app.life?.wasShown = true
    app.life?.followsPurge = app.newestEnd == .purge
    let figures = app.ledger.figures(at: now)
    if figures.durableBytes > 0 || figures.durableWork > 0 {
      app.life?.restored = (figures.durableBytes, figures.durableWork)
    }
    beginEpisode(app)
    move(app, to: .inactive, .t1)
    if tellsWillFinishLaunching { tell(app, .willFinishLaunching) }
    tell(app, .didFinishLaunching, .didFinishLaunchingNotification)
    move(app, to: .active, .t1)
    tell(app, .didBecomeActive, .didBecomeActiveNotification)
    policy.launched(app, at: now)
    recordLaunch(app, .cold)
    if app.newestEnd == .purge {
      let wait = max(
        0, app.profile.coldLaunchNanoseconds - app.profile.hotLaunchNanoseconds)
      count(app) {
        $0.coldLaunchesAfterPurge += 1
        $0.relaunchWaitNanoseconds += wait
      }
      if counts { relaunchWaits.append(AppSample(app: app.index, nanoseconds: wait)) }
    }
    startTimerSaves(app)
    memoryChanged()
  }

  private func resume(_ app: ModelApp, size: Int64) {
    let kind: LaunchKind = app.life?.wasShown == true ? .hot : .warm
    policy.launched(app, at: now)
    insertIntoCache(app, size: size)
    for timer in [ModelTimerKind.handlerDeadline, .suspension, .expirationHandler, .taskDeadline] {
      timers.cancel(timer, app.index)
    }
    app.life?.handlerSave = nil
    app.life?.unsavedAtLeave = nil
    app.life?.wasShown = true
    let wasSuspended = app.state == .suspended
    beginEpisode(app)
    move(app, to: .inactive, .t11)
    tell(app, .willEnterForeground, .willEnterForegroundNotification)
    tellQueuedChanges(app)
    move(app, to: .active, .t11)
    tell(app, .didBecomeActive, .didBecomeActiveNotification)
    recordLaunch(app, kind)
    if wasSuspended { thaw(app) }
    memoryChanged()
  }

  private func recordLaunch(_ app: ModelApp, _ kind: LaunchKind) {
    let profile = app.profile
    emit(.launch, app) {
      switch kind {
      case .cold: ($0.cause, $0.nanoseconds) = (.cold, profile.coldLaunchNanoseconds)
      case .warm: ($0.cause, $0.nanoseconds) = (.warm, profile.warmLaunchNanoseconds)
      case .hot: ($0.cause, $0.nanoseconds) = (.hot, profile.hotLaunchNanoseconds)
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
    app.life = ModelLife(startedAt: now)
    equip(app)
    app.life?.cacheSize = size
  }

  /// A foreground episode begins; whether it is dirty is drawn once.
  func beginEpisode(_ app: ModelApp) {
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
    guard device.multitasks else { return skip(app) }
    switch app.state {
    case .notRunning:
      let size = idealSize(of: app, launchedAt: position)
      insertIntoCache(app, size: size)
      startProcess(app, size: size)
      enterBackground(app, budget: wakeBudget)
      move(app, to: .background, .t2)
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

  private func enterBackground(_ app: ModelApp, budget: Int64) {
    app.life?.backgroundSince = now
    app.life?.backgroundBudget = budget
    app.life?.expirationHandlerCame = false
  }

  /// The app in front leaves it: T5, T6 or T15.
  func leave(_ app: ModelApp, at position: Int) {
    let wasActive = app.state == .active
    clearFront(ifHeldBy: app)
    guard device.multitasks else { return endByLeaving(app, wasActive: wasActive) }
    if wasActive {
      tell(app, .willResignActive, .willResignActiveNotification)
      move(app, to: .inactive, .t5)
    }
    move(app, to: .background, wasActive ? .t5 : .t6)
    tell(app, .didEnterBackground, .didEnterBackgroundNotification)
    app.life?.leftFrontAt = now
    app.life?.unsavedAtLeave = app.ledger.figures(at: now).unsavedBytes
    enterBackground(app, budget: device.budgets.taskNanoseconds)
    saveOnLeaving(app, at: position)
    armTaskDeadline(app)
    considerSuspension(app)
    if isIdealCache, isReadyForSuspension(app) { suspend(app) }
  }

  /// Something resumes a suspended app in the background: T12.
  func wake(_ app: ModelApp) {
    enterBackground(app, budget: wakeBudget)
    move(app, to: .background, .t12)
    tellQueuedChanges(app)
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

  private func tellQueuedChanges(_ app: ModelApp) {
    for kind in (app.life?.queuedChanges ?? []).sorted() {
      tell(app, Message.deviceChange(kind: Int(kind)))
    }
    app.life?.queuedChanges = []
  }

  /// Frozen saves and the autosave timer go on.
  private func thaw(_ app: ModelApp) {
    guard var life = app.life else { return }
    for i in life.saves.indices where life.saves[i].endsAt == nil {
      let end = ModelArithmetic.sum(now, life.saves[i].remaining)
      life.saves[i].endsAt = end
      timers.set(.saveEnd, app.index, at: end, save: life.saves[i].number)
    }
    app.life = life
    resumeTimerSaves(app)
  }

  // MARK: Suspension

  /// Nothing keeps the app awake any longer; on the ideal cache it is suspended at once.
  func isReadyForSuspension(_ app: ModelApp) -> Bool {
    guard let life = app.life else { return false }
    return life.state == .background && life.handlerSave == nil && !life.isHeldAwake
  }

  /// Sets the suspension timer anew if nothing keeps the app awake.
  func considerSuspension(_ app: ModelApp) {
    timers.cancel(.suspension, app.index)
    guard isReadyForSuspension(app), !isIdealCache else { return }
    timers.set(
      .suspension, app.index,
      at: ModelArithmetic.sum(now, device.suspensionDelayNanoseconds))
  }

  /// Whether the app will be suspended by itself, so that it pays to wait.
  func isOnItsWay(_ app: ModelApp) -> Bool {
    guard let life = app.life, life.state == .background, !life.isHeldAwake else { return false }
    return life.handlerSave != nil || timers.time(of: .suspension, app.index) != nil
  }

  func suspend(_ app: ModelApp) {
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
    applyCeiling(app)
    policy.suspended(app)
    notedNoVictim = false
    memoryChanged()
  }

  private func freeze(_ app: ModelApp) {
    guard var life = app.life else { return }
    for i in life.saves.indices {
      guard let end = life.saves[i].endsAt else { continue }
      life.saves[i].remaining = end - now
      life.saves[i].endsAt = nil
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

  func armTaskDeadline(_ app: ModelApp) {
    guard let life = app.life, life.state == .background, life.hasTask, life.modes.isEmpty
    else { return }
    let deadline = ModelArithmetic.sum(life.backgroundSince, life.backgroundBudget)
    if !life.expirationHandlerCame {
      timers.set(
        .expirationHandler, app.index, at: max(now, deadline - Self.expirationLead))
    }
    timers.set(.taskDeadline, app.index, at: max(now, deadline))
  }
}
