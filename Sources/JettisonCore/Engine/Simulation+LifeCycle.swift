/// Apps come to the front and leave it: T1 to T6, T11 and T15 of <doc:TheModel#Life-cycle>.
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
    if traits.makesRoomFirst { return request(app) }
    finishFrontLaunch(app)
  }

  mutating func finishFrontLaunch(_ app: AppIndex) {
    interruptions.inFront.removeAll()
    endLock()
    if apps[app].state == .inactive { becomeActive(app, cause: .t4) }
    countLaunch(app, .hot)
  }

  /// The app waits for room.
  mutating func request(_ app: AppIndex) {
    arrival.waiting = app
    changes.add(app)
    noteDemand()
    needsSettling = true
  }

  /// Somebody wants memory: each demand may have a decision of its own.
  @inline(__always)
  mutating func noteDemand() {
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
    } else if apps[app].modelsEdits {
      beginEpisode(app)
    }
    if apps[app].episodeIsDirty { wakeAutosave(app) }
  }

  /// T1.
  private mutating func launchCold(_ app: AppIndex) {
    beginProcess(app)
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
    let isPurge = kind == .cold && apps[app].lastEnd == .purge
    counters[app].countRelaunch(
      wait: apps.extraLatencyNanoseconds(app, kind, over: owed), afterPurge: isPurge)
    guard isPurge else { return }
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
  /// What came meanwhile is delivered first, and then a user who waits for the app has it.
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
}
