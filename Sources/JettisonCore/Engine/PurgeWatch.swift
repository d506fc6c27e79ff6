/// A purge whose bytes have not been needed yet.
struct WatchedPurge: BitwiseCopyable {
  let app: AppIndex
  /// Whether the app runs again.
  var hasReturned = false
  let freedBytes: Int64
  /// Available memory below which the freed bytes were needed.
  let neededBelow: Int64
  /// When its decision was over.
  let time: Int64
}

/// Purges of the last while that were not needed so far, in the order of time.
///
/// A purge that is not needed for a minute was wasted; one that is not when the user comes back, within
/// ten, was needless. Nearly all are needed at once, so there are few.
struct PurgeWatch: ~Copyable {
  private static let wasteNanoseconds: Int64 = 60_000_000_000
  private static let returnNanoseconds: Int64 = 600_000_000_000

  private var purges = Column<WatchedPurge>()
  /// Where those begin whose minute is not over.
  private var freshStart = 0
  /// At least the largest need among them; the smallest number there is without any.
  private(set) var need = Int64.min
  /// When the next minute, or ten, are over; the largest number there is without any.
  private(set) var firstDeadline = Int64.max

  init() {}

  init(copying other: borrowing PurgeWatch) {
    purges = Column(copying: other.purges)
    freshStart = other.freshStart
    need = other.need
    firstDeadline = other.firstDeadline
  }

  @inline(__always)
  mutating func add(_ purge: WatchedPurge) {
    purges.append(purge)
    need = max(need, purge.neededBelow)
    firstDeadline = min(firstDeadline, Self.end(of: Self.wasteNanoseconds, purge))
  }

  mutating func removeAll() {
    purges.removeAll()
    freshStart = 0
    update()
  }

  /// Forgets those whose bytes are needed now.
  @inline(__always)
  mutating func drop(availableBytes: Int64) {
    if availableBytes < need { keep { availableBytes >= $0.neededBelow } }
  }

  /// Hands out those whose minute is over before `time`, and forgets those whose ten minutes are.
  mutating func expire(at time: Int64, wasted: (WatchedPurge) -> Void) {
    while freshStart < purges.count,
      Self.end(of: Self.wasteNanoseconds, purges[freshStart]) < time
    {
      wasted(purges[freshStart])
      freshStart += 1
    }
    // Who has returned is watched for the minute only.
    keep {
      Self.end(of: $0.hasReturned ? Self.wasteNanoseconds : Self.returnNanoseconds, $0) >= time
    }
  }

  /// An app runs again; whether its purge was still watched.
  @inline(__always)
  mutating func noteReturn(of app: AppIndex) -> Bool {
    for place in purges.indices where purges[place].app == app && !purges[place].hasReturned {
      purges[place].hasReturned = true
      return true
    }
    return false
  }

  /// When a window is over for a purge.
  private static func end(of nanoseconds: Int64, _ purge: WatchedPurge) -> Int64 {
    purge.time.addingSaturated(nanoseconds)
  }

  @inline(__always)
  private mutating func keep(_ isKept: (WatchedPurge) -> Bool) {
    var kept = 0
    var fresh = 0
    for place in purges.indices {
      let purge = purges[place]
      guard isKept(purge) else { continue }
      if place < freshStart { fresh += 1 }
      purges[kept] = purge
      kept += 1
    }
    purges.truncate(to: kept)
    freshStart = fresh
    update()
  }

  private mutating func update() {
    need = .min
    for place in purges.indices { need = max(need, purges[place].neededBelow) }
    firstDeadline = .max
    if !purges.isEmpty { firstDeadline = Self.end(of: Self.returnNanoseconds, purges[0]) }
    if freshStart < purges.count {
      firstDeadline = min(firstDeadline, Self.end(of: Self.wasteNanoseconds, purges[freshStart]))
    }
  }
}
