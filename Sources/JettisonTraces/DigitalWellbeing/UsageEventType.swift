/// What a row of `events` says: the constants of Android's `UsageEvents.Event`.
///
/// <https://developer.android.com/reference/android/app/usage/UsageEvents.Event>; those without an
/// entry there are in the class's source.
enum UsageEventType: Equatable {
  /// An activity came to the front (1, before Android 10 `MOVE_TO_FOREGROUND`).
  case resumed
  /// An activity left the front (2, `MOVE_TO_BACKGROUND`).
  case paused
  /// An activity is not visible any more (23) or is gone (24).
  case stopped
  /// A notification was seen (10) or shown (12).
  case notification
  case screenOn, screenOff
  /// The lock screen came (17) or went (18).
  case lockScreen
  case serviceStarted, serviceStopped
  case shutdown, startup
  /// One that says nothing of what runs.
  case other
  /// None that is known.
  case unknown

  init(_ number: Int64) {
    self =
      switch number {
      case 1: .resumed
      case 2: .paused
      case 10, 12: .notification
      case 15: .screenOn
      case 16: .screenOff
      case 17, 18: .lockScreen
      case 19: .serviceStarted
      case 20: .serviceStopped
      case 23, 24: .stopped
      case 26: .shutdown
      case 27: .startup
      case 0...31: .other
      default: .unknown
      }
  }
}
