import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

/// Bands of iOS and values of Android stand in one column of the reports, and mean opposite things.
struct StandingTests {
  @Test(
    "An order of one platform does not read the other's standings",
    arguments: [
      ("jetsam-fifo", PressureModelKind.androidLMKD), ("android", .ios6), ("jetsam-fifo", .ios6),
      ("android", .androidLMKD), ("android", .thresholds), ("jetsam-fifo", .thresholds),
    ])
  func longestIdleFirst(policy: String, model: PressureModelKind) throws {
    // The later, the smaller: an order by size would be the reverse.
    var text = TraceText()
    for launch in 0..<40 { text = text.row(Double(launch) * 30, "app\(launch % 8)", "launch") }
    let trace = try text.end(1300).trace()
    let profiles = trace.apps.indices.map { position in
      var profile = AppProfile()
      profile.launchFootprintBytes = Int64(140 - 5 * position) << 20
      return profile
    }
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "iphone-5"), pressure: model, profiles: profiles)
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: policy).run(trace, configuration, recorder: recorder)
    let asked = recorder.decisions.filter { $0.candidates.count > 1 }
    try #require(asked.count > 3)
    for decision in asked {
      let idle = decision.candidates.map(\.idleNanoseconds)
      #expect(idle == idle.sorted(by: >), "decision \(decision.number)")
    }
  }
}
