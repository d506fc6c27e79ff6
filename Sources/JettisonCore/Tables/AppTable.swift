/// What the user has produced in one app and what of it is durable, as running sums.
///
/// Never falls below zero; `durable ≤ produced` for each pair.
@usableFromInline
struct StateLedger: BitwiseCopyable {
  var producedBytes: Int64 = 0
  var durableBytes: Int64 = 0
  @usableFromInline var producedWorkNanoseconds: Int64 = 0
  @usableFromInline var durableWorkNanoseconds: Int64 = 0
  /// Edits that a server has as well, counted.
  var producedSynced: Int64 = 0
  var durableSynced: Int64 = 0
  /// Edits of a reading position, counted.
  var producedPosition: Int64 = 0
  var durablePosition: Int64 = 0

  var unsavedBytes: Int64 { producedBytes - durableBytes }
  @inlinable var unsavedWorkNanoseconds: Int64 { producedWorkNanoseconds - durableWorkNanoseconds }
  var hasUnsavedData: Bool { unsavedBytes > 0 || unsavedWorkNanoseconds > 0 }
  var hasDurableData: Bool { durableBytes > 0 || durableWorkNanoseconds > 0 }
  var hasUnsavedSynced: Bool { producedSynced > durableSynced }
  var hasUnsavedPosition: Bool { producedPosition > durablePosition }
  var hasUnsaved: Bool { hasUnsavedData || hasUnsavedSynced || hasUnsavedPosition }
  /// Whether anything is durable.
  var hasSnapshot: Bool { hasDurableData || durableSynced > 0 || durablePosition > 0 }

  /// The process is gone: what was not durable no longer exists.
  mutating func forgetUnsaved() {
    producedBytes = durableBytes
    producedWorkNanoseconds = durableWorkNanoseconds
    producedSynced = durableSynced
    producedPosition = durablePosition
  }

  /// So much of what had been durable turns out to be unreadable; work in nanoseconds.
  mutating func loseDurable(bytes: Int64, work: Int64) {
    durableBytes = max(0, durableBytes - bytes)
    producedBytes -= bytes
    durableWorkNanoseconds = max(0, durableWorkNanoseconds - work)
    producedWorkNanoseconds -= work
  }

  /// The snapshot is gone too.
  mutating func forgetAll() {
    self = StateLedger()
  }
}

/// Everything the engine knows about one app at one instant.
///
/// What a launch and a purge read and write comes first, so that it shares cache lines.
@usableFromInline
struct AppRecord: BitwiseCopyable {
  static let none: UInt32 = .max

  @usableFromInline var state = AppState.notRunning
  /// In front at some time during this process life.
  var wasShown = false
  /// What the next launch would have been if the system had not ended the app; nil: it owes none.
  var owedLaunch: LaunchKind?
  var lastEnd = EndCause.none
  /// What is open with it: kept by the fields themselves, below, and by the table.
  private(set) var looseEnds = LooseEnds()
  /// The capture ended this generation while the app lives on here.
  var generationEnded = false
  @usableFromInline var isPinned = false
  @usableFromInline var isPinnedByOption = false
  /// Whether its use in front may produce modelled edits.
  var modelsEdits = false
  /// Whether any of its edits is durable: kept by the ledger.
  private(set) var hasDurableData = false
  /// The current foreground episode produces modelled edits.
  var episodeIsDirty = false { didSet { note(.dirtyUse, episodeIsDirty) } }
  /// Something was lost since the newest process began.
  var hasLostState = false
  /// The process restored a snapshot when it began, and nothing failed yet.
  var restoredSnapshot = false
  /// A leave whose first suspension is still to come.
  var awaitsFirstSuspension = false
  /// The highest level it has been told of since the level was last normal.
  var heardLevel = PressureLevel.normal
  /// Position in the list of residents while it runs.
  var residentPosition: UInt32 = 0
  /// Counts process lives, so that tasks of an earlier life are recognised.
  var processEpoch: UInt32 = 0
  @usableFromInline var launchesSeen: Int = 0
  @usableFromInline var lastLeftFront: Int64 = .min
  @usableFromInline var suspendedAt: Int64 = .min
  /// Counts suspensions of the run: the order of those at one instant.
  @usableFromInline var suspensionOrder: Int64 = 0
  /// What the app is charged with, in bytes.
  @usableFromInline var footprintBytes: Int64 = 0
  @usableFromInline var processStart: Int64 = 0
  /// Since when the app has been active; negative: it is not.
  @usableFromInline var activeSince: Int64 = -1
  /// The live blocks of the capture, whether they exist here or not.
  var blocks = BlockList()
  /// Newest sample at or before now; negative: none yet.
  var sampleBytes: Int64 = -1
  /// What of the footprint counts against available memory (less under compression).
  var chargedBytes: Int64 = 0
  /// Unrounded bytes beyond the live blocks.
  var ballastBytes: Int64 = 0
  /// Progress to the next growth step, in fifths of bytes·ns/min.
  var growthProgress: Int64 = 0
  /// Last cold launch of this process, if it followed a purge; else `.min`.
  var relaunchedAt: Int64 = .min
  /// When a decision ended it last, in this life or an earlier one.
  var lastVictimAt: Int64 = .min
  /// Start of the background launch or wake that limits background time; negative: none.
  var wokenAt: Int64 = -1
  var lastWarned: Int64 = .min
  /// When the newest save of this life completed.
  var lastSaved: Int64 = .min
  /// Time on the autosave clock when it stopped.
  var autosaveElapsed: Int64 = 0
  var growthSince: Int64 = -1
  /// Bytes of the live blocks that exist here.
  var liveBytes: Int64 = 0
  var limitBytes: Int64 = .max

  /// The main thread is busy: a life-cycle handler has not returned.
  var handlerRuns = false
  /// The newest warning that waits for it.
  var keptWarning: RecordedCause?
  /// The expiration handler came in this stay in the background: it comes once.
  var expirationHandlerCame = false
  /// The footprint is the catalog's, until the trace has a memory row.
  var figureIsModelled = false
  /// Whether a warning is answered: unknown until the first is heard.
  var answersWarnings: Bool?
  /// The footprint rose above a fatal limit and nothing has come of it yet.
  var passedLimit = false

  var openTaskCount: Int32 = 0 { didSet { note(.tasks, openTaskCount != 0) } }
  /// Open background modes, one bit each.
  var modes: UInt64 = 0 { didSet { note(.modes, modes != 0) } }
  /// Shared resources that it holds, one bit each.
  var heldResources: UInt64 = 0 { didSet { note(.resources, heldResources != 0) } }
  /// First of the saves in flight.
  var firstSave = Self.none { didSet { note(.saves, firstSave != Self.none) } }
  /// The save that the handler waits for.
  var handlerSave = Self.none

  /// Since when the budget of background tasks runs.
  var budgetFrom: Int64 = 0
  var episodeCount: UInt64 = 0

  var dirtyActiveNanoseconds: Int64 = 0
  var newestEditTime: Int64 = -1
  /// Newest edit contained in the durable snapshot; negative: none.
  var snapshotEditTime: Int64 = -1
  var restoredBytes: Int64 = 0
  var restoredWorkNanoseconds: Int64 = 0
  var dirtyBytesAtLeave: Int64 = 0

  /// When the autosave clock last started; negative: it is stopped.
  var autosaveSince: Int64 = -1

  /// Bytes given back on warnings since the footprint was last set: they cannot be released twice.
  var releasedBytes: Int64 = 0
  /// What of the footprint is swapped out, in bytes.
  var swappedBytes: Int64 = 0
  var softLimitBytes: Int64 = .max
  @usableFromInline var ledger = StateLedger() {
    didSet {
      note(.unsaved, ledger.hasUnsaved)
      hasDurableData = ledger.hasDurableData
    }
  }

  /// Whether the app runs and nothing pins it.
  @inlinable
  var mayGo: Bool { state != .notRunning && !isPinned && !isPinnedByOption }

  /// A process of the app begins: nothing is known of its life yet.
  @inline(__always)
  mutating func beginLife(at time: Int64) {
    // Wrapping on purpose: only equality matters, and 0 means "no process".
    processEpoch = max(1, processEpoch &+ 1)
    processStart = time
    wasShown = false
    wokenAt = -1
    lastLeftFront = .min
    suspendedAt = .min
    suspensionOrder = 0
    relaunchedAt = .min
    lastWarned = .min
    heardLevel = .normal
    lastSaved = .min
    restoredSnapshot = false
    awaitsFirstSuspension = false
    autosaveElapsed = 0
    growthProgress = 0
  }

  @inlinable @inline(__always)
  mutating func activate(at time: Int64) {
    state = .active
    activeSince = time
  }

  /// From active to suspended, the suspension with that number.
  @inlinable @inline(__always)
  mutating func suspendFromFront(at time: Int64, order: Int64) {
    state = .suspended
    activeSince = -1
    lastLeftFront = time
    suspendedAt = time
    suspensionOrder = order
  }

  /// What is open with the app for the whole run.
  mutating func note(lasting ends: LooseEnds) { looseEnds.formUnion(ends) }

  @inline(__always)
  fileprivate mutating func note(_ end: LooseEnds, _ isOpen: Bool) {
    looseEnds = isOpen ? looseEnds.union(end) : looseEnds.subtracting(end)
  }
}

/// What stays the same of the apps of a run, by ``AppIndex``.
@usableFromInline
struct AppConstants: ~Copyable {
  let profiles: Column<AppProfile>
  /// `cold`, `warm` and `hot` latency of each, in nanoseconds.
  @usableFromInline let latencies: Column<Int64>
  /// Stable identities of the names, for keyed draws.
  let entities: Column<UInt64>

  init(_ profiles: [AppProfile], names: [String]) {
    var profileColumn = Column<AppProfile>(capacity: profiles.count)
    var latencyColumn = Column<Int64>(capacity: profiles.count * 3)
    var entityColumn = Column<UInt64>(capacity: profiles.count)
    for (profile, name) in zip(profiles, names) {
      profileColumn.append(profile)
      latencyColumn.append(profile.coldLaunchNanoseconds)
      latencyColumn.append(profile.warmLaunchNanoseconds)
      latencyColumn.append(profile.hotLaunchNanoseconds)
      entityColumn.append(KeyedRandom.entity(name))
    }
    self.profiles = profileColumn
    latencies = latencyColumn
    entities = entityColumn
  }

  init(copying other: borrowing AppConstants) {
    profiles = Column(copying: other.profiles)
    latencies = Column(copying: other.latencies)
    entities = Column(copying: other.entities)
  }
}

/// The apps of a run, as policies may see them.
///
/// Every question is about an app of the run, those below ``count``. Asked about any other the program
/// stops, in release builds, too, instead of reading what is not there.
public struct AppTable: ~Copyable {
  // What policies ask of it is compiled into them: nothing may be in between.
  @usableFromInline var records: Column<AppRecord>
  // In boxes: to lend a table the compiler (6.3) copies it, and one of over 128 bytes by a call.
  @usableFromInline let constantsBox: Box<AppConstants>
  private let ranksBox: Box<PlatformRanks>

  init(trace: Trace, profiles: [AppProfile]) {
    precondition(profiles.count == trace.apps.count, "every app has a profile")
    records = Column(repeating: AppRecord(), count: trace.apps.count)
    ranksBox = Box(PlatformRanks(profiles))
    constantsBox = Box(AppConstants(profiles, names: trace.apps))
  }

  init(copying other: borrowing AppTable) {
    records = Column(copying: other.records)
    ranksBox = Box(PlatformRanks(copying: other.ranks))
    constantsBox = Box(AppConstants(copying: other.constantsBox.value))
  }

  subscript(app: AppIndex) -> AppRecord {
    @inline(__always) _read { yield records[app.position] }
    @inline(__always) _modify { yield &records[app.position] }
  }

  var profiles: Column<AppProfile> {
    @inline(__always) _read { yield constantsBox.value.profiles }
  }

  /// How the platform ranks them.
  var ranks: PlatformRanks {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(ranksBox.address) }
    @inline(__always) unsafeMutableAddress { unsafe ranksBox.address }
  }

  /// Number of apps in the trace.
  public var count: Int { records.count }

  /// Where the columns have an app.
  ///
  /// Checked for callers outside; the engine's own indices come from its columns.
  @inlinable @inline(__always)
  func place(of app: AppIndex) -> Int {
    precondition(
      app.position < records.count, "a policy asks about an app that the run does not have")
    return app.position
  }

  /// Where an app is in its life cycle.
  @inlinable
  public func state(_ app: AppIndex) -> AppState { records[place(of: app)].state }

  /// Where an app stands among others; without a band where the pressure model keeps none.
  public func standing(_ app: AppIndex) -> Standing { ranks.standings[place(of: app)] }

  /// What of an app's footprint is swapped out, in bytes; 0 where the model has no swap.
  public func swappedBytes(_ app: AppIndex) -> Int64 { records[place(of: app)].swappedBytes }

  /// What kind of process the catalog says that an app is.
  package func processKind(_ app: AppIndex) -> AppProfile.ProcessKind {
    profiles[app.position].processKind
  }

  /// Whether any of the app's background modes is open.
  package func hasOpenModes(_ app: AppIndex) -> Bool { records[app.position].modes != 0 }

  /// What killers are told of an app in the catalog.
  package func killPreference(_ app: AppIndex) -> AppProfile.KillPreference {
    profiles[app.position].killPreference
  }

  /// The `oom_score_adj` that trace or catalog give an app; `.min` where they give none.
  func writtenAdj(_ app: AppIndex) -> Int16 { ranks.writtenAdjs[app.position] }

  /// The rank by which the platform's killer goes: a priority band or an `oom_score_adj`; nil: none.
  func rank(of app: AppIndex) -> Int? {
    ranks.standingFamily == .linux
      ? oomScoreAdjustment(app) : ranks.standings[app.position].bandOrNil
  }

  /// The ``writtenAdj(_:)``; 0 where they give none.
  func oomScoreAdjustment(_ app: AppIndex) -> Int {
    let adjustment = writtenAdj(app)
    return adjustment == .min ? 0 : Int(adjustment)
  }

  /// The trace tells another value of the process that runs.
  mutating func writeAdj(_ adj: Int16, of app: AppIndex) {
    ranks.writtenAdjs[app.position] = adj
    records[app.position].note(.adj, adj != profiles[app.position].oomScoreAdj)
  }

  /// The process is gone, and what the trace told of it.
  mutating func forgetAdj(of app: AppIndex) {
    ranks.writtenAdjs[app.position] = profiles[app.position].oomScoreAdj
    records[app.position].note(.adj, false)
  }

  /// Whether the catalog says that an app is a process of root.
  func isRoot(_ app: AppIndex) -> Bool { profiles[app.position].userID == 0 }

  /// Where an app stands in the bands of iOS; without a band under other models.
  package func jetsamStanding(_ app: AppIndex) -> Standing {
    ranks.standingFamily == .jetsam ? ranks.standings[app.position] : Standing()
  }

  /// Where an app stands by `oom_score_adj`; without a value under models other than Android's.
  package func androidStanding(_ app: AppIndex) -> Standing {
    ranks.standingFamily == .android ? ranks.standings[app.position] : Standing()
  }

  /// What an app is charged with now, in bytes.
  @inlinable
  public func footprintBytes(_ app: AppIndex) -> Int64 { records[place(of: app)].footprintBytes }

  /// When the app was last used, in nanoseconds since the start of the trace; negative before it.
  ///
  /// That is when it last left the front in this life, or, where it never did, when its process
  /// began.
  @inlinable
  public func lastUsedNanoseconds(_ app: AppIndex) -> Int64 {
    let record = records[place(of: app)]
    return record.lastLeftFront == .min ? record.processStart : record.lastLeftFront
  }

  /// When the app's process began, in nanoseconds since the start of the trace.
  @inlinable
  public func processStartNanoseconds(_ app: AppIndex) -> Int64 {
    records[place(of: app)].processStart
  }

  /// User work that would be lost if the app ended now, in nanoseconds.
  @inlinable
  public func unsavedWorkNanoseconds(_ app: AppIndex) -> Int64 {
    records[place(of: app)].ledger.unsavedWorkNanoseconds
  }

  /// Bytes of user state that would be lost if the app ended now.
  public func unsavedBytes(_ app: AppIndex) -> Int64 { records[place(of: app)].ledger.unsavedBytes }

  /// When the app was suspended last, in nanoseconds since the start of the trace; nil if this
  /// process never was.
  public func suspendedNanoseconds(_ app: AppIndex) -> Int64? {
    let time = records[place(of: app)].suspendedAt
    return time == .min ? nil : time
  }

  /// When the app last heard a memory warning in this life, in nanoseconds since the start of the
  /// trace; nil if it never did.
  public func warnedNanoseconds(_ app: AppIndex) -> Int64? {
    let time = records[place(of: app)].lastWarned
    return time == .min ? nil : time
  }

  /// When the newest save of this life completed, in nanoseconds since the start of the trace; nil
  /// if none did.
  public func savedNanoseconds(_ app: AppIndex) -> Int64? {
    let time = records[place(of: app)].lastSaved
    return time == .min ? nil : time
  }

  /// Whether the app has been in front in this life.
  public func wasShown(_ app: AppIndex) -> Bool { records[place(of: app)].wasShown }

  /// Launches of the app by the user so far, whatever state it was in.
  @inlinable
  public func launchCount(_ app: AppIndex) -> Int { records[place(of: app)].launchesSeen }

  /// Latency of a launch in seconds.
  @inlinable
  public func latencySeconds(_ app: AppIndex, _ kind: LaunchKind) -> Double {
    Double(latencyNanoseconds(AppIndex(place(of: app)), kind)) / 1e9
  }

  /// Whether ending the app would lose user data: what a server has, or only the reading position,
  /// does not count.
  public func hasUnsavedState(_ app: AppIndex) -> Bool {
    records[place(of: app)].ledger.hasUnsavedData
  }

  /// What a relaunch costs the user: cold less hot latency, in seconds; never negative.
  @inlinable
  public func relaunchCostSeconds(_ app: AppIndex) -> Double {
    Double(relaunchCostNanoseconds(AppIndex(place(of: app)))) / 1e9
  }

  /// Cold less hot latency in nanoseconds; 0 where a capture saw the hot launch take longer.
  @inlinable
  func relaunchCostNanoseconds(_ app: AppIndex) -> Int64 {
    extraLatencyNanoseconds(app, .cold, over: .hot)
  }

  /// How much longer a launch takes than another, in nanoseconds; never negative.
  @inlinable @inline(__always)
  func extraLatencyNanoseconds(
    _ app: AppIndex, _ kind: LaunchKind, over other: LaunchKind
  ) -> Int64 {
    max(0, latencyNanoseconds(app, kind) - latencyNanoseconds(app, other))
  }

  /// A stable 64-bit identity of the app's name, to key draws with.
  public func entity(_ app: AppIndex) -> UInt64 { constantsBox.value.entities[place(of: app)] }

  /// Latency of a launch in nanoseconds.
  @inlinable @inline(__always)
  func latencyNanoseconds(_ app: AppIndex, _ kind: LaunchKind) -> Int64 {
    unsafe constantsBox.address.pointee.latencies[app.position * 3 + Int(kind.rawValue)]
  }
}
