/// The killers of Linux: <doc:LinuxModels>.
enum LinuxModel: PressureModel {
  static var traits: PressureTraits { PressureTraits(followsApps: true) }

  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64 {
    Int64(rules.criticalBytes.rounded(.up))
  }

  /// Linux does not warn apps.
  static func level(_ world: inout Simulation) -> PressureLevel { .normal }

  static func nextDecision(_ world: inout Simulation) -> OpenDecision? { world.openLinux() }

  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool { false }

  static func settled(_ world: inout Simulation) { world.armReclaim() }

  static func fire(_ timer: Timer, _ world: inout Simulation) {
    if timer.kind == .reclaim { world.reclaimInBackground() } else { world.fireLinux() }
  }

  // MARK: Apps

  static func stateChanged(
    _ app: AppIndex, from before: AppState, to after: AppState, _ world: inout Simulation
  ) {
    if before.runsCode != after.runsCode { world.runningChanged(app, from: before) }
  }

  static func appeared(_ app: AppIndex, _ world: inout Simulation) {
    if world.apps[app].state.runsCode { world.runningChanged(app, from: .notRunning) }
  }

  static func rankWritten(_ app: AppIndex, _ world: inout Simulation) {
    world.decision.isMuted = false
    world.needsSettling = true
  }

  // MARK: Memory

  static func charge(for app: AppIndex, _ world: inout Simulation) -> Int64 {
    let saved = world.savedBytes(byCompressing: world.compressedBytes(of: app))
    let relief = world.swapRelief(app)
    world.apps[app].swappedBytes = world.reclaim.swappedBytes(app)
    return world.apps[app].footprintBytes - saved - relief
  }

  static func memoryTaken(by app: AppIndex, bytes: Int64, _ world: inout Simulation) {
    world.memoryTaken(by: app, bytes: bytes)
  }

  static func memoryEnded(_ app: AppIndex, _ world: inout Simulation) {
    world.reclaim.forgetSwap(app)
  }

  // MARK: Captures

  static func usualRule(_ world: inout Simulation) -> RecordedCause { .oomKill }

  static func precedence(of app: AppIndex, _ world: inout Simulation) -> Int { 0 }

  #if DEBUG
    static func checkSums(_ world: inout Simulation) {
      precondition(
        world.reclaim.swapUsedBytes == world.sum { $0.swappedBytes },
        "swap holds what the apps have there")
    }
  #endif
}
