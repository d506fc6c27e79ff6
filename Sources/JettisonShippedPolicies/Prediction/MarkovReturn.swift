/// `mdp-return`: purges the app that is least likely to return within a horizon.
///
/// Probability that the app is launched before a random horizon with a given mean, in the
/// first-order chain of all launches so far (``LaunchChain``): the discounted value of its return,
/// as in a Markov decision process. State: two numbers per pair of apps. O(n²) per launch, O(1) per
/// score.
struct MarkovReturn: PurgePolicy {
  private var chain: ChainReader
  private var sequence: LaunchSequence

  init(appCount: Int, horizon: Double, prior: Double, sharing chains: SharedChains? = nil) {
    chain = ChainReader(
      appCount: appCount, question: .returnBefore(discount: 1 - 1 / horizon), prior: prior,
      sharing: chains)
    sequence = LaunchSequence(appCount: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if sequence.observe(event, apps: apps) { chain.launched(event.app) }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    chain.answer(for: app) ?? 0
  }
}

extension PolicyDescriptor {
  package static let markovReturn = PolicyDescriptor(
    name: "mdp-return", family: "prediction",
    summary: "Purges the app that is least likely to return within a horizon.",
    details: """
      Score: r(c, i). c is the app launched last (on ideal-cache: the one room is made for) and \
      r(c, i) the probability that app i is launched before a random horizon that ends at each \
      launch with probability 1 / horizon, in the chain of markov-distance: with g = 1 - 1 / \
      horizon, r(j, i) = g * (P(j, i) + sum over l other than i of P(j, l) * r(l, i)). Apps never \
      launched have 0, and so have those first launched after 128 others. \(LaunchSequence.rule)
      """,
    source: "after Yang and Chi, TAAI 2013",
    complexity: "O(n^2) per launch of n apps, O(1) per score",
    parameters: [
      PolicyParameter("horizon", "Mean of the horizon in launches, at least 2.", default: "10"),
      .chainPrior,
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    MarkovReturn(
      appCount: context.appCount,
      horizon: try arguments.number("horizon", default: 10, in: 2...1e6),
      prior: try arguments.positive("alpha", default: 1), sharing: context.chains)
  }
}
