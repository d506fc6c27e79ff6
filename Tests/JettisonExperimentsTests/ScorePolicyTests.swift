import Foundation
import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonExperiments

@Suite("Scores from a file")
struct ScorePolicyTests {
  private static func spec(_ text: String) throws -> PolicySpec {
    try PolicySources.spec(text) { .value("--policies", $0) }
  }

  @Test("A file of scores orders the candidates of its trace")
  func run() throws {
    try withScratchFolder { folder in
      let path = folder.appendingPathComponent("scores.csv").path
      try "episode,app,score\n0,a,0.9\n1,b,0.2\n".write(
        toFile: path, atomically: true, encoding: .utf8)
      let trace = try TraceText().row(0, "a", "launch").row(1, "b", "launch")
        .row(2, "c", "launch").end(3).trace()
      var configuration = RunConfiguration(
        device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
        profiles: trace.apps.map { _ in AppProfile() })
      configuration.capacityApps = 2
      configuration.footprints = .declared
      for (order, victim) in [("asc", 1), ("desc", 0)] {
        let recorder = CapturingRecorder()
        let spec = try Self.spec("scores:file=\(path),order=\(order)+saved")
        #expect(spec.modifiers.isSavedFirst)
        _ = try spec.run(trace, configuration, recorder: recorder)
        let purged = recorder.events.filter { $0.kind == .purge }.map(\.app.position)
        #expect(purged == [victim], "\(order)")
      }
    }
  }

  @Test("Mistakes are named: no file, a missing file, a bad row, a bad order")
  func mistakes() throws {
    try withScratchFolder { folder in
      let path = folder.appendingPathComponent("scores.csv").path
      try "episode,app,score\nx,a,1\n".write(toFile: path, atomically: true, encoding: .utf8)
      for (text, message) in [
        ("scores", "write scores:file=scores.csv"),
        ("scores:file=\(path)", "scores.csv:2: column 'episode': 'x' is not a launch"),
        ("scores:file=\(path).none", "scores.csv.none: "),
        ("scores:file=\(path),order=up", "unknown value of parameter 'order' 'up'"),
      ] {
        #expect {
          try Self.spec(text)
        } throws: { error in
          "\(error)".contains(message)
        }
      }
    }
  }

  @Test("'all' leaves out what needs arguments")
  func all() {
    #expect(PolicySources.all.filter(\.needsArguments).map(\.name) == ["scores", "program"])
    #expect(PolicyRegistry.all.allSatisfy { !$0.needsArguments })
  }
}
