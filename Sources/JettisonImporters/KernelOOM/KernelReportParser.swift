package import JettisonModel
package import JettisonSupport
internal import JettisonTraces

/// Finds the reports of the kernel's OOM killer among the lines of a log.
package struct KernelReportParser {
  package static let invoked: StaticString = " invoked oom-killer:"

  /// Names of processes, by the numbers that reports hold.
  package private(set) var names = ByteTable()
  private var logClock: KernelLogClock
  private var report: KernelReport?
  /// The newest titles of a table, and its columns: nearly all reports have the same.
  private var titles: [UInt8] = []
  private var columns: [KernelReport.Field] = []

  /// - Parameters:
  ///   - year: Year of the first line that writes none; nil: not known.
  ///   - zone: Offset of the log's zone where it is not written; nil: not known.
  package init(year: Int? = nil, zone: Int64? = nil) {
    logClock = KernelLogClock(year: year, zone: zone)
  }

  /// What the times count from.
  package var clock: CaptureClock { logClock.clock ?? .unknown }

  /// Whether a report has begun that names no victim yet.
  package var isInReport: Bool { report.map(\.victims.isEmpty) ?? false }

  /// Takes one line; gives the report that ends with the line before, if one does.
  package mutating func take(
    _ line: Span<UInt8>, _ number: Int, _ issues: inout ImportIssues
  ) -> KernelReport? {
    if report != nil {
      let prefix = KernelLogPrefix(line)
      if takeRow(line, prefix.messageStart, number, &issues) { return nil }
      let ended = report
      if begins(line, prefix, number, &issues) { return ended }
      takeFigures(line, prefix.messageStart)
      if line.find("ill") != nil { takeVictim(line, prefix, number, &issues) }
      return nil
    }
    guard line.find("oom-kill") != nil || line.find("Killed process ") != nil else { return nil }
    let prefix = KernelLogPrefix(line)
    if !begins(line, prefix, number, &issues), line.find("Killed process ") != nil {
      issues.add(.info, "a kill without its report: skipped", line: number)
    }
    return nil
  }

  /// Gives the last report: nothing of it will follow.
  package mutating func finish() -> KernelReport? {
    defer { report = nil }
    return report
  }

  /// Whether the line begins a report.
  private mutating func begins(
    _ line: Span<UInt8>, _ prefix: KernelLogPrefix, _ number: Int, _ issues: inout ImportIssues
  ) -> Bool {
    guard let at = line.find(Self.invoked, from: prefix.messageStart) else { return false }
    let name = line.text(line.trimmed(prefix.messageStart..<at))
    var begun = KernelReport(
      time: moment(prefix, number, &issues), line: number, requester: name)
    if var order = line.find("order=", from: at) {
      order += 6
      // Larger ones do not exist.
      begun.order = min(20, max(0, line.number(&order) ?? 0))
    }
    report = begun
    if prefix.hasForeignStamp {
      issues.add(
        .info, "a stamp in a language that is not read: 'journalctl -o short-iso' writes others",
        line: number)
    }
    return true
  }

  private mutating func moment(
    _ prefix: KernelLogPrefix, _ number: Int, _ issues: inout ImportIssues
  ) -> Int64? {
    guard let stamp = prefix.stamp else { return nil }
    let moment = logClock.moment(of: stamp)
    if moment == nil {
      issues.add(.error, "a time that does not fit the first one: skipped", line: number)
    }
    return moment
  }
}

// MARK: - The machine

extension KernelReportParser {
  /// Memory, swap and version of the kernel, as far as the line tells one of them.
  private mutating func takeFigures(_ line: Span<UInt8>, _ start: Int) {
    var position = start
    line.skipSpaces(&position)
    let first = position
    if let count = line.number(&position) {
      if line.has(" pages RAM", at: position) { report?.ramPages = count }
      if line.has(" pages reserved", at: position) { report?.reservedPages = count }
      return
    }
    position = first
    if line.has("Total swap", at: position) {
      report?.swapKilobytes = Self.number(after: "= ", in: line, from: position)
    } else if line.has("memory: usage", at: position) {
      report?.groupLimit = Self.number(after: "limit ", in: line, from: position)
    } else if line.has("memory+swap: usage", at: position) {
      report?.groupLimitWithSwap = Self.number(after: "limit ", in: line, from: position)
    } else if line.has("swap: usage", at: position) {
      report?.groupSwapLimit = Self.number(after: "limit ", in: line, from: position)
    } else if line.has("Node ", at: position), report?.pageBytes == nil {
      takePageSize(line, position)
    } else if line.find("ainted", from: position) != nil {
      takeVersion(line, position)
    } else if line.has("[", at: position), line.find("total_vm", from: position) != nil {
      takeColumns(line, position)
    }
  }

  /// `Node 0 DMA: 3*4kB …`: free blocks begin with those of one page.
  private mutating func takePageSize(_ line: Span<UInt8>, _ start: Int) {
    guard let star = line.find("*", from: start) else { return }
    var position = star + 1
    guard let kilobytes = line.number(&position), line.has("kB", at: position),
      kilobytes >= 4, kilobytes <= 64, kilobytes & (kilobytes - 1) == 0
    else { return }
    report?.pageBytes = kilobytes * 1024
  }

  private mutating func takeVersion(_ line: Span<UInt8>, _ start: Int) {
    let keys: [StaticString] = ["PID: ", "Pid: "]
    for key in keys where report?.requesterPID == nil {
      report?.requesterPID = Self.number(after: key, in: line, from: start)
    }
    guard report?.version == nil else { return }
    report?.version = KernelVersion(line.extracting(start..<line.count))
  }

  /// What stands between some text and the next comma.
  private static func word(after text: StaticString, in line: Span<UInt8>, from start: Int)
    -> String?
  {
    guard let found = line.find(text, from: start) else { return nil }
    let begin = found + text.utf8CodeUnitCount
    return line.text(begin..<(line.find(",", from: begin) ?? line.count))
  }

  private static func number(
    after text: StaticString, in line: Span<UInt8>, from start: Int
  ) -> Int64? {
    guard let found = line.find(text, from: start) else { return nil }
    var position = found + text.utf8CodeUnitCount
    line.skipSpaces(&position)
    return line.number(&position)
  }
}

// MARK: - The table of processes

extension KernelReportParser {
  private mutating func takeColumns(_ line: Span<UInt8>, _ start: Int) {
    guard let bracket = line.find("]", from: start) else { return }
    let written = line.extracting(bracket + 1..<line.count)
    if written.count != titles.count || !written.starts(with: titles.span) {
      titles = Array(span: written)
      columns = Self.columns(line.text(bracket + 1..<line.count))
    }
    report?.columns = columns
  }

  private static func columns(_ titles: String) -> [KernelReport.Field] {
    titles.split(separator: " ").dropLast().map { title in
      switch title {
      case "uid": .uid
      case "rss": .resident
      case "swapents": .swap
      case "nr_ptes", "nr_pmds", "nr_puds": .tablePages
      case "pgtables_bytes": .tableBytes
      case "oom_score_adj": .adjustment
      default: .other
      }
    }
  }

  /// Takes a line as a row of the table; false: it isn't one.
  private mutating func takeRow(
    _ line: Span<UInt8>, _ start: Int, _ number: Int, _ issues: inout ImportIssues
  ) -> Bool {
    guard let columns = report?.columns, !columns.isEmpty, report?.victims.isEmpty == true
    else { return false }
    var position = start
    guard line.take("[", &position) else { return false }
    line.skipSpaces(&position)
    guard let pid = line.number(&position), line.take("]", &position) else {
      // The kernel's own titles stand in brackets as well.
      return false
    }
    var process = KernelReport.Process()
    process.pid = pid
    process.line = number
    for column in columns {
      line.skipSpaces(&position)
      guard let value = line.signedNumber(&position) else {
        issues.add(.error, "a process without all figures of the table: skipped", line: number)
        return true
      }
      process.set(column, value)
    }
    let name = line.trimmed(position..<line.count)
    guard (-1000...1000).contains(process.adjustment), !name.isEmpty else {
      issues.add(.error, "a process without all figures of the table: skipped", line: number)
      return true
    }
    guard report?.processes.count ?? 0 < KernelReport.mostProcesses else {
      issues.add(.error, "more processes than a system can have: skipped", line: number)
      return true
    }
    process.name = names.number(of: line.extracting(name))
    report?.processes.append(process)
    return true
  }

  private mutating func takeVictim(
    _ line: Span<UInt8>, _ prefix: KernelLogPrefix, _ number: Int, _ issues: inout ImportIssues
  ) {
    let start = prefix.messageStart
    if let pid = Self.number(after: "Killed process ", in: line, from: start) {
      let time = moment(prefix, number, &issues)
      report?.victims.append(.init(pid: pid, time: time, line: number))
    } else if let pid = Self.number(after: "Kill process ", in: line, from: start) {
      report?.chosenPID = pid
      report?.printedScore = Self.number(after: " score ", in: line, from: start)
    } else if line.has("oom-kill:", at: start) {
      if report?.chosenPID == nil {
        report?.chosenPID = Self.number(after: ",pid=", in: line, from: start)
      }
      report?.group = Self.word(after: "oom_memcg=", in: line, from: start)
    }
  }
}

extension KernelReport.Process {
  /// Puts a figure where its column belongs.
  fileprivate mutating func set(_ column: KernelReport.Field, _ value: Int64) {
    switch column {
    case .uid: uid = value
    case .resident: residentPages = value
    case .swap: swapPages = value
    case .tablePages: tablePages = tablePages.addingReportingOverflow(value).partialValue
    case .tableBytes: tableBytes = max(0, value)
    case .adjustment: adjustment = value
    case .other: break
    }
  }
}
