/// `appflow`: purges the app with the lowest predicted reuse times relaunch cost per byte.
///
/// `q · c / s`: `q` is the probability to be launched next after the app launched last
/// (``NextLaunch`` of order 1), `c` the cost of a relaunch in seconds, `s` the footprint in bytes
/// now. State: a number per pair of apps seen in a row, kept across purges. O(apps that followed)
/// per launch and decision.
struct ReuseDensity: PurgePolicy {
  static var ordering: CandidateOrdering { .byPreparedScore }

  private var next: NextLaunch
  private var sequence: LaunchSequence

  init(appCount: Int, prior: Double) {
    next = NextLaunch(appCount: appCount, order: 1, prior: prior)
    sequence = LaunchSequence(appCount: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if sequence.observe(event, apps: apps) { next.launched(event.app) }
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    next.prepare(candidates)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    next[app] * apps.relaunchCostSeconds(app) / Double(max(1, apps.footprintBytes(app)))
  }
}

extension PolicyDescriptor {
  package static let reuseDensity = PolicyDescriptor(
    name: "appflow", family: "prediction",
    summary: "Purges the app with the lowest predicted reuse times relaunch cost per byte.",
    details: """
      Score: q * c / s. q is the probability of markov (order 1) that the app is launched next, c \
      its relaunch cost (cold less hot latency, seconds), s its footprint in bytes now. AppFlow's \
      preloading and its reserve for a large launch say when to purge and are not part of it. \
      \(LaunchSequence.rule)
      """,
    source: "after AppFlow, preprint 2026",
    complexity: "O(apps that followed) per launch and decision",
    parameters: [
      PolicyParameter("alpha", "Weight of the launch shares, in launches.", default: "1")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    ReuseDensity(
      appCount: context.appCount, prior: try arguments.positive("alpha", default: 1))
  }
}
