/// What a whole number adds up to over time: its value times how long it had it.
///
/// Exact, however often it is read.
struct TimeIntegral: BitwiseCopyable {
  /// The number now.
  private(set) var value: Int64 = 0
  /// Up to ``since``.
  private var sum: Int128 = 0
  private var since: Int64 = 0

  /// The number changes.
  @inline(__always)
  mutating func change(by delta: Int64, at time: Int64) {
    close(at: time)
    value += delta
  }

  /// Adds a value that held for so many nanoseconds, whenever that was.
  mutating func add(_ value: Int64, for nanoseconds: Int64) {
    sum &+= Int128(value) &* Int128(nanoseconds)
  }

  /// Forgets the past and keeps the number.
  mutating func restart(at time: Int64) {
    sum = 0
    since = time
  }

  /// The mean over so many nanoseconds, of which the last is `time`.
  mutating func mean(over duration: Int64, until time: Int64) -> Double {
    close(at: time)
    return Double(sum) / Double(duration)
  }

  @inline(__always)
  private mutating func close(at time: Int64) {
    // Often at the time of the last change, so that a branch would be a guess.
    let end = max(time, since)
    // Wrapping on purpose: numbers are below 2^61, and all times together below 2^63.
    sum &+= Int128(value) &* Int128(end &- since)
    since = end
  }
}
