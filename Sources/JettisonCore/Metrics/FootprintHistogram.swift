/// How long an app's footprint was how large, in buckets of at most 1/128 of the value.
///
/// Every bucket remembers the largest value it saw, and quantiles answer with it: exact for an
/// app that had one footprint in the bucket, at most 0.8 % high otherwise.
struct FootprintHistogram: Sendable {
  private static let precisionBits = 7
  private struct Bucket: BitwiseCopyable, Sendable {
    /// How long, in nanoseconds.
    var duration: Int64 = 0
    /// The largest value seen, in bytes.
    var largest: Int64 = 0

    @inline(__always)
    mutating func add(_ nanoseconds: Int64, at bytes: Int64) {
      duration += nanoseconds
      largest = max(largest, bytes)
    }
  }

  /// The number of the lowest bucket that was ever used: the list begins there, as most apps use
  /// few.
  private var lowest = 0
  private var buckets: [Bucket] = []
  private var currentBytes: Int64 = 0
  private var since: Int64 = 0
  private var maximum: Int64 = 0
  /// Time that is in no bucket yet, as an app often comes back as large as it was: at how many bytes,
  /// and how long, in nanoseconds.
  private var heldBytes: Int64 = 0
  private var heldNanoseconds: Int64 = 0

  /// Takes a new footprint, 0 for none.
  ///
  /// Complexity: O(1).
  @inline(__always)
  mutating func change(to bytes: Int64, at time: Int64) {
    close(at: time)
    currentBytes = bytes
    if bytes > maximum { maximum = bytes }
  }

  /// Forgets the past and keeps the current footprint.
  mutating func restart(at time: Int64) {
    for position in buckets.indices { buckets[position] = Bucket() }
    heldNanoseconds = 0
    since = time
    maximum = 0
  }

  /// Quantiles over the time the app had a footprint, up to `time`.
  func statistics(at time: Int64) -> FootprintStatistics {
    var closed = self
    closed.close(at: time)
    closed.sortIn()
    var statistics = FootprintStatistics()
    statistics.footprintBytesP50 = closed.quantile(percent: 50)
    statistics.footprintBytesP95 = closed.quantile(percent: 95)
    statistics.footprintBytesMax = closed.maximum
    return statistics
  }

  @inline(__always)
  private mutating func close(at time: Int64) {
    guard time > since else { return }
    let duration = time - since
    since = time
    guard currentBytes > 0 else { return }
    if currentBytes > maximum { maximum = currentBytes }
    if currentBytes != heldBytes {
      sortIn()
      heldBytes = currentBytes
    }
    heldNanoseconds += duration
  }

  /// Puts the time that is held into its bucket.
  @inline(__always)
  private mutating func sortIn() {
    guard heldNanoseconds > 0 else { return }
    let number = Self.bucket(of: heldBytes)
    if number < lowest || number >= lowest + buckets.count { makeRoom(for: number) }
    buckets[number - lowest].add(heldNanoseconds, at: heldBytes)
    heldNanoseconds = 0
  }

  @inline(never)
  private mutating func makeRoom(for number: Int) {
    if buckets.isEmpty { lowest = number }
    let below = repeatElement(Bucket(), count: max(0, lowest - number))
    buckets.insert(contentsOf: below, at: 0)
    lowest = min(lowest, number)
    let above = repeatElement(Bucket(), count: max(0, number + 1 - lowest - buckets.count))
    buckets.append(contentsOf: above)
  }

  /// The value below or at which the app spent `percent` of its time; its largest where no time
  /// has passed.
  private func quantile(percent: Int) -> Int64 {
    let total = buckets.reduce(0.0) { $0 + Double($1.duration) }
    guard total > 0 else { return maximum }
    var passed = 0.0
    for bucket in buckets where bucket.duration > 0 {
      passed += Double(bucket.duration)
      if passed * 100 >= total * Double(percent) { return bucket.largest }
    }
    return maximum
  }

  /// Logarithmic above 2^7, linear below.
  ///
  /// Complexity: O(1).
  @inline(__always)
  private static func bucket(of bytes: Int64) -> Int {
    let exponent = 63 - bytes.leadingZeroBitCount
    guard exponent > precisionBits else { return Int(bytes) }
    let shift = exponent - precisionBits
    return (shift + 1) << precisionBits + Int(bytes &>> Int64(shift)) - 1 << precisionBits
  }
}
