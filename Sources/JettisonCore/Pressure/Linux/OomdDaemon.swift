/// `oomd`: rulesets of detectors, and actions on control groups.
enum OomdDaemon: LinuxDaemon {
  static func nextPoll(isDue: Bool, _ world: inout Simulation) -> Int64 {
    guard isDue || isMoving(&world) else { return .max }
    return world.nextInstant(
      every: world.linux.oomd.tickNanoseconds, after: world.linux.lastPoll)
  }

  /// Whether pressure, an average or a duration is on its way.
  private static func isMoving(_ world: inout Simulation) -> Bool {
    !world.linux.stalls[0].isFalling
      || (world.linux.oomd.usesAverages && world.linux.averagesMove)
      || !world.linux.oomd.isSettled(at: world.now)
  }

  static func poll(_ world: inout Simulation) {
    world.linux.polls = .main
    world.readFigures()
    let swappedOut = world.reclaim.swappedOutBytes - world.linux.swappedOutBefore
    world.linux.swappedOutBefore = world.reclaim.swappedOutBytes
    let machine = MachineFigures(
      ramBytes: world.configuration.device.ramBytes, swapTotalBytes: world.reclaim.rules.swapBytes,
      swapFreeBytes: world.reclaim.swapFreeBytes,
      swapOutBytesPerSecond: Double(swappedOut) * 1e9
        / Double(world.linux.oomd.tickNanoseconds))
    let figures = world.linux.figures
    world.linux.oomd.tick(at: world.now, figures: figures, machine: machine)
  }

  static func open(_ world: inout Simulation) -> OpenDecision? {
    while let due = world.linux.oomd.nextKill() {
      let units = world.linux.oomd.order(of: due, tree: world.linux.tree)
      let trigger = due.kill.ranking.cause
      if due.kill.isDry {
        world.linux.oomd.finish(due, killed: !units.isEmpty, at: world.now)
        continue
      }
      let open = world.openUnits(units, trigger)
      world.linux.oomd.finish(due, killed: open != nil, at: world.now)
      if let open { return open }
      world.recordNoVictim(trigger: trigger, target: world.availableBytes)
    }
    return nil
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
