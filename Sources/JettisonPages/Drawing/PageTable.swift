import JettisonCore
package import JettisonReports
import JettisonSupport

/// A table that the reader can sort by every column.
package struct PageTable: Sendable {
  /// A column: words to the left, figures to the right.
  package struct Column: Sendable {
    package var title: String
    package var isNumber: Bool

    /// A column of words.
    package static func words(_ title: String) -> Column { Column(title: title, isNumber: false) }

    /// A column of figures.
    package static func figures(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  /// What stands in a row and a column.
  package struct Cell: Sendable {
    package var content: Markup
    /// What rows are sorted by; nil: by what the cell says.
    package var exact: Double?
    package var isNumber = false
    /// Class of the colour.
    package var style = ""

    /// Words of a capture.
    package static func name(_ text: String) -> Cell { Cell(content: PageText.markup(text)) }

    /// A figure with its unit as people read it; empty where there is none.
    package static func figure(_ value: Double?, unit: MetricUnit, isRate: Bool = false) -> Cell {
      let text =
        isRate && unit == .count
        ? value.map(HumanText.rate) ?? "–" : HumanText.value(value, unit: unit)
      return .figure(value, text: text)
    }

    /// A figure as a text of its own.
    package static func figure(_ value: Double?, text: String, style: String = "") -> Cell {
      Cell(content: Markup(text), exact: value, isNumber: true, style: style)
    }
  }

  /// What the table is, for those who hear it.
  package var caption: String
  package var columns: [Column]
  private var rows: [(style: String, cells: [Cell])] = []

  /// A table without rows.
  package init(_ caption: String, _ columns: [Column]) {
    self.caption = caption
    self.columns = columns
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - cells: One per column; the first says what the row is about.
  ///   - style: Class of the row.
  package mutating func add(_ cells: [Cell], style: String = "") {
    rows.append((style, cells))
  }

  /// The whole, in a frame that scrolls where the page is too narrow.
  package var markup: Markup {
    let heads = columns.map { column in
      Markup(
        "th", ["scope": "col", "class": column.isNumber ? "number" : nil], text: column.title)
    }.joined()
    let body = rows.map { row in
      Markup(
        "tr", ["class": row.style.isEmpty ? nil : row.style],
        row.cells.enumerated().map { place, cell in Self.markup(cell, isFirst: place == 0) }
          .joined())
    }.joined()
    let table = Markup(
      "table", ["class": "sortable"],
      Markup("thead", [:], Markup("tr", [:], heads)) + Markup("tbody", [:], body))
    return Markup(
      "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption], table)
  }

  private static func markup(_ cell: Cell, isFirst: Bool) -> Markup {
    let classes = [cell.isNumber ? "number" : isFirst ? "name" : "", cell.style]
      .filter { !$0.isEmpty }.joined(separator: " ")
    let exact = cell.isNumber ? cell.exact.map(NumberText.real) ?? "" : nil
    return isFirst
      ? Markup("th", ["scope": "row", "class": classes], cell.content)
      : Markup(
        "td", ["class": classes.isEmpty ? nil : classes, "data-value": exact], cell.content)
  }
}
