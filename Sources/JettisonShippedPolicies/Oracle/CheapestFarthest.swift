/// `belady-cost`: purges the app that would hold the most bytes for the longest time per second lost.
///
/// `s · d / (c + λ·l)`: footprint in bytes, distance to the next launch, relaunch cost and unsaved
/// work in seconds, all now. The quick oracle: near the optimum in practice, but no bound. State:
/// that of ``NextLaunches``. O(1) per event and score.
struct CheapestFarthest: PurgePolicy {
  /// An app that costs nothing to purge counts as costing a nanosecond.
  private static let leastCost = 1e-9

  /// Seconds of waiting that one second of lost work is worth.
  let lambda: Double
  private var next: NextLaunches
  private let clock: NextLaunches.Clock

  init(_ index: TraceIndex, clock: NextLaunches.Clock, lambda: Double) {
    next = NextLaunches(index, by: clock)
    self.clock = clock
    self.lambda = lambda
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    next.observe(event, apps: apps)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let distance = next.distance(to: app, by: clock, at: request.timeNanoseconds, apps: apps)
    let loss = lambda * Double(apps.unsavedWorkNanoseconds(app)) / 1e9
    let cost = max(Self.leastCost, apps.relaunchCostSeconds(app) + loss)
    return -distance * Double(max(1, apps.footprintBytes(app))) / cost
  }
}

extension PolicyDescriptor {
  package static let cheapestFarthest = PolicyDescriptor(
    name: "belady-cost", family: "oracle",
    summary: "Purges what holds the most bytes for the longest time per second lost.",
    details: """
      Score: -s * d / (c + lambda * l). s is the footprint in bytes, at least 1, c the relaunch \
      cost (cold less hot latency) and l the unsaved work in seconds, all now; their sum counts as \
      a nanosecond at least. d is the number of launches (or seconds) from now to the app's next \
      launch in the trace; apps never launched again go first.
      """,
    source: "Belady, IBM Systems Journal 5(2), 1966, with size, relaunch cost and loss",
    parameters: [
      .oracleClock,
      PolicyParameter(
        "lambda", "Seconds of waiting that a second of lost work is worth.", default: "1"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    CheapestFarthest(
      context.index, clock: try arguments.choice("clock", default: NextLaunches.Clock.launches),
      lambda: try arguments.number("lambda", default: context.lambda))
  }
}
