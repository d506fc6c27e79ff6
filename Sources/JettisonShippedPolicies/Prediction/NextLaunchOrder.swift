/// `markov`: purges the app that is least likely to be launched next.
///
/// Counts what followed the last `order` launches and backs off to shorter contexts (``NextLaunch``).
/// State: one number per context and app that followed it, kept across purges. O(order × apps that
/// followed) per launch and per decision.
struct NextLaunchOrder: PurgePolicy {
  static var ordering: CandidateOrdering { .byPreparedScore }

  private var next: NextLaunch
  private var sequence: LaunchSequence

  init(appCount: Int, order: Int, prior: Double) {
    next = NextLaunch(appCount: appCount, order: order, prior: prior)
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
    next[app]
  }
}

extension PolicyDescriptor {
  package static let nextLaunchOrder = PolicyDescriptor(
    name: "markov", family: "prediction",
    summary: "Purges the app that is least likely to be launched next.",
    details: """
      Score: q(i) = (N(x, i) + alpha * b(i)) / (N(x) + alpha). x is the last `order` launches, \
      N(x, i) how often app i was launched right after them, N(x) their sum over apps, and b(i) \
      the same for x without its oldest launch; after no launch at all b(i) is 1 / (apps seen + \
      1). On ideal-cache x ends with the app that room is made for. \(LaunchSequence.rule)
      """,
    source: "Yan et al., FALCON, MobiSys 2012; Markov chain of launches with back-off",
    complexity: "O(order x apps that followed) per launch and decision",
    parameters: [
      PolicyParameter("order", "Launches that the next one depends on, 1 to 5.", default: "1"),
      PolicyParameter("alpha", "Weight of the shorter context, in launches.", default: "1"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    NextLaunchOrder(
      appCount: context.appCount, order: try arguments.count("order", default: 1, in: 1...5),
      prior: try arguments.positive("alpha", default: 1))
  }
}
