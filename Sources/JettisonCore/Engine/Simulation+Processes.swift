/// How processes begin and end, and what an end leaves behind.
extension Simulation {
  mutating func beginProcess(_ app: AppIndex) {
    counters.forgetPurge(of: app)
    apps[app].beginLife(at: now)
    addResident(app)
    startAutosaveClock(app)
  }

  /// What the app's own code brings back when its process begins.
  @inline(__always)
  mutating func restoreSnapshot(_ app: AppIndex) {
    if log.wantsEvents { recordRestore(app) }
    apps[app].hasLostState = false
    guard apps[app].hasDurableData else { return }
    let ledger = apps[app].ledger
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
    guard apps[app].modelsEdits else { return }
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
    forgetWaits(for: app)
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

  /// The trace ended an app: neither an unlock nor the user waits for it any more.
  private mutating func forgetWaits(for app: AppIndex) {
    lock.forget(app)
    if restarts.pending.app == app { forgetRestart() }
    giveUpWaiting(app)
  }

  /// `exit` and `crash`: the app ends without a message.
  mutating func endByItself(_ app: AppIndex, cause: EndCause) {
    defer { endGeneration(app) }
    forgetWaits(for: app)
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
  @inline(__always)
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
