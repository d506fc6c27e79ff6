/// The life-cycle machine: T1 to T15 of <doc:TheModel#Life-cycle>.
extension Simulation {
  // MARK: Coming to the front

  /// `launch B`: the app in front leaves, B comes, demand is settled after.
  mutating func launch(_ app: AppIndex) {
    beginGenerationIfEnded(app)
    apps[app].launchesSeen += 1
    if front == app {
      launchFront(app)
      return
    }
    endLock()
    if front != .none {
      leaveFront()
    } else {
      interruptions.inFront.removeAll()
      forgetRestart()
    }
    if launchStraight(app) { return }
    needsSettling = true
    let runs = apps[app].state != .notRunning
    if !runs { note(.requested, app) }
    if traits.makesRoomFirst {
      request(app)
      if runs { note(.launched, app, launchKind: hitKind(app)) }
      return
    }
    bringToFront(app)
  }

  /// B is in front already: a hit, and the end of any interruption.
  private mutating func launchFront(_ app: AppIndex) {
    if apps[app].handlerRuns {
      giveUpWaiting(app)
      interruptions.inFront.removeAll()
      endLock()
      awaitHandler(of: app, isLaunch: true)
      return
    }
    note(.launched, app, launchKind: .hot)
    if fitsAsItIs(app) { noteRequest(app) } else if traits.makesRoomFirst { return request(app) }
    finishFrontLaunch(app)
  }

  mutating func finishFrontLaunch(_ app: AppIndex) {
    interruptions.inFront.removeAll()
    endLock()
    if apps[app].state == .inactive { becomeActive(app, cause: .t4) }
    countLaunch(app, .hot)
  }

  /// The app waits for room; each request may have a decision of its own.
  private mutating func request(_ app: AppIndex) {
    arrival.waiting = app
    noteRequest(app)
    needsSettling = true
  }

  @inline(__always)
  mutating func noteRequest(_ app: AppIndex) {
    changes.add(app)
    decision.isMuted = false
    decision.availableAfter = nil
  }

  mutating func hitKind(_ app: AppIndex) -> LaunchKind { apps[app].wasShown ? .hot : .warm }

  /// Steps (2) and (3) of a launch: T11 if the app runs, else T1 from its newest snapshot.
  ///
  /// - Parameters:
  ///   - waited: How long the user has waited for it already, in nanoseconds.
  ///   - continuesDirty: Whether the use that goes on was dirty; nil: another use begins.
  mutating func bringToFront(
    _ app: AppIndex, waited: Int64 = 0, continuesDirty: Bool? = nil
  ) {
    if apps[app].handlerRuns {
      awaitHandler(of: app, isLaunch: true)
      return
    }
    let kind = apps[app].state == .notRunning ? LaunchKind.cold : hitKind(app)
    if kind == .cold {
      counters.noteReturn(of: app)
      launchCold(app)
    } else {
      enterForeground(app)
    }
    show(app, continuesDirty: continuesDirty)
    countLaunch(app, kind, waited: waited)
    if !traits.makesRoomFirst || kind == .cold { note(.launched, app, launchKind: kind) }
  }

  /// An app came to the front.
  @inline(__always)
  mutating func show(_ app: AppIndex, continuesDirty: Bool? = nil) {
    front = app
    apps[app].wasShown = true
    if let continuesDirty {
      apps[app].episodeIsDirty = continuesDirty
    } else if apps.profiles[app.position].modelsEdits {
      beginEpisode(app)
    }
    if apps[app].episodeIsDirty { wakeAutosave(app) }
  }

  /// T1.
  private mutating func launchCold(_ app: AppIndex) {
    beginProcess(app)
    if startStraight(app) { return }
    enter(.inactive, app, cause: .t1)
    restoreSnapshot(app)
    if configuration.device.era?.sendsWillFinishLaunching == true {
      tell(app, .willFinishLaunching)
    }
    tell(app, .didFinishLaunching, .didFinishLaunchingNotification)
    if isFrontFree { becomeActive(app, cause: .t1) }
    startMemory(app)
    needsSettling = true
  }

  /// T11: the app is told in the background that it comes to the front.
  mutating func enterForeground(_ app: AppIndex) {
    let wasSuspended = apps[app].state == .suspended
    cancelBackgroundTimers(app)
    apps[app].wokenAt = -1
    apps[app].awaitsFirstSuspension = false
    if wasSuspended { enter(.background, app, cause: .t11) }
    tell(app, .willEnterForeground, .willEnterForegroundNotification)
    if wasSuspended { resumeCode(app) }
    deliverDeviceChanges(app)
    enter(.inactive, app, cause: .t11)
    if isFrontFree { becomeActive(app, cause: .t11) }
  }

  @inline(__always)
  mutating func becomeActive(_ app: AppIndex, cause: RecordedCause) {
    enter(.active, app, cause: cause)
    tell(app, .didBecomeActive, .didBecomeActiveNotification)
    apps[app].activeSince = now
    startGrowth(app)
    needsSettling = true
  }

  /// Counts a launch for which the user has waited so long already, in nanoseconds.
  @inline(__always)
  mutating func countLaunch(_ app: AppIndex, _ kind: LaunchKind, waited: Int64 = 0) {
    switch kind {
    case .cold: counters[app].coldLaunches += 1
    case .warm: counters[app].warmLaunches += 1
    case .hot: counters[app].hotLaunches += 1
    }
    if let owed = apps[app].owedLaunch { chargeSystem(app, kind, instead: owed) }
    if log.wantsEvents {
      recordLaunch(app, kind, latency: waited + apps.latencyNanoseconds(app, kind))
    }
  }

  @inline(never)
  mutating func recordLaunch(_ app: AppIndex, _ kind: LaunchKind, latency: Int64) {
    var row = EventRecord(.launch, app: app, at: now)
    row.cause = kind == .cold ? .cold : kind == .warm ? .warm : .hot
    row.nanoseconds = latency
    log.record(row)
  }

  /// The user waits because the system had ended the app: its launch would have been another one.
  mutating func chargeSystem(_ app: AppIndex, _ kind: LaunchKind, instead owed: LaunchKind) {
    apps[app].owedLaunch = nil
    guard kind == .cold || (kind == .warm && owed == .hot) else { return }
    let wait = apps.extraLatencyNanoseconds(app, kind, over: owed)
    counters[app].relaunchesAfterSystemEnd += 1
    counters[app].systemRelaunchWaitNanoseconds += wait
    guard kind == .cold, apps[app].lastEnd == .purge else { return }
    counters[app].coldLaunchesAfterPurge += 1
    counters[app].relaunchWaitNanoseconds += wait
    counters.noteRelaunch(app, instead: owed)
    apps[app].relaunchedAt = now
  }

  // MARK: Leaving the front

  /// T3 and the first half of T5.
  mutating func resignActive(_ app: AppIndex, cause: RecordedCause) {
    tell(app, .willResignActive, .willResignActiveNotification)
    stopActivity(app)
    enter(.inactive, app, cause: cause)
    needsSettling = true
  }

  /// T3 of an app that stays in front.
  mutating func resignInFront(_ app: AppIndex) {
    guard apps[app].state == .active else { return }
    resignActive(app, cause: .t3)
    saveOnResign(app)
  }

  /// Edits and growth go on only while the app is active.
  @inline(__always)
  mutating func stopActivity(_ app: AppIndex) {
    accrueEdits(app)
    stopGrowth(app)
    apps[app].activeSince = -1
  }

  /// T5, or T6 from an interruption; T15 without multitasking.
  ///
  /// - Parameter resigns: The transition by which an active app becomes inactive first: T3 where a
  ///   lock makes it leave.
  mutating func leaveFront(resigns: RecordedCause = .t5) {
    let app = front
    if handlerWait.isOn {
      giveUpWaiting(app)
      if apps[app].state == .background {
        leaveWhileWaiting(app)
        return
      }
    }
    if leaveStraight(app) { return }
    front = .none
    interruptions.inFront.removeAll()
    apps[app].lastLeftFront = now
    changes.add(app)
    guard multitasks(app) else {
      leaveForGood(app)
      return
    }
    let wasActive = apps[app].state == .active
    if wasActive { resignActive(app, cause: resigns) }
    enter(.background, app, cause: wasActive || resigns == .t3 ? .t5 : .t6)
    tell(app, .didEnterBackground, .didEnterBackgroundNotification)
    apps[app].budgetFrom = now
    apps[app].wokenAt = -1
    apps[app].expirationHandlerCame = false
    apps[app].awaitsFirstSuspension = true
    apps[app].dirtyBytesAtLeave = apps[app].ledger.unsavedBytes
    needsSettling = true
    saveOnLeave(app, resigned: wasActive)
    if apps[app].handlerRuns { armHandlerDeadline(app) } else { fallToBackgroundCeiling(app) }
    armTaskDeadline(app)
    suspendWhenIdle(app, atOnce: true)
  }

  /// `applicationDidEnterBackground:` has been sent, and the main thread is busy.
  @inline(never)
  private mutating func armHandlerDeadline(_ app: AppIndex) {
    timers.set(.handlerDeadline, app.rawValue, at: now + handlerBudget)
  }

  /// How long a handler of leaving or ending may take, in nanoseconds.
  var handlerBudget: Int64 {
    mutating get { configuration.device.budgets.handlerNanoseconds }
  }

  /// The save for which the main thread was busy is complete.
  ///
  /// What came meanwhile is delivered first, and then whoever waits for the app has it.
  mutating func returnFromHandler(_ app: AppIndex) {
    timers.cancel(.handlerDeadline, app.rawValue)
    deliverDeviceChanges(app)
    if let cause = apps[app].keptWarning {
      apps[app].keptWarning = nil
      warn(app, cause)
    }
    if traits.followsApps { model.deliverKept(app, &self) }
    if apps[app].state == .background { fallToBackgroundCeiling(app) }
    if app == front {
      finishWaiting(app)
    } else {
      if isExpirationOverdue(app) { callExpirationHandler(app) }
      suspendWhenIdle(app)
    }
  }

  /// Whether the app stays in memory when it is left.
  @inline(__always)
  mutating func multitasks(_ app: AppIndex) -> Bool {
    configuration.device.multitasks
      && (apps.profiles[app.position].multitasks || !conduct.letsAppsOptOut)
  }

  /// T15: nothing runs in the background here, so leaving ends the app.
  private mutating func leaveForGood(_ app: AppIndex) {
    let wasActive = apps[app].state == .active
    if wasActive {
      tell(app, .willResignActive, .willResignActiveNotification)
      stopActivity(app)
    }
    tell(app, .willTerminate, .willTerminateNotification)
    let isComplete =
      wasActive && savesOnResign(app)
      ? saveAtEnd(app, trigger: .resign, within: handlerBudget) : saveOnTerminate(app)
    counters[app].noMultitaskingEnds += 1
    endProcess(app, cause: .noMultitasking, transition: .t15, wasCut: !isComplete)
  }

  // MARK: Background

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
  private mutating func resumeCode(_ app: AppIndex) {
    thawSaves(app)
    startAutosaveClock(app)
    armDecay(app)
  }

  @inline(__always)
  private mutating func deliverDeviceChanges(_ app: AppIndex) {
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
  private mutating func isExpirationOverdue(_ app: AppIndex) -> Bool {
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

  // MARK: Processes

  private mutating func beginProcess(_ app: AppIndex) {
    // Wrapping on purpose: only equality matters, and 0 means "no process".
    apps[app].processEpoch = max(1, apps[app].processEpoch &+ 1)
    counters.forgetPurge(of: app)
    apps[app].processStart = now
    apps[app].wasShown = false
    apps[app].wokenAt = -1
    apps[app].lastLeftFront = .min
    apps[app].suspendedAt = .min
    apps[app].suspensionOrder = 0
    apps[app].relaunchedAt = .min
    apps[app].lastWarned = .min
    apps[app].heardLevel = .normal
    apps[app].lastSaved = .min
    apps[app].restoredSnapshot = false
    apps[app].awaitsFirstSuspension = false
    apps[app].autosaveElapsed = 0
    apps[app].growthProgress = 0
    addResident(app)
    startAutosaveClock(app)
  }

  /// What the app's own code brings back when its process begins.
  @inline(__always)
  mutating func restoreSnapshot(_ app: AppIndex) {
    if log.wantsEvents { recordRestore(app) }
    apps[app].hasLostState = false
    let ledger = apps[app].ledger
    guard ledger.hasDurableData else { return }
    apps[app].restoredSnapshot = true
    apps[app].restoredBytes = ledger.durableBytes
    apps[app].restoredWorkNanoseconds = ledger.durableWorkNanoseconds
  }

  @inline(never)
  private mutating func recordRestore(_ app: AppIndex) {
    let record = apps[app]
    guard record.ledger.hasSnapshot || record.hasLostState else { return }
    var row = EventRecord(.restore, app: app, at: now)
    row.bytes = record.ledger.durableBytes
    row.workNanoseconds = record.ledger.durableWorkNanoseconds
    row.nanoseconds = record.snapshotEditTime >= 0 ? now - record.snapshotEditTime : nil
    row.restoreOutcome =
      !record.ledger.hasSnapshot ? RestoreOutcome.none : record.hasLostState ? .partial : .full
    log.record(row)
  }

  mutating func beginEpisode(_ app: AppIndex) {
    let profile = apps.profiles[app.position]
    guard profile.modelsEdits, !index.facts[app.position].contains(.edits) else { return }
    let episode = apps[app].episodeCount
    apps[app].episodeCount += 1
    switch profile.editProbability {
    case ...0: apps[app].episodeIsDirty = false
    case 1...: apps[app].episodeIsDirty = true
    default:
      counters.system.drew = true
      let draw = draws.uniform(
        entity: apps.entity(app), episode: episode, purpose: .dirtyEpisode)
      apps[app].episodeIsDirty = draw < profile.editProbability
    }
  }

  /// `quit` and `update`: an orderly end if the app runs code, a silent one if it is suspended.
  mutating func endByUser(_ app: AppIndex, cause: EndCause) {
    defer { endGeneration(app) }
    lock.forget(app)
    if restarts.pending.app == app { forgetRestart() }
    giveUpWaiting(app)
    guard apps[app].state != .notRunning else {
      noteEnd(app, cause)
      if cause == .quit {
        counters[app].skippedEvents += 1
      } else {
        let ledger = apps[app].ledger
        if ledger.hasSnapshot {
          countDiscard(app, bytes: ledger.durableBytes, work: ledger.durableWorkNanoseconds)
        }
        dropAfterEnd(app, cause: cause)
      }
      return
    }
    let ranCode = apps[app].state.runsCode
    if ranCode {
      accrueEdits(app)
      tell(app, .willTerminate, .willTerminateNotification)
      _ = saveOnTerminate(app)
    }
    endProcess(app, cause: cause, transition: ranCode ? .t13 : .t14)
    dropAfterEnd(app, cause: cause)
  }

  /// `exit` and `crash`: the app ends without a message.
  mutating func endByItself(_ app: AppIndex, cause: EndCause) {
    defer { endGeneration(app) }
    lock.forget(app)
    if restarts.pending.app == app { forgetRestart() }
    giveUpWaiting(app)
    guard apps[app].state != .notRunning else {
      noteEnd(app, cause)
      counters[app].skippedEvents += 1
      return
    }
    endProcess(app, cause: cause, transition: .t14)
  }

  /// What ended the app last, and what its next launch would be without the system's doing.
  ///
  /// An end in the trace of an app that does not run here tells how it ended without the system.
  mutating func noteEnd(_ app: AppIndex, _ cause: EndCause) {
    apps[app].lastEnd = cause
    guard cause.isBySystem else {
      apps[app].owedLaunch = nil
      return
    }
    if apps[app].wasShown { apps[app].owedLaunch = .hot }
    if apps[app].owedLaunch == nil { apps[app].owedLaunch = .warm }
  }

  /// An update removes the snapshot, a quit the reading position.
  private mutating func dropAfterEnd(_ app: AppIndex, cause: EndCause) {
    let ledger = apps[app].ledger
    if cause == .update ? ledger.hasSnapshot : ledger.durablePosition > 0 {
      apps[app].hasLostState = true
    }
    if cause == .update { apps[app].ledger.forgetAll() }
    apps[app].ledger.producedPosition = 0
    apps[app].ledger.durablePosition = 0
    if cause == .update { apps[app].snapshotEditTime = -1 }
  }

  /// Nothing runs after a restart; what was saved survives.
  mutating func boot() {
    forgetRestart()
    if front != .none { giveUpWaiting(front) }
    endLock()
    interruptions.inFront.removeAll()
    interruptions.inTrace.removeAll()
    for position in 0..<apps.count {
      let app = AppIndex(position)
      if apps[app].state != .notRunning { endProcess(app, cause: .boot, transition: .t14) }
      // Whatever ended an app before: after a restart its next launch is cold anyway.
      noteEnd(app, .boot)
      endGeneration(app)
    }
  }

  /// Ends a process, whatever the reason: rows, losses, memory, timers.
  ///
  /// - Parameter wasCut: Whether the save of the end was cut off.
  mutating func endProcess(
    _ app: AppIndex, cause: EndCause, transition: RecordedCause, wasCut: Bool = false
  ) {
    accrueEdits(app)
    let stateBefore = apps[app].state
    if cause.isDiscard || cause == .noMultitasking { recordEnded(app, cause) }
    var cut = interruptSaves(app, cause: cause)
    if wasCut { cut.any = true }
    let isSeen = cause.isKill && app == front && !lock.isOn
    let wasDirty = apps[app].episodeIsDirty
    settleLedger(
      app, cause: cause, stateBefore: stateBefore, cut: cut, seenAt: isSeen ? now : nil)
    endingApp = app
    endMemory(app)
    endingApp = .none
    timers.cancelAll(of: app.rawValue)
    removeResident(app)
    deviceChanges.drop(app)
    if front == app {
      front = .none
      handlerWait = HandlerWait()
      apps[app].lastLeftFront = now
    }
    apps[app].openTaskCount = 0
    apps[app].modes = 0
    apps[app].heldResources = 0
    apps.forgetAdj(of: app)
    apps[app].handlerRuns = false
    apps[app].handlerSave = AppRecord.none
    apps[app].keptWarning = nil
    apps[app].activeSince = -1
    apps[app].growthSince = -1
    apps[app].autosaveSince = -1
    apps[app].episodeIsDirty = false
    noteEnd(app, cause)
    // It vanished in the user's hand: it has to be started again at once.
    if isSeen { chargeSystem(app, .cold, instead: .hot) }
    enter(.notRunning, app, cause: transition)
    if isSeen { awaitRestart(app, wasDirty: wasDirty) }
    if cause != .purge { note(.ended, app, endCause: cause) }
    needsSettling = true
  }

  private mutating func recordEnded(_ app: AppIndex, _ cause: EndCause) {
    guard log.wantsEvents else { return }
    var row = EventRecord(.ended, app: app, at: now)
    row.cause =
      switch cause {
      case .exit: .exit
      case .crash: .crash
      case .update: .update
      case .boot: .boot
      case .noMultitasking: .noMultitasking
      default: .quit
      }
    log.record(row)
  }
}
