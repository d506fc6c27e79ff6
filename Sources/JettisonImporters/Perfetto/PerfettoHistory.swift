internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Follows the processes of a Perfetto trace in order of time and reports to the timeline what they did.
///
/// * **State** is what `oom_score_adj` says: below 0 the system never kills the process; up to 899
///   it runs in the background; from 900 on it is cached, and suspended.
/// * **In front** is the process whose activity was resumed last, where the capture shows
///   activities; else one of score 0 that draws a frame; else, where processes are cached at all,
///   one that comes to score 0. Many processes have score 0 at a time (those the app in front is
///   bound to, those that receive a broadcast; on other systems nearly all), so that the score is
///   the weakest evidence.
/// * **Footprint** is anonymous and shared memory and swap. Pages of files don't count: they are
///   shared, and can be dropped without notice. Apps of Android are forked from a zygote and share
///   its pages until they write to them, so that the kernel counts those once per app; what the
///   zygote has itself is taken off (at most a zygote's size too much), and the footprint is
///   marked as derived. Proportional sizes need no such thing.
/// * **System memory** is `MemTotal` − `MemAvailable` − the footprints of the apps, so that a
///   replay has the available memory that was measured.
struct PerfettoHistory: ~Copyable {
  enum State: UInt8 {
    case unknown, front, background, suspended
  }

  struct Life {
    var process: CaptureProcess?
    var name: String?
    var isKernelThread = false
    /// When it was started; nil: before the capture.
    var startedAt: Int64?
    var parent: Int32?
    var endedAt: Int64?
    var hasCrashed = false
    var kill: Kill?
    var state = State.unknown
    var isPinned = false
    /// What the freezer did to it last; nil: nothing.
    var isFrozen: Bool?
    var score: Int64?
    /// Whether its score was something else than 0 once.
    var wasElsewhere = false
    var memory = PerfettoMemory()
    /// What its footprint adds to the sum.
    var counted: Int64 = 0
    /// Time of the last fact.
    var lastAt: Int64 = 0
  }

  struct Kill {
    let nanoseconds: Int64
    let score: Int64?
    let exit: AndroidExit
  }

  private struct End {
    let nanoseconds: Int64
    let process: CaptureProcess
    let exit: CaptureExit
  }

  /// A kill that the log tells after the end belongs to it within this time.
  private static let killLag: Int64 = 2_000_000_000
  /// Polls of all processes take less.
  private static let longestPoll: Int64 = 1_000_000_000

  let capture: PerfettoCapture
  /// What shows which app is in front; nil: nothing does.
  private(set) var evidence: PerfettoCapture.Evidence?
  let filter: AppFilter
  let epochOffset: Int64
  var timeline: CaptureTimeline
  var lives: [Int32: Life] = [:]
  private(set) var identities = PerfettoIdentities()
  var front: Int32?
  /// Since when the app in front was there without a launch being seen; nil: its launch was seen.
  var frontSince: Int64?
  var wasAnyInFront = false
  /// When launches began, by their numbers, and packages whose processes are still to come.
  var launchBegan: [Int64: Int64] = [:]
  /// Packages that are being launched, and of which kind that is by what their processes do.
  var launchedPackages: Set<String> = []
  var launchKinds: [String: LaunchKind] = [:]
  /// Launches that are known by their packages, the first one by the number -1; those that begin,
  /// and end, at a time.
  var packageLaunches: [PerfettoPackageLaunches.Launch] = []
  var packageBegins: [Int64: [Int]] = [:]
  var packageEnds: [Int64: [Int]] = [:]
  var awaited: [String: Int64] = [:]
  /// Footprints of the living apps together; absurd sizes may wrap it, and only them.
  var footprints: Int64 = 0
  var hasFootprints = false
  /// Memory in use at the first sample, while no footprint is known.
  var firstUsed: (nanoseconds: Int64, bytes: Int64)?

  private init(
    _ capture: PerfettoCapture, _ timeline: consuming CaptureTimeline, _ filter: AppFilter
  ) {
    self.capture = capture
    self.filter = filter
    self.timeline = timeline
    let kinds: [PerfettoCapture.Evidence] = [.activities, .launches, .frames, .cachedScores]
    evidence = kinds.first { capture.evidence.contains($0) }
    epochOffset = capture.epochOffset ?? 0
  }

  /// The trace of a capture.
  static func trace(
    of capture: PerfettoCapture, _ input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> Trace {
    var timeline = try CaptureTimeline(input, options)
    timeline.issues = capture.issues
    var history = PerfettoHistory(capture, timeline, AppFilter(options.apps))
    let starts = capture.partStarts
    switch capture.records {
    case .memory(let array):
      try history.follow(array.span, starts)
    case .mapped(let file, let count):
      try file.withElements(of: PerfettoRecord.self, at: 0, count: count) {
        (records) throws(TraceError) in try history.follow(records, starts)
      }
    }
    return try history.finish()
  }
}

// MARK: - Beginning and end

extension PerfettoHistory {
  private mutating func follow(
    _ records: Span<PerfettoRecord>, _ partStarts: [Int]
  ) throws(TraceError) {
    var census = CaptureMerge<PerfettoRecord>(partStarts: partStarts, count: records.count)
    var byPackage = PerfettoPackageLaunches()
    while let position = census.next(records) {
      identities.take(records[position], names: capture.names)
      byPackage.take(records[position])
    }
    // Newer systems tell a launch in both ways.
    if !capture.evidence.contains(.launches), !byPackage.completed.isEmpty {
      packageLaunches = byPackage.completed
      for (place, launch) in packageLaunches.enumerated() {
        packageBegins[launch.began, default: []].append(place)
        packageEnds[launch.ended, default: []].append(place)
      }
      if evidence != .activities { evidence = .launches }
    }
    var search = CaptureMerge<PerfettoRecord>(partStarts: partStarts, count: records.count)
    findFirstFront(records, &search)
    var merge = CaptureMerge<PerfettoRecord>(partStarts: partStarts, count: records.count)
    while let position = merge.next(records) { try take(records[position]) }
  }

  /// Finds who was in front when the capture began: whose activity is paused before any is resumed,
  /// or who draws the first frame and had score 0 from the beginning.
  private mutating func findFirstFront(
    _ records: Span<PerfettoRecord>, _ merge: inout CaptureMerge<PerfettoRecord>
  ) {
    guard evidence == .activities || evidence == .frames else { return }
    var scores: [Int32: Int64] = [:]
    var movers = Set(capture.forks.keys)
    while let position = merge.next(records) {
      let record = records[position]
      guard record.pid > 0 else { continue }
      switch record.kind {
      case .resumed where evidence == .activities: return
      case .paused where evidence == .activities: return beginInFront(record)
      case .score:
        scores[record.pid] = record.value
        if record.value != 0 { movers.insert(record.pid) }
      case .drew where evidence == .frames && scores[record.pid] == 0:
        if !movers.contains(record.pid) { beginInFront(record) }
        return
      default: break
      }
    }
  }

  private mutating func beginInFront(_ record: PerfettoRecord) {
    front = record.pid
    frontSince = record.nanoseconds
    wasAnyInFront = true
    lives[record.pid] = newLife(record.pid, at: .min)
    lives[record.pid]?.state = .front
  }

  private consuming func finish() throws(TraceError) -> Trace {
    if let front, let since = frontSince {
      // It never left the front: that it came there is all that can be said.
      try add(.front, at: since, front)
    }
    try flushUsed()
    // Ends wait until here, because the log may give their causes late.
    var ends: [End] = []
    for pid in lives.keys.sorted() {
      if let end = try endOfLife(pid) { ends.append(end) }
    }
    // In order of time, which keeps the timeline's parts few.
    for end in ends.sorted(by: { $0.nanoseconds < $1.nanoseconds }) { try add(end) }
    tellWhatIsMissing()
    let clock: CaptureClock =
      capture.epochOffset == nil ? .unknown : .epoch(offsetSeconds: capture.zoneSeconds)
    let end = capture.end + epochOffset
    return try timeline.finish(
      clock: clock,
      source: "Perfetto trace; footprint: anonymous and shared memory and swap, less "
        + "what a zygote shares; "
        + "in front: by \(evidenceText)",
      endsAt: end, deviceYAML: device.yaml)
  }

  /// The device: Android where anything is there that only Android has, another Linux where
  /// threads of the kernel are seen without it.
  private var device: CaptureDevice {
    var device = capture.device
    if device.era == nil {
      let isAndroid =
        capture.evidence.contains(.activities) || capture.evidence.contains(.launches)
        || capture.evidence.contains(.cachedScores)
        || capture.names.contains(where: AndroidProcessName.isZygote)
      device.era = isAndroid ? .androidLMKD : capture.hasKernelThreads ? .linuxOOM : nil
    }
    return device
  }

  private var evidenceText: String {
    switch evidence {
    case .activities: "resumed activities"
    case .launches: "launches of the system"
    case .frames: "frames drawn at oom_score_adj 0"
    case .cachedScores: "oom_score_adj 0"
    default: "nothing"
    }
  }

  private mutating func tellWhatIsMissing() {
    let found = capture.evidence
    if !found.contains(.samples) {
      timeline.issues.add(
        .info, "no memory of processes (data source linux.process_stats, proc_stats_poll_ms)")
    }
    if !found.contains(.meminfo) {
      timeline.issues.add(
        .info, "no MemAvailable (data source linux.sys_stats, meminfo_period_ms)")
    }
    if !found.contains(.scores) {
      timeline.issues.add(.info, "no oom_score_adj: the state of processes is not known")
    }
    if !found.contains(.ends) {
      timeline.issues.add(
        .info, "no end of a process (ftrace sched/sched_process_exit, or the log's am_proc_died)")
    }
    switch evidence {
    case .activities, .launches: break
    case .frames:
      timeline.issues.add(
        .info, "no resumed activity (the log's events): in front is who draws at oom_score_adj 0")
    case .cachedScores:
      timeline.issues.add(
        .info, "no resumed activity and no frame: in front is who comes to oom_score_adj 0")
    default:
      timeline.issues.add(.info, "nothing shows which app is in front: there are no launches")
    }
  }
}

// MARK: - Records

extension PerfettoHistory {
  private mutating func take(_ record: PerfettoRecord) throws(TraceError) {
    let time = record.nanoseconds
    switch record.kind {
    case .available:
      return try timeline.add(.available(bytes: record.value), at: time + epochOffset)
    case .used: return try addUsed(record.value, at: time)
    case .screen:
      return try timeline.add(.screen(isOn: record.value == 1), at: time + epochOffset)
    case .launchBegan: return try beginLaunch(record.value, at: time)
    case .launchEnded: return try endLaunch(record.value, at: time, record.place)
    case .intentStarted, .packageLaunchBegan, .launchFinished, .packageLaunchEnded:
      return try takePackageLaunch(record)
    case .anonymous, .shared, .swapped: break
    default: try flushUsed()
    }
    // Process 0 is the idle loop.
    guard record.pid > 0 else { return }
    switch record.kind {
    case .forked, .logged: return try start(record)
    // Known from the beginning: see ``PerfettoIdentities``.
    case .kernelThread, .commandLine, .threadName, .parent: return
    default:
      guard !isAheadOfFork(record) else { return }
      if record.kind == .exited, record.flag == PerfettoRecord.mayBeThread,
        lives[record.pid] == nil
      {
        return
      }
      if lives[record.pid] == nil { lives[record.pid] = newLife(record.pid, at: .min) }
      guard lives[record.pid]?.isKernelThread != true else { return }
      if lives[record.pid]?.endedAt != nil, record.kind != .killed { return }
      try takeOfLiving(record)
    }
  }

  /// Whether a sample is of a process that is forked only now: a poll takes a while and carries the
  /// time of its beginning.
  private func isAheadOfFork(_ record: PerfettoRecord) -> Bool {
    guard let forks = capture.forks[record.pid] else { return false }
    if let life = lives[record.pid], life.endedAt == nil,
      life.process != nil || life.startedAt != nil
    {
      return false
    }
    // The first fork after the sample.
    let next = forks.partitioningIndex { $0 > record.nanoseconds }
    return next < forks.count && forks[next] - record.nanoseconds <= Self.longestPoll
  }

  private mutating func takeOfLiving(_ record: PerfettoRecord) throws(TraceError) {
    let pid = record.pid
    let time = record.nanoseconds
    switch record.kind {
    case .exited:
      _ = try process(pid, at: time)
      if front == pid { try vacateFront(at: time) }
      lives[pid]?.endedAt = time
      lives[pid]?.hasCrashed = record.flag == PerfettoRecord.byCrash
      footprints &-= lives[pid]?.counted ?? 0
      lives[pid]?.counted = 0
    case .killed: try kill(record)
    case .score:
      // What is still written down of a process that was just killed is no sign of life.
      if let kill = lives[pid]?.kill, time - kill.nanoseconds <= Self.killLag { return }
      lives[pid]?.score = record.value
      if record.value != 0 { lives[pid]?.wasElsewhere = true }
      try scoreChanged(pid, at: time)
    case .anonymous, .shared, .swapped: try takePart(record)
    case .bound: noteLaunch(of: pid, .cold)
    case .activityStarted: noteLaunch(of: pid, .warm)
    case .resumed:
      noteLaunch(of: pid, .hot)
      if evidence == .activities { try comeToFront(pid, at: time) }
    case .paused: if evidence == .activities, front == pid { try leaveFront(at: time) }
    case .frozen, .thawed: try freeze(pid, record.kind == .frozen, at: time)
    case .drew:
      if evidence == .frames, lives[pid]?.score == 0 { try comeToFront(pid, at: time) }
    default: break
    }
  }

  private mutating func kill(_ record: PerfettoRecord) throws(TraceError) {
    let pid = record.pid
    let time = record.nanoseconds
    if let ended = lives[pid]?.endedAt, time - ended > Self.killLag { return }
    if lives[pid]?.endedAt == nil { _ = try process(pid, at: time) }
    let exit = AndroidExit(rawValue: record.flag) ?? .unknown
    // The kernel or lmkd knows better than who tells of it: the first cause that is memory wins.
    if let earlier = lives[pid]?.kill, earlier.exit == .lowMemory || exit != .lowMemory { return }
    let score = record.value == PerfettoRecord.unknownScore ? lives[pid]?.score : record.value
    let first = lives[pid]?.kill?.nanoseconds ?? time
    lives[pid]?.kill = Kill(nanoseconds: first, score: score, exit: exit)
  }

  private mutating func start(_ record: PerfettoRecord) throws(TraceError) {
    let pid = record.pid
    if let life = lives[pid] {
      if record.kind == .logged, life.endedAt == nil, let started = life.startedAt,
        record.nanoseconds - started < PerfettoIdentities.startLag
      {
        return
      }
      if life.endedAt == nil, life.process != nil || life.startedAt != nil {
        timeline.issues.add(
          .info, "a process id is given anew while its process lives: that life ends there")
        footprints &-= life.counted
        lives[pid]?.endedAt = record.nanoseconds
        if life.kill == nil {
          lives[pid]?.kill = Kill(nanoseconds: record.nanoseconds, score: nil, exit: .unknown)
        }
      }
      if front == pid { try vacateFront(at: record.nanoseconds) }
      if let end = try endOfLife(pid) { try add(end) }
    }
    lives[pid] = newLife(pid, at: record.nanoseconds)
    lives[pid]?.startedAt = record.nanoseconds
    try meetAwaited(pid, at: record.nanoseconds)
  }

  private mutating func add(_ end: End) throws(TraceError) {
    try timeline.add(.exited(end.exit), at: end.nanoseconds + epochOffset, end.process)
  }

  /// The end of a life that is told completely, its cause included; nil: it has not ended.
  private mutating func endOfLife(_ pid: Int32) throws(TraceError) -> End? {
    guard let life = lives[pid], !life.isKernelThread else { return nil }
    if life.startedAt != nil { _ = try process(pid, at: life.startedAt ?? 0) }
    guard let process = lives[pid]?.process else { return nil }
    let kill = life.kill
    guard let time = life.endedAt ?? kill.map({ max($0.nanoseconds, life.lastAt) }) else {
      return nil
    }
    let exit: CaptureExit =
      if let kill { kill.exit.exit(adj: kill.score) } else {
        life.hasCrashed ? .crashed : .byItself
      }
    return End(nanoseconds: time, process: process, exit: exit)
  }
}

// MARK: - Names

extension PerfettoHistory {
  /// A life as far as packets say who it is, its own beginning not told.
  func newLife(_ pid: Int32, at time: Int64) -> Life {
    var life = Life()
    guard let identity = identities.identity(of: pid, at: time) else { return life }
    life.name = identity.name
    life.parent = identity.parent
    life.isKernelThread = identity.isKernelThread
    return life
  }

  /// What a process has now, parts that are told later as they are told first.
  func memory(of pid: Int32) -> PerfettoMemory {
    let first = identities.identity(of: pid, at: lives[pid]?.startedAt ?? .min)?.first
    return (lives[pid]?.memory ?? PerfettoMemory()).completed(by: first ?? PerfettoMemory())
  }

  /// The process that has a number now; begins its life if nothing was said of it yet.
  mutating func process(_ pid: Int32, at time: Int64) throws(TraceError) -> CaptureProcess {
    var life = lives[pid] ?? newLife(pid, at: .min)
    defer { lives[pid] = life }
    life.lastAt = max(life.lastAt, time)
    if let process = life.process { return process }
    let process = timeline.process(
      named: life.name ?? "process \(pid)", ranBefore: life.startedAt == nil)
    life.process = process
    if let started = life.startedAt {
      try timeline.add(.started(.unknown), at: started + epochOffset, process)
    }
    return process
  }

  mutating func add(
    _ fact: CaptureFact, at time: Int64, _ pid: Int32
  ) throws(TraceError) {
    let process = try process(pid, at: time)
    try timeline.add(fact, at: time + epochOffset, process)
  }
}
