/// Whether the phone is locked, and what an unlock brings back.
struct LockState: BitwiseCopyable {
  private(set) var isOn = false
  /// The app that was in front at the lock and is there again at the unlock; none: none was.
  private(set) var app = AppIndex.none
  /// When that is, by the trace, in nanoseconds; negative: never.
  private(set) var unlockTime: Int64 = -1

  /// Locks the phone with an app in front, or without.
  mutating func take(_ app: AppIndex, unlockTime: Int64) {
    isOn = true
    self.app = app
    self.unlockTime = unlockTime
  }

  /// The app left, or ended by itself: the unlock does not bring it back.
  mutating func forget(_ app: AppIndex) {
    if self.app == app { self.app = .none }
  }
}

/// The interruptions that have begun and not ended.
struct Interruptions: BitwiseCopyable {
  /// What keeps the app in front, or one that comes there, from being active; emptied when another app
  /// comes to the front.
  var inFront = InterruptionStack()
  /// Those of the trace, whichever app was in front: the rows that end them are still to come, and must not
  /// count as issues.
  var inTrace = InterruptionStack()
}

/// Interruptions and locks: see <doc:TheModel#Interruptions> and <doc:TheModel#Locking>.
extension Simulation {
  /// `interrupt`, `interrupt-end` and `screen`.
  mutating func interrupt(_ event: TraceEvent, _ detail: EventDetail) {
    if event.locks(detail) {
      lockScreen()
    } else if event.unlocks(detail) {
      unlock()
    } else if event.kind == .interrupt {
      beginInterruption(detail.interrupter ?? .alert)
    } else {
      endInterruption(detail)
    }
  }

  /// Whether nothing keeps the app in front from being active.
  var isFrontFree: Bool {
    @inline(__always) mutating get { interruptions.inFront.isEmpty && !lock.isOn }
  }

  /// Whether it is an issue depends on the rows alone: an app that vanished in front here is still
  /// there in the capture.
  private mutating func beginInterruption(_ kind: EventDetail.Interrupter) {
    guard front != .none || restarts.pending.app != .none || lock.isOn else {
      noteIssue(.interruptionOfNothing)
      return
    }
    interruptions.inTrace.push(kind)
    // Nothing is in front behind a dark screen.
    if conduct.leavesAtLock, lock.isOn { return }
    guard interruptions.inFront.begin(kind) else {
      noteIssue(.tooManyInterruptions)
      return
    }
    if front != .none { resignInFront(front) }
  }

  private mutating func endInterruption(_ detail: EventDetail) {
    if interruptions.inTrace.end(detail.interrupter) {
      if detail.outcome == .accepted { interruptions.inTrace.removeAll() }
    } else if !lock.isOn {
      noteIssue(.endOfNoInterruption)
      return
    }
    guard interruptions.inFront.end(detail.interrupter) else { return }
    if detail.outcome == .accepted {
      acceptInterruption()
    } else {
      reactivateIfFree()
    }
  }

  /// The user turns to what interrupts: the app leaves, and an unlock does not bring it back.
  private mutating func acceptInterruption() {
    interruptions.inFront.removeAll()
    lock.forget(lock.app)
    forgetRestart()
    if front != .none { leaveFront() }
  }

  /// T4 once nothing keeps the app in front from it, its own main thread included.
  mutating func reactivateIfFree() {
    guard front != .none, isFrontFree, apps[front].state == .inactive else { return }
    if apps[front].handlerRuns {
      if !handlerWait.isOn { awaitHandler(of: front, isLaunch: false) }
    } else {
      becomeActive(front, cause: .t4)
    }
  }

  // MARK: Locks

  private mutating func lockScreen() {
    guard !lock.isOn else { return }
    // One that has just vanished in front was about to be opened again.
    lock.take(front != .none ? front : restarts.pending.app, unlockTime: instant.unlockTime)
    forgetRestart()
    if conduct.leavesAtLock { interruptions.inFront.removeAll() }
    guard front != .none else { return }
    if conduct.leavesAtLock {
      leaveFront(resigns: .t3)
      if topSleeping != .none { stopTaskBudget(topSleeping) }
    } else {
      if handlerWait.isOn { handlerWait.pausedAt = now }
      resignInFront(front)
    }
  }

  private mutating func unlock() {
    guard lock.isOn else { return }
    let app = lock.app
    endLock()
    if handlerWait.isOn { handlerWait.goOn(at: now) }
    guard front == .none else {
      reactivateIfFree()
      return
    }
    guard app != .none else { return }
    if apps[app].state != .notRunning {
      comeBack(app)
    } else if apps[app].lastEnd.isBySystem, traits.locks {
      note(.requested, app)
      bringToFront(app)
    }
    needsSettling = true
  }

  /// The app on top of a device that sleeps, where the model keeps it awake; none: none.
  ///
  /// A process that begins behind the lock is not on top: nothing of it has been shown.
  var topSleeping: AppIndex {
    @inline(__always) mutating get {
      guard traits.keepsTopAwake, conduct.leavesAtLock, lock.app != .none, apps[lock.app].wasShown
      else { return .none }
      return lock.app
    }
  }

  /// The phone is unlocked, or something else is in front.
  @inline(__always)
  mutating func endLock() {
    guard lock.isOn else { return }
    let top = topSleeping
    lock = LockState()
    model.lockEnded(&self)
    if top != .none { leaveTop(top) }
  }

  /// An app that was on top is in the background like any other, and its budget begins.
  @inline(never)
  private mutating func leaveTop(_ app: AppIndex) {
    guard apps[app].state == .background else { return }
    apps[app].budgetFrom = now
    apps[app].expirationHandlerCame = false
    noteAssertions(app)
    armTaskDeadline(app)
    suspendWhenIdle(app)
    needsSettling = true
  }

  /// The locked app still runs: T11, which is no launch.
  private mutating func comeBack(_ app: AppIndex) {
    guard !apps[app].handlerRuns else {
      awaitHandler(of: app, isLaunch: false)
      return
    }
    enterForeground(app)
    show(app)
  }
}
