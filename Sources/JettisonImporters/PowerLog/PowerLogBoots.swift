/// Finds the starts of the device in a power log.
///
/// The log names some of them (`DeviceBootTime`, on the log's clock: it agrees with the processor's
/// count of ticks since the start that the log keeps at each wake). Others show when the log's own
/// process starts and finds most apps under other process numbers than before.
enum PowerLogBoots {
  /// Rows this long before and after a start of the log's process are what it found.
  private static let window: Int64 = 5_000_000_000
  /// Starts that are named twice are this close to each other.
  private static let slack: Int64 = 2_000_000_000

  /// The starts of the device, in order, on the log's clock.
  ///
  /// Complexity: O(rows).
  static func find(_ rows: PowerLogRows) -> [Int64] {
    var boots: [Int64] = []
    for boot in rows.boots where boots.last.map({ boot - $0 > slack }) ?? true {
      boots.append(boot)
    }
    let named = boots
    var pids: [Int32: Int64] = [:]
    var next = 0
    var nextNamed = 0
    var end = Int64.min
    for start in rows.logStarts where start - window > end {
      end = start + window
      let last = advance(rows.records, &next, &pids, before: start - window)
      let now = found(rows.records, &next, upTo: end)
      let known = now.filter { pids[$0.key] != nil }
      let others = known.count { pids[$0.key] != $0.value }
      while nextNamed < named.count, named[nextNamed] <= last { nextNamed += 1 }
      let isNamed = nextNamed < named.count && named[nextNamed] <= start
      if others * 2 > known.count, !isNamed { boots.append(start - window) }
      pids.merge(now) { _, new in new }
    }
    return boots.sorted()
  }

  /// Remembers the process number of each app before a time; when the last row was.
  private static func advance(
    _ records: [PowerLogRecord], _ next: inout Int, _ pids: inout [Int32: Int64], before end: Int64
  ) -> Int64 {
    while next < records.count, records[next].nanoseconds < end {
      note(records[next], &pids)
      next += 1
    }
    return next > 0 ? records[next - 1].nanoseconds : .min
  }

  /// The process number of each app up to a time.
  private static func found(
    _ records: [PowerLogRecord], _ next: inout Int, upTo end: Int64
  ) -> [Int32: Int64] {
    var pids: [Int32: Int64] = [:]
    while next < records.count, records[next].nanoseconds <= end {
      note(records[next], &pids)
      next += 1
    }
    return pids
  }

  private static func note(_ record: PowerLogRecord, _ pids: inout [Int32: Int64]) {
    guard case .state(let state, let pid, _) = record.kind, state != .terminated else { return }
    pids[record.name] = pid
  }
}
