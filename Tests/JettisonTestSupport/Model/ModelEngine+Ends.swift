import Foundation
import JettisonCore

extension ModelEngine {
  // MARK: Ways to end

  func purge(_ app: ModelApp, rule: RecordedCause, decision: Int) {
    let bytes = footprint(of: app)
    let freed = charge(of: app)
    count(app) {
      $0.purges += 1
      $0.purgedBytes += bytes
    }
    if let life = app.life, life.followsPurge, now - life.startedAt <= Self.repurgeWindow {
      count(app) { $0.repurges += 1 }
    }
    purgeCount += 1
    purges.append(ModelPurge(app: app, time: now, freed: freed, firstSample: 0))
    endingDecision = decision
    end(app, as: .purge, by: .t10, .purge) {
      $0.cause = rule
      $0.bytes = bytes
      $0.decision = decision
    }
  }

  /// Kills an app for memory; the counter follows where the app was.
  func kill(_ app: ModelApp, rule: RecordedCause, decision: Int?) {
    let bytes = footprint(of: app)
    let cause: EndCause =
      rule == .limit ? .limitKill : front === app ? .foregroundKill : .backgroundKill
    count(app) {
      switch cause {
      case .limitKill: $0.limitKills += 1
      case .foregroundKill: $0.foregroundKills += 1
      default: $0.backgroundKills += 1
      }
    }
    endingDecision = decision
    if decision != nil { purgeCount += 1 }
    end(app, as: cause, by: .t14, .kill) {
      $0.cause = rule
      $0.bytes = bytes
      $0.decision = decision
    }
  }

  func endByWatchdog(_ app: ModelApp) {
    count(app) { $0.watchdogTerminations += 1 }
    end(app, as: .watchdog, by: .t8, .watchdog)
  }

  func endByTaskExpiry(_ app: ModelApp) {
    count(app) { $0.taskExpirations += 1 }
    end(app, as: .taskExpired, by: .t9, .taskExpired)
  }

  func endByDiscard(_ app: ModelApp, _ cause: EndCause, _ word: RecordedCause) {
    guard let life = app.life else { return }
    let isOrderly = life.state != .suspended && (cause == .quit || cause == .update)
    if isOrderly {
      tell(app, .willTerminate, .willTerminateNotification)
      saveOnTermination(app)
    }
    end(app, as: cause, by: isOrderly ? .t13 : .t14, .ended) { $0.cause = word }
  }

  /// T15: without multitasking, leaving is quitting.
  func endByLeaving(_ app: ModelApp, wasActive: Bool) {
    if wasActive { tell(app, .willResignActive, .willResignActiveNotification) }
    tell(app, .willTerminate, .willTerminateNotification)
    saveOnTermination(app)
    end(app, as: .quit, by: .t15, .ended) { $0.cause = .quit }
  }

  // MARK: The end of a process

  private func end(
    _ app: ModelApp, as cause: EndCause, by transition: RecordedCause, _ kind: RecordedKind,
    _ fill: (inout EventRecord) -> Void = { _ in }
  ) {
    let state = app.state
    app.ledger.endDirtyUse(at: now)
    emit(kind, app, fill)
    let cut = interruptSaves(of: app, cause)
    if cause.isDiscard {
      if app.ledger.figures(at: now).hasUnsaved { count(app) { $0.userDiscards += 1 } }
    } else {
      recordLoss(of: app, cause, lossClass(of: app, cause, state, cut))
    }
    app.ledger.add(.ended)
    move(app, to: .notRunning, transition)
    timers.cancelAll(of: app.index)
    clearFront(ifHeldBy: app)
    app.life = nil
    app.newestEnd = cause
    endingDecision = nil
    memoryChanged()
    if cause == .purge || (cause.isKill && cause != .limitKill) { hurryRound() }
  }

  private func lossClass(
    of app: ModelApp, _ cause: EndCause, _ state: AppState, _ cut: [ModelSave]
  ) -> LossClass {
    if cause == .watchdog { return .handlerTimeout }
    if cause == .taskExpired { return .taskExpired }
    if state != .suspended { return .killedRunning }
    if cut.contains(where: { !$0.isAtomic }) { return .tornSnapshot }
    if !cut.isEmpty { return .frozenSave }
    let profile = app.profile
    let isTerminateOnly = profile.saveTriggers == .terminate && profile.saveTimerNanoseconds == 0
    return isTerminateOnly ? .terminateOnly : .noSave
  }

  // MARK: Loss

  /// Time of the next `launch` row of an app.
  private func nextLaunch(of app: ModelApp) -> Int64? {
    rows[min(nextEvent, rows.count)...]
      .first { $0.kind == .launch && $0.app == app.index }?.timeNanoseconds
  }

  private func recordLoss(of app: ModelApp, _ cause: EndCause, _ lossClass: LossClass) {
    let figures = app.ledger.figures(at: now)
    let next = nextLaunch(of: app)
    if figures.unsavedBytes >= 1 || figures.unsavedWork >= Self.second {
      return recordLocalLoss(of: app, cause, lossClass, figures, next: next)
    }
    let isSynced = !figures.hasUnsavedPosition
    guard figures.hasUnsavedSynced || figures.hasUnsavedPosition else { return }
    emit(.loss, app) {
      $0.lossClass = lossClass
      $0.decision = endingDecision
      $0.message = isSynced ? .none : .position
      $0.bytes = 0
      $0.workNanoseconds = 0
      $0.noticed = next == nil ? .censored : isSynced ? .no : .yes
    }
    if !isSynced, cause == .purge {
      count(app) {
        $0.positionLosses += 1
        if next != nil { $0.lossCost += 0.1 }
      }
    }
  }

  private func recordLocalLoss(
    of app: ModelApp, _ cause: EndCause, _ lossClass: LossClass,
    _ figures: ModelLedger.Figures, next: Int64?
  ) {
    let bytes = figures.unsavedBytes
    let work = figures.unsavedWork
    let age = figures.newestDurableEdit.map { now - $0 }
    emit(.loss, app) {
      $0.lossClass = lossClass
      $0.decision = endingDecision
      $0.bytes = bytes
      $0.workNanoseconds = work
      $0.nanoseconds = age
      $0.noticed = next == nil ? .censored : .yes
    }
    count(app) {
      switch cause {
      case .purge:
        $0.lossEvents += 1
        $0.lostBytes += bytes
        $0.lostWorkNanoseconds += work
      case .watchdog: $0.watchdogLossEvents += 1
      case .taskExpired: $0.taskLossEvents += 1
      default:
        $0.killLossEvents += 1
        $0.killLostWorkNanoseconds += work
      }
    }
    if cause == .purge, next == nil { count(app) { $0.lossEventsCensored += 1 } }
    if cause == .purge, let next { countNoticed(app, bytes: bytes, work: work, after: next - now) }
    if counts, cause == .purge, next != nil, let age {
      staleness.append(AppSample(app: app.index, nanoseconds: age))
    }
  }

  private func countNoticed(_ app: ModelApp, bytes: Int64, work: Int64, after wait: Int64) {
    count(app) {
      $0.lossEventsNoticed += 1
      if wait <= Self.day { $0.lossEventsNoticed24h += 1 }
      $0.lostBytesNoticed += bytes
      $0.lostWorkNoticedNanoseconds += work
      let decay = exp(-Double(wait) / Double(Self.day))
      $0.lossCost += pow(Double(work) / 1e9, 0.7) * decay
    }
    if counts { daysWithLoss.insert((now - configuration.warmUpNanoseconds) / Self.day) }
  }

  /// `restore-failed`: what the snapshot held is gone, apart from all purges.
  func applyRestoreFailed(to app: ModelApp) {
    let lost: (bytes: Int64, work: Int64)
    var noticed = Noticed.yes
    if app.life == nil {
      let figures = app.ledger.figures(at: now)
      lost = (figures.durableBytes, figures.durableWork)
      noticed = nextLaunch(of: app) == nil ? .censored : .yes
    } else if let restored = app.life?.restored {
      lost = restored
      app.life?.restored = nil
    } else {
      return skip(app)
    }
    app.ledger.add(.unreadable(bytes: lost.bytes, work: lost.work))
    for i in (app.life?.saves ?? []).indices {
      app.life?.saves[i].targetBytes -= lost.bytes
      app.life?.saves[i].targetWork -= lost.work
    }
    emit(.loss, app) {
      $0.lossClass = .restoreLost
      $0.bytes = lost.bytes
      $0.workNanoseconds = lost.work
      $0.noticed = noticed
    }
    count(app) { $0.restoreFailures += 1 }
  }
}
