internal import JettisonModel

/// What a row does to the life of its app.
enum LifeChange: UInt8 {
  /// Nothing.
  case none
  /// A generation begins. Slots of one that only `observed-exit` had ended are free now.
  case begins
  /// The generation ends, and its slots are free.
  case ends
  /// The real system ended the app. Its slots stay taken until the next generation begins,
  /// because the app may still live in the simulation.
  case endsObserved
  /// Every generation ends.
  case boot
}

/// The rules that rows obey whichever form they come in: time, columns, ranges and lives.
///
/// Blocks and tasks are checked where their ids or slots are known.
struct TraceRules {
  /// What is counted where a trace has no `end` row.
  static let noEndIssue = "no 'end' row: the capture ends at its last event"

  private struct Life: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    /// The app runs in the capture.
    static let alive = Life(rawValue: 1 << 0)
    /// It ran at some time.
    static let lived = Life(rawValue: 1 << 1)
    /// It is in ``TraceRules/bootList``.
    static let listed = Life(rawValue: 1 << 2)
  }

  private let shapes = EventKind.allCases.map(EventShape.of)
  private var lives: [Life] = []
  /// Whether each app has a row.
  private(set) var isUsed: [Bool] = []
  /// Apps that may hold slots; emptied by `boot`.
  private(set) var bootList: [UInt32] = []
  private var byteSum: Int64 = 0
  private var workSum: Int64 = 0
  private var hasFront = false
  /// Time of the row before.
  private(set) var lastTime: Int64 = 0
  private(set) var hasEnd = false

  /// What a row without a change of lives books: enough to take it back.
  struct Mark {
    fileprivate let byteSum: Int64
    fileprivate let lastTime: Int64
    fileprivate let app: Int?
    fileprivate let isUsed: Bool
  }

  /// Where the rules stand before a row of an app.
  @inline(__always)
  func mark(_ app: UInt32?) -> Mark {
    let known = app.flatMap { Int($0) < isUsed.count ? Int($0) : nil }
    return Mark(
      byteSum: byteSum, lastTime: lastTime, app: known, isUsed: known.map { isUsed[$0] } ?? false)
  }

  /// Takes back a row of a block or a task: such a row changes no life and has no work.
  mutating func goBack(to mark: Mark) {
    byteSum = mark.byteSum
    lastTime = mark.lastTime
    if let app = mark.app { isUsed[app] = mark.isUsed }
  }

  /// Makes room for one more app.
  mutating func addApp() {
    lives.append([])
    isUsed.append(false)
  }

  /// What is odd about a row, though it is no fault; nil: nothing.
  @inline(__always)
  func issue(_ kind: EventKind, app: UInt32?, value: Int64?) -> String? {
    guard let app, Int(app) < lives.count else { return nil }
    let life = lives[Int(app)]
    switch (kind, value) {
    case (.footprint, _), (.adj, _):
      return life.contains(.lived) ? nil : "\(kind.name) of an app that has not run yet"
    // What is given back was over with the life anyway.
    case (.quit, _), (.backgroundMode, 1), (.sharedResource, 1):
      return life.contains(.alive) ? nil : "\(kind.name) of an app that does not run"
    default: return nil
    }
  }

  /// Checks one row and books what it does; a row that is refused books nothing.
  ///
  /// Budget: 30 instructions.
  mutating func check(
    _ kind: EventKind, time: Int64, app: UInt32?, value: Int64?, hasID: Bool, detail: EventDetail
  ) throws(TraceFault) -> LifeChange {
    try checkTime(time)
    try checkColumns(kind, app: app, value: value, hasID: hasID)
    let change = try book(kind, time: time, app: app ?? .max, value: value ?? 0, detail: detail)
    lastTime = time
    if let app { isUsed[Int(app)] = true }
    return change
  }

  /// Checks and books a row of a block as ``check(_:time:app:value:hasID:detail:)`` does, whose columns
  /// are right.
  mutating func checkBlock(
    _ kind: EventKind, time: Int64, app: UInt32, bytes: Int64
  ) throws(TraceFault) {
    try checkTime(time)
    guard app < lives.count else { throw .unknownNumber(.app) }
    let range = 0...TraceLimits.bytes
    guard range.contains(bytes) else { throw .valueOutOfRange(bytes, kind, range) }
    guard isAlive(Int(app)) else { throw .notRunning(kind) }
    try addBytes(bytes)
    lastTime = time
    isUsed[Int(app)] = true
  }

  /// Checks what a row whose columns are right does, and books it.
  mutating func book(
    _ kind: EventKind, time: Int64, app: UInt32, value: Int64, detail: EventDetail
  ) throws(TraceFault) -> LifeChange {
    let sums = try sums(kind, value: value, detail: detail)
    let change = try checkLife(kind, time: time, app: app, detail: detail)
    (byteSum, workSum) = sums
    return change
  }

  /// Whether an app runs in the capture.
  @inline(__always) func isAlive(_ app: Int) -> Bool { lives[app].contains(.alive) }

  /// Books the time of a row that is no event.
  mutating func advance(to time: Int64) throws(TraceFault) {
    try checkTime(time)
    lastTime = time
  }

  @inline(__always)
  private func checkTime(_ time: Int64) throws(TraceFault) {
    if hasEnd { throw .afterEnd }
    if time < lastTime {
      throw time < 0 ? .timeOutOfRange(time) : .timeDecreases(time, previous: lastTime)
    }
    if time > TraceLimits.timeNanoseconds { throw .timeOutOfRange(time) }
  }

  private func checkColumns(
    _ kind: EventKind, app: UInt32?, value: Int64?, hasID: Bool
  ) throws(TraceFault) {
    let shape = shapes[Int(kind.rawValue)]
    if let app {
      if shape.app == .none { throw .unexpected(.app, kind) }
      if Int(app) >= lives.count { throw .unknownNumber(.app) }
    } else if shape.app == .required {
      throw .missing(.app, kind)
    }
    if let value {
      if shape.value == .none { throw .unexpected(.value, kind) }
      if value < shape.lowest || value > shape.highest {
        throw .valueOutOfRange(value, kind, shape.lowest...shape.highest)
      }
    } else if shape.value == .required {
      throw .missing(.value, kind)
    }
    if hasID != (shape.id == .required) {
      throw hasID ? .unexpected(.id, kind) : .missing(.id, kind)
    }
  }

  private mutating func checkLife(
    _ kind: EventKind, time: Int64, app: UInt32, detail: EventDetail
  ) throws(TraceFault) -> LifeChange {
    switch kind {
    case .alloc, .realloc, .free, .edit, .save, .taskBegin, .taskEnd, .gpuWork:
      if !lives[Int(app)].contains(.alive) { throw .notRunning(kind) }
      return .none
    case .launch, .backgroundLaunch: return begin(app)
    case .deviceChange:
      if detail.changeKind == 0 { throw .detailMissing("kind", kind) }
      return .none
    case .present:
      if time > 0 { throw .presentLate }
      if lives[Int(app)].contains(.lived) { throw .presentAgain }
      if detail.presentState == .front {
        if hasFront { throw .secondFront }
        hasFront = true
      }
      return begin(app)
    case .exit, .crash:
      if !lives[Int(app)].contains(.alive) { throw .notRunning(kind) }
      lives[Int(app)].remove(.alive)
      return .ends
    case .quit, .update:
      lives[Int(app)].remove(.alive)
      return .ends
    case .observedExit:
      lives[Int(app)].remove(.alive)
      return .endsObserved
    case .boot: return .boot
    case .end:
      hasEnd = true
      return .none
    default: return .none
    }
  }

  private mutating func begin(_ app: UInt32) -> LifeChange {
    let life = lives[Int(app)]
    if life.contains(.alive) { return .none }
    if !life.contains(.listed) { bootList.append(app) }
    lives[Int(app)] = [.alive, .lived, .listed]
    return .begins
  }

  /// Empties ``bootList`` once its apps have given their slots back.
  mutating func finishBoot() {
    for app in bootList { lives[Int(app)] = .lived }
    bootList.removeAll(keepingCapacity: true)
  }

  /// The sums with those of a row: every sum that a replay may build stays within 64 bits.
  @inline(__always)
  private func sums(
    _ kind: EventKind, value: Int64, detail: EventDetail
  ) throws(TraceFault) -> (bytes: Int64, work: Int64) {
    switch kind {
    case .alloc, .realloc: return (try bytes(with: value), workSum)
    case .edit:
      return (try bytes(with: value), try work(with: detail.workNanoseconds))
    case .present:
      // Each term is at most 1 TiB: their sum is far from an overflow.
      return (
        try bytes(with: value + detail.unsavedBytes), try work(with: detail.unsavedWorkNanoseconds)
      )
    default: return (byteSum, workSum)
    }
  }

  // Neither sum can overflow: both terms are at most 2^61.

  @inline(__always)
  private func bytes(with bytes: Int64) throws(TraceFault) -> Int64 {
    let sum = byteSum + bytes
    if sum > TraceLimits.sum { throw .sumOutOfRange(.value) }
    return sum
  }

  private func work(with nanoseconds: Int64) throws(TraceFault) -> Int64 {
    let sum = workSum + nanoseconds
    if sum > TraceLimits.sum { throw .sumOutOfRange(.detail) }
    return sum
  }

  mutating func addBytes(_ bytes: Int64) throws(TraceFault) {
    byteSum = try self.bytes(with: bytes)
  }
}
