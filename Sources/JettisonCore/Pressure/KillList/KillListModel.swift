/// `ios-4`: the kill list of iOS 4 and 5 (<doc:TheModel#Pressure-models>).
enum KillListModel: PressureModel {
  static var traits: PressureTraits {
    PressureTraits(levelIsOfMemoryAlone: true, policesBackground: true)
  }

  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64 {
    Int64(rules.criticalBytes.rounded(.up))
  }

  /// Purging has no end of its own: it stops where it begins.
  static func thresholdBytes(
    _ configuration: RunConfiguration
  ) -> [(key: String, bytes: Int64)] {
    PressureRules(configuration).thresholdBytes.filter { $0.key != "thresholds.until" }
  }

  static func level(_ world: inout Simulation) -> PressureLevel {
    world.rules.level(
      notedBytes: world.rules.noted(world.availableBytes, after: world.warning.notedBytes))
  }

  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool {
    Double(world.availableBytes) > leastBytes(&world)
      && world.rules.noted(world.availableBytes, after: world.warning.notedBytes)
        == world.warning.notedBytes
  }

  /// Until memory has fallen by a step that is noted, or to where an app is ended.
  static func growthRoom(for app: AppIndex, _ world: inout Simulation) -> GrowthRoom? {
    let noted = world.rules.leastBytes(notedAs: world.warning.notedBytes)
    let least = max(leastBytes(&world), noted).rounded(.down)
    return GrowthRoom(leastAvailableBytes: Int64(least) + 1)
  }

  /// One victim at a time in tier order: over the high-water mark while at most 10 % are
  /// available, anyone while at most 5 % are.
  static func nextDecision(_ world: inout Simulation) -> OpenDecision? {
    Double(world.availableBytes) <= leastBytes(&world) ? nextVictim(&world) : nil
  }

  @inline(never)
  private static func nextVictim(_ world: inout Simulation) -> OpenDecision? {
    guard world.availableBytes < 0 || !world.isAnyOnItsWay() else { return nil }
    let available = Double(world.availableBytes)
    let rules = world.rules
    if world.limits.hasSoft, available <= rules.purgeBytes,
      let tier = world.collectFirstTier(overSoftLimitOnly: true)
    {
      if tier == .suspended, world.isHeldForWarnings() { return nil }
      let target = Int64(rules.purgeBytes.rounded(.up))
      return world.openDecision(tier, .highwater, target: target, one: true)
    }
    guard available <= rules.criticalBytes else { return nil }
    let target = Int64(rules.criticalBytes.rounded(.up))
    guard let tier = world.collectFirstTier() else {
      world.recordNoVictim(trigger: .level, target: target)
      return nil
    }
    if tier == .suspended, world.isHeldForWarnings() { return nil }
    return world.openDecision(tier, .level, target: target, one: true)
  }

  /// Available memory down to which no app is ended, in bytes.
  @inline(__always)
  private static func leastBytes(_ world: inout Simulation) -> Double {
    let rules = world.rules
    return world.limits.hasSoft ? max(rules.purgeBytes, rules.criticalBytes) : rules.criticalBytes
  }

  /// The sender of warnings learns of memory in steps.
  static func memoryMoved(from before: Int64, _ world: inout Simulation) {
    world.warning.notedBytes = world.rules.noted(
      world.availableBytes, after: world.warning.notedBytes)
  }

  static func usualRule(_ world: inout Simulation) -> RecordedCause { .level }
}
