import JettisonCore

extension ModelEngine {
  func apply(_ event: TraceEvent, at position: Int) {
    let detail = trace.details[Int(event.detail)]
    findSituation(around: position)
    switch event.kind {
    case .home, .interrupt, .interruptEnd, .screen, .boot, .clock, .deviceChange,
      .systemMemory, .observedWarning, .observedAvailable, .end:
      return applyToDevice(event, detail, at: position)
    default: break
    }
    let app = apps[event.app.position]
    switch event.kind {
    case .present: applyPresent(event, detail, to: app)
    case .launch: launch(app, at: position)
    case .backgroundLaunch: launchInBackground(app, at: position)
    case .taskBegin, .taskEnd, .backgroundMode: applyAssertion(event, detail, to: app)
    case .pin:
      app.isPinned = event.value != 0
      if !app.isPinned { notedNoVictim = false }
    case .quit, .exit, .crash, .update: applyEnd(event.kind, to: app)
    case .footprint: applySample(event.value, to: app)
    case .alloc, .realloc, .free: applyAllocation(event, detail, to: app)
    case .edit: applyEdit(event, detail, to: app)
    case .save: applySave(detail, to: app, at: position)
    case .restoreFailed: applyRestoreFailed(to: app)
    case .gpuWork: applyGPUWork(to: app)
    case .sharedResource: applySharedResource(detail.resource, isTaken: event.value != 0, to: app)
    case .adj: if app.life == nil { skip(app) }
    case .observedExit:
      app.generationEnded = true
      app.life?.tasks = []
      if app.life?.modes.isEmpty == false { app.life?.backgroundSince = now }
      app.life?.modes = []
      app.life?.resources = []
      assertionsChanged(app)
    default: break
    }
  }

  private func applyToDevice(_ event: TraceEvent, _ detail: EventDetail, at position: Int) {
    switch event.kind {
    case .home: goHome(at: position)
    case .interrupt: interrupt(by: detail.interrupter ?? .alert, at: position)
    case .interruptEnd: endInterruption(detail, at: position)
    case .screen: event.value == 0 ? lock(at: position) : unlock(at: position)
    case .boot:
      if let front { giveUpWaiting(for: front) }
      forgetRestart()
      for app in apps { applyEnd(.boot, to: app) }
      clearInterruptions()
      unfinished = []
    case .systemMemory: systemMemory = event.value
    case .deviceChange: applyDeviceChange(detail.changeKind, at: event.detail)
    default: break
    }
  }

  /// Running apps are told at once; for suspended and busy ones the newest row of each kind is kept.
  private func applyDeviceChange(_ kind: UInt16, at detail: UInt32) {
    for app in apps where app.life != nil {
      if app.state == .suspended || app.life?.handlerSave != nil {
        app.life?.keptChanges[min(kind, Self.lastChangePlace)] = detail
      } else {
        tellChange(detail, to: app)
      }
    }
  }

  func tellChange(_ position: UInt32, to app: ModelApp) {
    let detail = trace.details[Int(position)]
    emit(.message, app) {
      $0.message = .deviceChange(
        kind: Int(detail.changeKind), isDisconnection: detail.isDisconnection)
      $0.change = position
    }
  }

  // MARK: What is forbidden in the background

  /// Whether the system ends apps for it.
  var policesBackground: Bool {
    !isIdealCache && !isAndroid && device.era != .androidLMKD && device.era != .linuxOOM
  }

  private func applyGPUWork(to app: ModelApp) {
    guard app.life != nil else { return skip(app) }
    wakeIfSuspended(app)
    guard policesBackground, app.state == .background, front !== app else { return }
    killForForbidden(app, .gpuInBackground, rule: .gpuInBackground)
  }

  private func applySharedResource(_ resource: UInt8, isTaken: Bool, to app: ModelApp) {
    guard app.life != nil else {
      if isTaken { skip(app) }
      return
    }
    if isTaken {
      wakeIfSuspended(app)
      app.life?.resources.insert(resource)
    } else {
      app.life?.resources.remove(resource)
    }
  }

  private func applyPresent(_ event: TraceEvent, _ detail: EventDetail, to app: ModelApp) {
    let since = now - detail.sinceNanoseconds
    var life = ModelLife(startedAt: since)
    life.wasShown = detail.wasShown
    life.backgroundSince = now
    life.backgroundBudget = device.budgets.taskNanoseconds
    if detail.presentState != .front, detail.wasShown { life.leftFrontAt = since }
    app.life = life
    if event.flags.contains(.hasValue) { app.newestSample = event.value }
    equip(app)
    app.life?.cacheSize = idealSize(of: app, launchedAt: nil)
    if detail.unsavedBytes > 0 || detail.unsavedWorkNanoseconds > 0 {
      app.ledger.add(
        .edit(at: now, bytes: detail.unsavedBytes, work: detail.unsavedWorkNanoseconds))
    }
    startTimerSaves(app)
    switch detail.presentState {
    case .front:
      front = app
      beginEpisode(app)
      setState(app, .active)
    case .background:
      setState(app, .background)
      considerSuspension(app)
    case .suspended:
      setState(app, .suspended)
      app.life?.suspendedAt = since
      pauseTimerSaves(app)
    }
    memoryChanged()
  }

  /// Rows that describe how things stood when the capture began are one demand, if they follow one
  /// another and one of them is `present`.
  private func findSituation(around position: Int) {
    func belongs(_ row: TraceEvent) -> Bool {
      let kinds: [EventKind] = [
        .present, .systemMemory, .pin, .backgroundMode, .taskBegin, .sharedResource, .adj,
        .footprint, .alloc, .realloc, .free,
      ]
      return row.timeNanoseconds == 0 && kinds.contains(row.kind)
    }
    guard belongs(rows[position]) else { return }
    let before = rows[..<position].reversed().prefix(while: belongs)
    let after = rows[(position + 1)...].prefix(while: belongs)
    let situation = before + [rows[position]] + after
    guard situation.contains(where: { $0.kind == .present }) else { return }
    demandEnd = max(demandEnd, position + after.count)
  }

  /// `quit`, `exit`, `crash`, `update`, `boot`: the generation ends, and the process if it runs.
  private func applyEnd(_ kind: EventKind, to app: ModelApp) {
    app.generationEnded = false
    if lockedApp === app { lockedApp = nil }
    if restart?.app === app { forgetRestart() }
    let wasRunning = app.life != nil
    switch kind {
    case .quit: endByDiscard(app, .quit, .quit)
    case .exit: endByDiscard(app, .exit, .exit)
    case .crash: endByDiscard(app, .crash, .crash)
    case .update: endByDiscard(app, .update, .update)
    default: endByDiscard(app, .boot, .boot)
    }
    app.blocks = []
    if !wasRunning {
      switch kind {
      case .update:
        noteEnd(of: app, .update)
        let figures = app.ledger.figures(at: now)
        if figures.hasSnapshot { countDiscard(of: app, figures, withSnapshot: true) }
      case .boot: noteEnd(of: app, .boot)
      case .quit:
        noteEnd(of: app, .quit)
        skip(app)
      case .exit:
        noteEnd(of: app, .exit)
        skip(app)
      default:
        noteEnd(of: app, .crash)
        skip(app)
      }
    }
    if kind == .update { app.ledger.add(.replaced) }
  }

  private func applyAssertion(_ event: TraceEvent, _ detail: EventDetail, to app: ModelApp) {
    let begins = event.kind == .taskBegin || event.kind == .backgroundMode && event.value != 0
    guard app.life != nil else {
      if begins { skip(app) }
      return
    }
    if begins && app.state == .suspended { wakeByEvent(app) }
    switch event.kind {
    case .taskBegin: app.life?.tasks.append(event.slot)
    case .taskEnd: app.life?.tasks.removeAll { $0 == event.slot }
    default:
      let hadModes = app.life?.modes.isEmpty == false
      app.life?.modes.removeAll { $0 == detail.mode }
      if begins { app.life?.modes.append(detail.mode) }
      // With the last mode gone, the budget of tasks begins anew.
      if hadModes, app.life?.modes.isEmpty == true { app.life?.backgroundSince = now }
    }
    assertionsChanged(app)
  }

  private func applyEdit(_ event: TraceEvent, _ detail: EventDetail, to app: ModelApp) {
    guard app.life != nil else {
      skip(app)
      if restart?.app === app, !detail.isSynced, !detail.isPosition {
        restart?.missedBytes += event.value
        restart?.missedWork += detail.workNanoseconds
      }
      return
    }
    wakeIfSuspended(app)
    if detail.isPosition {
      app.ledger.add(.positionEdit)
    } else if detail.isSynced {
      app.ledger.add(.syncedEdit(bytes: event.value, work: detail.workNanoseconds))
    } else {
      app.ledger.add(.edit(at: now, bytes: event.value, work: detail.workNanoseconds))
    }
    saveOnEdit(app)
  }

  private func applySave(_ detail: EventDetail, to app: ModelApp, at position: Int) {
    guard app.followsCapturedSaves else { return }
    guard app.life != nil else { return skip(app) }
    if boundSaves.pairs.contains(where: { $0.save == position }) { return }
    if [.background, .warning, .expiration].contains(detail.trigger) { return skip(app) }
    wakeIfSuspended(app)
    let trigger: RecordedCause =
      switch detail.trigger {
      case .timer: .timer
      case .resign: .resign
      case .user: .user
      default: .unspecified
      }
    startSave(captured(detail, of: app, trigger: trigger, holdsTask: false), of: app)
  }

  /// Counts a row that the simulated app cannot live through.
  func skip(_ app: ModelApp) {
    count(app) { $0.skippedEvents += 1 }
  }
}
