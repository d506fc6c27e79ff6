internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns reports of the OOM killer, one after the other, into the facts of a capture.
struct KernelMoments {
  /// A process that ran at the report before.
  private struct Running {
    let process: CaptureProcess
    let name: UInt32
    var pages: Int64
    var adjustment: Int64
    var report: Int
  }

  /// Without any time in the log, reports are so far apart.
  private static let assumedGap: Int64 = 60_000_000_000
  /// A process that is new in a report began so long before it: time enough to come to rest.
  private static let settlingTime: Int64 = 2_000_000_000

  private(set) var deviceYAML: String?
  private let filter: AppFilter
  private var pageBytes: Int64 = 4096
  private var totalPages: Int64?
  private var count = 0
  private var lastTime = Int64.min
  private var running = NumberMap<Int64, Running>()
  /// Pids of ``running`` in order of appearance.
  private var pids: [Int64] = []
  /// Process names as text, and whether they belong to apps, by their numbers.
  private var texts: [String] = []
  private var keepsName: [Bool] = []
  /// The process whose allocation failed last.
  private var requester: Int64?
  private var systemBytes: Int64 = 0
  private var requesters: [String] = []
  private var isOfGroup = false

  /// Only processes whose names the filter keeps count as apps.
  init(_ filter: AppFilter) {
    self.filter = filter
  }

  /// What the capture is, for the header.
  var source: String {
    let asked = requesters.isEmpty ? "" : "; asked by \(requesters.joined(separator: ", "))"
    return "reports of the Linux kernel's OOM killer"
      + (isOfGroup ? " for a control group" : "") + asked
      + "; footprints hold swapped pages and page tables"
  }

  /// Adds a report.
  mutating func add(
    _ report: KernelReport, _ names: ByteTable, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let rows = checkedRows(report, &timeline.issues)
    guard !rows.isEmpty else {
      timeline.issues.add(
        .error, "a report without a table of processes: skipped", line: report.line)
      return
    }
    count += 1
    read(names)
    let time = self.time(of: report, &timeline.issues)
    takeMachine(report, &timeline.issues)
    let asker = askerPID(report, rows)
    noteRequester(report.requester)
    let need = (Int64(1) << report.order) * pageBytes
    let squeezed = systemBytes(rows, asker: asker, need: need, report)
    let begin = count == 1 ? time : max(lastTime, time - Self.settlingTime)
    if count > 1 {
      try endMissing(rows, at: begin, report.line, &timeline)
      if let squeezed {
        try setSystem(min(systemBytes, max(0, squeezed - need)), at: begin, report, &timeline)
      }
    }
    for row in rows where running[row.pid] == nil {
      try start(row, at: begin, &timeline)
    }
    for row in rows { try update(row, at: time, &timeline) }
    try setAsker(asker, at: time, report.line, &timeline)
    if let squeezed { try setSystem(squeezed, at: time, report, &timeline) }
    lastTime = time
    try kill(report, rows, need: need, &timeline)
  }

  /// Understands each name once.
  private mutating func read(_ names: ByteTable) {
    while texts.count < names.count {
      let text = names.text(UInt32(texts.count))
      texts.append(text)
      keepsName.append(filter.keeps(text))
    }
  }

  private mutating func noteRequester(_ name: String) {
    guard requesters.count < 5, !requesters.contains(name), !name.isEmpty else { return }
    requesters.append(String(name.prefix(40)))
  }

  /// The rows that can be: sizes of this world, each pid once.
  private func checkedRows(
    _ report: KernelReport, _ issues: inout ImportIssues
  ) -> [KernelReport.Process] {
    var seen = NumberMap<Int64, Void>()
    let pageBytes = report.pageBytes ?? pageBytes
    return report.processes.filter { row in
      guard row.pages(pageBytes: pageBytes) != nil else {
        issues.add(.error, "a process larger than any machine: skipped", line: row.line)
        return false
      }
      guard seen[row.pid] == nil else {
        issues.add(.error, "a pid that stands twice in one report", line: row.line)
        return false
      }
      seen[row.pid] = ()
      return true
    }
  }

  private func time(of report: KernelReport, _ issues: inout ImportIssues) -> Int64 {
    guard let time = report.time else {
      guard count > 1 else { return 0 }
      issues.add(
        .info, "a report without a time: taken for a minute after the one before",
        line: report.line)
      return lastTime.addingReportingOverflow(Self.assumedGap).partialValue
    }
    guard time >= lastTime else {
      issues.add(
        .error, "a report with a time before the one above it: taken for then", line: report.line)
      return lastTime
    }
    return time
  }

  /// What the machine is: the first report that tells says it for all.
  private mutating func takeMachine(_ report: KernelReport, _ issues: inout ImportIssues) {
    if count == 1 { pageBytes = report.pageBytes ?? pageBytes }
    isOfGroup = isOfGroup || report.isOfGroup
    guard let capacity = report.capacity(pageBytes: pageBytes) else {
      issues.add(
        .error, "a report without RAM: its points cannot be worked out",
        line: report.line)
      return
    }
    if report.version == nil {
      issues.add(
        .info, "the version of the kernel is unknown: no bonus for root's processes is assumed",
        line: report.line)
    }
    let total = capacity.ramPages + capacity.swapPages
    guard totalPages != nil else {
      totalPages = total
      deviceYAML = report.deviceYAML(pageBytes: pageBytes)
      return
    }
    if total != totalPages {
      issues.add(
        .info, "a report with other RAM, swap or limit than the first: the first counts",
        line: report.line)
    }
  }

  /// Whose allocation failed: by its number, else by a name that only one process has.
  private func askerPID(
    _ report: KernelReport, _ rows: [KernelReport.Process]
  ) -> Int64? {
    if let pid = report.requesterPID, rows.contains(where: { $0.pid == pid }) { return pid }
    let named = rows.filter { texts[Int($0.name)] == report.requester }
    return named.count == 1 ? named[0].pid : nil
  }

  /// Memory that no process of the trace has, so that the failed allocation just does not fit; nil
  /// where the report does not tell RAM.
  ///
  /// What the kernel keeps free counts as the system's: it was not to be had. The replay swaps out
  /// what the swap space takes from all processes but the one that asks.
  private func systemBytes(
    _ rows: [KernelReport.Process], asker: Int64?, need: Int64, _ report: KernelReport
  ) -> Int64? {
    guard let capacity = report.capacity(pageBytes: pageBytes) else { return nil }
    var all: Int64 = 0
    var others: Int64 = 0
    for row in rows where keepsName[Int(row.name)] {
      let pages = row.pages(pageBytes: pageBytes) ?? 0
      all = min(all + pages, TraceLimits.sum / pageBytes)
      if row.pid != asker { others = min(others + pages, TraceLimits.sum / pageBytes) }
    }
    let left = capacity.ramPages + min(capacity.swapPages, others) - all
    return min(TraceLimits.bytes, max(0, left * pageBytes + need))
  }
}

// MARK: - Facts

extension KernelMoments {
  private mutating func setSystem(
    _ bytes: Int64, at time: Int64, _ report: KernelReport, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    systemBytes = bytes
    try timeline.add(.systemMemory(bytes: bytes), at: time, line: report.line)
  }

  /// Ends processes that are gone, or have become others.
  private mutating func endMissing(
    _ rows: [KernelReport.Process], at time: Int64, _ line: Int,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    for row in rows where running[row.pid]?.name == row.name { running[row.pid]?.report = count }
    var kept: [Int64] = []
    for pid in pids {
      guard let process = running[pid] else { continue }
      if process.report == count {
        kept.append(pid)
        continue
      }
      try timeline.add(
        .exited(.observed(cause: "unknown", band: nil)), at: time, process.process, line: line)
      running[pid] = nil
    }
    pids = kept
  }

  private mutating func start(
    _ row: KernelReport.Process, at time: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let pages = row.pages(pageBytes: pageBytes) ?? 0
    let process = timeline.process(
      named: texts[Int(row.name)], ranBefore: count == 1)
    var keys: [String] = []
    if row.adjustment != 0 { keys.append("adj: \(row.adjustment)") }
    if row.uid == 0 { keys.append("uid: 0") }
    if !keys.isEmpty { timeline.describe(process, catalogKeys: keys.joined(separator: ", ")) }
    timeline.startsRanked(process)
    if count > 1 { try timeline.add(.started(.unknown), at: time, process, line: row.line) }
    try timeline.add(
      .footprint(bytes: pages * pageBytes, isDerived: false), at: time, process, line: row.line)
    running[row.pid] = Running(
      process: process, name: row.name, pages: pages, adjustment: row.adjustment, report: count)
    pids.append(row.pid)
  }

  /// What has changed of a process since the report before.
  private mutating func update(
    _ row: KernelReport.Process, at time: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let known = running[row.pid], let pages = row.pages(pageBytes: pageBytes) else { return }
    if row.adjustment != known.adjustment {
      running[row.pid]?.adjustment = row.adjustment
      try timeline.add(
        .ranked(adj: row.adjustment), at: time, known.process, line: row.line)
    }
    guard pages != known.pages else { return }
    running[row.pid]?.pages = pages
    try timeline.add(
      .footprint(bytes: pages * pageBytes, isDerived: false), at: time, known.process,
      line: row.line)
  }

  /// The one that asks runs; nothing is said of the others.
  private mutating func setAsker(
    _ asker: Int64?, at time: Int64, _ line: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if let before = requester, before != asker, let process = running[before]?.process {
      try timeline.add(.suspended, at: time, process, line: line)
    }
    requester = asker
    guard let asker, let process = running[asker]?.process else { return }
    try timeline.add(.background, at: time, process, line: line)
  }

  /// The kernel's victims; with them the allocation that failed is over.
  private mutating func kill(
    _ report: KernelReport, _ rows: [KernelReport.Process], need: Int64,
    _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    var victims = report.victims
    if victims.isEmpty, let pid = report.chosenPID {
      victims = [.init(pid: pid, time: nil, line: report.line)]
    }
    if victims.isEmpty {
      timeline.issues.add(.error, "a report that names no victim", line: report.line)
    }
    var isFirst = true
    for victim in victims {
      guard let row = rows.first(where: { $0.pid == victim.pid }),
        let process = running[victim.pid]?.process
      else {
        timeline.issues.add(
          .error, "a victim that is not in the table of processes", line: victim.line)
        continue
      }
      if isFirst { check(report, row, &timeline.issues) }
      lastTime = max(lastTime, victim.time ?? lastTime)
      let cause = report.isOfGroup ? "memory-limit" : "low-memory"
      try timeline.add(
        .exited(.observed(cause: cause, band: row.adjustment)), at: lastTime, process,
        line: victim.line)
      running[victim.pid] = nil
      if isFirst, totalPages != nil {
        try setSystem(max(0, systemBytes - need), at: lastTime, report, &timeline)
      }
      isFirst = false
    }
  }

  /// Whether the score that the kernel printed is that of the table.
  private func check(
    _ report: KernelReport, _ row: KernelReport.Process, _ issues: inout ImportIssues
  ) {
    if let chosen = report.chosenPID, chosen != row.pid {
      issues.add(.info, "a child that died in the place of its parent", line: row.line)
      return
    }
    guard let printed = report.printedScore,
      let capacity = report.capacity(pageBytes: pageBytes)
    else { return }
    let total = capacity.ramPages + capacity.swapPages
    let points = report.points(row, pageBytes: pageBytes, totalPages: total) ?? 0
    if max(1, points) * 1000 / total != printed {
      issues.add(
        .info, "a printed score that is not that of the table of processes", line: row.line)
    }
  }
}
