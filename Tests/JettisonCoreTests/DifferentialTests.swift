import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// The fast engine against the slow obvious one.
struct DifferentialTests {
  @Test("The fast engine tells the same story as the model engine", arguments: 0..<20)
  func differential(block: Int) throws {
    for seed in UInt64(block * 100)..<UInt64(block * 100 + 100) {
      let random = RandomTrace.make(seed: seed)
      guard try !random.differences(of: .fast).isEmpty else { continue }
      Issue.record("seed \(seed)\n\(try random.shrunkReport(against: .fast))")
      return
    }
  }

  @Test("Whom a decision ends does not depend on whether it is written down", arguments: 0..<10)
  func unwatched(block: Int) throws {
    for seed in UInt64(block * 100)..<UInt64(block * 100 + 100) {
      let random = RandomTrace.make(seed: seed)
      let (trace, configuration) = try random.inputs()
      let spec = try PolicySpec(parsing: random.policy.rawValue + random.modifiers)
      let watched = Result { () throws(RunError) in
        try spec.run(trace, configuration, recorder: CapturingRecorder(wantsFootprints: false))
      }
      let alone = Result { () throws(RunError) in try spec.run(trace, configuration) }
      guard case (.success(let first), .success(let second)) = (watched, alone) else {
        // An app that is larger than the cache fails both.
        #expect((try? watched.get()) == nil && (try? alone.get()) == nil, "seed \(seed)")
        continue
      }
      #expect(first.apps == second.apps, "seed \(seed)\n\(random)")
      #expect(first.system == second.system, "seed \(seed)\n\(random)")
    }
  }
}
