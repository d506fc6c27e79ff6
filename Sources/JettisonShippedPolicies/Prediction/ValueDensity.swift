/// `value-density`: purges the app that saves the user least launch time per byte.
///
/// `p · c / s`: `p` is the share of the app in the launches, newer ones counting more, `c` the cost
/// of a relaunch in seconds and `s` the footprint in bytes now. State: one number per app, kept
/// across purges. O(1) per launch and score.
struct ValueDensity: PurgePolicy {
  private var usage: RecentShare
  private var sequence: LaunchSequence

  init(appCount: Int, weight: Double) {
    usage = RecentShare(appCount: appCount, weight: weight)
    sequence = LaunchSequence(appCount: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if sequence.observe(event, apps: apps) { usage.launched(event.app) }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    usage[app] * apps.relaunchCostSeconds(app) / Double(max(1, apps.footprintBytes(app)))
  }
}

/// Shares of apps in the launches so far, each launch counting less than the next by one factor.
///
/// State: one number per app. O(1) per launch, O(apps) now and then.
struct RecentShare: Sendable {
  /// Share of the newest launch, above 0 and below 1.
  let weight: Double
  /// Shares divided by ``scale``, so that only one of them moves at a launch.
  private var values: [Double]
  private var scale = 1.0

  init(appCount: Int, weight: Double) {
    self.weight = weight
    values = Array(repeating: 0, count: appCount)
  }

  mutating func launched(_ app: AppIndex) {
    scale *= 1 - weight
    if scale < 1e-150 {
      for position in values.indices { values[position] *= scale }
      scale = 1
    }
    values[app.position] += weight / scale
  }

  subscript(app: AppIndex) -> Double { values[app.position] * scale }
}

extension PolicyDescriptor {
  package static let valueDensity = PolicyDescriptor(
    name: "value-density", family: "prediction",
    summary: "Purges the app that saves the user least launch time per byte.",
    details: """
      Score: p * c / s. p is the app's share in the launches: at each launch every p becomes \
      (1 - weight) * p, and weight is added to that of the app launched. c is its relaunch cost \
      (cold less hot latency, seconds) and s its footprint in bytes now. SmartLMK also learns \
      latencies and forecasts demand; here latencies are known, and the pressure model says how \
      much is needed. \(LaunchSequence.rule)
      """,
    source: "after Kim et al., SmartLMK, ACM TECS 15(3), 2016",
    parameters: [
      PolicyParameter(
        "weight", "Share of the newest launch in p, above 0 and below 1.", default: "0.01")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    ValueDensity(
      appCount: context.appCount,
      weight: try arguments.share("weight", default: 0.01))
  }
}
