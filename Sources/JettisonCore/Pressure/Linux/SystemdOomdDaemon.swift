/// `systemd-oomd`: swap that is full, and pressure that lasts.
enum SystemdOomdDaemon: LinuxDaemon {
  static func nextPoll(isDue: Bool, _ world: inout Simulation) -> Int64 {
    let isMainDue = isDue || isSustainedMoving(&world)
    let lastPoll = world.linux.lastPoll
    let main =
      isMainDue
      ? world.nextInstant(every: SystemdOomdRules.pressurePollNanoseconds, after: lastPoll) : .max
    let always = world.configuration.device.pressureParameters.linux.pollsAlways
    guard always || (world.linux.stale.contains(.swap) && isSwapShort(&world)) else { return main }
    return min(
      main, world.nextInstant(every: SystemdOomdRules.swapPollNanoseconds, after: lastPoll))
  }

  static func poll(_ world: inout Simulation) {
    if world.now % SystemdOomdRules.swapPollNanoseconds == 0 { world.linux.polls.insert(.swap) }
    if world.now % SystemdOomdRules.pressurePollNanoseconds == 0 {
      world.linux.polls.insert(.main)
      seeSustainedPressure(&world)
    } else if isSwapShort(&world) {
      world.readFigures()
    }
  }

  static func open(_ world: inout Simulation) -> OpenDecision? {
    if world.linux.polls.contains(.swap) {
      world.linux.polls.remove(.swap)
      if isSwapShort(&world) {
        if let open = world.openUnits(swapOrder(&world), .swapUsed) { return open }
        world.recordNoVictim(trigger: .swapUsed, target: world.availableBytes)
      }
    }
    while !world.linux.pendingUnits.isEmpty {
      let unit = world.linux.pendingUnits.removeFirst()
      if let open = world.openUnits(scanOrder(below: unit, &world), .memoryPressure) {
        world.linux.pendingUnits.removeAll(keepingCapacity: true)
        world.linux.restsUntil = world.now.addingSaturated(
          SystemdOomdRules.postActionNanoseconds)
        return open
      }
      world.recordNoVictim(trigger: .memoryPressure, target: world.availableBytes)
    }
    return nil
  }

  // MARK: Swap

  /// Whether both memory and swap are as good as used up.
  private static func isSwapShort(_ world: inout Simulation) -> Bool {
    let left = 100 - world.configuration.device.pressureParameters.linux.systemdOomd.swapUsedPercent
    let ram = world.configuration.device.ramBytes
    return SystemdOomdRules.isBelow(
      used: ram - max(0, world.availableBytes), total: ram, leftPercent: left)
      && SystemdOomdRules.isBelow(
        used: world.reclaim.swapUsedBytes, total: world.reclaim.rules.swapBytes, leftPercent: left)
  }

  private static func swapOrder(_ world: inout Simulation) -> [Int] {
    let total = world.reclaim.rules.swapBytes
    var leaves: [Int] = []
    for unit in world.linux.swapUnits {
      leaves += world.linux.tree.leaves(below: unit).filter { !leaves.contains($0) }
    }
    let figures = world.linux.figures
    let preferences = world.linux.preferences
    let candidates = leaves.filter {
      SystemdOomdRules.isSwapCandidate(swapBytes: figures[$0].swapBytes, swapTotalBytes: total)
    }
    let keys = candidates.map {
      SystemdOomdRules.swapKey(preferences[$0], swapBytes: figures[$0].swapBytes)
    }
    return SystemdOomdRules.order(candidates, by: keys)
  }

  // MARK: Pressure

  private static func isSustainedMoving(_ world: inout Simulation) -> Bool {
    !world.linux.stalls[0].isFalling || world.linux.sustained.contains { $0.since != nil }
  }

  /// The pressure rule's poll of every unit that opted in.
  private static func seeSustainedPressure(_ world: inout Simulation) {
    let parameters = world.configuration.device.pressureParameters.linux.systemdOomd
    let now = world.now
    world.readFigures()
    world.linux.pendingUnits.removeAll(keepingCapacity: true)
    for (position, unit) in world.linux.pressureUnits.enumerated() {
      let figures = world.linux.figures[unit]
      if SystemdOomdRules.hadReclaim(
        scanned: figures.scannedPages, before: world.linux.scannedBefore[unit])
      {
        world.linux.scannedAt[unit] = now
      }
      let isSustained = world.linux.sustained[position].poll(
        at: now, percent: figures.pressure10, limitPercent: parameters.pressurePercent,
        durationNanoseconds: parameters.pressureDurationNanoseconds)
      let wasReclaimed =
        world.linux.scannedAt[unit].map { now - $0 <= SystemdOomdRules.reclaimWindowNanoseconds }
        ?? false
      if isSustained, wasReclaimed, now >= world.linux.restsUntil {
        world.linux.pendingUnits.append(unit)
      }
    }
    world.linux.scanRates = zip(world.linux.figures, world.linux.scannedBefore).map {
      SystemdOomdRules.rate(scanned: $0.scannedPages, before: $1)
    }
    world.linux.scannedBefore = world.linux.figures.map(\.scannedPages)
  }

  private static func scanOrder(below unit: Int, _ world: inout Simulation) -> [Int] {
    let leaves = world.linux.tree.leaves(below: unit)
    let figures = world.linux.figures
    let preferences = world.linux.preferences
    let rates = world.linux.scanRates
    let keys = leaves.map {
      SystemdOomdRules.scanKey(
        preferences[$0], rate: rates[$0], usageBytes: figures[$0].usageBytes)
    }
    return SystemdOomdRules.order(leaves, by: keys)
  }
}
