import Foundation
import JettisonCore
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// The worked example of the article on trace formats, which `FrontLogFormat.swift` holds.
struct FormatArticleTests {
  @Test("The format of the article is the one that is tested")
  func sample() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let code = try String(
      contentsOf: folder.appendingPathComponent("FrontLogFormat.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: folder.appendingPathComponent(
        "../../../Sources/JettisonTraces/JettisonTraces.docc/AddingATraceFormat.md"),
      encoding: .utf8)
    let body = try #require(code.range(of: "extension").map { code[$0.lowerBound...] })
    #expect(article.contains("\n\(body)```"))
  }

  @Test("Lines become launches, and any other line is counted with its place")
  func reading() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("front-log-\(UUID().uuidString).log").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("0 com.example.mail\n12.5 com.example.notes\nnonsense\n".utf8)
      .write(to: URL(fileURLWithPath: path))
    let input = try TraceInput(path: path, formats: .all)
    let prefix = input.prefix
    let isRecognised = TraceFormat.frontLog.sniff(prefix.span)
    #expect(isRecognised)
    let trace = try TraceLoader.load(input, format: .frontLog)
    #expect(trace.apps == ["com.example.mail", "com.example.notes"])
    #expect(trace.index.kindCounts[Int(EventKind.launch.rawValue)] == 2)
    let errors = trace.issues.all.filter { $0.severity == .error }
    #expect(errors.map(\.lines) == [[3]])
  }
}
