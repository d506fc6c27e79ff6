import JettisonCore

extension ModelEngine {
  // MARK: Making

  /// A save as the catalog models it.
  func modelled(_ trigger: RecordedCause, of app: ModelApp, holdsTask: Bool = false) -> ModelSave {
    makeSave(
      trigger, of: app, duration: nil, sharePPM: app.profile.saveSharePPM,
      isAtomic: app.profile.savesAtomically, holdsTask: holdsTask)
  }

  /// A save that the capture saw.
  func captured(
    _ detail: EventDetail, of app: ModelApp, trigger: RecordedCause, holdsTask: Bool
  ) -> ModelSave {
    makeSave(
      trigger, of: app,
      duration: detail.durationNanoseconds < 0 ? nil : detail.durationNanoseconds,
      sharePPM: detail.isComplete ? 1_000_000 : app.profile.saveSharePPM,
      isAtomic: detail.hasAtomic ? detail.isAtomic : app.profile.savesAtomically,
      holdsTask: holdsTask)
  }

  private func makeSave(
    _ trigger: RecordedCause, of app: ModelApp, duration: Int64?, sharePPM: Int64,
    isAtomic: Bool, holdsTask: Bool
  ) -> ModelSave {
    let figures = app.ledger.figures(at: now)
    let writing = ModelArithmetic.duration(
      figures.unsavedBytes, sharePPM: sharePPM,
      bytesPerSecond: app.profile.saveBytesPerSecond)
    saveCount += 1
    let keptBytes = ModelArithmetic.share(figures.unsavedBytes, sharePPM)
    count(app) {
      $0.saves += 1
      $0.writtenBytes += keptBytes
    }
    return ModelSave(
      number: saveCount, trigger: trigger,
      duration: duration ?? ModelArithmetic.sum(app.profile.saveFixedNanoseconds, writing),
      isAtomic: isAtomic, sharePPM: sharePPM, holdsTask: holdsTask,
      targetBytes: figures.durableBytes + keptBytes,
      targetWork: figures.durableWork + ModelArithmetic.share(figures.unsavedWork, sharePPM),
      targetSyncedBytes: figures.syncedBytes, targetSyncedWork: figures.syncedWork,
      targetPositions: figures.positions, newestEdit: figures.newestEdit)
  }

  // MARK: Running

  func startSave(_ save: ModelSave, of app: ModelApp) {
    var save = save
    let end = ModelArithmetic.sum(now, save.duration)
    save.runsSince = now
    app.life?.saves.append(save)
    timers.set(.saveEnd, app.index, at: end, save: save.number)
  }

  func completeSave(_ number: Int, of app: ModelApp) {
    guard let save = app.life?.saves.first(where: { $0.number == number }) else { return }
    app.life?.saves.removeAll { $0.number == number }
    makeDurable(save, of: app, elapsed: save.duration)
    if app.life?.handlerSave == number {
      app.life?.handlerSave = nil
      if save.precedesLeave { saveInBackground(app) }
      if app.life?.handlerSave == nil { handlerReturned(app) }
    } else if save.trigger == .expiration, app.profile.endsTasksAtExpiration {
      endTasks(of: app)
    } else if save.holdsTask {
      assertionsChanged(app)
    }
  }

  private func makeDurable(_ save: ModelSave, of app: ModelApp, elapsed: Int64) {
    let before = app.ledger.figures(at: now).durableBytes
    app.ledger.add(.saved(save))
    let after = app.ledger.figures(at: now).durableBytes
    emit(.save, app) {
      $0.cause = save.trigger
      $0.saveOutcome = save.sharePPM == 1_000_000 ? .complete : .partial
      $0.nanoseconds = elapsed
      $0.bytes = after - before
    }
  }

  /// Cuts short every save that is running or frozen, and returns them.
  ///
  /// One that was not atomic destroys the snapshot.
  func interruptSaves(of app: ModelApp, _ cause: EndCause) -> [ModelSave] {
    let cut = app.life?.saves ?? []
    app.life?.saves = []
    for save in cut { recordInterrupted(save, of: app, elapsed: save.elapsed(at: now), cause) }
    if cut.contains(where: { !$0.isAtomic }) { app.ledger.add(.torn) }
    return cut
  }

  private func recordInterrupted(
    _ save: ModelSave, of app: ModelApp, elapsed: Int64, _ cause: EndCause
  ) {
    emit(.save, app) {
      $0.cause = save.trigger
      $0.saveOutcome = .interrupted
      $0.nanoseconds = elapsed
      $0.bytes = 0
    }
    count(app) {
      switch cause {
      case .watchdog, .taskExpired, .noMultitasking: $0.savesInterruptedWindow += 1
      case .purge, .backgroundKill, .foregroundKill, .limitKill, .gpuInBackground,
        .sharedResource:
        $0.savesInterruptedPurge += 1
      default: $0.savesInterruptedCrash += 1
      }
    }
  }

  // MARK: Triggers

  /// Whether the app saves in `applicationWillResignActive:`.
  func savesOnResigning(_ app: ModelApp) -> Bool {
    app.profile.saveTriggers.contains(.resign) && !app.followsCapturedSaves
  }

  /// What the app saves when it leaves the front, and when its handler returns.
  func saveOnLeaving(_ app: ModelApp, at position: Int, wasActive: Bool) {
    let holdsTask = app.profile.saveThread == .task
    if app.followsCapturedSaves {
      guard let save = boundSave(of: app, at: position) else { return }
      saveInHandler(save, of: app)
    } else if let busy = app.life?.saves.firstIndex(where: { $0.number == app.life?.handlerSave }) {
      app.life?.saves[busy].precedesLeave = true
    } else if wasActive, savesOnResigning(app), app.ledger.figures(at: now).hasUnsaved {
      saveInHandler(modelled(.resign, of: app, holdsTask: holdsTask), of: app)
    } else {
      saveInBackground(app)
    }
  }

  /// The capture's save of a leave.
  private func boundSave(of app: ModelApp, at position: Int) -> ModelSave? {
    guard let bound = boundSaves.save(of: app.index, leavingAt: position, in: rows) else {
      return nil
    }
    return captured(
      trace.details[Int(rows[bound].detail)], of: app, trigger: .background,
      holdsTask: app.profile.saveThread == .task)
  }

  /// The user has waited for an app that is busy with the save of the leave before, and leaves again:
  /// the later end of both frees its main thread.
  func saveAgainOnLeaving(_ app: ModelApp, at position: Int) {
    guard app.followsCapturedSaves, let save = boundSave(of: app, at: position) else { return }
    let busy = app.life?.saves.first { $0.number == app.life?.handlerSave }
    saveInHandler(save, of: app)
    if let busy, busy.duration - busy.elapsed(at: now) > save.duration {
      app.life?.handlerSave = busy.number
    }
  }

  /// What is unsaved when `applicationDidEnterBackground:` runs.
  func saveInBackground(_ app: ModelApp) {
    guard app.profile.saveTriggers.contains(.background), app.ledger.figures(at: now).hasUnsaved
    else { return }
    saveInHandler(
      modelled(.background, of: app, holdsTask: app.profile.saveThread == .task), of: app)
  }

  /// Saves where the app is told something: on its main thread this keeps the handler from returning.
  func saveInHandler(_ save: ModelSave, of app: ModelApp) {
    if isIdealCache { return makeDurable(save, of: app, elapsed: 0) }
    startSave(save, of: app)
    if app.profile.saveThread == .main, save.duration > 0 { app.life?.handlerSave = save.number }
  }

  /// What the app saves in its last handler, within that handler's budget; a save that keeps its main
  /// thread busy comes before.
  func saveOnTermination(_ app: ModelApp, _ trigger: RecordedCause) {
    var budget = device.budgets.handlerNanoseconds
    if let busy = app.life?.saves.firstIndex(where: { $0.number == app.life?.handlerSave }),
      let save = app.life?.saves.remove(at: busy)
    {
      app.life?.handlerSave = nil
      timers.cancelSave(save.number)
      guard saveAtEnd(save, of: app, within: &budget) else { return }
    }
    guard trigger == .resign || app.profile.saveTriggers.contains(.terminate),
      app.ledger.figures(at: now).hasUnsaved
    else { return }
    _ = saveAtEnd(modelled(trigger, of: app), of: app, within: &budget)
  }

  /// Ends a save within a budget, and takes from that what it still needed; false if it was too
  /// little.
  private func saveAtEnd(
    _ save: ModelSave, of app: ModelApp, within budget: inout Int64
  ) -> Bool {
    let elapsed = save.elapsed(at: now)
    guard save.duration - elapsed <= budget else {
      app.life?.wasEndSaveCut = true
      recordInterrupted(save, of: app, elapsed: elapsed + budget, .watchdog)
      if !save.isAtomic { app.ledger.add(.torn) }
      return false
    }
    budget -= save.duration - elapsed
    makeDurable(save, of: app, elapsed: save.duration)
    // Whatever older saves had half written has been replaced.
    for i in app.life?.saves.indices ?? 0..<0 { app.life?.saves[i].isAtomic = true }
    return true
  }

  func saveOnEdit(_ app: ModelApp) {
    guard app.profile.saveTriggers.contains(.edit), !app.followsCapturedSaves,
      app.ledger.figures(at: now).hasUnsaved
    else { return }
    startSave(modelled(.edit, of: app), of: app)
  }

  func saveOnWarning(_ app: ModelApp) {
    guard app.profile.saveTriggers.contains(.warning), app.ledger.figures(at: now).hasUnsaved
    else { return }
    startSave(modelled(.warning, of: app), of: app)
  }

  // MARK: The autosave timer, which stands still while the app does not run

  private func hasTimerSaves(_ app: ModelApp) -> Bool {
    app.profile.saveTimerNanoseconds > 0 && !app.followsCapturedSaves
  }

  func startTimerSaves(_ app: ModelApp) {
    guard hasTimerSaves(app) else { return }
    timers.set(
      .timerSave, app.index, at: ModelArithmetic.sum(now, app.profile.saveTimerNanoseconds))
  }

  func fireTimerSave(_ app: ModelApp) {
    startTimerSaves(app)
    guard app.ledger.figures(at: now).hasUnsaved else { return }
    startSave(modelled(.timer, of: app), of: app)
  }

  func pauseTimerSaves(_ app: ModelApp) {
    guard let time = timers.time(of: .timerSave, app.index) else { return }
    app.life?.timerSaveRemaining = time - now
    timers.cancel(.timerSave, app.index)
  }

  func resumeTimerSaves(_ app: ModelApp) {
    guard let remaining = app.life?.timerSaveRemaining else { return }
    app.life?.timerSaveRemaining = nil
    timers.set(.timerSave, app.index, at: ModelArithmetic.sum(now, remaining))
  }
}
