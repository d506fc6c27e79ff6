/// A launch chain as a policy asks it: shared with other runs of the trace as far as there is room
/// (``SharedChains``), then one of its own.
struct ChainReader: Sendable {
  /// nil: the chain is the run's own.
  private var course: ChainCourse?
  private var own: LaunchChain?
  /// Launches of the course so far.
  private var count = 0
  private var states: LaunchStates
  /// What the course answers now, by state; empty: nothing.
  private var answers: [Double] = []

  init(
    appCount: Int, question: LaunchChain.Question, prior: Double, sharing chains: SharedChains?
  ) {
    states = LaunchStates(appCount: appCount)
    course = chains?.course(appCount: appCount, question: question, prior: prior)
    if course == nil {
      own = LaunchChain(appCount: appCount, question: question, prior: prior)
    }
  }

  /// Learns from a launch and moves on.
  mutating func launched(_ app: AppIndex) {
    while let followed = course {
      switch followed.follow(app, after: count, &answers) {
      case .followed:
        states.add(app)
        count += 1
        return
      case .parted(let other): course = other
      case .ended:
        own = followed.chain(after: count)
        course = nil
      }
    }
    own?.launched(app)
  }

  /// See ``LaunchChain/answer(for:)``.
  func answer(for app: AppIndex) -> Double? {
    guard course != nil else { return own?.answer(for: app) }
    let state = states[app]
    return answers.indices.contains(state) ? answers[state] : nil
  }
}
