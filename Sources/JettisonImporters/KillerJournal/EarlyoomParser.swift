internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Finds what earlyoom says among the lines of a journal: 1.0 to 1.9, with and without `-d`.
struct EarlyoomParser {
  /// What a kill is called before its process.
  private static let killWords: [StaticString] = [
    "sending SIG", "sending 0 (", "killing process ", "Killing ",
  ]
  /// Lines that say nothing but are of earlyoom.
  private static let titles: [StaticString] = [
    "PID OOM_SCORE", "PID BADNESS", "PID   BADNESS",
  ]

  /// The list of candidates that `-d` prints, as far as it was read.
  private struct Table {
    var rows: [JournalCandidate] = []
    /// Whether sizes are in KiB: newer versions say so, or quote names.
    var isInKiB = false
    /// Whether no row of it is missing or damaged.
    var isWhole = true
    /// Whether the end was told.
    var isClosed = false
    /// The number of the newest row, where numbers rise.
    var lastKey: Int64 = 0
    var line = 0
  }

  private var table: Table?

  /// What a line of earlyoom's says.
  private enum Said {
    case nothing
    case entry(JournalEntry)
  }

  /// Whether there are rows of a list that was not told yet.
  var hasTable: Bool { table != nil }
  /// Whether a list has begun that has not ended.
  var isInTable: Bool { table.map { !$0.isClosed } ?? false }

  /// Takes a message; the entries that it makes up or completes are added to `entries`.
  ///
  /// - Returns: Whether it is one of earlyoom's.
  mutating func take(
    _ text: Span<UInt8>, _ line: Int, names: inout ByteTable, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    if takeRow(text, line, &names, &issues, &entries) { return true }
    if text.has("selecting victim took", at: 0) {
      table?.isClosed = true
      return table != nil
    }
    if Self.titles.contains(where: { text.has($0, at: 0) }) {
      endTable(&issues, &entries)
      table = Table(isInKiB: text.find("kiB") != nil || text.find("KiB") != nil, line: line)
      return true
    }
    guard let found = entry(text, line, &names, &issues) else { return false }
    endTable(&issues, &entries)
    if case .entry(let entry) = found { entries.append(entry) }
    return true
  }

  /// Ends a list that is open.
  mutating func endTable(_ issues: inout ImportIssues, _ entries: inout [JournalEntry]) {
    guard let ended = table else { return }
    table = nil
    guard !ended.rows.isEmpty else { return }
    guard ended.isInKiB else {
      issues.add(
        .info, "a candidate whose size has no unit (earlyoom before 1.4): skipped",
        count: ended.rows.count, lines: [ended.rows[0].line])
      return
    }
    entries.append(.candidates(ended.rows, isWhole: ended.isWhole && ended.isClosed))
  }

  /// Lines are missing here.
  mutating func noteLoss() { table?.isWhole = false }
}

// MARK: - One line

extension EarlyoomParser {
  private func entry(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues
  ) -> Said? {
    if text.has("mem avail:", at: 0) || text.has("Low memory! mem avail:", at: 0) {
      guard let memory = Self.memory(text) else { return damaged(text, line, &issues) }
      return .entry(.memory(memory))
    }
    if text.has("mem total:", at: 0) || text.has("swap total:", at: 0) {
      guard let machine = Self.machine(text) else { return damaged(text, line, &issues) }
      return .entry(.limits(machine))
    }
    if let limits = Self.limits(text) { return .entry(.limits(limits)) }
    if Self.killWords.contains(where: { text.has($0, at: 0) }) {
      return kill(text, line, &names, &issues)
    }
    return outcome(text)
  }

  private func damaged(
    _ text: Span<UInt8>, _ line: Int, _ issues: inout ImportIssues
  ) -> Said {
    issues.add(.error, "a line of earlyoom that lacks a figure: skipped", line: line)
    return .nothing
  }

  private func outcome(_ text: Span<UInt8>) -> Said? {
    if text.has("kill failed:", at: 0) || text.has("Could not kill process", at: 0) {
      return .entry(.killFailed)
    }
    guard text.has("process ", at: 0) else { return nil }
    if text.find(" did not exit") != nil { return .entry(.killFailed) }
    return text.find("exited after ") != nil ? .entry(.victimEnded) : nil
  }

  /// `mem avail: 21 of 950 MiB ( 2.27%), swap free: 81 of 1023 MiB ( 7.95%)`; the oldest without
  /// `of`.
  private static func memory(_ text: Span<UInt8>) -> JournalMemory? {
    guard var position = text.end(of: "mem avail:"),
      let available = JournalText.mebibytes(text, &position)
    else { return nil }
    let total = total(text, &position)
    guard text.has(" MiB", at: position), let swap = text.end(of: "swap free:", from: position)
    else { return nil }
    position = swap
    guard let free = JournalText.mebibytes(text, &position) else { return nil }
    let swapTotal = Self.total(text, &position)
    guard text.has(" MiB", at: position), available <= total ?? .max, free <= swapTotal ?? .max
    else { return nil }
    return JournalMemory(
      availableBytes: available, totalBytes: total, swapFreeBytes: free, swapTotalBytes: swapTotal)
  }

  private static func total(_ text: Span<UInt8>, _ position: inout Int) -> Int64? {
    guard text.has(" of ", at: position) else { return nil }
    position += 4
    return JournalText.mebibytes(text, &position)
  }

  /// `mem total: 15881 MiB, swap total: 4095 MiB`; the oldest on two lines, each with its limit.
  private static func machine(_ text: Span<UInt8>) -> KillerLimits? {
    var limits = KillerLimits()
    if var position = text.end(of: "mem total:"), text.has("mem total:", at: 0) {
      guard let ram = JournalText.mebibytes(text, &position), text.has(" MiB", at: position),
        ram > 0
      else { return nil }
      limits.ramBytes = ram
      limits.termMemory = oldLimit(text, from: position)
    }
    if var position = text.end(of: "swap total:") {
      guard let swap = JournalText.mebibytes(text, &position), text.has(" MiB", at: position)
      else { return nil }
      limits.swapBytes = swap
      if limits.ramBytes == nil { limits.termSwap = oldLimit(text, from: position) }
    }
    return limits
  }

  /// `min: 1385 MiB (10 %)`.
  private static func oldLimit(_ text: Span<UInt8>, from start: Int) -> Int64? {
    guard text.find("min:", from: start) != nil, var position = text.end(of: "(", from: start)
    else { return nil }
    return JournalText.percent(text, &position)
  }

  /// `sending SIGTERM when mem <= 10.00% and swap <= 10.00%,`, the next line for SIGKILL, and
  /// `low memory! at or below SIGTERM limits: mem 10.00%, swap 10.00%`.
  private static func limits(_ text: Span<UInt8>) -> KillerLimits? {
    let isStart = text.find("SIGTERM when mem ") ?? text.find("SIGKILL when mem ")
    var position: Int
    if let start = isStart, start <= 8, let memory = text.end(of: "<=", from: start) {
      position = memory
    } else if text.has("low memory! at or below SIG", at: 0),
      let memory = text.end(of: "limits: mem ")
    {
      position = memory
    } else {
      return nil
    }
    let isTerm = text.find("SIGTERM") != nil
    guard let memory = JournalText.percent(text, &position),
      let swapAt = text.end(of: "swap ", from: position)
    else { return KillerLimits() }
    position = swapAt
    if text.has("<=", at: position) { position += 2 }
    guard let swap = JournalText.percent(text, &position) else { return KillerLimits() }
    var limits = KillerLimits()
    if isTerm {
      (limits.termMemory, limits.termSwap) = (memory, swap)
    } else {
      (limits.killMemory, limits.killSwap) = (memory, swap)
    }
    return limits
  }
}

// MARK: - A kill

extension EarlyoomParser {
  /// `sending SIGTERM to process 397 uid 0 "name": badness 0, VmRSS 1 MiB` and its older forms,
  /// `killing process 397 "name" with signal 15: badness …`, `Killing process 'name' with signal
  /// 15, pid: 397, badness: …`, `Killing process 397 name`.
  private func kill(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues
  ) -> Said? {
    // What earlyoom sends itself when it starts is no kill.
    if text.has("sending 0 (", at: 0) { return .nothing }
    guard let process = text.end(of: "process ") else { return nil }
    guard let found = Self.victim(text, process), found.pid > 0, !found.name.isEmpty else {
      issues.add(
        .error, "a kill of earlyoom without its process or name: skipped", line: line)
      return .nothing
    }
    var candidate = JournalCandidate(
      key: found.pid, name: names.number(of: text.extracting(found.name)), line: line)
    let rest = found.name.upperBound
    candidate.score =
      text.number(after: "oom_score ", from: rest)
      ?? text.number(after: "badness ", from: rest) ?? text.number(after: "badness: ", from: rest)
    candidate.adjustment = Self.adjustment(text.number(after: "oom_score_adj ", from: rest))
    let labels: [StaticString] = ["VmRSS ", "VmRSS: "]
    for label in labels where candidate.residentBytes == nil {
      guard var position = text.end(of: label, from: rest) else { continue }
      candidate.residentBytes = JournalText.mebibytes(text, &position)
    }
    return .entry(.kill(candidate))
  }

  private static func victim(
    _ text: Span<UInt8>, _ process: Int
  ) -> (pid: Int64, name: Range<Int>)? {
    var position = process
    if let pid = text.number(&position) {
      if let quote = text.end(of: "\"", from: position) {
        let end =
          text.find("\": oom_score ", from: quote) ?? text.find("\": badness ", from: quote)
          ?? text.find("\" with signal", from: quote)
        return end.map { (pid, quote..<$0) }
      }
      return (pid, text.trimmed(position..<text.count))
    }
    guard text.take("'", &position), let end = text.find("' with signal", from: position),
      let pid = text.number(after: "pid: ", from: end)
    else { return nil }
    return (pid, position..<end)
  }

  /// A written adjustment; -9999 stands for one that was not looked at.
  private static func adjustment(_ value: Int64?) -> Int64? {
    value.flatMap { (-1000...1000).contains($0) ? $0 : nil }
  }
}

// MARK: - The list of candidates

extension EarlyoomParser {
  /// Takes a line as a row of a list; false: it isn't one.
  private mutating func takeRow(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    guard text.count > 0 else { return false }
    if text.has("pid ", at: 0) { return takeOldRow(text, line, &names, &issues, &entries) }
    if text.has("^ new victim", at: 0) { return table != nil }
    guard isInTable, text[0] >= 0x30, text[0] <= 0x39 else { return false }
    takeNewRow(text, line, &names, &issues)
    return true
  }

  /// `46057  736  155864  1026  -9999 "keepassxc" <--- new victim`: number, score, KiB, user,
  /// adjustment.
  private mutating func takeNewRow(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues
  ) {
    var position = 0
    var figures: [Int64] = []
    for _ in 0..<5 {
      guard let figure = text.signedNumber(&position) else { break }
      figures.append(figure)
      text.skipSpaces(&position)
    }
    guard figures.count == 5, let name = Self.quotedName(text, from: position) else {
      return lose(line, &issues)
    }
    if figures[2] < 0 { return skipUnmeasured() }
    var row = JournalCandidate(
      key: figures[0], name: names.number(of: text.extracting(name)), line: line)
    row.score = figures[1] >= 0 ? figures[1] : nil
    row.residentBytes = Self.kibibytes(figures[2])
    row.adjustment = Self.adjustment(figures[4])
    add(row, &issues)
  }

  /// `pid 363: badness 0 vm_rss 2000 uid 0 oom_score_adj 0 "name" <--- new victim`; a process that is not
  /// the largest so far has no name, and before 1.4 one without quotes.
  private mutating func takeOldRow(
    _ text: Span<UInt8>, _ line: Int, _ names: inout ByteTable, _ issues: inout ImportIssues,
    _ entries: inout [JournalEntry]
  ) -> Bool {
    var position = 4
    text.skipSpaces(&position)
    guard let pid = text.number(&position), text.has(": badness", at: position) else {
      return false
    }
    // Numbers rise: a smaller one begins the next list.
    if table?.isClosed == true || (table?.lastKey ?? 0) >= pid { endTable(&issues, &entries) }
    if table == nil { table = Table(line: line) }
    table?.lastKey = pid
    position += 9
    text.skipSpaces(&position)
    guard let score = text.signedNumber(&position) else {
      lose(line, &issues)
      return true
    }
    guard var size = text.end(of: "vm_rss", from: position) else {
      skipUnmeasured()
      return true
    }
    text.skipSpaces(&size)
    guard let kibibytes = text.number(&size) else {
      lose(line, &issues)
      return true
    }
    let name = Self.quotedName(text, from: size)
    if name != nil { table?.isInKiB = true }
    let shown = name ?? text.trimmed(size..<text.count)
    let unnamed = Array("process \(pid)".utf8)
    let number =
      shown.isEmpty ? names.number(of: unnamed.span) : names.number(of: text.extracting(shown))
    var row = JournalCandidate(key: pid, name: number, line: line)
    row.score = max(0, score)
    row.residentBytes = Self.kibibytes(kibibytes)
    row.adjustment = Self.adjustment(text.number(after: "oom_score_adj ", from: size))
    add(row, &issues)
    return true
  }

  private static func kibibytes(_ count: Int64) -> Int64? {
    (0...TraceLimits.bytes >> 10).contains(count) ? count << 10 : nil
  }

  private static func quotedName(_ text: Span<UInt8>, from start: Int) -> Range<Int>? {
    guard let quote = text.end(of: "\"", from: start) else { return nil }
    var end = text.count
    if let mark = text.find("\" <--- new victim", from: quote) { return quote..<mark }
    while end > quote, text[end - 1] != 0x22 { end -= 1 }
    return end > quote ? quote..<end - 1 : nil
  }

  private mutating func add(_ row: JournalCandidate, _ issues: inout ImportIssues) {
    guard row.key > 0, row.residentBytes != nil else { return lose(row.line, &issues) }
    // Threads of the kernel have no memory.
    guard row.residentBytes != 0 else { return }
    guard table?.rows.count ?? 0 < KernelReport.mostProcesses else {
      table?.isWhole = false
      issues.add(
        .error, "more processes than a system can have: skipped", line: row.line)
      return
    }
    table?.rows.append(row)
  }

  /// Who cannot become the victim is not measured: that it is missing says nothing.
  private mutating func skipUnmeasured() { table?.isWhole = false }

  private mutating func lose(_ line: Int, _ issues: inout ImportIssues) {
    table?.isWhole = false
    issues.add(.error, "a candidate without all its figures: skipped", line: line)
  }
}
