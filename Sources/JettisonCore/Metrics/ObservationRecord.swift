/// A row of the capture that is only compared with the simulation, and how things stand here.
public struct ObservationRecord: Sendable, Equatable {
  /// What the real system did.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// It ended the app (`observed-exit`).
    case exit
    /// It warned the app, or all of them (`observed-warning`).
    case warning
    /// It had so much memory available (`observed-available`).
    case available
  }

  /// When, in nanoseconds since the start of the trace.
  public var timeNanoseconds: Int64
  /// What the real system did.
  public var kind: Kind
  /// To whom; ``AppIndex/none``: to all.
  public var app: AppIndex
  /// State of the app here just before the row; nil if the row names none.
  public var state: AppState?
  /// Available memory here, in bytes; may be negative.
  public var availableBytes: Int64
  /// How short memory is here.
  public var level: PressureLevel
  /// Available memory that was measured, in bytes; nil: the row is about something else.
  public var measuredBytes: Int64?

  /// Makes a record from its parts.
  public init(
    timeNanoseconds: Int64, kind: Kind, app: AppIndex, state: AppState?, availableBytes: Int64,
    level: PressureLevel, measuredBytes: Int64? = nil
  ) {
    self.timeNanoseconds = timeNanoseconds
    self.kind = kind
    self.app = app
    self.state = state
    self.availableBytes = availableBytes
    self.level = level
    self.measuredBytes = measuredBytes
  }
}
