/// One run's world: the apps, memory, timers and counters, and every rule that is not a policy.
///
/// ``ReplayLoop`` goes through a trace with its verbs, and ``ReplayEngine`` asks the policy. So the
/// rules are compiled once, and for each policy only what it does itself, and launches among plain apps.
///
/// Budget of an event that does not end in a decision: no allocation, no class, no string.
/// Verbs of the loop are mutating, also those that only read: for a call of one that is not, the
/// compiler makes a copy of the whole simulation to lend, and takes seconds to check it. So that there is
/// less to check in all others, what is large and seldom asked lies in boxes.
@usableFromInline
struct Simulation: ~Copyable {
  private let configurationBox: Box<RunConfiguration>
  let details: [EventDetail]
  let index: TraceIndex
  var draws: RunDraws
  let rules: PressureRules
  /// The pressure model in force.
  let model: any PressureModel.Type
  let traits: PressureTraits
  /// See ``PressureModel/enoughBytes(_:_:)``.
  let enoughBytes: Int64
  let choice: ChoiceRules
  let conduct: AppConduct
  /// See ``goesStraight(_:_:_:_:)``.
  var goesStraight: Bool
  /// Whether the run has nothing but launches: see ``beginLaunches()``.
  @usableFromInline var hasLaunchesOnly = false

  @usableFromInline var apps: AppTable
  var timers: TimerTable
  var saves: SaveTable
  var blocks: BlockTable
  @usableFromInline var launches = LaunchTallies()
  /// Process epoch in which each task began here; 0: not open.
  var taskEpochs: Column<UInt32>
  var memory: AppMemory
  var counters: RunCounters
  // The boxes themselves are for calls that also lend another part of the simulation.
  var jetsamBox: Box<JetsamState>
  var androidBox: Box<AndroidState>
  private var linuxBox: Box<LinuxState>
  /// What reclaim did, and how long apps waited for it, where that is accounted for.
  var reclaim: ReclaimModel
  var stalls: PressureStall
  var warning: WarningRound
  @usableFromInline var decision = DecisionState()
  /// Whose place among the candidates may have changed, where victims are found one by one.
  @usableFromInline var changes: ChangedApps
  var followed = FollowedCapture()
  var log: RunLog

  /// Nanoseconds since the start of the trace.
  @usableFromInline var now: Int64 = 0
  /// Where in the trace that is.
  var instant = TraceInstant()
  /// The app whose process is ending: its memory is already that of one that does not run.
  var endingApp = AppIndex.none
  /// Suspensions so far.
  @usableFromInline var suspensionCount: Int64 = 0
  /// The app that the user has in front: active, inactive, or waited for.
  @usableFromInline var front = AppIndex.none
  var interruptions = Interruptions()
  var lock = LockState()
  /// The user's wait for the app in front, whose main thread is busy.
  var handlerWait = HandlerWait()
  var restarts = Restarts()
  /// Everything in memory, in no particular order; empty in a run of nothing but launches whose victims
  /// are found one by one, until its end.
  var residents: Column<AppIndex>
  /// Memory in use by everything that is not an app, in bytes.
  var systemBytes: Int64
  /// Bytes of purgeable blocks that exist.
  var purgeableBytes: Int64 = 0
  /// RAM less system less all charges, in bytes; may be negative.
  @usableFromInline var availableBytes: Int64
  var level = PressureLevel.normal
  /// When the level last left normal.
  var pressureSince: Int64 = 0
  /// Something happened after which limits, warnings and tiers must be looked at.
  var needsSettling = false
  var limits = LimitState()
  @usableFromInline var arrival = Arrival()
  @usableFromInline var notes = PolicyNotes()
  var deviceChanges: DeviceChangeTable
  #if DEBUG
    /// Checks so far: see ``checkInvariants(isSettled:)``.
    var checkCount = 0
  #endif

  init(
    trace: Trace, configuration: RunConfiguration, model: any PressureModel.Type,
    modifiers: PolicyModifiers, findsOneByOne: Bool, recorder: (any Recorder)?
  ) throws(RunError) {
    let traits = model.traits
    // What can fail comes first, so that no column exists yet when it does.
    memory = try AppMemory(
      configuration, declaresSizes: traits.declaresSizes, facts: trace.index.facts)
    let device = configuration.device
    configurationBox = Box(configuration)
    self.model = model
    // Local copies are read below: the compiler (6.3) releases too much where this initializer reads
    // a property that is set already.
    self.traits = traits
    details = trace.details
    index = trace.index
    draws = RunDraws(trace.draws(seed: configuration.seed))
    let rules = PressureRules(configuration)
    self.rules = rules
    enoughBytes = model.enoughBytes(configuration, rules)
    choice = ChoiceRules(modifiers, configuration)
    conduct = AppConduct(device, traits)
    goesStraight = Self.goesStraight(traits, device, trace.index, recorder)
    apps = AppTable(trace: trace, profiles: configuration.profiles)
    apps.ranks.standingFamily = configuration.pressure.family
    timers = TimerTable(appCount: trace.apps.count)
    saves = SaveTable()
    blocks = BlockTable(slotCount: trace.blockSlotCount)
    taskEpochs = Column(repeating: 0, count: trace.taskSlotCount)
    counters = RunCounters(
      appCount: trace.apps.count, listedLosses: configuration.listedLosses)
    jetsamBox = Box(JetsamState(configuration))
    androidBox = Box(AndroidState(configuration))
    linuxBox = Box(LinuxState(configuration))
    let reclaimParameters = device.pressureParameters.reclaim
    reclaim = ReclaimModel(
      ReclaimRules(reclaimParameters, ramBytes: device.ramBytes, pageBytes: device.pageBytes),
      appCount: trace.apps.count)
    stalls = PressureStall(
      processors: min(PressureStall.maximumProcessors, max(1, reclaimParameters.processors)))
    changes = ChangedApps(appCount: trace.apps.count, isKept: findsOneByOne)
    log = RunLog(recorder)
    residents = Column(capacity: 64)
    let changeCount = trace.index.kindCounts[Int(EventKind.deviceChange.rawValue)]
    deviceChanges = DeviceChangeTable(appCount: changeCount > 0 ? trace.apps.count : 0)
    let capacity = configuration.capacity
    let systemBytes = traits.declaresSizes ? 0 : device.reserveBytes
    self.systemBytes = systemBytes
    let availableBytes = capacity - systemBytes
    self.availableBytes = availableBytes
    warning = WarningRound(availableBytes: availableBytes)
    if traits.hasLimits { counters.noteAvailable(availableBytes) }
    prepareApps(trace.apps, modifiers)
  }

  init(copying other: borrowing Simulation) {
    configurationBox = Box(other.configurationBox.value)
    details = other.details
    index = other.index
    draws = other.draws
    rules = other.rules
    model = other.model
    traits = other.traits
    enoughBytes = other.enoughBytes
    choice = other.choice
    conduct = other.conduct
    goesStraight = other.goesStraight
    hasLaunchesOnly = other.hasLaunchesOnly
    apps = AppTable(copying: other.apps)
    timers = TimerTable(copying: other.timers)
    saves = SaveTable(copying: other.saves)
    blocks = BlockTable(copying: other.blocks)
    launches = LaunchTallies(copying: other.launches)
    taskEpochs = Column(copying: other.taskEpochs)
    memory = AppMemory(copying: other.memory)
    counters = RunCounters(copying: other.counters)
    jetsamBox = Box(JetsamState(copying: other.jetsamBox.value))
    androidBox = Box(AndroidState(copying: other.androidBox.value))
    linuxBox = Box(LinuxState(copying: other.linuxBox.value))
    reclaim = ReclaimModel(copying: other.reclaim)
    stalls = other.stalls
    warning = other.warning
    decision = DecisionState(copying: other.decision)
    changes = ChangedApps(copying: other.changes)
    followed = other.followed
    log = other.log
    now = other.now
    instant = other.instant
    endingApp = other.endingApp
    suspensionCount = other.suspensionCount
    front = other.front
    interruptions = other.interruptions
    lock = other.lock
    handlerWait = other.handlerWait
    restarts = other.restarts
    residents = Column(copying: other.residents)
    systemBytes = other.systemBytes
    purgeableBytes = other.purgeableBytes
    availableBytes = other.availableBytes
    level = other.level
    pressureSince = other.pressureSince
    needsSettling = other.needsSettling
    limits = other.limits
    arrival = other.arrival
    notes = PolicyNotes(copying: other.notes)
    deviceChanges = DeviceChangeTable(copying: other.deviceChanges)
  }

  private mutating func prepareApps(_ names: [String], _ modifiers: PolicyModifiers) {
    for position in 0..<apps.count {
      let profile = apps.profiles[position]
      let limit = profile.limitBytes >= 0 ? profile.limitBytes : configuration.device.limitBytes
      // Footprints are whole pages: a limit inside a page is passed with the next one.
      apps.records[position].limitBytes =
        traits.hasLimits ? limit.map(AppMemory.roundedUpToPage) ?? .max : .max
      apps.records[position].softLimitBytes =
        profile.softLimitBytes >= 0 ? AppMemory.roundedUpToPage(profile.softLimitBytes) : .max
      if profile.softLimitBytes >= 0 { limits.hasSoft = true }
      let facts = index.facts[position]
      apps.records[position].note(lasting: .lasting(profile, facts))
      apps.records[position].modelsEdits = profile.modelsEdits && !facts.contains(.edits)
    }
    for app in configuration.pinned { apps[app].isPinnedByOption = true }
    guard !modifiers.protected.isEmpty else { return }
    for (position, name) in names.enumerated() where modifiers.protects(name) {
      apps[AppIndex(position)].isPinnedByOption = true
    }
  }

  // MARK: Boxes

  // Getters are mutating for the reason that is given above.

  var configuration: RunConfiguration {
    @inline(__always) mutating unsafeAddress { unsafe UnsafePointer(configurationBox.address) }
  }

  var jetsam: JetsamState {
    @inline(__always) mutating unsafeAddress { unsafe UnsafePointer(jetsamBox.address) }
    @inline(__always) unsafeMutableAddress { unsafe jetsamBox.address }
  }

  var android: AndroidState {
    @inline(__always) mutating unsafeAddress { unsafe UnsafePointer(androidBox.address) }
    @inline(__always) unsafeMutableAddress { unsafe androidBox.address }
  }

  var linux: LinuxState {
    @inline(__always) mutating unsafeAddress { unsafe UnsafePointer(linuxBox.address) }
    @inline(__always) unsafeMutableAddress { unsafe linuxBox.address }
  }

  // MARK: Clock

  /// Moves the clock and everything that is an integral over time.
  @inline(__always)
  mutating func advanceClock(to time: Int64) {
    assert(time >= now, "time never decreases")
    guard time > now else { return }
    if log.closesInstants { closeInstant() }
    if now < configuration.warmUpNanoseconds, time >= configuration.warmUpNanoseconds {
      counters.addTime(
        from: now, to: configuration.warmUpNanoseconds, level: level,
        availableBytes: availableBytes)
      counters.restart(at: configuration.warmUpNanoseconds, apps: apps)
      now = configuration.warmUpNanoseconds
    }
    counters.addTime(from: now, to: time, level: level, availableBytes: availableBytes)
    now = time
  }

  /// Tells who listens how the instant has left memory: all of it was applied and settled.
  @inline(never)
  private mutating func closeInstant() {
    if followed.isAvailableOpen { recordAvailable() }
    if log.wantsFootprints { recordMemory(level) }
  }

  /// Ends the run: counts what is still unsaved and closes the integrals.
  mutating func finish() -> RunResult {
    if log.closesInstants { closeInstant() }
    if front != .none { giveUpWaiting(front) }
    forgetRestart()
    counters.expirePurges(at: .max)
    model.finish(&self)
    if now < configuration.warmUpNanoseconds { counters.forgetEverything(at: now) }
    for position in 0..<residents.count {
      let app = residents[position]
      accrueEdits(app)
      counters[app].unsavedAtEndNanoseconds.addSaturated(apps[app].ledger.unsavedWorkNanoseconds)
    }
    return counters.result(
      end: index.endNanoseconds, warmUp: configuration.warmUpNanoseconds, apps: apps,
      usesArenas: memory.usesArenas)
  }

  /// What keeps the run from being trusted from here on, if anything.
  @inline(__always)
  mutating func failure(_ names: [String]) -> RunError? {
    memory.hasFailed ? describeFailure(names) : nil
  }

  @inline(never)
  private mutating func describeFailure(_ names: [String]) -> RunError? {
    if let error = memory.failure { return .allocator(error.description) }
    return memory.exhaustedApp.map { .addressSpaceExhausted(app: names[$0.position]) }
  }

  /// Counts something in the trace that could not be applied.
  @inline(never)
  mutating func noteIssue(_ kind: IssueRecord.Kind) {
    counters.system.replayIssues += 1
    guard log.wantsIssues, now >= configuration.warmUpNanoseconds else { return }
    log.recorder?.record(
      IssueRecord(kind: kind, timeNanoseconds: now, eventPosition: instant.position))
  }

  // MARK: States

  /// Enters a state and records it.
  @inline(__always)
  mutating func enter(_ state: AppState, _ app: AppIndex, cause: RecordedCause) {
    let before = apps[app].state
    apps[app].state = state
    if state == .suspended { decision.isMuted = false }
    if before == .suspended || state == .suspended { moveSuspendedMemory(app, from: before) }
    if traits.followsApps { model.stateChanged(app, from: before, to: state, &self) }
    if log.wantsEvents { recordState(app, from: before, to: state, cause: cause) }
    // A process that begins or ends changes its footprint, which is recorded there.
    if log.wantsFootprints, before != .notRunning, state != .notRunning { recordFootprint(app) }
  }

  @inline(never)
  private mutating func recordState(
    _ app: AppIndex, from before: AppState, to state: AppState, cause: RecordedCause
  ) {
    var row = EventRecord(.state, app: app, at: now)
    row.stateBefore = before
    row.stateAfter = state
    row.cause = cause
    log.record(row)
  }

  /// Delivers a message and posts its notification.
  @inline(__always)
  mutating func tell(_ app: AppIndex, _ message: Message, _ notification: Message = .none) {
    if log.wantsEvents { recordMessage(app, message, notification) }
  }

  /// Tells an app of a device change: that which the detail at a position describes.
  @inline(never)
  mutating func tellChange(_ app: AppIndex, _ change: UInt32) {
    guard log.wantsEvents else { return }
    let detail = details[Int(change)]
    let message = Message.deviceChange(
      kind: Int(detail.changeKind), isDisconnection: detail.isDisconnection)
    recordMessage(app, message, .none, change: change)
  }

  @inline(never)
  private mutating func recordMessage(
    _ app: AppIndex, _ message: Message, _ notification: Message, change: UInt32? = nil
  ) {
    var row = EventRecord(.message, app: app, at: now)
    row.message = message
    row.change = change
    log.record(row)
    if notification != .none {
      row.message = notification
      log.record(row)
    }
  }

  /// Queues a note for the policy, if it listens.
  @inline(__always)
  mutating func note(
    _ kind: EngineEvent.Kind, _ app: AppIndex, launchKind: LaunchKind = .cold,
    endCause: EndCause = .none
  ) {
    guard notes.wantsEvents else { return }
    notes.append(
      EngineEvent(kind, app: app, at: now, launchKind: launchKind, endCause: endCause))
  }

  @inline(__always)
  mutating func addResident(_ app: AppIndex) {
    appendResident(app)
    changes.add(app)
    counters.residents.change(by: 1, at: now)
  }

  @inline(__always)
  mutating func removeResident(_ app: AppIndex) {
    dropResident(app)
    changes.add(app)
    counters.residents.change(by: -1, at: now)
  }

  @inline(__always)
  mutating func appendResident(_ app: AppIndex) {
    apps[app].residentPosition = UInt32(residents.count)
    residents.append(app)
  }

  @inline(__always)
  mutating func dropResident(_ app: AppIndex) {
    let position = Int(apps[app].residentPosition)
    let last = residents.removeLast()
    if last != app {
      residents[position] = last
      apps[last].residentPosition = UInt32(position)
    }
  }
}

/// What a run knows of the limits of single apps.
struct LimitState: BitwiseCopyable {
  /// Whether any app has a high-water mark.
  var hasSoft = false
  /// A footprint rose above a fatal limit, and nothing has come of it yet.
  var isExceeded = false
}

/// Sends rows to a recorder that listens; otherwise nothing is built.
struct RunLog {
  let recorder: (any Recorder)?
  let wantsEvents: Bool
  let wantsDecisions: Bool
  let wantsFootprints: Bool
  let wantsObservations: Bool
  let wantsIssues: Bool
  /// Whether anything is told at the end of an instant.
  let closesInstants: Bool
  /// Available memory and level as they were told last; nil: never.
  var toldMemory: MemoryRecord?

  init(_ recorder: (any Recorder)?) {
    self.recorder = recorder
    wantsEvents = recorder?.wantsEvents ?? false
    wantsDecisions = recorder?.wantsDecisions ?? false
    wantsFootprints = recorder?.wantsFootprints ?? false
    wantsObservations = recorder?.wantsObservations ?? false
    wantsIssues = recorder?.wantsIssues ?? false
    closesInstants = wantsFootprints || wantsObservations
  }

  func record(_ row: EventRecord) { recorder?.record(row) }
}
