/// The wait of a user for the app in front, whose handler had not returned.
struct HandlerWait: BitwiseCopyable {
  /// Since when the user waits for the app in front, in nanoseconds; negative: the user does not wait.
  var since: Int64 = -1
  /// Whether the user launched it; else the phone was unlocked.
  var isLaunch = false
  /// The app that starts anew at this instant because its end came while the user waited.
  var relaunched = AppIndex.none

  /// Since when the screen is dark and nobody waits, in nanoseconds; negative: it is not.
  var pausedAt: Int64 = -1

  var isOn: Bool { since >= 0 }

  /// How long the user has waited, in nanoseconds.
  func length(at now: Int64) -> Int64 { (pausedAt >= 0 ? pausedAt : now) - since }

  /// The screen is on again.
  mutating func goOn(at now: Int64) {
    guard pausedAt >= 0 else { return }
    since += now - pausedAt
    pausedAt = -1
  }
}

/// An app that vanished in the user's hand, until it is in front again or no longer waited for.
struct PendingRestart: BitwiseCopyable {
  /// Which app; none: none.
  var app = AppIndex.none
  /// Whether the user opens it again; a run that follows a capture leaves that to the capture.
  var isAwaited = false
  /// Whether its use was dirty, and goes on so.
  var isDirty = false
  /// When it vanished, in nanoseconds.
  var since: Int64 = 0
  /// Bytes and work in nanoseconds of edits of the trace that could not be made meanwhile.
  var missedBytes: Int64 = 0
  var missedNanoseconds: Int64 = 0
}

/// How often in a row an app has vanished as soon as it was opened again.
struct RestartHistory: BitwiseCopyable {
  var app = AppIndex.none
  /// When it was opened again last, in nanoseconds.
  var restartedAt: Int64 = 0
  var failures = 0
}

/// The app that vanished in front and that the user opens again, and how often that has failed.
struct Restarts: BitwiseCopyable {
  var pending = PendingRestart()
  var history = RestartHistory()
}

/// A user who loses the app in front opens it again: see <doc:TheModel#Kills-in-front>.
extension Simulation {
  /// No user taps faster; in nanoseconds.
  private static let shortestRestart: Int64 = 1_000_000_000
  /// A restart that did not last so long has failed, nanoseconds.
  private static let shortestUse: Int64 = 10_000_000_000
  /// More doublings are longer than any trace.
  private static let mostDoublings = 20
  /// Longest first attempt, nanoseconds: its doublings fit into 64 bits.
  private static let longestRestart: Int64 = 1 << 40

  /// The user opens an app again that the system has just ended in front: at once, and after a
  /// failure twice as late as before.
  @inline(never)
  mutating func awaitRestart(_ app: AppIndex, wasDirty: Bool) {
    guard !followed.isOn else {
      restarts.pending = PendingRestart(app: app, since: now)
      return
    }
    let hasFailed =
      restarts.history.app == app && now - restarts.history.restartedAt < Self.shortestUse
    restarts.history.failures =
      hasFailed ? min(restarts.history.failures + 1, Self.mostDoublings) : 0
    restarts.pending = PendingRestart(app: app, isAwaited: true, isDirty: wasDirty, since: now)
    let delay = min(
      Self.longestRestart, max(Self.shortestRestart, apps.latencyNanoseconds(app, .cold)))
    timers.set(.restart, app.rawValue, at: now + delay << restarts.history.failures)
  }

  /// The user turns to something else; whether there was anything to forget.
  @inline(__always)
  @discardableResult
  mutating func forgetRestart() -> Bool {
    guard restarts.pending.app != .none else { return false }
    endAbsence()
    return true
  }

  /// The launch is over: the use goes on where it was.
  mutating func restartInFront(_ app: AppIndex) {
    guard restarts.pending.app == app else { return }
    let isDirty = restarts.pending.isDirty
    endAbsence()
    restarts.history.app = app
    restarts.history.restartedAt = now
    instant.demand = LaunchDemand(end: instant.demand.end)
    if apps[app].state == .notRunning { note(.requested, app) }
    bringToFront(app, continuesDirty: isDirty)
    needsSettling = true
  }

  /// An edit of the trace that could not be made, because the app had vanished in front.
  mutating func missEdit(_ event: TraceEvent, _ detail: EventDetail) {
    guard restarts.pending.app == event.app, restarts.pending.isAwaited, !detail.isSynced,
      !detail.isPosition
    else { return }
    restarts.pending.missedBytes.addSaturated(event.value)
    restarts.pending.missedNanoseconds.addSaturated(detail.workNanoseconds)
  }

  /// What the user would have done while the app was gone is lost.
  @inline(never)
  private mutating func endAbsence() {
    let ended = restarts.pending
    restarts.pending = PendingRestart()
    let share = ended.isDirty ? apps.profiles[ended.app.position].editWorkPPM : 0
    loseMissed(
      ended.app, bytes: ended.missedBytes,
      work: ended.missedNanoseconds + (now - ended.since).share(share))
  }
}

/// A main thread that is busy stays busy: see <doc:TheModel#Coming-back>.
extension Simulation {
  /// The user has an app in front again whose handler has not returned.
  mutating func awaitHandler(of app: AppIndex, isLaunch: Bool) {
    front = app
    handlerWait = HandlerWait(since: now, isLaunch: isLaunch)
    noteAssertions(app)
    needsSettling = true
  }

  /// The handler of the app in front returned: a user who waits for the app has it.
  mutating func finishWaiting(_ app: AppIndex) {
    guard handlerWait.isOn else { return }
    let wait = handlerWait
    let waited = endWait(app)
    if apps[app].state == .inactive {
      reactivateIfFree()
    } else {
      enterForeground(app)
      show(app)
    }
    guard wait.isLaunch else { return }
    countLaunch(app, .hot, waited: waited)
    note(.launched, app, launchKind: .hot)
  }

  /// The handler, or a task, took too long: the app starts anew for the user who waits.
  mutating func relaunch(_ app: AppIndex, after wait: HandlerWait) {
    handlerWait = wait
    let waited = endWait(app)
    instant.demand = LaunchDemand(end: instant.demand.end)
    note(.requested, app)
    bringToFront(app, waited: waited)
  }

  /// Whatever the user waits for does not come: a hot launch that took as long as the wait.
  @inline(__always)
  mutating func giveUpWaiting(_ app: AppIndex) {
    if handlerWait.isOn, app == front { giveUp(app) }
  }

  @inline(never)
  private mutating func giveUp(_ app: AppIndex) {
    let isLaunch = handlerWait.isLaunch
    let waited = endWait(app)
    guard isLaunch else { return }
    counters[app].hotLaunches += 1
    if log.wantsEvents { recordLaunch(app, .hot, latency: waited) }
    note(.launched, app, launchKind: .hot)
  }

  /// The user turns away from an app that is in the background still: it goes on there.
  mutating func leaveWhileWaiting(_ app: AppIndex) {
    front = .none
    interruptions.inFront.removeAll()
    apps[app].lastLeftFront = now
    startBoundSave(app)
    noteAssertions(app)
    needsSettling = true
  }

  private mutating func endWait(_ app: AppIndex) -> Int64 {
    let waited = handlerWait.length(at: now)
    counters[app].handlerWaitNanoseconds.addSaturated(waited)
    if log.wantsEvents {
      var row = EventRecord(.wait, app: app, at: now)
      row.nanoseconds = waited
      log.record(row)
    }
    handlerWait = HandlerWait()
    return waited
  }
}
