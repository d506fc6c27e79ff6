import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonPolicies

struct ImportedScoresTests {
  private static let rows: [ScoreTable.Row] = [
    .init(episode: 2, app: "b", score: 0.9), .init(episode: 0, app: "b", score: 0.1),
    .init(episode: 0, app: "a", score: 0.5), .init(episode: 2, app: "a", score: 7, trace: "other"),
    .init(episode: 0, app: "a", score: 0.4), .init(episode: 1, app: "z", score: 3),
  ]

  private static func scores(order: String, trace: Trace) throws -> [[String: Double]] {
    let configuration = try RunConfiguration.cache(ofApps: 2, for: trace)
    let recorder = CapturingRecorder()
    let descriptor = PolicyDescriptor.importedScores(ScoreTable(rows))
    let policy = ImportedScores(
      ScoreTable(rows), order: ImportedScores.Order(rawValue: order) ?? .ascending,
      context: PolicyContext(trace, configuration))
    #expect(descriptor.needsArguments)
    var engine = try ReplayEngine(
      trace, configuration, policy: policy, spec: PolicySpec(parsing: "lru"), recorder: recorder)
    _ = try engine.run(trace)
    return recorder.decisions.map { decision in
      Dictionary(
        uniqueKeysWithValues: decision.candidates.map { (trace.apps[$0.app.position], $0.score) })
    }
  }

  @Test("A score holds until the app's next one; the last row of a launch counts")
  func scores() throws {
    // Launches 0 to 4; the second launch of a at 1 counts though a is in front.
    let trace = try TraceText().row(0, "a", "launch").row(1, "a", "launch").row(2, "b", "launch")
      .row(3, "c", "launch").row(4, "d", "launch").end(5).trace()
    let ascending = try Self.scores(order: "asc", trace: trace)
    // At c (launch 3): a still has 0.4 of launch 0, b has 0.9 of launch 2. a goes; then, at d, c
    // has no score and goes before b.
    #expect(ascending == [["a": 0.4, "b": 0.9], ["b": 0.9, "c": -.infinity]])
    // The highest first: b goes, and then c, without a score, before a.
    let descending = try Self.scores(order: "desc", trace: trace)
    #expect(descending == [["a": -0.4, "b": -0.9], ["a": -0.4, "c": -.infinity]])
  }

  @Test("Rows that name a trace are for that trace only")
  func otherTraces() throws {
    let table = ScoreTable(Self.rows)
    #expect(table.scores(of: "a", in: "other").episodes == [0, 0, 2])
    #expect(table.scores(of: "a", in: "test").scores == [0.5, 0.4])
    #expect(table.scores(of: "b", in: "test").episodes == [0, 2])
    #expect(table.scores(of: "c", in: "test").episodes == [])
  }
}
