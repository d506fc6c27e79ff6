package import JettisonCore

/// `take-turns`: purges the app that was purged least often, so that no app is always the victim.
///
/// Score: purges of the app so far, plus a handicap while it holds unsaved data. State: one number
/// per app, kept across purges. O(1) per event and score (the round robin of schedulers).
struct TakeTurns: PurgePolicy {
  /// How many purges unsaved data counts as.
  let handicap: Double
  private var purges: [Double]

  init(appCount: Int, handicap: Double) {
    self.handicap = handicap
    purges = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    guard event.kind == .ended, event.endCause == .purge else { return }
    purges[event.app.position] += 1
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    purges[app.position] + (apps.hasUnsavedState(app) ? handicap : 0)
  }
}

extension PolicyDescriptor {
  package static let takeTurns = PolicyDescriptor(
    name: "take-turns", family: "frequency",
    summary: "Purges the app that was purged least often.",
    details: """
      Score: n, or n + handicap while the app holds unsaved data. n is the number of its purges \
      so far.
      """,
    source: "the round robin of schedulers",
    parameters: [
      PolicyParameter("handicap", "How many purges unsaved data counts as.", default: "1")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    TakeTurns(
      appCount: context.appCount, handicap: try arguments.number("handicap", default: 1))
  }
}
