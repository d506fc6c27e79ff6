/// What kind of row of `events.csv` something is.
public enum RecordedKind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case state, message, launch, save, warning, response, purge, kill, watchdog
  case taskExpired, ended, loss, restore, wait

  /// The word in the `event` column.
  public var name: String { self == .taskExpired ? "task-expired" : "\(self)" }
}

/// The `cause` column of `events.csv`: transition numbers, launch kinds, triggers, levels, rules.
public enum RecordedCause: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case none
  case t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15
  case cold, warm, hot, background
  case unspecified, timer, user, terminate, resign, expiration, edit
  case warning, critical, limit
  case thresholds, demand, foreground, highwater, level, capacity, bound
  case quit, exit, crash, update, boot, noMultitasking
  case gpuInBackground, sharedResource
  case oomKill, memorySizeOrGrowth, swapUsage, memoryPressure, pageScans, swapUsed, sigterm, sigkill
  // Rules of Android: the driver's, the daemon's by reason, the framework's.
  case lowmemorykiller
  case pressureAfterKill, notResponding, lowSwapAndThrashing, lowMemAndSwap
  case lowMemAndThrashing, directReclaimAndThrashing, lowMemAndSwapUtil
  case lowFilecacheAfterThrashing, lowMem
  case minfree, lowPressure, mediumPressure, criticalPressure
  case cachedLimit, emptyLimit, emptyAge
  case vmPageshortage, idleExit, longIdleExit, sustainedMemoryPressure, procThrashing
  case memoryLimiter

  /// The word in reports; empty for ``none`` and for a save whose trigger is not known.
  public var name: String { Self.names[Int(rawValue)] }

  /// Whether a decision for it ends an app over its own limit: a kill, in whatever state.
  var isOwnLimit: Bool { self == .highwater || self == .memoryLimiter }

  /// Whether an end for it counts as a kill at a limit, even in front.
  var isLimitKill: Bool { self == .memoryLimiter }

  /// Names by raw value: reports ask for one per row.
  private static let names: [String] = allCases.map { cause in
    switch cause {
    case .none, .unspecified: ""
    case .t1, .t2, .t3, .t4, .t5, .t6, .t7, .t8, .t9, .t10, .t11, .t12, .t13, .t14, .t15:
      "T\(cause.rawValue)"
    default: "\(cause)".words()
    }
  }
}

/// The `message` column of `events.csv`: what an app was told.
public enum Message: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case none
  case willFinishLaunching
  case didFinishLaunching
  case didFinishLaunchingNotification
  case didBecomeActive
  case didBecomeActiveNotification
  case willResignActive
  case willResignActiveNotification
  case didEnterBackground
  case didEnterBackgroundNotification
  case willEnterForeground
  case willEnterForegroundNotification
  case willTerminate
  case willTerminateNotification
  case didReceiveMemoryWarning
  case didReceiveMemoryWarningNotification
  case orientationChange
  case preferencesChange
  case localeChange
  case screenModeChange
  case displayChange
  case accessoryChange
  case cloudAccountChange
  case timeChange
  case batteryChange
  case proximityChange
  case displayDisconnect
  case accessoryDisconnect
  /// A change of a kind that has no notification of its own.
  case deviceChange
  case expirationHandler
  case trimRunningModerate
  case trimRunningLow
  case trimRunningCritical
  case trimUIHidden
  case lowMemory
  /// Marks the `loss` row of a lost reading position.
  case position

  /// The selector or the notification's name, as in UIKit; the callback, as in Android.
  public var name: String {
    switch self {
    case .none: ""
    case .willFinishLaunching: "application:willFinishLaunchingWithOptions:"
    case .didFinishLaunching: "application:didFinishLaunchingWithOptions:"
    case .didFinishLaunchingNotification: "UIApplicationDidFinishLaunchingNotification"
    case .didBecomeActive: "applicationDidBecomeActive:"
    case .didBecomeActiveNotification: "UIApplicationDidBecomeActiveNotification"
    case .willResignActive: "applicationWillResignActive:"
    case .willResignActiveNotification: "UIApplicationWillResignActiveNotification"
    case .didEnterBackground: "applicationDidEnterBackground:"
    case .didEnterBackgroundNotification: "UIApplicationDidEnterBackgroundNotification"
    case .willEnterForeground: "applicationWillEnterForeground:"
    case .willEnterForegroundNotification: "UIApplicationWillEnterForegroundNotification"
    case .willTerminate: "applicationWillTerminate:"
    case .willTerminateNotification: "UIApplicationWillTerminateNotification"
    case .didReceiveMemoryWarning: "applicationDidReceiveMemoryWarning:"
    case .didReceiveMemoryWarningNotification:
      "UIApplicationDidReceiveMemoryWarningNotification"
    case .orientationChange: "UIDeviceOrientationDidChangeNotification"
    case .preferencesChange: "NSUserDefaultsDidChangeNotification"
    case .localeChange: "NSCurrentLocaleDidChangeNotification"
    case .screenModeChange: "UIScreenModeDidChangeNotification"
    case .displayChange: "UIScreenDidConnectNotification"
    case .displayDisconnect: "UIScreenDidDisconnectNotification"
    case .accessoryChange: "EAAccessoryDidConnectNotification"
    case .accessoryDisconnect: "EAAccessoryDidDisconnectNotification"
    case .cloudAccountChange: "NSUbiquityIdentityDidChangeNotification"
    case .timeChange: "UIApplicationSignificantTimeChangeNotification"
    case .batteryChange: "UIDeviceBatteryStateDidChangeNotification"
    case .proximityChange: "UIDeviceProximityStateDidChangeNotification"
    case .deviceChange: "device-change"
    case .expirationHandler: "expirationHandler"
    case .trimRunningModerate: "onTrimMemory(RUNNING_MODERATE)"
    case .trimRunningLow: "onTrimMemory(RUNNING_LOW)"
    case .trimRunningCritical: "onTrimMemory(RUNNING_CRITICAL)"
    case .trimUIHidden: "onTrimMemory(UI_HIDDEN)"
    case .lowMemory: "onLowMemory"
    case .position: "position"
    }
  }
}

extension Message {
  /// The notification of a kind of device change (``EventDetail/changeKinds``).
  public static func deviceChange(kind: Int, isDisconnection: Bool = false) -> Message {
    let first = Int(Message.orientationChange.rawValue)
    guard (1...EventDetail.changeKinds.count).contains(kind),
      let message = Message(rawValue: UInt8(first + kind - 1))
    else { return .deviceChange }
    switch (message, isDisconnection) {
    case (.displayChange, true): return .displayDisconnect
    case (.accessoryChange, true): return .accessoryDisconnect
    default: return message
    }
  }
}

/// The `class` column of a `save` row.
public enum SaveOutcome: UInt8, BitwiseCopyable, Sendable {
  case complete, partial, interrupted

  /// The word in reports.
  public var name: String { "\(self)" }
}

/// The `class` column of a `restore` row: how much of what the user had is back.
public enum RestoreOutcome: UInt8, BitwiseCopyable, Sendable {
  /// All of it.
  case full
  /// What the snapshot held; the end before lost the rest.
  case partial
  /// Nothing: there is no snapshot.
  case none

  /// The word in reports.
  public var name: String { "\(self)" }
}

/// One row of `events.csv`.
///
/// Fields that do not apply to the kind keep their defaults and are written empty;
/// <doc:/JettisonReports/Reports> says which kind fills which.
public struct EventRecord: Sendable, Equatable {
  /// When it happened, in nanoseconds since the start of the trace; for a save, its end.
  public var timeNanoseconds: Int64
  /// Whom it happened to.
  public var app: AppIndex
  /// What happened.
  public var kind: RecordedKind
  /// State before the transition of a `state` row.
  public var stateBefore: AppState?
  /// State after the transition of a `state` row.
  public var stateAfter: AppState?
  /// What the app was told (`message`); ``Message/position`` marks the loss of a position.
  public var message: Message = .none
  /// Why: the transition, the kind of launch, the trigger, the level or the rule.
  public var cause: RecordedCause = .none
  /// Class of a `loss`.
  public var lossClass: LossClass?
  /// How a `save` came out.
  public var saveOutcome: SaveOutcome?
  /// How much a `restore` brought back.
  public var restoreOutcome: RestoreOutcome?
  /// Bytes by kind, 0 or more: made durable by a save, restored, released by an answer, held by the
  /// footprint that ended, or lost.
  public var bytes: Int64?
  /// Latency of a launch, duration of a save or wait, age of what was restored or staleness of a
  /// loss, in nanoseconds.
  public var nanoseconds: Int64?
  /// User work of a `loss` or `restore`, in nanoseconds.
  public var workNanoseconds: Int64?
  /// Whether the user found out about a `loss`.
  public var noticed: Noticed?
  /// Number of the decision that a purge or kill belongs to, from 1.
  public var decision: Int?
  /// Position in ``Trace/details`` of the device change that a `message` tells of.
  public var change: UInt32?

  /// Makes a row with the three parts that every row has.
  public init(_ kind: RecordedKind, app: AppIndex, at timeNanoseconds: Int64) {
    self.kind = kind
    self.app = app
    self.timeNanoseconds = timeNanoseconds
  }
}

/// Why one candidate stands where it stands in a decision's order.
public enum TieBreak: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  /// What goes before any score: apps with nothing unsaved (`+saved`), those not in use before the one
  /// in front, the model's own order.
  case group
  case score, suspendedAt, footprint, app

  /// The word in reports.
  public var name: String { self == .suspendedAt ? "suspended-at" : "\(self)" }
}

/// One candidate of a decision, in purge order.
public struct CandidateRecord: Sendable, Equatable {
  /// Which app it is.
  public var app: AppIndex
  /// Its state when the decision opened.
  public var state: AppState
  /// Its priority band (iOS) or `oom_score_adj` (Android, Linux); nil where the model has none.
  public var band: Int?
  /// The policy's score, never NaN: lower goes first.
  public var score: Double
  /// What it was charged with, in bytes.
  public var footprintBytes: Int64
  /// Time since it left the front, or since its process began if it was never shown, in
  /// nanoseconds.
  public var idleNanoseconds: Int64
  /// User work that its end would lose, in nanoseconds.
  public var unsavedWorkNanoseconds: Int64
  /// State that its end would lose, in bytes.
  public var unsavedBytes: Int64
  /// Nanoseconds since it last heard a warning; nil: never in this life.
  public var sinceWarningNanoseconds: Int64?
  /// Whether it is a victim.
  public var isChosen: Bool
  /// What its end gave back, in bytes; 0 unless chosen.
  public var freedBytes: Int64
  /// What decided between it and the next in order (the last: and the one before); nil if alone.
  public var tieBrokenBy: TieBreak?

  /// Makes a candidate from its parts.
  public init(
    app: AppIndex, state: AppState, band: Int? = nil, score: Double, footprintBytes: Int64,
    idleNanoseconds: Int64, unsavedWorkNanoseconds: Int64, unsavedBytes: Int64,
    sinceWarningNanoseconds: Int64?,
    isChosen: Bool, freedBytes: Int64, tieBrokenBy: TieBreak?
  ) {
    self.app = app
    self.state = state
    self.band = band
    self.score = score
    self.footprintBytes = footprintBytes
    self.idleNanoseconds = idleNanoseconds
    self.unsavedWorkNanoseconds = unsavedWorkNanoseconds
    self.unsavedBytes = unsavedBytes
    self.sinceWarningNanoseconds = sinceWarningNanoseconds
    self.isChosen = isChosen
    self.freedBytes = freedBytes
    self.tieBrokenBy = tieBrokenBy
  }
}

/// An app in memory that was no candidate of a decision.
public struct SparedApp: Sendable, Equatable {
  /// Why it was none; where several hold, the first.
  public enum Reason: String, CaseIterable, Sendable {
    /// It is what room is made for (`ideal-cache`).
    case launching
    /// A `pin` row of the trace.
    case pinned
    /// `--pin`.
    case pinnedByOption
    /// `+protect`.
    case protected
    /// Among the apps used last: `--protect-recent` or `+recent`.
    case recent
    /// A decision ended it less than `+interval` ago.
    case resting
    /// In front.
    case front
    /// Running in the background.
    case running
    /// Suspended, and yet the rule asked for others: those of a lower band, those over a limit.
    case notMeant

    /// The reason in words.
    public var text: String {
      switch self {
      case .launching: "is being launched"
      case .pinned: "pinned in the trace"
      case .pinnedByOption: "pinned for this run"
      case .protected: "protected by +protect"
      case .recent: "used recently"
      case .resting: "ended less than +interval ago"
      case .front: "in front"
      case .running: "runs in the background"
      case .notMeant: "the rule asks for others"
      }
    }
  }

  /// Which app it is.
  public var app: AppIndex
  /// Its state when the decision opened.
  public var state: AppState
  /// What it was charged with, in bytes.
  public var footprintBytes: Int64
  /// Why it was no candidate.
  public var reason: Reason
}

/// One request for memory: what was asked, who could go, who went.
public struct DecisionRecord: Sendable, Equatable {
  /// Number of the decision in its run, from 1.
  public var number: Int
  /// When it was made, in nanoseconds since the start of the trace.
  public var timeNanoseconds: Int64
  /// The model's rule that opened it.
  public var trigger: RecordedCause
  /// How short memory was.
  public var level: PressureLevel
  /// Available memory when it opened, in bytes; negative: more is in use than there is.
  public var availableBytes: Int64
  /// `max(0, target − available)`, in bytes.
  public var neededBytes: Int64
  /// Available memory at which the decision may stop, in bytes.
  public var targetBytes: Int64
  /// All candidates, first victim first; empty if there was none.
  public var candidates: [CandidateRecord]
  /// The other apps in memory, in order of names.
  public var spared: [SparedApp]

  /// Makes a record from its parts.
  public init(
    number: Int, timeNanoseconds: Int64, trigger: RecordedCause, level: PressureLevel,
    availableBytes: Int64, neededBytes: Int64, targetBytes: Int64, candidates: [CandidateRecord],
    spared: [SparedApp] = []
  ) {
    self.number = number
    self.timeNanoseconds = timeNanoseconds
    self.trigger = trigger
    self.level = level
    self.availableBytes = availableBytes
    self.neededBytes = neededBytes
    self.targetBytes = targetBytes
    self.candidates = candidates
    self.spared = spared
  }
}

/// How much memory is left, and how short it is.
public struct MemoryRecord: Sendable, Equatable {
  /// Since when it is so, in nanoseconds since the start of the trace.
  public var timeNanoseconds: Int64
  /// Available memory of the device, in bytes; may be negative.
  public var availableBytes: Int64
  /// How short memory is.
  public var level: PressureLevel

  /// Makes a record from its parts.
  public init(timeNanoseconds: Int64, availableBytes: Int64, level: PressureLevel) {
    self.timeNanoseconds = timeNanoseconds
    self.availableBytes = availableBytes
    self.level = level
  }

  /// Whether another record says the same of another time.
  @inline(__always)
  public func saysTheSame(as other: MemoryRecord) -> Bool {
    availableBytes == other.availableBytes && level == other.level
  }
}

/// An app's row of `footprints.csv`.
public struct FootprintRecord: Sendable, Equatable {
  /// When one of the app's figures, or its state, changed, in nanoseconds since the start of the
  /// trace.
  public var timeNanoseconds: Int64
  /// Whose footprint it is.
  public var app: AppIndex
  /// The app's state.
  public var state: AppState
  /// What the app is charged with, in bytes.
  public var footprintBytes: Int64
  /// What its live allocations asked for, in bytes.
  public var requestedBytes: Int64
  /// Active pages of its arena, in bytes; negative where footprints are declared.
  public var activeBytes: Int64
  /// Dirty pages of its arena, in bytes; negative where footprints are declared.
  public var dirtyBytes: Int64
  /// Available memory of the device, in bytes; may be negative.
  public var availableBytes: Int64
  /// How short memory is.
  public var level: PressureLevel

  /// Makes a row from its parts.
  public init(
    timeNanoseconds: Int64, app: AppIndex, state: AppState, footprintBytes: Int64,
    requestedBytes: Int64, activeBytes: Int64, dirtyBytes: Int64, availableBytes: Int64,
    level: PressureLevel
  ) {
    self.timeNanoseconds = timeNanoseconds
    self.app = app
    self.state = state
    self.footprintBytes = footprintBytes
    self.requestedBytes = requestedBytes
    self.activeBytes = activeBytes
    self.dirtyBytes = dirtyBytes
    self.availableBytes = availableBytes
    self.level = level
  }

  /// What it says of the device.
  public var memory: MemoryRecord {
    MemoryRecord(
      timeNanoseconds: timeNanoseconds, availableBytes: availableBytes, level: level)
  }
}

/// Listens to a run.
///
/// Nothing is built for a recorder that does not listen.
public protocol Recorder: AnyObject {
  /// Whether rows of `events.csv` are wanted.
  var wantsEvents: Bool { get }
  /// Whether decision records are wanted.
  var wantsDecisions: Bool { get }
  /// Whether changes of footprints, of available memory and of the level are wanted.
  var wantsFootprints: Bool { get }
  /// Whether rows of the capture that are only compared are wanted; false unless it says otherwise.
  var wantsObservations: Bool { get }
  /// Whether what could not be applied is wanted; false unless it says otherwise.
  var wantsIssues: Bool { get }

  /// Takes one row of `events.csv`, in the order in which things happen.
  func record(_ event: EventRecord)
  /// Takes one decision, complete.
  func record(_ decision: DecisionRecord)
  /// Takes the figures of one app after they, or its state, may have changed.
  func record(_ footprint: FootprintRecord)
  /// Takes available memory and level where they are not what the newest of these two kinds of
  /// records tells: when the run begins, when a decision opens, and at the end of any other instant.
  func record(_ memory: MemoryRecord)
  /// Takes one row of the capture that is only compared, before what follows from it.
  func record(_ observation: ObservationRecord)
  /// Takes one thing in the trace that could not be applied: one of the run's issues.
  func record(_ issue: IssueRecord)
}

extension Recorder {
  /// Most recorders have no use for memory.
  public func record(_ memory: MemoryRecord) {}

  /// Most recorders listen to the simulation alone.
  public var wantsObservations: Bool { false }

  /// Most recorders listen to the simulation alone.
  public func record(_ observation: ObservationRecord) {}

  /// Most recorders take a trace as it is.
  public var wantsIssues: Bool { false }

  /// Most recorders take a trace as it is.
  public func record(_ issue: IssueRecord) {}
}
