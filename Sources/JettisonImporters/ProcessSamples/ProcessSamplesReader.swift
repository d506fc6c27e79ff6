internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Turns samples of processes into the facts of a capture.
///
/// What happened between two samples is known by the later one only: a pid that is new there began,
/// one that is missing ended, one with another name is another process, unless it was forked just
/// before and still had its parent's name.
///
/// Resident sets count shared pages in every process that has them. What an app of Android shares with
/// the zygote that it was forked from is taken off; if all processes still come to more than the
/// memory in use, every size is cut by the same share.
struct ProcessSamplesReader {
  private enum Section {
    case outside, time, memory, header, table
  }

  /// A row of the sample that is being read.
  struct Entry {
    let user: ProcessTable.User
    let pid: Int64
    let parent: Int64
    let name: UInt32
    /// What the table says, then its footprint.
    var bytes: Int64
    let isStopped: Bool?
    let adj: Int64?
    let line: Int
  }

  /// A process that ran at the sample before.
  private struct Running {
    let process: CaptureProcess
    var name: UInt32
    var bytes: Int64 = -1
    /// Whether it runs no code; nil: not told.
    var isSuspended: Bool?
    var adj: Int64?
    var isPinned = false
    var sample: Int
    /// Whether it has its parent's name, because it was forked just before.
    var isForked = false
  }

  /// What the times count from, by the first sample.
  private(set) var clock = CaptureClock.unknown
  /// Time of the newest sample.
  private(set) var lastTime: Int64?

  private let filter: AppFilter
  private let zone: Int64?
  private var section = Section.outside
  private var table: ProcessTable?
  /// The newest header row, and the table that it makes: nearly all samples have the same.
  private var titles: [UInt8] = []
  private var titled: ProcessTable?
  private var time: Int64?
  private var memory = MemoryFigures()
  private var entries: [Entry] = []
  private var firstLine = 0
  private var sampleCount = 0
  /// Whether a listing was read, so that a new process has just begun.
  private var hasListing = false
  private var running = NumberMap<Int64, Running>()
  /// Pids of ``running`` in order of appearance.
  private var pids: [Int64] = []
  private var names = ByteTable()
  private var keptNames: [Bool] = []
  private var zygoteNames: Set<UInt32> = []
  /// Zygotes of the sample at hand.
  private var zygotes: Set<Int64> = []
  private var listerName: UInt32?
  /// The name of each process of the sample at hand.
  private var nameOfPid: NumberMap<Int64, UInt32>?
  /// Whether any process was taken for a fork: none is renamed before.
  private var hasForks = false
  private var kernelThreads = 0
  private var zombies = 0
  private var samplers = 0
  private var sizes = ResidentSizes()
  /// How many samples have an invalid time, and the first of them.
  private var untimed: (count: Int, text: String, line: Int)?
  /// RAM in kilobytes.
  private var totalKilobytes: Int64?
  private var isProportional = false
  private var isCut = false

  /// Begins to read; only processes whose names the filter keeps count as apps.
  ///
  /// - Parameters:
  ///   - filter: Which apps to keep.
  ///   - zone: Seconds that dates without an offset are ahead of UTC; nil: not known.
  init(_ filter: AppFilter, zone: Int64?) {
    self.filter = filter
    self.zone = zone
  }

  /// What the capture is, for the header.
  var source: String {
    "samples of /proc/meminfo and ps; footprints are "
      + (isProportional
        ? "proportional (PSS)" : "resident sizes (RSS) less what a zygote shares")
      + "; starts and ends are known to the sample"
      + (totalKilobytes.map { "; \($0) kB of RAM" } ?? "")
  }

  /// The machine: Android where a zygote runs, another Linux where threads of the kernel are seen
  /// without one.
  var device: CaptureDevice {
    var device = CaptureDevice()
    device.ramBytes = totalKilobytes.map { $0 << 10 }
    device.era = !zygoteNames.isEmpty ? .androidLMKD : kernelThreads > 0 ? .linuxOOM : nil
    return device
  }

  /// Takes one line.
  mutating func take(
    _ line: Span<UInt8>, number: Int, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    if line.isEmpty { return }
    if line.starts(with: "times:") {
      try endSample(&timeline)
      firstLine = number
      section = .time
      let value = line.extracting("times:".utf8.count..<line.count)
      if value.isBlank { return }
      return takeTime(value, number, &timeline.issues)
    }
    if line.starts(with: "ps-result:") {
      if section != .outside { section = .header }
      return
    }
    switch section {
    case .outside:
      timeline.issues.add(.error, "a line outside of the samples", line: number)
    case .time: takeTime(line, number, &timeline.issues)
    case .memory:
      memory.take(line)
      totalKilobytes = totalKilobytes ?? memory.total
    case .header: takeHeader(line, number, &timeline.issues)
    case .table: takeRow(line, number, &timeline.issues)
    }
  }

  /// A file of a folder is over: a sample does not go on in the next one.
  mutating func endFile(_ timeline: inout CaptureTimeline) throws(TraceError) {
    try endSample(&timeline)
    section = .outside
  }

  /// Ends the capture.
  ///
  /// - Parameter cutLine: A last line that has no end: processes missing after it may just be cut off.
  mutating func finish(
    cutLine: Int?, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    isCut = cutLine != nil
    if let cutLine {
      timeline.issues.add(.dataLoss, TraceInput.cutLine, line: cutLine)
    }
    try endSample(&timeline)
    if kernelThreads > 0 {
      timeline.issues.add(
        .info, "a kernel thread, which has no memory of its own", count: kernelThreads, lines: [])
    }
    if zombies > 0 {
      timeline.issues.add(
        .info, "a zombie, which has ended already", count: zombies, lines: [])
    }
    if samplers > 0 {
      timeline.issues.add(
        .info, "a process of the sampling itself (ps and the shells that run it)", count: samplers,
        lines: [])
    }
  }
}

// MARK: - Lines

extension ProcessSamplesReader {
  private mutating func takeTime(
    _ value: Span<UInt8>, _ number: Int, _ issues: inout ImportIssues
  ) {
    section = .memory
    time = nil
    let text = String(decoding: Array(span: value), as: UTF8.self)
    guard let read = SampleTime(text, zone: zone) else {
      issues.add(.error, "a time that cannot be read: the sample is skipped", line: number)
      let first = untimed ?? (0, String(text.prefix(60)), number)
      untimed = (first.count + 1, first.text, first.line)
      return
    }
    if sampleCount == 0 {
      clock = read.clock
    } else if (clock == .unknown) != (read.clock == .unknown) {
      issues.add(
        .error, "a time of another kind than the first: the sample is skipped", line: number)
      return
    }
    if let lastTime, read.nanoseconds <= lastTime {
      issues.add(
        .error, "a sample that is not later than the one before: skipped", line: number)
      return
    }
    time = read.nanoseconds
  }

  private mutating func takeHeader(
    _ line: Span<UInt8>, _ number: Int, _ issues: inout ImportIssues
  ) {
    if titles.isEmpty || line.count != titles.count || !line.starts(with: titles.span) {
      titles = Array(span: line)
      titled = ProcessTable(header: line)
    }
    guard let table = titled else {
      issues.add(
        .error, "a table without the columns PID, RSS or PSS, and NAME or CMD", line: number)
      section = .memory
      return
    }
    self.table = table
    if table.hasScores {
      issues.add(
        .info, "a column of OOM scores is ignored (oom_score_adj is in the column OOMADJ)",
        line: number)
    }
    isProportional = isProportional || table.isProportional
    section = .table
  }

  private mutating func takeRow(
    _ line: Span<UInt8>, _ number: Int, _ issues: inout ImportIssues
  ) {
    guard time != nil else { return }
    guard let table, let row = table.row(line) else {
      issues.add(.error, "the line is not a row of the table", line: number)
      return
    }
    let name = line.extracting(row.name)
    if row.bytes == 0, name[0] == UInt8(ascii: "[") || row.isOfKernel {
      kernelThreads += 1
      return
    }
    if row.state == UInt8(ascii: "Z") || row.state == UInt8(ascii: "X") {
      zombies += 1
      return
    }
    let isStopped = row.state | 0x20 == UInt8(ascii: "t")
    entries.append(
      Entry(
        user: row.user, pid: row.pid, parent: row.parent, name: nameNumber(name), bytes: row.bytes,
        isStopped: table.hasStates ? isStopped : nil, adj: row.adj, line: number))
  }

  private mutating func nameNumber(_ name: Span<UInt8>) -> UInt32 {
    if let number = names.find(name) { return number }
    let text = String(decoding: Array(span: name), as: UTF8.self)
    keptNames.append(filter.keeps(text))
    let number = names.insert(name)
    if AndroidProcessName.isZygote(text) { zygoteNames.insert(number) }
    if text == "ps" { listerName = number }
    return number
  }
}

// MARK: - Samples

extension ProcessSamplesReader {
  /// Compares the sample that was read with the one before.
  private mutating func endSample(_ timeline: inout CaptureTimeline) throws(TraceError) {
    defer {
      time = nil
      memory = MemoryFigures()
      entries.removeAll(keepingCapacity: true)
      table = nil
    }
    guard let time else { return }
    if table == nil {
      timeline.issues.add(.error, "a sample without a table of processes", line: firstLine)
    } else if entries.isEmpty {
      timeline.issues.add(.error, "a sample without a process", line: firstLine)
    } else {
      nameOfPid = nil
      zygotes.removeAll(keepingCapacity: true)
      for entry in entries where zygoteNames.contains(entry.name) { zygotes.insert(entry.pid) }
      leaveOutSampler()
      if table?.isProportional == false {
        sizes.takeOffShared(&entries, zygotes, memory, line: firstLine, &timeline.issues)
      }
      renameForks(&timeline)
      try endMissing(at: time, &timeline)
      for entry in entries { try take(entry, at: time, &timeline) }
      hasListing = true
    }
    lastTime = time
    sampleCount += 1
    try addMemory(at: time, &timeline)
  }

  /// Ends the processes that are not there any more, or that have become others.
  private mutating func endMissing(
    at time: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    for entry in entries where running[entry.pid]?.name == entry.name {
      running[entry.pid]?.sample = sampleCount + 1
    }
    // What a cut listing does not name may run on.
    let named = isCut ? Set(entries.map(\.pid)) : []
    var kept: [Int64] = []
    kept.reserveCapacity(pids.count)
    for pid in pids {
      guard let process = running[pid] else { continue }
      let isMissing = process.sample != sampleCount + 1
      if !isMissing || isCut && !named.contains(pid) {
        kept.append(pid)
      } else {
        try timeline.add(
          .exited(.observed(cause: "unknown", band: nil)), at: time, process.process,
          line: firstLine)
        running[pid] = nil
      }
    }
    pids = kept
  }

  private mutating func take(
    _ entry: Entry, at time: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    let line = entry.line
    var process: Running
    if let known = running[entry.pid] {
      process = known
      guard known.name == entry.name else {
        timeline.issues.add(.error, "a pid that stands twice in one sample", line: line)
        return
      }
    } else {
      let name = String(decoding: names[entry.name], as: UTF8.self)
      process = Running(
        process: timeline.process(named: name, ranBefore: !hasListing), name: entry.name,
        sample: sampleCount + 1)
      process.isForked = parentName(of: entry) == entry.name
      hasForks = hasForks || process.isForked
      if entry.user == .root { timeline.describe(process.process, catalogKeys: "uid: 0") }
      if hasListing { try timeline.add(.started(.unknown), at: time, process.process, line: line) }
      pids.append(entry.pid)
    }
    if process.bytes != entry.bytes {
      process.bytes = entry.bytes
      // Shared pages count for each of those who have them: no measure of a footprint.
      let isDerived = !(table?.isProportional ?? false)
      try timeline.add(
        .footprint(bytes: entry.bytes, isDerived: isDerived), at: time, process.process,
        line: line)
    }
    if let adj = entry.adj, process.adj != adj {
      process.adj = adj
      try timeline.add(.ranked(adj: Int64(adj)), at: time, process.process, line: line)
    }
    let isPinned = entry.adj.map { $0 < 0 } ?? isNative(entry)
    if process.isPinned != isPinned {
      process.isPinned = isPinned
      try timeline.add(.pinned(isPinned), at: time, process.process, line: line)
    }
    if let isSuspended = Self.isSuspended(entry), process.isSuspended != isSuspended {
      process.isSuspended = isSuspended
      try timeline.add(
        isSuspended ? .suspended : .background, at: time, process.process, line: line)
    }
    running[entry.pid] = process
  }

  /// The name of the process that started one, if it is in the sample.
  private mutating func parentName(of entry: Entry) -> UInt32? {
    noteNames()
    return nameOfPid?[entry.parent]
  }

  /// Notes which processes are in the sample, before any is ignored.
  ///
  /// Hardly any sample has a new process; the others need no check.
  private mutating func noteNames() {
    guard nameOfPid == nil else { return }
    var names = NumberMap<Int64, UInt32>()
    for entry in entries where names[entry.pid] == nil { names[entry.pid] = entry.name }
    nameOfPid = names
  }

  /// Stopped or cached processes run no code; nil: the table does not tell.
  private static func isSuspended(_ entry: Entry) -> Bool? {
    if entry.isStopped == true { return true }
    if let adj = entry.adj { return adj >= AndroidAdj.cached }
    return entry.isStopped == nil ? nil : false
  }

  private mutating func addMemory(
    at time: Int64, _ timeline: inout CaptureTimeline
  ) throws(TraceError) {
    guard let available = memory.available else { return }
    if !memory.isAvailableTold {
      timeline.issues.add(
        .info, "no MemAvailable: free memory, buffers and cache are taken for it",
        line: firstLine)
    }
    try timeline.add(.available(bytes: available << 10), at: time, line: firstLine)
    guard let total = memory.total, !entries.isEmpty else { return }
    var taken: Int64 = 0
    for entry in entries where keptNames[Int(entry.name)] {
      taken = min(taken + entry.bytes, TraceLimits.sum)
    }
    let bytes = (total - available) << 10 - taken
    if bytes < 0 {
      timeline.issues.add(
        .info, "the processes have more together than is in use: they share it", line: firstLine)
    }
    try timeline.add(.systemMemory(bytes: max(0, bytes)), at: time, line: firstLine)
  }
}

// MARK: - Which process is an app, and what is its own

extension ProcessSamplesReader {
  /// What runs a program that lists processes.
  private static let shells: Set<String> = [
    "sh", "bash", "dash", "ash", "mksh", "ksh", "zsh", "su", "sudo",
  ]

  private func name(of entry: Entry) -> String {
    String(decoding: names[entry.name], as: UTF8.self)
  }

  /// Whether the activity manager of Android knows nothing of a process: no zygote made it.
  private func isNative(_ entry: Entry) -> Bool {
    guard !zygotes.isEmpty else { return false }
    if entry.parent >= 0 { return !zygotes.contains(entry.parent) }
    // Without a column of parents: apps have users of their own, or names of packages.
    guard entry.user != .unknown, entry.user != .app else { return false }
    return !name(of: entry).contains(".")
  }

  /// Takes out the listing program and the shells above it: they are there because of the sampling.
  private mutating func leaveOutSampler() {
    guard let lister = entries.first(where: { listerName == $0.name }) else { return }
    var left: Set<Int64> = [lister.pid]
    var parent = lister.parent
    while let entry = entries.first(where: { $0.pid == parent }), !left.contains(parent),
      Self.shells.contains(Self.program(name(of: entry)))
    {
      left.insert(parent)
      parent = entry.parent
    }
    noteNames()
    // A shell that is there by itself runs on as what it was taken for first.
    entries.removeAll { left.contains($0.pid) && running[$0.pid] == nil }
    samplers += left.count { running[$0] == nil }
  }

  /// Login shells have a hyphen before their name.
  private static func program(_ name: String) -> String {
    name.first == "-" ? String(name.dropFirst()) : name
  }

  /// Processes that were forks without a name of their own are called by it from the beginning.
  private mutating func renameForks(_ timeline: inout CaptureTimeline) {
    for entry in entries where hasForks {
      guard let known = running[entry.pid], known.isForked, known.name != entry.name else {
        continue
      }
      timeline.rename(known.process, to: name(of: entry))
      running[entry.pid]?.name = entry.name
      running[entry.pid]?.isForked = false
    }
  }

  /// The error of a capture none of whose samples has a time; nil: one has.
  func noTimes(_ file: String) -> TraceError? {
    guard sampleCount == 0, let untimed else { return nil }
    let count =
      untimed.count == 1 ? "its only sample has" : "all of its \(untimed.count) samples have"
    return TraceError(
      file: file, line: untimed.line,
      what: "\(count) a time that cannot be read, such as '\(untimed.text)'",
      remedy: "write 'times:' and seconds since 1970, or the beginning and the end of the sample")
  }
}

extension Span where Element == UInt8 {
  /// Whether there is nothing but spaces and tabs.
  fileprivate var isBlank: Bool {
    for position in 0..<count where self[position] != 0x20 && self[position] != 0x09 {
      return false
    }
    return true
  }
}
