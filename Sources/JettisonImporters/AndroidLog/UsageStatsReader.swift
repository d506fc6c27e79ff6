internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns the events of `dumpsys usagestats` into records.
///
/// An event is a line of `key=value` pairs that begins with `time=`:
/// `time="2021-03-14 20:00:30" type=ACTIVITY_RESUMED package=com.example.notes class=…`. Older
/// versions write the date as the device's language does (`3/14/2021, 8:00 PM`), check-in dumps
/// write milliseconds since 1970. The totals per package that follow say nothing about when.
struct UsageStatsReader {
  /// How many events were understood.
  private(set) var eventCount = 0

  private let dateOrder: ImportOptions.DateOrder?
  private var hasSaidDateOrder = false
  private var pairs: [(key: Range<Int>, value: Range<Int>)] = []
  /// Whether the list of the last day was seen: those of the intervals repeat it.
  private var hasDayList = false
  private var isInRepeat = false

  /// Begins a dump.
  init(dateOrder: ImportOptions.DateOrder?) {
    self.dateOrder = dateOrder
  }

  /// Whether a line is an event, by its shape alone.
  static func isEvent(_ line: Span<UInt8>) -> Bool {
    let range = line.trimmed(0..<line.count)
    return line.has("time=", at: range.lowerBound) && line.find(" type=") != nil
      && line.find(" package=") != nil
  }

  /// Takes one line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - number: Its number from 1.
  ///   - isOpen: Whether the input ends in it, so that it may be cut off.
  ///   - until: Events from then on are left to the log, which has them too.
  ///   - capture: Gets what it says.
  mutating func take(
    _ line: Span<UInt8>, number: Int, isOpen: Bool, until: Int64? = nil,
    into capture: inout AndroidCapture
  ) throws(TraceError) {
    let range = line.trimmed(0..<line.count)
    guard line.has("time=", at: range.lowerBound) else {
      note(line, range)
      capture.beginBuffer()
      return
    }
    // The flags come last.
    if isOpen, line.find(" flags=0x") == nil {
      capture.note(.dataLoss, TraceInput.cutLine, line: number)
      return
    }
    guard Self.isEvent(line) else {
      capture.note(
        .error, "a usage event without time, type and package", line: number)
      return
    }
    if isInRepeat {
      capture.note(
        .info, "a usage event that the list of the last day has already", line: number)
      return
    }
    split(line, range)
    guard let package = value("package", line), !package.isEmpty, let type = value("type", line)
    else {
      capture.note(
        .error, "a usage event without time, type and package", line: number)
      return
    }
    let event = UsageEventType(line.extracting(type))
    guard Self.tells(event) else {
      capture.note(
        .info, "a usage event that changes nothing (configuration, notification, …)",
        line: number)
      return
    }
    guard let time = value("time", line), let moment = moment(line, time, number, &capture) else {
      capture.note(
        .error, "the time of a usage event is not a date and time", line: number)
      return
    }
    eventCount += 1
    capture.noteOrder(moment, line: number)
    if let until, moment >= until {
      capture.note(
        .info, "a usage event from the time of the log, which has it too", line: number)
      return
    }
    var record = AndroidRecord(.usage, at: moment, line: number)
    record.extra = event.rawValue
    record.value = activity(line, &capture)
    record.name = capture.lives.names.number(of: line.extracting(package))
    try capture.add(record)
  }

  /// Which activity or service of the package an event is about; 0: it does not say.
  private func activity(_ line: Span<UInt8>, _ capture: inout AndroidCapture) -> Int64 {
    if let instance = value("instanceId", line) {
      var position = instance.lowerBound
      if let number = line.number(&position), position == instance.upperBound, number > 0 {
        return number
      }
    }
    guard let name = value("class", line), !name.isEmpty else { return 0 }
    return -1 - Int64(capture.lives.names.number(of: line.extracting(name)))
  }

  /// Headings decide which lists are repeats.
  private mutating func note(_ line: Span<UInt8>, _ range: Range<Int>) {
    if line.has("user=", at: range.lowerBound) {
      (hasDayList, isInRepeat) = (false, false)
    } else if line.has("Last 24 hour events", at: range.lowerBound) {
      (hasDayList, isInRepeat) = (true, false)
    } else if hasDayList, line.has("In-memory ", at: range.lowerBound) {
      isInRepeat = true
    }
  }

  /// Whether an event says what runs or what is shown.
  private static func tells(_ event: UsageEventType) -> Bool {
    switch event {
    case .resumed, .paused, .stopped, .serviceStarted, .serviceStopped, .screenOn, .screenOff,
      .shutdown, .startup:
      true
    case .notification, .lockScreen, .other, .unknown: false
    }
  }

  // MARK: Pairs and times

  /// Splits `key=value key="value with spaces"`.
  private mutating func split(_ line: Span<UInt8>, _ range: Range<Int>) {
    pairs.removeAll(keepingCapacity: true)
    var position = range.lowerBound
    let end = range.upperBound
    while position < end, pairs.count < 16 {
      line.skipSpaces(&position)
      let start = position
      while position < end, line[position] != UInt8(ascii: "="), line[position] != 0x20 {
        position += 1
      }
      guard position < range.upperBound, line[position] == UInt8(ascii: "=") else { continue }
      let key = start..<position
      position += 1
      let isQuoted = line.take("\"", &position)
      let valueStart = position
      let mark = isQuoted ? UInt8(ascii: "\"") : 0x20
      position = min(end, line.firstIndex(of: mark, from: position) ?? end)
      pairs.append((key, valueStart..<position))
      if isQuoted { position += 1 }
    }
  }

  @inline(__always)
  private func value(_ key: StaticString, _ line: Span<UInt8>) -> Range<Int>? {
    for pair in pairs
    where pair.key.count == key.utf8CodeUnitCount && line.has(key, at: pair.key.lowerBound) {
      return pair.value
    }
    return nil
  }

  /// Nanoseconds since 1970 in the zone of the device.
  private mutating func moment(
    _ line: Span<UInt8>, _ range: Range<Int>, _ number: Int, _ capture: inout AndroidCapture
  ) -> Int64? {
    var position = range.lowerBound
    if let milliseconds = line.number(&position), position == range.upperBound {
      guard milliseconds < 1 << 43 else { return nil }
      return milliseconds * 1_000_000 + (capture.clock.offsetSeconds ?? 0) * 1_000_000_000
    }
    if let moment = CivilTime.moment(line.extracting(range)) { return moment.localNanoseconds }
    let text = line.extracting(range)
    guard let gap = text.firstIndex(of: 0x20, from: 0) else { return nil }
    let hasComma = gap > 0 && text[gap - 1] == UInt8(ascii: ",")
    guard let written = AppUsageDates.written(text.extracting(0..<(hasComma ? gap - 1 : gap))),
      let seconds = AppUsageDates.timeOfDay(text.extracting(gap + 1..<text.count)),
      let days = written.days(order(of: written, number, &capture))
    else { return nil }
    return (days * 86_400 + seconds) * 1_000_000_000
  }

  private mutating func order(
    of date: AppUsageDates.Written, _ number: Int, _ capture: inout AndroidCapture
  ) -> ImportOptions.DateOrder {
    if let dateOrder { return dateOrder }
    if date.first > 31 { return .yearMonthDay }
    if date.first > 12 || date.isDotted { return .dayMonthYear }
    if date.second <= 12, !hasSaidDateOrder {
      hasSaidDateOrder = true
      capture.note(
        .info,
        "the order of dates is ambiguous and read as mdy (`ImportOptions.dateOrder` says otherwise)",
        line: number)
    }
    return .monthDayYear
  }
}
