/// How long each app's footprint was how large, in buckets of at most 1/128 of the value.
///
/// Every bucket remembers the largest value it saw, and quantiles answer with it: exact for an
/// app that had one footprint in the bucket, at most 0.8 % high otherwise.
struct FootprintHistograms: ~Copyable {
  private var histograms: Column<FootprintHistogram>
  private var buckets = FootprintBuckets()

  init(appCount: Int) {
    histograms = Column(repeating: FootprintHistogram(), count: appCount)
  }

  init(copying other: borrowing FootprintHistograms) {
    histograms = Column(copying: other.histograms)
    buckets = FootprintBuckets(copying: other.buckets)
  }

  /// Takes an app's new footprint, 0 for none.
  ///
  /// Complexity: O(1) amortised.
  @inline(__always)
  mutating func change(_ app: AppIndex, to bytes: Int64, at time: Int64) {
    histograms[app.position].change(to: bytes, at: time, &buckets)
  }

  /// Takes new footprints of an app that has one, each larger by a step than the one before, for as
  /// long as `nextTime` says of a footprint when it ends; the result is the last.
  @inline(__always)
  mutating func grow(
    _ app: AppIndex, by step: Int64, _ nextTime: (_ bytes: Int64) -> Int64?
  ) -> Int64 {
    histograms[app.position].grow(by: step, &buckets, nextTime)
  }

  /// Takes the one footprint that an app has had so far, for so many nanoseconds.
  mutating func hold(_ app: AppIndex, _ bytes: Int64, for nanoseconds: Int64) {
    histograms[app.position].hold(bytes, for: nanoseconds)
  }

  /// Forgets the past and keeps the current footprints.
  mutating func restart(at time: Int64) {
    buckets.removeAll()
    for position in histograms.indices { histograms[position].restart(at: time) }
  }

  /// Forgets everything.
  mutating func removeAll() {
    buckets.removeAll()
    for position in histograms.indices { histograms[position] = FootprintHistogram() }
  }

  /// Quantiles over the time an app had a footprint, up to `time`.
  mutating func statistics(_ app: AppIndex, at time: Int64) -> FootprintStatistics {
    histograms[app.position].statistics(at: time, &buckets)
  }
}

/// How long one app's footprint was how large.
struct FootprintHistogram: BitwiseCopyable {
  private var row = FootprintBuckets.Row()
  private var currentBytes: Int64 = 0
  private var since: Int64 = 0
  private var maximum: Int64 = 0
  /// Time that is in no bucket yet, as an app often comes back as large as it was: at how many bytes,
  /// and how long, in nanoseconds.
  private var heldBytes: Int64 = 0
  private var heldNanoseconds: Int64 = 0

  @inline(__always)
  fileprivate mutating func change(
    to bytes: Int64, at time: Int64, _ buckets: inout FootprintBuckets
  ) {
    close(at: time, &buckets)
    currentBytes = bytes
    if bytes > maximum { maximum = bytes }
  }

  /// Nothing is held here, as no footprint comes back at once: then all is in registers.
  @inline(__always)
  fileprivate mutating func grow(
    by step: Int64, _ buckets: inout FootprintBuckets, _ nextTime: (_ bytes: Int64) -> Int64?
  ) -> Int64 {
    assert(currentBytes > 0, "an app that grows unseen has a footprint")
    var (row, bytes, since) = (row, currentBytes, since)
    while let time = nextTime(bytes) {
      buckets.add(time - since, at: bytes, to: &row)
      since = time
      bytes += step
    }
    (self.row, currentBytes, self.since) = (row, bytes, since)
    maximum = max(maximum, bytes)
    return bytes
  }

  fileprivate mutating func hold(_ bytes: Int64, for nanoseconds: Int64) {
    maximum = bytes
    heldBytes = bytes
    heldNanoseconds = nanoseconds
  }

  fileprivate mutating func restart(at time: Int64) {
    row = FootprintBuckets.Row()
    heldNanoseconds = 0
    since = time
    maximum = 0
  }

  fileprivate mutating func statistics(
    at time: Int64, _ buckets: inout FootprintBuckets
  ) -> FootprintStatistics {
    close(at: time, &buckets)
    sortIn(&buckets)
    var statistics = FootprintStatistics()
    statistics.footprintBytesP50 = buckets.quantile(of: row, percent: 50) ?? maximum
    statistics.footprintBytesP95 = buckets.quantile(of: row, percent: 95) ?? maximum
    statistics.footprintBytesMax = maximum
    return statistics
  }

  @inline(__always)
  private mutating func close(at time: Int64, _ buckets: inout FootprintBuckets) {
    guard time > since else { return }
    let duration = time - since
    since = time
    guard currentBytes > 0 else { return }
    if currentBytes > maximum { maximum = currentBytes }
    if currentBytes != heldBytes {
      sortIn(&buckets)
      heldBytes = currentBytes
    }
    heldNanoseconds += duration
  }

  /// Puts the time that is held into its bucket.
  @inline(__always)
  private mutating func sortIn(_ buckets: inout FootprintBuckets) {
    guard heldNanoseconds > 0 else { return }
    buckets.add(heldNanoseconds, at: heldBytes, to: &row)
    heldNanoseconds = 0
  }
}

/// The buckets of all apps, a row for each: it begins with the lowest that was used, as most apps use
/// few.
struct FootprintBuckets: ~Copyable {
  private static let precisionBits = 7

  /// Buckets that stand together.
  struct Row: BitwiseCopyable {
    /// Numbers of the lowest bucket, and of the one after the highest.
    var lowest = 0
    var end = 0
    /// From the number of a bucket to where it stands.
    var offset = 0

    /// Where they stand.
    var places: Range<Int> { lowest + offset..<end + offset }
  }

  // Not private: then the compiler (6.3) fails in debug builds.
  struct Bucket: BitwiseCopyable {
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

  private var buckets = Column<Bucket>(capacity: 256)

  init() {}

  init(copying other: borrowing FootprintBuckets) {
    buckets = Column(copying: other.buckets)
  }

  /// Adds a time to the bucket of a value.
  @inline(__always)
  mutating func add(_ nanoseconds: Int64, at bytes: Int64, to row: inout Row) {
    let number = Self.number(of: bytes)
    if number < row.lowest || number >= row.end { row = widened(row, to: number) }
    buckets[row.offset + number].add(nanoseconds, at: bytes)
  }

  /// Moves a row behind all others, with room for one more bucket and, as the next is most likely
  /// beyond that, for half as many again.
  @inline(never)
  private mutating func widened(_ row: Row, to number: Int) -> Row {
    var wider = Row(lowest: number, end: number + 1)
    if row.lowest < row.end {
      wider.lowest = min(wider.lowest, row.lowest)
      wider.end = max(wider.end, row.end)
    }
    let spare = 4 + (wider.end - wider.lowest) / 2
    if number < row.lowest {
      wider.lowest = max(0, wider.lowest - spare)
    } else {
      wider.end += spare
    }
    wider.offset = buckets.count - wider.lowest
    buckets.resize(to: wider.places.upperBound, repeating: Bucket())
    for old in row.lowest..<row.end { buckets[wider.offset + old] = buckets[row.offset + old] }
    return wider
  }

  mutating func removeAll() { buckets.removeAll() }

  /// The value below or at which `percent` of a row's time was spent; nil where no time has passed.
  func quantile(of row: Row, percent: Int) -> Int64? {
    var total = 0.0
    for place in row.places { total += Double(buckets[place].duration) }
    guard total > 0 else { return nil }
    var passed = 0.0
    for place in row.places where buckets[place].duration > 0 {
      passed += Double(buckets[place].duration)
      if passed * 100 >= total * Double(percent) { return buckets[place].largest }
    }
    return nil
  }

  /// The number of a value's bucket: logarithmic above 2^7, linear below.
  ///
  /// Complexity: O(1).
  @inline(__always)
  private static func number(of bytes: Int64) -> Int {
    let exponent = 63 - bytes.leadingZeroBitCount
    guard exponent > precisionBits else { return Int(bytes) }
    let shift = exponent - precisionBits
    return (shift + 1) << precisionBits + Int(bytes &>> Int64(shift)) - 1 << precisionBits
  }
}
