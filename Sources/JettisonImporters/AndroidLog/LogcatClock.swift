internal import JettisonSupport

/// Makes moments of the stamps of lines that know no year and no zone.
///
/// A moment is nanoseconds since 1970-01-01T00:00:00 in the zone of the log. What a line leaves
/// out comes from the options or, in a report, from the date at its top.
struct LogcatClock {
  /// Whether any line, option or report told the year.
  private(set) var isYearKnown: Bool
  /// Whether the lines count seconds since the start of the device: they have no date at all.
  private(set) var isMonotonic = false
  /// Offset of the log's zone from UTC, where an option or the log says it.
  var offsetSeconds: Int64?

  private var year: Int
  private var lastMonth = 0
  /// The last day that may be meant where the year follows from the date of a report.
  private let lastDay: Int64?
  private let reportYear: Int

  private static let day: Int64 = 86_400_000_000_000
  /// A year with a 29 February, for logs whose year is unknown.
  private static let placeholderYear = 2000

  /// A clock for a log.
  ///
  /// - Parameters:
  ///   - year: The year of the first line; nil: not known.
  ///   - offsetSeconds: The zone; nil: not known.
  init(year: Int?, offsetSeconds: Int64?) {
    self.year = year ?? Self.placeholderYear
    isYearKnown = year != nil
    self.offsetSeconds = offsetSeconds
    lastDay = nil
    reportYear = 0
  }

  /// A clock for the logs in a report, all of which were written before it.
  init(reportedOnDay day: Int64, year: Int, offsetSeconds: Int64?) {
    self.year = year
    reportYear = year
    isYearKnown = true
    self.offsetSeconds = offsetSeconds
    // A day of grace: the clock may be set while the report is made.
    lastDay = day + 1
  }

  /// The moment of a stamp; nil if there is no such date.
  mutating func moment(of stamp: LogcatStamp) -> Int64? {
    guard let date = stamp.date else {
      guard stamp.nanoseconds >= Self.firstEpoch else {
        isMonotonic = true
        return stamp.nanoseconds
      }
      isYearKnown = true
      return stamp.nanoseconds + (offsetSeconds ?? 0) * 1_000_000_000
    }
    if let written = date.year {
      year = written
      isYearKnown = true
    } else if let lastDay {
      year = reportYear
      if let day = days(date), day > lastDay { year = reportYear - 1 }
    } else {
      turnYear(date)
    }
    lastMonth = date.month
    guard let days = days(date) else { return nil }
    var moment = days * Self.day + stamp.nanoseconds
    if let written = stamp.offsetSeconds {
      if offsetSeconds == nil { offsetSeconds = written }
      moment += ((offsetSeconds ?? written) - written) * 1_000_000_000
    }
    return moment
  }

  /// Says that the moments come from texts that write their dates in full.
  mutating func noteDates() { isYearKnown = true }

  /// Takes back a turn of the year, when what looked like one was a clock that was not set yet.
  mutating func turnBack() { year -= 1 }

  /// Takes that back again.
  mutating func turnForward() { year += 1 }

  /// Seconds below this count from the start of the device, not from 1970 (2001-09-09).
  private static let firstEpoch: Int64 = 1_000_000_000_000_000_000

  private func days(_ date: LogcatStamp.Date) -> Int64? {
    CivilTime.days(year: year, month: date.month, day: date.day)
  }

  /// The month may wrap, and wraps back where one buffer follows another.
  private mutating func turnYear(_ date: LogcatStamp.Date) {
    if lastMonth == 12, date.month == 1 {
      year += 1
    } else if lastMonth == 1, date.month == 12, date.day >= 30 {
      // Earlier days of December after January: a clock that was set (see `AndroidCapture`).
      year -= 1
    }
  }
}
