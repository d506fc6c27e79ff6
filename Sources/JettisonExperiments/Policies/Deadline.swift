/// A watchdog for programs outside: it can only end a run, never change its result.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(after limit: Duration) {
    end = ContinuousClock.now + limit
  }

  /// Milliseconds left, rounded up; 0 when it has passed.
  var millisecondsLeft: Int32 {
    let (seconds, attoseconds) = (end - ContinuousClock.now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: milliseconds)
  }
}
