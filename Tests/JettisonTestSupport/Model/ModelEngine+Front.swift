import JettisonCore

/// How a user came to wait for the app in front, whose main thread is busy.
struct ModelWait {
  var since: Int64
  /// Whether the user opened the app; else an unlock brought it back, which is no launch.
  let isLaunch: Bool
  /// Since when the screen is dark, if it is.
  var darkFrom: Int64?

  /// How long somebody has looked at it.
  func length(at now: Int64) -> Int64 { (darkFrom ?? now) - since }
}

/// An app that vanished in front, and what the user would have done with it since.
struct ModelRestart {
  let app: ModelApp
  let isDirty: Bool
  let since: Int64
  /// Of rows of the trace.
  var missedBytes: Int64 = 0
  var missedWork: Int64 = 0
}

extension ModelEngine {
  // MARK: Who is in front

  /// Nothing interrupts, and the phone is not locked.
  func clearInterruptions() {
    interruptions = []
    endLock()
  }

  /// When an app is in front next as far as the rows tell: its next launch, or the unlock that
  /// brings it back.
  func nextTimeInFront(of app: ModelApp) -> Int64? {
    if front === app, wait != nil { return now }
    var isAwaited = lockedApp === app
    var interruptions = interruptions
    for row in rows[min(nextEvent, rows.count)...] {
      let detail = trace.details[Int(row.detail)]
      switch row.kind {
      case .launch:
        if row.app == app.index { return row.timeNanoseconds }
        isAwaited = false
      case .home, .boot: isAwaited = false
      case .quit, .exit, .crash, .update: if row.app == app.index { isAwaited = false }
      case .screen: if isAwaited, row.value != 0 { return row.timeNanoseconds }
      case .interrupt:
        if !lockLeaves, detail.interrupter != .lock {
          interruptions.append(detail.interrupter ?? .alert)
        }
      case .interruptEnd:
        if detail.interrupter == .lock {
          if isAwaited { return row.timeNanoseconds }
        } else if let newest = newest(detail.interrupter, of: interruptions) {
          interruptions.remove(at: newest)
          if detail.outcome == .accepted { isAwaited = false }
        }
      default: break
      }
    }
    return nil
  }

  func goHome(at position: Int) {
    if front == nil, !isLocked, restart == nil { countIssue() }
    forgetRestart()
    clearInterruptions()
    if let app = front { leave(app, at: position) }
  }

  // MARK: Interruptions

  func interrupt(by interrupter: EventDetail.Interrupter, at position: Int) {
    if interrupter == .lock { return lock(at: position) }
    if front == nil, restart == nil, !isLocked { return countIssue() }
    unfinished.append(interrupter)
    if isLocked, lockLeaves { return }
    interruptions.append(interrupter)
    if let app = front, app.state == .active { interrupt(app) }
  }

  /// T3, with the save that the app makes where it is told.
  private func interrupt(_ app: ModelApp) {
    becomeInactive(app)
    if savesOnResigning(app), app.ledger.figures(at: now).hasUnsaved {
      saveInHandler(modelled(.resign, of: app, holdsTask: app.profile.saveThread == .task), of: app)
    }
  }

  func endInterruption(_ detail: EventDetail, at position: Int) {
    let kind = detail.interrupter
    if kind == .lock { return unlock(at: position) }
    if let newest = newest(kind, of: unfinished) {
      unfinished.remove(at: newest)
      if detail.outcome == .accepted { unfinished = [] }
    } else if !isLocked {
      return countIssue()
    }
    guard let newest = newest(kind, of: interruptions) else { return }
    interruptions.remove(at: newest)
    if detail.outcome == .accepted {
      interruptions = []
      lockedApp = nil
      forgetRestart()
      if let app = front { leave(app, at: position) }
    } else if let app = front {
      becomeActiveIfFree(app)
    }
  }

  private func newest(
    _ kind: EventDetail.Interrupter?, of interruptions: [EventDetail.Interrupter]
  ) -> Int? {
    interruptions.lastIndex { kind ?? $0 == $0 }
  }

  /// T4 once nothing interrupts the app any longer and its main thread is free.
  func becomeActiveIfFree(_ app: ModelApp) {
    guard interruptions.isEmpty, !isLocked, app.state == .inactive else { return }
    if app.life?.handlerSave == nil { return becomeActiveAgain(app) }
    if wait == nil { wait = ModelWait(since: now, isLaunch: false) }
  }

  // MARK: The lock

  /// Whether locking sends the app in front to the background.
  var lockLeaves: Bool { !isIdealCache && device.lock == .background }

  func lock(at position: Int) {
    if isLocked { return }
    isLocked = true
    // An app that ends by leaving comes back at the unlock, too, and its loss is noticed then.
    lockedApp = front ?? restart?.app
    forgetRestart()
    if lockLeaves { interruptions = [] }
    guard let app = front else { return }
    if lockLeaves {
      leave(app, at: position, locks: true)
      if app === topSleeping {
        timers.cancel(.expirationHandler, app.index)
        timers.cancel(.taskDeadline, app.index)
      }
    } else {
      wait?.darkFrom = now
      if app.state == .active { interrupt(app) }
    }
  }

  /// Android's top activity stays on top while the screen is off, and its process runs on.
  var topSleeping: ModelApp? {
    isAndroid && lockLeaves && lockedApp?.life?.wasShown == true ? lockedApp : nil
  }

  /// What was on top is in the background from now on.
  private func endLock() {
    let app = topSleeping
    isLocked = false
    lockedApp = nil
    guard let app, app.state == .background else { return }
    enterBackground(app, budget: device.budgets.taskNanoseconds)
    armTaskDeadline(app)
    considerSuspension(app)
  }

  func unlock(at position: Int) {
    guard isLocked else { return }
    let locked = lockedApp
    endLock()
    if let dark = wait?.darkFrom {
      wait?.since += now - dark
      wait?.darkFrom = nil
    }
    if let app = front { return becomeActiveIfFree(app) }
    guard let app = locked, app.life != nil || !isIdealCache else { return }
    front = app
    if app.life == nil {
      findDemand(of: app, after: position)
      launchCold(app, size: idealSize(of: app, launchedAt: position))
    } else {
      comeBack(app, ModelWait(since: now, isLaunch: false))
    }
  }

  // MARK: A main thread that is busy

  /// The app comes up, or is waited for until its handler has returned.
  func comeBack(_ app: ModelApp, _ wait: ModelWait) {
    if app.life?.handlerSave == nil { return comeUp(app, wait) }
    self.wait = wait
  }

  /// A handler has returned: what could not be said meanwhile is said, and who waits is served.
  func handlerReturned(_ app: ModelApp) {
    timers.cancel(.handlerDeadline, app.index)
    tellKeptChanges(to: app)
    if let level = app.life?.keptWarning {
      app.life?.keptWarning = nil
      hearWarning(app, level)
    }
    if app.life?.keptHidden == true {
      app.life?.keptHidden = false
      tell(app, .trimUIHidden)
    }
    if app.state == .background { applyCeiling(app.profile.backgroundCeilingBytes, to: app) }
    guard let wait = endWait(for: app) else {
      let wasTooBusy = app.life?.keptExpiration == true && app !== front
      app.life?.keptExpiration = false
      // Tasks may have ended, or modes may have begun, in the meantime.
      if wasTooBusy, timers.time(of: .taskDeadline, app.index) != nil,
        timers.time(of: .expirationHandler, app.index) == nil
      {
        callExpirationHandler(of: app)
      }
      return considerSuspension(app)
    }
    if app.state == .background { return comeUp(app, wait) }
    becomeActiveIfFree(app)
    guard wait.isLaunch else { return }
    policy.launched(app, at: now)
    recordLaunch(app, .hot, latency: wait.length(at: now) + app.profile.hotLaunchNanoseconds)
  }

  /// The user has done something else than wait, or cannot wait any longer.
  func giveUpWaiting(for app: ModelApp) {
    guard let wait = endWait(for: app), wait.isLaunch else { return }
    policy.launched(app, at: now)
    recordLaunch(app, .hot, latency: wait.length(at: now))
  }

  /// An app vanished in front: the user tries again, each time twice as late while it vanishes
  /// within ten seconds.
  func planRestart(of app: ModelApp) {
    let isSoon = newestRestart.map { $0.app === app && now - $0.time < 10 * Self.second } ?? false
    failedRestarts = isSoon ? failedRestarts + 1 : 0
    var delay = min(1 << 40, max(Self.second, app.profile.coldLaunchNanoseconds))
    for _ in 0..<min(20, failedRestarts) { delay *= 2 }
    restart = ModelRestart(app: app, isDirty: app.isInDirtyEpisode, since: now)
    timers.set(.restart, app.index, at: ModelArithmetic.sum(now, delay))
  }

  /// The app is back or no longer waited for: what would have been done meanwhile is lost.
  func forgetRestart() {
    guard let restart else { return }
    self.restart = nil
    var work = restart.missedWork
    if restart.isDirty {
      work += ModelArithmetic.share(now - restart.since, restart.app.profile.editWorkPPM)
    }
    if restart.missedBytes > 0 || work >= Self.second {
      recordMissedWork(of: restart.app, bytes: restart.missedBytes, work: work)
    }
  }

  /// The user opens an app again that vanished in front; the launch takes its time.
  func openAgain(_ app: ModelApp) {
    guard let restart, restart.app === app else { return }
    forgetRestart()
    newestRestart = (app, now)
    front = app
    continuedUse = restart.isDirty
    if app.life == nil {
      launchCold(app, size: 0)
    } else {
      comeBack(app, ModelWait(since: now, isLaunch: true))
    }
    continuedUse = nil
  }

  /// After T8 or T9 an app that is waited for starts anew.
  func startAnew(_ app: ModelApp, after wait: ModelWait) {
    self.wait = nil
    recordWait(app, wait)
    front = app
    launchCold(app, size: 0, waited: wait.length(at: now))
  }

  private func endWait(for app: ModelApp) -> ModelWait? {
    guard front === app, let wait else { return nil }
    self.wait = nil
    recordWait(app, wait)
    return wait
  }

  private func recordWait(_ app: ModelApp, _ wait: ModelWait) {
    emit(.wait, app) { $0.nanoseconds = wait.length(at: now) }
    count(app) { $0.handlerWaitNanoseconds += wait.length(at: now) }
  }
}
