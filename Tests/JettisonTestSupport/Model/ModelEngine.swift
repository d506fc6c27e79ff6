package import JettisonCore

/// The rules of the engine, written for reading: declared footprints, linear searches, one
/// sorted array of timers, figures summed anew at each use.
///
/// The fast engine must agree with it on every trace. Complexity: O(events²) and worse.
package final class ModelEngine {
  /// Footprints are rounded up to this many bytes.
  static let pageBytes: Int64 = 4096
  static let growthStepBytes: Int64 = 1 << 20
  static let second: Int64 = 1_000_000_000
  static let day: Int64 = 86_400 * second
  static let warningSpacing: Int64 = 250_000_000
  static let expirationLead: Int64 = 5 * second
  static let wasteWindow: Int64 = 60 * second
  /// Device changes of kinds from this number on share one place.
  static let lastChangePlace: UInt16 = 63
  static let repurgeWindow: Int64 = 600 * second
  static let needlessWindow: Int64 = 600 * second

  let trace: Trace
  let configuration: RunConfiguration
  let rows: [TraceEvent]
  let random: KeyedRandom
  let isIdealCache: Bool
  let modifiers: ModelModifiers
  var device: Device { configuration.device }

  var apps: [ModelApp] = []
  var policy: ModelPolicy
  var timers = ModelTimers()
  var now: Int64 = 0
  /// Position of the first event that has not begun.
  var nextEvent = 0
  /// Events up to this position belong to the demand of a launch before them.
  var demandEnd = -1

  var front: ModelApp?
  /// What interrupts the app in front, the newest last.
  var interruptions: [EventDetail.Interrupter] = []
  /// Interruptions of the capture without an end so far, the newest last.
  var unfinished: [EventDetail.Interrupter] = []
  /// The phone is locked, whatever was in front.
  var isLocked = false
  /// The app that was in front at the lock and will be there again at the unlock.
  var lockedApp: ModelApp?
  /// The app that vanished in front and is being opened again, and whether its use was dirty.
  var restart: ModelRestart?
  /// The newest restart, and how often in a row an app has vanished within ten seconds of its own.
  var newestRestart: (app: ModelApp, time: Int64)?
  var failedRestarts = 0
  /// Whether the use that goes on after a restart is dirty.
  var continuedUse: Bool?
  /// Set while the app in front has not come up, because its main thread is busy.
  var wait: ModelWait?
  let boundSaves: ModelBoundSaves
  var systemMemory: Int64?

  var level = PressureLevel.normal
  /// Since when the level is not normal.
  var pressedSince: Int64?
  var round: ModelRound?
  /// What `ios-4` knows of available memory; nil: nothing yet.
  var notedMemory: Int64?

  /// A decision without a victim was recorded, and nothing has changed since.
  var notedNoVictim = false
  var availableAfterDecision: Int64?
  var decisionCount = 0
  var suspensionCount: Int64 = 0
  var purgeCount = 0
  /// Purges and kills before the instant that is being settled.
  var purgesBeforeSettling = 0
  var saveCount = 0
  var purges: [ModelPurge] = []
  /// Available memory whenever it was looked at.
  var availableHistory: [(time: Int64, bytes: Int64)] = []

  var events: [EventRecord] = []
  var decisions: [DecisionRecord] = []
  var system = SystemTotals()
  /// Decision that ends the app at hand; nil for ends that no decision made.
  var endingDecision: Int?
  var relaunchWaits: [AppSample] = []
  var staleness: [AppSample] = []
  var daysWithLoss: Set<Int64> = []
  var residentIntegral = 0.0
  var suspendedIntegral = 0.0

  /// Prepares a run; modifiers are written as on the command line, and are taken to be right.
  package init(
    _ trace: Trace, _ configuration: RunConfiguration, policy: ModelPolicyName,
    modifiers: String
  ) {
    self.trace = trace
    self.modifiers = ModelModifiers(modifiers)
    self.configuration = configuration
    var rows: [TraceEvent] = []
    trace.events.withEvents { span in
      for position in span.indices { rows.append(span[position]) }
    }
    self.rows = rows
    self.random = KeyedRandom(seed: configuration.seed, key: trace.drawKey)
    let isIdealCache = configuration.pressure == .idealCache
    self.isIdealCache = isIdealCache
    self.boundSaves = ModelBoundSaves(
      rows: rows, details: trace.details,
      lockLeaves: !isIdealCache && configuration.device.lock == .background)
    self.policy = ModelPolicy(
      policy, configuration: configuration, random: random,
      appCount: trace.apps.count)
    self.apps = trace.apps.enumerated().map { position, name in
      ModelApp(
        index: AppIndex(position), name: name, profile: configuration.profiles[position],
        facts: trace.index.facts[position])
    }
  }

  /// Replays the whole trace.
  package func run() -> ModelOutcome {
    if !isIdealCache { system.availableBytesLeast = available }
    notedMemory = available
    for (position, event) in rows.enumerated() {
      nextEvent = position
      runTimers(until: event.timeNanoseconds)
      advance(to: event.timeNanoseconds)
      nextEvent = position + 1
      apply(event, at: position)
      settle()
    }
    let end = rows.last?.timeNanoseconds ?? 0
    runTimers(until: end)
    advance(to: end)
    return finish(at: end)
  }

  private func runTimers(until limit: Int64) {
    while let timer = timers.popDue(at: limit) {
      advance(to: max(now, timer.time))
      fire(timer)
      settle()
    }
  }

  private func fire(_ timer: ModelTimer) {
    switch timer.kind {
    case .warningRound: return continueRound()
    case .purgeDelay, .restEnd: return
    default: break
    }
    let app = apps[timer.app.position]
    switch timer.kind {
    case .saveEnd: completeSave(timer.save, of: app)
    case .expirationHandler:
      if app.life?.handlerSave == nil {
        callExpirationHandler(of: app)
      } else {
        app.life?.keptExpiration = true
      }
    case .handlerDeadline: endByWatchdog(app)
    case .taskDeadline: endByTaskExpiry(app)
    case .suspension: suspend(app)
    case .response: respond(app)
    case .growth: grow(app)
    case .restart: openAgain(app)
    case .timerSave: fireTimerSave(app)
    case .memoryLimiter: fireMemoryLimiter(app)
    case .warningRound, .purgeDelay, .restEnd: break
    }
  }

  // MARK: Time

  /// Whether what happens now counts.
  var counts: Bool { now >= configuration.warmUpNanoseconds }

  /// Moves the clock and adds up what was in force meanwhile.
  func advance(to time: Int64) {
    let start = max(now, configuration.warmUpNanoseconds)
    if time > start {
      let span = time - start
      let resident = apps.filter { $0.life != nil }
      residentIntegral += Double(span) * Double(resident.count)
      let suspended = resident.filter { $0.state == .suspended }.map { footprint(of: $0) }
      suspendedIntegral += Double(span) * Double(suspended.reduce(0, +))
      if level == .warning { system.warningLevelNanoseconds += span }
      if level == .critical { system.criticalLevelNanoseconds += span }
      if available < 0 { system.beyondMemoryNanoseconds += span }
      notePeaks()
    }
    now = time
  }

  /// Takes the present footprints into the maxima.
  func notePeaks() {
    var total: Int64 = 0
    var requested: Int64 = 0
    for app in apps where app.life != nil {
      let bytes = footprint(of: app)
      total += bytes
      requested += app.liveBytes
      app.statistics.footprintBytesMax = max(app.statistics.footprintBytesMax, bytes)
      app.statistics.requestedBytesMax = max(app.statistics.requestedBytesMax, app.liveBytes)
    }
    system.footprintBytesPeak = max(system.footprintBytesPeak, total)
    system.requestedBytesPeak = max(system.requestedBytesPeak, requested)
  }

  /// Called whenever a footprint may have changed.
  func memoryChanged() {
    if counts { notePeaks() }
  }

  // MARK: Records

  func emit(_ kind: RecordedKind, _ app: ModelApp, _ fill: (inout EventRecord) -> Void = { _ in }) {
    var record = EventRecord(kind, app: app.index, at: now)
    fill(&record)
    events.append(record)
  }

  func tell(_ app: ModelApp, _ messages: Message...) {
    for message in messages { emit(.message, app) { $0.message = message } }
  }

  /// Changes counters of an app if the present counts.
  func count(_ app: ModelApp, _ change: (inout AppTotals) -> Void) {
    if counts { change(&app.totals) }
  }

  func countIssue() {
    if counts { system.replayIssues += 1 }
  }

  // MARK: Draws

  /// Whether something of this probability happens; certainties draw nothing.
  func happens(
    _ probability: Double, _ app: ModelApp, episode: UInt64, _ purpose: KeyedRandom.Purpose
  ) -> Bool {
    if probability <= 0 { return false }
    if probability >= 1 { return true }
    system.drew = true
    return random.uniform(entity: app.entity, episode: episode, purpose: purpose) < probability
  }

  // MARK: The end

  private func finish(at end: Int64) -> ModelOutcome {
    forgetRestart()
    if let front { giveUpWaiting(for: front) }
    for app in apps where app.life != nil {
      app.totals.unsavedAtEndNanoseconds = app.ledger.figures(at: end).unsavedWork
    }
    countWastedPurges()
    countNeedlessEnds()
    let duration = max(0, end - configuration.warmUpNanoseconds)
    system.durationNanoseconds = duration
    system.days = (duration + Self.day - 1) / Self.day
    system.daysWithLoss = Int64(daysWithLoss.count)
    if duration > 0 {
      system.residentAppsMean = residentIntegral / Double(duration)
      system.suspendedBytesMean = suspendedIntegral / Double(duration)
    }
    return ModelOutcome(
      result: RunResult(
        apps: apps.map(\.totals), footprints: apps.map(\.statistics), system: system,
        relaunchWaits: relaunchWaits, staleness: staleness),
      events: events, decisions: decisions)
  }

  /// A purge was wasted if available memory less what it freed never fell to the threshold.
  private func countWastedPurges() {
    for purge in purges where purge.time >= configuration.warmUpNanoseconds {
      let lowest =
        availableHistory[purge.firstSample...]
        .prefix { $0.time <= ModelArithmetic.sum(purge.time, Self.wasteWindow) }
        .map(\.bytes).min() ?? .max
      guard Double(lowest) - Double(purge.freed) >= purgeThreshold else { continue }
      purge.app.totals.wastedPurges += 1
      purge.app.totals.wastedPurgeBytes += purge.freed
    }
  }
}

extension ModelEngine {
  /// A purge was needless if the user opened the app again soon, and available memory less what the
  /// purge freed had not fallen to the threshold by then.
  private func countNeedlessEnds() {
    for purge in purges where purge.time >= configuration.warmUpNanoseconds {
      guard let restart = purge.restart, restart.isReturn,
        restart.time <= ModelArithmetic.sum(purge.time, Self.needlessWindow)
      else { continue }
      let lowest =
        availableHistory[purge.firstSample..<max(purge.firstSample, restart.sample)]
        .map(\.bytes).min() ?? .max
      guard Double(lowest) - Double(purge.freed) >= purgeThreshold else { continue }
      purge.app.totals.needlessEnds += 1
    }
  }
}

/// A purge, for the questions whether it was needed and did good.
struct ModelPurge {
  let app: ModelApp
  let time: Int64
  let freed: Int64
  /// First sample of available memory that may show the need.
  var firstSample: Int
  /// When the app had a process again, whether because the user opened it, and the first sample of
  /// available memory after that.
  var restart: (time: Int64, isReturn: Bool, sample: Int)?
}

/// A round of warnings: every app that may hear, one after the other.
struct ModelRound {
  var level: PressureLevel
  /// Whether an app was purged or killed since the round began.
  var sawPurge: Bool
}
