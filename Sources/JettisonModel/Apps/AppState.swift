/// Where an app is in its life cycle: see <doc:TheModel#Life-cycle>.
public enum AppState: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case notRunning
  case inactive
  case active
  case background
  case suspended

  /// The word in reports.
  public var name: String {
    switch self {
    case .notRunning: "not-running"
    case .inactive: "inactive"
    case .active: "active"
    case .background: "background"
    case .suspended: "suspended"
    }
  }

  /// Whether the app runs code in this state.
  @inlinable @inline(__always) public var runsCode: Bool {
    self == .inactive || self == .active || self == .background
  }
}

/// How much work a launch was.
public enum LaunchKind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// No process existed.
  case cold
  /// The process existed but had not been in front yet.
  case warm
  /// The process existed and had been in front.
  case hot

  /// The word in reports and traces.
  public var name: String {
    switch self {
    case .cold: "cold"
    case .warm: "warm"
    case .hot: "hot"
    }
  }
}

/// Why a process ended in the simulation.
public enum EndCause: UInt8, BitwiseCopyable, Sendable {
  case none
  case purge
  case backgroundKill
  case foregroundKill
  case limitKill
  case watchdog
  case taskExpired
  /// OpenGL ES calls in the background.
  case gpuInBackground
  /// A shared resource held at suspension.
  case sharedResource
  /// Left, on a device or by an app without multitasking.
  case noMultitasking
  case quit
  case exit
  case crash
  case update
  case boot

  /// Whether the user or the app itself ended the process, not the simulated system.
  @inlinable public var isDiscard: Bool { rawValue >= EndCause.quit.rawValue }

  /// Whether the system ended the process, for whatever reason.
  @inlinable public var isBySystem: Bool { self != .none && !isDiscard }

  /// Whether the system killed the process for memory while purging was not enough.
  @inlinable public var isKill: Bool {
    self == .backgroundKill || self == .foregroundKill || self == .limitKill
  }
}

/// Class of a loss by its cause: see <doc:TheModel#Losses>.
public enum LossClass: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case noSave
  case frozenSave
  case handlerTimeout
  case taskExpired
  case killedRunning
  case terminateOnly
  case tornSnapshot
  case restoreLost

  /// The word in reports.
  public var name: String {
    switch self {
    case .noSave: "no-save"
    case .frozenSave: "frozen-save"
    case .handlerTimeout: "handler-timeout"
    case .taskExpired: "task-expired"
    case .killedRunning: "killed-running"
    case .terminateOnly: "terminate-only"
    case .tornSnapshot: "torn-snapshot"
    case .restoreLost: "restore-lost"
    }
  }

  /// Why the state had not been saved, in words.
  public var reason: String {
    switch self {
    case .noSave: "nothing, or not all, was saved before it was suspended or left"
    case .frozenSave: "its save was still running when it was suspended"
    case .handlerTimeout: "its save was still running when the handler's time was over"
    case .taskExpired: "its background task outlived the time allowed"
    case .killedRunning: "it was killed while it ran"
    case .terminateOnly: "it saves only when it is told to end, and a purge gives no notice"
    case .tornSnapshot: "its save stood half done in the place of the older one"
    case .restoreLost: "its snapshot could not be read"
    }
  }
}

/// Whether the user found out about a loss.
public enum Noticed: UInt8, BitwiseCopyable, Sendable {
  /// The app was opened again, and everything it had not saved was on a server.
  case no
  /// The app was opened again and something is missing.
  case yes
  /// The app was not opened again before the trace ended.
  case censored

  /// The word in reports.
  public var name: String {
    switch self {
    case .no: "no"
    case .yes: "yes"
    case .censored: "censored"
    }
  }
}

/// How short memory is.
public enum PressureLevel: UInt8, Comparable, BitwiseCopyable, Sendable {
  case normal
  case warning
  case critical

  /// The word in reports.
  public var name: String {
    switch self {
    case .normal: "normal"
    case .warning: "warning"
    case .critical: "critical"
    }
  }

  /// Whether memory is less short at one level than at another.
  @inlinable public static func < (lhs: PressureLevel, rhs: PressureLevel) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}
