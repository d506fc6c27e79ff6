/// The wait of a user who came back while the app's background handler had not returned.
struct HandlerWait: BitwiseCopyable {
  /// Since when the user waits for the app in front, in nanoseconds; negative: nobody waits.
  var since: Int64 = -1
  /// Whether the user launched it; else the phone was unlocked.
  var isLaunch = false
  /// The app that starts anew at this instant because its end came while the user waited.
  var relaunched = AppIndex.none

  var isOn: Bool { since >= 0 }
}

/// A main thread that is busy stays busy: see <doc:TheModel#Coming-back>.
extension Simulation {
  /// The user comes back to an app whose handler has not returned.
  mutating func awaitHandler(of app: AppIndex, isLaunch: Bool) {
    front = app
    handlerWait = HandlerWait(since: now, isLaunch: isLaunch)
    noteAssertions(app)
    needsSettling = true
  }

  /// The handler returned: the app comes to the front.
  mutating func finishWaiting(_ app: AppIndex) {
    let wait = handlerWait
    let waited = endWait(app)
    enterForeground(app)
    show(app)
    guard wait.isLaunch else { return }
    countLaunch(app, .hot, waited: waited)
    note(.launched, app, launchKind: .hot)
  }

  /// The handler, or a task, took too long: the app starts anew for the user who waits.
  mutating func relaunch(_ app: AppIndex, after wait: HandlerWait) {
    handlerWait = wait
    let waited = endWait(app)
    demand = LaunchDemand(end: demand.end)
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

  /// The user turns away: the app goes on where it is.
  mutating func leaveWhileWaiting(_ app: AppIndex) {
    giveUp(app)
    front = .none
    interruptions.removeAll()
    if !leavesAtLock { endLock() }
    apps[app].lastLeftFront = now
    noteAssertions(app)
    needsSettling = true
  }

  private mutating func endWait(_ app: AppIndex) -> Int64 {
    let waited = now - handlerWait.since
    counters[app].handlerWaitNanoseconds += waited
    if log.wantsEvents {
      var row = EventRecord(.wait, app: app, at: now)
      row.nanoseconds = waited
      log.record(row)
    }
    handlerWait = HandlerWait()
    return waited
  }
}
