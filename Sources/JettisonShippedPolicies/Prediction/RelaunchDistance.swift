/// `relaunch-distance`: purges the app that its own habit brings back last.
///
/// The habit of an app is the mean of the gaps between its launches, newer ones counting more; the
/// prediction is what is left of it, below 0 for an app that is overdue. With nothing to temper it,
/// an app that is not used any more is kept for ever. State: three numbers per app, kept across
/// purges. O(1) per launch and score.
struct GapDistance: DistancePredictor {
  /// How much of the mean the newest gap makes up, above 0 and up to 1.
  let weight: Double
  private var count = 0.0
  private var last: [Double]
  private var means: [Double]

  init(appCount: Int, weight: Double) {
    self.weight = weight
    last = Array(repeating: -1, count: appCount)
    means = Array(repeating: -1, count: appCount)
  }

  mutating func launched(_ app: AppIndex) {
    count += 1
    let before = last[app.position]
    last[app.position] = count
    guard before >= 0 else { return }
    let mean = means[app.position]
    means[app.position] =
      mean < 0 ? count - before : mean + weight * (count - before - mean)
  }

  func distance(to app: AppIndex) -> Double? {
    let mean = means[app.position]
    return mean < 0 ? nil : mean - (count - last[app.position])
  }
}

extension PolicyDescriptor {
  package static let relaunchDistance = PolicyDescriptor(
    name: "relaunch-distance", family: "prediction",
    summary: "Purges the app that its own habit brings back last, uncalibrated.",
    details: """
      Score: -d. d = m - a, where m is the app's mean gap in launches, m becoming m + weight * \
      (gap - m) at each return (its first gap at the first), and a the number of launches since \
      its last one. d is below 0 for an app that is overdue, so that an app that is no longer used \
      is kept: the flaw that calibration repairs. Apps without a gap go first. \
      \(LaunchSequence.rule)
      """,
    source: "after Lee and Park, M2ARP, Computer Systems Science and Engineering 47(1), 2023",
    parameters: [.gapWeight]
  ) { (arguments, context) throws(ConfigurationError) in
    FarthestFirst(
      GapDistance(
        appCount: context.appCount,
        weight: try arguments.share("weight", default: 0.2, mayBeAll: true)),
      appCount: context.appCount)
  }
}

extension PolicyParameter {
  static let gapWeight = PolicyParameter(
    "weight", "Share of the newest gap in an app's mean, above 0 and up to 1.", default: "0.2")
}
