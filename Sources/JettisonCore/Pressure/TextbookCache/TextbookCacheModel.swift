/// `ideal-cache`: apps go when the launched app does not fit (<doc:TheModel#Pressure-models>).
///
/// Room is made before the launched app is inserted, saves and suspensions take no time, and no app
/// is warned: ``PressureTraits``.
enum TextbookCacheModel: PressureModel {
  static var traits: PressureTraits {
    PressureTraits(
      hasLimits: false, locks: false, letsAppsOptOut: false, makesRoomFirst: true,
      declaresSizes: true, takesNoTime: true)
  }

  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64 { 0 }

  static func level(_ world: inout Simulation) -> PressureLevel { .normal }

  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool { false }

  static func nextDecision(_ world: inout Simulation) -> OpenDecision? {
    guard world.arrival.waiting != .none else { return nil }
    return world.openForRoom(world.pendingBytes)
  }

  static func charge(for app: AppIndex, _ world: inout Simulation) -> Int64 {
    world.apps[app].footprintBytes
  }

  static func usualRule(_ world: inout Simulation) -> RecordedCause { .thresholds }

  static func precedence(of app: AppIndex, _ world: inout Simulation) -> Int { 0 }
}
