import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// What holds under every era, on random traces.
@Suite("Jetsam on random traces") struct JetsamPropertyTests {
  static let models: [PressureModelKind] = [.ios6, .ios7, .ios12, .ios14, .ios17, .ios18]

  /// A random case under jetsam, with daemons, bands, limits and purgeable blocks.
  private static func random(_ seed: UInt64, _ model: PressureModelKind) -> RandomCase {
    var random = RandomTrace.make(seed: seed)
    var generator = SplitMix64(seed: KeyedRandom.mix(seed &+ 77))
    func chance(_ probability: Double) -> Bool { generator.uniform() < probability }
    random.configuration.pressure = model
    random.configuration.capacityApps = nil
    random.configuration.device.pageBytes = chance(0.5) ? 4096 : 1 << 20
    if chance(0.2) { random.configuration.device.pressureParameters.jetsam.freezes = true }
    for name in random.profiles.keys.sorted() {
      guard var profile = random.profiles[name] else { continue }
      if chance(0.3) { profile.processKind = chance(0.7) ? .daemon : .system }
      if chance(0.3) { profile.band = Int16.random(in: 0...210, using: &generator) }
      if chance(0.5) {
        profile.relaunchClass =
          AppProfile.RelaunchClass.allCases.randomElement(using: &generator) ?? .unknown
      }
      if chance(0.3) { profile.inactiveLimitBytes = 10 << 20 }
      if chance(0.3) { profile.compressedPPM = 500_000 }
      random.profiles[name] = profile
    }
    random.rows = random.rows.map { row in
      var row = row
      if row.kind == .alloc, chance(0.5) { row.detail = "purgeable=1" }
      return row
    }
    return random
  }

  private static func run(
    _ random: RandomCase, policy: String = "jetsam-fifo"
  ) throws -> (RunResult, CapturingRecorder) {
    let (trace, configuration) = try random.inputs()
    let recorder = CapturingRecorder()
    let spec = try PolicySpec(parsing: policy)
    return (try spec.run(trace, configuration, recorder: recorder), recorder)
  }

  @Test("Every run ends, twice with the same rows", arguments: models)
  func repeats(model: PressureModelKind) throws {
    for seed in UInt64(1)...80 {
      let random = Self.random(seed, model)
      let (first, rows) = try Self.run(random)
      let (second, again) = try Self.run(random)
      #expect(rows.events == again.events, "seed \(seed)")
      #expect(rows.decisions == again.decisions, "seed \(seed)")
      #expect(rows.footprints == again.footprints, "seed \(seed)")
      #expect(first.apps == second.apps, "seed \(seed)")
      // Without a listener the same happens.
      let (trace, configuration) = try random.inputs()
      let quiet = try PolicySpec(parsing: "jetsam-fifo").run(trace, configuration)
      #expect(quiet.apps == first.apps, "seed \(seed)")
    }
  }

  @Test("Hours of nothing at the end add no warning", arguments: models)
  func nothing(model: PressureModelKind) throws {
    var warnings = 0
    for seed in UInt64(1)...80 {
      var random = Self.random(seed, model)
      random.configuration.device.pressureParameters.jetsam.freezes = false
      let (_, rows) = try Self.run(random.followedByNothing(hours: 4))
      // Every task, deadline and sweep has ended three hours after the last row.
      let last = random.rows.last { $0.kind != .end }?.time ?? 0
      let quietFrom = last + seconds(3 * 3600)
      let times = rows.events.filter { $0.kind == .warning }.map(\.timeNanoseconds)
      #expect(times.allSatisfy { $0 < quietFrom }, "seed \(seed)\n\(random)")
      warnings += times.count
    }
    #expect(warnings > 0, "runs without a warning prove nothing")
  }

  @Test(
    "While the level is never normal an app hears of one again after the rest only, iOS 6 never",
    arguments: [PressureModelKind.ios6, .ios12, .ios14, .ios17, .ios18])
  func again(model: PressureModelKind) throws {
    var repeats = 0
    for seed in UInt64(1)...200 {
      var random = Self.random(seed, model)
      // Less than all RAM is always available, and no level that has begun ends at normal.
      random.rows.removeAll { $0.kind == .systemMemory }
      random.configuration.device.reserveBytes = 2 << 20
      random.configuration.device.compression = nil
      for name in random.profiles.keys { random.profiles[name]?.compressedPPM = -1 }
      random.configuration.device.pressureParameters.jetsam.freezes = false
      random.configuration.device.pressureParameters.jetsam.softPercent = 100
      random.configuration.device.pressureParameters.jetsam.criticalPercent = 60
      random.configuration.device.pressureParameters.jetsam.warningSuspendedCount = .max
      let (_, rows) = try Self.run(random)
      var states: [AppIndex: AppState] = [:]
      var heard: [AppIndex: [RecordedCause: Int64]] = [:]
      for event in rows.events {
        if event.kind == .state {
          states[event.app] = event.stateAfter
          if event.stateAfter == .notRunning { heard[event.app] = nil }
        }
        guard event.kind == .warning else { continue }
        if let state = states[event.app] { #expect(state.runsCode, "seed \(seed)") }
        if event.cause == .limit { continue }
        if let last = heard[event.app]?[event.cause] {
          repeats += 1
          #expect(model != .ios6, "seed \(seed)\n\(random)")
          #expect(event.timeNanoseconds - last >= seconds(25), "seed \(seed)\n\(random)")
        }
        heard[event.app, default: [:]][event.cause] = event.timeNanoseconds
      }
    }
    if model != .ios6 { #expect(repeats > 0) }
  }

  @Test(
    "Every purge and every kill for memory but those of limits has its decision", arguments: models)
  func decisions(model: PressureModelKind) throws {
    for seed in UInt64(1)...80 {
      let (_, rows) = try Self.run(Self.random(seed, model))
      var chosen: [Int: CandidateRecord] = [:]
      for decision in rows.decisions {
        let victims = decision.candidates.filter(\.isChosen)
        #expect(victims.count <= 1, "seed \(seed)")
        #expect(Set(decision.candidates.map(\.app)).count == decision.candidates.count)
        #expect(decision.candidates.allSatisfy { $0.band != nil }, "seed \(seed)")
        // One decision, one band.
        #expect(Set(decision.candidates.map(\.band)).count <= 1, "seed \(seed)")
        if let victim = victims.first { chosen[decision.number] = victim }
      }
      for event in rows.events where event.kind == .purge || event.kind == .kill {
        if [.limit, .gpuInBackground, .sharedResource].contains(event.cause) { continue }
        let victim = try #require(event.decision.flatMap { chosen[$0] }, "seed \(seed)")
        #expect(victim.app == event.app, "seed \(seed)")
        let isPurge = victim.state == .suspended && event.cause != .highwater
        #expect(isPurge == (event.kind == .purge), "seed \(seed)")
      }
    }
  }

  @Test("Available memory is RAM less the system less all footprints", arguments: models)
  func conservation(model: PressureModelKind) throws {
    for seed in UInt64(1)...80 {
      var random = Self.random(seed, model)
      random.rows.removeAll { $0.kind == .systemMemory }
      random.configuration.device.compression = nil
      random.configuration.device.pressureParameters.jetsam.freezes = false
      let (_, rows) = try Self.run(random)
      let device = random.configuration.device
      var footprints: [AppIndex: Int64] = [:]
      for row in rows.footprints {
        footprints[row.app] = row.footprintBytes
        let used = footprints.values.reduce(0, +)
        #expect(
          row.availableBytes == device.ramBytes - device.reserveBytes - used, "seed \(seed)")
      }
    }
  }

  @Test("No idle app dies for a shortage above the idle threshold, no app at all above all")
  func thresholds() throws {
    for seed in UInt64(1)...80 {
      let random = Self.random(seed, .ios18)
      let ram = Double(random.configuration.device.ramBytes)
      let (_, rows) = try Self.run(random)
      for decision in rows.decisions {
        let share = Double(decision.availableBytes) / ram
        switch decision.trigger {
        case .vmPageshortage:
          #expect(share < 0.051)
        // Later ones follow at once, whatever is free by then.
        case .procThrashing where decision.number == 1:
          #expect(share < 0.051)
        case .idleExit: #expect(share < 0.101)
        case .highwater: #expect(share < 0.151)
        default: break
        }
      }
    }
  }

  @Test("Any policy serves any era", arguments: ["lru", "random", "jetsam-largest", "gdsf+saved"])
  func policies(policy: String) throws {
    for model in Self.models {
      for seed in UInt64(1)...15 {
        let (result, rows) = try Self.run(Self.random(seed, model), policy: policy)
        let purges = rows.events.filter { $0.kind == .purge }
        #expect(result.apps.reduce(0) { $0 + $1.purges } == Int64(purges.count))
      }
    }
  }
}
