import JettisonPolicies
import JettisonTraces

/// `least-harm`: purges the app whose end costs the user least, if it came back at once.
struct LeastHarm: PurgePolicy {
  /// Seconds of waiting that one second of lost work is worth.
  let weight: Double

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let lost = Double(apps.unsavedWorkNanoseconds(app)) / 1e9
    return weight * lost + apps.relaunchCostSeconds(app)
  }
}

extension PolicyDescriptor {
  static let leastHarm = PolicyDescriptor(
    name: "least-harm", family: "loss-aware",
    summary: "Purges the app whose end costs the user least.",
    details: "Score: weight * unsaved work + relaunch cost, in seconds.",
    source: "this package",
    parameters: [PolicyParameter("weight", "Worth of a second of lost work.", default: "1")]
  ) { (arguments, context) throws(ConfigurationError) in
    LeastHarm(weight: try arguments.number("weight", default: 1))
  }
}

/// What a trace costs under some policies, a line each.
func comparison(of path: String) throws -> [String] {
  let trace = try TraceLoader.load(path)
  let device = try DeviceTable.device(named: "iphone-3gs")
  var configuration = try TraceLoader.configuration(for: trace, at: path, on: device)
  configuration.footprints = .declared
  return try ["lru", "least-harm", "least-harm:weight=0"].map { text in
    let policy = try PolicySpec(parsing: text, among: PolicyRegistry.all + [.leastHarm])
    let metrics = MetricReader(try policy.run(trace, configuration))
    let names = ["system_lost_work_noticed_seconds", "system_relaunch_wait_seconds"]
    let figures = try names.map { name in
      Int((metrics.value(of: try MetricTable.metric(named: name)).number ?? 0).rounded())
    }
    return "\(policy.name): \(figures[0]) s of work lost, \(figures[1]) s of waiting"
  }
}
