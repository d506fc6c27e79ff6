import Foundation
import JettisonCore
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("The articles on captures")
struct CaptureArticleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../..").standardizedFileURL

  private static let sources = root.appendingPathComponent("Sources")

  /// The formats that have a page: native traces have the article on the trace format.
  private static let formats = TraceFormats.all.list.filter { !$0.isNative }.map(\.name)

  /// The headings of a page on a format, in their order.
  private static let headings = [
    "Overview", "Recording it", "What becomes of it", "What it lacks",
    "What that means for a replay",
  ]

  /// Every article of every catalog by its module and its name, whatever folder it is in.
  private func articles() throws -> [String: String] {
    let files = try #require(FileManager.default.enumerator(atPath: Self.sources.path))
    var texts: [String: String] = [:]
    for case let path as String in files where path.hasSuffix(".md") {
      let file = Self.sources.appendingPathComponent(path)
      let module = path.prefix { $0 != "/" }
      let name = "\(module)/\(file.deletingPathExtension().lastPathComponent)"
      #expect(texts[name] == nil, "two articles of the name \(name)")
      texts[name] = try String(contentsOf: file, encoding: .utf8)
    }
    return texts
  }

  private func article(_ name: String, of module: String = "JettisonImporters") throws -> String {
    try #require(try articles()["\(module)/\(name)"], "\(name)")
  }

  /// The headings of a level, without what looks like one in a block of code.
  private func headings(_ level: Int, of text: String) -> [String] {
    let mark = String(repeating: "#", count: level) + " "
    var isCode = false
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && line.hasPrefix(mark) ? String(line.dropFirst(mark.count)) : nil
    }
  }

  @Test("Every format has a page of its name, and there are no others")
  func pages() throws {
    let folder = Self.sources.appendingPathComponent(
      "JettisonImporters/JettisonImporters.docc/Captures"
    ).path
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(pages.sorted() == Self.formats.map { "\($0).md" }.sorted())
  }

  @Test("A page has its name as title, the headings of all pages, and something below each")
  func headings() throws {
    for format in Self.formats {
      let text = try article(format)
      #expect(headings(1, of: text) == [format])
      #expect(headings(2, of: text) == Self.headings, "\(format)")
      let isEmpty = text.firstMatch(of: /\n## [^\n]*\n+(?:## |$)/) != nil
      #expect(!isEmpty, "\(format)")
    }
  }

  @Test("The table of formats and the list of articles name every page once")
  func index() throws {
    let rows = try article("ImportingCaptures").split(separator: "\n")
    let items = try article("JettisonImporters").split(separator: "\n")
    for format in Self.formats {
      #expect(rows.count { $0.hasPrefix("| <doc:\(format)> |") } == 1, "\(format)")
      #expect(items.count { $0 == "- <doc:\(format)>" } == 1, "\(format)")
    }
  }

  @Test("Every link leads to an article, and to a heading of it")
  func links() throws {
    let articles = try articles()
    let link = /[<(]doc:(?:\/(\w+)\/)?([\w\-]*)(?:#([\w\-]+))?[>)]/
    var count = 0
    for (name, text) in articles {
      for match in text.matches(of: link) {
        count += 1
        let module = match.output.1 ?? name.prefix { $0 != "/" }
        let target = match.output.2.isEmpty ? name : "\(module)/\(match.output.2)"
        let found = try #require(articles[target], "\(match.output.0) in \(name)")
        guard let anchor = match.output.3 else { continue }
        let anchors = (headings(2, of: found) + headings(3, of: found)).map(Self.anchor)
        #expect(anchors.contains(String(anchor)), "\(match.output.0) in \(name)")
      }
      #expect(text.matches(of: /[<(]doc:/).count == text.matches(of: link).count, "\(name)")
    }
    #expect(count > 100)
  }

  /// What DocC makes of a heading: blanks become hyphens, other marks go.
  private static func anchor(of heading: String) -> String {
    String(
      heading.compactMap { character in
        if character.isWhitespace { return "-" }
        return character.isLetter || character.isNumber || character == "-" ? character : nil
      })
  }

  @Test("The README lists every format")
  func readme() throws {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    for format in TraceFormats.all.list where !format.isNative {
      #expect(text.contains("`\(format.name)`"), "\(format.name)")
    }
  }

  @Test("The merged half hour has the blocks of the one program that the article counts")
  func merging() throws {
    let captured = Self.root.appendingPathComponent("traces/captured").path
    let inputs = ["\(captured)/desktop.csv", "sqlite3=\(captured)/allocations-sqlite3.csv"]
    let trace = try TraceMerge.load(
      inputs, name: "desk", formats: .all, options: ImportOptions())
    let blocks = trace.index.kindCounts[Int(EventKind.alloc.rawValue)]
    let text = try article("ReplayingCaptures", of: "JettisonExperiments")
    #expect(text.contains("\"\(blocks) blocks of 1 app\""), "\(blocks)")
  }
}
