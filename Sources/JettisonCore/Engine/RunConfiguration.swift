/// Where footprints come from.
public enum FootprintSource: String, Sendable {
  /// jemalloc arenas, one per running app.
  case arena
  /// Bytes as the trace declares them.
  case declared
}

/// Whether warnings go out before or after purging.
public enum WarningOrder: String, CaseIterable, Sendable {
  case warnThenPurge = "warn-then-purge"
  case purgeThenWarn = "purge-then-warn"
  case both
}

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
  public enum Family: UInt8, BitwiseCopyable, Sendable {
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
    case .thresholds: "Warns and purges below shares of RAM; where a device says nothing else."
    case .ios4: "iOS 4 and 5: a list of apps to end, from the least important on."
    case .ios6: "Jetsam of iOS 6: priority bands; memory is short or it is not."
    case .ios7: "Jetsam of iOS 7 to 11: compressed memory, and limits of each app."
    case .ios12: "Jetsam of iOS 12 and 13: a rest of 25 s between two rounds of warnings."
    case .ios14: "Jetsam of iOS 14 to 16: suspended apps age before they are idle."
    case .ios17: "Jetsam of iOS 17: pressure that lasts ends who is idle."
    case .ios18: "Jetsam of iOS 18: idle apps go early, and sweeps take who has been idle for long."
    case .androidLMK: "Android's driver in the kernel, up to about Android 9."
    case .androidLMKD: "Android's daemon, which reads stalls; from 17 on with the Memory Limiter."
    case .linuxOOM: "The kernel of Linux: somebody dies when an allocation does not fit."
    case .oomd: "Meta's daemon: rulesets of detectors end control groups."
    case .systemdOOMD: "The daemon of systemd: swap that is full, or pressure that lasts."
    case .earlyoom: "A daemon that polls memory and swap, and ends the process with most points."
    case .idealCache: "The textbook cache: who must go when the launched app does not fit."
    }
  }

  /// The policy that orders apps as the platform itself does, as far as that is known; else `lru`.
  package var platformPolicy: String {
    switch family {
    case .thresholds, .ios4, .idealCache: "lru"
    case .jetsam: "jetsam-fifo"
    case .android: "android"
    // The killers of Linux and their orders have the same names.
    case .linux: rawValue
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
}

/// Every parameter in force for one run, resolved.
public struct RunConfiguration: Sendable {
  /// The device, after `--memory` and `--set`.
  public var device: Device
  /// The pressure model in force.
  public var pressure: PressureModelKind
  /// Capacity in apps (`--capacity 5apps`): every app has size 1; nil: sizes in bytes.
  public var capacityApps: Int64?
  /// Where footprints come from.
  public var footprints: FootprintSource = .arena
  /// Whether the ranks that a trace tells (`adj`) count, or those that the model gives alone.
  public var usesCapturedRanks: Bool = true
  /// Whether each arena has an explicit thread cache.
  public var usesThreadCache: Bool = true
  /// Age at which freed pages go back while the app runs code, in nanoseconds.
  public var decayNanoseconds: Int64 = 10_000_000_000
  /// Seconds of waiting that one second of lost work is worth.
  public var lambda: Double = 1
  /// When warnings go out.
  public var warningOrder: WarningOrder = .warnThenPurge
  /// How long purging waits for warnings, in nanoseconds.
  public var warningPurgeDelayNanoseconds: Int64 = 0
  /// Seed of every draw.
  public var seed: UInt64 = 1
  /// Kill unit of each app by ``AppIndex``: apps of one number end together where a policy asks for
  /// it (`+unit=group`); empty: every app for itself.
  public var groups: [UInt32] = []
  /// Control group of each app by ``AppIndex``, such as `user.slice/app-notes`; empty: the default.
  public var controlGroups: [String] = []
  /// Profiles by ``AppIndex``, as many as the trace has apps.
  public var profiles: [AppProfile]
  /// Apps that are never eligible (`--pin`), by ``AppIndex``.
  public var pinned: [AppIndex] = []
  /// How many of the most recently used apps, the one in front not counted, are spared.
  public var protectRecentCount: Int = 0
  /// Rows before this time do not count, in nanoseconds.
  public var warmUpNanoseconds: Int64 = 0
  /// How many of the worst losses the result lists.
  public var listedLosses: Int = 0
  /// Whether every refresh of the allocator's statistics is checked against the hooks.
  public var checksArenas: Bool = false

  /// Makes the default configuration for a device and the apps of a trace.
  public init(device: Device, pressure: PressureModelKind, profiles: [AppProfile]) {
    self.device = device
    self.pressure = pressure
    self.profiles = profiles
  }
}
