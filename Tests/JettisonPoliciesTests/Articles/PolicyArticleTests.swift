import Foundation
import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// The worked example of the article on policies, which `TakeTurns.swift` beside this file holds.
struct PolicyArticleTests {
  @Test("The policy of the article is the one that is tested")
  func sample() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appendingPathComponent("TakeTurns.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: folder.appendingPathComponent(
        "../../../Sources/JettisonCore/JettisonCore.docc/WritingAPolicy.md"), encoding: .utf8)
    let body = try #require(code.range(of: "///").map { code[$0.lowerBound...] })
    #expect(article.contains("```swift\n\(body)```"))
  }

  @Test("The example isn't a policy of Jettison: readers of the article add it")
  func isNew() {
    #expect(!PolicyRegistry.all.contains { $0.name == PolicyDescriptor.takeTurns.name })
  }

  @Test("An app that was purged before is spared the next time")
  func order() throws {
    // Room for two. C ends A, which was left first, and A ends B. Then C is launched again, and D
    // needs room: A was left before C, so lru ends it again; C has not been purged yet.
    let rows = """
      0s,a,launch
      1s,b,launch
      2s,c,launch
      3s,a,launch
      4s,c,launch
      5s,d,launch
      """
    #expect(try Self.victims("take-turns", rows: rows) == ["a", "b", "c"])
    #expect(try Self.victims("lru", rows: rows) == ["a", "b", "a"])
  }

  @Test("Unsaved data counts as purges")
  func handicap() throws {
    // A was left first, but holds an edit; with no handicap it does not matter.
    let rows = "0s,a,launch\n0.5s,a,edit,10\n1s,b,launch\n2s,c,launch"
    #expect(try Self.victims("take-turns", rows: rows) == ["b"])
    #expect(try Self.victims("take-turns:handicap=0", rows: rows) == ["a"])
  }

  private static func victims(_ policy: String, rows: String) throws -> [String] {
    let trace = try Trace(rows: rows)
    let configuration = try RunConfiguration.cache(ofApps: 2, for: trace)
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: policy, among: PolicyRegistry.all + [.takeTurns])
      .run(trace, configuration, recorder: recorder)
    return recorder.events.filter { $0.kind == .purge }.map { trace.apps[$0.app.position] }
  }
}
