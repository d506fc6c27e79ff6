/// Dates and times of day without a clock, a zone or a locale: proleptic Gregorian arithmetic.
package enum CivilTime {
  /// Years a capture may have; nanoseconds since 1970 stay far from overflow.
  package static let years = 1970...2199
  /// Names of months, as logs in English shorten them.
  package static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970 that lie in ``years``.
  package static let seconds: Range<Int64> =
    0..<(days(year: years.upperBound + 1, month: 1, day: 1) ?? 0) * 86_400

  /// Days from 1970-01-01 to a date, or nil if there is no such date in ``years``.
  package static func days(year: Int, month: Int, day: Int) -> Int64? {
    // The zone of a moment may lead into the year after.
    guard years.contains(year) || year == years.upperBound + 1, (1...12).contains(month), day >= 1,
      day <= length(ofMonth: month, year: year)
    else { return nil }
    // Years begin in March here, so that the leap day comes last.
    let y = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return Int64(y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468)
  }

  /// Number of days of a month from 1.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Day of the week of a day since 1970: 0 is Monday.
  package static func weekday(ofDay day: Int64) -> Int64 {
    // 1970-01-01 was a Thursday.
    let shifted = (day + 3) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }

  /// `2019-11-09T17:30:12+00:00` for seconds since 1970-01-01T00:00:00, from 1970 on.
  package static func iso8601(seconds: Int64, offset: String = "+00:00") -> String {
    let seconds = max(seconds, 0)
    var year = 1970
    var day = seconds / 86_400
    while day >= (length(ofMonth: 2, year: year) == 29 ? 366 : 365) {
      day -= length(ofMonth: 2, year: year) == 29 ? 366 : 365
      year += 1
    }
    var month = 1
    while day >= Int64(length(ofMonth: month, year: year)) {
      day -= Int64(length(ofMonth: month, year: year))
      month += 1
    }
    let second = seconds % 86_400
    let date = "\(padded(Int64(year), 4))-\(padded(Int64(month), 2))-\(padded(day + 1, 2))"
    let time =
      "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return "\(date)T\(time)\(offset)"
  }

  /// `+01:00` for an offset from UTC in seconds.
  package static func text(ofOffset seconds: Int64) -> String {
    let minutes = seconds.magnitude / 60
    return (seconds < 0 ? "-" : "+") + padded(Int64(minutes / 60), 2) + ":"
      + padded(Int64(minutes % 60), 2)
  }

  /// A moment as written: nanoseconds since 1970 as if the local time were UTC, and the offset.
  package struct Moment: Equatable {
    /// Nanoseconds since 1970-01-01T00:00:00 in the written zone.
    package let localNanoseconds: Int64
    /// Offset from UTC in seconds, if one was written.
    package let offsetSeconds: Int64?

    /// Nanoseconds since 1970 in UTC, or local time where no offset was written.
    package var nanoseconds: Int64 { localNanoseconds - (offsetSeconds ?? 0) * 1_000_000_000 }
  }

  /// Whether a text is a date and time with an offset, as a header of a trace says when it starts.
  package static func isStart(_ text: String) -> Bool {
    moment(text.utf8.span)?.offsetSeconds != nil
  }

  /// Reads `2019-12-05T00:43:05.5+01:00`: `T` or a space, a fraction and an offset may be absent,
  /// a space may stand before the offset.
  package static func moment(_ text: Span<UInt8>) -> Moment? {
    var at = 0
    guard let year = text.digits(4, &at), text.take("-", &at),
      let month = text.digits(2, &at), text.take("-", &at), let day = text.digits(2, &at),
      let days = days(year: Int(year), month: Int(month), day: Int(day)),
      text.take("T", &at) || text.take("t", &at) || text.take(" ", &at),
      let hour = text.digits(2, &at), text.take(":", &at),
      let minute = text.digits(2, &at), hour < 24, minute < 60
    else { return nil }
    var second: Int64 = 0
    var fraction: Int64 = 0
    if text.take(":", &at) {
      guard let value = text.digits(2, &at), value <= 60 else { return nil }
      // A leap second is the first of the next minute.
      second = value
      if text.take(".", &at) || text.take(",", &at) {
        guard let value = text.fractionNanoseconds(&at) else { return nil }
        fraction = value
      }
    }
    guard let offset = offset(text, &at) else { return nil }
    let local = ((days * 24 + hour) * 60 + minute) * 60 + second
    return Moment(
      localNanoseconds: local * 1_000_000_000 + fraction, offsetSeconds: offset.seconds)
  }

  /// The offset that a text ends with, if any; nil if it ends with something else.
  private static func offset(_ text: Span<UInt8>, _ at: inout Int) -> (seconds: Int64?, Void)? {
    if at == text.count { return (nil, ()) }
    _ = text.take(" ", &at)
    if text.take("Z", &at) || text.take("z", &at) { return at == text.count ? (0, ()) : nil }
    let sign: Int64 = text.take("+", &at) ? 1 : text.take("-", &at) ? -1 : 0
    guard sign != 0, let hours = text.digits(2, &at), hours < 24 else { return nil }
    _ = text.take(":", &at)
    let minutes = at == text.count ? 0 : text.digits(2, &at) ?? 60
    guard at == text.count, minutes < 60 else { return nil }
    return (sign * (hours * 3600 + minutes * 60), ())
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}
