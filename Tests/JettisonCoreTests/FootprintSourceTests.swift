import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// Arenas against declared bytes.
struct FootprintSourceTests {
  /// Everything that a run tells, without the arena figures.
  private func outcome(
    _ random: RandomCase, _ footprints: FootprintSource
  ) throws -> (RunResult, CapturingRecorder) {
    let (trace, plain) = try random.inputs()
    var configuration = plain
    configuration.footprints = footprints
    configuration.checksArenas = true
    let spec = try PolicySpec(parsing: random.policy.rawValue)
    let recorder = CapturingRecorder(wantsFootprints: false)
    var result = try spec.run(trace, configuration, recorder: recorder)
    for position in result.footprints.indices {
      result.footprints[position].arenaActiveBytesMax = -1
      result.footprints[position].arenaDirtyBytesMax = -1
    }
    return (result, recorder)
  }

  @Test("Without allocation rows, arenas and declared bytes tell the same story")
  func samplesAgree() throws {
    var compared = 0
    for seed in UInt64(0)..<300 {
      let random = RandomTrace.make(seed: seed)
      let allocations: [EventKind] = [.alloc, .realloc, .free]
      let rows = random.rows.filter { !allocations.contains($0.kind) }
      guard random.configuration.pressure != .idealCache, let plain = random.with(rows: rows)
      else { continue }
      compared += 1
      let (arenaResult, arenaRecorder) = try outcome(plain, .arena)
      let (result, recorder) = try outcome(plain, .declared)
      let differences = ModelOutcome(
        result: arenaResult, events: arenaRecorder.events, decisions: arenaRecorder.decisions
      ).differences(
        from: ModelOutcome(
          result: result, events: recorder.events, decisions: recorder.decisions))
      #expect(differences.isEmpty, "seed \(seed)\n\(plain)\n\(differences.joined(separator: "\n"))")
    }
    #expect(compared > 150)
  }

  @Test("An app without blocks is reported as if it had an arena")
  func figuresAgree() throws {
    var compared = 0
    for seed in UInt64(500)..<800 {
      let random = RandomTrace.make(seed: seed)
      guard random.configuration.pressure != .idealCache else { continue }
      compared += 1
      let (trace, plain) = try random.inputs()
      func run(checksArenas: Bool) throws -> (RunResult, CapturingRecorder) {
        var configuration = plain
        configuration.footprints = .arena
        configuration.checksArenas = checksArenas
        let recorder = CapturingRecorder()
        let spec = try PolicySpec(parsing: random.policy.rawValue)
        return (try spec.run(trace, configuration, recorder: recorder), recorder)
      }
      let (result, recorder) = try run(checksArenas: false)
      let (arenaResult, arenaRecorder) = try run(checksArenas: true)
      #expect(result == arenaResult, "seed \(seed)\n\(random)")
      #expect(recorder.events == arenaRecorder.events, "seed \(seed)\n\(random)")
      #expect(recorder.footprints == arenaRecorder.footprints, "seed \(seed)\n\(random)")
    }
    #expect(compared > 150)
  }

  @Test(
    "An app that is larger than its address space fails, blocks or none", arguments: [true, false])
  func tooLarge(checksArenas: Bool) throws {
    let trace = try TraceText().row(0, "Atlas", "launch")
      .row(1000, "Atlas", "footprint", value: 100 << 30).end(2000).trace()
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "iphone-4"), pressure: .thresholds,
      profiles: [AppProfile()])
    configuration.checksArenas = checksArenas
    #expect(throws: RunError.addressSpaceExhausted(app: "Atlas")) {
      try PolicySpec(parsing: "lru").run(trace, configuration)
    }
  }

  @Test("With allocation rows, the hooks agree with the allocator's statistics all the way")
  func allocationsKeepTheIdentity() throws {
    for seed in UInt64(300)..<500 {
      let random = RandomTrace.make(seed: seed)
      guard random.configuration.pressure != .idealCache else { continue }
      let (result, _) = try outcome(random, .arena)
      #expect(result.system.footprintBytesPeak % 4096 == 0, "seed \(seed)")
    }
  }
}
