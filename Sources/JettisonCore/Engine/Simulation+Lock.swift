/// Whether the phone is locked, and what an unlock brings back.
struct LockState: BitwiseCopyable {
  /// Locked with an app in front.
  var isOn = false
  /// The app that left at the lock and comes back at the unlock, where a lock leaves.
  private(set) var app = AppIndex.none
  /// When that is, by the trace, in nanoseconds; negative: never.
  private(set) var unlockTime: Int64 = -1

  /// Locks the phone with an app in front that leaves.
  mutating func take(_ app: AppIndex, unlockTime: Int64) {
    isOn = true
    self.app = app
    self.unlockTime = unlockTime
  }

  /// The app ended by itself: the unlock does not bring it back.
  mutating func forget(_ app: AppIndex) {
    if self.app == app { self.app = .none }
  }
}

/// Interruptions and locks: see <doc:TheModel#Interruptions> and <doc:TheModel#Locking>.
extension Simulation {
  /// `interrupt`, `interrupt-end` and `screen`.
  mutating func interrupt(_ event: TraceEvent, _ detail: EventDetail) {
    if event.locks(detail) {
      lockScreen()
    } else if event.unlocks(detail) {
      unlock()
    } else if leavesAtLock, lock.isOn {
      // Nothing is in front behind a dark screen.
    } else if event.kind == .interrupt {
      beginInterruption(detail.interrupter ?? .alert)
    } else {
      endInterruption(detail)
    }
  }

  /// Whether nothing keeps the app in front from being active.
  var isFrontFree: Bool {
    @inline(__always) mutating get { interruptions.isEmpty && !lock.isOn }
  }

  private mutating func beginInterruption(_ kind: EventDetail.Interrupter) {
    guard front != .none else {
      noteIssue(.interruptionOfNothing)
      return
    }
    guard interruptions.begin(kind) else {
      noteIssue(.tooManyInterruptions)
      return
    }
    resignInFront(front)
  }

  private mutating func endInterruption(_ detail: EventDetail) {
    guard front != .none, interruptions.end(detail.interrupter) else {
      if !lock.isOn { noteIssue(.endOfNoInterruption) }
      return
    }
    if detail.outcome == .accepted {
      leaveFront()
    } else {
      reactivateIfFree()
    }
  }

  private mutating func reactivateIfFree() {
    if isFrontFree, apps[front].state == .inactive { becomeActive(front, cause: .t4) }
  }

  // MARK: Locks

  private mutating func lockScreen() {
    forgetRestart()
    guard front != .none, !lock.isOn else { return }
    guard leavesAtLock else {
      lock.isOn = true
      resignInFront(front)
      return
    }
    lock.take(front, unlockTime: unlockTime)
    leaveFront(resigns: .t3)
  }

  private mutating func unlock() {
    guard lock.isOn else { return }
    let app = lock.app
    endLock()
    guard leavesAtLock else {
      reactivateIfFree()
      return
    }
    guard app != .none else { return }
    if apps[app].state != .notRunning {
      comeBack(app)
    } else if apps[app].lastEnd.isBySystem {
      note(.requested, app)
      bringToFront(app)
    }
    needsSettling = true
  }

  /// The phone is unlocked, or something else is in front.
  @inline(__always)
  mutating func endLock() {
    guard lock.isOn else { return }
    lock = LockState()
    model.lockEnded(&self)
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
