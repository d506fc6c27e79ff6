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
  /// Lets `body` read a file of the format.
  private static func withLog(
    _ text: String = "0 com.example.mail\n", _ body: (_ path: String) throws -> Void
  ) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("front-log-\(UUID().uuidString).log").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try body(path)
  }

  /// A format of several users.
  private static func shared(
    _ read: @escaping @Sendable (TraceInput, ImportOptions) throws(TraceError) -> [Trace]
  ) -> TraceFormats {
    TraceFormats.native.adding([
      TraceFormat(
        name: "shared", summary: "Several users.", provides: [.launches], sniff: { _ in true },
        read: TraceFormat.frontLog.read, readAll: read)
    ])
  }

  @Test("Two formats of one name are refused where one is asked for or recognised")
  func sharedNames() throws {
    let twice = TraceFormats.all.adding([.frontLog, .frontLog])
    #expect(throws: ConfigurationError.self) { try twice.named("front-log") }
    #expect(try twice.named("csv").name == "csv")
    try Self.withLog { path in
      #expect(throws: TraceError.self) { try TraceLoader.load(path, formats: twice) }
    }
    let other = TraceFormat(
      name: "jettison", summary: "Another one.", provides: [.launches],
      read: TraceFormat.frontLog.read)
    #expect(!other.isNative && TraceFormats.native.list.allSatisfy(\.isNative))
  }

  @Test("Users of one name are told apart, and no user at all is an error")
  func users() throws {
    try Self.withLog { path in
      let three = Self.shared { (input, options) throws(TraceError) in
        let trace = try TraceFormat.frontLog.read(input, options)
        return [trace, trace, trace]
      }
      let traces = try TraceLoader.loadAll(TraceInput(path: path, formats: three, name: "a"))
      #expect(traces.map(\.name) == ["a", "a:2", "a:3"])
      let none = Self.shared { (_, _) throws(TraceError) in [] }
      #expect(throws: TraceError.self) {
        try TraceLoader.loadAll(TraceInput(path: path, formats: none))
      }
    }
  }

  @Test("Formats that open no database say so")
  func database() throws {
    try Self.withLog("SQLite format 3\0") { path in
      let error = #expect(throws: TraceError.self) { try TraceLoader.load(path) }
      #expect(error?.what.contains("SQLite") == true)
    }
  }
}
