package import JettisonCore

/// One row of a trace as a person writes it; the value that tests build, mutate and print.
package struct TraceRow: Sendable, Equatable, CustomStringConvertible {
  package var time: Int64
  package var app: String
  package var kind: EventKind
  package var value: Int64?
  package var id: Int64?
  package var detail: String

  /// Makes a row; an empty `app` is none.
  package init(
    _ time: Int64, _ app: String = "", _ kind: EventKind, value: Int64? = nil, id: Int64? = nil,
    detail: String = ""
  ) {
    self.time = time
    self.app = app
    self.kind = kind
    self.value = value
    self.id = id
    self.detail = detail
  }

  /// The row in trace format 1.
  package var description: String {
    let value = value.map(String.init) ?? ""
    let id = id.map(String.init) ?? ""
    return "\(time),\(app),\(kind.name),\(value),\(id),\(detail)"
  }
}

/// Why rows are no trace.
package struct TraceRowProblem: Error, Sendable, CustomStringConvertible {
  package let position: Int
  package let reason: String

  package var description: String { "row \(position + 1): \(reason)" }
}

extension Trace {
  /// Builds a trace from rows in trace format 1 without a header.
  ///
  /// For ease of reading, times may end in `s` (seconds) and values in `MiB`; fields at the end
  /// of a line may be left out, and spaces before a field do not count.
  package init(rows text: String, user: String = "user") throws(TraceRowProblem) {
    var rows: [TraceRow] = []
    for line in text.split(separator: "\n") where !line.allSatisfy({ $0 == " " }) {
      guard let row = TraceRow(line: line) else {
        throw TraceRowProblem(position: rows.count, reason: "cannot be read: \(line)")
      }
      rows.append(row)
    }
    self = try Trace(rows: rows, user: user)
  }

  /// Checks rows by the rules of native traces and builds a trace.
  package init(rows: [TraceRow], user: String = "user") throws(TraceRowProblem) {
    var checker = RowChecker()
    var builder = RowBuilder(rows)
    for (position, row) in rows.enumerated() {
      guard let slot = checker.accept(row) else {
        throw TraceRowProblem(position: position, reason: "not legal here: \(row)")
      }
      guard builder.add(row, slot: slot) else {
        throw TraceRowProblem(position: position, reason: "cannot be read: \(row.detail)")
      }
    }
    self = builder.trace(user: user, checker)
  }
}

extension TraceRow {
  fileprivate init?(line: Substring) {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      .map { field in String(field.drop { $0 == " " }) }
    guard fields.count >= 3, let time = Self.number(fields[0], unit: "s", 1_000_000_000),
      let kind = EventKind.allCases.first(where: { $0.name == fields[2] })
    else { return nil }
    let rest = fields.dropFirst(3) + ["", "", ""]
    self.init(
      time, fields[1], kind, value: Self.number(rest[3], unit: "MiB", 0x1p20),
      id: Int64(rest[4]), detail: rest[5])
  }

  private static func number(_ text: String, unit: String, _ factor: Double) -> Int64? {
    guard text.hasSuffix(unit) else { return Int64(text) }
    return Double(text.dropLast(unit.count)).map { Int64(($0 * factor).rounded()) }
  }
}

/// The rules of native traces about the order of rows.
package struct RowChecker: Sendable {
  /// Live numbers of one kind and the slots they hold.
  struct Slots: Sendable {
    private(set) var live: [String: [Int64: UInt32]] = [:]
    private var free: [UInt32] = []
    private(set) var count: UInt32 = 0

    mutating func begin(_ id: Int64, of app: String) -> UInt32? {
      guard live[app]?[id] == nil else { return nil }
      let slot = free.popLast() ?? count
      count = max(count, slot + 1)
      live[app, default: [:]][id] = slot
      return slot
    }

    func slot(_ id: Int64, of app: String) -> UInt32? { live[app]?[id] }

    mutating func end(_ id: Int64, of app: String) -> UInt32? {
      guard let slot = live[app]?.removeValue(forKey: id) else { return nil }
      free.append(slot)
      return slot
    }

    mutating func endAll(of app: String) {
      free += (live.removeValue(forKey: app) ?? [:]).values.sorted()
    }
  }

  private(set) var time: Int64 = 0
  private(set) var blocks = Slots()
  private(set) var tasks = Slots()
  private var alive: Set<String> = []
  private var known: Set<String> = []
  /// Apps that rows have named.
  private var named: Set<String> = []
  private var isPastPresent = false
  private var hasEnded = false

  package init() {}

  package func isAlive(_ app: String) -> Bool { alive.contains(app) }
  package func liveBlocks(of app: String) -> [Int64] { (blocks.live[app] ?? [:]).keys.sorted() }
  package func liveTasks(of app: String) -> [Int64] { (tasks.live[app] ?? [:]).keys.sorted() }

  /// Takes a row if it is legal here: its slot, 0 where it has none, nil if it is not legal.
  package mutating func accept(_ row: TraceRow) -> UInt32? {
    guard row.time >= time, !hasEnded, needsApp(row.kind) == !row.app.isEmpty else { return nil }
    guard let slot = apply(row) else { return nil }
    time = row.time
    named.insert(row.app)
    if !describesState(row.kind) { isPastPresent = true }
    return slot
  }

  private func needsApp(_ kind: EventKind) -> Bool {
    switch kind {
    case .home, .interrupt, .interruptEnd, .screen, .deviceChange, .boot, .clock, .systemMemory,
      .observedWarning, .observedAvailable, .end:
      false
    default: true
    }
  }

  private func describesState(_ kind: EventKind) -> Bool {
    switch kind {
    case .present, .systemMemory, .pin, .backgroundMode, .taskBegin, .sharedResource, .adj,
      .footprint, .alloc, .realloc, .free, .clock, .observedAvailable:
      true
    default: false
    }
  }

  private mutating func apply(_ row: TraceRow) -> UInt32? {
    let isAlive = alive.contains(row.app)
    switch row.kind {
    case .present:
      guard row.time == 0, !isPastPresent, !named.contains(row.app) else { return nil }
      begin(row.app)
    case .launch, .backgroundLaunch:
      if !isAlive {
        release(row.app)
        begin(row.app)
      }
    case .exit, .crash:
      guard isAlive else { return nil }
      finish(row.app)
    case .quit, .update: finish(row.app)
    case .boot: for app in known.sorted() { finish(app) }
    case .observedExit: alive.remove(row.app)
    case .alloc, .taskBegin, .realloc, .free, .taskEnd:
      guard isAlive, let id = row.id else { return nil }
      return applyNumbered(row, id)
    case .edit, .save, .gpuWork, .adj: guard isAlive else { return nil }
    case .end: hasEnded = true
    default: break
    }
    return 0
  }

  private mutating func applyNumbered(_ row: TraceRow, _ id: Int64) -> UInt32? {
    switch row.kind {
    case .alloc: blocks.begin(id, of: row.app)
    case .realloc: blocks.slot(id, of: row.app)
    case .free: blocks.end(id, of: row.app)
    case .taskBegin: tasks.begin(id, of: row.app)
    default: tasks.end(id, of: row.app)
    }
  }

  private mutating func begin(_ app: String) {
    alive.insert(app)
    known.insert(app)
  }

  private mutating func finish(_ app: String) {
    alive.remove(app)
    release(app)
  }

  private mutating func release(_ app: String) {
    blocks.endAll(of: app)
    tasks.endAll(of: app)
  }
}

/// Turns rows into the parts of a trace.
private struct RowBuilder {
  private let apps: [String]
  private var details = [EventDetail()]
  private var texts = [""]
  private var events: [TraceEvent] = []
  private var capturedIDs: [Int64] = []
  private var changeKinds = EventDetail.changeKinds
  private var modes: [String] = []
  private var resources: [String] = []

  init(_ rows: [TraceRow]) {
    apps = Set(rows.map(\.app).filter { !$0.isEmpty })
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  mutating func add(_ row: TraceRow, slot: UInt32) -> Bool {
    guard let detail = intern(row.detail) else { return false }
    let app = apps.firstIndex(of: row.app).map { AppIndex($0) } ?? .none
    var flags: EventFlags = []
    if row.value != nil { flags.insert(.hasValue) }
    if row.id != nil { flags.insert(.hasID) }
    if row.kind == .alloc || row.kind == .taskBegin { capturedIDs.append(row.id ?? 0) }
    events.append(
      TraceEvent(
        timeNanoseconds: row.time, kind: row.kind, app: app, value: row.value ?? 0, slot: slot,
        detail: detail, flags: flags))
    return true
  }

  func trace(user: String, _ checker: RowChecker) -> Trace {
    Trace(
      name: "rows", header: TraceHeader(user: user), apps: apps, details: details,
      detailTexts: texts, events: ArrayEventStorage(events),
      blockSlotCount: Int(checker.blocks.count), taskSlotCount: Int(checker.tasks.count),
      capturedIDs: capturedIDs, issues: ImportIssues())
  }

  private mutating func intern(_ text: String) -> UInt32? {
    if let known = texts.firstIndex(of: text) { return UInt32(known) }
    var detail = EventDetail()
    for pair in text.split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, set(parts[0], parts[1], &detail) else { return nil }
    }
    details.append(detail)
    texts.append(text)
    return UInt32(texts.count - 1)
  }

  private mutating func set(_ key: String, _ text: String, _ detail: inout EventDetail) -> Bool {
    if setWord(key, text, &detail) { return true }
    guard let number = Int64(text) else { return false }
    switch key {
    case "work_ms": detail.workNanoseconds = number * 1_000_000
    case "duration_ms": detail.durationNanoseconds = number * 1_000_000
    case "shown": detail.wasShown = number != 0
    case "since_ns": detail.sinceNanoseconds = number
    case "unsaved_bytes": detail.unsavedBytes = number
    case "unsaved_work_ms": detail.unsavedWorkNanoseconds = number * 1_000_000
    case "purgeable": detail.isPurgeable = number != 0
    case "synced": detail.isSynced = number != 0
    case "complete": detail.isComplete = number != 0
    case "atomic":
      detail.hasAtomic = true
      detail.isAtomic = number != 0
    default: return false
    }
    return true
  }

  private mutating func setWord(
    _ key: String, _ text: String, _ detail: inout EventDetail
  ) -> Bool {
    switch (key, text) {
    case ("kind", "position"): detail.isPosition = true
    case ("kind", "data"): detail.isPosition = false
    case ("outcome", "accepted"): detail.outcome = .accepted
    case ("outcome", "dismissed"): detail.outcome = .dismissed
    case ("state", "front"): detail.presentState = .front
    case ("state", "background"): detail.presentState = .background
    case ("state", "suspended"): detail.presentState = .suspended
    case ("trigger", _): return setTrigger(text, &detail)
    case ("by", "call"): detail.interrupter = .call
    case ("by", "sms"): detail.interrupter = .sms
    case ("by", "alert"): detail.interrupter = .alert
    case ("by", "lock"): detail.interrupter = .lock
    case ("to", _): detail.isDisconnection = text == "disconnected"
    case ("resource", _): detail.resource = UInt8(Self.number(of: text, in: &resources))
    case ("kind", _): detail.changeKind = UInt16(Self.number(of: text, in: &changeKinds) + 1)
    case ("mode", _): detail.mode = UInt8(Self.number(of: text, in: &modes))
    // Of `adj` a word of the platform.
    case ("state", _), ("reason", _), ("cause", _): break
    default: return false
    }
    return true
  }

  private func setTrigger(_ text: String, _ detail: inout EventDetail) -> Bool {
    switch text {
    case "background": detail.trigger = .background
    case "timer": detail.trigger = .timer
    case "warning": detail.trigger = .warning
    case "user": detail.trigger = .user
    case "resign": detail.trigger = .resign
    case "expiration": detail.trigger = .expiration
    default: return false
    }
    return true
  }

  private static func number(of word: String, in words: inout [String]) -> Int {
    if let known = words.firstIndex(of: word) { return known }
    words.append(word)
    return words.count - 1
  }
}
