import JettisonCore

extension ModelEngine {
  func apply(_ event: TraceEvent, at position: Int) {
    let detail = trace.details[Int(event.detail)]
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
    case .observedExit:
      app.generationEnded = true
      app.life?.tasks = []
      app.life?.modes = []
      assertionsChanged(app)
    default: break
    }
  }

  private func applyToDevice(_ event: TraceEvent, _ detail: EventDetail, at position: Int) {
    switch event.kind {
    case .home:
      guard let app = front else { return countIssue() }
      leave(app, at: position)
    case .interrupt: interrupt()
    case .interruptEnd: endInterruption(detail.outcome, at: position)
    case .screen: switchScreen(isOn: event.value != 0)
    case .boot: for app in apps { applyEnd(.boot, to: app) }
    case .systemMemory: systemMemory = event.value
    case .deviceChange: applyDeviceChange(detail.changeKind)
    default: break
    }
  }

  private func applyDeviceChange(_ kind: UInt16) {
    for app in apps where app.state == .suspended {
      if app.life?.queuedChanges.contains(kind) == false { app.life?.queuedChanges.append(kind) }
    }
  }

  private func applyPresent(_ event: TraceEvent, _ detail: EventDetail, to app: ModelApp) {
    let since = now - detail.sinceNanoseconds
    var life = ModelLife(startedAt: since)
    life.wasShown = true
    life.backgroundSince = now
    life.backgroundBudget = device.budgets.taskNanoseconds
    if detail.presentState != .front { life.leftFrontAt = since }
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
    findOpeningState()
  }

  /// Rows that describe how things stood when the capture began are one demand.
  private func findOpeningState() {
    let kinds: [EventKind] = [
      .present, .systemMemory, .pin, .backgroundMode, .taskBegin, .footprint, .alloc, .realloc,
      .free,
    ]
    var end = nextEvent
    while end < rows.count, rows[end].timeNanoseconds == now, kinds.contains(rows[end].kind) {
      end += 1
    }
    demandEnd = max(demandEnd, end - 1)
  }

  /// `quit`, `exit`, `crash`, `update`, `boot`: the generation ends, and the process if it runs.
  private func applyEnd(_ kind: EventKind, to app: ModelApp) {
    app.generationEnded = false
    let wasRunning = app.life != nil
    switch kind {
    case .quit: endByDiscard(app, .quit, .quit)
    case .exit: endByDiscard(app, .exit, .exit)
    case .crash: endByDiscard(app, .crash, .crash)
    case .update: endByDiscard(app, .update, .update)
    default: endByDiscard(app, .boot, .boot)
    }
    app.blocks = []
    if kind == .update { app.ledger.add(.replaced) }
    if !wasRunning {
      switch kind {
      case .update: app.newestEnd = .update
      case .boot: app.newestEnd = .boot
      default: skip(app)
      }
    }
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
    guard app.life != nil else { return skip(app) }
    wakeIfSuspended(app)
    if detail.isPosition {
      app.ledger.add(.positionEdit)
    } else if detail.isSynced {
      app.ledger.add(.syncedEdit(bytes: event.value, work: detail.workNanoseconds))
    } else {
      app.ledger.add(.edit(at: now, bytes: event.value, work: detail.workNanoseconds))
    }
  }

  private func applySave(_ detail: EventDetail, to app: ModelApp, at position: Int) {
    guard app.life != nil else { return skip(app) }
    if trace.index.boundSaves.contains(where: { $0.saveEvent == position }) { return }
    guard detail.trigger != .background, detail.trigger != .warning else {
      return skip(app)
    }
    wakeIfSuspended(app)
    let trigger: RecordedCause =
      switch detail.trigger {
      case .timer: .timer
      case .user: .user
      default: .unspecified
      }
    startSave(captured(detail, of: app, trigger: trigger, holdsTask: false), of: app)
  }

  /// Counts a row that the simulated app cannot live through.
  func skip(_ app: ModelApp) {
    count(app) { $0.skippedEvents += 1 }
  }

  private func interrupt() {
    guard let app = front, !isInterrupted else { return countIssue() }
    isInterrupted = true
    if app.state == .active { becomeInactive(app) }
  }

  private func endInterruption(_ outcome: EventDetail.Outcome, at position: Int) {
    guard let app = front, isInterrupted else { return countIssue() }
    if outcome == .accepted { return leave(app, at: position) }
    isInterrupted = false
    if !isLocked { becomeActiveAgain(app) }
  }

  private func switchScreen(isOn: Bool) {
    guard let app = front, isLocked == isOn else { return }
    isLocked = !isOn
    if isLocked, app.state == .active { becomeInactive(app) }
    if !isLocked, !isInterrupted { becomeActiveAgain(app) }
  }
}
