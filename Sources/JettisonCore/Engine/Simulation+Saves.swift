/// Edits and saves, captured and modelled.
extension Simulation {
  // MARK: Edits

  mutating func edit(_ event: TraceEvent) {
    let app = event.app
    let detail = details[Int(event.detail)]
    guard runsForOwnRow(app) else {
      missEdit(event, detail)
      return
    }
    if detail.isSynced {
      apps[app].ledger.producedSynced += event.value > 0 || detail.workNanoseconds > 0 ? 1 : 0
    } else if detail.isPosition {
      apps[app].ledger.producedPosition += 1
    } else {
      apps[app].ledger.producedBytes.addSaturated(event.value)
      apps[app].ledger.producedWorkNanoseconds.addSaturated(detail.workNanoseconds)
      apps[app].newestEditTime = now
    }
    wakeAutosave(app)
    saveOnEdit(app)
  }

  /// Adds what the app has produced by the model since it was last looked at.
  ///
  /// Sums of rounded cumulative figures, so the result does not depend on when it is asked for.
  @inline(__always)
  mutating func accrueEdits(_ app: AppIndex) {
    let since = apps[app].activeSince
    guard since >= 0, now > since else { return }
    apps[app].activeSince = now
    if apps[app].episodeIsDirty { accrueEdits(app, since: since) }
  }

  @inline(never)
  private mutating func accrueEdits(_ app: AppIndex, since: Int64) {
    let profile = apps.profiles[app.position]
    let before = apps[app].dirtyActiveNanoseconds
    let after = before + now - since
    apps[app].dirtyActiveNanoseconds = after
    apps[app].ledger.producedWorkNanoseconds.addSaturated(
      Self.work(profile, after) - Self.work(profile, before))
    apps[app].ledger.producedBytes.addSaturated(
      Self.bytes(profile, after) - Self.bytes(profile, before))
    apps[app].newestEditTime = now
  }

  private static func work(_ profile: AppProfile, _ nanoseconds: Int64) -> Int64 {
    nanoseconds.share(profile.editWorkPPM)
  }

  private static func bytes(_ profile: AppProfile, _ nanoseconds: Int64) -> Int64 {
    let (product, overflow) = nanoseconds.multipliedReportingOverflow(
      by: profile.editBytesPerSecond)
    if !overflow { return product / 1_000_000_000 }
    let exact = Int128(nanoseconds) * Int128(profile.editBytesPerSecond) / 1_000_000_000
    return Int64(min(exact, 1 << 60))
  }

  // MARK: Starting saves

  /// Whether the app's saves are those of the trace, instead of being modelled.
  @inline(__always)
  private mutating func hasCapturedSaves(_ app: AppIndex) -> Bool {
    apps[app].looseEnds.contains(.capturedSaves)
  }

  /// Entering the background: the captured save bound to this leave, or the modelled one.
  ///
  /// - Parameter resigned: Whether the app resigned at this instant; a save that it made then is
  ///   the save of the leave.
  mutating func saveOnLeave(_ app: AppIndex, resigned: Bool) {
    if hasCapturedSaves(app) {
      startBoundSave(app)
    } else if apps[app].handlerRuns {
      saves[apps[app].handlerSave].precedesLeave = true
    } else if resigned, savesOnResign(app) {
      startHandlerSave(app, .resign)
    } else {
      saveInBackground(app)
    }
  }

  /// The captured save that is bound to this leave, if there is one.
  ///
  /// A main thread that is busy with the save of the leave before is free when both are over.
  mutating func startBoundSave(_ app: AppIndex) {
    guard hasCapturedSaves(app), instant.boundSave >= 0 else { return }
    let before = apps[app].handlerRuns ? apps[app].handlerSave : AppRecord.none
    startHandlerSave(app, .background, captured: details[Int(instant.boundSave)])
    guard before != AppRecord.none, saves[before].endsAt > saves[apps[app].handlerSave].endsAt
    else { return }
    apps[app].handlerSave = before
  }

  /// The modelled save of `applicationDidEnterBackground:`.
  private mutating func saveInBackground(_ app: AppIndex) {
    guard apps.profiles[app.position].saveTriggers.contains(.background),
      apps[app].ledger.hasUnsaved
    else { return }
    startHandlerSave(app, .background)
  }

  /// Whether the app saves when it resigns, and has anything to save.
  mutating func savesOnResign(_ app: AppIndex) -> Bool {
    apps.profiles[app.position].saveTriggers.contains(.resign)
      && !hasCapturedSaves(app) && apps[app].ledger.hasUnsaved
  }

  /// Becoming inactive in front.
  mutating func saveOnResign(_ app: AppIndex) {
    if savesOnResign(app) { startHandlerSave(app, .resign) }
  }

  /// The user has just produced something.
  private mutating func saveOnEdit(_ app: AppIndex) {
    if apps.profiles[app.position].saveTriggers.contains(.edit), !hasCapturedSaves(app),
      apps[app].ledger.hasUnsaved
    {
      startSave(app, trigger: .edit, captured: nil, holdsTask: false)
    }
  }

  /// The expiration handler was called: the app saves, ends its tasks, or both.
  mutating func answerExpiration(_ app: AppIndex) {
    let profile = apps.profiles[app.position]
    accrueEdits(app)
    if profile.saveTriggers.contains(.expiration), apps[app].ledger.hasUnsaved {
      let slot = startSave(app, trigger: .expiration, captured: nil, holdsTask: false)
      saves[slot].endsTasks = profile.endsTasksAtExpiration
    } else if profile.endsTasksAtExpiration {
      endTasks(app)
    }
  }

  /// A save in a handler of the life cycle, on the thread that the catalog names.
  private mutating func startHandlerSave(
    _ app: AppIndex, _ trigger: RecordedCause, captured: EventDetail? = nil
  ) {
    let thread = apps.profiles[app.position].saveThread
    let slot = startSave(
      app, trigger: trigger, captured: captured,
      holdsTask: thread == .task && !traits.takesNoTime)
    if traits.takesNoTime {
      saves[slot].durationNanoseconds = 0
      completeSave(slot)
      return
    }
    switch thread {
    case .main:
      guard saves[slot].durationNanoseconds > 0 else { return }
      apps[app].handlerRuns = true
      apps[app].handlerSave = slot
    case .queue: break
    case .task: openTask(app)
    }
  }

  /// A save row of the capture that is applied where it stands.
  mutating func captureSave(_ event: TraceEvent) {
    let app = event.app
    guard hasCapturedSaves(app) else { return }
    let detail = details[Int(event.detail)]
    switch detail.trigger {
    case .background, .warning, .expiration:
      if !instant.isBoundSaveRow || apps[app].state == .notRunning {
        counters[app].skippedEvents += 1
      }
      return
    case .timer, .resign, .user, .unspecified: break
    }
    guard runsForOwnRow(app) else { return }
    let trigger: RecordedCause =
      switch detail.trigger {
      case .timer: .timer
      case .resign: .resign
      case .user: .user
      default: .unspecified
      }
    startSave(app, trigger: trigger, captured: detail, holdsTask: false)
  }

  /// The autosave timer is due.
  mutating func timerSave(_ app: AppIndex) {
    apps[app].autosaveElapsed = 0
    apps[app].autosaveSince = now
    accrueEdits(app)
    armAutosave(app)
    if apps[app].ledger.hasUnsaved {
      _ = startSave(app, trigger: .timer, captured: nil, holdsTask: false)
    }
  }

  /// Begins a save: fixes what it keeps and sets its end.
  @discardableResult
  mutating func startSave(
    _ app: AppIndex, trigger: RecordedCause, captured: EventDetail?, holdsTask: Bool
  ) -> UInt32 {
    accrueEdits(app)
    var save = plannedSave(app, captured: captured)
    save.trigger = trigger
    save.holdsTask = holdsTask
    save.endsAt = now + save.durationNanoseconds
    countSave(save)
    let slot = saves.add(save, to: &apps[app].firstSave)
    if apps[app].state == .suspended {
      saves[slot].isFrozen = true
      saves[slot].endsAt = save.durationNanoseconds
    } else {
      timers.queue.schedule(.saveEnd, at: save.endsAt, subject: slot, token: saves[slot].token)
    }
    return slot
  }

  private mutating func countSave(_ save: Save) {
    counters[save.app].saves += 1
    counters[save.app].writtenBytes.addSaturated(
      save.targetBytes - apps[save.app].ledger.durableBytes)
  }

  /// What a save begun now would keep, and how long it would take.
  private mutating func plannedSave(_ app: AppIndex, captured: EventDetail?) -> Save {
    let profile = apps.profiles[app.position]
    let ledger = apps[app].ledger
    let sharePPM = captured?.isComplete == true ? 1_000_000 : profile.saveSharePPM
    let keptBytes = ledger.unsavedBytes.share(sharePPM)
    let keptWork = ledger.unsavedWorkNanoseconds.share(sharePPM)
    var save = Save()
    save.app = app
    save.isPartial = sharePPM < 1_000_000
    save.isAtomic =
      captured.map { $0.hasAtomic ? $0.isAtomic : profile.savesAtomically }
      ?? profile.savesAtomically
    save.targetBytes = ledger.durableBytes + keptBytes
    save.targetWorkNanoseconds = ledger.durableWorkNanoseconds + keptWork
    save.targetSynced = ledger.producedSynced
    save.targetPosition = ledger.producedPosition
    save.newestEditTime = apps[app].newestEditTime
    if let captured, captured.durationNanoseconds >= 0 {
      save.durationNanoseconds = captured.durationNanoseconds
    } else {
      // Bytes × parts per million × 1000 over bytes per second are nanoseconds.
      let writing = Int64.rounded(
        Int128(ledger.unsavedBytes) * Int128(sharePPM) * 1000,
        over: Int128(profile.saveBytesPerSecond))
      save.durationNanoseconds = profile.saveFixedNanoseconds + writing
    }
    return save
  }

  // MARK: Ends of saves

  /// A save made everything durable that it set out to.
  mutating func completeSave(_ slot: UInt32) {
    let save = saves[slot]
    let app = save.app
    let kept = makeDurable(save)
    recordSave(
      save, outcome: save.isPartial ? .partial : .complete, keptBytes: kept,
      nanoseconds: save.durationNanoseconds)
    saves.remove(slot, first: &apps[app].firstSave)
    apps[app].lastSaved = now
    note(.saved, app)
    if save.endsTasks { endTasks(app) } else if save.holdsTask { closeTask(app) }
    guard apps[app].handlerSave == slot else { return }
    freeMainThread(app)
    if save.precedesLeave { saveInBackground(app) }
    if !apps[app].handlerRuns { returnFromHandler(app) }
  }

  private mutating func freeMainThread(_ app: AppIndex) {
    apps[app].handlerSave = AppRecord.none
    apps[app].handlerRuns = false
  }

  /// Moves the durable side of the ledger; the result is the bytes gained.
  private mutating func makeDurable(_ save: Save) -> Int64 {
    let app = save.app
    let ledger = apps[app].ledger
    let before = ledger.durableBytes
    let bytes = save.targetBytes
    let work = save.targetWorkNanoseconds
    if bytes > before
      || work > ledger.durableWorkNanoseconds
    {
      apps[app].snapshotEditTime = save.newestEditTime
    }
    apps[app].ledger.durableBytes = max(before, bytes)
    apps[app].ledger.durableWorkNanoseconds = max(
      ledger.durableWorkNanoseconds, work)
    apps[app].ledger.durableSynced = max(ledger.durableSynced, save.targetSynced)
    apps[app].ledger.durablePosition = max(ledger.durablePosition, save.targetPosition)
    return apps[app].ledger.durableBytes - before
  }

  private mutating func recordSave(
    _ save: Save, outcome: SaveOutcome, keptBytes: Int64, nanoseconds: Int64
  ) {
    guard log.wantsEvents else { return }
    var row = EventRecord(.save, app: save.app, at: now)
    row.cause = save.trigger
    row.saveOutcome = outcome
    row.bytes = keptBytes
    row.nanoseconds = nanoseconds
    log.record(row)
  }

  /// The last chance of an orderly end: a main thread that is busy finishes its save, and then
  /// `applicationWillTerminate:` runs; false if a save was cut off.
  mutating func saveOnTerminate(_ app: AppIndex) -> Bool {
    accrueEdits(app)
    var budget = handlerBudget
    if apps[app].handlerRuns {
      budget = finishHandlerSave(app, within: budget)
      if budget < 0 { return false }
    }
    guard apps.profiles[app.position].saveTriggers.contains(.terminate),
      apps[app].ledger.hasUnsaved
    else { return true }
    return saveAtEnd(app, trigger: .terminate, within: budget)
  }

  /// Ends the save that the main thread is busy with; the result is what is left of the budget,
  /// negative where the save did not fit and was cut off.
  private mutating func finishHandlerSave(_ app: AppIndex, within budget: Int64) -> Int64 {
    let slot = apps[app].handlerSave
    let save = saves[slot]
    let left = budget - (save.endsAt - now)
    saves.remove(slot, first: &apps[app].firstSave)
    freeMainThread(app)
    if left >= 0 {
      keepAtEnd(save)
    } else {
      cutAtEnd(save, after: save.durationNanoseconds + left)
    }
    return left
  }

  /// Saves inline, within a budget; false if that was too little.
  mutating func saveAtEnd(
    _ app: AppIndex, trigger: RecordedCause, within budget: Int64
  ) -> Bool {
    var save = plannedSave(app, captured: nil)
    save.trigger = trigger
    countSave(save)
    let fits = save.durationNanoseconds <= budget
    if fits { keepAtEnd(save) } else { cutAtEnd(save, after: budget) }
    return fits
  }

  private mutating func keepAtEnd(_ save: Save) {
    let kept = makeDurable(save)
    recordSave(
      save, outcome: save.isPartial ? .partial : .complete, keptBytes: kept,
      nanoseconds: save.durationNanoseconds)
    supersedeSaves(of: save.app)
  }

  private mutating func cutAtEnd(_ save: Save, after nanoseconds: Int64) {
    counters[save.app].savesInterruptedWindow += 1
    recordSave(save, outcome: .interrupted, keptBytes: 0, nanoseconds: nanoseconds)
    if !save.isAtomic { destroySnapshot(save.app) }
  }

  /// What older saves have half written has just been replaced: cutting them short harms nothing.
  private mutating func supersedeSaves(of app: AppIndex) {
    var slot = apps[app].firstSave
    while slot != AppRecord.none {
      saves[slot].isAtomic = true
      slot = saves[slot].next
    }
  }

  /// A save that was not atomic was cut short: nothing intact is left on disk.
  mutating func destroySnapshot(_ app: AppIndex) {
    apps[app].ledger.durableBytes = 0
    apps[app].ledger.durableWorkNanoseconds = 0
    apps[app].snapshotEditTime = -1
  }

  /// How the saves of an ending process were cut short.
  struct CutSaves {
    var any = false
    var tornSnapshot = false
  }

  /// Ends the saves in flight of an ending process.
  mutating func interruptSaves(_ app: AppIndex, cause: EndCause) -> CutSaves {
    var cut = CutSaves()
    while apps[app].firstSave != AppRecord.none {
      let slot = apps[app].firstSave
      let save = saves[slot]
      cut.any = true
      if !save.isAtomic { cut.tornSnapshot = true }
      switch cause {
      case .watchdog, .taskExpired, .noMultitasking: counters[app].savesInterruptedWindow += 1
      case .purge, .backgroundKill, .foregroundKill, .limitKill, .gpuInBackground,
        .sharedResource:
        counters[app].savesInterruptedPurge += 1
      default: counters[app].savesInterruptedCrash += 1
      }
      let left = save.isFrozen ? save.endsAt : save.endsAt - now
      recordSave(
        save, outcome: .interrupted, keptBytes: 0,
        nanoseconds: save.durationNanoseconds - left)
      saves.remove(slot, first: &apps[app].firstSave)
    }
    if cut.tornSnapshot { destroySnapshot(app) }
    return cut
  }

  /// What a failed restore took away, saves under way cannot keep.
  mutating func shiftSaves(of app: AppIndex, bytes: Int64, work: Int64) {
    var slot = apps[app].firstSave
    while slot != AppRecord.none {
      saves[slot].targetBytes = max(0, saves[slot].targetBytes - bytes)
      saves[slot].targetWorkNanoseconds = max(0, saves[slot].targetWorkNanoseconds - work)
      slot = saves[slot].next
    }
  }

  // MARK: Freezing

  /// Nothing runs while suspended: saves stop where they are.
  @inline(__always)
  mutating func freezeSaves(_ app: AppIndex) {
    var slot = apps[app].firstSave
    while slot != AppRecord.none {
      saves[slot].isFrozen = true
      saves[slot].endsAt -= now
      saves[slot].token &+= 1
      slot = saves[slot].next
    }
  }

  @inline(__always)
  mutating func thawSaves(_ app: AppIndex) {
    var slot = apps[app].firstSave
    while slot != AppRecord.none {
      if saves[slot].isFrozen {
        saves[slot].isFrozen = false
        saves[slot].endsAt += now
        timers.queue.schedule(
          .saveEnd, at: saves[slot].endsAt, subject: slot, token: saves[slot].token)
      }
      slot = saves[slot].next
    }
  }

  /// The autosave clock counts from the launch while the app runs code.
  @inline(__always)
  mutating func startAutosaveClock(_ app: AppIndex) {
    guard apps[app].looseEnds.contains(.autosaves), apps[app].autosaveSince < 0 else { return }
    apps[app].autosaveSince = now
    armAutosave(app)
  }

  @inline(__always)
  mutating func stopAutosaveClock(_ app: AppIndex) {
    guard apps[app].autosaveSince >= 0 else { return }
    if timers.isSet(.timerSave, app.rawValue) {
      timers.withdraw(.timerSave, app.rawValue)
    } else {
      passIdleTicks(app)
    }
    apps[app].autosaveElapsed += now - apps[app].autosaveSince
    apps[app].autosaveSince = -1
  }

  /// An app has something to save, or may have soon: its autosave timer ticks again.
  mutating func wakeAutosave(_ app: AppIndex) {
    guard apps[app].autosaveSince >= 0, !timers.isSet(.timerSave, app.rawValue) else { return }
    passIdleTicks(app)
    armAutosave(app)
  }

  @inline(__always)
  private mutating func armAutosave(_ app: AppIndex) {
    let period = apps.profiles[app.position].saveTimerNanoseconds
    // A tick that is due as the app resumes comes after the event that resumes it.
    let isDue = apps[app].autosaveElapsed >= period
    if isDue || maySaveByTimer(app) { armAutosave(app, period: period) }
  }

  @inline(never)
  private mutating func armAutosave(_ app: AppIndex, period: Int64) {
    guard !hasCapturedSaves(app) else { return }
    let due = apps[app].autosaveSince + period - apps[app].autosaveElapsed
    timers.set(.timerSave, app.rawValue, at: due)
  }

  /// Whether a tick of the autosave timer may be of any consequence: otherwise it is only counted.
  @inline(__always)
  private mutating func maySaveByTimer(_ app: AppIndex) -> Bool {
    apps[app].episodeIsDirty || apps[app].ledger.hasUnsaved
      || configuration.warningPurgeDelayNanoseconds > 0
  }

  /// Moves the autosave clock over the ticks that have passed without a timer.
  ///
  /// One at this very instant has passed if an event is being applied, as timers come before.
  private mutating func passIdleTicks(_ app: AppIndex) {
    let period = apps.profiles[app.position].saveTimerNanoseconds
    let first = apps[app].autosaveSince + period - apps[app].autosaveElapsed
    let passed = instant.eventTime == now ? now : now - 1
    guard first <= passed else { return }
    apps[app].autosaveElapsed = 0
    apps[app].autosaveSince = first + (passed - first) / period * period
  }

  /// At the first suspension after a leave: how much of what was dirty has been saved.
  mutating func countSavedShare(_ app: AppIndex) {
    guard apps[app].awaitsFirstSuspension else { return }
    apps[app].awaitsFirstSuspension = false
    let dirty = apps[app].dirtyBytesAtLeave
    counters[app].dirtyBytesAtLeave.addSaturated(dirty)
    counters[app].savedBytesAtSuspension.addSaturated(
      dirty - min(dirty, apps[app].ledger.unsavedBytes))
  }
}

extension Int64 {
  /// A share of the number in parts per million, exact but for halves, which are rounded up.
  func share(_ partsPerMillion: Int64) -> Int64 {
    if partsPerMillion == 1_000_000 { return self }
    let (product, overflow) = multipliedReportingOverflow(by: partsPerMillion)
    if !overflow, product < 1 << 62 { return (product + 500_000) / 1_000_000 }
    return .rounded(Int128(self) * Int128(partsPerMillion), over: 1_000_000)
  }

  /// A quotient, halves rounded up, at most 2^60: catalogs may ask for saves of centuries.
  static func rounded(_ numerator: Int128, over denominator: Int128) -> Int64 {
    let quotient = (numerator + denominator / 2) / denominator
    return Int64(Swift.min(quotient, 1 << 60))
  }
}
