import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonReports

@Suite("Rules of decisions")
struct DecisionRulesTests {
  @Test(
    "Policies that can tell what their scores are made of say so",
    arguments: PolicyRegistry.all.filter { !$0.needsArguments }.map(\.name))
  func terms(name: String) throws {
    let trace = try TraceText().row(0, "a", "launch").row(1, "b", "launch").row(2, "c", "launch")
      .row(3, "a", "launch").end(4).trace()
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: trace.apps.map { _ in AppProfile() })
    configuration.capacityApps = 1
    configuration.footprints = .declared
    let policy = try PolicySpec(parsing: name)
    let explanation = try #require(
      try policy.explain(trace, configuration, decision: 1, alternatives: []))
    let terms = try #require(explanation.candidates.first).terms
    #expect(DecisionRules(configuration, policy).tellTerms == !terms.isEmpty)
  }
}
