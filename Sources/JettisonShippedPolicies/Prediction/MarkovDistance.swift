/// `markov-distance`: purges the app whose next launch is farthest by a Markov chain.
///
/// Expected number of launches until the app's next one, in the first-order chain of all launches so
/// far (``LaunchChain``), with nothing to temper it. State: two numbers per pair of apps. O(n²) per
/// launch, O(1) per score.
struct ChainDistance: DistancePredictor {
  private var chain: ChainReader

  init(appCount: Int, prior: Double, sharing chains: SharedChains? = nil) {
    chain = ChainReader(appCount: appCount, question: .distance, prior: prior, sharing: chains)
  }

  mutating func launched(_ app: AppIndex) { chain.launched(app) }

  func distance(to app: AppIndex) -> Double? { chain.answer(for: app) }
}

extension PolicyDescriptor {
  package static let markovDistance = PolicyDescriptor(
    name: "markov-distance", family: "prediction",
    summary: "Purges the app whose next launch is farthest by a Markov chain, uncalibrated.",
    details: """
      Score: -h(c, i). c is the app launched last (on ideal-cache: the one room is made for) and \
      h(c, i) the expected number of launches until app i is launched next, in the chain with \
      P(j, l) = (N(j, l) + alpha * b(l)) / (N(j) + alpha), where N(j, l) counts launches of l \
      right after j and b(l) is the share of l in all launches: the solution of h(j, i) = 1 + sum \
      over l other than i of P(j, l) * h(l, i). Apps never launched go first, and so do those \
      first launched after 128 others. \(LaunchSequence.rule)
      """,
    source: "Hunter, Linear Algebra and its Applications 45, 1982, for the solution",
    complexity: "O(n^2) per launch of n apps, O(1) per score",
    parameters: [.chainPrior]
  ) { (arguments, context) throws(ConfigurationError) in
    FarthestFirst(
      ChainDistance(
        appCount: context.appCount, prior: try arguments.positive("alpha", default: 1),
        sharing: context.chains),
      appCount: context.appCount)
  }
}

extension PolicyParameter {
  static let chainPrior = PolicyParameter(
    "alpha", "Weight of the launch shares against what followed an app, in launches.",
    default: "1")
}
