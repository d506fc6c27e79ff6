import JettisonCore

/// What one process has been told so far, held against what always holds in "The model".
struct LifeCycleTale {
  private var wasStarted = false
  private var state = AppState.notRunning
  /// The newest of "resigns" and "becomes active".
  private var isActive: Bool?
  /// How often it was called to the front since it went to the background.
  private var calls = 0
  private var isBack = true

  /// Takes the next row of the app; false if it breaks a rule.
  mutating func goesOn(with event: EventRecord) -> Bool {
    if event.kind == .state { return enters(event) }
    guard event.kind == .message else { return true }
    switch event.message {
    case .willFinishLaunching: return !wasStarted
    case .didFinishLaunching:
      defer { wasStarted = true }
      return !wasStarted
    case .didFinishLaunchingNotification: return wasStarted
    case .willEnterForeground:
      calls += 1
      return wasStarted && !isBack && calls == 1
    case .didBecomeActive:
      defer { (isActive, isBack) = (true, true) }
      return wasStarted && isActive != true && (isBack || calls == 1)
    case .willResignActive:
      defer { isActive = false }
      return isActive == true
    case .didEnterBackground:
      defer { (calls, isBack) = (0, false) }
      // A process that has not been active yet has nothing to resign.
      return isActive != true
    default: return wasStarted
    }
  }

  private mutating func enters(_ event: EventRecord) -> Bool {
    guard event.stateBefore == state, let after = event.stateAfter else { return false }
    let before = state
    state = after
    if after == .notRunning {
      self = LifeCycleTale()
      return true
    }
    guard before == .notRunning else { return event.cause != .t1 || before == .inactive }
    if event.cause == .t2 { isBack = false }
    return event.cause == .t1 && after == .inactive || event.cause == .t2 && after == .background
  }
}
