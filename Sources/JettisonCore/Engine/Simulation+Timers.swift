extension Simulation {
  /// Whether a timer taken off the queue was neither moved nor cancelled meanwhile; unsets it.
  @inline(__always)
  mutating func isStillSet(_ timer: Timer) -> Bool {
    if timer.kind != .saveEnd { return timers.accept(timer) }
    let slot = timer.subject
    return saves[slot].app != .none && !saves[slot].isFrozen && saves[slot].token == timer.token
  }

  /// Carries out a timer that is due; time has been moved to it.
  mutating func fire(_ timer: Timer) {
    // Whether purging still waits for warnings depends on the time alone.
    if configuration.warningPurgeDelayNanoseconds > 0 { needsSettling = true }
    if timer.kind == .saveEnd {
      completeSave(timer.subject)
      return
    }
    let app = AppIndex(rawValue: timer.subject)
    switch timer.kind {
    case .saveEnd: break
    case .expirationHandler: callExpirationHandler(app)
    case .handlerDeadline: endAtDeadline(app, cause: .watchdog)
    case .taskDeadline: endAtDeadline(app, cause: .taskExpired)
    case .suspension: suspend(app)
    case .response: respond(app)
    case .warningDelivery: model.deliverWarning(&self)
    case .growth: grow(app)
    case .decay: decay(app)
    case .timerSave: timerSave(app)
    case .purgeDelay: needsSettling = true
    case .restEnd:
      // The polls of this instant came before.
      model.catchUp(&self)
      needsSettling = true
    case .restart: restartInFront(app)
    case .reclaim, .ownLimit, .ageing, .pressurePoll, .pressureRest, .sustainedPressure,
      .reaperSweep, .killTimeout:
      model.fire(timer, &self)
    }
  }

  /// T8 or T9: the handler did not return, or a task did not end, in time.
  private mutating func endAtDeadline(_ app: AppIndex, cause: EndCause) {
    let isWatchdog = cause == .watchdog
    if isWatchdog {
      counters[app].watchdogTerminations += 1
    } else {
      counters[app].taskExpirations += 1
    }
    if log.wantsEvents {
      log.record(EventRecord(isWatchdog ? .watchdog : .taskExpired, app: app, at: now))
    }
    let wait = handlerWait.isOn && app == front ? handlerWait : HandlerWait()
    if wait.isOn { handlerWait.relaunched = app }
    endProcess(app, cause: cause, transition: isWatchdog ? .t8 : .t9)
    if wait.isOn { relaunch(app, after: wait) }
  }
}
