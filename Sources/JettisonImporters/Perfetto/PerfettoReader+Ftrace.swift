internal import JettisonModel
internal import JettisonPerfetto
internal import JettisonSupport
internal import JettisonTraces

/// Events of the kernel.
extension PerfettoReader {
  /// How the times of a bundle become times since boot.
  private enum FtraceTime {
    case sinceBoot
    /// They are ahead of the time since boot by so much.
    case ahead(Int64)
    case clock(UInt32)
    case unknown
  }

  /// Takes the events of one processor.
  mutating func takeFtrace(_ bundle: Range<Int>, of bytes: Span<UInt8>) throws(TraceFault) {
    let clock = ftraceTime(bundle, bytes)
    var fields = ProtoFields(bundle)
    var last: Range<Int>?
    while let field = fields.next(bytes) {
      if field.number == 2 { last = field.range }
      guard field.number == 2, let kind = interestingEvent(field.range, bytes) else { continue }
      if kind == 3, !isInterestingPrint(field.range, bytes) { continue }
      guard let event = FtraceEvent(field.range, from: bytes) else {
        damaged()
        continue
      }
      guard let time = self.time(event.timestamp, clock) else { continue }
      try take(event, at: time)
    }
    if fields.isDamaged { damaged() }
    if let last { noteTime(of: last, bytes, clock) }
  }

  /// The capture goes on to the last event, also if nothing of that is read.
  private mutating func noteTime(
    of event: Range<Int>, _ bytes: Span<UInt8>, _ clock: FtraceTime
  ) {
    var fields = ProtoFields(event)
    guard let first = fields.next(bytes), first.number == 1, case .sinceBoot = clock,
      let time = PerfettoClocks.time(first.value)
    else { return }
    capture.end = max(capture.end, time)
  }

  private mutating func ftraceTime(_ bundle: Range<Int>, _ bytes: Span<UInt8>) -> FtraceTime {
    var fields = ProtoFields(bundle)
    var clock: UInt64 = 0
    var ftrace: UInt64?
    var boot: UInt64?
    while let field = fields.next(bytes) {
      switch field.number {
      case 3 where field.value != 0:
        capture.issues.add(
          .dataLoss, "the kernel's buffer was full: events of a processor are missing", line: place)
      case 5: clock = field.value
      case 6: ftrace = field.value
      case 7: boot = field.value
      default: break
      }
    }
    if clock == 0 { return .sinceBoot }
    // FTRACE_CLOCK_MONO_RAW is CLOCK_MONOTONIC_RAW.
    if clock == 4 { return .clock(5) }
    guard let ftrace, let boot, let ahead = PerfettoClocks.time(ftrace),
      let since = PerfettoClocks.time(boot)
    else { return .unknown }
    return .ahead(ahead - since)
  }

  private mutating func time(_ timestamp: UInt64, _ clock: FtraceTime) -> Int64? {
    switch clock {
    case .sinceBoot: return time(timestamp, of: PerfettoClocks.boottime)
    case .clock(let clock): return time(timestamp, of: clock)
    case .ahead(let ahead):
      guard let time = PerfettoClocks.time(timestamp),
        let sinceBoot = PerfettoClocks.checked(time - ahead)
      else { break }
      return sinceBoot
    case .unknown: break
    }
    capture.issues.add(
      .error, "an event of the kernel whose clock is unknown is not read", line: place)
    return nil
  }

  /// The number of the event's data if it says something that is read; nil: not.
  private func interestingEvent(_ event: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
    var fields = ProtoFields(event)
    while let field = fields.next(bytes) {
      switch field.number {
      case 3, 35, 235, 236, 238, 240, 313, 326, 334, 359: return field.number
      default: break
      }
    }
    return nil
  }

  /// Whether a line that a program wrote into the kernel's trace may tell a kill or an activity.
  private func isInterestingPrint(_ event: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    for name in [
      "kill_one_process", "lmk,", "activityResume", "activityPause", "launchingActivity#",
      "launching: ", "launchObserverNotify", "bindApplication", "activityStart", "reeze ",
      "Choreographer#doFrame",
    ] {
      let pattern = name.utf8
      guard let first = pattern.first, event.count >= pattern.count else { continue }
      for start in event.lowerBound...event.upperBound - pattern.count
      where bytes[start] == first {
        if bytes.extracting(start..<event.upperBound).starts(with: name) { return true }
      }
    }
    return false
  }

  private mutating func take(_ event: FtraceEvent, at time: Int64) throws(TraceFault) {
    let thread = Int32(clamping: event.pid)
    switch event.event {
    case .taskNewtask(let task): try take(task, from: thread, at: time)
    case .taskRename(let rename):
      guard capture.threads[rename.pid] == nil, !rename.newcomm.isEmpty else { return }
      try add(.threadName, at: time, pid: rename.pid, value: number(of: rename.newcomm))
    case .schedProcessExit(let exit):
      let process = exit.tgid ?? capture.threads[exit.pid] ?? exit.pid
      guard process == exit.pid else { return }
      try addEnd(exit.pid, exit.comm, isSure: exit.tgid != nil, at: time)
    case .schedProcessFree(let free):
      guard capture.threads[free.pid] == nil else { return }
      try addEnd(free.pid, free.comm, isSure: false, at: time)
    case .oomScoreAdjUpdate(let update):
      try addScore(
        Int64(update.oomScoreAdj), capture.threads[update.pid] ?? update.pid, at: time)
    case .rssStat(let stat):
      try addCounter(
        stat.member, stat.size, of: thread, isOwn: (stat.curr ?? 1) == 1, space: stat.mmID,
        at: time)
    case .rssStatThrottled(let stat):
      try addCounter(
        stat.member, stat.size, of: thread, isOwn: (stat.curr ?? 1) == 1, space: stat.mmID,
        at: time)
    case .lowmemoryKill(let kill): try addKill(kill.pid, at: time)
    // The kernel names the thread that it chose.
    case .markVictim(let victim):
      try addKill(capture.threads[victim.pid] ?? victim.pid, at: time)
    case .print(let print): try takePrint(print.buf, at: time)
    case nil: break
    }
  }

  private mutating func take(
    _ task: TaskNewtaskFtraceEvent, from creator: Int32, at time: Int64
  ) throws(TraceFault) {
    // CLONE_THREAD
    if task.cloneFlags & 0x10000 != 0 {
      capture.threads[task.pid] = capture.threads[creator] ?? creator
      return
    }
    capture.threads[task.pid] = nil
    capture.forks[task.pid, default: []].append(time)
    try add(.forked, at: time, pid: task.pid)
    try add(
      .parent, at: time, pid: task.pid, value: Int64(capture.threads[creator] ?? creator))
    if creator == 2 { try add(.kernelThread, at: time, pid: task.pid) }
    if !task.comm.isEmpty {
      try add(.threadName, at: time, pid: task.pid, value: number(of: task.comm))
    }
    if let score = task.oomScoreAdj { try addScore(Int64(score), task.pid, at: time) }
  }

  /// The end of the first thread of a process; not sure: it may be a thread of one that no packet
  /// names.
  private mutating func addEnd(
    _ pid: Int32, _ name: String, isSure: Bool, at time: Int64
  ) throws(TraceFault) {
    capture.evidence.insert(.ends)
    if isSure, !name.isEmpty {
      try add(.threadName, at: time, pid: pid, value: number(of: name))
    }
    try add(.exited, at: time, pid: pid, flag: isSure ? 0 : PerfettoRecord.mayBeThread)
  }

  /// A counter of memory: file 0, anonymous 1, swap 2, shared 3, in bytes.
  private mutating func addCounter(
    _ member: Int32, _ bytes: Int64, of thread: Int32, isOwn: Bool, space: UInt32, at time: Int64
  ) throws(TraceFault) {
    let own = capture.threads[thread] ?? thread
    if isOwn { addressSpaces[space] = own }
    // Counters may be below zero for a moment, because the kernel sums them lazily.
    guard let pid = isOwn ? own : addressSpaces[space], (0...1 << 50).contains(bytes) else {
      capture.issues.add(
        .info, "a counter of memory whose process is not known, or below zero", line: place)
      return
    }
    let kinds: [Int32: PerfettoRecord.Kind] = [1: .anonymous, 2: .swapped, 3: .shared]
    guard let kind = kinds[member] else { return }
    capture.evidence.insert(.samples)
    try add(kind, at: time, pid: pid, value: bytes, flag: PerfettoRecord.lastPart)
  }

  /// A kill; where nothing else is said, for want of memory.
  mutating func addKill(
    _ pid: Int32, score: Int64 = PerfettoRecord.unknownScore, exit: AndroidExit = .lowMemory,
    at time: Int64
  ) throws(TraceFault) {
    try add(.killed, at: time, pid: pid, value: score, flag: exit.rawValue)
  }

  /// A line of atrace: `C|pid|kill_one_process|victim`, `B|pid|lmk,victim,reason,adj,…`,
  /// `I|pid|lmk,…`, `N|pid|lowmemorykiller|lmk,…`, `B|pid|activityResume`,
  /// `B|pid|Choreographer#doFrame 123`; launches and the freezer: see below.
  private mutating func takePrint(_ text: String, at time: Int64) throws(TraceFault) {
    let line = text.prefix { $0 != "\n" && $0 != "\0" }
    let parts = line.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count >= 3, let pid = Int32(parts[1]) else { return }
    switch (parts[0], parts[2]) {
    case ("C", "kill_one_process"):
      guard parts.count == 4, let victim = Int32(parts[3]), victim > 0 else { return }
      try addKill(victim, at: time)
    case ("B", "activityResume"):
      capture.evidence.insert(.activities)
      try add(.resumed, at: time, pid: pid)
    case ("B", "activityPause"):
      capture.evidence.insert(.activities)
      try add(.paused, at: time, pid: pid)
    case ("B", "bindApplication"): try add(.bound, at: time, pid: pid)
    case ("B", "activityStart"): try add(.activityStarted, at: time, pid: pid)
    case ("B", "MetricsLogger:launchObserverNotifyIntentStarted"):
      try add(.intentStarted, at: time)
    case ("B", "MetricsLogger:launchObserverNotifyActivityLaunchFinished"):
      try add(.launchFinished, at: time)
    case (let phase, let name) where name.hasPrefix("launching: "):
      guard phase == "S" || phase == "F", name.count > 11 else { return }
      let package = number(of: String(name.dropFirst(11)))
      let kind: PerfettoRecord.Kind = phase == "S" ? .packageLaunchBegan : .packageLaunchEnded
      try add(kind, at: time, value: package)
    case ("B", let name) where name.hasPrefix("Choreographer#doFrame"):
      try addFrame(pid, at: time)
    case (let phase, let name) where name.hasPrefix("launchingActivity#"):
      try takeLaunch(phase, name.dropFirst(18), at: time)
    case ("B", _), ("I", _), ("N", _):
      if try takeFreezer(parts.last ?? "", at: time) { return }
      let words = (parts.last ?? "").split(separator: ",", omittingEmptySubsequences: false)
      guard words.count >= 2, words[0] == "lmk", let victim = Int32(words[1]) else { return }
      let score = words.count >= 4 ? Int64(words[3]) : nil
      try addKill(victim, score: score ?? PerfettoRecord.unknownScore, at: time)
    default: break
    }
  }

  /// A launch: `S|pid|launchingActivity#7|0` and `F|…` around it, and
  /// `I|pid|launchingActivity#7:completed-hot:com.example.notes`, which says how it ended.
  private mutating func takeLaunch(
    _ phase: Substring, _ text: Substring, at time: Int64
  ) throws(TraceFault) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let number = Int64(words[0]), number >= 0 else { return }
    if words.count == 1 {
      guard phase == "S" || phase == "F" else { return }
      return try add(phase == "S" ? .launchBegan : .launchEnded, at: time, value: number)
    }
    // Those that failed, were given up or stayed within one process are none.
    let kinds: [Substring: LaunchKind?] = [
      "completed": nil, "completed-cold": .cold, "completed-warm": .warm, "completed-hot": .hot,
    ]
    guard words.count == 3, !words[2].isEmpty, let kind = kinds[words[1]] else { return }
    capture.evidence.insert(.launches)
    capture.launches[number] = PerfettoCapture.Launch(package: String(words[2]), kind: kind)
  }

  /// The freezer: `N|pid|Freezer|Freeze com.example.notes:500`, `… Unfreeze name:500 3`; false if
  /// it is something else.
  private mutating func takeFreezer(_ text: Substring, at time: Int64) throws(TraceFault) -> Bool {
    let words = text.split(separator: " ")
    guard words.count >= 2, words[0] == "Freeze" || words[0] == "Unfreeze",
      let digits = words[1].split(separator: ":").last, let pid = Int32(digits)
    else { return false }
    try add(words[0] == "Freeze" ? .frozen : .thawed, at: time, pid: pid)
    return true
  }
}
