#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The two clocks of a recording.
///
/// Within one life of the process, time goes by the clock that nothing moves and that goes on while
/// the device sleeps. From one life to the next, only the wall clock shows how much passed.
struct RecorderClock: Sendable {
  /// Both clocks at one instant, in nanoseconds.
  struct Reading: Equatable, Sendable {
    /// Since the device started, sleep included.
    var sinceBoot: Int64
    /// Since 1970-01-01 UTC.
    var sinceEpoch: Int64
  }

  /// Reads both clocks.
  let now: @Sendable () -> Reading
  /// Offset of the local zone from UTC in seconds, at a number of seconds since 1970.
  let zoneOffset: @Sendable (_ seconds: Int64) -> Int64

  /// The last second that is told, in 2255.
  ///
  /// A clock may be set to later ones, but 64 bits do not hold their nanoseconds.
  static let latestSeconds: Int64 = 9_000_000_000

  /// The device's clocks.
  static let system = RecorderClock(
    now: { Reading(sinceBoot: read(continuous), sinceEpoch: read(CLOCK_REALTIME)) },
    zoneOffset: { seconds in
      var time = time_t(seconds)
      var parts = unsafe tm()
      return unsafe localtime_r(&time, &parts) == nil ? 0 : unsafe Int64(parts.tm_gmtoff)
    })

  #if canImport(Glibc)
    private static var continuous: clockid_t { CLOCK_BOOTTIME }
  #else
    // This one is `mach_continuous_time`: it counts while the device sleeps.
    private static var continuous: clockid_t { CLOCK_MONOTONIC_RAW }
  #endif

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return min(max(0, Int64(time.tv_sec)), latestSeconds) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Dates without a library: proleptic Gregorian arithmetic on seconds since 1970.
enum RecorderDate {
  /// `2024-05-06T10:00:00+02:00`.
  static func text(seconds: Int64, offset: Int64) -> String {
    let local = max(0, seconds + offset)
    let (year, month, day) = date(ofDay: local / 86_400)
    let second = local % 86_400
    let clock = [second / 3600, second / 60 % 60, second % 60].map(two).joined(separator: ":")
    let minutes = abs(offset) / 60
    let zone = (offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    return "\(year)-\(two(month))-\(two(day))T\(clock)\(zone)"
  }

  /// The seconds since 1970 that ``text(seconds:offset:)`` wrote; nil for any other text.
  static func seconds(_ text: Substring) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 25, bytes[10] == UInt8(ascii: "T") else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      bytes[range].reduce(into: Int64?(0)) { sum, byte in
        guard let value = sum, (0x30...0x39).contains(byte) else { return sum = nil }
        sum = value * 10 + Int64(byte - 0x30)
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let zoneHours = number(20..<22), let zoneMinutes = number(23..<25),
      (1...12).contains(month)
    else { return nil }
    let zone = (zoneHours * 60 + zoneMinutes) * (bytes[19] == UInt8(ascii: "-") ? -60 : 60)
    return days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - zone
  }

  /// Days from 1970-01-01, by years that begin in March, so that the leap day comes last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let y = month > 2 ? year : year - 1
    let fromMarch = (month + 9) % 12
    return y * 365 + y / 4 - y / 100 + y / 400 + (153 * fromMarch + 2) / 5 + day - 1 - 719_468
  }

  private static func date(ofDay day: Int64) -> (Int64, Int64, Int64) {
    var year = 1970 + day / 366
    while days(year + 1, 1, 1) <= day { year += 1 }
    var month: Int64 = 1
    while month < 12, days(year, month + 1, 1) <= day { month += 1 }
    return (year, month, day - days(year, month, 1) + 1)
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
