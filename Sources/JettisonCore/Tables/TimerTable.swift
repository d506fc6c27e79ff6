/// Which timers of each app are set, and when they are due.
///
/// A timer is moved or cancelled by giving its entry in the queue a stale token.
struct TimerTable: ~Copyable {
  private static let kindCount = TimerKind.allCases.count
  /// What is due, in order, stale entries included.
  var queue = EventQueue()
  private var tokens: Column<UInt32>
  private var dueTimes: Column<Int64>
  /// Kinds that are set, a bit each, by subject; the due times of others mean nothing.
  private var setKinds: Column<UInt32>

  /// One row per app and one more for the timers of the device.
  init(appCount: Int) {
    tokens = Column(repeating: 0, count: (appCount + 1) * Self.kindCount)
    dueTimes = Column(repeating: 0, count: (appCount + 1) * Self.kindCount)
    setKinds = Column(repeating: 0, count: appCount + 1)
  }

  init(copying other: borrowing TimerTable) {
    queue = EventQueue(copying: other.queue)
    tokens = Column(copying: other.tokens)
    dueTimes = Column(copying: other.dueTimes)
    setKinds = Column(copying: other.setKinds)
  }

  /// The subject of timers that belong to no app.
  var device: UInt32 { UInt32(setKinds.count - 1) }

  @inline(__always)
  func isSet(_ kind: TimerKind, _ subject: UInt32) -> Bool {
    setKinds[Int(subject)] & Self.bit(kind) != 0
  }

  @inline(__always)
  func isAnySet(of subject: UInt32) -> Bool { setKinds[Int(subject)] != 0 }

  /// Sets a timer unless it is set for that very time.
  mutating func setOnce(_ kind: TimerKind, _ subject: UInt32, at time: Int64) {
    if !isSet(kind, subject) || dueTimes[slot(kind, subject)] != time {
      set(kind, subject, at: time)
    }
  }

  /// Sets a timer, moving it if it was set already.
  @inline(__always)
  mutating func set(_ kind: TimerKind, _ subject: UInt32, at time: Int64) {
    let slot = slot(kind, subject)
    // Wrapping on purpose: only equality with a token in the queue matters.
    tokens[slot] &+= 1
    dueTimes[slot] = time
    setKinds[Int(subject)] |= Self.bit(kind)
    queue.schedule(kind, at: time, subject: subject, token: tokens[slot])
  }

  @inline(__always)
  mutating func cancel(_ kind: TimerKind, _ subject: UInt32) {
    setKinds[Int(subject)] &= ~Self.bit(kind)
  }

  /// Cancels a timer that is set and cancelled all the time, and takes it off the queue at once
  /// instead of when it would have been due.
  mutating func withdraw(_ kind: TimerKind, _ subject: UInt32) {
    guard isSet(kind, subject) else { return }
    let slot = slot(kind, subject)
    queue.remove(kind, subject, token: tokens[slot], dueAt: dueTimes[slot])
    cancel(kind, subject)
  }

  @inline(__always)
  mutating func cancelAll(of subject: UInt32) { setKinds[Int(subject)] = 0 }

  /// Whether an entry taken off the queue is the one that was set last; unsets it if so.
  @inline(__always)
  mutating func accept(_ timer: Timer) -> Bool {
    guard isSet(timer.kind, timer.subject),
      tokens[slot(timer.kind, timer.subject)] == timer.token
    else { return false }
    cancel(timer.kind, timer.subject)
    return true
  }

  @inline(__always)
  private static func bit(_ kind: TimerKind) -> UInt32 { 1 << UInt32(kind.rawValue) }

  private func slot(_ kind: TimerKind, _ subject: UInt32) -> Int {
    Int(subject) * Self.kindCount + Int(kind.rawValue)
  }
}
