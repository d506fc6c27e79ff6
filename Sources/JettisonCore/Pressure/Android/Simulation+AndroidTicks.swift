/// When Android checks who waits for memory, and when lmkd wakes.
///
/// Every 100 ms running apps read again what they miss of the working set, stalls are added up, the
/// factor follows from them, and lmkd wakes if its monitors or its clock say so. A tick is *made*
/// only if it may change the factor or kill an app; the others are skipped, and what they move
/// (stalls, pages, windows, what lmkd remembers) is brought up to date in one step before anything
/// reads or changes it. So the results are the same as with every tick, at the cost of what changes.
extension Simulation {
  // MARK: Ticks

  /// Handles a timer of the model that is due.
  mutating func fireAndroid(_ timer: Timer) {
    if timer.kind == .killTimeout {
      needsSettling = true
    } else {
      tick()
    }
  }

  /// Accounts for skipped ticks, before something changes.
  @inline(__always)
  mutating func bringAndroidUpToDate() {
    guard android.rules.usesDaemon, !android.isAsleep else { return }
    android.bringUpToDate(through: tickedThrough)
  }

  /// Ticks come after other timers of their instant and before the events of the trace.
  var tickedThrough: Int64 {
    mutating get { instant.eventTime == now ? now : now - 1 }
  }

  /// Makes a tick: adds up stalls, and wakes lmkd if they, or the time, say so.
  private mutating func tick() {
    android.bringUpToDate(through: now - 1)
    var event: (newer: LMKDaemon.Event, older: LegacyPressure)?
    if now == android.lastTick + AndroidState.tickNanoseconds {
      refreshFlow()
      android.rereadFilePages(at: now)
      event = android.stallEvent()
      let total = android.stall.some.totalNanoseconds
      if enterFactor(android.stallWindow.tick(at: now, total: total)) { tellTrimLevels() }
    }
    if let event {
      android.rules.usesNewStrategy ? wakeDaemon(event.newer) : wakeLegacy(event.older)
    } else if now >= android.nextPoll {
      android.nextPoll = .max
      if android.rules.usesNewStrategy { wakeDaemon(.poll) }
    }
    // Settling sets the next one.
    if !needsSettling { setAndroidTick() }
  }

  /// Works out anew what each tick does, if that may have changed.
  @inline(__always)
  mutating func refreshFlow() {
    let running = android.stall.memberCount
    if availableBytes != android.seenAvailableBytes || running != android.seenRunningCount {
      findFlow(running)
    }
  }

  @inline(never)
  private mutating func findFlow(_ running: Int) {
    android.seenAvailableBytes = availableBytes
    android.seenRunningCount = running
    let flow = android.rules.memory.flow(
      availablePages: android.pages(availableBytes), runningCount: running)
    if !flow.isStill { android.wakeUp(at: tickedThrough) }
    android.flow = flow
  }

  /// An app begins to wait.
  mutating func wakeAndroidUp() {
    android.wakeUp(at: tickedThrough)
    android.bringUpToDate(through: tickedThrough)
  }

  // MARK: The next tick

  /// Sets the very next tick, as something may have changed.
  ///
  /// Whether it may be skipped is decided when it is due: until then more may change.
  mutating func proposeAndroidTick() {
    if android.isAsleep { return }
    guard android.needsPoll else {
      setAndroidTick()
      return
    }
    android.leftOutPolls = .none
    android.isTickProposed = true
    movePoll(to: min(android.nextTick, android.nextPoll))
  }

  /// Whether a tick that is due need not be made; then the next that must be is set.
  mutating func skipsAndroidTick(at time: Int64) -> Bool {
    guard android.isTickProposed else { return false }
    android.isTickProposed = false
    let due = nextAndroidTick()
    // Set anew it would come twice.
    if due == time { return false }
    movePoll(to: due)
    return true
  }

  /// Sets the next tick that may decide something; the result is when it is due, `.max`: there is
  /// none.
  @discardableResult
  mutating func setAndroidTick() -> Int64 {
    let due = nextAndroidTick()
    android.isTickProposed = false
    movePoll(to: due)
    return due
  }

  @inline(__always)
  private mutating func movePoll(to due: Int64) {
    let time = due < .max ? max(now, due) : .max
    guard time != timers.queue.pollTime else { return }
    if time < .max { timers.queue.setPoll(at: time) } else { timers.queue.dropPoll() }
  }

  /// When the next tick is due that may decide something, in nanoseconds; `.max`: none is.
  private mutating func nextAndroidTick() -> Int64 {
    if android.isAsleep { return .max }
    let next = min(android.nextTick, android.nextPoll)
    android.leftOutPolls = .none
    if android.rules.ticksAlways { return next }
    guard android.needsPoll else {
      android.isAsleep = true
      return .max
    }
    guard let (some, full) = android.evenCourses(), let due = nextDue(some, full) else {
      return next
    }
    // The factor changes at a tick, and no tick comes before the next.
    guard due > next else { return due }
    return min(due, android.stallWindow.nextChange(of: android.factor, on: some))
  }

  /// The next tick at which lmkd may be led to a kill while stalls go on like this.
  ///
  /// `.max` is none, nil the very next.
  private mutating func nextDue(
    _ some: StallTrigger.Course, _ full: StallTrigger.Course
  ) -> Int64? {
    if some.growth == 0 { return nextWithoutStalls() }
    return android.rules.usesNewStrategy ? nextWithStalls(some, full) : nextByLevels(some, full)
  }

  /// The next tick at which no app waits: at an event that is held, or while lmkd
  /// polls and something may be new to it.
  private mutating func nextWithoutStalls() -> Int64 {
    let due = android.heldEventTime
    guard android.nextPoll < .max else { return due }
    let isOver =
      android.rules.usesNewStrategy && !android.daemon.isKillPending
      && android.flow.refaultPages == 0 && seesNothingNew()
      && seesSwap(reading(at: android.lastTick))
    return isOver ? due : min(due, android.nextPoll)
  }

  /// Whether swap is as low as lmkd found it, on which depends when it polls.
  private mutating func seesSwap(_ reading: LMKDaemon.Reading) -> Bool {
    android.daemon.isSwapLow(reading) == android.daemon.swapIsLow
  }

  private mutating func seesNothingNew() -> Bool {
    android.daemon.seesNothingNew(
      directScans: android.directScans, backgroundScans: android.backgroundScans,
      refaults: android.refaults)
  }

  /// ``nextDue(_:_:)`` of the newer strategy: what is easily found out comes first.
  private mutating func nextWithStalls(
    _ some: StallTrigger.Course, _ full: StallTrigger.Course
  ) -> Int64? {
    guard !android.daemon.isKillPending, android.partialTrigger.isOn(some),
      android.completeTrigger.isOn(full)
    else { return nil }
    let polls = android.nextPoll < .max
    var alwaysKills = false
    if polls {
      guard let outlook = pollOutlook() else { return nil }
      alwaysKills = outlook.alwaysKills
    }
    let complete = android.completeTrigger.outlook(on: full)
    guard complete != .steady else { return nil }
    let partial = android.partialTrigger.outlook(on: some)
    android.partialOutlook = partial
    android.completeOutlook = complete
    let stop = complete == .mixed ? android.completeTrigger.nextEvent(on: full, complete) : .max
    guard polls else {
      return partial == .silent
        ? stop : min(stop, android.partialTrigger.nextEvent(on: some, partial))
    }
    if alwaysKills || android.flow.directScans > 0 {
      android.leftOutPolls = .byThemselves
      return stop
    }
    android.leftOutPolls = partial == .steady ? .byEvents : .ending
    return partial == .mixed
      ? min(stop, android.partialTrigger.nextEvent(on: some, partial)) : stop
  }

  /// What polls ask for while all goes on like this, where each is at a tick and finds no
  /// victim; nil: that is not so.
  private mutating func pollOutlook() -> LMKDaemon.Outlook? {
    guard pollsAtTicks() else { return nil }
    let reading = reading(at: android.lastTick)
    guard seesSwap(reading) else { return nil }
    return outlook(reading, android.flow)
  }

  /// What lmkd asks for from a reading on while a flow goes on, if each time it finds no victim;
  /// nil: it may find one, or need not ask.
  private mutating func outlook(
    _ reading: LMKDaemon.Reading, _ flow: FilePageFlow
  ) -> LMKDaemon.Outlook? {
    // Mostly it shows at once: what is found of more thrashing holds for less.
    for isRough in [true, false] {
      let outlook = android.daemon.outlook(
        reading, flow, every: AndroidState.tickNanoseconds, isRough: isRough)
      if !outlook.isMixed, findsNobody(from: outlook.lowestAdj) { return outlook }
      if outlook.alwaysKills, !knowsNobody { return nil }
    }
    return nil
  }

  // MARK: Descents

  /// Whether ticks are skipped by a descent that has not come to its end.
  var isDescending: Bool {
    mutating get { android.descent.isOn && availableBytes >= android.descent.leastBytes }
  }

  /// No tick need be made while memory stays as it is: finds out whether that is so too while an app
  /// grows by some more steps, and if so leaves them all out.
  mutating func beginDescent(steps wanted: Int64) {
    guard mayDescend, let (some, full) = android.evenCourses() else { return }
    for steps in [min(wanted, 64), 4] {
      let takenBytes = steps * Self.growthStepBytes
      guard staysQuiet(down: takenBytes, some, full) else { continue }
      android.beginDescent(from: availableBytes, to: availableBytes - takenBytes)
      return
    }
  }

  /// Whether a descent would be short enough to tell: lmkd wants a kill at every tick and finds
  /// no victim, or does not poll, and its monitors do the same at each.
  private var mayDescend: Bool {
    mutating get {
      guard android.rules.usesNewStrategy, !android.rules.ticksAlways, !android.isAsleep,
        !android.limitsProcesses, !android.stall.keepsAverages, android.flow.stallNanoseconds > 0,
        android.flow.directScans == 0, android.partialOutlook != .mixed,
        android.completeOutlook == .silent
      else { return false }
      if android.nextPoll == .max { return true }
      return android.leftOutPolls == .byThemselves && decision.isMuted
        && android.pollNanoseconds == AndroidState.tickNanoseconds
        && !android.daemon.noticesDirectReclaim(android.directScans)
    }
  }

  /// Whether what is true of ticks with memory as it is, is true with so much less of it: then it is
  /// true all the way, as stalls, refaults and thrashing rise with what is taken.
  private mutating func staysQuiet(
    down takenBytes: Int64, _ some: StallTrigger.Course, _ full: StallTrigger.Course
  ) -> Bool {
    let pages = android.pages(availableBytes - takenBytes)
    guard pages >= android.rules.minAvailablePages else { return false }
    let flow = android.rules.memory.flow(
      availablePages: pages, runningCount: android.stall.memberCount)
    guard flow.directScans == 0 else { return false }
    func steeper(_ course: StallTrigger.Course) -> StallTrigger.Course {
      StallTrigger.Course(
        time: course.time, total: course.total, growth: flow.stallNanoseconds)
    }
    guard android.stallWindow.nextChange(of: android.factor, on: steeper(some)) == .max,
      android.partialOutlook == .steady
        || android.partialTrigger.outlook(on: steeper(some)) == .silent,
      android.completeTrigger.outlook(on: steeper(full)) == .silent
    else { return false }
    if android.nextPoll == .max { return true }
    let reading = reading(at: android.lastTick, flow, takenBytes: takenBytes)
    return seesSwap(reading) && outlook(reading, flow)?.alwaysKills == true
  }

  /// Whether lmkd polls at every tick, and each time finds that something was read again.
  ///
  /// Pages scanned since the newest tick it notices at the next, if it does not poll in between.
  private mutating func pollsAtTicks() -> Bool {
    guard android.flow.refaultPages > 0,
      android.rules.windowNanoseconds >= AndroidState.tickNanoseconds,
      android.daemon.hasSeen(refaults: android.refaults)
    else { return false }
    if seesNothingNew() {
      return (android.nextPoll - android.lastTick) % android.pollNanoseconds == 0
    }
    return android.nextPoll == android.nextTick
      && android.pollNanoseconds == AndroidState.tickNanoseconds
  }

  /// The same of the older strategy, which wakes at events only.
  private mutating func nextByLevels(
    _ some: StallTrigger.Course, _ full: StallTrigger.Course
  ) -> Int64? {
    guard android.nextPoll == .max, android.lowTrigger.isOn(some),
      android.partialTrigger.isOn(some), android.completeTrigger.isOn(full)
    else { return nil }
    if let lastKill = android.lastKill, android.lastTick - lastKill < victimWaitNanoseconds() {
      return nil
    }
    android.lowOutlook = android.lowTrigger.outlook(on: some)
    android.partialOutlook = android.partialTrigger.outlook(on: some)
    android.completeOutlook = android.completeTrigger.outlook(on: full)
    let isQuiet =
      staysQuiet(at: .low, android.lowOutlook) && staysQuiet(at: .medium, android.partialOutlook)
      && staysQuiet(at: .critical, android.completeOutlook)
    return isQuiet ? .max : nil
  }

  private mutating func staysQuiet(
    at event: LegacyPressure, _ outlook: StallTrigger.Outlook
  ) -> Bool {
    if outlook == .silent { return true }
    if android.rules.usesMinfreeLevels {
      return findsNobody(from: minimumAdjByTable() ?? OomAdj.unknown)
    }
    let reading = legacyReading()
    // An event that is remembered must be met.
    if event == .low, reading.freePages > android.legacy.mostFreeAtLow { return false }
    var legacy = android.legacy
    return findsNobody(from: legacy.minimumAdj(at: event, reading) ?? OomAdj.unknown)
  }

  /// Whether a kill from a value on would find no victim, and that has been recorded.
  private mutating func findsNobody(from adj: Int16) -> Bool {
    guard adj <= OomAdj.highest else { return true }
    return knowsNobody && !isAnyKillable(from: adj)
  }

  private mutating func isAnyKillable(from adj: Int16) -> Bool {
    let adjuster = android.adjuster
    return isAnyEligible { app, record in
      adjuster.adj(app) >= adj && record.footprintBytes > 0
    }
  }

  /// Whether a kill without a victim would not be recorded again.
  private var knowsNobody: Bool {
    mutating get { decision.isMuted || decision.availableAfter == availableBytes }
  }

  // MARK: lmkd

  private mutating func wakeDaemon(_ event: LMKDaemon.Event) {
    if let lastKill = android.lastKill, now - lastKill >= android.rules.deathNanoseconds {
      android.daemon.victimDied()
    }
    let outcome = android.daemon.wake(event, reading(at: now))
    if outcome == .skipped { return }
    if case .kill(let order) = outcome {
      want(KillCommand(trigger: order.reason.cause, minAdj: order.minAdj, order: order))
    }
    if event != .poll || outcome != .nothing || android.daemon.reclaimsDirectly {
      android.pollsUntil = now.addingSaturated(android.rules.windowNanoseconds)
    }
    let next = now.addingSaturated(android.pollNanoseconds)
    android.nextPoll = next <= android.pollsUntil ? next : .max
  }

  private mutating func reading(at time: Int64) -> LMKDaemon.Reading {
    reading(at: time, android.flow, takenBytes: 0)
  }

  /// What lmkd reads if apps take some more memory, with the flow that there is then.
  private mutating func reading(
    at time: Int64, _ flow: FilePageFlow, takenBytes: Int64
  ) -> LMKDaemon.Reading {
    var reading = LMKDaemon.Reading()
    reading.time = time
    reading.directScans = android.directScans
    reading.backgroundScans = android.backgroundScans
    reading.refaults = android.refaults
    reading.freePages = max(0, android.pages(availableBytes - takenBytes)) - flow.filePages
    reading.filePages = flow.filePages
    reading.anonymousPages = android.pages(
      max(0, counters.footprintBytes + takenBytes - android.swapUsedBytes))
    reading.swapTotalPages = android.rules.swapPages
    reading.swapFreePages = android.pages(android.swapFreeBytes)
    if android.stall.keepsAverages { reading.fullStallPercent = android.stall.full.percent10 }
    return reading
  }

  private mutating func wakeLegacy(_ event: LegacyPressure) {
    if let lastKill = android.lastKill, now - lastKill < victimWaitNanoseconds() { return }
    let wanted: (trigger: RecordedCause, minAdj: Int16?) =
      android.rules.usesMinfreeLevels
      ? (.minfree, minimumAdjByTable())
      : (event.cause, android.legacy.minimumAdj(at: event, legacyReading()))
    guard let minAdj = wanted.minAdj else { return }
    want(KillCommand(trigger: wanted.trigger, minAdj: minAdj, order: nil))
  }

  /// The victim is chosen when all is settled; if nothing else is to be settled, a lack of victims is
  /// recorded at once.
  private mutating func want(_ order: KillCommand) {
    guard isSettled, !isAnyKillable(from: order.minAdj) else {
      android.order = order
      needsSettling = true
      return
    }
    recordNoVictim(trigger: order.trigger, target: android.rules.contentBytes)
  }

  private var isSettled: Bool {
    mutating get {
      !needsSettling && !android.adjuster.isStale && !android.limitsProcesses && !followed.isOn
    }
  }

  private mutating func legacyReading() -> LegacyLMKDaemon.Reading {
    let available = android.pages(availableBytes)
    let used = android.pages(configuration.device.ramBytes) - available
    var reading = LegacyLMKDaemon.Reading()
    reading.freePages = android.rules.memory.freePages(availablePages: available)
    reading.usedPages = max(0, used)
    reading.usedWithSwapPages = max(0, used) + android.pages(android.swapUsedBytes)
    reading.swapTotalPages = android.rules.swapPages
    reading.swapFreePages = android.pages(android.swapFreeBytes)
    return reading
  }
}
