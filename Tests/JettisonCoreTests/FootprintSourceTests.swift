import JettisonCore
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
