import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// No policy but an oracle may know what is still to come.
struct ForesightTests {
  /// What draws is left out: other rows are another trace, which has other draws.
  private static let names = PolicyRegistry.all
    .filter { !$0.needsArguments && !$0.isOracle && !$0.draws }.map(\.name)
  private static let cut = 120

  /// 240 launches of seven apps with edits; those from ``cut`` on depend on `future`.
  private static func trace(future: UInt64) throws -> Trace {
    var past = SplitMix64(seed: 5)
    var later = SplitMix64(seed: future)
    var text = TraceText().header("start: \"2024-01-01T22:00:00+00:00\"")
    for launch in 0..<2 * cut {
      let bits = launch < cut ? past.next() : later.next()
      let time = Double(launch) * 600 + 1
      let app = "app\(bits % 7)"
      text = text.row(time, app, "launch")
      if bits >> 8 & 1 == 0 {
        text = text.row(time + 5, app, "edit", value: 9, detail: "work_ms=900")
      }
      if bits >> 9 & 3 == 0 { text = text.row(time + 400, "", "home") }
    }
    // Every app occurs in both futures, so that the apps have the same numbers.
    for app in 0..<7 { text = text.row(Double(2 * cut) * 600 + Double(app), "app\(app)", "launch") }
    return try text.end(Double(2 * cut) * 600 + 100).trace()
  }

  private static func decisions(
    _ policy: String, _ trace: Trace, onPhone: Bool
  ) throws -> ArraySlice<DecisionRecord> {
    let profiles = trace.apps.indices.map { position in
      var profile = AppProfile()
      profile.launchFootprintBytes = Int64(50 + 15 * position) << 20
      profile.coldLaunchNanoseconds = Int64(1 + position % 3) * 1_000_000_000
      profile.saveTriggers = position % 2 == 0 ? .background : []
      return profile
    }
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: onPhone ? "iphone-4" : "ideal-cache"),
      pressure: onPhone ? .thresholds : .idealCache, profiles: profiles)
    if !onPhone { configuration.device.ramBytes = 400 << 20 }
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: policy).run(trace, configuration, recorder: recorder)
    let end = Int64(cut) * 600_000_000_000
    return recorder.decisions.prefix { $0.timeNanoseconds < end }
  }

  @Test("What is still to come changes no score", arguments: names, [false, true])
  func past(name: String, onPhone: Bool) throws {
    let one = try Self.decisions(name, Self.trace(future: 1), onPhone: onPhone)
    let other = try Self.decisions(name, Self.trace(future: 2), onPhone: onPhone)
    // A policy that is never asked proves nothing.
    try #require(one.count > 20)
    #expect(one == other)
  }

  @Test("The same check finds out an oracle")
  func oracles() throws {
    for name in PolicyRegistry.all.filter(\.isOracle).map(\.name) {
      let one = try Self.decisions(name, Self.trace(future: 1), onPhone: false)
      let other = try Self.decisions(name, Self.trace(future: 2), onPhone: false)
      #expect(one != other, "\(name)")
    }
  }
}
