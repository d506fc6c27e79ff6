/// `hyperbolic`: purges the app that was used least often for its time in memory.
///
/// Score: `n / a`, `n` the launches since the process began (that one included) and `a` its age;
/// times the cost of a relaunch and by the footprint if wanted. Every app's score is computed
/// exactly; the paper samples. State: two numbers per app, forgotten at its end. O(1) per event and
/// score (Blankstein, Sen and Freedman, "Hyperbolic caching", USENIX ATC 2017).
struct HyperbolicCaching: PurgePolicy {
  /// What the age counts.
  enum Clock: String, CaseIterable, Sendable {
    case seconds, launches
  }

  let cost: GreedyDualSizeFrequency.Cost
  let isSizeAware: Bool
  let clock: Clock
  private var uses: [Double]
  /// Number of the request that brought each app in.
  private var entries: [Double]
  private var requests: Double = 0

  init(appCount: Int, cost: GreedyDualSizeFrequency.Cost, isSizeAware: Bool, clock: Clock) {
    self.cost = cost
    self.isSizeAware = isSizeAware
    self.clock = clock
    uses = Array(repeating: 0, count: appCount)
    entries = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    let app = event.app.position
    switch event.kind {
    case .requested: requests += 1
    case .launched where event.launchKind == .cold, .launchedInBackground:
      uses[app] = 1
      entries[app] = requests
    case .launched:
      requests += 1
      uses[app] += 1
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let nanoseconds = request.timeNanoseconds - apps.processStartNanoseconds(app)
    let age =
      clock == .seconds ? Double(nanoseconds) / 1e9 : requests - entries[app.position]
    // An app of no age was only just asked for: it goes last, whatever else is known.
    guard age > 0 else { return .infinity }
    let gain = cost == .one ? 1 : apps.relaunchCostSeconds(app)
    let size = isSizeAware ? Double(max(1, apps.footprintBytes(app))) : 1
    return uses[app.position] * gain / (age * size)
  }
}

extension PolicyDescriptor {
  package static let hyperbolicCaching = PolicyDescriptor(
    name: "hyperbolic", family: "frequency",
    summary: "Purges the app that was used least often for its time in memory.",
    details: """
      Score: n / a. n is the number of launches since the process began, the first included (a start \
      in the background counts as the first), a the time since then, in seconds or, with \
      clock=launches, in requests of any app. cost=relaunch \
      multiplies by cold less hot latency in seconds; size=on divides by the footprint in bytes \
      now. An app of age 0 goes last. Exact for every candidate; libCacheSim's Hyperbolic is \
      hyperbolic:clock=launches over a random sample of 64.
      """,
    source: "Blankstein, Sen and Freedman, Hyperbolic caching, USENIX ATC 2017",
    parameters: [
      PolicyParameter("cost", "What bringing an app back costs: relaunch or 1.", default: "1"),
      PolicyParameter("size", "Divide by the footprint: on or off.", default: "off"),
      PolicyParameter("clock", "What the age counts: seconds or launches.", default: "seconds"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    HyperbolicCaching(
      appCount: context.appCount,
      cost: try arguments.choice("cost", default: GreedyDualSizeFrequency.Cost.one),
      isSizeAware: try arguments.isOn("size", default: false),
      clock: try arguments.choice("clock", default: HyperbolicCaching.Clock.seconds))
  }
}
