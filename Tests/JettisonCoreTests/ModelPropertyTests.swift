import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// What holds on every trace, checked on random ones.
///
/// A failure prints its case in full.
struct ModelPropertyTests {
  static let seeds: [UInt64] = Array(1...400)

  /// Runs a check over all cases on all engines.
  private func everywhere(
    _ change: (inout RandomCase) -> Void = { _ in },
    _ check: (RandomCase, ModelOutcome) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for engine in enginesUnderTest {
      for seed in Self.seeds {
        var random = RandomTrace.make(seed: seed)
        change(&random)
        let outcome = try random.run(on: engine)
        if check(random, outcome) { continue }
        let small = shrink(random) { candidate in
          (try? candidate.run(on: engine)).map { !check(candidate, $0) } ?? false
        }
        let story = try small.run(on: engine).eventText
        Issue.record("\(engine)\n\(small)\n\(story)", sourceLocation: sourceLocation)
        return
      }
    }
  }

  @Test func `a run repeats itself`() throws {
    for engine in enginesUnderTest {
      for seed in Self.seeds.prefix(100) {
        let random = RandomTrace.make(seed: seed)
        let first = try random.run(on: engine)
        let second = try random.run(on: engine)
        #expect(
          first.differences(from: second, comparingScores: true) == [], "\(engine)\n\(random)")
      }
    }
  }

  @Test func `every engine agrees with the model`() throws {
    for engine in enginesUnderTest {
      for seed in Self.seeds {
        let random = RandomTrace.make(seed: seed)
        if try random.differences(of: engine).isEmpty { continue }
        Issue.record("\(engine)\n\(try random.shrunkReport(against: engine))")
        return
      }
    }
  }

  @Test func `a replay does not depend on how the events are lent`() throws {
    for engine in enginesUnderTest {
      for seed in Self.seeds {
        let random = RandomTrace.make(seed: seed)
        let (trace, configuration) = try random.inputs()
        var events: [TraceEvent] = []
        trace.events.append(0..<trace.events.count, to: &events)
        let parted = trace.lending(events)
        #expect(parted.contentHash == trace.contentHash)
        let (result, records, decisions) = engine.run(
          parted, configuration, random.policy.rawValue, random.modifiers)
        let outcome = ModelOutcome(result: result, events: records, decisions: decisions)
        let whole = try random.run(on: engine)
        #expect(
          whole.differences(from: outcome, comparingScores: true) == [], "\(engine)\n\(random)")
      }
    }
  }

  @Test func `states follow each other and end where the process ends`() throws {
    try everywhere { random, outcome in
      var states: [AppIndex: AppState] = [:]
      for event in outcome.events where event.kind == .state {
        let known = states[event.app]
        // The first row of an app that was present begins in a state without a row.
        let isPresent = known == nil && random.rows.contains { $0.kind == .present }
        if event.stateBefore != known ?? .notRunning, !isPresent { return false }
        states[event.app] = event.stateAfter
      }
      return true
    }
  }

  @Test func `no message reaches an app that is suspended or does not run`() throws {
    try everywhere { _, outcome in
      var states: [AppIndex: AppState] = [:]
      for event in outcome.events {
        if event.kind == .state { states[event.app] = event.stateAfter }
        guard event.kind == .message, let state = states[event.app] else { continue }
        // What precedes the first state row of an app that was present, nobody knows.
        if !state.runsCode { return false }
      }
      return true
    }
  }

  @Test func `a process hears of its launch once, first, and of its ways in order`() throws {
    try everywhere { random, outcome in
      if random.rows.contains(where: { $0.kind == .present }) { return true }
      var tales: [AppIndex: LifeCycleTale] = [:]
      return outcome.events.allSatisfy { tales[$0.app, default: LifeCycleTale()].goesOn(with: $0) }
    }
  }

  /// Saves in handlers of the life cycle on the main thread, and what reached the app while they ran.
  private func busySpans(
    _ random: RandomCase, _ outcome: ModelOutcome
  ) throws -> [(save: EventRecord, meanwhile: [EventRecord])] {
    let (trace, configuration) = try random.inputs()
    if configuration.pressure == .idealCache { return [] }
    return outcome.events.compactMap { save in
      let profile = configuration.profiles[save.app.position]
      let facts = trace.index.facts[save.app.position]
      guard save.kind == .save, save.cause == .resign || save.cause == .background,
        profile.saveThread == .main, !facts.contains(.saves) || profile.modelsSaves
      else { return nil }
      let end = save.timeNanoseconds
      let mine = outcome.events.filter { $0.app == save.app }
      // The last handler of an app moves no clock.
      if mine.contains(where: { $0.message == .willTerminate && $0.timeNanoseconds == end }) {
        return nil
      }
      let start = end - (save.nanoseconds ?? 0)
      let meanwhile = mine.filter { start < $0.timeNanoseconds && $0.timeNanoseconds < end }
      return (save, meanwhile.filter { $0.kind == .message || $0.kind == .warning })
    }
  }

  @Test func `a busy main thread hears only that its app leaves`() throws {
    var leaveCount = 0
    try everywhere { random, outcome in
      let spans = (try? busySpans(random, outcome)) ?? []
      leaveCount += spans.filter { !$0.meanwhile.isEmpty }.count
      return spans.allSatisfy { span in
        span.meanwhile.allSatisfy {
          $0.message == .didEnterBackground || $0.message == .didEnterBackgroundNotification
        }
      }
    }
    #expect(leaveCount > 10, "the random cases leave while a save runs")
  }

  @Test func `a process reads its snapshot right where it begins`() throws {
    try everywhere { _, outcome in
      zip(outcome.events.dropFirst(), outcome.events).allSatisfy { event, before in
        event.kind != .restore
          || before.app == event.app && before.kind == .state
            && (before.cause == .t1 || before.cause == .t2) && before.stateBefore == .notRunning
      }
    }
  }

  @Test func `every launch of the trace is one launch, cold, warm or hot`() throws {
    // A lock that leaves brings apps back without a row, and a launch may meet the end of a wait.
    try everywhere({
      $0.configuration.device.lock = .inactive
      $0.configuration.warmUpNanoseconds = 0
    }) { random, outcome in
      let launches = outcome.events.filter { $0.kind == .launch && $0.cause != .background }
      let waits = outcome.events.filter { $0.kind == .wait }
        .reduce(0) { $0 + ($1.nanoseconds ?? 0) }
      // Whoever loses the app in front opens it again.
      let restarts = launches.count - random.rows.filter { $0.kind == .launch }.count
      return (0...outcome.result.apps.reduce(0) { $0 + $1.killsInFront }).contains(Int64(restarts))
        && waits == outcome.result.apps.reduce(0) { $0 + $1.handlerWaitNanoseconds }
    }
  }

  @Test func `an app that a decision ended with something unsaved has a loss row`() throws {
    try everywhere { _, outcome in
      outcome.decisions.allSatisfy { decision in
        decision.candidates.allSatisfy { candidate in
          let hadWork = candidate.unsavedWorkNanoseconds >= 1_000_000_000
          guard candidate.isChosen, candidate.unsavedBytes > 0 || hadWork else { return true }
          return outcome.events.contains {
            $0.kind == .loss && $0.app == candidate.app && $0.decision == decision.number
          }
        }
      }
    }
  }

  @Test func `ends of the system and their losses are counted by kind`() throws {
    try everywhere({ $0.configuration.warmUpNanoseconds = 0 }) { _, outcome in
      func count(_ matches: (EventRecord) -> Bool) -> Int64 {
        Int64(outcome.events.filter(matches).count)
      }
      func sum(_ counter: (AppTotals) -> Int64) -> Int64 {
        outcome.result.apps.reduce(0) { $0 + counter($1) }
      }
      let losses = count {
        $0.kind == .loss && $0.noticed != .no && $0.message != .position
          && $0.lossClass != .restoreLost
      }
      return sum(\.gpuKills) == count { $0.kind == .kill && $0.cause == .gpuInBackground }
        && sum(\.sharedResourceKills) == count { $0.kind == .kill && $0.cause == .sharedResource }
        && sum(\.noMultitaskingEnds) == count { $0.cause == .noMultitasking }
        && sum(\.noMultitaskingEnds) == count { $0.cause == .t15 && $0.kind == .state }
        && losses >= sum(\.lossEvents) + sum(\.killLossEvents) + sum(\.watchdogLossEvents)
          + sum(\.taskLossEvents) + sum(\.noMultitaskingLossEvents)
    }
  }

  @Test func `while the level is never normal an app hears of each level once`() throws {
    // Less than ten times RAM is always available: the level is at least warning throughout.
    try everywhere({ $0.configuration.device.thresholds.warnPercent = 1000 }) { _, outcome in
      var states: [AppIndex: AppState] = [:]
      var heard: [AppIndex: PressureLevel] = [:]
      for event in outcome.events {
        if event.kind == .state {
          states[event.app] = event.stateAfter
          if event.stateAfter == .notRunning { heard[event.app] = nil }
        }
        guard event.kind == .warning else { continue }
        let level: PressureLevel = event.cause == .critical ? .critical : .warning
        if let state = states[event.app], !state.runsCode { return false }
        if heard[event.app, default: .normal] >= level { return false }
        heard[event.app] = level
      }
      return true
    }
  }

  @Test func `hours of nothing at the end add no warning`() throws {
    var warningCount = 0
    for engine in enginesUnderTest {
      for seed in Self.seeds.prefix(150) {
        var random = RandomTrace.make(seed: seed)
        random.configuration.warmUpNanoseconds = 0
        // A longer trace is another trace, with other draws: here nothing is left to chance.
        if random.policy == .random { random.policy = .lru }
        for app in random.profiles.keys {
          random.profiles[app]?.warningResponseProbability.round()
          random.profiles[app]?.editProbability.round()
        }
        func events(hours: Double) throws -> [EventRecord] {
          try random.followedByNothing(hours: hours).run(on: engine).events
        }
        func warnings(_ events: [EventRecord]) -> [EventRecord] {
          events.filter { $0.kind == .warning }
        }
        // Every task and deadline has ended after twenty minutes.
        let short = try events(hours: 1 / 3)
        let long = try events(hours: 1)
        // An app that vanishes whenever it is opened again is opened for hours: that is something.
        func launchCount(_ events: [EventRecord]) -> Int {
          events.filter { $0.kind == .launch }.count
        }
        if launchCount(short) != launchCount(long) { continue }
        warningCount += warnings(short).count
        #expect(warnings(long) == warnings(short), "\(engine) seed \(seed)\n\(random)")
      }
    }
    #expect(warningCount > 100)
  }

  @Test func `every engine agrees where levels end later and memory is noted in other steps`()
    throws
  {
    for engine in enginesUnderTest {
      for seed in Self.seeds {
        var random = RandomTrace.make(seed: seed)
        random.configuration.device.thresholds.returnPercent = [0, 5, 50, 400][Int(seed % 4)]
        random.configuration.device.thresholds.stepPercent = [0, 1, 10, 30][Int(seed / 4 % 4)]
        if try random.differences(of: engine).isEmpty { continue }
        Issue.record("\(engine)\n\(try random.shrunkReport(against: engine))")
        return
      }
    }
  }

  @Test func `resigning and becoming active alternate within a life`() throws {
    try everywhere { random, outcome in
      // An app present in front is active without having been told.
      if random.rows.contains(where: { $0.kind == .present }) { return true }
      var isActive: [AppIndex: Bool] = [:]
      for event in outcome.events {
        if event.stateAfter == .notRunning { isActive[event.app] = false }
        guard event.message == .didBecomeActive || event.message == .willResignActive else {
          continue
        }
        let becomes = event.message == .didBecomeActive
        if isActive[event.app, default: false] == becomes { return false }
        isActive[event.app] = becomes
      }
      return true
    }
  }

  @Test func `totals are sums of rows`() throws {
    try everywhere({ $0.configuration.warmUpNanoseconds = 0 }) { _, outcome in
      let events = outcome.events
      func count(_ kind: RecordedKind, where matches: (EventRecord) -> Bool = { _ in true })
        -> Int64
      {
        Int64(events.filter { $0.kind == kind && matches($0) }.count)
      }
      func sum(_ counter: (AppTotals) -> Int64) -> Int64 {
        outcome.result.apps.reduce(0) { $0 + counter($1) }
      }
      let purged = events.filter { $0.kind == .purge }.reduce(0) { $0 + ($1.bytes ?? 0) }
      return sum(\.purges) == count(.purge) && sum(\.purgedBytes) == purged
        && sum(\.backgroundKills) + sum(\.foregroundKills) + sum(\.limitKills)
          + sum(\.gpuKills) + sum(\.sharedResourceKills) == count(.kill)
        && sum(\.watchdogTerminations) == count(.watchdog)
        && sum(\.taskExpirations) == count(.taskExpired)
        && sum(\.warnings) == count(.warning)
        && sum(\.warningsAnswered) == count(.response) { ($0.bytes ?? 0) > 0 }
        && sum(\.coldLaunches) == count(.launch) { $0.cause == .cold }
        && sum(\.warmLaunches) == count(.launch) { $0.cause == .warm }
        && sum(\.hotLaunches) == count(.launch) { $0.cause == .hot }
        && sum(\.backgroundLaunches) == count(.launch) { $0.cause == .background }
        && sum(\.saves) >= count(.save)
        && outcome.result.system.noVictimDecisions
          == Int64(outcome.decisions.filter { $0.candidates.isEmpty }.count)
    }
  }

  /// The headline counts an end by what was lost and waited for, never by how the system ended the
  /// app.
  @Test func `the headline counts every end of the system, whatever its kind`() throws {
    try everywhere({ $0.configuration.warmUpNanoseconds = 0 }) { _, outcome in
      let kinds: Set<RecordedKind> = [.purge, .kill, .watchdog, .taskExpired]
      func isSystemEnd(_ event: EventRecord) -> Bool {
        kinds.contains(event.kind) || (event.kind == .ended && event.cause == .noMultitasking)
      }
      func sum(_ counter: (AppTotals) -> Int64) -> Int64 {
        outcome.result.apps.reduce(0) { $0 + counter($1) }
      }
      let losses = outcome.events.filter {
        $0.kind == .loss && $0.lossClass != .restoreLost && $0.message != .position
      }
      let noticed = losses.filter { $0.noticed == .yes }
      func work(_ rows: [EventRecord]) -> Int64 {
        rows.reduce(0) { $0 + ($1.workNanoseconds ?? 0) }
      }
      return sum(\.systemEnds) == Int64(outcome.events.filter(isSystemEnd).count)
        && sum(\.systemLossesNoticed) == Int64(noticed.count)
        && sum(\.systemLostWorkNanoseconds) == work(losses)
        && sum(\.systemLostWorkNoticedNanoseconds) == work(noticed)
        && outcome.result.apps.allSatisfy {
          $0.systemLostWorkNanoseconds >= $0.lostWorkNanoseconds + $0.killLostWorkNanoseconds
            && $0.systemLossesNoticed >= $0.lossEventsNoticed
            && $0.systemLostBytesNoticed >= $0.lostBytesNoticed
            && $0.systemRelaunchWaitNanoseconds >= $0.relaunchWaitNanoseconds
            && $0.relaunchesAfterSystemEnd >= $0.coldLaunchesAfterPurge
        }
    }
  }

  @Test func `losses are ordered: noticed, raw, purges`() throws {
    try everywhere { _, outcome in
      outcome.result.apps.allSatisfy {
        $0.lossEventsNoticed24h <= $0.lossEventsNoticed
          && $0.lossEventsNoticed + $0.lossEventsCensored == $0.lossEvents
          && $0.lossEvents <= $0.purges && $0.lostBytesNoticed <= $0.lostBytes
          && $0.lostWorkNoticedNanoseconds <= $0.lostWorkNanoseconds
          && $0.wastedPurges <= $0.purges && $0.repurges <= $0.purges
          && $0.unsavedAtEndNanoseconds >= 0
      }
    }
  }

  @Test func `nothing is purged above the threshold or beyond the need`() throws {
    try everywhere({ $0.modifiers = "" }) { random, outcome in
      let device = random.configuration.device
      return outcome.decisions.allSatisfy { decision in
        let chosen = decision.candidates.prefix { $0.isChosen }
        guard decision.candidates.allSatisfy({ $0.isChosen == ($0.freedBytes > 0) || $0.isChosen }),
          chosen.count == decision.candidates.filter(\.isChosen).count
        else { return false }
        let beforeLast =
          decision.availableBytes + chosen.dropLast().reduce(0) { $0 + $1.freedBytes }
        switch decision.trigger {
        case .thresholds:
          return Double(decision.availableBytes)
            < device.thresholds.purgePercent * Double(device.ramBytes) / 100
            && beforeLast < decision.targetBytes
        case .demand: return decision.availableBytes < 0 && beforeLast < 0
        case .capacity: return beforeLast < decision.targetBytes
        default: return chosen.count <= 1
        }
      }
    }
  }

  @Test func `with endless memory nothing is purged or lost`() throws {
    try everywhere({
      $0.configuration.device.ramBytes = 1 << 50
      $0.configuration.capacityApps = nil
    }) { _, outcome in
      outcome.decisions.isEmpty
        && outcome.result.apps.allSatisfy {
          $0.purges == 0 && $0.lossEvents == 0 && $0.coldLaunchesAfterPurge == 0
            && $0.warnings == 0
        }
    }
  }

  @Test func `the ideal cache never holds more than its capacity`() throws {
    try everywhere({
      $0.configuration.pressure = .idealCache
      $0.configuration.pinned = []
      $0.configuration.protectRecentCount = 0
      $0.modifiers = ""
    }) { random, outcome in
      // A capture may begin with more apps than fit, and pinned apps cannot make room.
      if random.rows.contains(where: { $0.kind == .present || $0.kind == .pin }) { return true }
      // An app that is larger than the cache is an input error, which the model does not know.
      guard let (trace, configuration) = try? random.inputs(),
        (try? PolicySpec(parsing: "lru").run(trace, configuration)) != nil
      else { return true }
      let capacity = random.configuration.capacityApps ?? random.configuration.device.ramBytes
      return outcome.result.system.footprintBytesPeak <= capacity
    }
  }

  // MARK: The tools themselves

  @Test func `random cases reach every kind of row`() throws {
    var kinds: Set<RecordedKind> = []
    var causes: Set<RecordedCause> = []
    var classes: Set<LossClass> = []
    var noticed: Set<Noticed> = []
    var messages: Set<Message> = []
    var rowKinds: Set<EventKind> = []
    for seed in Self.seeds {
      let random = RandomTrace.make(seed: seed)
      rowKinds.formUnion(random.rows.map(\.kind))
      for event in try random.runModel().events {
        kinds.insert(event.kind)
        causes.insert(event.cause)
        messages.insert(event.message)
        if let lossClass = event.lossClass { classes.insert(lossClass) }
        if let word = event.noticed { noticed.insert(word) }
      }
    }
    #expect(RecordedKind.allCases.filter { !kinds.contains($0) } == [])
    #expect(LossClass.allCases.filter { !classes.contains($0) } == [])
    // What only the platforms' models tell and do has tests of its own.
    let platforms: Set<Message> = [
      .trimRunningModerate, .trimRunningLow, .trimRunningCritical, .trimUIHidden, .lowMemory,
    ]
    #expect(Message.allCases.filter { !messages.union(platforms).contains($0) } == [])
    // Rules of decisions name records, not rows, and kills are named after the state.
    // Those of platforms' killers, from `oom-kill` on, the model engine does not know.
    let missingCauses = RecordedCause.allCases.filter {
      !causes.contains($0) && $0.rawValue < RecordedCause.oomKill.rawValue
    }
    #expect(missingCauses == [.demand, .bound])
    #expect(noticed.count == 3)
    let missing = EventKind.allCases.filter { !rowKinds.contains($0) }
    #expect(missing == [.observedLaunch])
  }

  @Test func `shrinking keeps the failure and drops the rest`() throws {
    func fails(_ candidate: RandomCase) -> Bool {
      (try? candidate.runModel()).map { $0.events.contains { $0.kind == .purge } } ?? false
    }
    let large = try #require(
      Self.seeds.lazy.map { RandomTrace.make(seed: $0) }
        .first { $0.rows.count > 40 && fails($0) })
    let small = shrink(large, while: fails)
    #expect(fails(small))
    #expect(small.rows.count <= 8, "\(small)")
    #expect(small.rows.count < large.rows.count)
  }

  @Test func `a described trace reads back as itself`() throws {
    for seed in Self.seeds.prefix(50) {
      let random = RandomTrace.make(seed: seed)
      let text = random.description.split(separator: "\n").drop { $0.hasPrefix("#") }.dropFirst()
      let trace = try Trace(rows: text.joined(separator: "\n"), user: "user-\(seed)")
      #expect(trace.contentHash == (try random.inputs().0.contentHash))
    }
  }

  @Test func `differences name the first row and every counter that parts`() throws {
    let outcome = try RandomTrace.make(seed: 3).runModel()
    var other = outcome
    other.result.apps[0].hotLaunches += 1
    other.result.system.residentAppsMean += 1
    other.events.removeLast()
    let lines = outcome.differences(from: other)
    let isComplete =
      lines.contains { $0.hasPrefix("event \(outcome.events.count) of") }
      && lines.contains { $0.hasPrefix("app 0 hotLaunches:") }
      && lines.contains { $0.hasPrefix("system residentAppsMean:") }
    #expect(isComplete, "\(lines)")
  }
}
