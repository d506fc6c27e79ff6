internal import JettisonModel
internal import JettisonTraces

extension KillerHistory {
  /// Memory of processes that no line names, as one app.
  struct Pool {
    let name: String
    /// Whether it is in memory; else it is swapped out.
    let isResident: Bool
    var process: CaptureProcess?
    var bytes: Int64 = -1

    init(name: String, isResident: Bool) {
      self.name = name
      self.isResident = isResident
    }
  }

  /// Reports the RAM and swap that no named process holds, by the newest figures.
  ///
  /// - Parameter isAssumed: Whether the figures follow from a kill instead of being told.
  mutating func tellMemory(
    at time: Int64, _ line: Int, isAssumed: Bool = false, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let memory, let ram = limits.ramBytes else { return }
    let total = min(ram, memory.totalBytes ?? ram)
    var rest = total - memory.availableBytes - residentBytes
    if rest < 0, residentBytes > 0, !isAssumed {
      timeline.issues.add(
        .info,
        "the candidates together have more than is in use (shared pages count in each): "
          + "less is available in a replay", line: line)
    }
    rest = max(0, rest)
    // systemd-oomd counts control groups, and what is in none of them is no process's.
    var system = max(0, ram - total)
    if hasEarlyoom, filter.keeps(others.name) {
      try Self.set(&others, rest, at: time, line, &timeline)
    } else {
      system += rest
    }
    if let total = memory.swapTotalBytes ?? limits.swapBytes, let free = memory.swapFreeBytes,
      total > 0
    {
      let used = max(0, total - free - swappedBytes)
      try Self.set(&swappedOthers, used, at: time, line, &timeline)
    }
    try setSystem(system, at: time, line, &timeline)
    toldMemory = memory
  }

  /// Takes from the others what candidates that are told now had all along: at no time is there more
  /// than the machine has.
  mutating func makeRoom(
    for rows: [JournalCandidate], _ names: JournalNames, at time: Int64, _ line: Int,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard !rows.isEmpty, let toldMemory else { return }
    var resident: Int64 = 0
    var swapped: Int64 = 0
    let share = share(of: rows, names)
    for row in rows where filter.keeps(names.app(row)) {
      let known = running[row.key]
      if let bytes = row.residentBytes {
        let had = known?.isSwapped == false ? known?.bytes ?? 0 : 0
        resident = min(resident + max(0, share.bytes(of: row, bytes) - had), TraceLimits.bytes)
      } else if let bytes = row.swapBytes {
        swapped = min(swapped + bytes, TraceLimits.bytes)
      }
    }
    let lacking = resident - toldMemory.availableBytes
    if lacking > 0, others.bytes > 0 {
      try Self.set(&others, max(0, others.bytes - lacking), at: time, line, &timeline)
    } else if lacking > 0 {
      try setSystem(max(0, systemBytes - lacking), at: time, line, &timeline)
    }
    let unswapped = swapped - (toldMemory.swapFreeBytes ?? 0)
    if unswapped > 0, swappedOthers.bytes > 0 {
      let left = max(0, swappedOthers.bytes - unswapped)
      try Self.set(&swappedOthers, left, at: time, line, &timeline)
    }
  }

  private mutating func setSystem(
    _ bytes: Int64, at time: Int64, _ line: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    systemBytes = bytes
    try timeline.add(.systemMemory(bytes: bytes), at: time, line: line)
  }

  private static func set(
    _ pool: inout Pool, _ bytes: Int64, at time: Int64, _ line: Int,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let process: CaptureProcess
    if let known = pool.process {
      process = known
    } else {
      process = timeline.process(named: pool.name, ranBefore: true)
      timeline.describe(process, catalogKeys: "adj: -1000, preference: omit")
      timeline.startsRanked(process)
      try timeline.add(.pinned(true), at: time, process, line: line)
      if pool.isResident { try timeline.add(.background, at: time, process, line: line) }
      pool.process = process
    }
    guard pool.bytes != bytes else { return }
    pool.bytes = bytes
    try timeline.add(.footprint(bytes: bytes, isDerived: true), at: time, process, line: line)
  }
}

/// The part of the resident sets of a list that is really in use.
struct ResidentShare {
  private var room: Int64 = 1
  private var sum: Int64 = 1

  /// All of it.
  init() {}

  /// - Precondition: 0 < `room` < `sum`.
  init(room: Int64, sum: Int64) {
    self.room = room
    self.sum = sum
  }

  /// Whether it is less than all.
  var isPart: Bool { room < sum }

  /// What of a candidate's memory is in use, in bytes; that of a control group is its own.
  func bytes(of row: JournalCandidate, _ bytes: Int64) -> Int64 {
    row.key < 0 ? bytes : Int64(Int128(bytes) * Int128(room) / Int128(sum))
  }
}

/// How the scores in a journal are counted: Linux 5.9 began to count from two thirds of 1000.
struct ScoreScale {
  /// Candidates whose scores are nearer to the newer scale, less those nearer to the older one.
  private var newer = 0

  /// Compares a printed score with what both scales say of a process of its size.
  mutating func note(_ row: JournalCandidate, totalPages: Int64?) {
    guard let score = row.score, let bytes = row.residentBytes, let totalPages, totalPages > 0,
      row.adjustment != Int64(KernelBadness.never)
    else { return }
    let part = bytes / KillerHistory.pageBytes * 1000 / totalPages + (row.adjustment ?? 0)
    let (old, new) = (part, (1000 + part) * 2 / 3)
    newer += abs(score - new) <= abs(score - old) ? 1 : -1
  }

  /// The adjustment with which a process of a size has a score; the written one if it does.
  func adjustment(score: Int64, written: Int64?, pages: Int64, totalPages: Int64) -> Int64 {
    let wanted = newer >= 0 ? score : (1000 + min(score, 10_000)) * 2 / 3
    func counted(_ adjustment: Int64) -> Int64 {
      let points = KernelBadness.points(
        residentPages: pages, swapPages: 0, pageTablePages: 0, adjustment: Int(adjustment),
        totalPages: totalPages)
      return points.map { KernelBadness.score(points: $0, totalPages: totalPages) } ?? 0
    }
    if let written, counted(written) == wanted { return written }
    // Scores do not fall as adjustments rise: the lowest one that reaches the score.
    return Int64((-999..<1000).partitioningIndex { counted(Int64($0)) >= wanted })
  }
}
