/// When the daemons of Linux look, what they see, and whom they take.
///
/// They poll. A look that sees what the one before saw decides nothing, so the timer is set only
/// after something has happened, or while pressure, an average or a duration is on its way:
/// results are those of polling always.
extension Simulation {
  // MARK: Timers

  /// Sets the timer of the next look that may decide something.
  mutating func armLook() {
    let due = nextLook()
    guard due < linux.nextLook else { return }
    linux.nextLook = due
    timers.set(.pressurePoll, timers.device, at: due, in: &queue)
  }

  private mutating func nextLook() -> Int64 {
    let always = configuration.device.pressureParameters.linux.looksAlways
    let isMainDue = always || linux.stale.contains(.main)
    switch rules.model {
    case .oomd:
      return isMainDue || isOomdMoving()
        ? nextInstant(every: linux.oomd.tickNanoseconds, after: linux.lookedAt) : .max
    case .systemdOOMD:
      let main =
        isMainDue || isSustainedMoving()
        ? nextInstant(every: SystemdOomdRules.pressurePollNanoseconds, after: linux.lookedAt) : .max
      let isSwapDue = always || (linux.stale.contains(.swap) && isSwapShort())
      return isSwapDue
        ? min(main, nextInstant(every: SystemdOomdRules.swapPollNanoseconds, after: linux.lookedAt))
        : main
    case .earlyoom: return isMainDue ? nextEarlyoomLook() : .max
    default: return .max
    }
  }

  /// The next look of those that earlyoom's sleep spaces out since the newest one.
  private mutating func nextEarlyoomLook() -> Int64 {
    let sleep = linux.sleepNanoseconds
    let missed = max(0, now - linux.lookedAt - 1) / sleep
    let due = linux.lookedAt.addingSaturated((missed + 1) * sleep)
    return due == now && eventTime == now ? due.addingSaturated(sleep) : due
  }

  /// The timer of a look is due.
  mutating func fireLinux() {
    linux.nextLook = .max
    linux.looks = []
    linux.lookedAt = now
    switch rules.model {
    case .oomd:
      linux.looks = .main
      seeGroups()
      let swappedOut = reclaim.swappedOutBytes - linux.swappedOutBefore
      linux.swappedOutBefore = reclaim.swappedOutBytes
      linux.oomd.look(
        at: now, figures: linux.figures,
        machine: MachineFigures(
          ramBytes: configuration.device.ramBytes, swapTotalBytes: reclaim.rules.swapBytes,
          swapFreeBytes: reclaim.swapFreeBytes,
          swapOutBytesPerSecond: Double(swappedOut) * 1e9 / Double(linux.oomd.tickNanoseconds)))
    case .systemdOOMD:
      if now % SystemdOomdRules.swapPollNanoseconds == 0 { linux.looks.insert(.swap) }
      if now % SystemdOomdRules.pressurePollNanoseconds == 0 {
        linux.looks.insert(.main)
        seeSustainedPressure()
      } else if isSwapShort() {
        seeGroups()
      }
    case .earlyoom:
      linux.looks = .main
      linux.sleepNanoseconds = linux.earlyoom.sleepMilliseconds(seenMemory()) * 1_000_000
    default: break
    }
    linux.stale.subtract(linux.looks)
    needsSettling = true
  }

  // MARK: Figures

  /// Reads the figures of all control groups.
  private mutating func seeGroups() {
    for node in linux.figures.indices {
      linux.figures[node] = ControlGroupFigures()
      linux.figures[node].preference = linux.preferences[node]
    }
    for position in 0..<apps.count {
      let app = AppIndex(position)
      let node = linux.tree.nodeOfApp[position]
      // Counters of a control group outlive its processes.
      linux.figures[node].scannedPages += reclaim.scannedPages(app)
      guard apps[app].state != .notRunning else { continue }
      linux.figures[node].usageBytes += apps[app].chargedBytes
      linux.figures[node].anonymousBytes += apps[app].chargedBytes
      linux.figures[node].swapBytes += apps[app].swappedBytes
      linux.figures[node].processCount += 1
    }
    linux.averagesMove = false
    for node in linux.figures.indices.reversed() {
      if node > 0 { linux.figures[linux.tree.nodes[node].parent].add(linux.figures[node]) }
      seeAverage(of: node)
      linux.stalls[node].advance(to: now)
      let full = linux.stalls[node].full
      linux.figures[node].pressure10 = full.percent10
      linux.figures[node].pressure60 = full.percent60
      linux.figures[node].pressure300 = full.percent300
    }
  }

  private mutating func seeAverage(of node: Int) {
    guard rules.model == .oomd else { return }
    let usage = linux.figures[node].usageBytes
    let average = ControlGroupFigures.average(after: linux.averages[node], usageBytes: usage)
    linux.averages[node] = average
    linux.figures[node].averageBytes = average
    if ControlGroupFigures.average(after: average, usageBytes: usage) != average {
      linux.averagesMove = true
    }
  }

  // MARK: oomd

  private mutating func isOomdMoving() -> Bool {
    !linux.stalls[0].isFalling || (linux.oomd.usesAverages && linux.averagesMove)
      || !linux.oomd.isSettled(at: now)
  }

  mutating func openOomd() -> OpenDecision? {
    while let due = linux.oomd.nextKill() {
      let units = linux.oomd.order(of: due, tree: linux.tree)
      let trigger = due.kill.ranking.cause
      if due.kill.isDry {
        linux.oomd.finish(due, killed: !units.isEmpty, at: now)
        continue
      }
      let open = openUnits(units, trigger)
      linux.oomd.finish(due, killed: open != nil, at: now)
      if let open { return open }
      recordNoVictim(trigger: trigger, target: availableBytes)
    }
    return nil
  }

  // MARK: systemd-oomd

  /// Whether both memory and swap are as good as used up.
  private mutating func isSwapShort() -> Bool {
    let left = 100 - configuration.device.pressureParameters.linux.systemdOomd.swapUsedPercent
    let ram = configuration.device.ramBytes
    return SystemdOomdRules.isBelow(
      used: ram - max(0, availableBytes), total: ram, leftPercent: left)
      && SystemdOomdRules.isBelow(
        used: reclaim.swapUsedBytes, total: reclaim.rules.swapBytes, leftPercent: left)
  }

  private mutating func isSustainedMoving() -> Bool {
    !linux.stalls[0].isFalling || linux.sustained.contains { $0.since != nil }
  }

  /// The pressure rule's look at every unit that opted in.
  private mutating func seeSustainedPressure() {
    let parameters = configuration.device.pressureParameters.linux.systemdOomd
    seeGroups()
    linux.pendingUnits.removeAll(keepingCapacity: true)
    for (position, unit) in linux.pressureUnits.enumerated() {
      let figures = linux.figures[unit]
      if SystemdOomdRules.hadReclaim(
        scanned: figures.scannedPages, before: linux.scannedBefore[unit])
      {
        linux.scannedAt[unit] = now
      }
      let isSustained = linux.sustained[position].look(
        at: now, percent: figures.pressure10, limitPercent: parameters.pressurePercent,
        durationNanoseconds: parameters.pressureDurationNanoseconds)
      let wasReclaimed =
        linux.scannedAt[unit].map { now - $0 <= SystemdOomdRules.reclaimWindowNanoseconds }
        ?? false
      if isSustained, wasReclaimed, now >= linux.restsUntil { linux.pendingUnits.append(unit) }
    }
    linux.scanRates = zip(linux.figures, linux.scannedBefore).map {
      SystemdOomdRules.rate(scanned: $0.scannedPages, before: $1)
    }
    linux.scannedBefore = linux.figures.map(\.scannedPages)
  }

  mutating func openSystemdOomd() -> OpenDecision? {
    if linux.looks.contains(.swap) {
      linux.looks.remove(.swap)
      if isSwapShort() {
        if let open = openUnits(swapOrder(), .swapUsed) { return open }
        recordNoVictim(trigger: .swapUsed, target: availableBytes)
      }
    }
    while !linux.pendingUnits.isEmpty {
      let unit = linux.pendingUnits.removeFirst()
      if let open = openUnits(scanOrder(below: unit), .memoryPressure) {
        linux.pendingUnits.removeAll(keepingCapacity: true)
        linux.restsUntil = now.addingSaturated(SystemdOomdRules.postActionNanoseconds)
        return open
      }
      recordNoVictim(trigger: .memoryPressure, target: availableBytes)
    }
    return nil
  }

  private mutating func swapOrder() -> [Int] {
    let total = reclaim.rules.swapBytes
    var leaves: [Int] = []
    for unit in linux.swapUnits {
      leaves += linux.tree.leaves(below: unit).filter { !leaves.contains($0) }
    }
    let candidates = leaves.filter {
      SystemdOomdRules.isSwapCandidate(
        swapBytes: linux.figures[$0].swapBytes, swapTotalBytes: total)
    }
    let keys = candidates.map {
      SystemdOomdRules.swapKey(linux.preferences[$0], swapBytes: linux.figures[$0].swapBytes)
    }
    return SystemdOomdRules.order(candidates, by: keys)
  }

  private mutating func scanOrder(below unit: Int) -> [Int] {
    let leaves = linux.tree.leaves(below: unit)
    let keys = leaves.map {
      SystemdOomdRules.scanKey(
        linux.preferences[$0], rate: linux.scanRates[$0],
        usageBytes: linux.figures[$0].usageBytes)
    }
    return SystemdOomdRules.order(leaves, by: keys)
  }

  // MARK: earlyoom

  private mutating func seenMemory() -> EarlyoomRules.Memory {
    EarlyoomRules.Memory(
      availableBytes: max(0, availableBytes),
      anonymousBytes: max(
        0, configuration.device.ramBytes - systemBytes - max(0, availableBytes)),
      swapTotalBytes: reclaim.rules.swapBytes, swapFreeBytes: reclaim.swapFreeBytes)
  }

  mutating func openEarlyoom() -> OpenDecision? {
    linux.looks = []
    let level = linux.earlyoom.level(seenMemory())
    guard level != .none else { return nil }
    let trigger: RecordedCause = level == .kill ? .sigkill : .sigterm
    collectEligible { _, _ in true }
    dropSpared(honoursOmit: true)
    guard !decision.candidates.isEmpty else {
      linux.sleepNanoseconds = 1_000_000_000
      recordNoVictim(trigger: trigger, target: availableBytes)
      return nil
    }
    return made(.anyone, trigger, target: availableBytes, one: true)
  }
}

extension OomdConfiguration.Ranking {
  /// The rule's name in reports.
  fileprivate var cause: RecordedCause {
    switch self {
    case .memorySizeOrGrowth: .memorySizeOrGrowth
    case .swapUsage: .swapUsage
    case .pressure: .memoryPressure
    case .pageScans: .pageScans
    }
  }
}
