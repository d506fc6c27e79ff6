import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// What `firefox-tabs` says of its scores; whom it takes is among the tests of other people.
struct FirefoxTabTests {
  @Test("Weights and ranks are shown on demand")
  func terms() throws {
    let context = PolicyContext(
      try Trace(rows: "0s,a,launch\n1s,b,launch\n2s,,end"),
      RunConfiguration(
        device: try DeviceTable.device(named: "iphone-4"), pressure: .thresholds,
        profiles: [AppProfile(), AppProfile()]))
    var bench = try HandDriven(
      FirefoxTabs(context, keepCount: 0, minimumIdleSeconds: 1), apps: 2, bytes: [1, 2])
    for app in 0..<2 { bench.apps[AppIndex(app)].state = .suspended }
    bench.apps[AppIndex(1)].modes = 1
    #expect(try bench.scores("ab") == [0, 1])
    let request = PurgeRequest(
      timeNanoseconds: 0, decision: 1, neededBytes: 1, availableBytes: 0, level: .normal,
      trigger: .capacity)
    #expect(
      bench.policy.terms(of: AppIndex(1), for: request, apps: bench.apps)
        == [ScoreTerm("weight", 100_000), ScoreTerm("ranks", 0)])
  }
}
