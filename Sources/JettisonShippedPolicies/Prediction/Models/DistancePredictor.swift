/// Predicts after how many launches an app comes back.
protocol DistancePredictor: Sendable {
  /// Learns from a launch that counts (``LaunchSequence``).
  mutating func launched(_ app: AppIndex)

  /// The predicted number of launches until the app's next one, from now; below 0 if it was due
  /// already, nil if the app's history is too short for a prediction.
  func distance(to app: AppIndex) -> Double?
}

/// Purges the app that is predicted to come back last; apps without a prediction go first.
struct FarthestFirst<Predictor: DistancePredictor>: PurgePolicy {
  private var predictor: Predictor
  private var sequence: LaunchSequence

  init(_ predictor: Predictor, appCount: Int) {
    self.predictor = predictor
    sequence = LaunchSequence(appCount: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if sequence.observe(event, apps: apps) { predictor.launched(event.app) }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    predictor.distance(to: app).map { -$0 } ?? -.infinity
  }
}
