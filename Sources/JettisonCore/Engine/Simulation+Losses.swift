#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What an end costs the user: see <doc:TheModel#Losses>.
extension Simulation {
  /// Smallest work that counts as a loss by itself: 1 s.
  static let lossThresholdNanoseconds: Int64 = 1_000_000_000
  static let dayNanoseconds: Int64 = 86_400_000_000_000

  /// Books what an ending process had not made durable, and forgets it.
  ///
  /// - Parameter seenAt: When the user saw it end; nil: no sooner than at the next return.
  mutating func settleLedger(
    _ app: AppIndex, cause: EndCause, stateBefore: AppState, cut: CutSaves, seenAt: Int64?
  ) {
    let ledger = apps[app].ledger
    defer { apps[app].ledger.forgetUnsaved() }
    if cause.isDiscard {
      // A replaced app discards what it had saved as well.
      let dropsSnapshot = cause == .update && ledger.hasSnapshot
      // What a server has as well costs nothing.
      if ledger.hasUnsavedData || ledger.hasUnsavedPosition || dropsSnapshot {
        countDiscard(
          app, bytes: ledger.unsavedBytes + (dropsSnapshot ? ledger.durableBytes : 0),
          work: ledger.unsavedWorkNanoseconds
            + (dropsSnapshot ? ledger.durableWorkNanoseconds : 0))
      }
    }
    guard ledger.hasUnsaved else { return }
    apps[app].hasLostState = true
    if cause.isDiscard { return }
    let lossClass = lossClass(app, cause: cause, stateBefore: stateBefore, cut: cut)
    let returnTime = seenAt ?? nextReturn(of: app)
    let (bytes, work) = (ledger.unsavedBytes, ledger.unsavedWorkNanoseconds)
    if bytes >= 1 || work >= Self.lossThresholdNanoseconds {
      bookLoss(
        app, bytes: bytes, work: work, cause: cause, lossClass: lossClass, returnTime: returnTime)
    } else if ledger.hasUnsavedPosition {
      bookPositionLoss(
        app, cause: cause, lossClass: lossClass, noticed: returnTime == nil ? .censored : .yes)
    } else if ledger.hasUnsavedSynced {
      recordLoss(
        app, lossClass, bytes: 0, work: 0, noticed: returnTime == nil ? .censored : .no)
    }
  }

  /// The user, the app or its update threw something away.
  mutating func countDiscard(_ app: AppIndex, bytes: Int64, work: Int64) {
    counters[app].userDiscards += 1
    counters[app].userDiscardedBytes.addSaturated(bytes)
    counters[app].userDiscardedWorkNanoseconds.addSaturated(work)
  }

  /// When the app is next in front, by the trace; nil: never.
  private mutating func nextReturn(of app: AppIndex) -> Int64? {
    if app == handlerWait.relaunched { return now }
    if app == lock.app, lock.unlockTime >= 0 { return lock.unlockTime }
    let launches = index.launches
    let next = launches.starts[app.position] + apps[app].launchesSeen
    return next < launches.starts[app.position + 1] ? launches.times[next] : nil
  }

  private mutating func lossClass(
    _ app: AppIndex, cause: EndCause, stateBefore: AppState, cut: CutSaves
  ) -> LossClass {
    switch cause {
    case .watchdog: return .handlerTimeout
    case .taskExpired: return .taskExpired
    case .noMultitasking: return cut.any ? .handlerTimeout : .noSave
    default: break
    }
    guard stateBefore == .suspended else { return .killedRunning }
    if cut.any { return cut.tornSnapshot ? .tornSnapshot : .frozenSave }
    let profile = apps.profiles[app.position]
    let savesOnlyAtEnd =
      profile.saveTriggers == .terminate && profile.saveTimerNanoseconds == 0
    return savesOnlyAtEnd ? .terminateOnly : .noSave
  }

  /// What the user could not do while an app was gone that had vanished in front.
  mutating func loseMissed(_ app: AppIndex, bytes: Int64, work: Int64) {
    guard bytes >= 1 || work >= Self.lossThresholdNanoseconds else { return }
    bookLoss(
      app, bytes: bytes, work: work, cause: apps[app].lastEnd, lossClass: .killedRunning,
      returnTime: now, isAbsence: true)
  }

  private mutating func bookLoss(
    _ app: AppIndex, bytes: Int64, work: Int64, cause: EndCause, lossClass: LossClass,
    returnTime: Int64?, isAbsence: Bool = false
  ) {
    let staleness = apps[app].snapshotEditTime >= 0 ? now - apps[app].snapshotEditTime : nil
    counters[app].systemLostWorkNanoseconds.addSaturated(work)
    if let returnTime {
      counters[app].systemLossesNoticed += 1
      counters[app].systemLostWorkNoticedNanoseconds.addSaturated(work)
      counters[app].systemLostBytesNoticed.addSaturated(bytes)
      var loss = LossRecord(
        timeNanoseconds: now, app: app, lossClass: lossClass, endCause: cause,
        workNanoseconds: work, bytes: bytes, returnNanoseconds: returnTime,
        decision: decision.openNumber)
      loss.isAbsence = isAbsence
      counters.worstLosses.add(loss)
    }
    switch cause {
    case .purge:
      bookPurgeLoss(app, bytes: bytes, work: work, staleness: staleness, returnTime: returnTime)
    case .watchdog: counters[app].watchdogLossEvents += 1
    case .taskExpired: counters[app].taskLossEvents += 1
    case .noMultitasking: counters[app].noMultitaskingLossEvents += 1
    default:
      counters[app].killLossEvents += 1
      counters[app].killLostWorkNanoseconds.addSaturated(work)
    }
    recordLoss(
      app, lossClass, bytes: bytes, work: work, noticed: returnTime == nil ? .censored : .yes,
      staleness: staleness)
  }

  /// What purges alone lost, in more detail.
  private mutating func bookPurgeLoss(
    _ app: AppIndex, bytes: Int64, work: Int64, staleness: Int64?, returnTime: Int64?
  ) {
    counters[app].lossEvents += 1
    counters[app].lostBytes.addSaturated(bytes)
    counters[app].lostWorkNanoseconds.addSaturated(work)
    guard let returnTime else {
      counters[app].lossEventsCensored += 1
      return
    }
    counters[app].lossEventsNoticed += 1
    if returnTime - now <= Self.dayNanoseconds { counters[app].lossEventsNoticed24h += 1 }
    counters[app].lostBytesNoticed.addSaturated(bytes)
    counters[app].lostWorkNoticedNanoseconds.addSaturated(work)
    counters[app].lossCost +=
      pow(Double(work) / 1e9, 0.7) * exp(-Double(returnTime - now) / Double(Self.dayNanoseconds))
    counters.noteDayWithLoss(at: now, warmUp: configuration.warmUpNanoseconds)
    if let staleness {
      counters.staleness.append(AppSample(app: app, nanoseconds: staleness))
    }
  }

  /// Only a reading position is gone: on a line of its own.
  private mutating func bookPositionLoss(
    _ app: AppIndex, cause: EndCause, lossClass: LossClass, noticed: Noticed
  ) {
    if cause == .purge {
      counters[app].positionLosses += 1
      if noticed == .yes { counters[app].lossCost += 0.1 }
    }
    recordLoss(app, lossClass, bytes: 0, work: 0, noticed: noticed, message: .position)
  }

  private mutating func recordLoss(
    _ app: AppIndex, _ lossClass: LossClass, bytes: Int64, work: Int64, noticed: Noticed,
    staleness: Int64? = nil, message: Message = .none
  ) {
    guard log.wantsEvents else { return }
    var row = EventRecord(.loss, app: app, at: now)
    row.lossClass = lossClass
    row.message = message
    row.bytes = bytes
    row.workNanoseconds = work
    row.nanoseconds = staleness
    row.noticed = noticed
    row.decision = decision.openNumber
    log.record(row)
  }

  /// `restore-failed`: the snapshot that the app came back to could not be read.
  ///
  /// Applies to an app that is not running here and has one, or that restored one when its process
  /// began; any other app read nothing, so the row is skipped and counted.
  mutating func failRestore(_ app: AppIndex) {
    let isGone = apps[app].state == .notRunning
    guard isGone ? apps[app].ledger.hasDurableData : apps[app].restoredSnapshot else {
      counters[app].skippedEvents += 1
      return
    }
    let bytes = isGone ? apps[app].ledger.durableBytes : apps[app].restoredBytes
    let work =
      isGone ? apps[app].ledger.durableWorkNanoseconds : apps[app].restoredWorkNanoseconds
    if isGone { apps[app].hasLostState = true }
    apps[app].restoredSnapshot = false
    counters[app].restoreFailures += 1
    let noticed: Noticed = !isGone || nextReturn(of: app) != nil ? .yes : .censored
    recordLoss(app, .restoreLost, bytes: bytes, work: work, noticed: noticed)
    shiftSaves(of: app, bytes: bytes, work: work)
    apps[app].ledger.loseDurable(bytes: bytes, work: work)
    if !apps[app].ledger.hasDurableData { apps[app].snapshotEditTime = -1 }
  }
}
