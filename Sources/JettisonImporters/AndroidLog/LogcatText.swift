internal import JettisonModel
internal import JettisonSupport

/// The lines for people that say what events say, for logs without the buffer of events.
extension LogcatReader {
  /// The record of a line of `ActivityManager` or `lowmemorykiller`; nil if it says nothing.
  func text(
    _ tag: LogcatTag, _ line: Span<UInt8>, _ head: LogcatLine, _ moment: Int64, _ number: Int,
    _ capture: inout AndroidCapture
  ) -> AndroidRecord? {
    let message = line.extracting(head.message)
    if tag == .activityManager, let package = Self.shown(message) {
      var record = AndroidRecord(.packageShown, at: moment, line: number)
      record.name = capture.lives.names.number(of: message.extracting(package))
      return record
    }
    var record = AndroidRecord(.killed, at: moment, line: number)
    let name: Range<Int>?
    if tag == .lowMemoryKiller {
      guard message.has("Kill", at: 0) else { return nil }
      name = Self.lowMemoryKill(message, &record)
    } else if message.has("Killing ", at: 0) {
      name = Self.killing(message, &record)
    } else if message.has("Start proc ", at: 0) {
      name = Self.start(message, &record)
    } else if message.has("Process ", at: 0), let died = message.find(") has died") {
      name = Self.died(message, upTo: died, &record)
    } else {
      return nil
    }
    guard let name, !name.isEmpty, record.pid >= 0 else {
      capture.note(
        .error, "a line about a process does not name it", line: number)
      return nil
    }
    record.name = capture.lives.names.number(of: message.extracting(name))
    return record
  }

  /// The package of `START u0 {act=… cmp=com.example.notes/.Main} from uid 10012` and of
  /// `Displayed com.example.notes/.Main: +850ms`; nil: the message is neither.
  private static func shown(_ message: Span<UInt8>) -> Range<Int>? {
    var start = 10
    if message.has("START ", at: 0) || message.has("Starting: ", at: 0) {
      guard let component = message.find("cmp=", from: 6) else { return nil }
      start = component + 4
    } else if !message.has("Displayed ", at: 0) {
      return nil
    }
    guard let slash = message.find("/", from: start), slash > start else { return nil }
    // Between them stands a name and nothing else.
    for position in start..<slash where message[position] <= 0x20 { return nil }
    return start..<slash
  }

  /// `Killing 1979:com.example.notes/u0a423 (adj 905): kill background`.
  private static func killing(_ message: Span<UInt8>, _ record: inout AndroidRecord) -> Range<Int>?
  {
    var position = 8
    guard let pid = message.number(&position), message.take(":", &position),
      let bracket = message.find(" (adj ", from: position)
    else { return nil }
    record.pid = Int32(exactly: pid) ?? AndroidRecord.noProcess
    let name = position..<slash(message, position..<bracket)
    position = bracket + 6
    if let adj = message.signedNumber(&position) { record.adj = Int32(clamping: adj) }
    if let colon = message.find("): ", from: bracket) {
      record.exit = AndroidExit(reason: message.extracting(colon + 3..<message.count))
    }
    return name
  }

  /// `Start proc 4660:com.example.notes/u0a12 for next-top-activity {…}`; up to Android 4.4
  /// `Start proc com.example.notes for activity com.example.notes/.Main: pid=4660 uid=10012 …`.
  private static func start(_ message: Span<UInt8>, _ record: inout AndroidRecord) -> Range<Int>? {
    record.kind = .started
    var position = 11
    guard let purpose = message.find(" for ", from: position) else { return nil }
    if message.find("activity", from: purpose).map({ $0 - purpose < 24 }) == true {
      record.value = 1
    }
    let start = position
    if let pid = message.number(&position), message.take(":", &position) {
      record.pid = Int32(exactly: pid) ?? AndroidRecord.noProcess
      // What a process was started for within its own name stands in brackets.
      let end = message.find(" [", from: position) ?? purpose
      return position..<slash(message, position..<min(end, purpose))
    }
    guard let found = message.find(": pid=", from: purpose) else { return nil }
    position = found + 6
    record.pid = message.number(&position).flatMap { Int32(exactly: $0) } ?? AndroidRecord.noProcess
    return start..<purpose
  }

  /// `Process com.example.notes (pid 25414) has died: cch+45 SVC`: its rank when it died.
  private static func died(
    _ message: Span<UInt8>, upTo end: Int, _ record: inout AndroidRecord
  ) -> Range<Int>? {
    record.kind = .died
    guard let bracket = message.find(" (pid ", from: 8), bracket < end else { return nil }
    var position = bracket + 6
    record.pid = message.number(&position).flatMap { Int32(exactly: $0) } ?? AndroidRecord.noProcess
    if let colon = message.find(": ", from: end),
      let adj = AndroidAdj.rank(message.extracting(colon + 2..<message.count))
    {
      record.adj = Int32(clamping: adj)
    }
    return 8..<bracket
  }

  /// `Kill 'com.example.notes' (3946), uid 10144, oom_score_adj 100 to free 266188kB rss, …` and
  /// the kernel's `Killing 'm.example.notes' (3946), adj 906,`: by keyword, not by position.
  private static func lowMemoryKill(
    _ message: Span<UInt8>, _ record: inout AndroidRecord
  ) -> Range<Int>? {
    guard let open = message.find("'"), let close = message.find("' (", from: open + 1) else {
      return nil
    }
    record.exit = .lowMemory
    record.extra = 2
    var position = close + 3
    if message.has("pid=", at: position) { position += 4 }
    record.pid = message.number(&position).flatMap { Int32(exactly: $0) } ?? AndroidRecord.noProcess
    if let adj = message.find("adj", from: position) {
      position = adj + 3
      if message.take(" ", &position) || message.take("=", &position),
        let adj = message.signedNumber(&position)
      {
        record.adj = Int32(clamping: adj)
      }
    }
    if let free = message.find("to free ", from: position) {
      position = free + 8
      record.value = message.number(&position).map(bytes(kilobytes:)) ?? 0
      record.value += swapped(message, from: position)
    }
    return open + 1..<close
  }

  /// The bytes of `… rss, 10kB anon rss, 12345kB swap; reason: …`; 0 if nothing is swapped out.
  private static func swapped(_ message: Span<UInt8>, from start: Int) -> Int64 {
    guard let unit = message.find("kB swap", from: start) else { return 0 }
    var position = unit
    while position > start, message[position - 1] >= 0x30, message[position - 1] <= 0x39 {
      position -= 1
    }
    return message.number(&position).map(bytes(kilobytes:)) ?? 0
  }

  /// Where the user of `name/u0a12` begins.
  private static func slash(_ message: Span<UInt8>, _ range: Range<Int>) -> Int {
    var position = range.upperBound
    while position > range.lowerBound {
      position -= 1
      if message[position] == UInt8(ascii: "/") { return position }
    }
    return range.upperBound
  }
}
