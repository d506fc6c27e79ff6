/// Rows of text in aligned columns.
struct TextTable {
  /// How a column stands.
  enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private let gap: String
  private var rows: [[String]] = []

  /// Makes an empty table.
  init(_ alignments: [Alignment], gap: Int = 2) {
    self.alignments = alignments
    self.gap = String(repeating: " ", count: gap)
  }

  /// Adds a row with as many cells as the table has columns.
  mutating func add(_ cells: [String]) {
    precondition(cells.count == alignments.count, "a row has a cell per column")
    rows.append(cells)
  }

  /// The lines, each with its indentation, without blanks at the end.
  func lines(indent: Int = 0) -> [String] {
    let widths = alignments.indices.map { column in
      rows.map { Self.width($0[column]) }.max() ?? 0
    }
    let margin = String(repeating: " ", count: indent)
    return rows.map { row in
      var line = margin
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - Self.width(cell))
        if column > 0 { line += gap }
        line += alignments[column] == .left ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// Columns of a terminal that a text takes; escape sequences take none.
  private static func width(_ text: String) -> Int {
    var width = 0
    var isEscape = false
    for character in text {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { width += 1 }
      if isEscape, character == "m" { isEscape = false }
    }
    return width
  }
}

/// The few styles of the output; plain unless a terminal wants colour.
struct Style {
  /// Whether escape sequences are written at all.
  let isOn: Bool

  func bold(_ text: String) -> String { wrap(text, "1") }
  func faint(_ text: String) -> String { wrap(text, "2") }
  func good(_ text: String) -> String { wrap(text, "32") }
  func bad(_ text: String) -> String { wrap(text, "31") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Breaks prose into lines.
enum Prose {
  /// Lines of at most `width` columns, each after `indent` blanks.
  static func wrap(_ text: String, width: Int = 88, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
      }
      line += line.count > indent ? " \(word)" : String(word)
    }
    return lines + (line.count > indent ? [line] : [])
  }
}
