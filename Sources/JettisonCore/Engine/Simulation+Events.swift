extension Simulation {
  /// Applies one event of the trace; time has been moved to it.
  ///
  /// One line per kind; the verbs are in the other extensions.
  @inline(__always)
  mutating func apply(_ event: TraceEvent) {
    let app = event.app
    instant.eventTime = event.timeNanoseconds
    switch event.kind {
    case .alloc: allocate(event)
    case .free: free(event)
    case .realloc: reallocate(event)
    case .footprint: sample(event)
    case .launch: launch(app)
    case .home: goHome()
    case .edit: edit(event)
    case .save: captureSave(event)
    case .present: present(event)
    case .backgroundLaunch: launchInBackground(app)
    case .interrupt, .interruptEnd, .screen: interrupt(event, details[Int(event.detail)])
    case .taskBegin: beginTask(event)
    case .taskEnd: endTask(event)
    case .backgroundMode: switchMode(event)
    case .pin: switchPin(app, isOn: event.value != 0)
    case .quit: endByUser(app, cause: .quit)
    case .exit: endByItself(app, cause: .exit)
    case .crash: endByItself(app, cause: .crash)
    case .update: endByUser(app, cause: .update)
    case .boot: boot()
    case .deviceChange: changeDevice(event.detail)
    case .systemMemory: setSystemMemory(event.value)
    case .restoreFailed: failRestore(app)
    case .observedExit: observeExit(event)
    case .observedWarning: observeWarning(event)
    case .gpuWork: workOnGPU(app)
    case .sharedResource: holdResource(event)
    case .adj: setRank(event)
    case .observedAvailable: observeAvailable(event)
    case .clock, .observedLaunch, .end: break
    }
  }

  // MARK: Rows that prove that an app ran

  /// Whether a row of the app's own applies here: it runs, or is woken to prove that it did.
  ///
  /// Otherwise the row is skipped and counted.
  @inline(__always)
  mutating func runsForOwnRow(_ app: AppIndex) -> Bool {
    apps[app].state.runsCode || wakesForOwnRow(app)
  }

  @inline(never)
  private mutating func wakesForOwnRow(_ app: AppIndex) -> Bool {
    switch apps[app].state {
    case .notRunning:
      counters[app].skippedEvents += 1
      return false
    case .suspended:
      counters[app].impliedWakes += 1
      wake(app)
      return true
    case .active, .inactive, .background: return true
    }
  }

  // MARK: Devices and eligibility

  /// Running apps hear of a change at once, suspended and busy ones when they can; daemons have no
  /// use for it.
  private mutating func changeDevice(_ change: UInt32) {
    let kind = details[Int(change)].changeKind
    for position in 0..<apps.count where apps.profiles[position].processKind == .app {
      let app = AppIndex(position)
      let state = apps[app].state
      if state.runsCode, !apps[app].handlerRuns {
        tellChange(app, change)
      } else if state != .notRunning {
        deviceChanges.keep(kind: kind, detail: change, for: app)
      }
    }
  }

  private mutating func switchPin(_ app: AppIndex, isOn: Bool) {
    apps[app].isPinned = isOn
    changes.add(app)
    if !isOn { decision.isMuted = false }
    model.pinChanged(&self)
    needsSettling = true
  }

  /// The platform's own rank of a process, which killers and policies take from now on.
  private mutating func setRank(_ event: TraceEvent) {
    let app = event.app
    guard apps[app].state != .notRunning else {
      counters[app].skippedEvents += 1
      return
    }
    let adj = Int16(clamping: event.value)
    guard configuration.usesCapturedRanks, apps.writtenAdj(app) != adj else { return }
    apps.writeAdj(adj, of: app)
    model.rankWritten(app, &self)
  }

  private mutating func setSystemMemory(_ bytes: Int64) {
    guard !traits.declaresSizes else { return }
    changeAvailable(by: systemBytes - bytes)
    systemBytes = bytes
  }

  // MARK: Leaving

  private mutating func goHome() {
    let wasLocked = lock.isOn
    endLock()
    guard front != .none else {
      interruptions.inFront.removeAll()
      if !wasLocked, !forgetRestart() { noteIssue(.homeFromNothing) }
      return
    }
    leaveFront()
  }

  // MARK: Forbidden in the background

  /// OpenGL ES calls: iOS ends an app that makes them in the background.
  private mutating func workOnGPU(_ app: AppIndex) {
    guard runsForOwnRow(app), conduct.policesBackground, app != front,
      apps[app].state == .background
    else { return }
    kill(app, cause: .gpuInBackground, recorded: .gpuInBackground)
  }

  private mutating func holdResource(_ event: TraceEvent) {
    let app = event.app
    let bit: UInt64 = 1 << UInt64(min(details[Int(event.detail)].resource, 63))
    if event.value == 0 {
      apps[app].heldResources &= ~bit
    } else if runsForOwnRow(app) {
      apps[app].heldResources |= bit
    }
  }

  // MARK: Tasks and modes

  private mutating func beginTask(_ event: TraceEvent) {
    let app = event.app
    guard runsForOwnRow(app) else { return }
    taskEpochs[Int(event.slot)] = apps[app].processEpoch
    openTask(app)
  }

  private mutating func endTask(_ event: TraceEvent) {
    let slot = Int(event.slot)
    let app = event.app
    guard apps[app].state != .notRunning else { return }
    let isOpen = taskEpochs[slot] != 0 && taskEpochs[slot] == apps[app].processEpoch
    taskEpochs[slot] = 0
    if isOpen { closeTask(app) }
  }

  private mutating func switchMode(_ event: TraceEvent) {
    let app = event.app
    let bit: UInt64 = 1 << UInt64(min(details[Int(event.detail)].mode, 63))
    if event.value != 0 {
      guard runsForOwnRow(app) else { return }
      apps[app].modes |= bit
      noteAssertions(app)
      timers.cancel(.suspension, app.rawValue)
      timers.cancel(.expirationHandler, app.rawValue)
      timers.cancel(.taskDeadline, app.rawValue)
      needsSettling = true
    } else {
      guard apps[app].state != .notRunning, apps[app].modes & bit != 0 else { return }
      apps[app].modes &= ~bit
      noteAssertions(app)
      if apps[app].modes == 0 {
        apps[app].budgetFrom = now
        armTaskDeadline(app)
      }
      suspendWhenIdle(app)
    }
  }
}
