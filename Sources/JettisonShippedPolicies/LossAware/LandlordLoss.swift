/// `landlord-loss`: purges the app whose credit per byte runs out first, unsaved work included.
///
/// `H = L + (c + λ·l) / s`: `L` is the global age at the app's last suspension, `c` the cost of a
/// relaunch in seconds, `l` its unsaved work in seconds and `s` its footprint in bytes, both read
/// at the decision. Purges the smallest `H`; `L` rises to the `H` of the app purged. The lazy form
/// of Landlord (Young, "On-line file caching", 2002) with a loss term; a completed save lowers
/// `l`, hence `H`. State: one number per app. O(1) per suspension and score.
struct LandlordLoss: PurgePolicy {
  static var hasTerms: Bool { true }

  /// Seconds of waiting that one second of lost work is worth.
  let lambda: Double
  /// Whether a launch is the use (the textbook cache) instead of a suspension.
  let usesLaunches: Bool
  private var age: Double = 0
  private var ages: [Double]

  init(appCount: Int, lambda: Double, usesLaunches: Bool) {
    self.lambda = lambda
    self.usesLaunches = usesLaunches
    ages = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .launched where usesLaunches, .suspended where !usesLaunches:
      ages[event.app.position] = age
    case .ended where event.endCause == .purge:
      age = max(age, value(event.app, apps: apps))
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
      ScoreTerm("L", ages[app.position]), ScoreTerm("c", apps.relaunchCostSeconds(app)),
      ScoreTerm("l", Double(apps.unsavedWorkNanoseconds(app)) / 1e9),
      ScoreTerm("lambda", lambda), ScoreTerm("s", Double(apps.footprintBytes(app))),
    ]
  }

  private func value(_ app: AppIndex, apps: borrowing AppTable) -> Double {
    let loss = Double(apps.unsavedWorkNanoseconds(app)) / 1e9
    let credit = apps.relaunchCostSeconds(app) + lambda * loss
    return ages[app.position] + credit / Double(max(1, apps.footprintBytes(app)))
  }
}

extension PolicyDescriptor {
  package static let landlordLoss = PolicyDescriptor(
    name: "landlord-loss", family: "loss-aware",
    summary: "Purges the app whose credit per byte runs out first, unsaved work included.",
    details: """
      Score: H = L + (c + lambda * l) / s. L is the global age when the app was last suspended \
      (on ideal-cache: launched), c its relaunch cost in seconds, l its unsaved work in seconds \
      and s its footprint in bytes, both now. At a purge L rises to the H of the purged app.
      """,
    source:
      "Young, On-line file caching, Algorithmica 2002, with a loss term",
    parameters: [
      PolicyParameter(
        "lambda", "Seconds of waiting that a second of lost work is worth.", default: "1")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    LandlordLoss(
      appCount: context.appCount,
      lambda: try arguments.number("lambda", default: context.lambda),
      usesLaunches: context.isIdealCache)
  }
}
