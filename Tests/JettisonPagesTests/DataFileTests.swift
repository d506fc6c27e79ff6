import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonPages
@testable import JettisonReports

@Suite("Files of a page")
struct DataFileTests {
  private struct Row {
    var cells: [ReportCell]
  }

  /// What the script of a page makes of a file.
  static func text(of file: [String: Any]) throws -> String {
    if let text = file["text"] as? String { return text }
    let columns = try #require(file["columns"] as? [[String: Any]])
    let texts = try columns.map { column in
      if let figures = column["figures"] as? String { return spread(figures) }
      let words = column["words"] as? [String] ?? []
      var texts: [String] = []
      for cell in try #require(column["cells"] as? [Any]) {
        if let text = cell as? String {
          texts.append(text)
        } else {
          let number = try #require(cell as? Int)
          texts +=
            number >= 0
            ? [words[number]] : Array(repeating: texts[texts.count - 1], count: -number - 1)
        }
      }
      return texts
    }
    var lines = [columns.map { $0["name"] as? String ?? "" }.joined(separator: ",")]
    for row in 0..<(file["rows"] as? Int ?? 0) {
      lines.append(texts.map { $0[row] }.joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `0.5*3 2` as four cells.
  private static func spread(_ figures: String) -> [String] {
    figures.split(separator: " ", omittingEmptySubsequences: false).flatMap { part in
      let words = part.split(separator: "*", omittingEmptySubsequences: false)
      return Array(repeating: String(words[0]), count: words.count > 1 ? Int(words[1]) ?? 0 : 1)
    }
  }

  @Test("Any rows come back as the bytes that a CSV file has")
  func roundTrip() throws {
    for seed in UInt64(1)...200 {
      var random = SplitMix64(seed: seed)
      let width = Int.random(in: 1...5, using: &random)
      let kinds: [() -> ReportCell] = [
        { .empty }, { .integer(Int64.random(in: -3...3, using: &random)) },
        { .real(Double.random(in: -1...1, using: &random)) },
        { .seconds(Int64.random(in: 0...5, using: &random) * 500_000_000) },
        {
          .text(
            ["a", "b,c", "\"q\"", "=1", "x\ny", "א", "</script>"].randomElement(using: &random)
              ?? "")
        },
        { .unsigned(.max) },
      ]
      let count = Int.random(in: 0...40, using: &random)
      var rows: [Row] = []
      for _ in 0..<count {
        if let last = rows.last, Bool.random(using: &random) {
          rows.append(last)
        } else {
          rows.append(
            Row(
              cells: (0..<width).map { column in
                kinds[
                  (column + (Int.random(in: 0...4, using: &random) == 0 ? 1 : 0)) % kinds.count]()
              }))
        }
      }
      let table = ReportTable<Row>(
        fileName: "t.csv", rowMeaning: "row",
        fields: (0..<width).map { column in
          .init("c\(column)", "text", "A column.") { $0.cells[column] }
        })
      let file = DataFile(table, rows)
      let source = try #require(file.data).scriptText
      let read = try JSONSerialization.jsonObject(with: Data(source.utf8)) as? [String: Any]
      let expected = ([table.fields.map { ReportCell.text($0.column.name) }] + rows.map(\.cells))
        .map { String(decoding: CSVWriter.encoded($0), as: UTF8.self) + "\n" }.joined()
      #expect(try Self.text(of: #require(read)) == expected, "seed \(seed)")
    }
  }

  @Test("A page omits a file with too many cells, and says so")
  func large() {
    let table = ReportTable<Int>(
      fileName: "t.csv", rowMeaning: "number",
      fields: [.init("n", "number", "A number.") { .integer(Int64($0)) }])
    let file = DataFile(table, Array(0...DataFile.mostCells))
    #expect(file.data == nil)
    #expect(file.meaning.contains("too large"))
    #expect(DataFile(table, [1]).data != nil)
  }
}
