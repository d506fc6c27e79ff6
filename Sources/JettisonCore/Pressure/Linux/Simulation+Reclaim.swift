/// Page reclaim in a run, and how long apps wait for it (<doc:LinuxModels#Memory-and-reclaim>).
extension Simulation {
  /// Bytes of an app that take no memory because they are swapped out.
  mutating func swapRelief(_ app: AppIndex) -> Int64 {
    guard reclaim.swappedBytes(app) > 0 else { return 0 }
    reclaim.limitSwap(app, footprintBytes: apps[app].footprintBytes)
    return reclaim.relievedBytes(app)
  }

  /// An app began or ceased to run code: what was swapped out comes back before it makes progress.
  @inline(never)
  mutating func runningChanged(_ app: AppIndex, from before: AppState) {
    let runs = apps[app].state.runsCode
    stalls.setRunning(app, runs, at: now)
    linuxRunningChanged(app)
    guard runs, before == .suspended, reclaim.swappedBytes(app) > 0 else { return }
    let wait = reclaim.swapIn(app)
    updateCharge(app)
    stall(app, for: wait)
  }

  /// An app waits for memory.
  mutating func stall(_ app: AppIndex, for nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    stalls.stall(app, for: nanoseconds, at: now)
    linuxStalled(app, for: nanoseconds)
    needsSettling = true
  }

  /// An app took memory, of which less is available now: it waits for what it must reclaim itself.
  @inline(never)
  mutating func memoryTaken(by app: AppIndex, bytes: Int64) {
    linux.lastTaker = app
    var wait = reclaim.shrink(from: availableBytes + bytes, to: availableBytes)
    if availableBytes < reclaim.rules.minimumBytes {
      let given = swapOut(target: reclaim.rules.highBytes)
      if given > 0 { wait = wait.addingSaturated(reclaim.reclaimDirectly(given)) }
    }
    stall(app, for: wait)
  }

  /// Swaps out suspended apps, the longest suspended first, until a target is available; the
  /// result is the memory that this gave back.
  mutating func swapOut(target: Int64) -> Int64 {
    guard reclaim.swapFreeBytes > 0 else { return 0 }
    let before = availableBytes
    while availableBytes < target, let app = nextToSwapOut() {
      let wanted = target - availableBytes
      let given = reclaim.swapOut(
        app, footprintBytes: apps[app].footprintBytes, wantedBytes: wanted)
      updateCharge(app)
      if given <= 0 { break }
    }
    return availableBytes - before
  }

  /// The longest suspended app of which something is left to swap out.
  private mutating func nextToSwapOut() -> AppIndex? {
    var next: AppIndex?
    for position in 0..<residents.count {
      let app = residents[position]
      let record = apps[app]
      guard record.state == .suspended,
        reclaim.swappableBytes(app, footprintBytes: record.footprintBytes) > 0
      else { continue }
      guard let found = next else {
        next = app
        continue
      }
      let (since, foundSince) = (record.suspendedAt, apps[found].suspendedAt)
      if since < foundSince || (since == foundSince && app < found) { next = app }
    }
    return next
  }

  // MARK: Background

  /// Sets the next tick of background reclaim, at the next whole second, if there is something to do.
  @inline(__always)
  mutating func armReclaim() {
    guard !timers.isSet(.reclaim, timers.device), isReclaimDue() else { return }
    let due = nextInstant(every: ReclaimModel.tickNanoseconds, after: reclaim.lastTick)
    timers.set(.reclaim, timers.device, at: due)
  }

  private mutating func isReclaimDue() -> Bool {
    if reclaim.unattributedBytes > 0 { return true }
    guard availableBytes < reclaim.swapTargetBytes else { return false }
    // Without a working set nothing is missing, and no app waits.
    if availableBytes < reclaim.shortageBytes, reclaim.rules.workingSetBytes > 0,
      stalls.memberCount > 0
    {
      return true
    }
    return reclaim.swapFreeBytes > 0 && nextToSwapOut() != nil
  }

  /// The next multiple of a period, after the newest, whose timers have not run yet.
  mutating func nextInstant(every period: Int64, after newest: Int64) -> Int64 {
    let remainder = now % period
    if remainder == 0, now > newest, instant.eventTime < now { return now }
    return (now - remainder).addingSaturated(period)
  }

  /// One tick: swaps out until the working set fits, lets running apps wait for what is missing of
  /// it, and says whose pages were scanned.
  mutating func reclaimInBackground() {
    reclaim.lastTick = now
    _ = swapOut(target: reclaim.swapTargetBytes)
    let wait = reclaim.thrash(
      availableBytes: availableBytes, runningCount: stalls.memberCount)
    if wait > 0 {
      for position in 0..<residents.count {
        let app = residents[position]
        if apps[app].state.runsCode { stall(app, for: wait) }
      }
    }
    attributeScans()
    needsSettling = true
  }

  /// Pages are scanned in proportion to what apps hold.
  private mutating func attributeScans() {
    let scanned = reclaim.takeUnattributed()
    guard scanned > 0 else { return }
    var held: Int64 = 0
    for position in 0..<residents.count { held += apps[residents[position]].chargedBytes }
    guard held > 0 else { return }
    for position in 0..<residents.count {
      let app = residents[position]
      let share = Double(apps[app].chargedBytes) / Double(held)
      reclaim.attribute(ReclaimModel.whole(Double(scanned) * share), to: app)
    }
  }
}
