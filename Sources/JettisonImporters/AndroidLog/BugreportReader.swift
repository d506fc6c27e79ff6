internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads a bugreport: the logs in it through ``LogcatReader``, the usage statistics through
/// ``UsageStatsReader``, and what its dumps list about memory.
///
/// A report is made of sections, `------ NAME (command) ------`, some of which hold the dumps of
/// services, `DUMP OF SERVICE name:`. Lines of sections that say nothing are looked at only to find
/// the next one.
struct BugreportReader {
  private enum Section {
    case other, log, uptime, memory, ranks, dumpMemory, usage, alarm, properties, activity
  }

  /// What the report says about the device, for the header.
  private(set) var model: String?
  private(set) var fingerprint: String?
  /// RAM in kilobytes.
  private(set) var memoryKilobytes: Int64?
  /// Whether the first line of a report was seen.
  private(set) var isReport = false

  private let year: Int?
  private var log = LogcatReader()
  private var usage: UsageStatsReader
  private var listing = MemoryListing()
  private var ranks = RankListing()
  private var section = Section.other
  /// Whether the section's lines said anything.
  private var hasSaidSomething = false
  /// The moment at which the report is, in the zone of the device.
  private var now: Int64?
  /// Whether a service told the time within this section.
  private var hasServiceTime = false
  /// When the log of events begins: what came before is left to the usage statistics.
  private var isEventLog = false
  private var eventsBegin: Int64?

  private static let second: Int64 = 1_000_000_000

  /// Begins a report.
  init(_ options: ImportOptions) {
    usage = UsageStatsReader(dateOrder: options.dateOrder)
    year = options.year
  }

  /// Takes one line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - number: Its number from 1.
  ///   - isOpen: Whether the input ends in it, so that it may be cut off.
  ///   - capture: Gets what it says.
  mutating func take(
    _ line: Span<UInt8>, number: Int, isOpen: Bool, into capture: inout AndroidCapture
  ) throws(TraceError) {
    guard line.count > 0 else { return }
    switch line[0] {
    case UInt8(ascii: "-") where line.has("------", at: 0):
      if try heading(line, number, &capture) { return }
    case UInt8(ascii: "D") where line.has("DUMP OF SERVICE ", at: 0):
      try endListing(&capture, duration: nil)
      begin(service: line)
      return
    case UInt8(ascii: "*") where line.has("*** ", at: 0):
      noteFailure(line, number, &capture)
      return
    case UInt8(ascii: "=") where line.has("== dumpstate: ", at: 0):
      beginReport(line, number, &capture)
      return
    case UInt8(ascii: "B") where line.has("Build fingerprint: '", at: 0):
      setFingerprint(line, &capture)
      return
    default: break
    }
    try content(line, number, isOpen, &capture)
  }

  /// Ends the report.
  mutating func finish(into capture: inout AndroidCapture) throws(TraceError) {
    try endListing(&capture, duration: nil)
  }

  private mutating func content(
    _ line: Span<UInt8>, _ number: Int, _ isOpen: Bool, _ capture: inout AndroidCapture
  ) throws(TraceError) {
    if isOpen, [.memory, .ranks, .dumpMemory, .activity].contains(section) {
      capture.note(.dataLoss, TraceInput.cutLine, line: number)
      return
    }
    switch section {
    case .other: return
    case .log:
      if isEventLog, eventsBegin == nil, let head = LogcatLine(line) {
        eventsBegin = capture.moment(of: head.stamp, line: number)
      }
      try log.take(line, number: number, isOpen: isOpen, into: &capture)
      hasSaidSomething = true
    case .uptime: takeUptime(line)
    case .memory: try takeMemory(line, number, &capture)
    case .ranks: listing.takeRanks(line, number: number, names: &capture.lives.names)
    case .dumpMemory: listing.takeDump(line, number: number, names: &capture.lives.names)
    case .activity: ranks.take(line, number: number, names: &capture.lives.names)
    case .usage:
      try usage.take(
        line, number: number, isOpen: isOpen, until: eventsBegin, into: &capture)
    case .alarm: takeZone(line, &capture)
    case .properties: takeProperty(line, &capture)
    }
  }
}

// MARK: - Sections

extension BugreportReader {
  /// Takes a line of dashes; false if it is a line of the section.
  private mutating func heading(
    _ line: Span<UInt8>, _ number: Int, _ capture: inout AndroidCapture
  ) throws(TraceError) -> Bool {
    guard line.has("------ ", at: 0) else {
      guard let found = line.find("s was the duration of dumpsys ") else {
        // `--------- beginning of main` belongs to a log; a ruler parts services.
        return section != .log
      }
      let duration = Self.duration(line, upTo: found)
      if let ending = line.find("ending at: ", from: found),
        let moment = CivilTime.moment(line.extracting(ending + 11..<line.count))
      {
        now = moment.localNanoseconds
        hasServiceTime = true
        try endListing(&capture, duration: duration)
      } else {
        try endListing(&capture, duration: nil)
      }
      section = .other
      return true
    }
    try endListing(&capture, duration: nil)
    section = .other
    if let found = line.find("s was the duration of '") {
      // Services told the time already.
      if !hasServiceTime, let time = now, let duration = Self.duration(line, upTo: found) {
        let (later, overflow) = time.addingReportingOverflow(duration)
        if !overflow { now = later }
      }
      hasServiceTime = false
      return true
    }
    isEventLog = false
    hasSaidSomething = false
    if line.find(" (logcat ") != nil, line.find(" -S)") == nil {
      section = .log
      isEventLog = line.has("EVENT LOG", at: 7)
      capture.beginSection()
    } else if line.has("UPTIME (", at: 7) {
      section = .uptime
    } else if line.has("MEMORY INFO", at: 7) {
      section = .memory
    } else if line.has("PROCRANK", at: 7) {
      section = .ranks
    } else if line.has("SYSTEM PROPERTIES", at: 7) {
      section = .properties
    }
    return true
  }

  private mutating func begin(service line: Span<UInt8>) {
    section = .other
    var start = 16
    for priority in ["CRITICAL ", "HIGH ", "NORMAL "] where line.has(priority, at: start) {
      start += priority.utf8.count
    }
    if line.has("meminfo:", at: start) {
      section = .dumpMemory
    } else if line.has("activity:", at: start) {
      section = .activity
    } else if line.has("usagestats:", at: start) {
      section = .usage
    } else if line.has("alarm:", at: start) {
      section = .alarm
    }
  }

  /// The list that ends here is of the moment at which it was begun.
  private mutating func endListing(
    _ capture: inout AndroidCapture, duration: Int64?
  ) throws(TraceError) {
    guard !listing.isEmpty || !ranks.isEmpty else { return }
    if let now {
      try listing.record(at: now - (duration ?? 0), into: &capture)
      try ranks.record(at: now - (duration ?? 0), into: &capture)
    } else {
      capture.note(
        .error, "a listing of memory or of processes in a report that has no date")
    }
    listing.clear()
    ranks.clear()
  }

  private mutating func noteFailure(
    _ line: Span<UInt8>, _ number: Int, _ capture: inout AndroidCapture
  ) {
    let isLate = line.find("TIMEOUT") != nil || line.find("timed out") != nil
    guard isLate || line.find("failed") != nil || line.find("Error dumping") != nil else { return }
    if section == .other || !hasSaidSomething && listing.isEmpty && ranks.isEmpty {
      capture.note(
        .info,
        isLate
          ? "a section of the report ran out of time" : "a section of the report could not be made",
        line: number)
    } else {
      capture.note(
        .dataLoss, "a section of the report ends early: what follows in it is lost", line: number)
    }
  }

  /// Nanoseconds of `8.530` before a position.
  private static func duration(_ line: Span<UInt8>, upTo end: Int) -> Int64? {
    var position = 0
    while position < end, line[position] == UInt8(ascii: "-") || line[position] == 0x20 {
      position += 1
    }
    guard let seconds = line.number(&position), seconds < 1_000_000 else { return nil }
    var fraction: Int64 = 0
    if line.take(".", &position) { fraction = line.fractionNanoseconds(&position) ?? 0 }
    return position == end ? seconds * second + fraction : nil
  }
}

// MARK: - What sections say

extension BugreportReader {
  /// `== dumpstate: 2020-01-08 15:30:07`.
  private mutating func beginReport(
    _ line: Span<UInt8>, _ number: Int, _ capture: inout AndroidCapture
  ) {
    guard !isReport else { return }
    isReport = true
    guard let moment = CivilTime.moment(line.extracting(14..<line.count)) else {
      capture.note(
        .error, "the date of the report is not yyyy-mm-dd hh:mm:ss", line: number)
      return
    }
    now = moment.localNanoseconds
    let day = moment.localNanoseconds / (86_400 * Self.second)
    guard year == nil, let year = Int(line.text(14..<18)) else {
      return
    }
    capture.clock = LogcatClock(
      reportedOnDay: day, year: year, offsetSeconds: capture.clock.offsetSeconds)
  }

  /// `Build fingerprint: 'google/phone/phone:10/…:user/release-keys'`.
  private mutating func setFingerprint(_ line: Span<UInt8>, _ capture: inout AndroidCapture) {
    guard fingerprint == nil, let end = line.find("'", from: 20), end > 20 else { return }
    let text = line.text(20..<min(end, 220))
    fingerprint = text
    let parts = text.split(separator: ":")
    if parts.count > 1, let release = parts[1].split(separator: "/").first,
      let level = CaptureDevice.apiLevel(ofRelease: String(release))
    {
      capture.noteAPILevel(level)
    }
  }

  /// `[ro.product.model]: [Pixel]`.
  private mutating func takeProperty(_ line: Span<UInt8>, _ capture: inout AndroidCapture) {
    let model = "[ro.product.model]: ["
    let level = "[ro.build.version.sdk]: ["
    if line.has(model, at: 0), line[line.count - 1] == UInt8(ascii: "]") {
      self.model = line.text(model.utf8.count..<min(line.count - 1, 120))
    } else if line.has(level, at: 0) {
      var position = level.utf8.count
      if let level = line.number(&position), level > 0, level < 1000 {
        capture.noteAPILevel(Int(level))
      }
    }
  }

  /// `nowRTC=1578493909464=2020-01-08 15:31:49 …`: one moment in UTC and in the zone.
  private func takeZone(_ line: Span<UInt8>, _ capture: inout AndroidCapture) {
    guard var position = line.find("nowRTC=") else { return }
    position += 7
    guard let milliseconds = line.number(&position), milliseconds < 1 << 43,
      line.take("=", &position), line.count - position >= 19,
      let local = CivilTime.moment(line.extracting(position..<position + 19))
    else { return }
    // Zones are multiples of a quarter of an hour.
    let seconds = local.localNanoseconds / Self.second - milliseconds / 1000
    let quarters = (Double(seconds) / 900).rounded()
    capture.noteZone(offsetSeconds: Int64(quarters) * 900)
  }

  /// ` 15:30:23 up 0 min,  0 users, …`: the time of day.
  private mutating func takeUptime(_ line: Span<UInt8>) {
    guard let before = now else { return }
    var position = 0
    line.skipSpaces(&position)
    guard let hour = line.digits(2, &position), line.take(":", &position),
      let minute = line.digits(2, &position), line.take(":", &position),
      let second = line.digits(2, &position), hour < 24, minute < 60, second < 60
    else { return }
    let day = 86_400 * Self.second
    let midnight = before - before % day
    let (time, isTooLate) = midnight.addingReportingOverflow(
      ((hour * 60 + minute) * 60 + second) * Self.second)
    guard !isTooLate else { return }
    // A report is made within hours; it may be made at midnight.
    let (next, overflow) = time.addingReportingOverflow(day)
    now = time < before - day / 2 && !overflow ? next : time
    section = .other
  }

  /// `MemTotal:        3855820 kB` and `MemAvailable:    2637240 kB`.
  private mutating func takeMemory(
    _ line: Span<UInt8>, _ number: Int, _ capture: inout AndroidCapture
  ) throws(TraceError) {
    let isTotal = line.has("MemTotal:", at: 0)
    guard isTotal || line.has("MemAvailable:", at: 0) else { return }
    var position = isTotal ? 9 : 13
    line.skipSpaces(&position)
    guard let kilobytes = line.number(&position), kilobytes < 1 << 40 else { return }
    if isTotal {
      memoryKilobytes = kilobytes
      return
    }
    guard let now else { return }
    var record = AndroidRecord(.available, at: now, line: number)
    record.value = kilobytes * 1024
    try capture.add(record)
  }
}
