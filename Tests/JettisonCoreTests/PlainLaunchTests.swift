import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Launches among plain apps, and runs of nothing but launches, which have short ways of their own, beside
/// the same launches by the verbs that know every case.
///
/// A run whose events are written down takes those.
struct PlainLaunchTests {
  private static let policies = [
    "lru", "fifo", "sieve", "clock", "s3fifo", "arc", "2q", "lfu", "gdsf", "size", "belady",
    "2q:main=40%", "slru", "w-tinylfu", "landlord-loss", "lru+saved", "sieve+recent=2", "lirs",
    "lru-k", "gds", "lfu-da", "lfu-decay", "hyperbolic", "adaptsize:every=20", "lhd:every=20",
  ]

  /// A random case in which some apps have nothing to them but a size.
  private static func random(_ seed: UInt64) -> RandomCase {
    var random = RandomTrace.make(seed: seed, maximumRows: 300)
    for (place, name) in Set(random.rows.map(\.app)).sorted().enumerated()
    where !name.isEmpty && place % 3 > 0 {
      let kept: [EventKind] = [.launch, .backgroundLaunch, .present, .pin, .quit, .exit, .crash]
      let rows = random.rows.filter { $0.app != name || kept.contains($0.kind) }
      guard let smaller = random.with(rows: rows) else { continue }
      random = smaller
      var profile = AppProfile()
      profile.launchFootprintBytes = Int64(place % 5 + 1) * 10 << 20
      random.profiles[name] = profile
    }
    return random
  }

  @Test("A run ends the same whether its events are written down", arguments: policies)
  func results(policy: String) throws {
    let spec = try PolicySpec(parsing: policy)
    var (hits, purges): (Int64, Int64) = (0, 0)
    for seed in UInt64(0)..<60 {
      let random = Self.random(seed)
      var (trace, configuration) = try random.inputs()
      configuration.pressure = .idealCache
      let watched = Result { () throws(RunError) in
        try spec.run(trace, configuration, recorder: CapturingRecorder(wantsFootprints: true))
      }
      let alone = Result { () throws(RunError) in try spec.run(trace, configuration) }
      #expect(watched == alone, "seed \(seed)\n\(random)")
      guard case .success(let result) = alone else { continue }
      hits += result.apps.reduce(0) { $0 + $1.hotLaunches }
      purges += result.apps.reduce(0) { $0 + $1.purges }
    }
    // If nobody comes back, or goes, this proves nothing.
    #expect(hits > 100)
    #expect(purges > 100)
  }

  /// Writes down what it hears and when it is asked, and gives up the first by name.
  private struct Listener: PurgePolicy {
    static var search: VictimSearch { .naming }

    var lines: [String] = []
    private var candidates: Set<AppIndex> = []

    mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
      // Who is asked for is not in memory yet.
      let bytes = event.kind == .requested ? 0 : apps.footprintBytes(event.app)
      lines.append("\(event), \(bytes) bytes")
    }

    mutating func update(_ app: AppIndex, isCandidate: Bool, apps: borrowing AppTable) {
      if isCandidate { candidates.insert(app) } else { candidates.remove(app) }
    }

    mutating func nextVictim(for request: PurgeRequest, apps: borrowing AppTable) -> AppIndex {
      let victim = candidates.min() ?? .none
      lines.append("\(request): \(victim)")
      return victim
    }

    func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
      Double(app.position)
    }

    static func lines(
      _ trace: Trace, _ configuration: RunConfiguration, recorder: (any Recorder)? = nil
    ) throws -> [String] {
      var engine = try ReplayEngine(
        trace, configuration, policy: Self(), spec: try PolicySpec(parsing: "lru"),
        recorder: recorder)
      _ = try engine.run(trace)
      return engine.policy.lines
    }
  }

  @Test("A policy hears the same of nothing but launches, whoever else listens")
  func hearingLaunches() throws {
    var count = 0
    for seed in UInt64(0)..<120 {
      let launches = try RandomLaunches(seed: seed)
      let (trace, configuration) = (launches.trace, launches.configuration)
      // Who hears of events makes the engine go by the verbs that know every case.
      let expected = try Listener.lines(
        trace, configuration, recorder: CapturingRecorder(wantsDecisions: false))
      #expect(try Listener.lines(trace, configuration) == expected, "seed \(seed)")
      count += expected.count
    }
    #expect(count > 10_000)
  }

  /// An order by last use whose keys are taken from what `update` reads.
  private struct LastUseAtUpdate: PurgePolicy {
    static var search: VictimSearch { .naming }

    private var keys: [AppIndex: Int64] = [:]

    mutating func update(_ app: AppIndex, isCandidate: Bool, apps: borrowing AppTable) {
      keys[app] = isCandidate ? apps.lastUsedNanoseconds(app) : nil
    }

    mutating func nextVictim(for request: PurgeRequest, apps: borrowing AppTable) -> AppIndex {
      keys.min { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? .none
    }

    func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
      Double(apps.lastUsedNanoseconds(app))
    }
  }

  /// No number for every third app once it has been launched twice.
  private struct SometimesNoNumber: PurgePolicy {
    static var search: VictimSearch { .keepingScores }
    static var observesEvents: Bool { false }

    func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
      app.position % 3 == 0 && apps.launchCount(app) > 1 ? .nan : Double(app.position)
    }
  }

  @Test("Policies of one's own end nothing but launches the same, whoever listens")
  func ownPolicies() throws {
    let spec = try PolicySpec(parsing: "lru")
    func outcome(
      _ policy: some PurgePolicy, _ launches: RandomLaunches, _ recorder: (any Recorder)?
    ) -> Result<RunResult, RunError> {
      Result { () throws(RunError) in
        var engine = try ReplayEngine(
          launches.trace, launches.configuration, policy: policy,
          spec: spec, recorder: recorder)
        return try engine.run(launches.trace)
      }
    }
    var failures = 0
    for seed in UInt64(0)..<120 {
      let launches = try RandomLaunches(seed: seed)
      let listener = CapturingRecorder(wantsDecisions: false)
      #expect(
        outcome(LastUseAtUpdate(), launches, nil) == outcome(LastUseAtUpdate(), launches, listener),
        "seed \(seed)")
      let alone = outcome(SometimesNoNumber(), launches, nil)
      let heard = outcome(SometimesNoNumber(), launches, listener)
      // Which of several it is that has no number is not promised.
      #expect((try? alone.get()) == (try? heard.get()), "seed \(seed)")
      if case .failure = alone { failures += 1 }
    }
    #expect((20..<120).contains(failures))
  }

  @Test("Nothing but launches end the same however they are lent, with an end row or without")
  func lending() throws {
    for policy in ["lru", "sieve", "2q:main=40%", "hyperbolic"] {
      let spec = try PolicySpec(parsing: policy)
      for seed in UInt64(0)..<40 {
        let launches = try RandomLaunches(seed: seed)
        var events: [TraceEvent] = []
        launches.trace.events.append(0..<launches.trace.events.count, to: &events)
        for kept in [events, events.filter { $0.kind == .launch }] {
          let trace = launches.trace.lending(kept)
          let alone = try spec.run(trace, launches.configuration)
          let heard = try spec.run(
            trace, launches.configuration, recorder: CapturingRecorder(wantsDecisions: false))
          #expect(alone == heard, "\(policy), seed \(seed)")
          if kept.count == events.count {
            #expect(try spec.run(launches.trace, launches.configuration) == alone, "seed \(seed)")
          }
        }
      }
    }
  }

  @Test("Nothing but launches of apps that have nothing to them but a size is taken as such")
  func launchesOnly() throws {
    let launches = try RandomLaunches(seed: 1)
    func isTaken(_ change: (inout RunConfiguration) -> Void) throws -> Bool {
      var configuration = launches.configuration
      change(&configuration)
      let engine = try ReplayEngine(
        launches.trace, configuration, policy: Listener(),
        spec: try PolicySpec(parsing: "lru"), recorder: nil)
      return engine.simulation.hasLaunchesOnly
    }
    #expect(try isTaken { _ in })
    #expect(try !isTaken { $0.warmUpNanoseconds = 1 })
    #expect(try !isTaken { $0.pinned = [AppIndex(0)] })
    #expect(try !isTaken { $0.profiles[0].modelsEdits = true })
    #expect(try !isTaken { $0.profiles[0].launchFootprintBytes = $0.device.ramBytes + 1 })
    #expect(try !isTaken { $0.profiles[0].launchFootprintBytes = 0 })
    #expect(try !isTaken { $0.pressure = .thresholds })
  }

  /// Watched purges in two lists that are searched from end to end.
  private struct SlowWatch {
    var fresh: [WatchedPurge] = []
    var recent: [WatchedPurge] = []

    mutating func drop(_ available: Int64) {
      fresh.removeAll { available < $0.neededBelow }
      recent.removeAll { available < $0.neededBelow }
    }

    mutating func expire(at time: Int64) -> [Int64] {
      let wasted = fresh.filter { $0.time + 60_000_000_000 < time }.map(\.freedBytes)
      fresh.removeAll { $0.time + 60_000_000_000 < time }
      recent.removeAll { $0.time + 600_000_000_000 < time }
      return wasted
    }

    mutating func noteReturn(of app: AppIndex) -> Bool {
      let count = recent.count
      recent.removeAll { $0.app == app }
      return recent.count < count
    }
  }

  @Test("Purges are watched as in two lists that are searched", arguments: UInt64(0)..<40)
  func watch(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func draw(_ bound: UInt64) -> Int64 { Int64(generator.next() % bound) }
    var fast = PurgeWatch()
    var slow = SlowWatch()
    var (time, wasted, returned): (Int64, Int, Int) = (0, 0, 0)
    for step in 0..<600 {
      time += draw(40) * 1_000_000_000
      var expired: [Int64] = []
      if fast.firstDeadline < time { fast.expire(at: time) { expired.append($0.freedBytes) } }
      let expected = slow.expire(at: time)
      #expect(expired == expected, "seed \(seed), step \(step)")
      wasted += expired.count
      let app = AppIndex(Int(draw(12)))
      let isBack = fast.noteReturn(of: app)
      let isBackSlowly = slow.noteReturn(of: app)
      #expect(isBack == isBackSlowly, "seed \(seed), step \(step)")
      if isBack { returned += 1 }
      let purge = WatchedPurge(
        app: app, freedBytes: Int64(step), neededBelow: draw(1000), time: time)
      fast.add(purge)
      slow.fresh.append(purge)
      slow.recent.append(purge)
      let available = draw(6) == 0 ? draw(1000) : 1000
      fast.drop(availableBytes: available)
      slow.drop(available)
    }
    #expect(wasted > 0)
    #expect(returned > 0)
  }

  @Test("Footprints are held as long as they last", arguments: UInt64(0)..<40)
  func footprints(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func draw(_ bound: UInt64) -> Int64 { Int64(generator.next() % bound) }
    let app = AppIndex(1)
    var histograms = FootprintHistograms(appCount: 2)
    var lasted: [Int64: Int64] = [:]
    var (time, bytes): (Int64, Int64) = (0, 0)
    for step in 0..<200 {
      let duration = draw(3) * draw(1000)
      time += duration
      if bytes > 0 { lasted[bytes, default: 0] += duration }
      // Far enough apart for a bucket each.
      bytes = [0, 1 << 20, 3 << 20, 10 << 20, 50 << 20][Int(draw(5))]
      histograms.change(app, to: bytes, at: time)
      guard lasted.values.contains(where: { $0 > 0 }) else { continue }
      let statistics = histograms.statistics(app, at: time)
      let total = lasted.values.reduce(0, +)
      for (percent, quantile) in [
        (50, statistics.footprintBytesP50), (95, statistics.footprintBytesP95),
      ] {
        var passed: Int64 = 0
        let expected = lasted.keys.sorted().first { bytes in
          passed += lasted[bytes] ?? 0
          return (lasted[bytes] ?? 0) > 0 && passed * 100 >= total * Int64(percent)
        }
        #expect(quantile == expected, "seed \(seed), step \(step), \(percent) %")
      }
    }
  }

  @Test("Growth in steps is growth, step by step", arguments: UInt64(0)..<40)
  func growth(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func draw(_ bound: UInt64) -> Int64 { Int64(generator.next() % bound) }
    var fast = FootprintHistograms(appCount: 3)
    var slow = FootprintHistograms(appCount: 3)
    var time: Int64 = 0
    var bytes = [Int64](repeating: 0, count: 3)
    var longest: Int64 = 0
    for round in 0..<60 {
      let app = AppIndex(Int(draw(3)))
      time += draw(3)
      if bytes[app.position] == 0 || draw(4) == 0 {
        bytes[app.position] = draw(4) == 0 ? 0 : 1 + draw(1 << 30)
        fast.change(app, to: bytes[app.position], at: time)
        slow.change(app, to: bytes[app.position], at: time)
      } else {
        let step = 1 + draw(1 << 22)
        let last = bytes[app.position] + step * draw(100)
        longest = max(longest, (last - bytes[app.position]) / step)
        var times: [Int64] = []
        let reached = fast.grow(app, by: step) { bytes in
          guard bytes < last else { return nil }
          time += 1 + draw(1000)
          times.append(time)
          return time
        }
        for time in times {
          bytes[app.position] += step
          slow.change(app, to: bytes[app.position], at: time)
        }
        #expect(reached == bytes[app.position], "seed \(seed), round \(round)")
      }
      if draw(30) == 0 {
        fast.restart(at: time)
        slow.restart(at: time)
      }
      for app in (0..<3).map(AppIndex.init) {
        #expect(
          fast.statistics(app, at: time) == slow.statistics(app, at: time),
          "seed \(seed), round \(round), app \(app.position)")
      }
    }
    #expect(longest > 20)
  }
}
