/// Which rules say when apps are purged, and in which tiers.
public enum PressureModelKind: String, CaseIterable, BitwiseCopyable, Sendable {
  case thresholds
  case ios4 = "ios-4"
  case ios6 = "ios-6"
  case ios7 = "ios-7"
  case ios12 = "ios-12"
  case ios14 = "ios-14"
  case ios17 = "ios-17"
  case ios18 = "ios-18"
  case androidLMK = "android-lmk"
  case androidLMKD = "android-lmkd"
  case linuxOOM = "linux-oom"
  case oomd
  case systemdOOMD = "systemd-oomd"
  case earlyoom
  case idealCache = "ideal-cache"

  /// Models that share an implementation.
  public enum Family: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// Levels of available memory in percent of RAM.
    case thresholds
    /// The kill list of iOS 4 and 5.
    case ios4
    /// Priority bands of iOS from 6 on: <doc:JetsamModel>.
    case jetsam
    /// Android's driver in the kernel, and its daemon: <doc:AndroidModel>.
    case android
    /// The killers of Linux: <doc:LinuxModels>.
    case linux
    /// The textbook cache.
    case idealCache
  }

  /// What the model does, in one sentence.
  public var summary: String {
    switch self {
    case .thresholds: "Warns and purges below shares of RAM; the default of a device."
    case .ios4: "iOS 4 and 5: a list of apps to end, from the least important on."
    case .ios6: "Jetsam of iOS 6: priority bands; memory is short or it is not."
    case .ios7: "Jetsam of iOS 7 to 11: compressed memory, and limits of each app."
    case .ios12: "Jetsam of iOS 12 and 13: a rest of 25 s between two rounds of warnings."
    case .ios14: "Jetsam of iOS 14 to 16: suspended apps age before they are idle."
    case .ios17: "Jetsam of iOS 17: pressure that lasts ends idle apps."
    case .ios18: "Jetsam of iOS 18: idle apps go early, and sweeps end those idle for long."
    case .androidLMK: "Android's driver in the kernel, up to about Android 9."
    case .androidLMKD: "Android's daemon, which reads stalls; from 17 on with the Memory Limiter."
    case .linuxOOM: "The Linux kernel: an app dies when an allocation does not fit."
    case .oomd: "Meta's daemon: rulesets of detectors end control groups."
    case .systemdOOMD: "The daemon of systemd: swap that is full, or pressure that lasts."
    case .earlyoom: "A daemon that polls memory and swap, and ends the process with most points."
    case .idealCache: "The textbook cache: apps go when the launched app does not fit."
    }
  }

  /// The implementation that serves the model.
  public var family: Family {
    switch self {
    case .thresholds: .thresholds
    case .ios4: .ios4
    case .ios6, .ios7, .ios12, .ios14, .ios17, .ios18: .jetsam
    case .androidLMK, .androidLMKD: .android
    case .linuxOOM, .oomd, .systemdOOMD, .earlyoom: .linux
    case .idealCache: .idealCache
    }
  }

  /// The model of a name.
  ///
  /// - Throws: ``ConfigurationError`` with the names that exist.
  package static func named(_ name: String) throws(ConfigurationError) -> PressureModelKind {
    guard let model = PressureModelKind(rawValue: name) else {
      throw .unknown(what: "pressure model", name: name, known: allCases.map(\.rawValue))
    }
    return model
  }
}
