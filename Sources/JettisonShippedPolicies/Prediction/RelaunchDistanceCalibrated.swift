extension PolicyDescriptor {
  /// `relaunch-distance-calibrated`: `relaunch-distance` on the scale of what became of its
  /// predictions.
  ///
  /// State and cost: those of ``GapDistance`` and ``CalibratedDistance``.
  package static let relaunchDistanceCalibrated = PolicyDescriptor(
    name: "relaunch-distance-calibrated", family: "prediction",
    summary: "Purges the app that its own habit brings back last, calibrated.",
    details: """
      Score: -D. At every launch, a prediction is noted for each of the 24 apps launched most \
      recently, but for the newest: d of relaunch-distance, if the app has returned `gaps` times, \
      and its position among the most recent. Its outcome is the number of launches until the app \
      returned, 64 at most. D of an app that has returned `gaps` times is the mean outcome of the \
      predictions of its class, any other's the mean outcome at its position; both means are made \
      monotone by pooling adjacent violators. There are 40 classes, even in sign(d) * log2(1 + \
      |d|) from -8 to 8. The app launched last and the `protect` ones before it go last: their \
      scores are 1 + protect less their position. \(LaunchSequence.rule)
      """,
    source: "after Lee and Kyung, Electronics 15(11):2415, 2026",
    complexity: "O(64) per launch, O(100) per decision, O(1) per score",
    parameters: [.gapWeight] + PolicyParameter.calibration
  ) { (arguments, context) throws(ConfigurationError) in
    try CalibratedFarthestFirst(
      GapDistance(
        appCount: context.appCount,
        weight: try arguments.share("weight", default: 0.2, mayBeAll: true)),
      arguments, context)
  }
}

extension PolicyParameter {
  /// What all calibrated policies can be told.
  static let calibration = [
    PolicyParameter("gaps", "Returns an app must have made to be predicted.", default: "5"),
    PolicyParameter(
      "protect", "Most recent apps, beside the one launched last, that go last.", default: "2"),
  ]
}

extension CalibratedFarthestFirst {
  /// Reads the parameters of ``PolicyParameter/calibration``.
  init(
    _ predictor: Predictor, _ arguments: PolicyArguments, _ context: PolicyContext
  ) throws(ConfigurationError) {
    self.init(
      predictor, appCount: context.appCount,
      gaps: try arguments.count("gaps", default: 5, in: 1...1_000),
      protected: try arguments.count("protect", default: 2, in: 0...60))
  }
}
