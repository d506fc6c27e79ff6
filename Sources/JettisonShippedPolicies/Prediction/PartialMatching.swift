/// `ppm`: purges the app that is least likely to be launched next, by prediction by partial matching.
///
/// Method C: after a context with `N` launches of `d` different apps, app `i` has the probability
/// `N(i) / (N + d)`; the rest, `d / (N + d)`, escapes to the context that is shorter by its oldest
/// launch, which excludes apps seen in longer ones. What escapes from the empty context is
/// shared by the apps never launched, taken to be one more than those that were. State:
/// ``ContextCounts``. O(order × apps that followed) per launch and decision.
struct PartialMatching: PurgePolicy {
  static var ordering: CandidateOrdering { .byPreparedScore }

  private var contexts: ContextCounts
  private var sequence: LaunchSequence
  private var shares: [Double]
  private var isExcluded: [Bool]
  private var excluded: [AppIndex] = []

  init(appCount: Int, order: Int) {
    contexts = ContextCounts(order: order)
    sequence = LaunchSequence(appCount: appCount)
    shares = Array(repeating: 0, count: appCount)
    isExcluded = Array(repeating: false, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if sequence.observe(event, apps: apps) { contexts.launched(event.app) }
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    var rest = 1.0
    for length in (0...contexts.longest).reversed() {
      rest = share(rest, after: length)
    }
    let unseen = rest / Double(contexts.distinct(after: 0) + 1)
    for app in candidates where !isExcluded[app.position] { shares[app.position] = unseen }
    for app in excluded { isExcluded[app.position] = false }
    excluded.removeAll(keepingCapacity: true)
  }

  /// Gives the apps of a context their parts of what is left, and returns what escapes.
  private mutating func share(_ rest: Double, after length: Int) -> Double {
    var total = 0.0
    var distinct = 0.0
    contexts.forEachFollower(of: length) { app, count in
      guard !isExcluded[app.position] else { return }
      total += count
      distinct += 1
    }
    guard distinct > 0 else { return rest }
    contexts.forEachFollower(of: length) { app, count in
      guard !isExcluded[app.position] else { return }
      shares[app.position] = rest * count / (total + distinct)
      isExcluded[app.position] = true
      excluded.append(app)
    }
    return rest * distinct / (total + distinct)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    shares[app.position]
  }
}

extension PolicyDescriptor {
  package static let partialMatching = PolicyDescriptor(
    name: "ppm", family: "prediction",
    summary: "Purges the app that is least likely to be launched next, by partial matching.",
    details: """
      Score: the probability that app i is launched next, by prediction by partial matching, \
      method C. Start with the longest context (the last `order` launches at most) that was seen \
      before. Where N launches of d different apps followed it, not counting apps seen in longer \
      contexts, i has the share N(i) / (N + d) of what is left, and d / (N + d) of it goes on to \
      the context without its oldest launch. What is left after the empty context is divided by \
      the number of apps seen and one. All contexts are counted at every launch. \
      \(LaunchSequence.rule)
      """,
    source: """
      Moffat, IEEE Transactions on Communications 38(11), 1990; for apps: Parate et al., \
      UbiComp 2013
      """,
    complexity: "O(order x apps that followed) per launch and decision",
    parameters: [
      PolicyParameter("order", "Length of the longest context in launches, 1 to 5.", default: "3")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    PartialMatching(
      appCount: context.appCount, order: try arguments.count("order", default: 3, in: 1...5))
  }
}
