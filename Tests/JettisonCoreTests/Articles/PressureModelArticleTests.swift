import Foundation
import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonShippedPolicies

/// The worked example of the article on pressure models, which `FloorModel.swift` beside this file
/// holds.
struct PressureModelArticleTests {
  @Test("The model of the article is the one that is tested")
  func sample() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appendingPathComponent("FloorModel.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: folder.appendingPathComponent(
        "../../../Sources/JettisonCore/JettisonCore.docc/WritingAPressureModel.md"),
      encoding: .utf8)
    let body = try #require(code.range(of: "///").map { code[$0.lowerBound...] })
    #expect(article.contains("```swift\n\(body)```"))
  }

  @Test("Apps go down to an eighth of RAM, the longest suspended first, and never who is in use")
  func victims() throws {
    // RAM 800 MiB, so the floor is 100 MiB; the system takes none. a, b and c hold 300 MiB each:
    // with c there is -100 MiB, and once b is suspended, a goes (200 MiB left). d takes it back to
    // -100 MiB: b goes, once c is suspended.
    let rows = zip(["a", "b", "c", "d"], [0, 60, 120, 180]).map { app, second in
      "\(second)s,\(app),launch\n\(second)s,\(app),footprint,\(300 << 20)"
    }
    let trace = try Trace(rows: rows.joined(separator: "\n") + "\n240s,,home")
    var configuration = RunConfiguration(
      device: Device(name: "test", ramBytes: 800 << 20, reserveBytes: 0, source: "test"),
      pressure: .thresholds, profiles: trace.apps.map { _ in AppProfile() })
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    var engine = try ReplayEngine(
      trace, configuration, model: FloorModel.self, policy: LeastRecentlyUsed(), name: "lru",
      modifiers: PolicyModifiers(), knowsFront: false, draws: false, recorder: recorder)
    _ = try engine.run(trace)
    let purges = recorder.events.filter { $0.kind == .purge }
    #expect(purges.map { trace.apps[$0.app.position] } == ["a", "b"])
  }
}
