/// Which generation of a platform's memory killer a device runs.
public enum Era: String, CaseIterable, Sendable {
  case ios4 = "ios-4"
  case ios6 = "ios-6"
  case ios7 = "ios-7"
  case ios12 = "ios-12"
  case ios14 = "ios-14"
  case ios17 = "ios-17"
  case ios18 = "ios-18"
  case androidLMKD = "android-lmkd"
  case linuxOOM = "linux-oom"
  case systemdOOMD = "systemd-oomd"
  case earlyoom

  /// The pressure model that the era's devices ran.
  public var pressureModel: PressureModelKind {
    switch self {
    case .ios4: .ios4
    case .ios6: .ios6
    case .ios7: .ios7
    case .ios12: .ios12
    case .ios14: .ios14
    case .ios17: .ios17
    case .ios18: .ios18
    case .androidLMKD: .androidLMKD
    case .linuxOOM: .linuxOOM
    case .systemdOOMD: .systemdOOMD
    case .earlyoom: .earlyoom
    }
  }

  /// The device of the table that serves where nothing but the era is known.
  var usualDevice: String {
    switch self {
    case .ios4: "iphone-4"
    case .ios6: "iphone-5"
    case .ios7: "iphone-6"
    case .ios12: "iphone-8"
    case .ios14: "iphone-11"
    case .ios17: "iphone-13-pro"
    case .ios18: "iphone-15-pro"
    case .androidLMKD: "pixel-6"
    case .linuxOOM, .systemdOOMD, .earlyoom: "desktop-8g"
    }
  }
}

extension Era {
  /// Whether apps die at a limit of their own rather than when the device runs out.
  package var hasPerAppLimits: Bool {
    switch self {
    case .ios7, .ios12, .ios14, .ios17, .ios18: true
    case .ios4, .ios6, .androidLMKD, .linuxOOM, .systemdOOMD, .earlyoom: false
    }
  }

  /// Background-task budget by version (<doc:TheModel#Tasks-and-modes>): 600, 180 or 30 s.
  package var taskBudgetNanoseconds: Int64 {
    switch self {
    case .ios4, .ios6: 600_000_000_000
    case .ios7, .ios12: 180_000_000_000
    case .ios14, .ios17, .ios18, .androidLMKD, .linuxOOM, .systemdOOMD, .earlyoom: 30_000_000_000
    }
  }

  /// What locking the screen does to the app in front: from iOS 5 on it leaves, and so it does on
  /// Android, where the activity is stopped.
  package var lock: Device.Lock {
    switch self {
    case .ios4, .linuxOOM, .systemdOOMD, .earlyoom: .inactive
    case .ios6, .ios7, .ios12, .ios14, .ios17, .ios18, .androidLMKD: .background
    }
  }

  /// Whether apps may opt out of multitasking (up to iOS 12).
  package var letsAppsOptOut: Bool {
    switch self {
    case .ios4, .ios6, .ios7, .ios12: true
    case .ios14, .ios17, .ios18, .androidLMKD, .linuxOOM, .systemdOOMD, .earlyoom: false
    }
  }

  /// Whether `application:willFinishLaunchingWithOptions:` exists (iOS 6 and later).
  package var sendsWillFinishLaunching: Bool {
    switch self {
    case .ios4, .androidLMKD, .linuxOOM, .systemdOOMD, .earlyoom: false
    case .ios6, .ios7, .ios12, .ios14, .ios17, .ios18: true
    }
  }

  /// Whether an app launched into the background is told `applicationDidEnterBackground:`
  /// (iOS 4 to 12).
  package var tellsBackgroundLaunch: Bool {
    switch self {
    case .ios14, .ios17, .ios18: false
    case .ios4, .ios6, .ios7, .ios12, .androidLMKD, .linuxOOM, .systemdOOMD, .earlyoom: true
    }
  }
}
