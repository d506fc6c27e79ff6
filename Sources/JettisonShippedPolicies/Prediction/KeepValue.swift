#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `keep-value`: purges the app whose memory is worth least until it would be needed anyway.
///
/// `(c + λ·l) · (1 − e^(−T/D)) / s`: relaunch cost `c` and unsaved work `l` in seconds, the
/// probability that the app returns within `T` launches if it returns after `D` on average, and the
/// footprint `s` in bytes. `D` is that of `markov-distance`; `T` is how long apps stay unused before
/// they are purged, measured on the way (the characteristic time of Che, Tung and Wang, IEEE JSAC
/// 20(7), 2002). State: that of ``ChainDistance`` and a number per app. O(n²) per launch of n apps,
/// O(candidates) per decision.
struct KeepValue: PurgePolicy {
  static var ordering: CandidateOrdering { .byPreparedScore }
  private static let residenceWeight = 0.1

  /// Seconds of waiting that one second of lost work is worth.
  let lambda: Double
  private var distances: ChainDistance
  private var sequence: LaunchSequence
  private var lastLaunches: [Int]
  /// Mean launches between the last use of an app and its purge; negative before the first purge.
  private var residence = -1.0
  private var values: [Double]

  init(appCount: Int, lambda: Double, prior: Double, sharing chains: SharedChains? = nil) {
    self.lambda = lambda
    distances = ChainDistance(appCount: appCount, prior: prior, sharing: chains)
    sequence = LaunchSequence(appCount: appCount)
    lastLaunches = Array(repeating: 0, count: appCount)
    values = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if sequence.observe(event, apps: apps) {
      distances.launched(event.app)
      lastLaunches[event.app.position] = sequence.count
    }
    guard event.kind == .ended, event.endCause == .purge else { return }
    let stay = Double(sequence.count - lastLaunches[event.app.position])
    residence =
      residence < 0 ? stay : residence + Self.residenceWeight * (stay - residence)
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    let horizon = max(1, residence < 0 ? Double(candidates.count) : residence)
    for app in candidates {
      let loss = Double(apps.unsavedWorkNanoseconds(app)) / 1e9
      let value = apps.relaunchCostSeconds(app) + lambda * loss
      let distance = distances.distance(to: app) ?? .infinity
      let probability = 1 - exp(-horizon / max(1, distance))
      values[app.position] = value * probability / Double(max(1, apps.footprintBytes(app)))
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    values[app.position]
  }
}

extension PolicyDescriptor {
  package static let keepValue = PolicyDescriptor(
    name: "keep-value", family: "prediction",
    summary: "Purges the app whose memory is worth least until it would be needed anyway.",
    details: """
      Score: (c + lambda * l) * (1 - exp(-T / D)) / s. c is the relaunch cost and l the unsaved \
      work, in seconds; s the footprint in bytes, all now. D is the distance of markov-distance, \
      at least 1; an app without one counts as never coming back. T, at least 1, is the mean \
      number of launches between the last launch of an app and its purge: T becomes T + 0.1 * \
      (stay - T) at each purge, is the first stay after the first, and the number of candidates \
      before. \(LaunchSequence.rule)
      """,
    source: "value of keeping by an exponential return; T after Che, Tung and Wang, JSAC 2002",
    complexity: "O(n^2) per launch of n apps, O(1) per score",
    parameters: [
      PolicyParameter(
        "lambda", "Seconds of waiting that a second of lost work is worth.", default: "1"),
      .chainPrior,
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    KeepValue(
      appCount: context.appCount,
      lambda: try arguments.number("lambda", default: context.lambda),
      prior: try arguments.positive("alpha", default: 1), sharing: context.chains)
  }
}
