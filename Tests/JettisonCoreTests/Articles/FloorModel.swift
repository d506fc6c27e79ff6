@testable import JettisonCore

/// `floor`: ends suspended apps, and only those, while less than an eighth of RAM is available.
enum FloorModel: PressureModel {
  static func level(_ world: inout Simulation) -> PressureLevel {
    world.availableBytes < floorBytes(world.configuration) ? .critical : .normal
  }

  static func nextDecision(_ world: inout Simulation) -> OpenDecision? {
    let floor = floorBytes(world.configuration)
    guard world.availableBytes < floor, !world.isAnyOnItsWay() else { return nil }
    if let open = world.open(.suspended, trigger: .thresholds, target: floor) { return open }
    world.recordNoVictim(trigger: .thresholds, target: floor)
    return nil
  }

  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool {
    world.availableBytes >= floorBytes(world.configuration)
  }

  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64 {
    floorBytes(configuration)
  }

  static func usualRule(_ world: inout Simulation) -> RecordedCause { .thresholds }

  private static func floorBytes(_ configuration: RunConfiguration) -> Int64 {
    configuration.device.ramBytes / 8
  }
}
