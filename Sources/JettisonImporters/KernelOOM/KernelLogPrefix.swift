internal import JettisonModel
internal import JettisonSupport

/// When a line of a kernel log was written, as far as it says.
enum KernelLogStamp: Equatable {
  /// Nanoseconds since the start of the device.
  case monotonic(Int64)
  /// Nanoseconds since 1970 as if the local time were UTC, and the zone's offset if it is written.
  case date(Int64, offsetSeconds: Int64?)
  /// A date without its year: month, day, and nanoseconds of the day.
  case yearless(month: Int, day: Int, nanoseconds: Int64)
}

/// What stands before the message of a line: the stamps of `dmesg`, `journalctl` and of syslog.
struct KernelLogPrefix {
  /// When it was written; nil: the line does not say.
  private(set) var stamp: KernelLogStamp?
  /// Where the message begins.
  private(set) var messageStart = 0
  /// Which of the programs that were asked for wrote the line, by its place among them; nil: the
  /// line names none of them.
  private(set) var program: Int?
  /// Whether a stamp in a language that is not read stands before `kernel:`.
  private(set) var hasForeignStamp = false

  private static let weekdays: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  /// Longest name of a host before `kernel:`.
  private static let longestHost = 256
  /// Words of a stamp in a language that is not read, and the host: `avril 16 21:08:50 box`.
  private static let mostForeignWords = 5
  /// The same with weekday, year and zone: `jeu. 1 janv. 2026 10:00:00 CET box`.
  private static let mostWordsBeforeKernel = 8
  /// A bare number of seconds from here on (1990-01-01) counts from 1970.
  private static let epochSeconds: Int64 = 631_152_000

  /// Reads the beginning of a line.
  init(_ line: Span<UInt8>) {
    var position = 0
    line.skipSpaces(&position)
    Self.skipPriority(line, &position)
    messageStart = position
    // A stamp, then the host and `kernel:`, then the kernel's own stamp: each may be missing.
    takeStamp(line, &position)
    if stamp != nil {
      skipSource(line, &position)
    } else {
      skipForeignSource(line, &position)
    }
    takeStamp(line, &position)
    messageStart = position
  }

  /// Reads the beginning of a line of a journal.
  ///
  /// - Parameter programs: Whose lines are looked for; one whose stamp cannot be read is known by
  ///   the program that it names.
  init(_ line: Span<UInt8>, writtenBy programs: [StaticString]) {
    var position = 0
    line.skipSpaces(&position)
    messageStart = position
    takeStamp(line, &position)
    if stamp != nil, line.take(":", &position) { line.skipSpaces(&position) }
    skipSource(line, of: programs, &position)
    messageStart = position
  }

  /// `<4>`, and the words of `dmesg -x`: `kern  :warn  : `.
  private static func skipPriority(_ line: Span<UInt8>, _ position: inout Int) {
    var next = position
    if line.take("<", &next), line.number(&next) != nil, line.take(">", &next) { position = next }
    guard line.has("kern", at: position) else { return }
    next = position + 4
    line.skipSpaces(&next)
    guard line.take(":", &next), let end = line.find(":", from: next), end - next <= 8 else {
      return
    }
    position = end + 1
    line.skipSpaces(&position)
  }

  /// The host, and the program that wrote the line.
  private func skipSource(_ line: Span<UInt8>, _ position: inout Int) {
    let end = min(line.count, position + Self.longestHost)
    let start = line.extracting(position..<end)
    guard let source = start.find("kernel:") else { return }
    // The message itself may speak of a kernel: before the colon stands at most one word.
    var spaces = 0
    for place in 0..<source where start[place] == 0x20 { spaces += 1 }
    guard spaces <= 2 else { return }
    position += source + "kernel:".utf8.count
    line.skipSpaces(&position)
  }

  /// A stamp that is not read but has a time of day in it, and the host.
  private mutating func skipForeignSource(_ line: Span<UInt8>, _ position: inout Int) {
    let end = min(line.count, position + Self.longestHost)
    let start = line.extracting(position..<end)
    guard let source = start.find(" kernel:") else { return }
    var (words, hasTime) = (1, false)
    for place in 0..<source where start[place] == 0x20 {
      words += 1
      var next = place + 1
      hasTime = hasTime || Self.timeOfDay(start, &next) != nil
    }
    guard hasTime, words <= Self.mostWordsBeforeKernel else { return }
    hasForeignStamp = true
    position += source + " kernel:".utf8.count
    line.skipSpaces(&position)
  }

  /// The host, and one of some programs with the number of its process: `box earlyoom[812]:`.
  private mutating func skipSource(
    _ line: Span<UInt8>, of programs: [StaticString], _ position: inout Int
  ) {
    let most = stamp == nil ? Self.mostForeignWords : 2
    let end = min(line.count, position + Self.longestHost)
    var words = 0
    var start = position
    while start < end, words < most {
      if let found = Self.program(at: start, of: programs, line) {
        program = found.number
        position = found.end
        line.skipSpaces(&position)
        return
      }
      while start < end, line[start] != 0x20 { start += 1 }
      line.skipSpaces(&start)
      words += 1
    }
  }

  private static func program(
    at start: Int, of programs: [StaticString], _ line: Span<UInt8>
  ) -> (number: Int, end: Int)? {
    for number in programs.indices where line.has(programs[number], at: start) {
      var position = start + programs[number].utf8CodeUnitCount
      if line.take("[", &position) {
        guard line.number(&position) != nil, line.take("]", &position) else { continue }
      }
      if line.take(":", &position) { return (number, position) }
    }
    return nil
  }

  private mutating func takeStamp(_ line: Span<UInt8>, _ position: inout Int) {
    line.skipSpaces(&position)
    var next = position
    let isBracketed = line.take("[", &next)
    if isBracketed { line.skipSpaces(&next) }
    guard let read = Self.stamp(line, &next) else { return }
    if isBracketed {
      guard line.take("]", &next) else { return }
    } else if case .monotonic = read {
      // A bare number is a part of the message.
      return
    }
    // The first one counts; a date tells more than the time since the start.
    if stamp == nil { stamp = read }
    position = next
    line.skipSpaces(&position)
  }

  private static func stamp(_ line: Span<UInt8>, _ position: inout Int) -> KernelLogStamp? {
    if let iso = isoStamp(line, &position) { return iso }
    if let seconds = secondsStamp(line, &position) { return seconds }
    return namedStamp(line, &position)
  }

  /// `2026-11-23T10:00:00.5+01:00`, with a comma, a space or neither zone nor fraction.
  private static func isoStamp(_ line: Span<UInt8>, _ position: inout Int) -> KernelLogStamp? {
    var next = position
    guard let year = line.digits(4, &next), line.take("-", &next),
      let month = line.digits(2, &next), line.take("-", &next), let day = line.digits(2, &next),
      let days = CivilTime.days(year: Int(year), month: Int(month), day: Int(day)),
      line.take("T", &next) || line.take(" ", &next), let time = timeOfDay(line, &next)
    else { return nil }
    let offset = zone(line, &next)
    position = next
    return .date(days * 86_400_000_000_000 + time, offsetSeconds: offset)
  }

  /// `12345.678901`: since the start, or since 1970.
  private static func secondsStamp(_ line: Span<UInt8>, _ position: inout Int) -> KernelLogStamp? {
    var next = position
    guard let seconds = line.number(&next), seconds < 1 << 33, line.take(".", &next),
      let fraction = line.fractionNanoseconds(&next)
    else { return nil }
    position = next
    let nanoseconds = seconds * 1_000_000_000 + fraction
    return seconds >= epochSeconds
      ? .date(nanoseconds, offsetSeconds: 0) : .monotonic(nanoseconds)
  }

  /// `Nov 23 10:00:00`, `Mon Nov 23 10:00:00 2026`, `Mon 2026-11-23 10:00:00 UTC`.
  private static func namedStamp(_ line: Span<UInt8>, _ position: inout Int) -> KernelLogStamp? {
    var next = position
    // The first letter rules out most text that isn't a stamp.
    guard next < line.count, line[next] >= UInt8(ascii: "A"), line[next] <= UInt8(ascii: "W") else {
      return nil
    }
    if weekdays.contains(where: { line.has($0, at: next) }) {
      next += 3
      guard line.take(" ", &next) else { return nil }
    }
    if next > position, let iso = isoStamp(line, &next) {
      position = next
      return iso
    }
    let month = CivilTime.months.firstIndex { line.has($0, at: next) }
    guard let month else { return nil }
    next += 3
    line.skipSpaces(&next)
    guard let day = line.number(&next), (1...31).contains(day), line.take(" ", &next),
      let time = timeOfDay(line, &next)
    else { return nil }
    position = next
    var yearAt = next
    if line.take(" ", &yearAt), let year = line.digits(4, &yearAt),
      yearAt == line.count || line[yearAt] == UInt8(ascii: "]") || line[yearAt] == 0x20,
      let days = CivilTime.days(year: Int(year), month: month + 1, day: Int(day))
    {
      position = yearAt
      return .date(days * 86_400_000_000_000 + time, offsetSeconds: nil)
    }
    return .yearless(month: month + 1, day: Int(day), nanoseconds: time)
  }

  private static func timeOfDay(_ line: Span<UInt8>, _ position: inout Int) -> Int64? {
    guard let hour = line.digits(2, &position), hour < 24, line.take(":", &position),
      let minute = line.digits(2, &position), minute < 60, line.take(":", &position),
      let second = line.digits(2, &position), second < 61
    else { return nil }
    var fraction: Int64 = 0
    if line.take(".", &position) || line.take(",", &position) {
      guard let read = line.fractionNanoseconds(&position) else { return nil }
      fraction = read
    }
    return ((hour * 60 + minute) * 60 + second) * 1_000_000_000 + fraction
  }

  private static func zone(_ line: Span<UInt8>, _ position: inout Int) -> Int64? {
    var next = position
    if line.take("Z", &next) || line.take(" ", &next) && line.has("UTC", at: next) {
      position = line.has("UTC", at: next) ? next + 3 : next
      return 0
    }
    next = position
    let sign: Int64 = line.take("+", &next) ? 1 : line.take("-", &next) ? -1 : 0
    guard sign != 0, let hours = line.digits(2, &next), hours < 19 else { return nil }
    _ = line.take(":", &next)
    guard let minutes = line.digits(2, &next), minutes < 60 else { return nil }
    position = next
    return sign * (hours * 3600 + minutes * 60)
  }
}

/// Makes moments of stamps, all on the clock of the first one.
struct KernelLogClock {
  /// What the moments count from, by the first stamp; nil: no line had one.
  private(set) var clock: CaptureClock?

  private var isMonotonic = false
  private var year: Int
  private let isYearKnown: Bool
  private let zone: Int64?
  private var lastMonth = 0

  /// - Parameters:
  ///   - year: Year of the first line that writes none; nil: not known.
  ///   - zone: Offset of the log's zone where it is not written; nil: not known.
  init(year: Int?, zone: Int64?) {
    // A year with a 29 February, for logs whose year is unknown.
    self.year = year ?? 2000
    isYearKnown = year != nil
    self.zone = zone
  }

  /// The moment of a stamp in nanoseconds; nil if it is of another kind than the first, or no date.
  mutating func moment(of stamp: KernelLogStamp) -> Int64? {
    switch stamp {
    case .monotonic(let nanoseconds):
      if clock == nil {
        clock = .unknown
        isMonotonic = true
      }
      return isMonotonic ? nanoseconds : nil
    case .date(let local, let offset):
      if isMonotonic { return nil }
      let offset = offset ?? zone
      if clock == nil { clock = .epoch(offsetSeconds: offset) }
      return local - (offset ?? 0) * 1_000_000_000
    case .yearless(let month, let day, let nanoseconds):
      if isMonotonic { return nil }
      // A month before the last one is of the next year: December goes on in January.
      if month < lastMonth, lastMonth - month > 6 { year += 1 }
      lastMonth = month
      if clock == nil { clock = isYearKnown ? .epoch(offsetSeconds: zone) : .unknown }
      guard let days = CivilTime.days(year: year, month: month, day: day) else { return nil }
      return days * 86_400_000_000_000 + nanoseconds - (zone ?? 0) * 1_000_000_000
    }
  }
}
