internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Finds what systemd-oomd says among the lines of a journal, and what `oomctl` prints.
struct SystemdOomdParser {
  /// Longer paths the kernel does not have.
  private static let longestPath = 4096

  /// What the control groups that follow are.
  private enum Part {
    case none
    /// Those that may be ended.
    case candidates
    /// Those that are watched: `oomctl`.
    case watched
  }

  private var part = Part.none
  private var candidates: [JournalCandidate] = []
  private var watched: String?
  private var memory: JournalMemory?

  /// Whether a list has begun that has not ended.
  var isInTable: Bool { part == .candidates }

  /// Takes a message; the entries that it makes up or completes are added to `entries`.
  ///
  /// - Returns: Whether it is one of systemd-oomd's.
  mutating func take(
    _ text: Span<UInt8>, _ line: Int, names: inout ByteTable, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    if part != .none, takeField(text, line, &names, &issues, &entries) { return true }
    if let begun = begin(text, line, &issues) {
      endTable(&entries)
      part = begun
      return true
    }
    if takeSetting(text, line, &issues, &entries) || takeSystem(text, line, &issues, &entries) {
      return true
    }
    guard let found = action(text, line, &names, &issues) else { return false }
    endTable(&entries)
    entries += found
    return true
  }

  /// Ends a list that is open.
  mutating func endTable(_ entries: inout [JournalEntry]) {
    if !candidates.isEmpty { entries.append(.candidates(candidates, isWhole: false)) }
    candidates.removeAll()
    part = .none
    watched = nil
  }

  private func begin(
    _ text: Span<UInt8>, _ line: Int, _ issues: inout ImportIssues
  ) -> Part? {
    if text.has("Considered ", at: 0), text.find("top candidates were:") != nil {
      return .candidates
    }
    if text.has("Memory Pressure Monitored CGroups:", at: 0) { return .watched }
    return text.has("Swap Monitored CGroups:", at: 0) ? Part.watched : nil
  }
}

// MARK: - Lists

extension SystemdOomdParser {
  /// Takes a line as a part of a list; false: the list has ended.
  private mutating func takeField(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    if text.has("Path: ", at: 0) {
      return takePath(text.extracting(6..<text.count), line, &names, &issues)
    }
    if let value = Self.value(of: "Current Memory Usage:", text)
      ?? Self.value(of: "Current Memory usage:", text)
    {
      return takeSize(text, value, \.residentBytes, line, &issues)
    }
    if let value = Self.value(of: "Swap Usage:", text) {
      // The root's is that of the system.
      if text.has("(see", at: value) { return true }
      return takeSize(text, value, \.swapBytes, line, &issues)
    }
    if part == .watched, takeWatched(text, line, &issues, &entries) { return true }
    return Self.otherTitles.contains { text.has($0, at: 0) }
  }

  /// What a candidate's figures are called that change nothing.
  private static let otherTitles: [StaticString] = [
    "Memory Pressure Limit:", "Memory Pressure Duration:", "Pressure:", "Memory Min:",
    "Memory Low:", "Pgscan:", "Last Pgscan:",
  ]

  private static func value(of title: StaticString, _ text: Span<UInt8>) -> Int? {
    guard text.has(title, at: 0) else { return nil }
    var position = title.utf8CodeUnitCount
    text.skipSpaces(&position)
    return position
  }

  private mutating func takePath(
    _ path: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues
  ) -> Bool {
    watched = part == .watched ? path.text(path.trimmed(0..<path.count)) : nil
    guard part == .candidates else { return true }
    guard let candidate = Self.candidate(path, line, &names) else {
      issues.add(.error, "a control group without a path: skipped", line: line)
      return true
    }
    guard candidates.count < KernelReport.mostProcesses else {
      issues.add(.error, "more control groups than a system can have: skipped", line: line)
      return true
    }
    candidates.append(candidate)
    return true
  }

  private mutating func takeSize(
    _ text: Span<UInt8>, _ start: Int, _ place: WritableKeyPath<JournalCandidate, Int64?>,
    _ line: Int, _ issues: inout ImportIssues
  ) -> Bool {
    guard part == .candidates, !candidates.isEmpty else { return true }
    var position = start
    guard let bytes = JournalText.bytes(text, &position) else {
      issues.add(.error, "a control group whose size cannot be read is ignored", line: line)
      return true
    }
    candidates[candidates.count - 1][keyPath: place] = bytes
    return true
  }

  /// The limits of a control group that is watched; false: the line says none.
  private mutating func takeWatched(
    _ text: Span<UInt8>, _ line: Int, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    var limits = KillerLimits()
    if var value = Self.value(of: "Memory Pressure Limit:", text) {
      limits.pressure = JournalText.percent(text, &value)
      limits.pressureUnit = watched.flatMap(Self.unit)
    } else if var value = Self.value(of: "Memory Pressure Duration:", text) {
      limits.pressureNanoseconds = JournalText.nanoseconds(text, &value)
    } else {
      return false
    }
    add(limits, line, &issues, &entries)
    return true
  }

  /// Adds what a line of one figure tells.
  private func add(
    _ limits: KillerLimits, _ line: Int, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) {
    let hasFigure =
      limits.swapUsed != nil || limits.pressure != nil || limits.pressureNanoseconds != nil
    entries += hasFigure ? [.limits(limits)] : lacking(line, &issues)
  }

  /// A control group by its path; nil: the path isn't one.
  private static func candidate(
    _ path: Span<UInt8>, _ line: Int, _ names: inout ByteTable
  ) -> JournalCandidate? {
    let bytes = path.extracting(path.trimmed(0..<path.count))
    guard bytes.count > 1, bytes.count <= longestPath, bytes[0] == UInt8(ascii: "/") else {
      return nil
    }
    let name = names.number(of: bytes)
    return JournalCandidate(key: -1 - Int64(name), name: name, line: line)
  }

  /// The path of a unit as the setting has it; nil: it would be read as a pattern.
  private static func unit(_ path: String) -> String? {
    let isPlain = path.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"*?[],{}\"'\\".utf8.contains(byte)
    }
    guard isPlain, path.utf8.count <= longestPath, path.hasPrefix("/") else { return nil }
    return path == "/" ? path : String(path.dropFirst())
  }
}

// MARK: - Settings and the system

extension SystemdOomdParser {
  /// `Swap Used Limit: 90%` and its like, as `oomctl` prints them.
  private func takeSetting(
    _ text: Span<UInt8>, _ line: Int, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    var limits = KillerLimits()
    if var value = Self.value(of: "Swap Used Limit:", text) {
      limits.swapUsed = JournalText.percent(text, &value)
    } else if var value = Self.value(of: "Default Memory Pressure Limit:", text) {
      limits.pressure = JournalText.percent(text, &value)
    } else if var value = Self.value(of: "Default Memory Pressure Duration:", text) {
      limits.pressureNanoseconds = JournalText.nanoseconds(text, &value)
    } else {
      return text.has("Dry Run:", at: 0) || text.has("System Context:", at: 0)
    }
    add(limits, line, &issues, &entries)
    return true
  }

  /// `Memory: Used: 1.5G, Total: 3.7G`, and the same of swap, which completes it.
  private mutating func takeSystem(
    _ text: Span<UInt8>, _ line: Int, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    let isMemory = text.has("Memory: Used:", at: 0)
    guard isMemory || text.has("Swap: Used:", at: 0) else { return false }
    guard var position = text.end(of: "Used:"),
      let used = JournalText.bytes(text, &position),
      var totalAt = text.end(of: "Total:", from: position),
      let total = JournalText.bytes(text, &totalAt), used <= total
    else {
      issues.add(.error, "a line of systemd-oomd that lacks a figure: skipped", line: line)
      return true
    }
    if isMemory {
      memory = JournalMemory(availableBytes: total - used, totalBytes: total)
    } else if var seen = memory {
      seen.swapFreeBytes = total - used
      seen.swapTotalBytes = total
      memory = nil
      entries.append(.memory(seen))
    }
    return true
  }
}

// MARK: - Kills

extension SystemdOomdParser {
  private func action(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues
  ) -> [JournalEntry]? {
    if text.has("Memory used (", at: 0) || text.has("Swap used (", at: 0) {
      return Self.system(text, from: 0) ?? lacking(line, &issues)
    }
    if text.has("Memory pressure for /", at: 0) {
      return Self.pressure(text, from: 0).map { [.limits($0)] }
    }
    if text.has("oomd dry-run:", at: 0) {
      issues.add(.info, "a kill in a dry run: skipped", line: line)
      return []
    }
    guard text.has("Killed /", at: 0) || text.has("Marked /", at: 0) else { return nil }
    return kill(text, line, &names, &issues)
  }

  private func lacking(_ line: Int, _ issues: inout ImportIssues) -> [JournalEntry] {
    issues.add(.error, "a line of systemd-oomd that lacks a figure: skipped", line: line)
    return []
  }

  /// `Killed /path due to memory pressure for /unit being 71.20% > 60.00% for > 5s with reclaim
  /// activity`; `Killed /path due to memory used (…) / total (…) and swap used (…) / total (…) being
  /// more than 90.00%`; newer ones mark the path for killing.
  private func kill(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues
  ) -> [JournalEntry]? {
    let end = text.find(" for killing due to ") ?? text.find(" due to ")
    guard let end, let candidate = Self.candidate(text.extracting(7..<end), line, &names) else {
      return lacking(line, &issues)
    }
    var entries: [JournalEntry] = []
    if text.find(" pressure for /", from: end) != nil {
      if let limits = Self.pressure(text, from: end) { entries.append(.limits(limits)) }
    } else {
      entries += Self.system(text, from: end) ?? lacking(line, &issues)
    }
    return entries + [.kill(candidate)]
  }

  private static func pressure(_ text: Span<UInt8>, from start: Int) -> KillerLimits? {
    guard let begin = text.end(of: " pressure for ", from: start),
      let end = text.find(" being ", from: begin) ?? text.find(" is ", from: begin),
      var position = text.end(of: "% > ", from: end)
    else { return nil }
    var limits = KillerLimits()
    limits.pressureUnit = unit(text.text(begin..<end))
    limits.pressure = JournalText.percent(text, &position)
    if var duration = text.end(of: " for > ", from: position) {
      limits.pressureNanoseconds = JournalText.nanoseconds(text, &duration)
    }
    return limits
  }

  /// Memory, swap and the limit of a line of the swap rule; nil: a figure is missing.
  private static func system(_ text: Span<UInt8>, from start: Int) -> [JournalEntry]? {
    guard let swap = text.find("wap used (", from: start),
      let swapUsed = figure("used (", text, swap), let swapTotal = figure("total (", text, swap),
      swapUsed <= swapTotal, var position = text.end(of: "more than ", from: swap),
      let limit = JournalText.percent(text, &position)
    else { return nil }
    var limits = KillerLimits()
    limits.swapUsed = limit
    limits.swapBytes = swapTotal
    guard let memory = text.find("emory used (", from: start), memory < swap else {
      return [.limits(limits)]
    }
    guard let used = figure("used (", text, memory), let total = figure("total (", text, memory),
      used <= total, total > 0
    else { return nil }
    let seen = JournalMemory(
      availableBytes: total - used, totalBytes: total, swapFreeBytes: swapTotal - swapUsed,
      swapTotalBytes: swapTotal)
    return [.limits(limits), .memory(seen)]
  }

  private static func figure(_ title: StaticString, _ text: Span<UInt8>, _ start: Int) -> Int64? {
    text.number(after: title, from: start).flatMap {
      (0...TraceLimits.bytes).contains($0) ? $0 : nil
    }
  }
}
