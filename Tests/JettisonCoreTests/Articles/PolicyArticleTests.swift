import Foundation
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// The worked example of the article on policies, which `Hyperbolic.swift` beside this file holds.
struct PolicyArticleTests {
  @Test("The policy of the article is the one that is tested")
  func sample() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appendingPathComponent("Hyperbolic.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: folder.appendingPathComponent(
        "../../../Sources/JettisonCore/JettisonCore.docc/WritingAPolicy.md"), encoding: .utf8)
    let body = try #require(code.range(of: "///").map { code[$0.lowerBound...] })
    #expect(article.contains("```swift\n\(body)```"))
  }

  @Test("An app that is used often survives one that was used last")
  func order() throws {
    // Room for two. At 11 s C comes: A was launched 3 times in 11 s, B once in 1 s. With a grace of
    // 60 s A scores 3/71 = 0.042 and B 1/61 = 0.016, so B goes. A was left before B, so lru ends A.
    let trace = try TraceText()
      .row(0, "a", "launch").row(1, "", "home").row(2, "a", "launch").row(3, "", "home")
      .row(4, "a", "launch").row(10, "b", "launch").row(11, "c", "launch").end(12).trace()
    let hyperbolic = Hyperbolic(appCount: trace.apps.count, grace: 60)
    #expect(try firstPurged(of: trace, under: hyperbolic) == AppIndex(1))
    #expect(try firstPurged(of: trace, under: LeastRecentlyUsed()) == AppIndex(0))
  }

  private func firstPurged(
    of trace: Trace, under policy: some PurgePolicy
  ) throws -> AppIndex? {
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: trace.apps.map { _ in AppProfile() })
    configuration.capacityApps = 2
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    // The spec only lends its name: neither policy draws or wants saved apps to go first.
    var engine = try ReplayEngine(
      trace, configuration, policy: policy, spec: try PolicySpec(parsing: "lru"), recorder: recorder
    )
    _ = try engine.run(trace)
    return recorder.events.first { $0.kind == .purge }?.app
  }
}
