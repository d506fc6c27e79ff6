internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns the lines of a log into records.
///
/// A line is decided about by its bytes: those whose tag says nothing cost no allocation.
struct LogcatReader {
  private let tags = LogcatTag.Table()
  private var fields = EventFields()
  /// Lines that are part of a log, whatever they say.
  private(set) var lineCount = 0

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
    guard let head = LogcatLine(line) else {
      if line.has("---------", at: 0) {
        // `--------- beginning of events`, `--------- switch to main`.
        capture.beginBuffer()
      } else if isOpen {
        capture.note(.dataLoss, TraceInput.cutLine, line: number)
      } else if line.count > 0 {
        capture.note(.info, "a line that is not part of a log", line: number)
      }
      return
    }
    lineCount += 1
    guard let moment = capture.moment(of: head.stamp, line: number),
      let tag = tags.find(line, head.tag)
    else { return }
    if isOpen, !Self.isWhole(tag, line, head.message) {
      capture.note(.dataLoss, TraceInput.cutLine, line: number)
      return
    }
    switch tag {
    case .activityManager, .lowMemoryKiller:
      guard let record = text(tag, line, head, moment, number, &capture) else { return }
      try capture.add(record)
    case .memory: try memory(line, head, moment, number, &capture)
    case .killInfo: try killInfo(line, head, moment, number, &capture)
    default:
      fields.split(line, head.message)
      guard let record = record(tag, line, head, moment, number, &capture) else {
        capture.note(
          .error, "the fields of an event are not those that its tag has", line: number)
        return
      }
      if record.isNothing { return }
      try capture.add(record)
    }
  }
}

extension LogcatReader {
  /// Whether the message of a line without an end is whole all the same: a list says where it ends,
  /// a single number is one with fewer digits too, and a sentence may have gone on.
  private static func isWhole(
    _ tag: LogcatTag, _ line: Span<UInt8>, _ message: Range<Int>
  ) -> Bool {
    guard !message.isEmpty else { return false }
    switch tag {
    case .activityManager:
      // Most of what it writes says nothing.
      let text = line.extracting(message)
      return !["Killing ", "Start", "START ", "Process ", "Displayed "].contains { (word) in
        text.has(word as StaticString, at: 0)
      }
    case .lowMemoryKiller: return false
    default: break
    }
    guard line[message.lowerBound] == UInt8(ascii: "[") else {
      return [.lowMemory, .screenToggled, .screenState, .boot].contains(tag)
    }
    return line[message.upperBound - 1] == UInt8(ascii: "]")
  }
}

extension AndroidRecord {
  /// Says that an event was understood and that nothing follows from it.
  static func nothing(_ line: Int) -> AndroidRecord {
    AndroidRecord(.boot, at: .min, line: line)
  }

  fileprivate var isNothing: Bool { nanoseconds == .min }
}

// MARK: - Events

extension LogcatReader {
  /// The record of an event; nil if its fields are not understood.
  private func record(
    _ tag: LogcatTag, _ line: Span<UInt8>, _ head: LogcatLine, _ moment: Int64, _ number: Int,
    _ capture: inout AndroidCapture
  ) -> AndroidRecord? {
    switch tag {
    case .processStart, .processBound, .processDied, .kill, .crash, .notResponding, .freeze,
      .unfreeze, .pss, .processState:
      return process(tag, line, moment, number, &capture)
    case .appResumed, .appPaused, .appTop:
      return app(tag, line, head, moment, number, &capture)
    case .managerResumed, .managerPaused, .launchTime:
      return manager(tag, line, head, moment, number, &capture)
    case .lowMemory:
      guard fields.integer(line, 0) != nil else { return nil }
      var record = AndroidRecord(.systemWarned, at: moment, line: number)
      // No background process is left: apps are told to free what they can.
      record.value = 2
      return record
    case .memoryFactor:
      guard let factor = fields.integer(line, 0), (0...3).contains(factor) else { return nil }
      var record = AndroidRecord(.systemWarned, at: moment, line: number)
      // Normal; moderate and low; critical.
      record.value = factor == 3 ? 2 : min(factor, 1)
      return record
    case .screenToggled, .screenState:
      guard let state = fields.integer(line, 0) else { return nil }
      var record = AndroidRecord(.screen, at: moment, line: number)
      record.value = state == 0 ? 0 : 1
      return record
    case .boot: return AndroidRecord(.boot, at: moment, line: number)
    case .memory, .killInfo, .activityManager, .lowMemoryKiller: return nil
    }
  }

  /// Events about a process.
  ///
  /// The user stands before the process id since Android 4.2; the first field of a line
  /// that isn't a number, the name, shows which layout it has.
  private func process(
    _ tag: LogcatTag, _ line: Span<UInt8>, _ moment: Int64, _ number: Int,
    _ capture: inout AndroidCapture
  ) -> AndroidRecord? {
    var record = AndroidRecord(.bound, at: moment, line: number)
    var name = 0
    while name < 4, fields.integer(line, name) != nil { name += 1 }
    var pid = name - 1
    switch tag {
    case .processStart:
      record.kind = .started
      pid = name - 2
      if let type = fields.range(name + 1), line.extracting(type).find("activity") != nil {
        record.value = 1
      }
    case .processBound: break
    case .processDied:
      record.kind = .died
      record.adj = adj(line, name + 1, hasUser: name > 1)
    case .kill:
      record.kind = .killed
      guard fields.integer(line, name + 1) != nil else { return nil }
      record.adj = adj(line, name + 1, hasUser: name > 1)
      setReason(&record, line, from: name + 2)
    case .crash:
      record.kind = .crashed
      // The process id stands before the user, whatever the list of tags says.
      if name == 2, let first = fields.integer(line, 0), let second = fields.integer(line, 1),
        first > second
      {
        pid = 0
      }
    case .notResponding: record.kind = .notResponding
    case .freeze, .unfreeze:
      record.kind = tag == .freeze ? .frozen : .thawed
    case .pss:
      (pid, name) = (0, 2)
      guard setFootprint(&record, line) else { return nil }
    case .processState: return processState(record, line)
    default: return nil
    }
    guard pid >= 0, let number = fields.pid(line, pid) else { return nil }
    record.pid = number
    guard let text = fields.range(name), !text.isEmpty else { return nil }
    record.name = capture.lives.names.number(of: line.extracting(text))
    return record
  }

  /// The rank in a field; logs without users have the older scale.
  private func adj(_ line: Span<UInt8>, _ field: Int, hasUser: Bool) -> Int32 {
    guard let adj = fields.integer(line, field) else { return AndroidRecord.noAdj }
    guard !hasUser else { return Int32(clamping: adj) }
    return AndroidAdj.rank(ofOldAdj: adj).map { Int32(clamping: $0) } ?? AndroidRecord.noAdj
  }

  /// `am_proc_state_changed`: user, process, sequence, state, the one before, rank.
  private func processState(_ record: AndroidRecord, _ line: Span<UInt8>) -> AndroidRecord? {
    guard let pid = fields.pid(line, 1), let state = fields.integer(line, 3),
      let adj = fields.integer(line, 5)
    else { return nil }
    var record = record
    record.kind = .processState
    record.pid = pid
    record.value = state
    record.adj = Int32(clamping: adj)
    return record
  }

  /// The reason of `am_kill`, which may hold commas, and the resident set that newer versions add.
  private func setReason(_ record: inout AndroidRecord, _ line: Span<UInt8>, from first: Int) {
    var last = fields.count
    if last > first + 1, let size = fields.integer(line, last - 1) {
      last -= 1
      // Said to be bytes, written in kilobytes.
      record.value = Self.bytes(kilobytes: size)
    }
    guard let reason = fields.joined(from: first, upTo: last) else { return }
    record.exit = AndroidExit(reason: line.extracting(line.trimmed(reason)))
  }

  /// The figures of `am_pss`; the PSS holds what is swapped out.
  private func setFootprint(_ record: inout AndroidRecord, _ line: Span<UInt8>) -> Bool {
    record.kind = .footprint
    guard let pss = fields.integer(line, 3), pss >= 0 else { return false }
    record.value = pss
    if fields.count >= 10, let state = fields.integer(line, 8), (0...99).contains(state) {
      record.adj = Int32(clamping: state)
    }
    if pss == 0 {
      // Builds that measure no PSS leave it 0 and fill in the resident set.
      guard let resident = fields.integer(line, 6) else { return true }
      record.value = max(resident, 0)
      record.extra = 1
    }
    return true
  }

  static func bytes(kilobytes: Int64) -> Int64 {
    kilobytes < 0 || kilobytes > 1 << 40 ? 0 : kilobytes * 1024
  }
}

// MARK: - Activities

extension LogcatReader {
  /// What an app says about its own activity; the token may stand before it, or the user, or both.
  private func app(
    _ tag: LogcatTag, _ line: Span<UInt8>, _ head: LogcatLine, _ moment: Int64, _ number: Int,
    _ capture: inout AndroidCapture
  ) -> AndroidRecord? {
    var field = 0
    while field < 3, fields.integer(line, field) != nil { field += 1 }
    guard let component = fields.range(field), !component.isEmpty else { return nil }
    let isWindowManager = line[head.tag.lowerBound] == UInt8(ascii: "w")
    capture.guessAPILevel(isWindowManager ? 30 : tag == .appTop ? 29 : 28)
    if tag == .appTop { return .nothing(number) }
    var record = AndroidRecord(
      tag == .appResumed ? .activityResumed : .activityPaused, at: moment, line: number)
    record.name = capture.lives.names.number(of: line.extracting(package(line, component)))
    if let pid = head.pid {
      record.pid = pid
      capture.lives.appsSayFront = true
    }
    return record
  }

  /// What the window manager says about a component.
  private func manager(
    _ tag: LogcatTag, _ line: Span<UInt8>, _ head: LogcatLine, _ moment: Int64, _ number: Int,
    _ capture: inout AndroidCapture
  ) -> AndroidRecord? {
    var field = 0
    while field < 4, fields.integer(line, field) != nil { field += 1 }
    guard let component = fields.range(field), !component.isEmpty else { return nil }
    let kind: AndroidRecord.Kind =
      switch tag {
      case .managerResumed: .activityResumed
      case .managerPaused: .activityPaused
      default: .launchTook
      }
    var record = AndroidRecord(kind, at: moment, line: number)
    if tag == .launchTime {
      guard let milliseconds = fields.integer(line, field + 1), milliseconds >= 0,
        milliseconds < 1 << 40
      else { return nil }
      record.value = milliseconds * 1_000_000
    }
    let isWindowManager = line[head.tag.lowerBound] == UInt8(ascii: "w")
    if isWindowManager { capture.guessAPILevel(30) }
    if kind == .activityResumed { capture.lives.managerSaysFront = true }
    record.name = capture.lives.names.number(of: line.extracting(package(line, component)))
    return record
  }

  /// The package of `package/class`; of a class alone, all of it.
  private func package(_ line: Span<UInt8>, _ component: Range<Int>) -> Range<Int> {
    var end = component.lowerBound
    while end < component.upperBound, line[end] != UInt8(ascii: "/") { end += 1 }
    return component.lowerBound..<end
  }
}

// MARK: - Memory

extension LogcatReader {
  /// `am_meminfo`: cached, free, zram, kernel, native, in bytes.
  private mutating func memory(
    _ line: Span<UInt8>, _ head: LogcatLine, _ moment: Int64, _ number: Int,
    _ capture: inout AndroidCapture
  ) throws(TraceError) {
    fields.split(line, head.message)
    let figures = (0..<5).compactMap { fields.integer(line, $0) }.filter {
      $0 >= 0 && $0 <= 1 << 50
    }
    guard figures.count == 5 else {
      capture.note(
        .error, "the fields of an event are not those that its tag has", line: number)
      return
    }
    var available = AndroidRecord(.available, at: moment, line: number)
    available.value = figures[0] + figures[1]
    try capture.add(available)
    var system = AndroidRecord(.systemMemory, at: moment, line: number)
    system.value = figures[2] + figures[3]
    if capture.lives.countsNativeAsSystem { system.value += figures[4] }
    try capture.add(system)
  }

  /// `killinfo`: the victim of the low-memory killer, and what memory there was, in kilobytes.
  ///
  /// Available memory is what is free and the cached files: 7, 17 and 18 of the list.
  private mutating func killInfo(
    _ line: Span<UInt8>, _ head: LogcatLine, _ moment: Int64, _ number: Int,
    _ capture: inout AndroidCapture
  ) throws(TraceError) {
    fields.split(line, head.message)
    guard fields.count >= 6, let pid = fields.pid(line, 0), let adj = fields.integer(line, 2),
      let resident = fields.integer(line, 4)
    else {
      capture.note(
        .error, "the fields of an event are not those that its tag has", line: number)
      return
    }
    var kill = AndroidRecord(.killed, at: moment, line: number)
    kill.pid = pid
    kill.adj = Int32(clamping: adj)
    kill.exit = .lowMemory
    kill.value = Self.bytes(kilobytes: resident)
    if let swapped = fields.integer(line, 29) { kill.value += Self.bytes(kilobytes: swapped) }
    try capture.add(kill)
    if let free = fields.integer(line, 6), let active = fields.integer(line, 16),
      let inactive = fields.integer(line, 17)
    {
      var available = AndroidRecord(.available, at: moment, line: number)
      available.value =
        Self.bytes(kilobytes: free) + Self.bytes(kilobytes: active)
        + Self.bytes(kilobytes: inactive)
      try capture.add(available)
    }
  }
}
