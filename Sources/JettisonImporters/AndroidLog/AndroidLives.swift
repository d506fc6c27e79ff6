internal import HeapModule
internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns records in the order of time into facts about processes.
///
/// * A process is known by its id from its start to its end. Its end is what the first line about
///   it says (`am_kill`, `killinfo`, the line of the low-memory killer, `am_proc_died`, or the text
///   of any of them); lines about the same end that follow within a second tell cause and band.
/// * What a buffer of events and a buffer of text both say counts once: a second start or end of
///   one process id within the same time is the same.
/// * Where usage statistics show a package before any process of that name is known, the life has
///   no process id until one appears.
/// * Apps say themselves when they come to the front (`wm_on_resume_called` and its like); what the
///   window manager says counts only in captures in which no app does. An activity that follows
///   another of the same process is no launch.
/// * A process that was started for an activity is launched at its start, once it is in front.
/// * An activity that pauses within a second of the screen going off stays in front. That it stops
///   says nothing new: it paused before.
/// * What usage statistics say goes through the same machine as a database of Digital Wellbeing.
struct AndroidLives: ~Copyable {
  /// Where the facts go.
  var timeline: CaptureTimeline
  /// Names of processes, packages and classes.
  var names = ByteTable()
  /// API level of the device; nil: not known.
  var apiLevel: Int?
  /// Seconds that the zone of the log is ahead of UTC.
  var offsetSeconds: Int64 = 0
  /// Whether any app said that it came to the front.
  var appsSayFront = false
  /// Whether the window manager said whom it brought to the front.
  var managerSaysFront = false
  /// Whether any app was in front.
  var wasAnyInFront = false
  /// Whether native processes are apps of this capture: then they are no part of the system.
  var countsNativeAsSystem = true
  /// Whether any footprint is a resident set.
  private(set) var hasResidentSets = false

  static let second: Int64 = 1_000_000_000
  /// Lines about one event are within this time of each other.
  private static let joinNanoseconds = second
  /// A process that is started for an activity shows it within this time.
  static let launchNanoseconds = 10 * second
  /// After a crash or a freeze was reported, the process ends within this time.
  private static let reportNanoseconds = 10 * second

  /// Every process that is known.
  var lives = AndroidProcesses()
  /// A life whose start or end waits for more lines, and when it has waited long enough.
  private struct Pending: Comparable {
    let due: Int64
    /// Which one it is of all that waited.
    let order: Int
    let number: Int

    static func < (a: Pending, b: Pending) -> Bool { (a.due, a.order) < (b.due, b.order) }
  }

  private var pending = Heap<Pending>()
  private var pendingCount = 0
  /// Ends of processes that no line has named yet.
  private var unnamedEnds = UnnamedEnds()
  var front: Int?
  /// The activity with which it came to the front, where the app itself says so.
  var frontClass: UInt32?
  var leave: (at: Int64, line: Int)?
  var isScreenOn: Bool?
  /// The first moment of the capture, or of the device since it started.
  private var beginning = Int64.max
  /// Whether the device started within the capture: nothing runs from before.
  private var hasStarted = false
  /// When the log last said that the device started.
  private var bootedAt: Int64?
  /// The instant of the newest warnings, and their levels as bits.
  private var warned: (at: Int64, levels: UInt8) = (.min, 0)
  /// What usage statistics say about which app is shown.
  var usage = ShownApps()
  /// The package that the window manager resumed last.
  var resumedPackage: (name: UInt32, at: Int64)?

  init(_ timeline: consuming CaptureTimeline) {
    self.timeline = timeline
  }
}

// MARK: - One record after the other

extension AndroidLives {
  /// Takes the next record; times do not fall.
  mutating func take(_ record: AndroidRecord) throws(TraceError) {
    let at = record.nanoseconds
    let line = Int(record.line)
    try settle(until: at)
    beginning = min(beginning, at)
    if record.kind == .usage {
      usage.take(ShownApps.Row(record), &timeline.issues)
    } else {
      usage.flush(&timeline.issues)
    }
    try tellUsage()
    switch record.kind {
    case .started, .bound: try start(record)
    case .died, .killed: try end(record)
    case .crashed, .notResponding:
      guard let number = try life(of: record) else { return }
      if record.kind == .crashed {
        lives[number]?.crashedAt = at
      } else {
        lives[number]?.notRespondingAt = at
      }
    case .footprint: try sample(record)
    case .frozen, .thawed:
      guard let number = try life(of: record), number != front else { return }
      lives[number]?.state = nil
      try add(record.kind == .frozen ? .suspended : .background, at, number, line)
    case .processState, .listed: try setState(record)
    case .activityResumed: try resume(record)
    case .activityPaused: pause(record)
    case .launchTook: try launchTook(record)
    case .packageShown:
      // Events know better, and say it as well.
      guard !appsSayFront, !managerSaysFront else { return }
      try bringToFront(packageLife(record.name, at), at, line)
    case .usage: break
    case .systemWarned: try warn(record)
    case .available: try timeline.add(.available(bytes: record.value), at: utc(at), line: line)
    case .systemMemory:
      try timeline.add(.systemMemory(bytes: record.value), at: utc(at), line: line)
    case .screen: try turnScreen(isOn: record.value == 1, at, line)
    case .boot:
      if bootedAt == at {
        noteRepeat(line)
      } else {
        try boot(at, line)
      }
    }
  }

  /// A log that was fetched twice holds its lines twice.
  private mutating func noteRepeat(_ line: Int) {
    timeline.issues.add(.info, "a warning or a start that the log has already", line: line)
  }

  private mutating func warn(_ record: AndroidRecord) throws(TraceError) {
    let (at, line) = (record.nanoseconds, Int(record.line))
    let level: UInt8 = 1 << UInt8(clamping: max(0, min(record.value, 7)))
    if warned.at != at { warned = (at, 0) }
    guard warned.levels & level == 0 else { return noteRepeat(line) }
    warned.levels |= level
    try timeline.add(.systemWarned(level: record.value), at: utc(at), line: line)
  }

  /// Says everything that waited for lines that did not come.
  mutating func finish() throws(TraceError) {
    usage.flush(&timeline.issues)
    try tellUsage()
    try settle(until: .max)
  }

  /// Nanoseconds since 1970 in UTC.
  func utc(_ nanoseconds: Int64) -> Int64 { nanoseconds - offsetSeconds * Self.second }

  mutating func add(
    _ fact: CaptureFact, _ at: Int64, _ number: Int, _ line: Int
  ) throws(TraceError) {
    guard let life = lives[number], life.end == nil || Self.isEnd(fact) else { return }
    try timeline.add(fact, at: utc(at), life.process, line: line)
  }

  private static func isEnd(_ fact: CaptureFact) -> Bool {
    if case .exited = fact { return true }
    return false
  }

  /// Closes what waited long enough.
  private mutating func settle(until now: Int64) throws(TraceError) {
    if let leave, let number = front, now > leave.at + Self.joinNanoseconds {
      self.leave = nil
      front = nil
      try add(.left, leave.at, number, leave.line)
    }
    while let line = unnamedEnds.expire(before: now, after: Self.joinNanoseconds) {
      timeline.issues.add(
        .info, "a process exit is ignored: no line gives the process's name", line: line)
    }
    while let first = pending.min, now > first.due {
      pending.removeMin()
      let number = first.number
      guard let life = lives[number] else { continue }
      if let end = life.end {
        if now > end.at + Self.joinNanoseconds {
          try bury(number)
        } else {
          wait(for: number, until: end.at + Self.joinNanoseconds)
        }
      } else if let start = life.heldStart {
        if now > start.at + Self.launchNanoseconds {
          lives[number]?.heldStart = nil
          try add(.started(.unknown), start.at, number, start.line)
        } else {
          wait(for: number, until: start.at + Self.launchNanoseconds)
        }
      }
    }
  }

  private mutating func wait(for number: Int, until due: Int64) {
    pending.insert(Pending(due: due, order: pendingCount, number: number))
    pendingCount += 1
  }
}

// MARK: - Processes

extension AndroidLives {
  mutating func newLife(
    _ name: UInt32, pid: Int32, ranBefore: Bool, startedAt: Int64? = nil
  ) -> Int {
    let process = timeline.process(named: names.text(name), ranBefore: ranBefore)
    return lives.add(
      AndroidProcesses.Life(process: process, name: name, pid: pid, startedAt: startedAt))
  }

  private mutating func rename(_ number: Int, to name: UInt32) {
    guard let life = lives[number], life.name != name else { return }
    lives.rename(number, to: name)
    timeline.rename(life.process, to: names.text(name))
  }

  /// The life that a record is about, made if none is known; nil if the record is about a process
  /// that has just ended.
  mutating func life(of record: AndroidRecord) throws(TraceError) -> Int? {
    let pid = record.pid
    var isFirst = true
    if let number = lives.number(ofPid: pid), let life = lives[number] {
      if record.name == .max || record.name == life.name || record.isNameLoose { return number }
      if life.isNameGuessed {
        rename(number, to: record.name)
        return number
      }
      try replace(number, record)
      isFirst = false
    }
    if isFirst, isRecentlyEnded(record) {
      timeline.issues.add(.info, "a process that is over already", line: Int(record.line))
      return nil
    }
    guard record.name != .max else {
      timeline.issues.add(
        .info, "a process is ignored: no line gives its name", line: Int(record.line))
      return nil
    }
    if let number = adopt(record.name, pid) { return number }
    let number = newLife(record.name, pid: pid, ranBefore: isFirst && !hasStarted)
    // Listings cut names or call processes otherwise than the log does.
    lives[number]?.isNameGuessed = record.isNameLoose
    return number
  }

  /// Ends the life of a process id that belongs to another process now.
  private mutating func replace(_ number: Int, _ record: AndroidRecord) throws(TraceError) {
    if lives[number]?.end == nil {
      let line = Int(record.line)
      timeline.issues.add(
        .info, "a process id is given to another process: the end of the first is not shown",
        line: line)
      markEnd(number, at: record.nanoseconds, line: line, exit: .unknown, band: nil)
    }
    try bury(number)
  }

  private func isRecentlyEnded(_ record: AndroidRecord) -> Bool {
    guard let at = lives.lastEnd(ofPid: record.pid) else { return false }
    return record.nanoseconds - at <= Self.reportNanoseconds
  }

  /// Gives a process id to a life that usage statistics or the window manager told of.
  private mutating func adopt(_ name: UInt32, _ pid: Int32) -> Int? {
    guard let number = lives.newestWithoutPid(named: name) else { return nil }
    lives.give(pid: pid, to: number)
    return number
  }

  private mutating func start(_ record: AndroidRecord) throws(TraceError) {
    let at = record.nanoseconds
    let line = Int(record.line)
    if let number = lives.number(ofPid: record.pid), let life = lives[number] {
      let isSame = life.end == nil && (life.name == record.name || life.isNameGuessed)
      if isSame, record.kind == .bound {
        rename(number, to: record.name)
        return
      }
      if isSame, let start = life.startedAt, at - start <= Self.launchNanoseconds { return }
      try replace(number, record)
    }
    if let number = lives.newestWithoutPid(named: record.name), let life = lives[number] {
      // The window manager resumes a package, then its process starts.
      if let known = life.startedAt, at - known <= Self.launchNanoseconds {
        _ = adopt(record.name, record.pid)
        return
      }
      timeline.issues.add(
        .info, "a process starts anew: the end of the one before is not shown", line: line)
      markEnd(number, at: at, line: line, exit: .unknown, band: nil)
      try bury(number)
    }
    let number = newLife(record.name, pid: record.pid, ranBefore: false, startedAt: at)
    if record.value == 1 {
      lives[number]?.heldStart = (at, line)
      wait(for: number, until: at + Self.launchNanoseconds)
    } else {
      try add(.started(.unknown), at, number, line)
    }
  }

  private mutating func end(_ record: AndroidRecord) throws(TraceError) {
    if record.name == .max, lives.number(ofPid: record.pid) == nil {
      // `killinfo` names no process; the line that follows it does.
      unnamedEnds.add(record)
      return
    }
    guard let number = try life(of: record) else { return }
    for unnamed in unnamedEnds.take(pid: record.pid) { try end(unnamed, number) }
    try end(record, number)
  }

  private mutating func end(_ record: AndroidRecord, _ number: Int) throws(TraceError) {
    guard let life = lives[number] else { return }
    let line = Int(record.line)
    if record.exit == .empty { noteEmpty(number) }
    if record.value > 0, !life.hasSample, life.end == nil {
      try footprint(record.value, isResident: true, record.nanoseconds, number, line)
    }
    markEnd(
      number, at: record.nanoseconds, line: line, exit: record.exit, band: record.band)
  }

  /// Notes an end, or what one more line says about it.
  private mutating func markEnd(
    _ number: Int, at: Int64, line: Int, exit: AndroidExit, band: Int64?
  ) {
    guard let life = lives[number] else { return }
    guard var end = life.end else {
      lives[number]?.end = AndroidProcesses.End(
        at: at, line: line, exit: exit, band: band)
      wait(for: number, until: at + Self.joinNanoseconds)
      return
    }
    // The low-memory killer knows best what it did.
    if end.exit == .unknown || exit == .lowMemory { end.exit = exit }
    if end.band == nil { end.band = band }
    lives[number]?.end = end
  }

  /// Ends a life for good.
  private mutating func bury(_ number: Int) throws(TraceError) {
    guard let life = lives[number], let end = life.end else { return }
    var exit = end.exit
    if exit == .unknown, let crash = life.crashedAt, end.at - crash <= Self.reportNanoseconds {
      exit = .crashed
    } else if exit == .unknown, let report = life.notRespondingAt,
      end.at - report <= Self.reportNanoseconds
    {
      exit = .notResponding
    } else if exit == .notResponding, let crash = life.crashedAt,
      end.at - crash <= Self.reportNanoseconds
    {
      // A person answers the dialog of a crash as that of a freeze.
      exit = .crashed
    }
    if let start = life.heldStart {
      try timeline.add(.started(.unknown), at: utc(start.at), life.process, line: start.line)
    }
    try timeline.add(
      .exited(exit.exit(adj: end.band)), at: utc(end.at), life.process, line: end.line)
    if front == number {
      front = nil
      leave = nil
    }
    lives.remove(number)
  }

  mutating func boot(_ at: Int64, _ line: Int) throws(TraceError) {
    try settle(until: .max)
    try timeline.add(.boot, at: utc(at), line: line)
    lives.removeAll()
    pending = Heap()
    front = nil
    leave = nil
    isScreenOn = nil
    resumedPackage = nil
    beginning = at
    bootedAt = at
    hasStarted = true
  }
}

// MARK: - Memory and states

extension AndroidLives {
  private mutating func sample(_ record: AndroidRecord) throws(TraceError) {
    guard let number = try life(of: record) else { return }
    try footprint(
      record.value, isResident: record.extra & 1 == 1, record.nanoseconds, number, Int(record.line))
    lives[number]?.hasSample = true
    // Events say the state of the process as well.
    guard let procState = record.band,
      let state = AndroidProcessState(procState: procState, apiLevel: apiLevel ?? 30)
    else { return }
    try set(state, record.nanoseconds, number, Int(record.line))
  }

  private mutating func footprint(
    _ bytes: Int64, isResident: Bool, _ at: Int64, _ number: Int, _ line: Int
  ) throws(TraceError) {
    if isResident { hasResidentSets = true }
    // A resident set stands in for the footprint: it counts shared pages in full.
    try add(.footprint(bytes: bytes, isDerived: isResident), at, number, line)
  }

  /// What shows nothing now, and was not seen in front since, had not been shown before the capture.
  private mutating func noteEmpty(_ number: Int) {
    guard let life = lives[number], number != front, life.timesInFront == 0 else { return }
    timeline.startsUnshown(life.process)
  }

  private mutating func setState(_ record: AndroidRecord) throws(TraceError) {
    var state =
      record.kind == .listed
      ? AndroidProcessState(rawValue: record.extra)
      : AndroidProcessState(procState: record.value, apiLevel: apiLevel ?? 30)
    if let adj = record.band, adj < 0, adj >= -1000 { state = .persistent }
    guard let state, let number = try life(of: record) else { return }
    if record.kind == .listed, let adj = record.band, (-1000...1000).contains(adj) {
      try add(.ranked(adj: adj), record.nanoseconds, number, Int(record.line))
    }
    try set(state, record.nanoseconds, number, Int(record.line))
  }

  private mutating func set(
    _ state: AndroidProcessState, _ at: Int64, _ number: Int, _ line: Int
  ) throws(TraceError) {
    guard let life = lives[number], life.state != state else { return }
    lives[number]?.state = state
    if state == .empty { noteEmpty(number) }
    if (state == .persistent) != life.isPinned {
      lives[number]?.isPinned = state == .persistent
      // What the system never ends it does not begin to spare when it is first listed.
      let since = life.state == nil && life.heldStart == nil ? life.startedAt ?? beginning : at
      try add(.pinned(state == .persistent), since, number, line)
    }
    guard number != front else { return }
    switch state {
    case .running: try add(.background, at, number, line)
    case .idle, .empty: try add(.suspended, at, number, line)
    case .persistent, .top: break
    }
  }
}

extension ShownApps.Row {
  fileprivate init(_ record: AndroidRecord) {
    self.init(
      nanoseconds: record.nanoseconds, activity: record.value, line: Int(record.line),
      package: record.name, type: UsageEventType(rawValue: record.extra) ?? .unknown)
  }
}
