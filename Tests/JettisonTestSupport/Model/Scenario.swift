package import JettisonCore

/// A small hand-made experiment: a device, a few apps, and a trace in a few lines.
package struct Scenario: Sendable {
  package var configuration: RunConfiguration
  package var profiles: [String: AppProfile] = [:]
  package var policy = "lru"
  /// What follows the policy's name: `+saved+recent=2`.
  package var modifiers = ""

  /// A device without reserve whose RAM makes a percent of 100 MiB a whole MiB.
  package init(ramMiB: Int64 = 100, pressure: PressureModelKind = .thresholds) {
    let device = Device(name: "test", ramBytes: ramMiB << 20, reserveBytes: 0, source: "test")
    configuration = RunConfiguration(device: device, pressure: pressure, profiles: [])
    configuration.footprints = .declared
  }

  /// The scenario with an app that weighs `MiB` after its launch.
  package func app(
    _ name: String, MiB: Int64 = 0, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> Scenario {
    var scenario = self
    var profile = AppProfile()
    profile.launchFootprintBytes = MiB << 20
    change(&profile)
    scenario.profiles[name] = profile
    return scenario
  }

  /// The scenario with other settings.
  package func with(_ change: (inout Scenario) -> Void) -> Scenario {
    var scenario = self
    change(&scenario)
    return scenario
  }

  /// The trace of rows in trace format 1, and the configuration with the profiles of its apps.
  package func inputs(_ rows: String) throws(TraceRowProblem) -> (Trace, RunConfiguration) {
    let trace = try Trace(rows: rows)
    var configuration = configuration
    configuration.profiles = trace.apps.map { profiles[$0] ?? AppProfile() }
    return (trace, configuration)
  }

  /// Replays rows in trace format 1 (see `Trace.init(rows:user:)`) on an engine.
  package func replay(_ rows: String, on engine: NamedEngine) throws(TraceRowProblem) -> Replayed {
    let (trace, configuration) = try inputs(rows)
    let (result, events, decisions) = engine.run(trace, configuration, policy, modifiers)
    return Replayed(
      apps: trace.apps,
      outcome: ModelOutcome(result: result, events: events, decisions: decisions))
  }
}

/// What a scenario yielded, in words that tests can spell out.
package struct Replayed: Sendable {
  package let apps: [String]
  package let outcome: ModelOutcome

  package var system: SystemTotals { outcome.result.system }
  package var decisions: [DecisionRecord] { outcome.decisions }

  /// Counters of an app.
  package func totals(_ name: String) -> AppTotals {
    apps.firstIndex(of: name).map { outcome.result.apps[$0] } ?? AppTotals()
  }

  /// Maxima of an app.
  package func footprint(_ name: String) -> FootprintStatistics {
    apps.firstIndex(of: name).map { outcome.result.footprints[$0] } ?? FootprintStatistics()
  }

  /// Sum of a counter over the apps.
  package func sum(_ counter: (AppTotals) -> Int64) -> Int64 {
    outcome.result.apps.reduce(0) { $0 + counter($1) }
  }

  /// Rows of the given kinds, each as `seconds app what`; without notifications.
  package func story(_ kinds: RecordedKind...) -> [String] {
    outcome.events
      .filter { kinds.contains($0.kind) && !$0.message.name.hasSuffix("Notification") }
      .map { "\(Self.seconds($0.timeNanoseconds)) \(apps[$0.app.position]) \(Self.words($0))" }
  }

  /// Everything but messages, waits and what was restored.
  package var story: [String] {
    story(
      .state, .launch, .save, .warning, .response, .purge, .kill, .watchdog, .taskExpired,
      .ended, .loss)
  }

  private static func words(_ event: EventRecord) -> String {
    switch event.kind {
    case .state: "\(event.stateAfter?.name ?? "?") \(event.cause.name)"
    case .message: "\(event.message)"
    case .launch, .warning, .ended, .purge, .kill: "\(event.kind.name) \(event.cause)"
    case .response: "response \(event.bytes ?? -1)"
    case .watchdog, .taskExpired: event.kind.name
    case .save:
      "save \(event.cause) \(event.saveOutcome?.name ?? "?") \(event.bytes ?? -1) B "
        + seconds(event.nanoseconds ?? -1)
    case .loss: lossWords(event)
    case .wait: "wait " + seconds(event.nanoseconds ?? -1)
    case .restore:
      "restore \(event.restoreOutcome?.name ?? "?") \(event.bytes ?? -1) B "
        + seconds(event.workNanoseconds ?? -1)
        + (event.nanoseconds.map { " old \(seconds($0))" } ?? "")
    }
  }

  private static func lossWords(_ event: EventRecord) -> String {
    let what =
      event.message == .position
      ? "position" : "\(event.bytes ?? -1) B \(seconds(event.workNanoseconds ?? -1))"
    let age = event.nanoseconds.map { " stale \(seconds($0))" } ?? ""
    return "loss \(event.lossClass?.name ?? "?") \(what) \(event.noticed?.name ?? "?")\(age)"
  }

  /// Nanoseconds as seconds without needless zeros: `4s`, `0.25s`.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let whole = nanoseconds / 1_000_000_000
    let rest = nanoseconds % 1_000_000_000
    if rest == 0 { return "\(whole)s" }
    var digits = String(String(1_000_000_000 + rest).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)s"
  }
}
