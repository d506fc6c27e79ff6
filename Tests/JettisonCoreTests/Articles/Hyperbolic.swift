import JettisonCore

/// `hyperbolic`: purges the app that was used least often for its time in memory.
///
/// Score: launches since the process began, by its age in seconds. A grace is added to every age,
/// so that one launch of a young process does not outweigh everything. State: one number per app,
/// forgotten at its end. O(1) per event and score (Blankstein, Sen and Freedman, *Hyperbolic
/// Caching*, USENIX ATC 2017).
struct Hyperbolic: PurgePolicy {
  /// Added to every age, in seconds; positive.
  let grace: Double
  private var launches: [Double]

  init(appCount: Int, grace: Double) {
    self.grace = grace
    launches = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .launched: launches[event.app.position] += 1
    case .ended: launches[event.app.position] = 0
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let age = Double(request.timeNanoseconds) - Double(apps.processStartNanoseconds(app))
    // The grace also keeps an app of age 0 from a score that is not a number.
    return launches[app.position] / (age / 1e9 + grace)
  }
}

extension PolicyDescriptor {
  static let hyperbolic = PolicyDescriptor(
    name: "hyperbolic", family: "frequency",
    summary: "Purges the app that was used least often for its time in memory.",
    details: """
      Score: n / (age + grace). n is the number of launches since the process began, age the time \
      since then in seconds.
      """,
    source: "Blankstein, Sen and Freedman, Hyperbolic Caching, USENIX ATC 2017",
    parameters: [
      PolicyParameter("grace", "Time added to the age of every process.", default: "1min")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    Hyperbolic(
      appCount: context.appCount, grace: try arguments.duration("grace", default: 60))
  }
}
