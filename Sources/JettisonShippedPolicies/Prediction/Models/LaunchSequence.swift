/// The launches that predictors learn from, read off the engine's events.
///
/// A launch counts when the user asks for the app: before room is made for it on `ideal-cache`. A
/// launch of the app that was launched last counts only if that app has been suspended or has ended
/// since; otherwise it is in front already, and nothing was chosen. Launches in the background are
/// not the user's. State: one number per app. O(1) per event.
struct LaunchSequence: Sendable {
  /// What descriptions of policies say about it.
  static let rule = """
    Launches of the app in front already do not count, nor do launches in the background.
    """

  /// The app launched last; ``AppIndex/none`` before the first launch.
  private(set) var last = AppIndex.none
  /// Number of launches that counted.
  private(set) var count = 0
  private var wasLeft = false
  private var seen: [Int]

  init(appCount: Int) {
    seen = Array(repeating: 0, count: appCount)
  }

  /// Whether an event is a launch that counts; every event is to be passed on.
  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) -> Bool {
    switch event.kind {
    case .requested, .launched:
      // What was asked for arrives later, and what the system asks for is not counted there.
      let launches = apps.launchCount(event.app)
      guard launches != seen[event.app.position] else { return false }
      seen[event.app.position] = launches
      if event.app == last, !wasLeft { return false }
      last = event.app
      wasLeft = false
      count += 1
      return true
    case .suspended, .ended:
      if event.app == last { wasLeft = true }
      return false
    default:
      return false
    }
  }
}

/// Apps in the order of their last launch, newest first.
///
/// State: one number per app launched. O(depth of the app) per launch.
struct LaunchStack: Sendable {
  private(set) var apps: [AppIndex] = []

  /// Puts an app on top.
  mutating func launched(_ app: AppIndex) {
    var carried = app
    for position in apps.indices {
      let below = apps[position]
      apps[position] = carried
      if below == app { return }
      carried = below
    }
    apps.append(carried)
  }
}
