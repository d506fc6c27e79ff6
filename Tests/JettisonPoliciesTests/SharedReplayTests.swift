import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Runs that share a world until they part, beside each of them alone.
struct SharedReplayTests {
  private static let models: [PressureModelKind] = [
    .thresholds, .ios4, .ios6, .ios12, .ios18, .androidLMK, .androidLMKD, .linuxOOM, .oomd,
    .systemdOOMD, .earlyoom,
  ]

  @Test("Runs that share a world end as they would alone", arguments: models)
  func results(model: PressureModelKind) throws {
    let specs = try EveryPolicyTests.names.map { try PolicySpec(parsing: $0) }
    var worlds = 0
    for seed in UInt64(0)..<30 {
      let random = RandomTrace.make(seed: seed, maximumRows: 300)
      var (trace, configuration) = try random.inputs()
      configuration.pressure = model
      configuration.footprints = .declared
      let shared = PolicySpec.run(specs, trace, configuration, sharing: nil)
      for (spec, together) in zip(specs, shared) {
        let alone = Result { () throws(RunError) in try spec.run(trace, configuration) }
        #expect(together == alone, "seed \(seed), \(spec.name)")
      }
      // Those who chose alike have one result, but for whether they drew.
      var distinct: [[AppTotals]] = []
      for case .success(let result) in shared where !distinct.contains(result.apps) {
        distinct.append(result.apps)
      }
      worlds += distinct.count
    }
    // If nobody ever parts, or all do at once, this proves nothing.
    #expect(worlds > 40)
    #expect(worlds < 30 * specs.count)
  }

  @Test("A policy that fails ends alone, at the decision at which it fails")
  func failure() throws {
    let names = PolicyRegistry.all + [ThirdScoreIsNone.descriptor]
    let specs = try ["lru", "third-score-is-none", "size", "mru"].map {
      try PolicySpec(parsing: $0, among: names)
    }
    var failures = 0
    for seed in UInt64(0)..<30 {
      let random = RandomTrace.make(seed: seed, maximumRows: 300)
      var (trace, configuration) = try random.inputs()
      configuration.pressure = .thresholds
      configuration.footprints = .declared
      let shared = PolicySpec.run(specs, trace, configuration, sharing: nil)
      for (spec, together) in zip(specs, shared) {
        let alone = Result { () throws(RunError) in try spec.run(trace, configuration) }
        #expect(together == alone, "seed \(seed), \(spec.name)")
        if case .failure = together { failures += 1 }
      }
    }
    #expect(failures > 0)
  }

  @Test("Who chooses sets, spares apps, has blocks in arenas or a large world goes alone")
  func apart() throws {
    let trace = try TraceText().row(0, "a", "launch").row(1, "a", "alloc", value: 100, id: 1).end(2)
      .trace()
    let plain = try TraceText().row(0, "a", "launch").end(2).trace()
    func may(_ policy: String, _ trace: Trace, _ footprints: FootprintSource) throws -> Bool {
      let device = Device(name: "d", ramBytes: 1 << 30, reserveBytes: 0, source: "test")
      var configuration = RunConfiguration(
        device: device, pressure: .thresholds,
        profiles: Array(repeating: AppProfile(), count: trace.apps.count))
      configuration.footprints = footprints
      return try PolicySpec(parsing: policy).mayShareWorld(trace, configuration)
    }
    #expect(try may("lru", plain, .arena))
    #expect(try may("lru+saved", plain, .declared))
    #expect(try may("lru", trace, .declared))
    #expect(try !may("lru", trace, .arena))
    var crowd = TraceText()
    for app in 0...500 { crowd = crowd.row(0, "a\(app)", "background-launch") }
    #expect(try !may("lru", try crowd.end(1).trace(), .declared))
    for modifier in ["+recent=1", "+interval=1h", "+until=20%", "+minimal", "+protect=a"] {
      #expect(try !may("lru\(modifier)", plain, .declared), "\(modifier)")
    }
  }
}

/// Orders by name until it has been asked for three scores, and then says nothing.
private struct ThirdScoreIsNone: PurgePolicy {
  static let descriptor = PolicyDescriptor(
    name: "third-score-is-none", family: "test", summary: "", details: "", source: ""
  ) { (_, _) throws(ConfigurationError) in ThirdScoreIsNone() }

  private var count = 0

  static var ordering: CandidateOrdering { .byPreparedScore }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    count += candidates.count
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    count > 2 ? .nan : Double(app.position)
  }
}
