/// One thing that a log or a dump says, before it is put in the order of time.
struct AndroidRecord: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    // About a process: `pid`, `name`.
    case started  // value: 1 if it was started for an activity
    case bound
    case died
    case killed  // exit; value: its resident set in bytes, 0 if that is not said; extra: 2
    case crashed
    case notResponding
    // value: bytes; extra: 1 if it is a resident set, 2 if it is of a listing; adj: process state
    case footprint
    case frozen
    case thawed
    case processState  // value: the process state in the numbering of the log's Android
    case listed  // extra: a state, from a listing
    // About an activity: `pid` where the app itself says so, else `name` is the package.
    case activityResumed
    case activityPaused
    /// A line for people says that the package is started or shown.
    case packageShown
    case launchTook  // value: nanoseconds
    // About a package, from usage statistics.
    case usage  // extra: the type of the event; value: which activity or service, 0 if not said
    // About the system.
    case systemWarned  // value: the level
    case available  // value: bytes
    case systemMemory  // value: bytes
    case screen  // value: 1 if it is on
    case boot
  }

  /// In the zone of the log, as `LogcatClock` tells it.
  var nanoseconds: Int64
  var value: Int64 = 0
  /// Order of arrival.
  var order: Int = 0
  var line: UInt32
  /// Number of the name in the capture's table; `.max`: none.
  var name: UInt32 = .max
  /// `noProcess` if none is named.
  var pid: Int32 = Self.noProcess
  /// `oom_score_adj`; `noAdj` if it is not said.
  var adj: Int32 = Self.noAdj
  var kind: Kind
  var exit: AndroidExit = .unknown
  var extra: UInt8 = 0

  static let noProcess = Int32.min
  static let noAdj = Int32.min

  init(_ kind: Kind, at nanoseconds: Int64, line: Int) {
    self.kind = kind
    self.nanoseconds = nanoseconds
    self.line = UInt32(clamping: line)
  }

  /// Whether its name may be cut or be another than the log's: listings and the kernel do so.
  var isNameLoose: Bool { kind == .listed || kind != .started && extra & 2 == 2 }
  /// `oom_score_adj`, if it is said.
  var band: Int64? { adj == Self.noAdj ? nil : Int64(adj) }
}

/// Puts records in the order of time, within a window.
///
/// Buffers and sections of a log follow each other in a report, and who a process id means depends
/// on what came before. All records of all but enormous captures fit the window; in those, memory
/// stays bounded and what comes too late is counted.
struct AndroidRecordQueue {
  /// Most records that wait.
  static let capacity = 1 << 18

  private var waiting: [AndroidRecord] = []
  private var count = 0
  private var handedOutUntil = Int64.min

  /// Takes a record; false if it is older than what was handed out already.
  mutating func add(_ record: AndroidRecord) -> Bool {
    guard record.nanoseconds >= handedOutUntil else { return false }
    count += 1
    waiting.append(record)
    waiting[waiting.count - 1].order = count
    return true
  }

  /// Whether some must be handed out before more are taken.
  var isFull: Bool { waiting.count >= Self.capacity }
  /// Order of the newest record, counted from 1.
  var lastOrder: Int { count }

  /// Moves the waiting records that came after an order in time.
  mutating func shift(after order: Int, by nanoseconds: Int64) {
    for position in waiting.indices where waiting[position].order > order {
      waiting[position].nanoseconds += nanoseconds
    }
  }

  /// Hands out the older half of what waits, or all of it, in order.
  mutating func take(all: Bool) -> [AndroidRecord] {
    waiting.sort { ($0.nanoseconds, $0.order) < ($1.nanoseconds, $1.order) }
    let part = all ? waiting.count : waiting.count / 2
    let taken = Array(waiting.prefix(part))
    waiting.removeFirst(part)
    if let last = taken.last { handedOutUntil = max(handedOutUntil, last.nanoseconds) }
    return taken
  }
}
