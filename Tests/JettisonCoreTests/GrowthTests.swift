import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// Growth that the catalog tells: its steps are the same whether something comes between or not.
struct GrowthTests {
  private static let models: [PressureModelKind] = [
    .thresholds, .ios4, .ios6, .ios12, .ios14, .ios18, .androidLMK, .androidLMKD,
  ]

  /// Rows of twenty minutes in which people go from app to app.
  private static func visits(_ random: inout SplitMix64, apps: Int) -> [(Double, String)] {
    var rows: [(Double, String)] = []
    var time = 0.0
    while time < 1200 {
      let app = "a\(Int(random.uniform() * Double(apps)))"
      rows.append((time, "\(app),launch"))
      if random.uniform() < 0.2 { rows.append((time + 1, ",home")) }
      time += 2 + random.uniform() * 90
    }
    rows.append((1300, ",end"))
    return rows
  }

  private static func text(_ rows: [(Double, String)]) -> String {
    let lines = rows.sorted { $0.0 < $1.0 }.map { time, row in
      let milliseconds = Int64(time * 1e3)
      let rest = String(1000 + milliseconds % 1000).dropFirst()
      return "\(milliseconds / 1000).\(rest)s,\(row)"
    }
    return lines.joined(separator: "\n")
  }

  @Test("Rows between which nothing happens change nothing", arguments: models)
  func rowsOfNoEffect(model: PressureModelKind) throws {
    var purges: Int64 = 0
    for seed in UInt64(1)...40 {
      var random = SplitMix64(seed: seed)
      var scenario = Scenario(ramMiB: 512, pressure: model)
      for app in 0..<6 {
        scenario = scenario.app("a\(app)", MiB: Int64(20 + random.uniform() * 60)) {
          $0.growthBytesPerMinute = Int64(random.uniform() * 80e6)
        }
      }
      let visits = Self.visits(&random, apps: 6)
      // What the clock on the wall says matters to nobody here.
      let clocks = (0..<130).map { (Double($0) * 10 + 0.337, ",clock,1") }
      let plain = try scenario.replay(Self.text(visits), on: .fast)
      let split = try scenario.replay(Self.text(visits + clocks), on: .fast)
      #expect(plain.outcome.events == split.outcome.events, "seed \(seed)")
      #expect(plain.outcome.decisions == split.outcome.decisions, "seed \(seed)")
      #expect(plain.outcome.result.apps == split.outcome.result.apps, "seed \(seed)")
      #expect(plain.outcome.result.footprints == split.outcome.result.footprints, "seed \(seed)")
      #expect(plain.system == split.system, "seed \(seed)")
      purges += plain.sum { $0.purges }
    }
    // Cases in which nobody grows until somebody goes prove nothing.
    #expect(purges > 40)
  }

  @Test("Skipped steps move the same as steps that are written down", arguments: models)
  func stepsOfNoNote(model: PressureModelKind) throws {
    var grown: Int64 = 0
    for seed in UInt64(1)...40 {
      var random = SplitMix64(seed: seed)
      var scenario = Scenario(ramMiB: 512, pressure: model)
      for app in 0..<6 {
        scenario = scenario.app("a\(app)", MiB: Int64(20 + random.uniform() * 60)) {
          $0.growthBytesPerMinute = Int64(random.uniform() * 80e6)
          if random.uniform() < 0.3 { $0.limitBytes = Int64(80 + random.uniform() * 100) << 20 }
        }
      }
      var (trace, configuration) = try scenario.inputs(Self.text(Self.visits(&random, apps: 6)))
      // A warm-up ends while somebody grows.
      if seed % 2 == 0 { configuration.warmUpNanoseconds = Int64(random.uniform() * 1.2e12) }
      for footprints in [FootprintSource.declared, .arena] {
        var configuration = configuration
        configuration.footprints = footprints
        let spec = try PolicySpec(parsing: "lru")
        let unseen = try spec.run(trace, configuration)
        let written = try spec.run(
          trace, configuration, recorder: CapturingRecorder(wantsFootprints: true))
        #expect(unseen == written, "seed \(seed), \(footprints)")
        grown += unseen.system.footprintBytesPeak >> 20
      }
    }
    #expect(grown > 40 * 200)
  }
}
