public import JettisonModel
internal import JettisonSupport

/// A column of trace format 1.
public enum TraceColumn: String, CaseIterable, Sendable {
  case time = "time_ns"
  case app
  case event
  case value
  case id
  case detail
}

/// Why a row cannot be part of a trace: a reason without a place, to which readers add file and
/// line.
public enum TraceFault: Error, Equatable, Sendable {
  /// The row is earlier than the one before it.
  case timeDecreases(Int64, previous: Int64)
  /// The time is negative or more than ``TraceLimits/timeNanoseconds``.
  case timeOutOfRange(Int64)
  /// The event needs a column that is empty.
  case missing(TraceColumn, EventKind)
  /// The event has no use for a column that is filled.
  case unexpected(TraceColumn, EventKind)
  /// A value outside of what the event allows.
  case valueOutOfRange(Int64, EventKind, ClosedRange<Int64>)
  /// The bytes or the work of all rows together are beyond any device.
  case sumOutOfRange(TraceColumn)
  /// An id that is already in use by a live block or an open task of the app.
  case idInUse(Int64, EventKind)
  /// An id that no live block or open task of the app has.
  case idUnknown(Int64, EventKind)
  /// The app does not run in the capture, so it cannot do this.
  case notRunning(EventKind)
  /// A row after `end`.
  case afterEnd
  /// A `present` row after time 0.
  case presentLate
  /// A `present` row of an app that lived before it.
  case presentAgain
  /// Two apps in front when the capture begins.
  case secondFront
  /// An app's name that is empty or too long.
  case nameLength(Int)
  /// Text that is not UTF-8.
  case notUTF8(TraceColumn)
  /// A `%` without two hexadecimal digits.
  case percent(TraceColumn)
  /// A character that must be percent-encoded.
  case unencoded(TraceColumn, UInt8)
  /// A detail that is not a list of `key=value` pairs.
  case detailShape(String)
  /// A detail key that the event does not know.
  case detailKey(String, EventKind, known: [String])
  /// A detail key that the event needs and that is not there.
  case detailMissing(String, EventKind)
  /// A detail key that is there twice.
  case detailRepeated(String)
  /// A detail value that does not fit its key.
  case detailValue(key: String, value: String, expected: String)
  /// More of something than the format can number.
  case tooMany(TraceColumn, what: String, limit: Int)
  /// A number that no app or detail of the builder has.
  case unknownNumber(TraceColumn)
  /// The temporary file could not be written.
  case storage(String, remedy: String)
  /// Another program shortened the input while it was read.
  case inputCutShort
}

/// Bounds beyond which a value is an error and not a measurement.
public enum TraceLimits {
  /// Largest size of a block, footprint or edit: 1 TiB.
  public static let bytes: Int64 = 1 << 40
  /// Latest time and longest interval: 100 years in nanoseconds.
  public static var timeNanoseconds: Int64 { Trace.longestNanoseconds }
  /// Longest save, and longest work that one edit stands for: 366 days in nanoseconds.
  public static let workNanoseconds: Int64 = 366 * 86_400 * 1_000_000_000
  /// Largest sum of bytes, or of nanoseconds of work, over all rows of a trace.
  public static let sum: Int64 = 1 << 61
  /// Longest launch: one day in nanoseconds.
  public static let latencyNanoseconds: Int64 = 86_400 * 1_000_000_000
  /// Largest step of the wall clock: 100 years in seconds.
  public static let clockSeconds: Int64 = 100 * 365 * 86_400
  /// Largest alignment of a block in bytes.
  public static let alignment: Int64 = 1 << 30
  /// Ranks and bands of processes, of any platform.
  public static let bands: ClosedRange<Int64> = -100_000...100_000
  /// Longest app name in bytes.
  public static let nameBytes = 1024
}

extension TraceFault {
  /// Whether reading cannot go on, whatever the input says.
  public var isStorageFailure: Bool { kind != .malformed }

  /// What kind of failure it is.
  public var kind: TraceError.Kind {
    switch self {
    case .storage: .writingFailed
    case .inputCutShort: .unreadable
    default: .malformed
    }
  }

  /// The column the fault is in.
  public var column: TraceColumn? {
    switch self {
    case .timeDecreases, .timeOutOfRange, .presentLate: .time
    case .missing(let column, _), .unexpected(let column, _), .sumOutOfRange(let column),
      .notUTF8(let column), .percent(let column), .unencoded(let column, _),
      .tooMany(let column, _, _), .unknownNumber(let column):
      column
    case .valueOutOfRange: .value
    case .idInUse, .idUnknown: .id
    case .notRunning, .afterEnd, .presentAgain: .event
    case .nameLength: .app
    case .secondFront, .detailShape, .detailKey, .detailMissing, .detailRepeated, .detailValue:
      .detail
    case .storage, .inputCutShort: nil
    }
  }
}

extension TraceFault: CustomStringConvertible {
  /// What is wrong, and what to do.
  public var description: String {
    remedy.isEmpty ? what : "\(what) (\(remedy))"
  }

  /// What is wrong, without place and remedy.
  public var what: String {
    switch self {
    case .timeDecreases(let time, let previous):
      "\(time) is earlier than \(previous) of the row before it"
    case .timeOutOfRange(let time):
      time < 0 ? "\(time) is before the start of the trace" : "\(time) is more than 100 years"
    case .missing(let column, let kind): "'\(kind.name)' needs \(Self.noun(column))"
    case .unexpected(let column, let kind): "'\(kind.name)' has no \(column.rawValue)"
    case .valueOutOfRange(let value, let kind, let range):
      Self.outOfRange(value, kind, range)
    case .sumOutOfRange(.detail): "the work of all rows adds up to more than 70 years"
    case .sumOutOfRange: "the bytes of all rows add up to more than 2 EiB"
    case .idInUse(let id, let kind):
      kind == .taskBegin ? "task \(id) is open already" : "block \(id) is live already"
    case .idUnknown(let id, let kind):
      kind == .taskEnd ? "task \(id) is not open" : "block \(id) is not live"
    case .notRunning(let kind): "'\(kind.name)' of an app that does not run at this time"
    case .afterEnd: "a row after 'end'"
    case .presentLate: "'present' after the start of the trace"
    case .presentAgain: "'present' of an app that was there already"
    case .secondFront: "a second app in front"
    case .nameLength(let length):
      length == 0 ? "an app without a name" : "a name of \(length) bytes"
    case .notUTF8: "text that is not UTF-8"
    case .percent: "'%' without two hexadecimal digits after it"
    case .unencoded(_, let byte): "the character \(Self.show(byte)) is not encoded"
    case .detailShape(let text): "'\(text)' is not a list of key=value pairs"
    case .detailKey(let key, let kind, _): "'\(kind.name)' has no detail '\(key)'"
    case .detailMissing(let key, let kind): "'\(kind.name)' needs the detail '\(key)'"
    case .detailRepeated(let key): "the key '\(key)' is there twice"
    case .detailValue(let key, let value, _): "'\(value)' does not fit '\(key)'"
    case .tooMany(_, let what, let limit): "more than \(limit) \(what)"
    case .unknownNumber(let column): "no such \(column.rawValue)"
    case .storage(let reason, _): "the temporary file cannot be written: \(reason)"
    case .inputCutShort: "was cut short while it was being read"
    }
  }

  /// What to do about it.
  public var remedy: String {
    switch self {
    case .timeDecreases: "sort the rows by time; rows of one time keep their order"
    case .timeOutOfRange: "write nanoseconds since the start, from 0"
    case .missing(let column, _): "fill the column '\(column.rawValue)'"
    case .unexpected: "leave it empty"
    case .valueOutOfRange(_, let kind, let range):
      switch kind {
      case .screen: "write 1 for on, 0 for off"
      case .backgroundMode, .pin: "write 1 where it begins, 0 where it ends"
      case .sharedResource: "write 1 where it is taken, 0 where it is given back"
      default: "write \(range.lowerBound) to \(range.upperBound)"
      }
    case .sumOutOfRange: "check the unit of the values"
    case .idInUse(_, let kind):
      kind == .taskBegin
        ? "ids are unique per app until 'task-end'" : "ids are unique per app until 'free'"
    case .idUnknown(_, let kind):
      kind == .taskEnd
        ? "a 'task-begin' of this app must come first"
        : "an 'alloc' of this app must come first, in this life of it"
    case .notRunning: "begin its life with 'launch', 'background-launch' or 'present'"
    case .afterEnd: "'end' must be the last row"
    case .presentLate: "'present' rows have time 0; an app that starts later has 'launch'"
    case .presentAgain: "one 'present' row per app, before its other rows"
    case .secondFront: "one app at most has state=front"
    case .nameLength(let length):
      length == 0 ? "name the app" : "names have at most \(TraceLimits.nameBytes) bytes"
    case .notUTF8: "save the file as UTF-8"
    case .percent: "write a percent sign as %25"
    case .unencoded(_, let byte): "write it as \(PercentEncoding.escape(byte))"
    case .detailShape: "write key=value, pairs joined by ';'"
    case .detailKey(_, _, let known):
      known.isEmpty ? "leave the column empty" : "known: \(known.joined(separator: ", "))"
    case .detailMissing(let key, _): "write \(key)=…"
    case .detailRepeated: "keep one of them"
    case .detailValue(_, _, let expected): "write \(expected)"
    case .tooMany: "split the trace"
    case .unknownNumber: "numbers come from the builder"
    case .storage(_, let remedy): remedy
    case .inputCutShort: "try again when no program is changing it"
    }
  }

  private static func noun(_ column: TraceColumn) -> String {
    switch column {
    case .app: "an app"
    case .id: "an id"
    default: "a \(column.rawValue)"
    }
  }

  private static func outOfRange(
    _ value: Int64, _ kind: EventKind, _ range: ClosedRange<Int64>
  ) -> String {
    switch kind {
    case .screen, .backgroundMode, .pin, .sharedResource:
      "'\(kind.name)' is 0 or 1, not \(value)"
    case .observedWarning: "a warning level is 0, 1 or 2, not \(value)"
    case .clock: "\(value) seconds is more than 100 years"
    case .observedLaunch: "\(value) ns is not a launch latency"
    case .adj: "an oom_score_adj is -1000 to 1000, not \(value)"
    default: value < 0 ? "\(value) is negative" : "\(value) bytes is more than 1 TiB"
    }
  }

  private static func show(_ byte: UInt8) -> String {
    byte < 0x20 || byte >= 0x7F
      ? "number \(byte)" : "'\(String(decoding: CollectionOfOne(byte), as: UTF8.self))'"
  }
}
