/// `earlyoom`: polls memory and swap, and sleeps the longer the more there is.
enum EarlyoomDaemon: LinuxDaemon {
  /// The next poll of those that the sleep spaces out since the newest one.
  static func nextPoll(isDue: Bool, _ world: inout Simulation) -> Int64 {
    guard isDue else { return .max }
    let sleep = world.linux.sleepNanoseconds
    let missed = max(0, world.now - world.linux.lastPoll - 1) / sleep
    let due = world.linux.lastPoll.addingSaturated((missed + 1) * sleep)
    return due == world.now && world.instant.eventTime == world.now
      ? due.addingSaturated(sleep) : due
  }

  static func poll(_ world: inout Simulation) {
    world.linux.polls = .main
    let memory = memory(&world)
    world.linux.sleepNanoseconds = world.linux.earlyoom.sleepMilliseconds(memory) * 1_000_000
  }

  static func open(_ world: inout Simulation) -> OpenDecision? {
    world.linux.polls = []
    let level = world.linux.earlyoom.level(memory(&world))
    guard level != .none else { return nil }
    let trigger: RecordedCause = level == .kill ? .sigkill : .sigterm
    world.collectEligible { _, _ in true }
    world.dropSpared(honoursOmit: true)
    guard !world.decision.candidates.isEmpty else {
      world.linux.sleepNanoseconds = 1_000_000_000
      world.recordNoVictim(trigger: trigger, target: world.availableBytes)
      return nil
    }
    return world.openDecision(.anyone, trigger, target: world.availableBytes, one: true)
  }

  /// What a poll sees.
  private static func memory(_ world: inout Simulation) -> EarlyoomRules.Memory {
    let available = max(0, world.availableBytes)
    return EarlyoomRules.Memory(
      availableBytes: available,
      anonymousBytes: max(
        0, world.configuration.device.ramBytes - world.systemBytes - available),
      swapTotalBytes: world.reclaim.rules.swapBytes, swapFreeBytes: world.reclaim.swapFreeBytes)
  }
}
