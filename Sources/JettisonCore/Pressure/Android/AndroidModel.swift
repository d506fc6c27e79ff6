/// Android's killers, in the kernel and in user space: <doc:AndroidModel>.
enum AndroidModel: PressureModel {
  /// ActivityManager tells apps itself, all at once.
  static var traits: PressureTraits {
    PressureTraits(tellsInRounds: false, followsApps: true, keepsTopAwake: true)
  }

  /// Where the killer is content.
  static func enoughBytes(_ configuration: RunConfiguration, _ rules: PressureRules) -> Int64 {
    AndroidRules(configuration).contentBytes
  }

  /// The rows of the driver's table; for the daemon, where free memory is under its marks.
  static func thresholdBytes(
    _ configuration: RunConfiguration
  ) -> [(key: String, bytes: Int64)] {
    let rules = AndroidRules(configuration)
    // A table may be set absurdly large.
    func bytes(_ pages: Int64) -> Int64 {
      Int64(min(Double(pages) * Double(rules.pageSize.bytes), 1e18))
    }
    guard rules.usesDaemon else {
      return rules.table.rows.map {
        ("lmk.adj-\($0.adj)", bytes(rules.memory.availablePages(filePages: $0.pages)))
      }
    }
    return [
      ("lmkd.low-mark", bytes(rules.lowAvailablePages)),
      ("lmkd.min-mark", bytes(rules.minAvailablePages)),
    ]
  }

  static func level(_ world: inout Simulation) -> PressureLevel {
    world.android.factor.pressureLevel
  }

  static func nextDecision(_ world: inout Simulation) -> OpenDecision? { world.openAndroid() }

  static func isAtRest(until time: Int64, _ world: inout Simulation) -> Bool {
    world.isAndroidAtRest(until: time)
  }

  static func growthRoom(for app: AppIndex, _ world: inout Simulation) -> GrowthRoom? {
    world.androidGrowthRoom()
  }

  static func grew(by bytes: Int64, _ world: inout Simulation) {
    world.androidDescended(by: bytes)
  }

  static func rest(_ world: inout Simulation) {
    // Without a descent, being at rest has set the next tick.
    guard world.android.descent.isOn else { return }
    world.bringAndroidUpToDate()
    world.proposeAndroidTick()
  }

  static func fire(_ timer: Timer, _ world: inout Simulation) {
    if timer.kind == .ownLimit {
      world.fireMemoryLimiter(AppIndex(rawValue: timer.subject))
    } else {
      world.fireAndroid(timer)
    }
  }

  static func skipsPoll(at time: Int64, _ world: inout Simulation) -> Bool {
    world.skipsAndroidTick(at: time)
  }

  static func catchUp(_ world: inout Simulation) {
    world.android.bringUpToDate(through: world.now)
  }

  static func finish(_ world: inout Simulation) {
    world.android.wakeUp(at: world.now)
    world.android.bringUpToDate(through: world.now)
  }

  // MARK: Apps

  static func stateChanged(
    _ app: AppIndex, from before: AppState, to after: AppState, _ world: inout Simulation
  ) {
    world.androidStandingChanged(app, from: before, to: after)
  }

  static func appeared(_ app: AppIndex, _ world: inout Simulation) {
    world.androidStandingChanged(app, from: .notRunning, to: world.apps[app].state)
  }

  static func rankWritten(_ app: AppIndex, _ world: inout Simulation) {
    world.androidRankWritten(app)
    world.decision.isMuted = false
    world.needsSettling = true
  }

  /// What is pinned has no limits.
  static func pinChanged(_ world: inout Simulation) {
    world.android.adjuster.touchAll()
    if world.android.limitsProcesses { world.makeStandingsStale() }
  }

  /// Behind a locked screen an app was on top; now it is one of many.
  static func lockEnded(_ world: inout Simulation) { world.makeStandingsStale() }

  static func refreshRanks(_ world: inout Simulation) { world.refreshStandings() }

  static func deliverKept(_ app: AppIndex, _ world: inout Simulation) {
    world.deliverKeptTrims(app)
  }

  // MARK: Memory

  /// Compressed pages are swap, of which there is only so much.
  static func charge(for app: AppIndex, _ world: inout Simulation) -> Int64 {
    let footprint = world.apps[app].footprintBytes
    guard world.configuration.device.compression != nil else { return footprint }
    var wanted = world.compressedBytes(of: app)
    if world.android.limitsProcesses { wanted = world.limitedSwap(app, wanted) }
    guard wanted > 0 || world.apps[app].swappedBytes > 0 else { return footprint }
    return footprint - world.savedBytes(byCompressing: world.androidSwap(app, to: wanted))
  }

  static func footprintChanged(_ app: AppIndex, from before: Int64, _ world: inout Simulation) {
    if world.android.limitsProcesses { world.limitedFootprintChanged(app) }
  }

  @inline(__always)
  static func memoryTaken(by app: AppIndex, bytes: Int64, _ world: inout Simulation) {
    world.androidMemoryTaken(by: app, bytes: bytes)
  }

  // MARK: Captures

  static func usualRule(_ world: inout Simulation) -> RecordedCause {
    world.android.rules.usesDaemon ? .lowMem : .lowmemorykiller
  }

  static func precedence(of app: AppIndex, _ world: inout Simulation) -> Int { 0 }

  #if DEBUG
    static func checkSums(_ world: inout Simulation) {
      precondition(
        world.android.swapUsedBytes == world.sum { $0.swappedBytes },
        "swap holds what the apps have there")
      world.android.adjuster.checkCounts()
    }
  #endif
}
