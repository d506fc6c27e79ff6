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
    if !isLocked { return countIssue() }
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
