internal import JettisonSupport

/// What an event of Android's usage statistics says: the constants of `UsageEvents.Event`.
///
/// <https://developer.android.com/reference/android/app/usage/UsageEvents.Event>; those without an
/// entry there are in the class's source.
enum UsageEventType: UInt8, BitwiseCopyable {
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

  /// By the name that `dumpsys usagestats` writes, or by the number where it knows no name.
  init(_ text: Span<UInt8>) {
    var position = 0
    if let number = text.number(&position), position == text.count {
      self.init(number)
    } else {
      let known = Self.names.first {
        text.count == $0.name.utf8CodeUnitCount && text.has($0.name, at: 0)
      }
      self = known?.type ?? .unknown
    }
  }

  /// Names of those that say what runs, today's and those before Android 10.
  private static let names: [(name: StaticString, type: UsageEventType)] = [
    ("ACTIVITY_RESUMED", .resumed), ("MOVE_TO_FOREGROUND", .resumed),
    ("ACTIVITY_PAUSED", .paused), ("MOVE_TO_BACKGROUND", .paused),
    ("ACTIVITY_STOPPED", .stopped), ("ACTIVITY_DESTROYED", .stopped),
    ("SCREEN_INTERACTIVE", .screenOn), ("SCREEN_NON_INTERACTIVE", .screenOff),
    ("FOREGROUND_SERVICE_START", .serviceStarted), ("FOREGROUND_SERVICE_STOP", .serviceStopped),
    ("DEVICE_SHUTDOWN", .shutdown), ("DEVICE_STARTUP", .startup),
  ]
}
