import Foundation
import JettisonCore
import Testing

@testable import JettisonTraces

@Suite("The articles on captures")
struct CaptureArticleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardizedFileURL

  private func article(_ name: String) throws -> String {
    try String(
      contentsOf: Self.root.appendingPathComponent(
        "Sources/JettisonCore/JettisonCore.docc/\(name).md"), encoding: .utf8)
  }

  @Test("Every format has a section of its own name, and there are no others")
  func sections() throws {
    let sections = try article("ImportingCaptures").split(separator: "\n")
      .filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
    #expect(sections.sorted() == TraceFormat.all.filter { !$0.isNative }.map(\.name).sorted())
  }

  @Test("The README lists every format")
  func readme() throws {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    for format in TraceFormat.all where !format.isNative {
      #expect(text.contains("`\(format.name)`"), "\(format.name)")
    }
  }

  @Test("The merged half hour has the blocks of the one program that the article counts")
  func merging() throws {
    let captured = Self.root.appendingPathComponent("traces/captured").path
    let inputs = ["\(captured)/desktop.csv", "sqlite3=\(captured)/allocations-sqlite3.csv"]
    let trace = try TraceMerge.load(
      inputs, name: "desk", format: nil, options: ImportOptions())
    let blocks = trace.index.kindCounts[Int(EventKind.alloc.rawValue)]
    #expect(
      try article("ReplayingCaptures").contains("\"\(blocks) blocks of 1 app\""), "\(blocks)")
  }
}
