package import JettisonReports
import JettisonSupport

/// A file of `--csv` as a page holds it: its columns, with repetitions counted, from which the script
/// puts the same bytes together again.
package struct DataFile: Sendable {
  /// Largest number of cells that a page takes: more would make it heavy.
  package static let mostCells = 2_000_000

  /// Name of the file.
  package let name: String
  /// What its rows are, or why it is not here.
  package let meaning: String
  /// nil: it is too large for a page.
  let data: PageData?

  /// Takes rows as they would be written.
  package init<Row>(
    _ table: ReportTable<Row>, _ rows: [Row], mostCells: Int = Self.mostCells
  ) {
    self.init(table, rows, count: rows.count, mostCells: mostCells)
  }

  /// Takes so many rows as they would be written; too many are not even asked for.
  package init<Row>(
    _ table: ReportTable<Row>, _ rows: some Sequence<Row>, count: Int,
    mostCells: Int = Self.mostCells
  ) {
    name = table.fileName
    guard count * table.fields.count <= mostCells else {
      meaning = "too large for a page: --csv DIR writes it"
      data = nil
      return
    }
    meaning = "a row per \(table.rowMeaning)"
    var columns = table.fields.map { DataColumn(CSVWriter.text(of: .text($0.column.name))) }
    let cells = table.fields.map(\.cell)
    // Row by row: a row is large, and what it holds is counted.
    for row in rows {
      for place in cells.indices { columns[place].add(cells[place](row)) }
    }
    data = .object([("columns", .array(columns.map(\.data))), ("rows", .count(count))])
  }

  /// Takes a file that is no table.
  package init(name: String, meaning: String, text: String) {
    self.name = name
    self.meaning = meaning
    data = .object([("text", .text(text))])
  }
}

/// What the cells of a column say, and how often where it is more than once in a row.
///
/// Numbers are one text: `{"figures": "0.5*3 2"}` is 0.5, 0.5, 0.5, 2. Texts are a list:
/// `{"cells": ["a", -3, "b"]}` is a, a, a, b. Words that come back often are listed once, and cells
/// give their places: `{"words": ["a", "b"], "cells": [0, -3, 1]}` is the same.
private struct DataColumn {
  private let name: String
  private var last: ReportCell?
  /// What cells say, one after the other, and where each ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var counts: [Int] = []
  private var hasWords = false

  init(_ name: String) {
    self.name = name
  }

  mutating func add(_ cell: ReportCell) {
    if let last, last == cell {
      counts[counts.count - 1] += 1
      return
    }
    last = cell
    bytes.append(cell)
    ends.append(bytes.count)
    counts.append(1)
    if case .text = cell { hasWords = true }
  }

  var data: PageData {
    .object([("name", .text(name))] + (hasWords ? texts : [("figures", figures)]))
  }

  /// Numbers in one text, which holds nothing that JSON would have to escape.
  private var figures: PageData {
    var json: [UInt8] = [UInt8(ascii: "\"")]
    json.reserveCapacity(bytes.count + 4 * ends.count)
    var start = 0
    for (place, end) in ends.enumerated() {
      if place > 0 { json.append(UInt8(ascii: " ")) }
      json.append(contentsOf: bytes[start..<end])
      if counts[place] > 1 {
        json.append(UInt8(ascii: "*"))
        json.append(number: Int64(counts[place]))
      }
      start = end
    }
    json.append(UInt8(ascii: "\""))
    return .json(json)
  }

  private var texts: [(String, PageData)] {
    var texts: [String] = []
    var start = 0
    for end in ends {
      texts.append(String(decoding: bytes[start..<end], as: UTF8.self))
      start = end
    }
    var places: [String: Int] = [:]
    var words: [PageData] = []
    for text in texts where places[text] == nil {
      places[text] = words.count
      words.append(.text(text))
    }
    let comeBack = words.count * 3 < texts.count
    var cells: [PageData] = []
    for (text, count) in zip(texts, counts) {
      cells.append(comeBack ? .count(places[text] ?? 0) : .text(text))
      if count > 1 { cells.append(.count(-count)) }
    }
    return (comeBack ? [("words", .array(words))] : []) + [("cells", .array(cells))]
  }
}
