import Foundation
import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Policies that put candidates in order themselves.
struct RankingPolicyTests {
  @Test("The ranking policy of the article is the one that is tested")
  func sample() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appendingPathComponent("Articles/CheapestStart.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: folder.appendingPathComponent(
        "../../Sources/JettisonCore/JettisonCore.docc/WritingAPolicy.md"), encoding: .utf8)
    let body = try #require(code.range(of: "struct").map { code[$0.lowerBound...] })
    #expect(article.contains("```swift\n\(body)```"))
  }

  @Test("The ranking policy of the article chooses as swam does")
  func cheapest() throws {
    let policies = PolicyRegistry.all + [Self.described("cheapest") { CheapestStart() }]
    var purges: Int64 = 0
    for seed in UInt64(0)..<80 {
      var (trace, configuration) = try RandomTrace.make(seed: seed, maximumRows: 300).inputs()
      configuration.footprints = .declared
      let own = try PolicySpec(parsing: "cheapest", among: policies).run(trace, configuration)
      let swam = try PolicySpec(parsing: "swam").run(trace, configuration)
      #expect(own == swam, "seed \(seed)")
      purges += own.apps.reduce(0) { $0 + $1.purges }
    }
    #expect(purges > 80)
  }

  @Test("A place is the score; other apps in the order take up places")
  func places() throws {
    // Room for two. C finds B and A in memory; C itself, which is not a candidate, is between them.
    let decisions = try Self.decisions { candidates in
      candidates = [AppIndex(1), AppIndex(2), AppIndex(0)]
    }
    #expect(decisions.map(\.app) == [1, 0])
    #expect(decisions.map(\.score) == [0, 2])
  }

  @Test("An order that names an app twice or no app at all counts its later place")
  func twice() throws {
    let decisions = try Self.decisions { candidates in
      candidates = [AppIndex(0), .none, AppIndex(1), AppIndex(0)]
    }
    #expect(decisions.map(\.app) == [1, 0])
    #expect(decisions.map(\.score) == [2, 3])
  }

  @Test("An order that lacks a candidate fails the run with the app's name")
  func lack() throws {
    #expect(throws: RunError.policyFailed(policy: "own", reason: "its order lacks 'a'")) {
      _ = try Self.decisions { candidates in candidates = [AppIndex(1)] }
    }
  }

  @Test("A policy that says it the older way is still shown all candidates first")
  func olderWay() throws {
    let trace = try Trace(rows: "0s,a,launch\n1s,b,launch\n2s,c,launch")
    let configuration = try RunConfiguration.cache(ofApps: 2, for: trace)
    let recorder = CapturingRecorder()
    _ = try PolicySpec(parsing: "own", among: [Self.described("own") { CountOfCandidates() }])
      .run(trace, configuration, recorder: recorder)
    #expect(recorder.decisions.flatMap { $0.candidates.map(\.score) } == [2, 2])
  }

  @Test("A policy that cannot rank fails the run with its reason")
  func failure() throws {
    #expect(throws: RunError.policyFailed(policy: "own", reason: "it is tired")) {
      _ = try Self.decisions { _ throws(PolicyFailure) in throw PolicyFailure("it is tired") }
    }
  }

  /// The candidates of the only decision of a run in which C needs the room of A or B, by score.
  private static func decisions(
    _ rank: @escaping @Sendable (inout [AppIndex]) throws(PolicyFailure) -> Void
  ) throws -> [(app: Int, score: Double)] {
    let trace = try Trace(rows: "0s,a,launch\n1s,b,launch\n2s,c,launch")
    let configuration = try RunConfiguration.cache(ofApps: 2, for: trace)
    let recorder = CapturingRecorder()
    _ = try PolicySpec(
      parsing: "own", among: [described("own") { OrderOfTheTest(order: rank) }]
    ).run(trace, configuration, recorder: recorder)
    let decision = try #require(recorder.decisions.first)
    #expect(recorder.decisions.count == 1)
    return decision.candidates.map { ($0.app.position, $0.score) }
  }

  private static func described<Policy: PurgePolicy>(
    _ name: String, _ make: @escaping @Sendable () -> Policy
  ) -> PolicyDescriptor {
    PolicyDescriptor(name: name, family: "test", summary: "", details: "", source: "") {
      (_, _) throws(ConfigurationError) in make()
    }
  }
}

/// Ranks as a test says.
private struct OrderOfTheTest: RankingPolicy {
  let order: @Sendable (inout [AppIndex]) throws(PolicyFailure) -> Void

  func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure) { try order(&candidates) }
}

/// Scores every app with the number of candidates, and asks to see them as policies did before
/// ``PurgePolicy/ordering``.
private struct CountOfCandidates: PurgePolicy {
  static var ranksTogether: Bool { true }
  private var count = 0

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) { count = candidates.count }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    Double(count)
  }
}
