internal import JettisonModel
internal import JettisonTraces

/// Turns what is seen of processes, moment after moment, into the rows of a trace.
///
/// What is seen and what becomes of it:
///
/// * An app that runs at the first moment is `present`: `suspended` if it is stopped, `front` if it
///   is the only one that is not, else `background`. A footprint that is derived is repeated in a
///   row that says so, because `present` cannot.
/// * A start is a `launch`, unless the process is stopped at once; so is going on after a stop:
///   a user who continues a program comes back to it.
/// * Being stopped is leaving: `home` if the app was in front, unless another one is launched.
/// * An app that is not in front and not stopped runs in the background: `background-mode`.
/// * The end of an app's last process has the cause of the first one's, as far as known.
/// * `oom_score_adj` of an app's first process is an `adj` once it is not 0.
/// * A report of the kernel's OOM killer gives all processes the footprint and the rank that the kernel
///   saw, and the system the memory with which the failed allocation does not fit; then the victim
///   ends.
///
/// Rows come in order of time. A launch happens when its process started, which is told to 10 ms;
/// all else when it was seen.
struct ProcessRecording {
  /// Changes of the system's memory that are worth a row.
  static let systemGranularity: Int64 = 1 << 20

  private struct Life {
    let name: String
    /// Its first process.
    let process: ProcessStatus.Identity
    var isStopped: Bool
    var isInBackground = false
    /// Whether the moment before has seen it run though it was not in front.
    var wasBehind = false
    var footprint: MeasuredFootprint?
    /// `oom_score_adj` as the rows have it.
    var adjustment: Int64 = 0
    /// Whether the kernel has killed it; what is left of the process is not followed.
    var isKilled = false
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
  /// Kills for want of memory that no report of the kernel has told: below 0 where the report came
  /// before the count.
  private var untoldKills: Int64 = 0
  /// Reports of the kernel's OOM killer so far.
  private(set) var reportCount = 0
  /// Smallest footprint with which a life of an app was first seen, in bytes.
  private(set) var firstFootprints: [String: Int64] = [:]

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
  /// - Parameter measure: The footprint of a process; nil if it is gone or may not be read.
  mutating func take(
    _ snapshot: ProcessSnapshot, measure: (ProcessStatus) -> MeasuredFootprint?
  ) {
    let time = max(lastTime, snapshot.timeNanoseconds)
    exits.merge(snapshot.exits) { _, new in new }
    let told = snapshot.kernelKills.reduce(0) { $0 + Int64($1.victims.count) }
    // All processes from before this moment have been reported.
    untoldKills = min(0, untoldKills) + snapshot.memoryKills - told
    for process in snapshot.processes {
      if let status = process.exitStatus { exits[process.identity] = status }
    }
    let changes = follower.take(snapshot)
    let left = front
    // Names of the dead are free for those who begin. A victim that only this moment shows has to
    // begin before it ends.
    let newKills = snapshot.kernelKills.filter { $0.victims.contains { life(of: $0) == nil } }
    var ended = changes.ended
    for kill in snapshot.kernelKills where !newKills.contains(kill) {
      // A process that is gone and not in the kernel's table had ended before.
      let isGone = { (app: ProcessFollower.App) in
        kill.isOfGroup && !kill.processes.contains { $0.number == app.root.number }
      }
      for (life, app) in ended where isGone(app) {
        end(life, app, snapshot, moment(of: kill, snapshot))
      }
      ended.removeAll { isGone($0.app) }
      take(kill, snapshot)
    }
    for (life, app) in ended { end(life, app, snapshot, time) }
    if isFirst {
      present(changes.begun, measure)
      let footprints = lives.compactMapValues(\.footprint)
      if let sum = systemBytes(snapshot, footprints) { writeSystem(sum, time) }
    } else {
      changeStates(changes.begun, snapshot, time, measure)
      for kill in newKills { take(kill, snapshot) }
      if let left, left != front, front == nil, lives[left] != nil { rows.add(.home, at: time) }
      followBackground(time)
      writeMemory(snapshot, time, measure)
    }
    writeMachine(snapshot, time)
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
    let isTold = lives.removeValue(forKey: life)?.isKilled ?? false
    if front == life { front = nil }
    let exit = ProcessExit(
      waitStatus: exits.removeValue(forKey: app.root),
      hasKilledForMemory: untoldKills > 0)
    guard !isTold else { return }
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
    var adjusted: [(name: String, adjustment: Int64)] = []
    for life in begun {
      guard let app = follower.apps[life] else { continue }
      names.append(app.name)
      let footprint = footprint(of: app, measure)
      lives[life] = Life(
        name: app.name, process: app.root, isStopped: app.isStopped, footprint: footprint)
      if let adjustment = footprint?.adjustment, adjustment != 0 {
        lives[life]?.adjustment = adjustment
        adjusted.append((app.name, adjustment))
      }
      let state = app.isStopped ? "suspended" : running.count == 1 ? "front" : "background"
      rows.add(.present, at: 0, app: app.name, value: footprint?.bytes, detail: "state=\(state)")
      if let footprint, footprint.isDerived { add(footprint, of: app.name, at: 0) }
    }
    for (name, adjustment) in adjusted { rows.add(.adj, at: 0, app: name, value: adjustment) }
    if running.count == 1 { front = running.first }
    for life in running where life != front { runInBackground(life, 0) }
  }

  private mutating func changeStates(
    _ begun: [Int], _ snapshot: ProcessSnapshot, _ time: Int64,
    _ measure: (ProcessStatus) -> MeasuredFootprint?
  ) {
    var starts: [(time: Int64, life: Int)] = []
    for (life, app) in follower.apps.sorted(by: { $0.key < $1.key }) {
      if begun.contains(life) {
        starts.append((startTime(of: app, snapshot, time), life))
        continue
      }
      guard let known = lives[life], !known.isKilled, known.isStopped != app.isStopped else {
        continue
      }
      lives[life]?.isStopped = app.isStopped
      if app.isStopped {
        leaveBackground(life, time)
        if front == life { front = nil }
      } else {
        starts.append((time, life))
      }
    }
    for start in starts.sorted(by: { ($0.time, $0.life) < ($1.time, $1.life) }) {
      let isNew = begun.contains(start.life)
      launch(start.life, isNew: isNew, start.time)
      if isNew { writeFirst(of: start.life, start.time, measure) }
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
      lives[life] = Life(name: app.name, process: app.root, isStopped: app.isStopped)
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
      guard let known = lives[life], !known.isKilled else { continue }
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
    let measured = app.members.compactMap { member in measure(member).map { (member, $0) } }
    guard !measured.isEmpty else { return nil }
    return MeasuredFootprint(
      bytes: measured.reduce(0) { min($0 + $1.1.bytes, TraceLimits.bytes) },
      isDerived: measured.contains(where: \.1.isDerived),
      adjustment: measured.first { $0.0.identity == app.root }?.1.adjustment)
  }

  private mutating func writeMemory(
    _ snapshot: ProcessSnapshot, _ time: Int64, _ measure: (ProcessStatus) -> MeasuredFootprint?
  ) {
    var footprints: [Int: MeasuredFootprint] = [:]
    for (life, app) in follower.apps where lives[life]?.isKilled == false {
      footprints[life] = footprint(of: app, measure)
    }
    let sum = systemBytes(snapshot, footprints)
    // At no moment of it is less left than before or after.
    if let sum, let system, sum < system { writeSystem(sum, time) }
    write(footprints, time)
    if let sum { writeSystem(sum, time) }
  }

  /// Writes what has changed: who shrinks goes first.
  private mutating func write(_ footprints: [Int: MeasuredFootprint], _ time: Int64) {
    let growth = footprints.map { life, footprint in
      (life: life, bytes: footprint.bytes - (lives[life]?.footprint?.bytes ?? 0))
    }
    let order = growth.sorted {
      ($0.bytes < 0 ? 0 : 1, $0.life) < ($1.bytes < 0 ? 0 : 1, $1.life)
    }
    for (life, _) in order {
      guard let footprint = footprints[life], let known = lives[life] else { continue }
      if let adjustment = footprint.adjustment, adjustment != known.adjustment {
        lives[life]?.adjustment = adjustment
        rows.add(.adj, at: time, app: known.name, value: adjustment)
      }
      noteFirst(footprint, of: known)
      guard
        known.footprint?.bytes != footprint.bytes
          || known.footprint?.isDerived != footprint.isDerived
      else { continue }
      lives[life]?.footprint = footprint
      add(footprint, of: known.name, at: time)
    }
  }

  /// A process is as large from its start as it is found first: until then a catalog would say how large
  /// it is.
  ///
  /// Where the rest of the machine is written, both change at one moment, and this waits for it.
  private mutating func writeFirst(
    of life: Int, _ time: Int64, _ measure: (ProcessStatus) -> MeasuredFootprint?
  ) {
    guard !writesSystemMemory, let app = follower.apps[life], let known = lives[life],
      let footprint = footprint(of: app, measure)
    else { return }
    noteFirst(footprint, of: known)
    lives[life]?.footprint = footprint
    add(footprint, of: known.name, at: time)
  }

  private mutating func noteFirst(_ footprint: MeasuredFootprint, of life: Life) {
    guard life.footprint == nil else { return }
    firstFootprints[life.name] = min(firstFootprints[life.name] ?? .max, footprint.bytes)
  }

  private mutating func add(_ footprint: MeasuredFootprint, of name: String, at time: Int64) {
    rows.add(
      .footprint, at: time, app: name, value: footprint.bytes,
      detail: footprint.isDerived ? "derived=1" : "")
  }

  /// What the rest of the machine uses; nil: not asked for, or not known.
  private func systemBytes(
    _ snapshot: ProcessSnapshot, _ footprints: [Int: MeasuredFootprint]
  ) -> Int64? {
    guard writesSystemMemory, let total = snapshot.totalBytes,
      let available = snapshot.availableBytes
    else { return nil }
    return max(0, total - available - footprints.values.reduce(0) { $0 + $1.bytes })
  }

  private mutating func writeSystem(_ bytes: Int64, _ time: Int64) {
    guard Self.differs(bytes, system) else { return }
    system = bytes
    rows.add(.systemMemory, at: time, value: bytes)
  }

  private mutating func writeMachine(_ snapshot: ProcessSnapshot, _ time: Int64) {
    if let now = snapshot.availableBytes, Self.differs(now, available) {
      available = now
      rows.add(.observedAvailable, at: time, value: now)
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

// MARK: - The kernel's reports

extension ProcessRecording {
  /// Writes what the kernel saw when it killed, and the end of its victims.
  ///
  /// A victim that no sample has seen began and ended between two: it is launched at that moment.
  private mutating func take(_ kill: KernelKill, _ snapshot: ProcessSnapshot) {
    let time = moment(of: kill, snapshot)
    var footprints: [Int: MeasuredFootprint] = [:]
    for process in kill.processes {
      guard let life = life(of: process.number) else { continue }
      footprints[life] = MeasuredFootprint(
        bytes: min(process.bytes, TraceLimits.bytes), isDerived: false,
        adjustment: process.adjustment)
    }
    guard !footprints.isEmpty else { return }
    reportCount += 1
    let room = room(for: footprints, snapshot)
    if let room, let system, room.before < system { addSystem(room.before, time) }
    write(footprints, time)
    if let room { addSystem(room.after + kill.requestedBytes, time) }
    for victim in kill.victims { end(victim, of: kill, time) }
    if let room { addSystem(room.after, time) }
    lastTime = time
  }

  /// The clock of the log may be off: a report comes after the previous sample, and before this one.
  private func moment(of kill: KernelKill, _ snapshot: ProcessSnapshot) -> Int64 {
    max(lastTime, min(kill.timeNanoseconds, snapshot.timeNanoseconds))
  }

  /// The life of a process that is an app of its own.
  private func life(of number: Int32) -> Int? {
    lives.first { !$0.value.isKilled && $0.value.process.number == number }?.key
  }

  private mutating func end(_ victim: Int32, of kill: KernelKill, _ time: Int64) {
    guard let life = life(of: victim), let known = lives[life] else { return }
    lives[life]?.isKilled = true
    if front == life { front = nil }
    rows.add(
      .observedExit, at: time, app: known.name,
      detail: "cause=\(kill.isOfGroup ? "memory-limit" : "low-memory");band=\(known.adjustment)")
  }

  /// What the rest of the machine has, so that nothing is left: while footprints change, and after.
  private func room(
    for footprints: [Int: MeasuredFootprint], _ snapshot: ProcessSnapshot
  ) -> (before: Int64, after: Int64)? {
    guard writesSystemMemory, let total = snapshot.totalBytes else { return nil }
    var most: Int64 = 0
    var sum: Int64 = 0
    for (life, known) in lives where !known.isKilled {
      let before = known.footprint?.bytes ?? 0
      let after = footprints[life]?.bytes ?? before
      most += max(before, after)
      sum += after
    }
    return (max(0, total - most), max(0, total - sum))
  }

  private mutating func addSystem(_ bytes: Int64, _ time: Int64) {
    system = bytes
    rows.add(.systemMemory, at: time, value: bytes)
  }
}
