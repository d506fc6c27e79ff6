internal import JettisonCore
internal import JettisonPerfetto
internal import JettisonSupport

/// A run as Android would have traced it: processes, their memory and `oom_score_adj`, kills of lmkd
/// and launches of ActivityManager.
///
/// Every life of an app is a process. What the trace processor's Android tables and our importer read
/// is written as Android writes it; all of it is written as the kernel's trace, which keeps the order of
/// what happens at one instant, and sizes to the byte.
struct PerfettoProcesses {
  private struct Life {
    let pid: Int32
    var state = AppState.notRunning
    var score: Int?
    var isShown: Bool { state == .active || state == .inactive }
  }

  /// A kill that waits for the decision behind it, which has the victim's rank.
  private struct Kill {
    let app: AppIndex
    let pid: Int32
    let nanoseconds: Int64
    let cause: RecordedCause
    let score: Int
  }

  /// A launch that is not over.
  private struct Launch {
    let app: AppIndex
    let number: Int
    let end: Int64
    let cause: RecordedCause
  }

  private let names: [String]
  private let place: PerfettoPlace
  private let totalKb: Int64
  /// Whether decisions tell `oom_score_adj`.
  private let hasScores: Bool
  private var lives: [Life?]
  private var processCount: Int32 = 2
  private var kills: [Kill] = []
  private var launches: [Launch] = []
  private var launchCount = 0
  private var availableKb: Int64?

  /// The process that launches apps, and the one that kills them.
  private var server: Int32 { place.firstProcess }
  private var killer: Int32 { place.firstProcess + 1 }
  /// Whether there are no numbers left for more processes.
  var isFull: Bool { processCount >= PerfettoPlace.processCount - 1 }

  init(_ run: StartedRun, _ place: PerfettoPlace) {
    names = run.apps
    self.place = place
    totalKb = run.configuration.device.ramBytes / 1024
    let family = run.configuration.pressure.family
    hasScores = family == .android || family == .linux
    lives = Array(repeating: nil, count: run.apps.count)
  }

  /// Says what the clocks and the system are.
  func begin(sinceEpoch: Int64?, _ writer: inout PacketWriter) {
    var clocks: [(clock: UInt32, nanoseconds: Int64)] = [(PerfettoClocks.boottime, place.origin)]
    if let sinceEpoch { clocks.append((PerfettoClocks.realtime, sinceEpoch)) }
    writer.addClocks(clocks)
    writer.addProcesses([(server, "system_server"), (killer, "lmkd")], at: place.origin)
  }

  /// Writes what was held back.
  mutating func finish(_ writer: inout PacketWriter) {
    for kill in kills { write(kill, score: kill.score, &writer) }
    endLaunches(through: .max, &writer)
  }
}

// MARK: - What happens

extension PerfettoProcesses {
  /// Follows an event; returns whether a process begins with it.
  mutating func take(_ event: EventRecord, _ writer: inout PacketWriter) -> Bool {
    let time = place.origin + event.timeNanoseconds
    endLaunches(through: time, &writer)
    switch event.kind {
    case .state:
      guard let state = event.stateAfter else { return false }
      return enter(state, event.app, at: time, &writer)
    case .launch where event.cause != .background: beginLaunch(event, at: time, &writer)
    case .purge, .kill: noteKill(event, at: time, &writer)
    default: break
    }
    return false
  }

  /// Takes what a decision knows of ranks.
  mutating func take(_ decision: DecisionRecord, _ writer: inout PacketWriter) {
    var scores: [AppIndex: Int] = [:]
    if hasScores {
      for candidate in decision.candidates {
        guard let band = candidate.band else { continue }
        scores[candidate.app] = band
        setScore(
          band, of: candidate.app, at: place.origin + decision.timeNanoseconds, &writer)
      }
    }
    for kill in kills { write(kill, score: scores[kill.app] ?? kill.score, &writer) }
    kills.removeAll(keepingCapacity: true)
  }

  /// Takes a footprint.
  mutating func take(_ footprint: FootprintRecord, _ writer: inout PacketWriter) {
    let time = place.origin + footprint.timeNanoseconds
    let app = footprint.app
    if lives[app.position] == nil, footprint.state != .notRunning {
      appear(app, footprint, at: time, &writer)
    }
    if let life = lives[app.position] {
      writer.addMemory(of: life.pid, member: 1, bytes: footprint.footprintBytes, at: time)
    }
  }

  /// Takes the memory that is available.
  mutating func take(_ memory: MemoryRecord, _ writer: inout PacketWriter) {
    let available = max(0, memory.availableBytes) / 1024
    guard available != availableKb else { return }
    availableKb = available
    writer.addMemory(
      totalKb: totalKb, availableKb: available, at: place.origin + memory.timeNanoseconds)
  }
}

// MARK: - Lives

extension PerfettoProcesses {
  /// Returns whether a process begins.
  private mutating func enter(
    _ state: AppState, _ app: AppIndex, at time: Int64, _ writer: inout PacketWriter
  ) -> Bool {
    let begins = lives[app.position] == nil && state != .notRunning
    if begins {
      let pid = addLife(of: app)
      writer.addStart(of: pid, named: names[app.position], by: server, at: time)
      // No file pages are simulated; without any, sums of resident memory would be none.
      writer.addMemory(of: pid, member: 0, bytes: 0, at: time)
    }
    guard let life = lives[app.position] else { return false }
    if state == .notRunning {
      writer.addExit(of: life.pid, named: names[app.position], at: time)
      lives[app.position] = nil
      return false
    }
    follow(state, of: app, at: time, &writer)
    return begins
  }

  /// An app that ran before the run began, as the processes of a capture do.
  private mutating func appear(
    _ app: AppIndex, _ footprint: FootprintRecord, at time: Int64, _ writer: inout PacketWriter
  ) {
    let pid = addLife(of: app)
    writer.addProcesses([(pid, names[app.position])], at: time)
    // Beside a capture, events of the kernel before it was fully on do not count: a poll does.
    writer.addStats(
      of: pid, anonymousKb: footprint.footprintBytes / 1024,
      oomScoreAdj: Self.score(of: footprint.state), at: time)
    writer.addMemory(of: pid, member: 0, bytes: 0, at: time)
    follow(footprint.state, of: app, at: time, &writer)
  }

  private mutating func addLife(of app: AppIndex) -> Int32 {
    let pid = place.firstProcess + processCount
    processCount += 1
    lives[app.position] = Life(pid: pid)
    return pid
  }

  private mutating func follow(
    _ state: AppState, of app: AppIndex, at time: Int64, _ writer: inout PacketWriter
  ) {
    let wasShown = lives[app.position]?.isShown ?? false
    lives[app.position]?.state = state
    if let life = lives[app.position], life.isShown != wasShown {
      let slice = life.isShown ? "activityResume" : "activityPause"
      writer.addPrint("B|\(life.pid)|\(slice)\n", by: life.pid, at: time)
      writer.addPrint("E|\(life.pid)\n", by: life.pid, at: time)
    }
    // A process that is new is in front before its score says that it runs.
    setScore(Self.score(of: state), of: app, at: time, &writer)
  }

  /// `oom_score_adj` as far as the state tells it: in front, a service, cached.
  private static func score(of state: AppState) -> Int {
    switch state {
    case .active, .inactive: 0
    case .background: 500
    case .suspended, .notRunning: 900
    }
  }

  private mutating func setScore(
    _ score: Int, of app: AppIndex, at time: Int64, _ writer: inout PacketWriter
  ) {
    guard let life = lives[app.position], life.score != score else { return }
    lives[app.position]?.score = score
    writer.addScore(score, of: life.pid, at: time)
  }
}

// MARK: - Kills

extension PerfettoProcesses {
  private mutating func noteKill(
    _ event: EventRecord, at time: Int64, _ writer: inout PacketWriter
  ) {
    // These two are no shortage of memory.
    guard event.cause != .gpuInBackground, event.cause != .sharedResource,
      let life = lives[event.app.position]
    else { return }
    let kill = Kill(
      app: event.app, pid: life.pid, nanoseconds: time, cause: event.cause, score: life.score ?? 0)
    if event.decision == nil {
      write(kill, score: kill.score, &writer)
    } else {
      kills.append(kill)
    }
  }

  /// As lmkd writes it: victim, reason, its rank and the least one that could go.
  private func write(_ kill: Kill, score: Int, _ writer: inout PacketWriter) {
    writer.addPrint(
      "N|\(killer)|lowmemorykiller|lmk,\(kill.pid),\(Self.reason(kill.cause)),\(score),0\n",
      by: killer, at: kill.nanoseconds)
  }

  /// The number of a reason in lmkd's `statslog.h`; -1 for rules that are not those of lmkd.
  private static func reason(_ cause: RecordedCause) -> Int {
    switch cause {
    case .pressureAfterKill: 0
    case .notResponding: 1
    case .lowSwapAndThrashing: 2
    case .lowMemAndSwap: 3
    case .lowMemAndThrashing: 4
    case .directReclaimAndThrashing: 5
    case .lowMemAndSwapUtil: 6
    case .lowFilecacheAfterThrashing: 7
    case .lowMem: 8
    default: -1
    }
  }
}

// MARK: - Launches

extension PerfettoProcesses {
  private mutating func beginLaunch(
    _ event: EventRecord, at time: Int64, _ writer: inout PacketWriter
  ) {
    // Marks of the lines that tell of it: such a name cannot be written into them.
    let isWritable = names[event.app.position].unicodeScalars.allSatisfy {
      $0 != "|" && $0 != ":" && $0.value >= 0x20
    }
    guard isWritable else { return }
    launchCount += 1
    writer.addPrint("S|\(server)|launchingActivity#\(launchCount)|0\n", by: server, at: time)
    launches.append(
      Launch(
        app: event.app, number: launchCount, end: time + max(0, event.nanoseconds ?? 0),
        cause: event.cause))
  }

  private mutating func endLaunches(through time: Int64, _ writer: inout PacketWriter) {
    while let place = launches.indices.min(by: { launches[$0].end < launches[$1].end }),
      launches[place].end <= time
    {
      let launch = launches.remove(at: place)
      let activity = "launchingActivity#\(launch.number)"
      writer.addPrint("F|\(server)|\(activity)|0\n", by: server, at: launch.end)
      writer.addPrint(
        "I|\(server)|\(activity):completed-\(launch.cause.name):\(names[launch.app.position])\n",
        by: server, at: launch.end)
    }
  }
}
