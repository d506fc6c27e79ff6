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
      $0.victimAgeNanoseconds += now - (app.life?.lastUsed ?? now)
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
    giveUpWaiting(for: app)
    let bytes = footprint(of: app)
    let cause: EndCause =
      rule == .limit || rule == .memoryLimiter
      ? .limitKill : front === app ? .foregroundKill : .backgroundKill
    count(app) {
      switch cause {
      case .limitKill:
        $0.limitKills += 1
        if front === app { $0.limitKillsInFront += 1 }
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

  /// Kills an app for what is forbidden in the background.
  func killForForbidden(_ app: ModelApp, _ cause: EndCause, rule: RecordedCause) {
    let bytes = footprint(of: app)
    count(app) {
      if cause == .gpuInBackground { $0.gpuKills += 1 } else { $0.sharedResourceKills += 1 }
    }
    end(app, as: cause, by: .t14, .kill) {
      $0.cause = rule
      $0.bytes = bytes
    }
  }

  func endByWatchdog(_ app: ModelApp) {
    let wait = front === app ? self.wait : nil
    count(app) { $0.watchdogTerminations += 1 }
    end(app, as: .watchdog, by: .t8, .watchdog)
    if let wait { startAnew(app, after: wait) }
  }

  func endByTaskExpiry(_ app: ModelApp) {
    let wait = front === app ? self.wait : nil
    count(app) { $0.taskExpirations += 1 }
    end(app, as: .taskExpired, by: .t9, .taskExpired)
    if let wait { startAnew(app, after: wait) }
  }

  func endByDiscard(_ app: ModelApp, _ cause: EndCause, _ word: RecordedCause) {
    guard let life = app.life else { return }
    giveUpWaiting(for: app)
    let isOrderly = life.state != .suspended && (cause == .quit || cause == .update)
    if isOrderly {
      tell(app, .willTerminate, .willTerminateNotification)
      saveOnTermination(app, .terminate)
    }
    end(app, as: cause, by: isOrderly ? .t13 : .t14, .ended) { $0.cause = word }
  }

  /// T15: without multitasking, leaving ends the app, with one save at most.
  func endByLeaving(_ app: ModelApp, wasActive: Bool) {
    if wasActive { tell(app, .willResignActive, .willResignActiveNotification) }
    tell(app, .willTerminate, .willTerminateNotification)
    saveOnTermination(app, wasActive && savesOnResigning(app) ? .resign : .terminate)
    count(app) { $0.noMultitaskingEnds += 1 }
    end(app, as: .noMultitasking, by: .t15, .ended) { $0.cause = .noMultitasking }
  }

  // MARK: The end of a process

  private func end(
    _ app: ModelApp, as cause: EndCause, by transition: RecordedCause, _ kind: RecordedKind,
    _ fill: (inout EventRecord) -> Void = { _ in }
  ) {
    let state = app.state
    let vanishes = cause.isKill && front === app && !isLocked
    app.ledger.endDirtyUse(at: now)
    emit(kind, app, fill)
    let cut = interruptSaves(of: app, cause)
    let figures = app.ledger.figures(at: now)
    if figures.hasUnsaved { app.lostSomething = true }
    if !cause.isDiscard {
      recordLoss(
        of: app, cause, lossClass(of: app, cause, state, cut),
        next: vanishes ? now : nextTimeInFront(of: app))
    } else if figures.unsavedBytes > 0 || figures.unsavedWork > 0 || figures.hasUnsavedPosition
      || cause == .update && figures.hasSnapshot
    {
      countDiscard(of: app, figures, withSnapshot: cause == .update)
    }
    app.ledger.add(.ended)
    if cause == .quit {
      if figures.durablePositions > 0 { app.lostSomething = true }
      app.ledger.add(.positionDropped)
    }
    move(app, to: .notRunning, transition)
    timers.cancelAll(of: app.index)
    if front === app { front = nil }
    noteEnd(of: app, cause)
    if vanishes {
      _ = chargeSystem(app, .cold)
      planRestart(of: app)
    }
    app.isInDirtyEpisode = false
    app.life = nil
    endingDecision = nil
    memoryChanged()
    if cause == .purge || (cause.isKill && cause != .limitKill) { dropWarningSpacing() }
  }

  /// Remembers how the app ended, and how it would be opened had the system not ended it.
  func noteEnd(of app: ModelApp, _ cause: EndCause) {
    app.newestEnd = cause
    if cause.isDiscard {
      app.undisturbedLaunch = nil
    } else if app.life?.wasShown == true {
      app.undisturbedLaunch = .hot
    } else {
      app.undisturbedLaunch = app.undisturbedLaunch ?? .warm
    }
  }

  /// The user, the app or its replacement threw something away.
  func countDiscard(of app: ModelApp, _ figures: ModelLedger.Figures, withSnapshot: Bool) {
    app.lostSomething = true
    count(app) {
      $0.userDiscards += 1
      $0.userDiscardedBytes += figures.unsavedBytes + (withSnapshot ? figures.durableBytes : 0)
      $0.userDiscardedWorkNanoseconds +=
        figures.unsavedWork + (withSnapshot ? figures.durableWork : 0)
    }
  }

  private func lossClass(
    of app: ModelApp, _ cause: EndCause, _ state: AppState, _ cut: [ModelSave]
  ) -> LossClass {
    if cause == .watchdog { return .handlerTimeout }
    if cause == .taskExpired { return .taskExpired }
    if cause == .noMultitasking {
      return cut.isEmpty && app.life?.wasEndSaveCut == false ? .noSave : .handlerTimeout
    }
    if state != .suspended { return .killedRunning }
    if cut.contains(where: { !$0.isAtomic }) { return .tornSnapshot }
    if !cut.isEmpty { return .frozenSave }
    let profile = app.profile
    let isTerminateOnly = profile.saveTriggers == .terminate && profile.saveTimerNanoseconds == 0
    return isTerminateOnly ? .terminateOnly : .noSave
  }

  // MARK: Loss

  /// What could not be done while the app was being opened again.
  func recordMissedWork(of app: ModelApp, bytes: Int64, work: Int64) {
    let age = app.ledger.figures(at: now).newestDurableEdit.map { now - $0 }
    recordLocalLoss(
      of: app, app.newestEnd, .killedRunning, bytes: bytes, work: work, age: age, next: now)
  }

  private func recordLoss(
    of app: ModelApp, _ cause: EndCause, _ lossClass: LossClass, next: Int64?
  ) {
    let figures = app.ledger.figures(at: now)
    if figures.unsavedBytes >= 1 || figures.unsavedWork >= Self.second {
      return recordLocalLoss(
        of: app, cause, lossClass, bytes: figures.unsavedBytes, work: figures.unsavedWork,
        age: figures.newestDurableEdit.map { now - $0 }, next: next)
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
    bytes: Int64, work: Int64, age: Int64?, next: Int64?
  ) {
    emit(.loss, app) {
      $0.lossClass = lossClass
      $0.decision = endingDecision
      $0.bytes = bytes
      $0.workNanoseconds = work
      $0.nanoseconds = age
      $0.noticed = next == nil ? .censored : .yes
    }
    count(app) {
      $0.systemLostWorkNanoseconds += work
      $0.systemLossesNoticed += next == nil ? 0 : 1
      $0.systemLostWorkNoticedNanoseconds += next == nil ? 0 : work
      $0.systemLostBytesNoticed += next == nil ? 0 : bytes
      switch cause {
      case .purge:
        $0.lossEvents += 1
        $0.lostBytes += bytes
        $0.lostWorkNanoseconds += work
      case .watchdog: $0.watchdogLossEvents += 1
      case .taskExpired: $0.taskLossEvents += 1
      case .noMultitasking: $0.noMultitaskingLossEvents += 1
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
      if lost.bytes == 0, lost.work == 0 { return skip(app) }
      app.lostSomething = true
      noticed = nextTimeInFront(of: app) == nil ? .censored : .yes
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
