/// What the numbers that Android gives to states of processes mean.
enum AndroidProcessState: UInt8, BitwiseCopyable {
  /// The system never ends it.
  case persistent
  /// In front: what activities say is more exact.
  case top
  /// It runs code: a service, a receiver, bound by the app in front.
  case running
  /// It runs nothing and is kept: cached, the launcher, the app used last.
  case idle
  /// Cached, and it shows nothing: Android calls it *empty*.
  case empty

  /// A process state (`ActivityManager.PROCESS_STATE_…`), numbered as by an API level; nil if it
  /// says nothing (the screen is off above it, or it is unknown).
  ///
  /// Android 10 (API 29) put a state before the third of Android 9, Android 11 (API 30) took one
  /// out again.
  init?(procState: Int64, apiLevel: Int) {
    var state = procState
    if apiLevel <= 28 {
      // What came in later ("bound to the top app") is the third of API 30.
      if state >= 3 { state += 1 }
    } else if apiLevel == 29, state >= 3 {
      // The third is a foreground service with location.
      state = state == 3 ? 4 : state - 1
    }
    switch state {
    case 0, 1: self = .persistent
    case 2: self = .top
    case 3...11: self = .running
    case 13...18: self = .idle
    case 19: self = .empty
    default: return nil
    }
  }

  /// The group of `dumpsys meminfo` ("Total PSS by OOM adjustment"); nil if it is unknown.
  init?(group: String) {
    switch group {
    case "Native", "System", "Persistent", "Persistent Service": self = .persistent
    case "Foreground", "Visible", "Perceptible", "Perceptible Medium", "Perceptible Low",
      "Backup", "A Services", "B Services":
      self = .running
    case "Heavy Weight", "Home", "Previous", "Cached": self = .idle
    default: return nil
    }
  }
}
