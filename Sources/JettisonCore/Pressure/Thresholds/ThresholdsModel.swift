/// `thresholds`: warns and purges below shares of RAM (<doc:TheModel#Pressure-models>).
enum ThresholdsModel: PressureModel {
  static var traits: PressureTraits {
    PressureTraits(levelIsOfMemoryAlone: true, policesBackground: true)
  }

  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64 {
    Int64(rules.purgeBytes.rounded(.up))
  }

  static func thresholdBytes(
    _ configuration: RunConfiguration
  ) -> [(key: String, bytes: Int64)] {
    PressureRules(configuration).thresholdBytes
  }

  static func level(_ world: inout Simulation) -> PressureLevel {
    world.rules.level(after: world.level, availableBytes: world.availableBytes)
  }

  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool {
    Double(world.availableBytes) >= world.rules.purgeBytes
  }

  /// Until apps are purged, or a higher level begins.
  static func growthRoom(for app: AppIndex, _ world: inout Simulation) -> GrowthRoom? {
    let rules = world.rules
    let least = max(rules.purgeBytes, rules.leastBytes(of: world.level))
    return GrowthRoom(leastAvailableBytes: Int64(least.rounded(.up)))
  }

  static func nextDecision(_ world: inout Simulation) -> OpenDecision? {
    let isShort = Double(world.availableBytes) < world.rules.purgeBytes
    guard isShort, world.availableBytes < 0 || !world.isAnyOnItsWay(),
      !world.isHeldForWarnings()
    else { return nil }
    let target = Int64(world.rules.untilBytes.rounded(.up))
    if let open = world.open(.suspended, trigger: .thresholds, target: target) { return open }
    guard world.availableBytes < 0 else {
      world.recordNoVictim(trigger: .thresholds, target: target)
      return nil
    }
    return openDemand(&world)
  }

  /// Running background apps, then the app in front, only while memory is overdrawn.
  private static func openDemand(_ world: inout Simulation) -> OpenDecision? {
    if let open = world.open(.background, trigger: .demand, target: 0) { return open }
    if let open = world.open(.front, trigger: .demand, target: 0) { return open }
    world.recordNoVictim(trigger: .demand, target: 0)
    return nil
  }

  static func usualRule(_ world: inout Simulation) -> RecordedCause { .thresholds }
}
