/// Everything a capture cannot know about an app, resolved to numbers for one device.
///
/// Built from the trace's `apps:` block, side files and the built-in categories; shares are in
/// parts per million so that arithmetic on them is exact.
public struct AppProfile: BitwiseCopyable, Sendable, Equatable {
  /// Where an app's saves run.
  public enum SaveThread: UInt8, BitwiseCopyable, Sendable {
    /// Inside the life-cycle handler, which returns when the save ends.
    case main
    /// Off the main thread, with no time asked for.
    case queue
    /// Off the main thread, under a background task.
    case task
  }

  /// When an app saves by itself.
  public struct SaveTriggers: OptionSet, BitwiseCopyable, Sendable {
    /// One bit per trigger.
    public let rawValue: UInt8

    /// Wraps a set of bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// On entering the background.
    @inlinable public static var background: SaveTriggers { SaveTriggers(rawValue: 1 << 0) }
    /// In answer to a memory warning.
    @inlinable public static var warning: SaveTriggers { SaveTriggers(rawValue: 1 << 1) }
    /// In `applicationWillTerminate:`.
    @inlinable public static var terminate: SaveTriggers { SaveTriggers(rawValue: 1 << 2) }
    /// In `applicationWillResignActive:`.
    @inlinable public static var resign: SaveTriggers { SaveTriggers(rawValue: 1 << 3) }
    /// In the expiration handler of a background task.
    @inlinable public static var expiration: SaveTriggers { SaveTriggers(rawValue: 1 << 4) }
    /// After each edit that the trace tells of.
    @inlinable public static var edit: SaveTriggers { SaveTriggers(rawValue: 1 << 5) }

    /// What makes an app save of its own accord, as a capture would see it; the others answer the
    /// system.
    package static let ownTime: SaveTriggers = [.resign, .background, .edit]
  }

  /// Footprint right after a cold launch, until the trace measures one, in bytes.
  public var launchFootprintBytes: Int64 = 0
  /// Growth while active, in bytes per minute; a fifth of it after the first five minutes.
  public var growthBytesPerMinute: Int64 = 0
  /// Ceiling the footprint falls to when the app has been told that it left the front, in bytes;
  /// negative: none.
  public var backgroundCeilingBytes: Int64 = -1
  /// Ceiling the footprint falls to at suspension, in bytes; negative: none.
  public var suspendedCeilingBytes: Int64 = -1
  /// Share of the footprint that a warning can release at all, in parts per million.
  public var releasablePPM: Int64 = 0

  /// Cold, warm and hot launch latency in nanoseconds.
  public var coldLaunchNanoseconds: Int64 = 0
  /// See ``coldLaunchNanoseconds``.
  public var warmLaunchNanoseconds: Int64 = 0
  /// See ``coldLaunchNanoseconds``.
  public var hotLaunchNanoseconds: Int64 = 0

  /// When the app saves by itself.
  public var saveTriggers: SaveTriggers = []
  /// Period of the app's autosave timer in nanoseconds; 0: no timer.
  public var saveTimerNanoseconds: Int64 = 0
  /// Writing speed of a save in bytes per second; positive.
  public var saveBytesPerSecond: Int64 = 80_000_000
  /// Fixed part of every save's duration in nanoseconds.
  public var saveFixedNanoseconds: Int64 = 50_000_000
  /// Whether a save replaces the snapshot in one step; otherwise one cut short destroys it.
  public var savesAtomically: Bool = true
  /// Where saves run.
  public var saveThread: SaveThread = .main
  /// Share of the unsaved state that a save keeps, in parts per million.
  public var saveSharePPM: Int64 = 1_000_000
  /// Whether saves are modelled also where the trace has some of this app, which then do nothing.
  public var modelsSaves: Bool = false
  /// Whether the app ends its background tasks when their expiration handler is called; else it is
  /// ended with them.
  public var endsTasksAtExpiration: Bool = true
  /// Whether the app stays in memory when it is left, where the device lets it; else leaving ends it.
  public var multitasks: Bool = true

  /// Whether edits are modelled for this app (only where the trace has none for it).
  public var modelsEdits: Bool = false
  /// Probability that a foreground episode produces edits, 0 to 1.
  public var editProbability: Double = 0
  /// Seconds of user work per second of active use, in parts per million.
  public var editWorkPPM: Int64 = 0
  /// Bytes edited per second of active use.
  public var editBytesPerSecond: Int64 = 0

  /// Probability that the app answers warnings, 0 to 1; drawn once per user and app.
  public var warningResponseProbability: Double = 0
  /// Share of what is releasable that an answer frees, in parts per million.
  public var warningReleasePPM: Int64 = 0
  /// Time from a warning to the app's answer in nanoseconds.
  public var warningDelayNanoseconds: Int64 = 100_000_000

  /// Footprint at which the app is killed at once, in bytes; negative: the device's limit.
  public var limitBytes: Int64 = -1
  /// High-water mark: over it the app may be killed early under pressure; negative: none.
  public var softLimitBytes: Int64 = -1
  /// Limit while the app is inactive, for models of iOS from 7 on; negative: ``limitBytes``.
  public var inactiveLimitBytes: Int64 = -1
  /// High-water mark while the app is inactive; negative: ``softLimitBytes``.
  public var softInactiveLimitBytes: Int64 = -1
  /// Share of the footprint that is compressed while suspended, in parts per million; negative: the
  /// device's.
  public var compressedPPM: Int64 = -1

  /// What kind of process it is: platform models treat them apart.
  public enum ProcessKind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    /// Has a life cycle: front, background, suspended.
    case app
    /// Works in the background on demand, and is idle otherwise.
    case daemon
    /// Part of the system, always at work.
    case system
  }

  /// How soon a process comes back after it was killed, as the system has seen it.
  public enum RelaunchClass: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case unknown, low, medium, high
  }

  /// Whether a killer that can be told so takes the app before or after others.
  public enum KillPreference: UInt8, CaseIterable, BitwiseCopyable, Sendable {
    case none, prefer, avoid, omit
  }

  /// Priority band on iOS; negative: by state.
  public var band: Int16 = -1
  /// `oom_score_adj` on Android and Linux, −1000 to 1000; `.min`: by state.
  public var oomScoreAdj: Int16 = .min
  /// Number of the user whose process it is on Linux and Android, 0 for root; negative: not known.
  public var userID: Int32 = -1
  /// What kind of process it is.
  public var processKind: ProcessKind = .app
  /// How soon it comes back after it was killed.
  public var relaunchClass: RelaunchClass = .unknown
  /// Whether killers take it before or after others.
  public var killPreference: KillPreference = .none

  /// An app that never saves, edits or answers, and weighs nothing.
  public init() {}
}
