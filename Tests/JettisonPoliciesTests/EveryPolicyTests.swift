import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// What holds for every policy of the registry, plain and with `+saved`: a new one is tested here
/// without another line.
struct EveryPolicyTests {
  static let plain = PolicyRegistry.all.filter { !$0.needsArguments }.map(\.name)
  static let names = plain.flatMap { [$0, "\($0)+saved"] }
  private static let seed: UInt64 = 7

  @Test("A policy orders all candidates by score, and the first of them go", arguments: names)
  func order(name: String) throws {
    let trace = try Self.busyTrace()
    let recorder = try Self.run(name, trace, Self.phone(trace))
    // A policy that is never asked proves nothing.
    try #require(recorder.decisions.count > 20)
    for decision in recorder.decisions where !decision.candidates.isEmpty {
      let candidates = decision.candidates
      #expect(Set(candidates.map(\.app)).count == candidates.count)
      let victims = candidates.prefix { $0.isChosen }
      #expect(candidates.dropFirst(victims.count).allSatisfy { !$0.isChosen })
      // Memory is never overdrawn here, so only suspended apps may go.
      #expect(candidates.allSatisfy { $0.state == .suspended })
      for (first, second) in zip(candidates, candidates.dropFirst()) {
        let isSaved = [first, second].map { $0.unsavedBytes == 0 && $0.unsavedWorkNanoseconds == 0 }
        if name.hasSuffix("+saved"), isSaved[0] != isSaved[1] {
          #expect(isSaved[0])
        } else {
          #expect(first.score <= second.score)
        }
      }
    }
  }

  @Test("A policy decides the same in every run", arguments: names)
  func repetition(name: String) throws {
    let trace = try Self.busyTrace()
    let first = try Self.run(name, trace, Self.phone(trace))
    let second = try Self.run(name, trace, Self.phone(trace))
    #expect(first.decisions == second.decisions)
    #expect(first.events == second.events)
  }

  @Test("A policy serves one app, and apps that are all alike", arguments: names)
  func fewApps(name: String) throws {
    let one = try TraceText().row(0, "a", "launch").row(1, "", "home").row(2, "a", "launch").end(3)
      .trace()
    #expect(try Self.run(name, one, Self.cache(one, capacity: 1)).decisions.isEmpty)

    // Never shown, no footprint, no cost, no time: nothing that a score could be made of.
    var alike = TraceText()
    for app in ["a", "b", "c", "d"] { alike = alike.row(0, app, "background-launch") }
    let trace = try alike.row(0, "e", "launch").end(1).trace()
    let recorder = try Self.run(name, trace, Self.cache(trace, capacity: 2))
    let scores = recorder.decisions.flatMap(\.candidates).map(\.score)
    #expect(scores.count >= 2)
    #expect(scores.allSatisfy { !$0.isNaN })
  }

  @Test("A policy orders all apps that may go and no others", arguments: names)
  func permutation(name: String) throws {
    let trace = try Self.crowdedTrace(quits: [0, 1, 2, 3])
    let recorder = try Self.run(name, trace, Self.sizedCache(trace))
    var residents: Set<AppIndex> = []
    var seen = 0
    for event in recorder.events {
      switch event.kind {
      case .launch: residents.insert(event.app)
      case .ended: residents.remove(event.app)
      case .purge:
        let number = try #require(event.decision)
        if number > seen {
          seen = number
          let decision = try #require(recorder.decisions.first { $0.number == number })
          #expect(Set(decision.candidates.map(\.app)) == residents)
          #expect(decision.candidates.count == residents.count)
        }
        residents.remove(event.app)
      default: break
      }
    }
    #expect(seen > 10)
  }

  /// Without those that draw: traces that differ in anything differ in their draws.
  private static let namesWithoutDraws = names.filter {
    !$0.hasPrefix("random") && !$0.hasPrefix("adaptsize")
  }

  @Test("The order in which candidates are found does not matter", arguments: namesWithoutDraws)
  func candidateOrder(name: String) throws {
    // What quits in another order leaves the others at other places of the engine's table.
    let orders = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]]
    let decisions = try orders.map { quits in
      let trace = try Self.crowdedTrace(quits: quits)
      return try Self.run(name, trace, Self.sizedCache(trace)).decisions
    }
    #expect(decisions[0].count > 10)
    #expect(decisions.allSatisfy { $0 == decisions[0] })
  }

  @Test("No policy has fewer cold launches than belady, which has the fewest possible")
  func optimum() throws {
    let length = 7
    for accesses in Self.accessPatterns(length: length, apps: 4) {
      var text = TraceText()
      for (time, app) in accesses.enumerated() {
        text = text.row(Double(time), "app\(app)", "launch")
      }
      let trace = try text.end(Double(length)).trace()
      let configuration = try Self.cache(trace, capacity: 2)
      let fewest = Self.fewestMisses(accesses[...], resident: [], capacity: 2)
      for name in Self.plain {
        let result = try PolicySpec(parsing: name).run(trace, configuration)
        let cold = result.apps.reduce(0) { $0 + $1.coldLaunches }
        #expect(name == "belady" ? cold == fewest : cold >= fewest, "\(name): \(accesses)")
      }
    }
  }

  /// Every sequence of accesses, apps numbered in the order in which they come.
  private static func accessPatterns(length: Int, apps: Int) -> [[Int]] {
    var patterns: [[Int]] = [[]]
    for _ in 0..<length {
      patterns = patterns.flatMap { pattern in
        (0...min(apps - 1, (pattern.max() ?? -1) + 1)).map { pattern + [$0] }
      }
    }
    return patterns
  }

  /// Tries every victim.
  private static func fewestMisses(
    _ accesses: ArraySlice<Int>, resident: Set<Int>, capacity: Int
  ) -> Int64 {
    guard let app = accesses.first else { return 0 }
    let rest = accesses.dropFirst()
    if resident.contains(app) {
      return fewestMisses(rest, resident: resident, capacity: capacity)
    }
    if resident.count < capacity {
      return 1 + fewestMisses(rest, resident: resident.union([app]), capacity: capacity)
    }
    let best = resident.map { victim in
      fewestMisses(
        rest, resident: resident.subtracting([victim]).union([app]), capacity: capacity)
    }.min()
    return 1 + (best ?? 0)
  }

  /// Four apps that quit in the order given, then 20 others in no order, every third time with an
  /// edit.
  private static func crowdedTrace(quits: [Int]) throws -> Trace {
    var random = SplitMix64(seed: seed)
    var text = TraceText()
    for app in 0..<4 { text = text.row(Double(app), "quit\(app)", "launch") }
    for app in 0..<8 { text = text.row(Double(4 + app), "app\(app)", "launch") }
    for app in quits { text = text.row(12, "quit\(app)", "quit") }
    for launch in 0..<200 {
      let app = "app\(random.next() % 20)"
      let time = 13 + Double(launch) * 30
      text = text.row(time, app, "launch")
      if launch % 3 == 0 {
        text = text.row(time + 5, app, "edit", value: 100, detail: "work_ms=2000")
      }
    }
    return try text.end(6100).trace()
  }

  /// Room for all that comes before the first app quits, and for a good half of the others.
  private static func sizedCache(_ trace: Trace) throws -> RunConfiguration {
    var device = try DeviceTable.device(named: "ideal-cache")
    device.ramBytes = 1200
    var configuration = RunConfiguration(
      device: device, pressure: .idealCache,
      profiles: trace.apps.indices.map { position in
        var profile = AppProfile()
        profile.launchFootprintBytes = Int64(60 + position * 13 % 40)
        profile.coldLaunchNanoseconds = Int64(1 + position % 3) * 1_000_000_000
        profile.saveTriggers = position % 2 == 0 ? .background : []
        return profile
      })
    configuration.footprints = .declared
    return configuration
  }

  /// Six apps of different sizes, launched 200 times in no order, every third time with an edit.
  private static func busyTrace() throws -> Trace {
    var random = SplitMix64(seed: seed)
    var text = TraceText()
    for launch in 0..<200 {
      let app = "app\(random.next() % 6)"
      let time = Double(launch) * 30
      text = text.row(time, app, "launch")
      if launch % 3 == 0 {
        text = text.row(time + 5, app, "edit", value: 100, detail: "work_ms=2000")
      }
    }
    return try text.end(6000).trace()
  }

  private static func phone(_ trace: Trace) throws -> RunConfiguration {
    let profiles = trace.apps.indices.map { position in
      var profile = AppProfile()
      profile.launchFootprintBytes = Int64(50 + 15 * position) << 20
      profile.coldLaunchNanoseconds = Int64(1 + position % 3) * 1_000_000_000
      profile.saveTriggers = position % 2 == 0 ? .background : []
      return profile
    }
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "iphone-4"), pressure: .thresholds,
      profiles: profiles)
    configuration.footprints = .declared
    return configuration
  }

  private static func cache(_ trace: Trace, capacity: Int64) throws -> RunConfiguration {
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: trace.apps.map { _ in AppProfile() })
    configuration.capacityApps = capacity
    configuration.footprints = .declared
    return configuration
  }

  private static func run(
    _ name: String, _ trace: Trace, _ configuration: RunConfiguration
  ) throws -> CapturingRecorder {
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: name).run(trace, configuration, recorder: recorder)
    return recorder
  }
}
