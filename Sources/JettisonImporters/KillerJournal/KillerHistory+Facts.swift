internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Names of a journal as apps are called.
struct JournalNames {
  private let table: ByteTable

  init(_ table: ByteTable) {
    self.table = table
  }

  /// A process's name as it stands; of a control group the last part of its path, its escapes
  /// (`\x2d`) undone.
  func app(_ row: JournalCandidate) -> String {
    let text = table.text(row.name)
    guard row.key < 0 else { return text }
    let unit = text.split(separator: "/").last.map(String.init) ?? text
    return unit.contains("\\x") ? Self.unescaped(Array(unit.utf8)) : unit
  }

  /// The path of a control group below the root.
  func path(_ row: JournalCandidate) -> String {
    String(table.text(row.name).drop { $0 == "/" })
  }

  private static func unescaped(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let isEscape =
        bytes[position] == 0x5C && position + 3 < bytes.count
        && bytes[position + 1] == UInt8(ascii: "x")
      let digits = isEscape ? bytes[position + 2...position + 3] : []
      if let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
        result.append(byte)
        position += 4
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

// MARK: - Who runs

extension KillerHistory {
  /// Tells the candidates of a moment as they are at its beginning.
  mutating func tell(
    _ rows: [JournalCandidate], _ names: JournalNames, at time: Int64,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if rows.isEmpty { return }
    let share = share(of: rows, names)
    for row in rows {
      let told = row.residentBytes ?? row.swapBytes
      let bytes = told.map { share.bytes(of: row, $0) }
      if let known = running[row.key], known.name != row.name {
        try endUnseen(row.key, at: time, row.line, &timeline)
      }
      if running[row.key] == nil {
        try start(row, bytes, isDerived: share.isPart, names, at: time, &timeline)
      } else {
        try update(row, bytes, isDerived: share.isPart, at: time, &timeline)
      }
    }
  }

  /// The part of the resident sets that is in use: pages that several processes share count in
  /// each of them.
  func share(of rows: [JournalCandidate], _ names: JournalNames) -> ResidentShare {
    guard let memory, let ram = limits.ramBytes else { return ResidentShare() }
    var sum: Int64 = 0
    for row in rows where row.key > 0 && filter.keeps(names.app(row)) {
      sum = min(sum + (row.residentBytes ?? 0), TraceLimits.bytes)
    }
    let room = max(0, (memory.totalBytes ?? ram) - memory.availableBytes)
    return sum > room && room > 0 ? ResidentShare(room: room, sum: sum) : ResidentShare()
  }

  private mutating func start(
    _ row: JournalCandidate, _ bytes: Int64?, isDerived: Bool, _ names: JournalNames,
    at time: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let name = names.app(row)
    let process = timeline.process(named: name, ranBefore: !hasBegun)
    let isSwapped = row.residentBytes == nil && row.swapBytes != nil
    let adjustment = adjustment(of: row, bytes)
    var catalogKeys = "adj: \(adjustment)"
    if row.key < 0 { catalogKeys += ", cgroup: \(YAMLNode.quoted(names.path(row)))" }
    timeline.describe(process, catalogKeys: catalogKeys)
    timeline.startsRanked(process)
    if hasBegun { try timeline.add(.started(.unknown), at: time, process, line: row.line) }
    if !isSwapped || hasBegun {
      try timeline.add(.background, at: time, process, line: row.line)
    }
    if isSwapped, hasBegun { try timeline.add(.suspended, at: time, process, line: row.line) }
    if let bytes {
      try timeline.add(
        .footprint(bytes: bytes, isDerived: isDerived || isSwapped), at: time, process,
        line: row.line)
    }
    let entry = Running(
      process: process, name: row.name, isKept: filter.keeps(name), bytes: bytes ?? 0,
      isSwapped: isSwapped, adjustment: adjustment, seenAt: momentCount)
    running[row.key] = entry
    keys.append(row.key)
    count(entry, by: entry.bytes)
  }

  private mutating func update(
    _ row: JournalCandidate, _ bytes: Int64?, isDerived: Bool, at time: Int64,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard var entry = running[row.key] else { return }
    entry.seenAt = momentCount
    let isSwapped = row.residentBytes == nil && row.swapBytes != nil
    if isSwapped != entry.isSwapped, bytes != nil {
      count(entry, by: -entry.bytes)
      entry.isSwapped = isSwapped
      count(entry, by: entry.bytes)
      try timeline.add(
        isSwapped ? .suspended : .background, at: time, entry.process, line: row.line)
    }
    if let bytes, bytes != entry.bytes {
      count(entry, by: bytes - entry.bytes)
      entry.bytes = bytes
      try timeline.add(
        .footprint(bytes: bytes, isDerived: isDerived || isSwapped), at: time, entry.process,
        line: row.line)
    }
    let adjustment = adjustment(of: row, bytes ?? entry.bytes)
    if row.score != nil, adjustment != entry.adjustment {
      entry.adjustment = adjustment
      try timeline.add(.ranked(adj: adjustment), at: time, entry.process, line: row.line)
    }
    running[row.key] = entry
  }

  /// The `oom_score_adj` that gives the printed score, with whatever earlyoom's preferences, swapped
  /// pages and page tables had in it; where none is printed, the adjustment that is.
  private func adjustment(of row: JournalCandidate, _ bytes: Int64?) -> Int64 {
    let written = row.adjustment ?? 0
    guard written > Int64(KernelBadness.never), let score = row.score, let totalPages else {
      return written
    }
    return scale.adjustment(
      score: score, written: row.adjustment, pages: (bytes ?? 0) / Self.pageBytes,
      totalPages: totalPages)
  }

  private mutating func count(_ entry: Running, by bytes: Int64) {
    guard entry.isKept else { return }
    if entry.isSwapped {
      swappedBytes += bytes
    } else {
      residentBytes += bytes
    }
  }
}

// MARK: - Who ended

extension KillerHistory {
  /// Ends a victim; with it memory is above the limit again, because no other process was taken.
  mutating func end(
    _ victim: JournalCandidate, at time: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let entry = remove(victim.key) else { return }
    let band = victim.key > 0 ? entry.adjustment : nil
    try timeline.add(
      .exited(.observed(cause: "low-memory", band: band)), at: time, entry.process,
      line: victim.line)
    guard var figures = memory else { return }
    let total = figures.totalBytes ?? limits.ramBytes ?? 0
    let freed = figures.availableBytes + (entry.isSwapped ? 0 : entry.bytes)
    figures.availableBytes = max(min(total, freed), leastAvailable(of: total))
    if entry.isSwapped, let free = figures.swapFreeBytes {
      figures.swapFreeBytes = min(free + entry.bytes, figures.swapTotalBytes ?? .max)
    }
    memory = figures
    try tellMemory(at: time, victim.line, isAssumed: true, &timeline)
  }

  /// The least that is available above the killer's limit.
  private func leastAvailable(of total: Int64) -> Int64 {
    let hundredths =
      hasEarlyoom ? limits.termMemory ?? 1000 : 10_000 - (limits.swapUsed ?? 9000)
    let limit = Int64(Int128(total) * Int128(hundredths) / 10_000)
    return min(total, limit + Self.pageBytes)
  }

  /// Ends processes that are missing in a whole list.
  mutating func endMissing(
    _ rows: [JournalCandidate], at time: Int64, _ line: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    for row in rows where running[row.key]?.name == row.name {
      running[row.key]?.seenAt = momentCount
    }
    for key in keys where key > 0 && running[key].map({ $0.seenAt < momentCount }) == true {
      try endUnseen(key, at: time, line, &timeline)
    }
  }

  /// Ends a process whose end the journal does not report.
  private mutating func endUnseen(
    _ key: Int64, at time: Int64, _ line: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let entry = remove(key) else { return }
    try timeline.add(
      .exited(.observed(cause: "unknown", band: nil)), at: time, entry.process, line: line)
  }

  private mutating func remove(_ key: Int64) -> Running? {
    guard let entry = running.removeValue(forKey: key) else { return nil }
    count(entry, by: -entry.bytes)
    if keys.count > 64, keys.count > running.count * 2 { keys.removeAll { running[$0] == nil } }
    return entry
  }
}
