import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// The killers of Linux while a trace is replayed.
@Suite("Linux: replays")
struct LinuxEngineTests {
  static let mebibyte: Int64 = 1 << 20

  /// RAM in MiB, no reserve, watermarks at 8, 10 and 12 MiB, 40 MiB of working set.
  static func scenario(
    _ model: PressureModelKind, ram: Int64 = 1000, swap: Int64 = 0, policy: String? = nil,
    _ change: (inout LinuxParameters) -> Void = { _ in }
  ) -> Scenario {
    var scenario = Scenario(ramMiB: ram, pressure: model)
    scenario.policy = policy ?? model.rawValue
    var reclaim = ReclaimParameters()
    reclaim.swapBytes = swap * mebibyte
    reclaim.minimumBytes = 8 * mebibyte
    reclaim.workingSetPercent = 4000 / Double(ram)
    scenario.configuration.device.pressureParameters.reclaim = reclaim
    change(&scenario.configuration.device.pressureParameters.linux)
    return scenario
  }

  // MARK: The kernel

  static let overdrawn = """
    0s,a,launch
    10s,b,launch
    20s,c,launch
    60s,,end
    """

  static func three(_ scenario: Scenario, adjustment: Int16 = .min) -> Scenario {
    scenario.app("a", MiB: 30) { $0.oomScoreAdj = adjustment }.app("b", MiB: 40)
      .app("c", MiB: 40)
  }

  @Test("The kernel kills the largest when an allocation does not fit")
  func kernel() throws {
    let replayed = try Self.three(Self.scenario(.linuxOOM, ram: 100))
      .replay(Self.overdrawn, on: .fast)
    // b and c tie in everything but their names; b has just left the front.
    #expect(replayed.story(.purge, .kill) == ["20s b kill oomKill"])
    let decision = try #require(replayed.decisions.first)
    #expect(decision.availableBytes == -10 * Self.mebibyte)
    #expect(decision.trigger == .oomKill)
    #expect(decision.targetBytes == 0)
    #expect(decision.candidates.map(\.isChosen) == [true, false, false])
    // 40 MiB are 10,240 pages and 20 pages of page tables.
    #expect(decision.candidates.map(\.score) == [-10260, -10260, -7695])
  }

  @Test("oom_score_adj of the trace wins over the catalog's until the process ends")
  func captured() throws {
    func kills(_ rows: String, capturedRanks: Bool = true) throws -> [String] {
      var scenario = Self.three(Self.scenario(.linuxOOM, ram: 100), adjustment: -1000)
      scenario.configuration.usesCapturedRanks = capturedRanks
      return try scenario.replay(rows, on: .fast).story(.purge, .kill)
    }
    let told = "0s,a,launch\n5s,a,adj,1000,,state=cch\n10s,b,launch\n20s,c,launch\n60s,,end"
    #expect(try kills(told) == ["20s a purge oomKill"])
    #expect(try kills(told, capturedRanks: false) == ["20s b kill oomKill"])
    // The row comes too late, and that of the life before says nothing of this one.
    let late = "0s,a,launch\n10s,b,launch\n20s,c,launch\n30s,a,adj,1000\n60s,,end"
    #expect(try kills(late) == ["20s b kill oomKill"])
    let other =
      "0s,a,launch\n5s,a,adj,1000\n6s,a,exit\n7s,a,launch\n10s,b,launch\n20s,c,launch\n60s,,end"
    #expect(try kills(other) == ["20s b kill oomKill"])
  }

  @Test("oom_score_adj of the catalog moves the order; -1000 spares")
  func adjusted() throws {
    let first = try Self.three(Self.scenario(.linuxOOM, ram: 100), adjustment: 1000)
      .replay(Self.overdrawn, on: .fast)
    #expect(first.story(.purge, .kill) == ["20s a purge oomKill"])
    let rows = "0s,a,launch\n10s,,system-memory,80MiB\n20s,,end"
    let spared = try Self.three(Self.scenario(.linuxOOM, ram: 100), adjustment: -1000)
      .replay(rows, on: .fast)
    #expect(spared.story(.purge, .kill) == [])
    #expect(spared.system.noVictimDecisions == 1)
  }

  @Test("The kernel may kill the app that asked for memory")
  func allocatingTask() throws {
    let replayed = try Self.three(
      Self.scenario(.linuxOOM, ram: 100) { $0.killsAllocatingTask = true }
    ).replay(Self.overdrawn, on: .fast)
    // Its user starts it again.
    #expect(replayed.story(.purge, .kill).first == "20s c kill oomKill")
    #expect(replayed.story(.purge, .kill).allSatisfy { $0.contains(" c kill ") })
  }

  @Test("Swap takes what is suspended before anybody dies, and gives it back")
  func swaps() throws {
    let rows = """
      0s,a,launch
      10s,b,launch
      20s,c,launch
      30s,a,launch
      60s,,end
      """
    let scenario = Self.three(Self.scenario(.linuxOOM, ram: 100, swap: 50))
    #expect(try scenario.replay(rows, on: .fast).story(.purge, .kill) == [])
    // 24 MiB of a can go; with less swap than is missing somebody must die.
    let little = Self.three(Self.scenario(.linuxOOM, ram: 100, swap: 9))
    #expect(try little.replay(rows, on: .fast).story(.purge, .kill) == ["20s b kill oomKill"])
  }

  @Test(
    "The app in front goes last unless the policy's own platform places it",
    arguments: [
      ("jetsam-fifo", false), ("jetsam-largest", false), ("aosp-rank", false),
      ("chimera-like", false), ("lru", false), ("size", false), ("android", false),
      ("linux-oom", true), ("earlyoom", true), ("oomd", true), ("systemd-oomd", true),
    ])
  func front(policy: String, mayTakeFront: Bool) throws {
    // The one in front is the largest, and was suspended, left and begun before the other.
    let scenario = Self.scenario(.linuxOOM, ram: 100, policy: policy)
      .app("front", MiB: 60).app("other", MiB: 30)
    let replayed = try scenario.replay(
      """
      0s,front,launch
      10s,other,launch
      20s,front,launch
      30s,,system-memory,50MiB
      31s,,end
      """, on: .fast)
    let first = try #require(replayed.story(.purge, .kill).first)
    #expect(first == (mayTakeFront ? "30s front kill oomKill" : "30s other purge oomKill"))
  }

  @Test("Linux warns no app")
  func neverWarns() throws {
    let replayed = try Self.three(Self.scenario(.linuxOOM, ram: 100))
      .replay(Self.overdrawn, on: .fast)
    #expect(replayed.story(.warning) == [])
  }

  // MARK: Daemons

  /// From 10 s on 20 MiB are available: 30 of 40 MiB of working set are missing, so that a waits
  /// 1.875 / 2.875 of its time, 65 %.
  static let thrashing = """
    0s,b,launch
    10s,a,launch
    100s,,end
    """

  static func two(_ scenario: Scenario) -> Scenario {
    scenario.app("a", MiB: 880).app("b", MiB: 100)
  }

  @Test("oomd: pressure above 60 % for 30 s takes the largest of user.slice")
  func oomd() throws {
    let replayed = try Self.two(Self.scenario(.oomd)).replay(Self.thrashing, on: .fast)
    // avg10 passes 60 at 38 s, is seen at 40 s, and has stayed there at 70 s.
    #expect(replayed.story(.purge, .kill) == ["70s a kill memorySizeOrGrowth"])
    #expect(replayed.decisions.first?.candidates.count == 2)
  }

  @Test("The policy orders what the model found")
  func policyOrders() throws {
    let replayed = try Self.two(Self.scenario(.oomd, policy: "lru"))
      .replay(Self.thrashing, on: .fast)
    #expect(replayed.story(.purge, .kill) == ["70s b purge memorySizeOrGrowth"])
  }

  @Test("systemd-oomd: pressure above its limit for its duration, at its own poll")
  func systemdPressure() throws {
    let replayed = try Self.two(Self.scenario(.systemdOOMD))
      .replay(Self.thrashing, on: .fast)
    #expect(replayed.story(.purge, .kill) == ["68s a kill memoryPressure"])
    let patient = try Self.two(
      Self.scenario(.systemdOOMD) {
        $0.systemdOomd.pressureDurationNanoseconds = 20_000_000_000
        $0.systemdOomd.pressurePercent = 50
      }
    ).replay(Self.thrashing, on: .fast)
    #expect(patient.story(.purge, .kill).first == "46s a kill memoryPressure")
    let elsewhere = try Self.two(
      Self.scenario(.systemdOOMD) { $0.systemdOomd.pressureUnits = "system.slice" }
    ).replay(Self.thrashing, on: .fast)
    #expect(elsewhere.story(.purge, .kill) == [])
  }

  @Test("systemd-oomd: memory and swap used up takes the largest swapper above 5 %")
  func systemdSwap() throws {
    let rows = """
      0s,s,launch
      10s,t,launch
      20s,f,launch
      30.1s,f,footprint,960MiB
      100s,,end
      """
    let scenario = Self.scenario(.systemdOOMD, swap: 100) {
      $0.systemdOomd.pressureUnits = ""
    }.app("s", MiB: 100).app("t", MiB: 40).app("f", MiB: 700)
    let replayed = try scenario.replay(rows, on: .fast)
    // 1100 MiB with 100 of swap: both s (80) and t (20) are swapped out as far as swap goes.
    #expect(replayed.story(.purge, .kill) == ["30.15s s purge swapUsed"])
  }

  @Test("earlyoom: polls again after its sleep, and takes the largest oom_score")
  func earlyoom() throws {
    let replayed = try Self.two(Self.scenario(.earlyoom)).replay(Self.thrashing, on: .fast)
    #expect(replayed.sum { $0.foregroundKills } >= 1)
    let decision = try #require(replayed.decisions.first)
    #expect(decision.trigger == .sigkill)
    // From the start: 1000 MiB available, 900 above the threshold: 153 ms; with b 136 ms.
    let sinceLastPoll = (decision.timeNanoseconds - 153_000_000) % 136_000_000
    #expect(sinceLastPoll == 0)
    #expect((10_000_000_000..<10_136_000_000).contains(decision.timeNanoseconds))
    let preferring = try Self.scenario(.earlyoom)
      .app("a", MiB: 880) { $0.killPreference = .omit }.app("b", MiB: 100)
      .replay(Self.thrashing, on: .fast)
    #expect(preferring.totals("b").purges + preferring.totals("b").backgroundKills == 1)
  }

  @Test("A control group dies as a whole, whichever member is chosen")
  func wholeGroups() throws {
    var scenario = Self.scenario(.oomd).app("a", MiB: 500).app("b", MiB: 100)
      .app("c", MiB: 380)
    scenario.configuration.controlGroups = [
      "user.slice/one", "user.slice/two", "user.slice/one",
    ]
    let rows = "0s,b,launch\n5s,c,launch\n10s,a,launch\n100s,,end"
    // Apps are numbered by name; a and c share a control group.
    let replayed = try scenario.replay(rows, on: .fast)
    #expect(
      replayed.story(.purge, .kill)
        == ["70s a kill memorySizeOrGrowth", "70s c purge memorySizeOrGrowth"])
    #expect(replayed.decisions.map(\.candidates.count) == [3, 1])
  }

  @Test("A dry kill takes no app, and the ruleset rests all the same")
  func dry() throws {
    let replayed = try Self.two(
      Self.scenario(.oomd) {
        for ruleset in $0.oomdConfiguration.rulesets.indices {
          $0.oomdConfiguration.rulesets[ruleset].actions = $0.oomdConfiguration
            .rulesets[ruleset].actions.map { action in
              guard case .kill(var kill) = action else { return action }
              kill.isDry = true
              return .kill(kill)
            }
        }
      }
    ).replay(Self.thrashing, on: .fast)
    #expect(replayed.decisions == [])
  }

  // MARK: Properties

  static let models: [PressureModelKind] = [.linuxOOM, .oomd, .systemdOOMD, .earlyoom]

  /// A random case on a model; nil if its trace is too long to poll all the time.
  static func random(_ seed: UInt64, _ model: PressureModelKind) throws -> (
    Trace, RunConfiguration
  )? {
    var example = RandomTrace.make(seed: seed)
    example.configuration.pressure = model
    example.configuration.capacityApps = nil
    example.configuration.warmUpNanoseconds = 0
    var reclaim = ReclaimParameters()
    let ram = example.configuration.device.ramBytes
    reclaim.swapBytes = ram / 10 * Int64(seed % 4)
    reclaim.workingSetPercent = Double(seed % 3) * 10
    reclaim.processors = 1 + Int(seed % 2)
    example.configuration.device.pressureParameters.reclaim = reclaim
    // Quick to act, so that short traces see it.
    var linux = LinuxParameters()
    linux.systemdOomd.pressurePercent = 10
    linux.systemdOomd.pressureDurationNanoseconds = 2_000_000_000
    linux.systemdOomd.swapUsedPercent = 60
    linux.oomdConfiguration = Self.eager
    linux.oomdIntervalNanoseconds = 1_000_000_000
    linux.earlyoom.termMemoryPercent = 40
    linux.earlyoom.termSwapPercent = 100
    linux.earlyoom.killMemoryPercent = 10
    example.configuration.device.pressureParameters.linux = linux
    let (trace, configuration) = try example.inputs()
    return trace.index.endNanoseconds < 3_600_000_000_000 ? (trace, configuration) : nil
  }

  /// Rulesets that use every detector and every ranking.
  static let eager: OomdConfiguration = {
    let growth = OomdConfiguration.Ranking.memorySizeOrGrowth(
      sizePercent: 50, growingPercentile: 20, minimumGrowthRatio: 1.1)
    func ruleset(_ detectors: [OomdConfiguration.Detector], _ ranking: OomdConfiguration.Ranking)
      -> OomdConfiguration.Ruleset
    {
      OomdConfiguration.Ruleset(
        name: "r",
        detectorGroups: [OomdConfiguration.DetectorGroup(name: "g", detectors: detectors)],
        actions: [.kill(OomdConfiguration.Kill(ranking, groups: "user.slice/*"))])
    }
    let second: Int64 = 1_000_000_000
    return OomdConfiguration(rulesets: [
      ruleset(
        [
          .pressureAbove(
            groups: "user.slice", .memory, percent: 10, durationNanoseconds: 2 * second),
          .memoryReclaim(groups: "user.slice", durationNanoseconds: 5 * second),
        ], growth),
      ruleset(
        [
          .pressureRisingBeyond(
            groups: "/", .memory, percent: 3, durationNanoseconds: second, fastFallRatio: 0.85)
        ], .pressure(.memory)),
      ruleset(
        [
          .memoryAbove(
            groups: "user.slice/*", .percent(60), isAnonymous: true,
            durationNanoseconds: 3 * second), .exists(groups: "system.slice", negate: true),
        ], .pageScans),
      ruleset(
        [.swapFree(percent: 20, swapOutBytesPerSecond: 1)],
        .swapUsage(.percent(1), isBiased: true)),
    ])
  }()

  static func replay(
    _ trace: Trace, _ configuration: RunConfiguration, _ policy: String
  ) throws -> (RunResult, CapturingRecorder) {
    let recorder = CapturingRecorder(wantsFootprints: false)
    let result = try PolicySpec(parsing: policy).run(trace, configuration, recorder: recorder)
    return (result, recorder)
  }

  @Test("Skipping polls changes nothing", arguments: models)
  func pollsAlways(model: PressureModelKind) throws {
    var decisions = 0
    for seed: UInt64 in 1...60 {
      guard let (trace, configuration) = try Self.random(seed, model) else { continue }
      var always = configuration
      always.device.pressureParameters.linux.pollsAlways = true
      let lazy = try Self.replay(trace, configuration, model.rawValue)
      let eager = try Self.replay(trace, always, model.rawValue)
      #expect(lazy.1.events == eager.1.events, "seed \(seed)")
      #expect(lazy.1.decisions == eager.1.decisions, "seed \(seed)")
      #expect(lazy.0.system == eager.0.system, "seed \(seed)")
      decisions += lazy.1.decisions.count { $0.trigger != .oomKill }
    }
    #expect(model == .linuxOOM || decisions > 5, "\(decisions) decisions of the daemon")
  }

  @Test("Every end has a decision, runs repeat, and memory adds up", arguments: models)
  func conserves(model: PressureModelKind) throws {
    for seed: UInt64 in 200...230 {
      guard let (trace, configuration) = try Self.random(seed, model) else { continue }
      for policy in [model.rawValue, "lru+saved"] {
        let (result, recorder) = try Self.replay(trace, configuration, policy)
        let again = try Self.replay(trace, configuration, policy)
        #expect(again.1.events == recorder.events, "seed \(seed)")
        #expect(again.1.decisions == recorder.decisions, "seed \(seed)")
        let alone = try PolicySpec(parsing: policy).run(trace, configuration)
        #expect(alone.apps == result.apps, "seed \(seed)")
        let ends = recorder.events.filter {
          $0.kind == .purge || ($0.kind == .kill && $0.cause != .limit)
        }
        let chosen = recorder.decisions.flatMap { decision in
          decision.candidates.filter(\.isChosen).map { (decision.number, $0.app) }
        }
        #expect(ends.count == chosen.count, "seed \(seed)")
        for (end, choice) in zip(ends, chosen) {
          #expect(end.decision == choice.0 && end.app == choice.1, "seed \(seed)")
        }
        #expect(
          Int64(ends.count)
            == result.apps.reduce(0) { $0 + $1.purges + $1.backgroundKills + $1.foregroundKills },
          "seed \(seed)")
      }
    }
  }
}
