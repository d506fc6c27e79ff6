internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns what killers' journals say into the facts of a capture.
///
/// What a journal does not name has memory too: `(other processes)` holds what is in use beyond
/// the candidates, `(swapped out)` what is swapped out beyond them. Both are pinned: the killer did
/// not choose them. With them a replay has the memory and the swap that the killer saw.
struct KillerHistory {
  /// Whose journal it is.
  enum Killer: String, CaseIterable {
    case earlyoom
    case systemdOomd = "systemd-oomd"
  }

  /// A process or control group that runs, as far as is known.
  struct Running {
    let process: CaptureProcess
    let name: UInt32
    let isKept: Bool
    var bytes: Int64
    /// Whether `bytes` are swapped out.
    var isSwapped: Bool
    var adjustment: Int64
    /// Number of the newest list or kill that named it.
    var seenAt: Int
  }

  /// What is told of one moment, as far as it was read.
  struct Moment {
    var memory: (figures: JournalMemory, place: JournalPlace)?
    var candidates: (rows: [JournalCandidate], isWhole: Bool, place: JournalPlace)?
    var isEmpty: Bool { memory == nil && candidates == nil }
  }

  /// Linux's usual pages: the journals tell no others.
  static let pageBytes: Int64 = 4096
  /// A new process began this long before the moment: time enough for the killer to poll.
  static let settlingTime: Int64 = 2_000_000_000
  /// Without any time in the journal, memory is told once a second.
  private static let assumedGap: Int64 = 1_000_000_000

  private(set) var killers: Set<Killer> = []
  private var newestKiller: Killer?
  private(set) var hasEarlyoom = false
  private(set) var limits = KillerLimits()
  let filter: AppFilter
  var running: [Int64: Running] = [:]
  /// Keys of ``running`` in order of appearance.
  var keys: [Int64] = []
  /// Footprints of ``running`` together, in memory and swapped out; only those that are kept.
  var residentBytes: Int64 = 0
  var swappedBytes: Int64 = 0
  /// The newest figures, and those that rows were made of last.
  var memory: JournalMemory?
  var toldMemory: JournalMemory?
  var systemBytes: Int64 = 0
  var others = Pool(name: "(other processes)", isResident: true)
  var swappedOthers = Pool(name: "(swapped out)", isResident: false)
  var scale = ScoreScale()
  var lastTime = Int64.min
  var momentCount = 0
  var hasBegun = false
  private var moment = Moment()
  /// Whose end waits for the outcome of the kill.
  private var pending: (candidate: JournalCandidate, time: Int64)?
  private var lastVictim: (key: Int64, name: UInt32)?
  private var newestPlace = JournalPlace(line: 0, time: nil)
  private var newestTime = Int64.min

  /// Only processes whose names the filter keeps count as apps.
  init(_ filter: AppFilter) {
    self.filter = filter
  }

  /// What the capture is, for the header.
  var source: String {
    let whose = Killer.allCases.filter(killers.contains).map(\.rawValue)
    return "journal of \(whose.joined(separator: " and ")); footprints are resident memory, or "
      + "swapped-out memory where a journal has only that"
  }

  /// Notes whose line it is.
  mutating func note(_ killer: Killer) {
    guard killer != newestKiller else { return }
    newestKiller = killer
    killers.insert(killer)
    hasEarlyoom = hasEarlyoom || killer == .earlyoom
  }

  /// Notes where a line of a killer stands.
  mutating func arrive(at place: JournalPlace) { newestPlace = place }

  /// Takes what the journal says next.
  ///
  /// - Parameter place: Where; nil: at its end.
  mutating func take(
    _ entry: JournalEntry, _ place: JournalPlace?, _ names: ByteTable,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let place = checked(place ?? newestPlace, &timeline.issues)
    if case .killFailed = entry {
      if pending != nil {
        timeline.issues.add(.info, "a kill that failed: its process lives on", line: place.line)
      }
      pending = nil
      return
    }
    var endsAt: Int64?
    if case .victimEnded = entry { endsAt = place.time }
    try settle(endsAt: endsAt, &timeline)
    switch entry {
    case .limits(let told): take(told, place, &timeline.issues)
    case .memory(let figures):
      if moment.memory != nil { try flush(nil, names, &timeline) }
      moment.memory = (figures, place)
    case .candidates(let rows, let isWhole):
      if moment.candidates != nil { try flush(nil, names, &timeline) }
      moment.candidates = (rows, isWhole, place)
    case .kill(let candidate):
      if isOver(candidate, &timeline.issues) { return }
      try flush((candidate, place), names, &timeline)
    case .victimEnded, .killFailed: break
    }
  }

  /// Tells what is left.
  mutating func finish(
    _ names: ByteTable, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    try settle(endsAt: nil, &timeline)
    if !moment.isEmpty { try flush(nil, names, &timeline) }
    if limits.ramBytes == nil, hasBegun {
      timeline.issues.add(
        .error,
        "a journal without RAM: a replay needs `Device.ramBytes` to decide as it did")
    }
  }

  private mutating func take(
    _ told: KillerLimits, _ place: JournalPlace, _ issues: inout ImportIssues
  ) {
    guard !limits.fill(from: told) else { return }
    issues.add(
      .info, "memory, swap or limits differ from the first ones: the first count", line: place.line)
  }
}

// MARK: - Moments

extension KillerHistory {
  /// Tells a moment that is complete.
  private mutating func flush(
    _ victim: (candidate: JournalCandidate, place: JournalPlace)?, _ names: ByteTable,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let told = moment
    moment = Moment()
    momentCount += 1
    let place = victim?.place ?? told.candidates?.place ?? told.memory?.place ?? newestPlace
    let time = time(of: place, &timeline.issues)
    let names = JournalNames(names)
    var rows = told.candidates?.rows ?? []
    if let victim, !rows.contains(where: { $0.key == victim.candidate.key }) {
      rows.append(victim.candidate)
    }
    if let figures = told.memory?.figures { take(figures, place, &timeline.issues) }
    rows = checked(rows, &timeline.issues)
    for row in rows { scale.note(row, totalPages: totalPages) }
    let lead = rows.isEmpty ? 0 : Self.settlingTime
    let begin = max(lastTime, time.subtractingReportingOverflow(lead).partialValue)
    if let whole = told.candidates, whole.isWhole {
      try endMissing(rows, at: begin, whole.place.line, &timeline)
    }
    try makeRoom(for: rows, names, at: begin, place.line, &timeline)
    try tell(rows, names, at: begin, &timeline)
    try tellMemory(at: begin, place.line, &timeline)
    if let figures = told.memory {
      try timeline.add(
        .available(bytes: figures.figures.availableBytes), at: time, line: figures.place.line)
    }
    hasBegun = true
    lastTime = time
    if let victim { pending = (victim.candidate, time) }
  }

  /// The rows that can be, each only once.
  private func checked(
    _ rows: [JournalCandidate], _ issues: inout ImportIssues
  ) -> [JournalCandidate] {
    guard rows.count > 1 else { return rows }
    var seen: Set<Int64> = []
    return rows.filter { row in
      guard seen.insert(row.key).inserted else {
        issues.add(.error, "a candidate that stands twice in one list", line: row.line)
        return false
      }
      return true
    }
  }

  private func time(of place: JournalPlace, _ issues: inout ImportIssues) -> Int64 {
    guard let time = place.time else {
      guard hasBegun else { return 0 }
      issues.add(
        .info, "a line without a time: taken for a second after the one before", line: place.line)
      return lastTime.addingReportingOverflow(Self.assumedGap).partialValue
    }
    return max(time, lastTime)
  }

  /// A place whose time is not before those above it.
  private mutating func checked(
    _ place: JournalPlace, _ issues: inout ImportIssues
  ) -> JournalPlace {
    guard let time = place.time else { return place }
    guard time < newestTime else {
      newestTime = time
      return place
    }
    issues.add(.error, "a time before the one above it: taken for then", line: place.line)
    return JournalPlace(line: place.line, time: newestTime)
  }

  /// Whether a process is killed that has ended already, as older versions tell it again and again.
  private func isOver(_ candidate: JournalCandidate, _ issues: inout ImportIssues) -> Bool {
    guard running[candidate.key] == nil, let lastVictim,
      lastVictim == (candidate.key, candidate.name)
    else { return false }
    issues.add(
      .info, "a process that is killed again: its first end counts", line: candidate.line)
    return true
  }

  /// Ends the newest victim, of whose kill nothing else was said.
  private mutating func settle(
    endsAt: Int64?, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let (candidate, time) = pending else { return }
    pending = nil
    lastVictim = (candidate.key, candidate.name)
    lastTime = max(lastTime, time, endsAt ?? time)
    try end(candidate, at: lastTime, &timeline)
  }

  /// The figures of memory, checked against the machine.
  private mutating func take(
    _ figures: JournalMemory, _ place: JournalPlace, _ issues: inout ImportIssues
  ) {
    var told = KillerLimits()
    // What user space can have, where the whole is not told, is the best that is known.
    if limits.ramBytes == nil { told.ramBytes = figures.totalBytes }
    if figures.totalBytes == 0 { told.ramBytes = nil }
    if limits.swapBytes == nil { told.swapBytes = figures.swapTotalBytes }
    _ = limits.fill(from: told)
    if let ram = limits.ramBytes, figures.availableBytes > ram {
      issues.add(
        .info, "memory, swap or limits differ from the first ones: the first count",
        line: place.line)
    }
    memory = figures
  }

  /// RAM and swap in pages; nil: not told.
  var totalPages: Int64? {
    limits.ramBytes.map { $0 / Self.pageBytes + (limits.swapBytes ?? 0) / Self.pageBytes }
  }
}
