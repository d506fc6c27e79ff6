extension PolicyDescriptor {
  /// `markov-distance-calibrated`: `markov-distance` on the scale of what became of its predictions.
  ///
  /// State and cost: those of ``ChainDistance`` and ``CalibratedDistance``.
  package static let markovDistanceCalibrated = PolicyDescriptor(
    name: "markov-distance-calibrated", family: "prediction",
    summary: "Purges the app whose next launch is farthest by a Markov chain, calibrated.",
    details: """
      Like relaunch-distance-calibrated, with the prediction d of markov-distance: the expected \
      number of launches until the app's next one, in the chain of all launches so far.
      """,
    source: "calibration: Lee and Kyung, Electronics 15(11):2415, 2026",
    complexity: "O(n^2) per launch of n apps, O(1) per score",
    parameters: [.chainPrior] + PolicyParameter.calibration
  ) { (arguments, context) throws(ConfigurationError) in
    try CalibratedFarthestFirst(
      ChainDistance(
        appCount: context.appCount, prior: try arguments.positive("alpha", default: 1),
        sharing: context.chains),
      arguments, context)
  }
}
