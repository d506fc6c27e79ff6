/// `gds`: purges the app that is cheapest to bring back per byte it holds.
///
/// `H = L + c / s`: `L` is the global age at the app's last use, `c` the cost of a relaunch in
/// seconds (or 1), `s` its footprint in bytes now. Purges the smallest `H`; `L` rises to the `H` of
/// the app purged. State: one number per app. O(1) per use and score (Cao and Irani, "Cost-aware
/// WWW proxy caching algorithms", USENIX USITS 1997).
struct GreedyDualSize: PurgePolicy {
  static var search: VictimSearch { .keepingScores }

  let cost: GreedyDualSizeFrequency.Cost
  private var age: Double = 0
  private var ages: [Double]

  init(appCount: Int, cost: GreedyDualSizeFrequency.Cost) {
    self.cost = cost
    ages = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .launched, .launchedInBackground: ages[event.app.position] = age
    case .ended where event.endCause == .purge: age = max(age, value(event.app, apps: apps))
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    value(app, apps: apps)
  }

  private func value(_ app: AppIndex, apps: borrowing AppTable) -> Double {
    let gain = cost == .one ? 1 : apps.relaunchCostSeconds(app)
    return ages[app.position] + gain / Double(max(1, apps.footprintBytes(app)))
  }
}

extension PolicyDescriptor {
  package static let greedyDualSize = PolicyDescriptor(
    name: "gds", family: "cost",
    summary: "Purges the app that is cheapest to bring back per byte.",
    details: """
      Score: H = L + c / s. L is the global age when the app was last launched, starts in the \
      background included (0 before), c its relaunch cost (cold less hot latency, seconds) or 1, s \
      its footprint in bytes now. At a purge L rises to the H of the purged app.
      """,
    source: "Cao and Irani, Cost-aware WWW proxy caching algorithms, USENIX USITS 1997",
    parameters: [
      PolicyParameter(
        "cost", "What bringing an app back costs: relaunch or 1.", default: "relaunch")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    GreedyDualSize(
      appCount: context.appCount,
      cost: try arguments.choice("cost", default: GreedyDualSizeFrequency.Cost.relaunch))
  }
}
