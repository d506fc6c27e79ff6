/// What happened, in the words of trace format 1.
///
/// The binary form stores the position of a case: new ones come last.
public enum EventKind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case present
  case launch
  case backgroundLaunch
  case home
  case interrupt
  case interruptEnd
  case screen
  case taskBegin
  case taskEnd
  case backgroundMode
  case pin
  case quit
  case exit
  case crash
  case update
  case deviceChange
  case boot
  case clock
  case footprint
  case alloc
  case realloc
  case free
  case systemMemory
  case edit
  case save
  case restoreFailed
  case observedWarning
  case observedExit
  case observedLaunch
  case observedAvailable
  case end
  case gpuWork
  case sharedResource
  case adj

  /// The word in the trace's `event` column.
  public var name: String {
    switch self {
    case .present: "present"
    case .launch: "launch"
    case .backgroundLaunch: "background-launch"
    case .home: "home"
    case .interrupt: "interrupt"
    case .interruptEnd: "interrupt-end"
    case .screen: "screen"
    case .taskBegin: "task-begin"
    case .taskEnd: "task-end"
    case .backgroundMode: "background-mode"
    case .pin: "pin"
    case .quit: "quit"
    case .exit: "exit"
    case .crash: "crash"
    case .update: "update"
    case .deviceChange: "device-change"
    case .boot: "boot"
    case .clock: "clock"
    case .footprint: "footprint"
    case .alloc: "alloc"
    case .realloc: "realloc"
    case .free: "free"
    case .systemMemory: "system-memory"
    case .edit: "edit"
    case .save: "save"
    case .restoreFailed: "restore-failed"
    case .observedWarning: "observed-warning"
    case .observedExit: "observed-exit"
    case .observedLaunch: "observed-launch"
    case .observedAvailable: "observed-available"
    case .end: "end"
    case .gpuWork: "gpu-work"
    case .sharedResource: "shared-resource"
    case .adj: "adj"
    }
  }

  /// Whether the row may belong to the state of things when a capture begins.
  @inlinable package var describesState: Bool {
    switch self {
    case .present, .systemMemory, .pin, .backgroundMode, .taskBegin, .sharedResource, .adj: true
    default: isMemory
    }
  }

  /// Whether the row makes or frees a block.
  @inlinable package var isOfBlock: Bool { self == .alloc || self == .free }

  /// Whether the row moves the memory of its app.
  @inlinable public var isMemory: Bool {
    switch self {
    case .footprint, .alloc, .realloc, .free: true
    default: false
    }
  }
}

/// Which optional columns a row fills.
public struct EventFlags: OptionSet, BitwiseCopyable, Sendable {
  /// One bit per column.
  public let rawValue: UInt8

  /// Wraps a set of bits.
  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The `value` column is not empty.
  @inlinable public static var hasValue: EventFlags { EventFlags(rawValue: 1 << 0) }
  /// The `id` column is not empty.
  @inlinable public static var hasID: EventFlags { EventFlags(rawValue: 1 << 1) }
}

/// One row of a trace, as fixed-size plain data: 32 bytes, no strings.
///
/// The same layout is the record of the binary form, which is mapped and used as it stands.
public struct TraceEvent: BitwiseCopyable, Sendable, Equatable {
  /// Nanoseconds since the start of the trace; never decreases from one event to the next.
  public var timeNanoseconds: Int64
  /// The `value` column: bytes, seconds, nanoseconds, a level or a switch, by kind; 0 where empty.
  public var value: Int64
  /// The app, or ``AppIndex/none``.
  public var app: AppIndex
  /// Dense number of the block (`alloc`, `realloc`, `free`) or task (`task-begin`, `task-end`).
  ///
  /// A slot is used again after its block was freed. 0 for other kinds.
  public var slot: UInt32
  /// Position in ``Trace/details``; 0 is the empty detail.
  public var detail: UInt32
  /// What happened.
  public var kind: EventKind
  /// Which optional columns were filled.
  public var flags: EventFlags
  /// Unused, zero: keeps every byte of a record defined.
  public var padding: UInt16

  /// Makes an event; see the properties for the meaning of each part.
  public init(
    timeNanoseconds: Int64, kind: EventKind, app: AppIndex = .none, value: Int64 = 0,
    slot: UInt32 = 0, detail: UInt32 = 0, flags: EventFlags = []
  ) {
    self.timeNanoseconds = timeNanoseconds
    self.value = value
    self.app = app
    self.slot = slot
    self.detail = detail
    self.kind = kind
    self.flags = flags
    self.padding = 0
  }
}
