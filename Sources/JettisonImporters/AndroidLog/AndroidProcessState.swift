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
    case 13...19: self = .idle
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

  /// The API level of a version of Android, as fingerprints write it; nil if it is none.
  static func apiLevel(ofRelease release: String) -> Int? {
    let parts = release.split(separator: ".").map { Int($0) ?? -1 }
    guard let major = parts.first, major > 0, major < 100 else { return nil }
    let minor = parts.count > 1 ? parts[1] : 0
    return switch major {
    case ..<5: 19
    case 5: 21 + min(minor, 1)
    case 6: 23
    case 7: 24 + min(minor, 1)
    case 8: 26 + min(minor, 1)
    case 9, 10, 11: major + 19
    // 12L had a level of its own.
    case 12: 31
    default: major + 20
    }
  }
}
