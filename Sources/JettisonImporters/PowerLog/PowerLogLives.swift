internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns the rows of a power log into facts about processes.
struct PowerLogLives: ~Copyable {
  /// One process of an app.
  private struct Life {
    let process: CaptureProcess
    /// Which of all lives it is.
    let number: Int
    let name: Int32
    var state = PowerLogRecord.State.unknown
    /// Since when it has run without a break, if the log shows that it does.
    var runsSince: Int64?
    /// The largest footprint that it is known to have had.
    var peak: Int64 = 0
    /// When it began, until its first size is known.
    var sizeMissingSince: Int64?
  }

  /// What is known of the footprint of a life from a time on; nil: it is over.
  typealias Size = (nanoseconds: Int64, life: Int, bytes: Int64?)

  /// Processes in the log's first rows ran before it.
  private static let beginning: Int64 = 1_000_000_000
  /// An end and its reason are this close to each other.
  private static let exitSlack: Int64 = 10_000_000_000
  /// A pause of the log that is worth a remark.
  private static let gap: Int64 = 86_400_000_000_000
  /// No device shows more apps at once.
  private static let mostInFront = 16
  private static let homeScreen = "com.apple.springboard"

  /// Footprints of kept apps, each life's in the order of time.
  private(set) var sizes: [Size] = []

  private let rows: PowerLogRows
  private let begin: Int64
  /// What is added to a time of the log.
  private let offset: Int64
  private let filter: AppFilter
  private var lives: [Int64: Life] = [:]
  private var lifeCount = 0
  private var newest: [Int32: Int64] = [:]
  private var lastSuspended: [Int32: Int64] = [:]
  /// Process numbers of apps in front, the newest last.
  private var fronts: [Int64] = []
  private var pressure: Int64 = 0

  init(_ rows: PowerLogRows, begin: Int64, offset: Int64, filter: AppFilter) {
    self.rows = rows
    self.begin = begin
    self.offset = offset
    self.filter = filter
  }

  /// Adds the facts of all rows and starts of the device.
  ///
  /// Complexity: O(rows).
  mutating func run(_ boots: [Int64], _ timeline: inout CaptureTimeline) throws(TraceError) {
    var boots = boots[...]
    var last = begin
    for record in rows.records {
      while let boot = boots.first, boot <= record.nanoseconds {
        boots.removeFirst()
        if boot > begin { try take(boot: boot, &timeline) }
      }
      var record = record
      if record.nanoseconds < begin {
        if rows.boots.contains(where: { record.nanoseconds < $0 && $0 <= begin }) {
          remark("a state from before the device started is over", record, &timeline)
          continue
        }
        record.nanoseconds = begin
      }
      if record.nanoseconds - last > Self.gap {
        remark("nothing was recorded for more than a day before this row", record, &timeline)
      }
      last = record.nanoseconds
      try take(record, &timeline)
    }
  }

  private mutating func take(
    _ record: PowerLogRecord, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    switch record.kind {
    case .seen(let pid): try see(pid, record, &timeline)
    case .prewarmed(let pid):
      if lives[pid]?.name != record.name { try begin(pid, record, .unknown, &timeline) }
    case .state(let state, let pid, let wake):
      try change(state, pid, wake, record, &timeline)
    case .memory(let suspended, let peak):
      try measure(suspended, peak, record, &timeline)
    case .exit(let pid, let exit):
      guard lives[pid] != nil else {
        remark("an end of a process that is not an app here", record, &timeline)
        return
      }
      try end(pid, record, exit, &timeline)
    case .pages(let available, _):
      try timeline.add(
        .available(bytes: available * PowerLogReader.pageBytes),
        at: record.nanoseconds + offset, line: record.line)
    case .pressure(let level):
      guard level != pressure else { return }
      pressure = level
      try timeline.add(
        .systemWarned(level: level), at: record.nanoseconds + offset, line: record.line)
    case .screen(let isOn):
      try timeline.add(.screen(isOn: isOn), at: record.nanoseconds + offset, line: record.line)
    case .shown(let isApp): try show(isApp, record, &timeline)
    }
  }

  private func remark(
    _ text: String, _ record: PowerLogRecord, _ timeline: inout CaptureTimeline
  ) {
    timeline.issues.add(.info, "\(text) (\(record.table.rawValue))", line: record.line)
  }

  private func add(
    _ fact: CaptureFact, _ life: Life, _ record: PowerLogRecord,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    try timeline.add(fact, at: record.nanoseconds + offset, life.process, line: record.line)
  }
}

// MARK: - Beginnings and ends

extension PowerLogLives {
  private mutating func take(
    boot: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    try timeline.add(.boot, at: boot + offset)
    for life in lives.values.sorted(by: { $0.number < $1.number }) {
      sizes.append((boot, life.number, nil))
    }
    lives = [:]
    newest = [:]
    lastSuspended = [:]
    fronts = []
  }

  /// A new life, after one whose end was not recorded.
  private mutating func begin(
    _ pid: Int64, _ record: PowerLogRecord, _ wake: CaptureFact.Wake?,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if lives[pid] != nil {
      remark("a process number is used again, and its last process did not end", record, &timeline)
      try end(pid, record, .observed(cause: "unknown", band: nil), &timeline)
    }
    if let old = newest[record.name], lives[old] != nil, rows.apps.contains(record.name) {
      remark("an app starts anew, and its last process did not end", record, &timeline)
      try end(old, record, .observed(cause: "unknown", band: nil), &timeline)
    }
    let ranBefore = record.nanoseconds <= begin + Self.beginning
    let process = timeline.process(named: rows.names[Int(record.name)], ranBefore: ranBefore)
    var life = Life(process: process, number: lifeCount, name: record.name)
    if !ranBefore { life.sizeMissingSince = record.nanoseconds }
    lifeCount += 1
    lives[pid] = life
    newest[record.name] = pid
    if !ranBefore, let wake { try add(.started(wake), life, record, &timeline) }
  }

  private mutating func end(
    _ pid: Int64, _ record: PowerLogRecord, _ exit: CaptureExit,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let life = lives.removeValue(forKey: pid) else { return }
    let wasNewest = fronts.last == pid
    fronts.removeAll { $0 == pid }
    try add(.exited(reason(pid, record.nanoseconds) ?? exit), life, record, &timeline)
    sizes.append((record.nanoseconds, life.number, nil))
    if wasNewest, let other = fronts.last, let shown = lives[other] {
      try add(.front, shown, record, &timeline)
    }
  }

  /// The reason that the log gives for an end about now.
  private func reason(_ pid: Int64, _ time: Int64) -> CaptureExit? {
    guard let exits = rows.exits[pid] else { return nil }
    let next = exits.partitioningIndex { $0.nanoseconds >= time - Self.exitSlack }
    guard next < exits.count, exits[next].nanoseconds <= time + Self.exitSlack else { return nil }
    return exits[next].exit
  }

  private mutating func see(
    _ pid: Int64, _ record: PowerLogRecord, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let life = lives[pid] else {
      remark("a process without states belongs to the system", record, &timeline)
      return
    }
    guard record.name >= 0, record.name != life.name else { return }
    remark("a process number is used again, and its last process did not end", record, &timeline)
    try end(pid, record, .observed(cause: "unknown", band: nil), &timeline)
  }
}

// MARK: - States

extension PowerLogLives {
  private mutating func change(
    _ state: PowerLogRecord.State, _ pid: Int64, _ wake: CaptureFact.Wake,
    _ record: PowerLogRecord, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard rows.names[Int(record.name)] != Self.homeScreen else {
      remark("the home screen is not an app", record, &timeline)
      return
    }
    if state == .unknown {
      remark("a state that the system itself does not know", record, &timeline)
      return
    }
    if state == .terminated {
      guard lives[pid]?.name == record.name else {
        remark("an end of an app that does not run", record, &timeline)
        return
      }
      return try end(pid, record, .observed(cause: "unknown", band: nil), &timeline)
    }
    if lives[pid]?.name != record.name {
      try begin(pid, record, state == .foreground ? nil : wake, &timeline)
    }
    guard var life = lives[pid] else { return }
    guard life.state != state else {
      remark("a state that an app has already", record, &timeline)
      return
    }
    let isNew = life.state == .unknown
    let wasRunning = life.state != .unknown && life.state != .suspended
    life.state = state
    if state == .suspended {
      if isNew { life.runsSince = nil }
      lastSuspended[record.name] = pid
    } else if !wasRunning {
      life.runsSince = record.nanoseconds
    }
    lives[pid] = life
    // What was suspended does not run by itself.
    if !isNew, !wasRunning, state == .background {
      try add(.started(wake), life, record, &timeline)
    }
    try tell(state, pid, life, record, &timeline)
  }

  private mutating func tell(
    _ state: PowerLogRecord.State, _ pid: Int64, _ life: Life, _ record: PowerLogRecord,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    switch state {
    case .foreground:
      guard !fronts.contains(pid) else { return }
      if fronts.count == Self.mostInFront { fronts.removeFirst() }
      fronts.append(pid)
      try add(.front, life, record, &timeline)
    case .obscured where fronts.contains(pid): break
    case .suspended:
      try leave(pid, life, record, &timeline)
      try add(.suspended, life, record, &timeline)
    default:
      try leave(pid, life, record, &timeline)
      try add(.background, life, record, &timeline)
    }
  }

  /// The app leaves the front if it was there; another that is still shown is in front again.
  private mutating func leave(
    _ pid: Int64, _ life: Life, _ record: PowerLogRecord, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let position = fronts.firstIndex(of: pid) else { return }
    let wasNewest = position == fronts.count - 1
    fronts.remove(at: position)
    guard wasNewest else { return }
    try add(.left, life, record, &timeline)
    if let other = fronts.last, let shown = lives[other] {
      try add(.front, shown, record, &timeline)
    }
  }

  /// The screen shows an app or none: for logs without states.
  private mutating func show(
    _ isApp: Bool, _ record: PowerLogRecord, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    // Without states there are no process numbers; the app's name is as good.
    let pid = isApp ? -1 - Int64(record.name) : 0
    if let old = fronts.last, old != pid, let life = lives[old] {
      fronts = []
      lives[old]?.state = .background
      try add(.left, life, record, &timeline)
    }
    guard isApp else { return }
    try change(.foreground, pid, .unknown, record, &timeline)
  }
}

// MARK: - Memory

extension PowerLogLives {
  /// The log measures an app when it is suspended.
  private mutating func measure(
    _ suspended: Int64, _ peak: Int64, _ record: PowerLogRecord,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let name = record.name
    var pid = [lastSuspended[name], newest[name]].compactMap { $0 }.first {
      lives[$0]?.name == name
    }
    if pid == nil {
      // Without states there are no process numbers; the app's name is as good.
      pid = -1 - Int64(name)
      try change(.suspended, -1 - Int64(name), .unknown, record, &timeline)
    }
    guard let pid, var life = lives[pid] else { return }
    if let runsSince = life.runsSince, peak > max(life.peak, suspended) {
      try size(life, peak, at: runsSince, record, &timeline)
      if runsSince == life.sizeMissingSince { life.sizeMissingSince = nil }
    }
    if let begin = life.sizeMissingSince {
      try size(life, suspended, at: begin, record, &timeline)
    }
    life.sizeMissingSince = nil
    life.peak = max(life.peak, peak)
    lives[pid] = life
    try size(life, suspended, at: record.nanoseconds, record, &timeline)
  }

  /// A footprint, which is derived if it is put at another time than that of its row.
  private mutating func size(
    _ life: Life, _ bytes: Int64, at time: Int64, _ record: PowerLogRecord,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    try timeline.add(
      .footprint(bytes: bytes, isDerived: time != record.nanoseconds), at: time + offset,
      life.process, line: record.line)
    guard filter.keeps(rows.names[Int(life.name)]) else { return }
    sizes.append((time, life.number, bytes))
  }
}
