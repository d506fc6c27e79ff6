internal import JettisonSupport

/// When a sample was taken, in the spellings that scripts print.
struct SampleTime: Equatable {
  /// Nanoseconds since 1970 or since the start, by ``clock``.
  let nanoseconds: Int64
  let clock: CaptureClock

  /// Numbers from here on (1990-01-01) count from 1970.
  private static let epochSeconds: Int64 = 631_152_000

  /// Reads a time in any of these spellings.
  ///
  /// They are seconds since 1970 (also milli-, micro- and nanoseconds, by their size), seconds since
  /// the start, `2020-01-01 10:00:00` with or without an offset, and what `date` prints in English
  /// (`Wed Jan  1 10:00:00 UTC 2020`). Two numbers are the beginning and the end of the sample,
  /// whose time is the beginning.
  ///
  /// - Parameters:
  ///   - text: The time.
  ///   - zone: Seconds that a date without an offset is ahead of UTC; nil: not known.
  init?(_ text: String, zone: Int64? = nil) {
    let text = text.trimmingBlanks
    let words = text.split { $0 == " " || $0 == "\t" }
    if words.count == 2, let begin = Self.number(String(words[0])),
      let end = Self.number(String(words[1]))
    {
      guard begin.clock == end.clock, begin.nanoseconds <= end.nanoseconds else { return nil }
      self = begin
    } else if let number = Self.number(text) {
      self = number
    } else if let moment = Self.date(text) ?? Self.printed(text) {
      let offset = moment.offsetSeconds ?? zone
      nanoseconds = moment.localNanoseconds - (offset ?? 0) * 1_000_000_000
      clock = .epoch(offsetSeconds: offset)
    } else {
      return nil
    }
  }

  private init(nanoseconds: Int64, clock: CaptureClock) {
    self.nanoseconds = nanoseconds
    self.clock = clock
  }

  private static func number(_ text: String) -> SampleTime? {
    guard let first = text.utf8.first, (0x30...0x39).contains(first) else { return nil }
    guard let whole = Quantity.scaled(text, by: 1) else { return nil }
    // Each finer unit has three more digits.
    var scale: Int64 = 1_000_000_000
    var bound = epochSeconds.multipliedReportingOverflow(by: 100).partialValue
    while whole >= bound, scale > 1 {
      scale /= 1000
      bound = bound.multipliedReportingOverflow(by: 1000).partialValue
    }
    guard let nanoseconds = Quantity.scaled(text, by: scale) else { return nil }
    let isEpoch = whole >= epochSeconds
    return SampleTime(
      nanoseconds: nanoseconds, clock: isEpoch ? .epoch(offsetSeconds: nil) : .unknown)
  }

  /// `2020-01-01 10:00:00.5 +0100`; slashes may stand for the hyphens.
  private static func date(_ text: String) -> CivilTime.Moment? {
    let bytes = text.utf8.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 }
    return CivilTime.moment(bytes.span)
  }

  /// `Wed Jan  1 10:00:00 UTC 2020`: the zone is known only if it is UTC or GMT.
  private static func printed(_ text: String) -> CivilTime.Moment? {
    let words = text.split(separator: " ")
    guard words.count == 5 || words.count == 6, let year = words.last, year.utf8.count == 4,
      let month = CivilTime.months.firstIndex(where: { "\($0)" == words[1] }),
      words[2].utf8.count <= 2
    else { return nil }
    func two(_ text: String) -> String { text.utf8.count < 2 ? "0\(text)" : text }
    let isUTC = words.count == 6 && ["UTC", "GMT"].contains(words[4])
    let date = "\(year)-\(two("\(month + 1)"))-\(two(String(words[2])))"
    return CivilTime.moment(Array("\(date)T\(words[3])\(isUTC ? "Z" : "")".utf8).span)
  }
}

extension String {
  /// The text without spaces and tabs around it.
  fileprivate var trimmingBlanks: String {
    var rest = self[...]
    while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
    return String(rest)
  }
}
