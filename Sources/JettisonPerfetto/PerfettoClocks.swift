/// Turns times of the clocks of a Perfetto trace into nanoseconds since the device started.
///
/// Packets carry the time since boot unless they name another clock; snapshots read all clocks at
/// once. A time is moved by the last snapshot before it, or by the first one.
package struct PerfettoClocks {
  /// A clock at a snapshot.
  private struct Reading {
    /// What it said.
    let nanoseconds: Int64
    /// Time since boot, less that.
    let offset: Int64
  }

  /// Numbers of clocks: `BuiltinClock` of perfetto.protos.
  package static let realtime: UInt32 = 1
  package static let boottime: UInt32 = 6
  /// Clocks from here on belong to one writer; nothing that is read here uses them.
  private static let firstOwnClock: UInt32 = 64
  /// Longer than any clock has run; sums of two times stay within 64 bits.
  private static let limit: UInt64 = 1 << 62

  private var readings: [UInt32: [Reading]] = [:]

  /// Knows no clock but that of boot.
  package init() {}

  /// What must be added to the time since boot to get the time since 1970-01-01 UTC, as the first
  /// snapshot says; nil: none does.
  package var epochOffset: Int64? { readings[Self.realtime]?.first.map { -$0.offset } }

  /// Takes a snapshot; one without the time since boot says nothing.
  package mutating func take(_ snapshot: ClockSnapshot) {
    let boot = snapshot.clocks.first { $0.clockID == Self.boottime }
    guard let boot, let since = Self.time(boot.timestamp) else { return }
    for clock in snapshot.clocks
    where clock.clockID < Self.firstOwnClock && clock.clockID != Self.boottime {
      guard let nanoseconds = Self.time(clock.timestamp) else { continue }
      // Snapshots come in order; a clock that was set back is read as its last snapshots say.
      readings[clock.clockID, default: []].append(
        Reading(nanoseconds: nanoseconds, offset: since - nanoseconds))
    }
  }

  /// A time of a clock in nanoseconds since boot; nil if the clock is not known or the time absurd.
  ///
  /// Complexity: O(log snapshots).
  package func sinceBoot(_ timestamp: UInt64, of clock: UInt32) -> Int64? {
    guard let nanoseconds = Self.time(timestamp) else { return nil }
    if clock == Self.boottime { return nanoseconds }
    guard let readings = readings[clock], let first = readings.first else { return nil }
    var low = 0
    var high = readings.count
    while low < high {
      let middle = low + (high - low) / 2
      if readings[middle].nanoseconds <= nanoseconds { low = middle + 1 } else { high = middle }
    }
    let offset = low == 0 ? first.offset : readings[low - 1].offset
    return Self.checked(nanoseconds + offset)
  }

  /// A time as it is written; nil if it is absurd.
  package static func time(_ timestamp: UInt64) -> Int64? {
    timestamp < limit ? Int64(timestamp) : nil
  }

  /// A time that was worked out; nil if it is absurd.
  package static func checked(_ nanoseconds: Int64) -> Int64? {
    nanoseconds < 0 || UInt64(nanoseconds) >= limit ? nil : nanoseconds
  }
}
