/// `belady-size`: purges the app that would hold the most bytes for the longest time.
///
/// `s · d`: the footprint now in bytes, times the time or the number of launches until the app is
/// launched next. A greedy repair of Belady's rule for sizes; no bound. State: that of
/// ``NextLaunches``. O(1) per event and score.
struct LargestFarthest: PurgePolicy {
  private var next: NextLaunches
  private let clock: NextLaunches.Clock

  init(_ index: TraceIndex, clock: NextLaunches.Clock) {
    next = NextLaunches(index, by: clock)
    self.clock = clock
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    next.observe(event, apps: apps)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    -next.distance(to: app, by: clock, at: request.timeNanoseconds, apps: apps)
      * Double(max(1, apps.footprintBytes(app)))
  }
}

extension PolicyDescriptor {
  package static let largestFarthest = PolicyDescriptor(
    name: "belady-size", family: "oracle",
    summary: "Purges the app that would hold the most bytes for the longest time.",
    details: """
      Score: -s * d. s is the footprint in bytes now, at least 1, and d the launches (or seconds) \
      from now to the app's next launch in the trace; apps never launched again go first, the \
      largest of them at the very front.
      """,
    source: "Belady, IBM Systems Journal 5(2), 1966, times size as in libCacheSim's BeladySize",
    parameters: [.oracleClock]
  ) { (arguments, context) throws(ConfigurationError) in
    LargestFarthest(
      context.index, clock: try arguments.choice("clock", default: NextLaunches.Clock.launches))
  }
}

extension PolicyParameter {
  static let oracleClock = PolicyParameter(
    "clock", "What the distance counts: launches or seconds.", default: "launches")
}
