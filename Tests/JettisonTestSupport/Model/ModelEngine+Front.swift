import JettisonCore

/// How a user came to wait for the app in front, whose main thread is busy.
struct ModelWait {
  let since: Int64
  /// Whether the user opened the app; else an unlock brought it back, which is no launch.
  let isLaunch: Bool
}

extension ModelEngine {
  // MARK: Who is in front

  func clearFront(ifHeldBy app: ModelApp) {
    guard front === app else { return }
    front = nil
    clearInterruptions()
  }

  /// Interruptions are over, and so is a lock that left the app in front.
  func clearInterruptions() {
    interruptions = []
    isLocked = false
  }

  /// When an app is in front next as far as the rows tell: its next launch, or the unlock that
  /// brings it back.
  func nextTimeInFront(of app: ModelApp) -> Int64? {
    if front === app, wait != nil { return now }
    var isAwaited = lockedApp === app
    for row in rows[min(nextEvent, rows.count)...] {
      let detail = trace.details[Int(row.detail)]
      switch row.kind {
      case .launch:
        if row.app == app.index { return row.timeNanoseconds }
        isAwaited = false
      case .home, .boot: isAwaited = false
      case .quit, .exit, .crash, .update: if row.app == app.index { isAwaited = false }
      case .screen: if isAwaited, row.value != 0 { return row.timeNanoseconds }
      case .interruptEnd:
        if isAwaited, detail.interrupter == .lock { return row.timeNanoseconds }
      default: break
      }
    }
    return nil
  }

  func goHome(at position: Int) {
    if let app = front { return leave(app, at: position) }
    if !isLocked {
      if restart == nil { countIssue() }
      return forgetRestart()
    }
    isLocked = false
    lockedApp = nil
  }

  // MARK: Interruptions

  func interrupt(by interrupter: EventDetail.Interrupter, at position: Int) {
    if interrupter == .lock { return lock(at: position) }
    guard let app = front else {
      if !isLocked { countIssue() }
      return
    }
    interruptions.append(interrupter)
    if app.state == .active { interrupt(app) }
  }

  /// T3, with the save that the app makes where it is told.
  private func interrupt(_ app: ModelApp) {
    becomeInactive(app)
    if savesOnResigning(app), app.ledger.figures(at: now).hasUnsaved {
      startSave(modelled(.resign, of: app), of: app)
    }
  }

  func endInterruption(_ detail: EventDetail, at position: Int) {
    let kind = detail.interrupter
    if kind == .lock { return unlock(at: position) }
    guard let app = front, let newest = interruptions.lastIndex(where: { kind ?? $0 == $0 })
    else {
      if !isLocked { countIssue() }
      return
    }
    if detail.outcome == .accepted { return leave(app, at: position) }
    interruptions.remove(at: newest)
    becomeActiveIfFree(app)
  }

  /// T4 once nothing interrupts the app any longer.
  private func becomeActiveIfFree(_ app: ModelApp) {
    if interruptions.isEmpty, !isLocked, app.state == .inactive { becomeActiveAgain(app) }
  }

  // MARK: The lock

  /// Whether locking sends the app in front to the background.
  var lockLeaves: Bool { !isIdealCache && device.lock == .background }

  func lock(at position: Int) {
    forgetRestart()
    guard let app = front, !isLocked else { return }
    if lockLeaves {
      // An app that ends by leaving comes back at the unlock, too, and its loss is noticed then.
      lockedApp = app
      leave(app, at: position, locks: true)
    }
    isLocked = true
    if app.state == .active { interrupt(app) }
  }

  func unlock(at position: Int) {
    guard isLocked else { return }
    isLocked = false
    if let app = front { return becomeActiveIfFree(app) }
    guard let app = lockedApp else { return }
    lockedApp = nil
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

  /// `applicationDidEnterBackground:` has returned.
  func handlerReturned(_ app: ModelApp) {
    app.life?.handlerSave = nil
    timers.cancel(.handlerDeadline, app.index)
    applyCeiling(app.profile.backgroundCeilingBytes, to: app)
    guard let wait = endWait(for: app) else { return considerSuspension(app) }
    comeUp(app, wait)
  }

  /// The user has done something else than wait, or cannot wait any longer.
  func giveUpWaiting(for app: ModelApp) {
    guard let wait = endWait(for: app), wait.isLaunch else { return }
    policy.launched(app, at: now)
    recordLaunch(app, .hot, latency: now - wait.since)
  }

  /// An app vanished in front: the user tries again, each time twice as late while it vanishes
  /// within ten seconds.
  func planRestart(of app: ModelApp) {
    let isSoon = newestRestart.map { $0.app === app && now - $0.time < 10 * Self.second } ?? false
    failedRestarts = isSoon ? failedRestarts + 1 : 0
    var delay = min(1 << 40, max(Self.second, app.profile.coldLaunchNanoseconds))
    for _ in 0..<min(20, failedRestarts) { delay *= 2 }
    restart = (app, app.isInDirtyEpisode, now)
    timers.set(.restart, app.index, at: ModelArithmetic.sum(now, delay))
  }

  /// The app is back or no longer waited for: what would have been done meanwhile is lost.
  func forgetRestart() {
    guard let restart else { return }
    self.restart = nil
    let work = ModelArithmetic.share(now - restart.since, restart.app.profile.editWorkPPM)
    if restart.isDirty, work >= Self.second {
      recordPreventedEdit(of: restart.app, bytes: 0, work: work)
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
    launchCold(app, size: 0, waited: now - wait.since)
  }

  private func endWait(for app: ModelApp) -> ModelWait? {
    guard front === app, let wait else { return nil }
    self.wait = nil
    recordWait(app, wait)
    return wait
  }

  private func recordWait(_ app: ModelApp, _ wait: ModelWait) {
    emit(.wait, app) { $0.nanoseconds = now - wait.since }
    count(app) { $0.handlerWaitNanoseconds += now - wait.since }
  }
}
