/// Jetsam of iOS 6 to 18, in priority bands: <doc:JetsamModel>.
enum JetsamModel: PressureModel {
  /// A change of the level begins a walk of its own through those who hear of it.
  static var traits: PressureTraits {
    PressureTraits(
      limitsMeetGrowthOnly: true, tellsInRounds: false, followsApps: true,
      policesBackground: true)
  }

  /// Where idle apps begin to go.
  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64 {
    JetsamThresholds(configuration).idle * configuration.device.pageBytes
  }

  static func thresholdBytes(
    _ configuration: RunConfiguration
  ) -> [(key: String, bytes: Int64)] {
    let thresholds = JetsamThresholds(configuration)
    return [
      ("critical", thresholds.critical), ("idle", thresholds.idle), ("soft", thresholds.soft),
      ("highwater", thresholds.highwater), ("reaper", thresholds.reaper),
    ].map { (key: "jetsam.\($0.0)", bytes: $0.1 * configuration.device.pageBytes) }
  }

  static func level(_ world: inout Simulation) -> PressureLevel { world.jetsamLevel() }

  static func nextDecision(_ world: inout Simulation) -> OpenDecision? { world.openJetsam() }

  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool {
    world.isJetsamAtRest(until: time)
  }

  static func growthRoom(for app: AppIndex, _ world: inout Simulation) -> GrowthRoom? {
    world.jetsamGrowthRoom(for: app)
  }

  static func fire(_ timer: Timer, _ world: inout Simulation) { world.fireJetsam(timer) }

  // MARK: Apps

  static func stateChanged(
    _ app: AppIndex, from before: AppState, to after: AppState, _ world: inout Simulation
  ) {
    world.jetsamStandingChanged(app, from: before, to: after)
  }

  static func settledIn(_ app: AppIndex, since: Int64, _ world: inout Simulation) {
    world.placePresent(app, since: since)
  }

  // MARK: Memory

  /// A frozen app is on flash; what is compressed of a suspended one still takes some RAM.
  static func charge(for app: AppIndex, _ world: inout Simulation) -> Int64 {
    guard world.apps[app].state == .suspended else {
      world.noteCompressed(app, bytes: 0)
      return world.apps[app].footprintBytes
    }
    if world.jetsam[app].isFrozen {
      world.noteCompressed(app, bytes: 0)
      return 0
    }
    let compressed = world.compressedBytes(of: app)
    let saved = world.savedBytes(byCompressing: compressed)
    world.noteCompressed(app, bytes: Int64(compressed.rounded()) - saved)
    return world.apps[app].footprintBytes - saved
  }

  static func footprintChanged(_ app: AppIndex, from before: Int64, _ world: inout Simulation) {
    world.checkLimit(app, from: before, to: world.apps[app].footprintBytes)
  }

  static func drain(
    _ victim: AppIndex, for open: OpenDecision, _ world: inout Simulation
  ) -> (bytes: Int64, isSpared: Bool) {
    world.drainPurgeable(victim, open)
  }

  // MARK: Warnings

  static func levelChanged(from before: PressureLevel, _ world: inout Simulation) {
    world.changeJetsamLevel(from: before)
  }

  static func memoryMoved(from before: Int64, _ world: inout Simulation) {
    guard world.level != .normal else { return }
    world.remindUnderJetsam(isTaken: world.availableBytes < before)
  }

  static func deliverWarning(_ world: inout Simulation) { world.deliverJetsamWarning() }

  // MARK: Captures

  static func usualRule(_ world: inout Simulation) -> RecordedCause { .vmPageshortage }

  /// By band.
  static func precedence(of app: AppIndex, _ world: inout Simulation) -> Int {
    let band = world.apps.ranks.standings[app.position].band
    var lower: Set<Int16> = []
    for position in world.decision.candidates.indices {
      let other = world.apps.ranks.standings[world.decision.candidates[position].app.position].band
      if other < band { lower.insert(other) }
    }
    return lower.count
  }

  #if DEBUG
    static func checkSums(_ world: inout Simulation) {
      var idle: Int64 = 0
      var suspended: Int64 = 0
      var compressed: Int64 = 0
      var frozen: Int64 = 0
      for position in 0..<world.apps.count {
        suspended += world.apps.records[position].state == .suspended ? 1 : 0
        idle += world.apps.ranks.standings[position].band == PriorityBand.idle ? 1 : 0
        compressed += world.jetsam.apps[position].compressorBytes
        frozen += world.jetsam.apps[position].process.wasFrozen ? 1 : 0
      }
      precondition(world.jetsam.suspendedCount == suspended, "suspended apps are counted")
      precondition(world.jetsam.idleCount == idle, "apps in the idle band are counted")
      precondition(
        world.jetsam.compressorBytes == compressed,
        "the compressor holds what the apps have there")
      precondition(
        world.jetsam.freezer.frozenCount == frozen, "apps that were frozen and live are counted")
    }
  #endif
}
