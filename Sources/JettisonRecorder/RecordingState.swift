/// Where a recording is: the file, the clocks, and what the rows so far say of the app.
///
/// Every row that is written keeps the trace legal, whatever the app calls in whatever order.
struct RecordingState: ~Copyable {
  private enum Phase {
    /// No row of this life yet.
    case unborn
    case front, inactive, background, over
    /// Left by a lock: the next time in front is the unlock.
    case locked
  }

  private struct OpenSave {
    /// Where the digits of its duration begin in the file.
    let offset: Int64
    let trigger: RecordedSave.Trigger
    /// ``awakeTime(_:)`` at its start.
    let start: Int64
  }

  /// Largest size in a trace: 1 TiB.
  private static let largestSize: Int64 = 1 << 40
  /// A trace has 63 kinds of device changes, of which ten are words with a notification of their own.
  private static let mostChangeKinds = 53
  /// Longest time in a trace: 100 years.
  static let longestTime: Int64 = 100 * 365 * 86_400 * 1_000_000_000
  /// A footprint is written at least this often, as a sign of life.
  private static let heartbeat: Int64 = 60_000_000_000
  /// How long a new process may be silent before it counts as started in the background.
  private static let launchGrace: Int64 = 5_000_000_000

  private var file: RecordingFile
  private let clock: RecorderClock
  private let settings: RecorderSettings
  private let app: [UInt8]
  private var row = RowText()
  private var phase = Phase.unborn

  /// Time in the trace when this life began, and the clock at that moment.
  private let lifeStart: Int64
  private let clockAtStart: Int64
  private var lastTime: Int64
  private var lastFootprint: (bytes: Int64, time: Int64)?
  /// Sums over the edits that this life wrote, and over those at the end of what earlier lives did.
  private var editSums = RecordingFile.EditSums()
  private var saves: [Int64: OpenSave] = [:]
  private var saveCount: Int64 = 0

  /// Time at which the process was last seen to run; nil: the sampler does not.
  private var lastAwake: Int64?
  /// Time for which the process did not run, as gaps without a poll of the sampler show.
  private var stoppedTime: Int64 = 0
  /// Kinds of device changes in this life, as rows have them.
  private var changeKinds: Set<[UInt8]> = []
  /// Rows that could not be written since the last one that was.
  private var lostSinceWritten: Int64 = 0
  /// Rows that could not be written.
  private(set) var lostRows: Int64 = 0

  /// Opens the file, ends the life that was recorded last, and begins a new one.
  init(
    path: String, settings: RecorderSettings, clock: RecorderClock, limitBytes: Int64?
  ) throws(RecorderError) {
    let app = AppName(settings.app)
    var file = try RecordingFile(path: path, app: app)
    let now = clock.now()
    let wallSeconds = max(0, now.sinceEpoch) / 1_000_000_000
    let past = file.past
    if past == nil {
      let header = RecordingHeader(
        settings: settings, app: app, limitBytes: limitBytes, startSeconds: wallSeconds,
        zoneOffset: clock.zoneOffset(wallSeconds))
      guard file.append(Array(header.text.utf8)) != nil else { throw .full(path: path) }
    }
    self.file = file
    self.settings = settings
    self.clock = clock
    self.app = app.field
    let start = (past?.startSeconds ?? wallSeconds) * 1_000_000_000
    let elapsed = min(max(0, now.sinceEpoch - start), Self.longestTime)
    lifeStart = max(elapsed, past?.lastTime ?? 0)
    clockAtStart = now.sinceBoot
    lastTime = past?.lastTime ?? 0
    editSums = past?.editSums ?? editSums
    if let past { end(past, bootedAt: now.sinceEpoch - now.sinceBoot - start) }
  }

  /// Lets go of the file; nothing is recorded after it.
  mutating func release() {
    phase = .over
    file.release()
  }

  /// Writes how the life before ended, if it did not say so itself.
  ///
  /// A life that was in front ended there and then, and the user was back on the home screen; one
  /// in the background may have ended at any time until now.
  private mutating func end(_ past: RecordingFile.Past, bootedAt boot: Int64) {
    guard past.isAlive else { return }
    let last = past.lastTime
    switch settings.lastEnd {
    case .crash: write("crash", at: past.wasInFront ? last : lifeStart)
    case .update: write("update", at: lifeStart)
    // Clocks are set within seconds of a start.
    case .unknown where boot > last + 60_000_000_000:
      writeWithoutApp("boot", at: min(boot, lifeStart))
    case .unknown:
      if past.wasInFront { writeWithoutApp("home", at: last) }
      begin("observed-exit", at: past.wasInFront ? last : lifeStart)
      row.add("cause=unknown")
      write()
    }
  }
}

// MARK: - Life cycle

extension RecordingState {
  /// The user brought the app to the front.
  mutating func launch() {
    switch phase {
    case .unborn, .background:
      write("launch", at: now())
      phase = .front
    case .inactive: endInterrupt()
    case .locked: unlock()
    case .front, .over: break
    }
  }

  /// The system started or woke the app in the background.
  mutating func backgroundLaunch(_ reason: AppRecorder.WakeReason?) {
    guard phase == .unborn || phase == .background || phase == .locked else { return }
    begin("background-launch", at: phase == .unborn ? lifeStart : now())
    if let reason {
      row.add("reason=")
      row.addEncoded(reason.rawValue, atMost: 64)
    }
    write()
    if phase != .locked { phase = .background }
  }

  /// The user locked the screen with the app in front.
  mutating func lock() {
    guard phase == .front || phase == .inactive else { return }
    // The system said first that the app resigns, then that it is the lock that makes it. Behind the
    // dark screen the end of that interruption makes no app active.
    writeWithoutApp("screen", at: now(), value: 0)
    endInterrupt()
    phase = .locked
  }

  /// The user unlocked the screen, and the app is in front again.
  mutating func unlock() {
    guard phase == .locked else { return }
    writeWithoutApp("screen", at: now(), value: 1)
    phase = .front
  }

  /// The user left the app, by a lock or otherwise.
  mutating func leave(isLocked: Bool) {
    if isLocked { lock() } else { home() }
  }

  /// The user left the app.
  mutating func home() {
    guard phase == .front || phase == .inactive else { return }
    writeWithoutApp("home", at: now())
    phase = .background
  }

  /// Something came between the user and the app.
  mutating func interrupt(_ cause: AppRecorder.Interruption?) {
    guard phase == .front else { return }
    let time = now()
    row.begin(time: time, app: [], event: "interrupt")
    if let cause {
      row.add("by=")
      row.addEncoded(cause.rawValue, atMost: 64)
    }
    write()
    phase = .inactive
  }

  /// The user is back after an interruption.
  mutating func endInterrupt() {
    guard phase == .inactive else { return }
    row.begin(time: now(), app: [], event: "interrupt-end")
    row.add("outcome=dismissed")
    write()
    phase = .front
  }

  /// The process ends in an orderly way.
  mutating func end(_ event: StaticString) {
    guard phase != .over else { return }
    beginLife()
    write(event, at: now())
    phase = .over
  }

  /// Makes sure that the app lives in the trace: an app that was not brought to the front runs in the
  /// background.
  private mutating func beginLife() {
    if phase == .unborn { backgroundLaunch(nil) }
  }
}

// MARK: - The device

extension RecordingState {
  /// Something about the device changed, and came to this; no row for a change without a kind, which
  /// no trace may have.
  mutating func deviceChange(_ kind: String, to value: String?) {
    guard phase != .over, !kind.isEmpty else { return }
    beginLife()
    let encoded = RowText.encoded(kind, atMost: 64)
    guard changeKinds.contains(encoded) || changeKinds.count < Self.mostChangeKinds else {
      lose()
      return
    }
    changeKinds.insert(encoded)
    row.begin(time: now(), app: [], event: "device-change")
    row.add("kind=")
    row.addEncoded(kind, atMost: 64)
    if let value {
      row.add(";to=")
      row.addEncoded(value, atMost: 64)
    }
    write()
  }
}

// MARK: - Memory

extension RecordingState {
  /// The system warned the app of low memory.
  mutating func warn(level: Int64) {
    guard phase != .over else { return }
    beginLife()
    write("observed-warning", at: now(), value: min(max(0, level), 2))
  }

  /// The app's footprint was measured.
  mutating func footprint(_ bytes: Int64) {
    guard phase != .over, bytes >= 0 else { return }
    beginLife()
    let time = now()
    let bytes = min(bytes, Self.largestSize)
    lastFootprint = (bytes, time)
    write("footprint", at: time, value: bytes)
  }

  /// The recorder's own sampler looked, which it does as long as the process runs.
  ///
  /// An app that looks by itself does so at its own pace: only this sampler shows a suspension.
  mutating func poll(_ bytes: Int64) {
    let time = now()
    notice(time)
    lastAwake = time
    if bytes >= 0 { sample(bytes) }
  }

  /// The footprint was looked at: one like the one before is no row.
  mutating func sample(_ bytes: Int64) {
    let time = now()
    if phase == .unborn, time - lifeStart < Self.launchGrace { return }
    if let (last, lastWritten) = lastFootprint {
      let change = last > bytes ? last - bytes : bytes - last
      if change < settings.footprintStepBytes, time - lastWritten < Self.heartbeat { return }
    }
    footprint(bytes)
  }

  /// Books a gap in which the sampler should have polled: the process cannot have run.
  private mutating func notice(_ time: Int64) {
    guard let lastAwake else { return }
    let interval = settings.sampleInterval.nanoseconds(atMost: .max)
    // Looks may be late by as much as the system likes to save power; a suspension is longer.
    if time - lastAwake > 3 * interval + 2_000_000_000 {
      stoppedTime += time - lastAwake - interval
    }
    self.lastAwake = time
  }

  /// Time that stands still while the process is suspended; asking for it shows that it runs.
  private mutating func awakeTime(_ time: Int64) -> Int64 {
    notice(time)
    return time - stoppedTime
  }
}

// MARK: - User state

extension RecordingState {
  /// The user produced state that is not saved yet.
  ///
  /// What would exceed the sums that a trace may have is not written: the edit is smaller then.
  mutating func edit(_ edit: AppRecorder.Edit) {
    guard phase != .over else { return }
    beginLife()
    let bytes = min(max(0, edit.bytes), Self.largestSize, editSums.bytesLeft)
    let work = edit.work.nanoseconds(
      atMost: min(RowText.longestSave, editSums.workNanosecondsLeft))
    begin("edit", at: now(), value: bytes)
    row.add("work_ms=")
    row.add(milliseconds: work)
    if let scene = edit.scene {
      row.add(";scene=")
      row.addEncoded(scene, atMost: 256)
    }
    if edit.isPosition { row.add(";kind=position") }
    if edit.isSynced { row.add(";synced=1") }
    if write() != nil { editSums.add(bytes: bytes, workNanoseconds: work) }
  }

  /// A save begins; the result names it, nil if there is no row for it.
  ///
  /// The row says at first that the save never ends, so that it is true if the process dies.
  mutating func beginSave(
    _ trigger: RecordedSave.Trigger, isAtomic: Bool?, isLocked: Bool
  ) -> Int64? {
    guard phase != .over else { return nil }
    beginLife()
    // An app delegate hears what happens before observers do.
    switch trigger {
    case .background: leave(isLocked: isLocked)
    case .resign: interrupt(nil)
    case .timer, .warning, .expiration, .user: break
    }
    let time = now()
    begin("save", at: time)
    if let isAtomic { row.add(isAtomic ? "atomic=1;" : "atomic=0;") }
    row.add("duration_ms=")
    let digits = row.bytes.count
    row.add(fixedMilliseconds: RowText.longestSave)
    Self.addOutcome(trigger, isComplete: false, to: &row)
    guard let start = write() else { return nil }
    saveCount += 1
    saves[saveCount] = OpenSave(
      offset: start + Int64(digits), trigger: trigger, start: awakeTime(time))
    return saveCount
  }

  /// A save has ended: its row is completed where it stands.
  ///
  /// As many bytes as before are written, so that the row is whole at any moment.
  mutating func endSave(_ number: Int64, isComplete: Bool) {
    guard let save = saves.removeValue(forKey: number) else { return }
    var text = RowText()
    text.add(fixedMilliseconds: awakeTime(now()) - save.start)
    Self.addOutcome(save.trigger, isComplete: isComplete, to: &text)
    file.patch(text.bytes, at: save.offset)
  }

  private static func addOutcome(
    _ trigger: RecordedSave.Trigger, isComplete: Bool, to row: inout RowText
  ) {
    row.add(";trigger=")
    row.addEncoded(trigger.rawValue, atMost: 64)
    row.add(isComplete ? ";complete=1" : ";complete=0")
  }
}

// MARK: - Rows

extension RecordingState {
  /// Time in the trace; it never decreases.
  private mutating func now() -> Int64 {
    let elapsed = min(max(0, clock.now().sinceBoot - clockAtStart), Self.longestTime)
    lastTime = max(lastTime, min(lifeStart + elapsed, Self.longestTime))
    return lastTime
  }

  private mutating func begin(_ event: StaticString, at time: Int64, value: Int64? = nil) {
    row.begin(time: time, app: app, event: event, value: value)
  }

  private mutating func write(_ event: StaticString, at time: Int64, value: Int64? = nil) {
    begin(event, at: time, value: value)
    write()
  }

  private mutating func writeWithoutApp(
    _ event: StaticString, at time: Int64, value: Int64? = nil
  ) {
    row.begin(time: time, app: [], event: event, value: value)
    write()
  }

  /// Appends the row; the result is where it begins, nil if it could not be written.
  @discardableResult
  private mutating func write() -> Int64? {
    row.end()
    let count = Int64(row.bytes.count)
    guard file.byteCount + count <= settings.fileLimitBytes, let start = file.append(row.bytes)
    else {
      lose()
      return nil
    }
    if lostSinceWritten > 0 {
      // Ignored and counted by readers: here rows are missing.
      let lost = lostSinceWritten
      lostSinceWritten = 0
      row.begin(time: lastTime, app: [], event: "x-lost-rows", value: lost)
      row.end()
      _ = file.append(row.bytes)
    }
    return start
  }

  /// A row is not written.
  private mutating func lose() {
    lostRows += 1
    lostSinceWritten += 1
  }
}

extension Duration {
  /// The length in nanoseconds, from zero to a limit.
  ///
  /// The longest durations have more seconds than 64 bits hold: asked for those, they trap.
  func nanoseconds(atMost limit: Int64) -> Int64 {
    let (seconds, attoseconds) = min(max(.zero, self), .nanoseconds(limit)).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
