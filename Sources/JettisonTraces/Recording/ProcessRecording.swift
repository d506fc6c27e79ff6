internal import JettisonCore

/// Turns what is seen of processes, moment after moment, into the rows of a trace.
///
/// What is seen and what becomes of it:
///
/// * An app that runs at the first moment is `present`: `suspended` if it is stopped, `front` if it
///   is the only one that is not, else `background`. A footprint that is derived is repeated in a
///   row that says so, because `present` cannot.
/// * A start is a `launch`, unless the process is stopped at once; so is going on after a stop:
///   whoever continues a program comes back to it.
/// * Being stopped is leaving: `home` if the app was in front, unless another one is launched.
/// * An app that is not in front and not stopped runs in the background: `background-mode`.
/// * The end of the last process of an app is told by how the first one ended, as far as known.
///
/// Rows come in order of time. A launch happens when its process started, which is told to 10 ms;
/// all else when it was seen.
struct ProcessRecording {
  /// Changes of the system's memory that are worth a row.
  static let systemGranularity: Int64 = 1 << 20

  private struct Life {
    let name: String
    var isStopped: Bool
    var isInBackground = false
    /// Whether the moment before has seen it run though it was not in front.
    var wasBehind = false
    var footprint: MeasuredFootprint?
  }

  private let writesSystemMemory: Bool
  private let ticksPerSecond: Int64
  private var follower: ProcessFollower
  private var lives: [Int: Life] = [:]
  private var exits: [ProcessStatus.Identity: Int32] = [:]
  private var front: Int?
  private var isFirst = true
  private var lastTime: Int64 = 0
  private var available: Int64?
  private var system: Int64?
  private var stalls: (some: Int64, full: Int64)?
  private(set) var rows = TraceRows()
  /// Names of all apps so far, in order of appearance.
  private(set) var names: [String] = []

  init(_ follower: ProcessFollower, writesSystemMemory: Bool, ticksPerSecond: Int64) {
    self.follower = follower
    self.writesSystemMemory = writesSystemMemory
    self.ticksPerSecond = max(1, ticksPerSecond)
  }

  /// From now on a command runs, that nothing of ran before.
  mutating func follow(command number: Int32) { follower.command = number }

  /// Whether any app lives.
  var hasApps: Bool { !follower.apps.isEmpty }

  /// Takes one moment; times never decrease.
  ///
  /// - Parameter measure: The footprint of a process; nil if it is gone or nobody may know.
  mutating func take(
    _ snapshot: ProcessSnapshot, measure: (ProcessStatus) -> MeasuredFootprint?
  ) {
    let time = max(lastTime, snapshot.timeNanoseconds)
    exits.merge(snapshot.exits) { _, new in new }
    for process in snapshot.processes {
      if let status = process.exitStatus { exits[process.identity] = status }
    }
    let changes = follower.take(snapshot)
    let left = front
    for (life, app) in changes.ended { end(life, app, snapshot, time) }
    if isFirst {
      present(changes.begun, measure)
    } else {
      changeStates(changes.begun, snapshot, time)
      if let left, left != front, front == nil, lives[left] != nil { rows.add(.home, at: time) }
      followBackground(time)
      writeFootprints(time, measure)
    }
    writeSystem(snapshot, time)
    isFirst = false
    lastTime = time
  }

  /// Hands the rows out that have come since the last time.
  mutating func takeRows() -> [UInt8] { rows.take() }

  /// Ends the trace.
  mutating func finish(at time: Int64) {
    rows.add(.end, at: time, detail: "reason=complete")
  }

  // MARK: Lives

  private mutating func end(
    _ life: Int, _ app: ProcessFollower.App, _ snapshot: ProcessSnapshot, _ time: Int64
  ) {
    lives[life] = nil
    if front == life { front = nil }
    let exit = ProcessExit(
      waitStatus: exits.removeValue(forKey: app.root),
      hasKilledForMemory: snapshot.hasKilledForMemory)
    switch exit {
    case .byItself: rows.add(.exit, at: time, app: app.name)
    case .crashed: rows.add(.crash, at: time, app: app.name)
    case .quit: rows.add(.quit, at: time, app: app.name)
    case .observed(let cause):
      rows.add(.observedExit, at: time, app: app.name, detail: "cause=\(cause)")
    }
  }

  private mutating func present(
    _ begun: [Int], _ measure: (ProcessStatus) -> MeasuredFootprint?
  ) {
    let running = begun.filter { follower.apps[$0]?.isStopped == false }
    for life in begun {
      guard let app = follower.apps[life] else { continue }
      names.append(app.name)
      let footprint = footprint(of: app, measure)
      lives[life] = Life(
        name: app.name, isStopped: app.isStopped, footprint: footprint)
      let state = app.isStopped ? "suspended" : running.count == 1 ? "front" : "background"
      rows.add(.present, at: 0, app: app.name, value: footprint?.bytes, detail: "state=\(state)")
      if let footprint, footprint.isDerived { add(footprint, of: app, at: 0) }
    }
    if running.count == 1 { front = running.first }
    for life in running where life != front { runInBackground(life, 0) }
  }

  private mutating func changeStates(
    _ begun: [Int], _ snapshot: ProcessSnapshot, _ time: Int64
  ) {
    var starts: [(time: Int64, life: Int)] = []
    for (life, app) in follower.apps.sorted(by: { $0.key < $1.key }) {
      if begun.contains(life) {
        starts.append((startTime(of: app, snapshot, time), life))
        continue
      }
      guard let known = lives[life], known.isStopped != app.isStopped else { continue }
      lives[life]?.isStopped = app.isStopped
      if app.isStopped {
        leaveBackground(life, time)
        if front == life { front = nil }
      } else {
        starts.append((time, life))
      }
    }
    for start in starts.sorted(by: { ($0.time, $0.life) < ($1.time, $1.life) }) {
      launch(start.life, isNew: begun.contains(start.life), start.time)
    }
  }

  /// When an app's first process started; between the moment before and this one.
  private func startTime(
    of app: ProcessFollower.App, _ snapshot: ProcessSnapshot, _ time: Int64
  ) -> Int64 {
    let (age, overflow) = snapshot.ticks.subtractingReportingOverflow(app.root.startTicks)
    guard !overflow, age >= 0, age < 1 << 30 else { return time }
    let nanoseconds = age * (1_000_000_000 / ticksPerSecond)
    return min(time, max(lastTime, time - nanoseconds))
  }

  private mutating func launch(_ life: Int, isNew: Bool, _ time: Int64) {
    guard let app = follower.apps[life] else { return }
    if isNew {
      lives[life] = Life(name: app.name, isStopped: app.isStopped)
      if !names.contains(app.name) { names.append(app.name) }
    }
    if app.isStopped {
      rows.add(.backgroundLaunch, at: time, app: app.name)
      return
    }
    leaveBackground(life, time)
    rows.add(.launch, at: time, app: app.name)
    front = life
  }

  // MARK: Background

  private mutating func followBackground(_ time: Int64) {
    for life in lives.keys.sorted() {
      guard let known = lives[life] else { continue }
      let isBehind = life != front && !known.isStopped
      // An app that is about to be stopped is seen behind for a moment: the second one counts.
      if isBehind, known.wasBehind { runInBackground(life, time) }
      lives[life]?.wasBehind = isBehind
    }
  }

  private mutating func runInBackground(_ life: Int, _ time: Int64) {
    guard let known = lives[life], !known.isInBackground else { return }
    lives[life]?.isInBackground = true
    rows.add(.backgroundMode, at: time, app: known.name, value: 1, detail: "mode=service")
  }

  private mutating func leaveBackground(_ life: Int, _ time: Int64) {
    guard let known = lives[life], known.isInBackground else { return }
    lives[life]?.isInBackground = false
    rows.add(.backgroundMode, at: time, app: known.name, value: 0, detail: "mode=service")
  }

  // MARK: Memory

  private func footprint(
    of app: ProcessFollower.App, _ measure: (ProcessStatus) -> MeasuredFootprint?
  ) -> MeasuredFootprint? {
    let measured = app.members.compactMap(measure)
    guard !measured.isEmpty else { return nil }
    return MeasuredFootprint(
      bytes: measured.reduce(0) { min($0 + $1.bytes, TraceLimits.bytes) },
      isDerived: measured.contains(where: \.isDerived))
  }

  private mutating func writeFootprints(
    _ time: Int64, _ measure: (ProcessStatus) -> MeasuredFootprint?
  ) {
    for (life, app) in follower.apps.sorted(by: { $0.key < $1.key }) {
      guard let footprint = footprint(of: app, measure), lives[life]?.footprint != footprint
      else { continue }
      lives[life]?.footprint = footprint
      add(footprint, of: app, at: time)
    }
  }

  private mutating func add(
    _ footprint: MeasuredFootprint, of app: ProcessFollower.App, at time: Int64
  ) {
    rows.add(
      .footprint, at: time, app: app.name, value: footprint.bytes,
      detail: footprint.isDerived ? "derived=1" : "")
  }

  private mutating func writeSystem(_ snapshot: ProcessSnapshot, _ time: Int64) {
    if let now = snapshot.availableBytes, Self.differs(now, available) {
      available = now
      rows.add(.observedAvailable, at: time, value: now)
    }
    if writesSystemMemory, let total = snapshot.totalBytes, let free = snapshot.availableBytes {
      let apps = lives.values.reduce(0) { $0 + ($1.footprint?.bytes ?? 0) }
      let now = max(0, total - free - apps)
      if Self.differs(now, system) {
        system = now
        rows.add(.systemMemory, at: time, value: now)
      }
    }
    guard let some = snapshot.someStallMicroseconds, let full = snapshot.fullStallMicroseconds
    else { return }
    if let stalls, some > stalls.some {
      rows.add(
        "x-stall", at: time, value: some - stalls.some,
        detail: "x-full_us=\(max(0, full - stalls.full))")
    }
    stalls = (some, full)
  }

  private static func differs(_ now: Int64, _ before: Int64?) -> Bool {
    guard let before else { return true }
    return abs(now - before) >= systemGranularity
  }
}
