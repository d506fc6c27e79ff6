import Foundation
import JettisonCore
import JettisonReports
import JettisonTestSupport
import Testing

@testable import JettisonExperiments

/// The queries of the article *Looking at a run in Perfetto*, run on the trace that it writes.
@Suite(
  "The article on Perfetto",
  .enabled(if: TraceProcessor.program != nil))
struct PerfettoArticleTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  /// The code blocks of the article, each with its language.
  private static func blocks() throws -> [(language: String, text: String)] {
    let article = try String(
      contentsOf: folder.appending(
        path: "Sources/JettisonReports/JettisonReports.docc/Perfetto.md"),
      encoding: .utf8)
    let parts = article.components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { place in
      let lines = parts[place].split(separator: "\n", omittingEmptySubsequences: false)
      return (String(lines[0]), lines.dropFirst().dropLast().joined(separator: "\n"))
    }
  }

  @Test("What it shows of queries is what the trace processor answers")
  func queries() async throws {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "jettison-\(UUID().uuidString).pftrace")
    defer { try? FileManager.default.removeItem(at: scratch) }
    var asked = ExperimentSpecification(
      traces: [Self.folder.appending(path: "traces/users-today/today-001.csv").path])
    asked.policies = try .reading("android")
    asked.devices = [try DeviceTable.device(named: "pixel-6")]
    asked.memoryBytes = [3 << 30]
    _ = try await Experiment(asked).run(into: [try PerfettoReportSink(path: scratch.path)])
    let blocks = try Self.blocks()
    let queries = blocks.indices.filter { blocks[$0].language == "sql" }
    #expect(queries.count == 3)
    // A module is included in a query of its own.
    let parts = queries.map { place in
      blocks[place].text.split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }.filter { !$0.isEmpty }
    }
    let answers = try TraceProcessor.query(scratch.path, parts.flatMap { $0 })
    var answered = 0
    for (place, part) in zip(queries, parts) {
      answered += part.count
      let shown = blocks[place + 1].text.split(separator: "\n").dropFirst().map(String.init)
      #expect(answers[answered - 1] == shown, "\(blocks[place].text)")
    }
  }
}
