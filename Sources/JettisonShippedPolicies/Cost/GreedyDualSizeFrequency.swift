/// `gdsf`: purges the app that is cheapest to bring back per byte it holds, weighted by use.
///
/// `H = L + f · c / s`: `L` is the global age at the app's last use, `f` its uses since it was
/// purged last, `c` the cost of a relaunch in seconds (or 1), `s` its footprint in bytes now.
/// Purges the smallest `H`; `L` rises to the `H` of the app purged. State: two numbers per app;
/// a purge sets `f` to 0. O(1) per use and score (Cherkasova, HP Labs 1998).
struct GreedyDualSizeFrequency: PurgePolicy {
  static var hasTerms: Bool { true }
  static var search: VictimSearch { .keepingScores }

  /// What bringing an app back costs.
  enum Cost: String, CaseIterable, Sendable {
    case relaunch
    case one = "1"
  }

  let cost: Cost
  private var age: Double = 0
  private var ages: [Double]
  private var uses: [Double]

  init(appCount: Int, cost: Cost) {
    self.cost = cost
    ages = Array(repeating: 0, count: appCount)
    uses = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    let app = event.app.position
    switch event.kind {
    case .launched:
      ages[app] = age
      uses[app] += 1
    case .ended where event.endCause == .purge:
      age = max(age, value(event.app, apps: apps))
      uses[app] = 0
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    value(app, apps: apps)
  }

  func terms(
    of app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) -> [ScoreTerm] {
    [
      ScoreTerm("L", ages[app.position]), ScoreTerm("f", uses[app.position]),
      ScoreTerm("c", cost == .one ? 1 : apps.relaunchCostSeconds(app)),
      ScoreTerm("s", Double(apps.footprintBytes(app))),
    ]
  }

  private func value(_ app: AppIndex, apps: borrowing AppTable) -> Double {
    let gain = cost == .one ? 1 : apps.relaunchCostSeconds(app)
    let size = Double(max(1, apps.footprintBytes(app)))
    return ages[app.position] + uses[app.position] * gain / size
  }
}

extension PolicyDescriptor {
  package static let greedyDualSizeFrequency = PolicyDescriptor(
    name: "gdsf", family: "cost",
    summary: "Purges the app that is cheapest to bring back per byte, weighted by use.",
    details: """
      Score: H = L + f * c / s. L is the global age when the app was last launched, f its \
      launches since its last purge, c its relaunch cost (cold less hot latency, seconds) or 1, \
      s its footprint in bytes now. At a purge L rises to the H of the purged app. On ideal-cache \
      a cold launch reads L after the purges that it causes, as in the paper; libCacheSim's GDSF \
      inserts first, may evict the newcomer at once, and is no policy for apps.
      """,
    source: "Cherkasova, HP Labs 1998",
    parameters: [
      PolicyParameter(
        "cost", "What bringing an app back costs: relaunch or 1.", default: "relaunch")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    GreedyDualSizeFrequency(
      appCount: context.appCount,
      cost: try arguments.choice("cost", default: GreedyDualSizeFrequency.Cost.relaunch))
  }
}
