import HeapModule

/// What a timer does when it is due.
///
/// At one instant timers run by ``rank``, and within it in the order in which they were set: see
/// <doc:TheModel#One-instant>.
enum TimerKind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  /// A save ends; the subject is a save slot. A task that the save runs under ends with it.
  case saveEnd
  case expirationHandler
  case handlerDeadline
  case taskDeadline
  case suspension
  case response
  case warningDelivery
  case growth
  case decay
  case timerSave
  case purgeDelay
  /// An app's protection in its band ends.
  case ageing
  /// Pages are reclaimed in the background, and missing ones read again.
  case reclaim
  /// A killer polls.
  case pressurePoll
  /// A rest between warnings, or between kills, ends.
  case pressureRest
  case sustainedPressure
  case reaperSweep
  case killTimeout
  /// An app that a decision ended may go again (`+interval`).
  case restEnd
  /// An app that vanished in the user's hand is in front again.
  case restart
  /// An app is polled, or ended, for a limit of its own.
  case ownLimit

  /// Rank at one instant: kinds of equal rank run in the order in which they were set.
  var rank: UInt8 {
    switch self {
    case .saveEnd: 0
    case .restart: 1
    case .expirationHandler: 2
    case .handlerDeadline, .taskDeadline: 3
    case .suspension: 4
    case .response: 5
    case .warningDelivery: 6
    case .growth: 7
    case .decay: 8
    case .timerSave: 9
    case .purgeDelay: 10
    case .ageing: 11
    case .reclaim, .ownLimit: 12
    case .pressurePoll, .pressureRest, .sustainedPressure, .reaperSweep, .killTimeout: 13
    case .restEnd: 14
    }
  }
}

/// One entry of the queue.
///
/// Stale entries are recognised by their token and skipped.
struct Timer: Comparable, BitwiseCopyable {
  let timeNanoseconds: Int64
  /// Rank in the upper 8 bits, and the place among equals below.
  let order: UInt64
  /// An app, a save slot or 0, by kind.
  let subject: UInt32
  let token: UInt32
  let kind: TimerKind

  static func < (lhs: Timer, rhs: Timer) -> Bool {
    if lhs.timeNanoseconds != rhs.timeNanoseconds {
      return lhs.timeNanoseconds < rhs.timeNanoseconds
    }
    return lhs.order < rhs.order
  }

  static func == (lhs: Timer, rhs: Timer) -> Bool {
    lhs.timeNanoseconds == rhs.timeNanoseconds && lhs.order == rhs.order
  }
}

/// Timers in the order (time, rank, sequence); the queue owns the sequence.
///
/// Hardly ever are more than a handful set, so the next ones are a short list in order; a heap
/// takes what it cannot hold.
struct EventQueue: ~Copyable {
  private static let nearLimit = 64

  /// The next timers, the first of them last.
  private var near = Column<Timer>(capacity: EventQueue.nearLimit + 1)
  /// Timers after those.
  private var far = Heap<Timer>()
  /// When the next poll of a killer that polls is due; `.max`: none is set.
  ///
  /// As no other timer is set anew so often, and there is one at most, it stays out of the list, and
  /// what is taken off the queue is what was set last.
  private(set) var pollTime = Int64.max
  private var pollOrder: UInt64 = 0
  private var sequence: UInt64 = 0

  /// When the next timer is due; `.max` if there is none.
  private(set) var nextTime: Int64 = .max

  init() {}

  init(copying other: borrowing EventQueue) {
    near = Column(copying: other.near)
    far = other.far
    pollTime = other.pollTime
    pollOrder = other.pollOrder
    sequence = other.sequence
    nextTime = other.nextTime
  }

  /// Sets a timer.
  ///
  /// Complexity: O(log n).
  mutating func schedule(
    _ kind: TimerKind, at timeNanoseconds: Int64, subject: UInt32, token: UInt32
  ) {
    assert(kind != .pressurePoll, "polls of killers that poll are no list")
    sequence += 1
    // Of autosave timers some are set late, when there is something to save: their order is that of
    // the apps.
    let place = kind == .timerSave ? UInt64(subject) : sequence
    insert(
      Timer(
        timeNanoseconds: timeNanoseconds, order: Self.order(kind, place: place),
        subject: subject, token: token, kind: kind))
    nextTime = min(nextTime, timeNanoseconds)
  }

  @inline(__always)
  private static func order(_ kind: TimerKind, place: UInt64) -> UInt64 {
    UInt64(kind.rank) << 56 | place
  }

  /// Sets the next poll of a killer that polls, in the place of the one before.
  mutating func setPoll(at timeNanoseconds: Int64) {
    sequence += 1
    pollTime = timeNanoseconds
    pollOrder = Self.order(.pressurePoll, place: sequence)
    updateNextTime()
  }

  /// Forgets the next poll of a killer that polls.
  mutating func dropPoll() {
    pollTime = .max
    updateNextTime()
  }

  @inline(__always)
  private mutating func insert(_ timer: Timer) {
    guard far.isEmpty, near.count < Self.nearLimit else { return insertAmongMany(timer) }
    insertNear(timer)
  }

  @inline(never)
  private mutating func insertAmongMany(_ timer: Timer) {
    if let first = far.min, first < timer {
      far.insert(timer)
      return
    }
    insertNear(timer)
    if near.count > Self.nearLimit { moveLaterHalf() }
  }

  @inline(__always)
  private mutating func insertNear(_ timer: Timer) {
    var hole = near.count
    near.append(timer)
    guard hole > 0, near[hole - 1] < timer else { return }
    repeat {
      near[hole] = near[hole - 1]
      hole -= 1
    } while hole > 0 && near[hole - 1] < timer
    near[hole] = timer
  }

  /// Takes a timer off that is not due yet, unless it is so far off that it does not matter.
  mutating func remove(_ kind: TimerKind, _ subject: UInt32, token: UInt32, dueAt time: Int64) {
    var place = near.count - 1
    while place >= 0, near[place].timeNanoseconds <= time {
      if near[place].token == token, near[place].subject == subject, near[place].kind == kind {
        for later in place..<near.count - 1 { near[later] = near[later + 1] }
        _ = near.removeLast()
        updateNextTime()
        return
      }
      place -= 1
    }
  }

  @inline(never)
  private mutating func moveLaterHalf() {
    let moved = near.count / 2
    for position in 0..<moved { far.insert(near[position]) }
    for position in moved..<near.count { near[position - moved] = near[position] }
    for _ in 0..<moved { _ = near.removeLast() }
  }

  /// Takes the next timer off, which must exist.
  ///
  /// Complexity: O(log n).
  @inline(__always)
  mutating func popNext() -> Timer {
    if pollTime <= nextTime, isPollFirst { return popPoll() }
    let timer = near.isEmpty ? far.removeMin() : near.removeLast()
    updateNextTime()
    return timer
  }

  private mutating func popPoll() -> Timer {
    let poll = Timer(
      timeNanoseconds: pollTime, order: pollOrder, subject: 0, token: 0, kind: .pressurePoll)
    dropPoll()
    return poll
  }

  /// Whether the poll comes before all other timers of its time.
  private var isPollFirst: Bool {
    guard let other = near.isEmpty ? far.min : near.last else { return true }
    return other.timeNanoseconds > pollTime || other.order > pollOrder
  }

  @inline(__always)
  private mutating func updateNextTime() {
    let time =
      near.isEmpty ? (far.min?.timeNanoseconds ?? .max) : near[near.count - 1].timeNanoseconds
    nextTime = min(time, pollTime)
  }
}
