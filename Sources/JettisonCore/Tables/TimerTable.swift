/// Which timers of each app are set, and when they are due.
///
/// A timer is moved or cancelled by giving its entry in the queue a stale token.
struct TimerTable: ~Copyable {
  private static let kindCount = TimerKind.allCases.count
  private var tokens: Column<UInt32>
  private var dueTimes: Column<Int64>

  /// One row per app and one more for the timers of the device.
  init(appCount: Int) {
    tokens = Column(repeating: 0, count: (appCount + 1) * Self.kindCount)
    dueTimes = Column(repeating: -1, count: (appCount + 1) * Self.kindCount)
  }

  init(copying other: borrowing TimerTable) {
    tokens = Column(copying: other.tokens)
    dueTimes = Column(copying: other.dueTimes)
  }

  /// The subject of timers that belong to no app.
  var device: UInt32 { UInt32(tokens.count / Self.kindCount - 1) }

  func isSet(_ kind: TimerKind, _ subject: UInt32) -> Bool {
    dueTimes[slot(kind, subject)] >= 0
  }

  /// When a timer that is set is due, in nanoseconds.
  func dueTime(_ kind: TimerKind, _ subject: UInt32) -> Int64 { dueTimes[slot(kind, subject)] }

  /// Sets a timer unless it is set for that very time.
  mutating func setOnce(
    _ kind: TimerKind, _ subject: UInt32, at time: Int64, in queue: inout EventQueue
  ) {
    if dueTimes[slot(kind, subject)] != time { set(kind, subject, at: time, in: &queue) }
  }

  /// Sets a timer, moving it if it was set already.
  mutating func set(
    _ kind: TimerKind, _ subject: UInt32, at time: Int64, in queue: inout EventQueue
  ) {
    let slot = slot(kind, subject)
    // Wrapping on purpose: only equality with a token in the queue matters.
    tokens[slot] &+= 1
    dueTimes[slot] = time
    queue.schedule(kind, at: time, subject: subject, token: tokens[slot])
  }

  mutating func cancel(_ kind: TimerKind, _ subject: UInt32) {
    dueTimes[slot(kind, subject)] = -1
  }

  /// Cancels a timer that is set and cancelled all the time, and takes it off the queue at once
  /// instead of when it would have been due.
  mutating func withdraw(_ kind: TimerKind, _ subject: UInt32, from queue: inout EventQueue) {
    let slot = slot(kind, subject)
    guard dueTimes[slot] >= 0 else { return }
    queue.remove(kind, subject, token: tokens[slot], dueAt: dueTimes[slot])
    dueTimes[slot] = -1
  }

  mutating func cancelAll(of subject: UInt32) {
    let first = Int(subject) * Self.kindCount
    for slot in first..<first + Self.kindCount { dueTimes[slot] = -1 }
  }

  /// Whether an entry taken off the queue is the one that was set last; unsets it if so.
  @inline(__always)
  mutating func accept(_ timer: Timer) -> Bool {
    let slot = slot(timer.kind, timer.subject)
    guard dueTimes[slot] >= 0, tokens[slot] == timer.token else { return false }
    dueTimes[slot] = -1
    return true
  }

  private func slot(_ kind: TimerKind, _ subject: UInt32) -> Int {
    Int(subject) * Self.kindCount + Int(kind.rawValue)
  }
}
