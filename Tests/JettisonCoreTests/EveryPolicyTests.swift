import JettisonCore
import JettisonTestSupport
import Testing

/// What holds for every policy of the registry, plain and with `+saved`: a new one is tested here
/// without another line.
struct EveryPolicyTests {
  static let names = PolicyRegistry.all.flatMap { [$0.name, "\($0.name)+saved"] }
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
