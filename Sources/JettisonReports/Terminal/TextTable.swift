/// A table for people: aligned by the type of each column, or the same in Markdown.
package struct TextTable: Sendable {
  /// How a column lines up.
  package enum Alignment: Sendable {
    /// Words. Too wide a table takes room from these.
    case left
    /// Numbers.
    case right
  }

  /// A column's head.
  package struct Column: Sendable {
    package var title: String
    package var alignment: Alignment

    /// Makes a head.
    package init(_ title: String, _ alignment: Alignment) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// One field.
  package struct Cell: Sendable, ExpressibleByStringInterpolation {
    package var text: String
    package var emphasis: TextStyle.Emphasis?

    /// Makes a field.
    package init(_ text: String, _ emphasis: TextStyle.Emphasis? = nil) {
      self.text = text
      self.emphasis = emphasis
    }

    package init(stringLiteral value: String) {
      self.init(value)
    }
  }

  /// Narrowest that a column of words becomes.
  private static let narrowest = 12

  package var columns: [Column]
  package private(set) var rows: [[Cell]] = []
  /// Whether heads are shown; Markdown always has them.
  package var hasHeader = true
  /// Widths that columns have at least, so that tables below each other line up.
  package var minimumWidths: [Int] = []

  /// A table without rows.
  package init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; missing fields are empty.
  package mutating func add(_ cells: [Cell]) {
    precondition(cells.count <= columns.count, "a row has no more fields than there are columns")
    let missing = columns.count - cells.count
    rows.append(
      cells.map { Cell(TextStyle.clean($0.text), $0.emphasis) }
        + Array(repeating: Cell(""), count: missing))
  }

  /// The table as lines, each ended.
  package func rendered(_ style: TextStyle) -> String {
    let lines = style.form == .markdown ? markdown() : terminal(style)
    return lines.map { $0 + "\n" }.joined()
  }

  private func markdown() -> [String] {
    let head = columns.map(\.title)
    let rule = columns.map { $0.alignment == .left ? "---" : "---:" }
    let body = rows.map { row in row.map { $0.text.replacing("|", with: "\\|") } }
    return ([head, rule] + body).map { "| \($0.joined(separator: " | ")) |" }
  }

  private func terminal(_ style: TextStyle) -> [String] {
    let (widths, gap) = fittedWidths(style.width)
    var lines: [String] = []
    if hasHeader {
      let heads = columns.indices.map { wrapped(columns[$0].title, widths[$0]) }
      let height = heads.map(\.count).max() ?? 0
      for line in 0..<height {
        // Heads of several lines stand on the rule.
        let cells = heads.map { head -> Cell in
          let place = line - (height - head.count)
          return Cell(place < 0 ? "" : head[place], .bold)
        }
        lines.append(terminalLine(cells, widths, gap, style))
      }
      let rule = widths.map { Cell(String(repeating: "-", count: $0), .dim) }
      lines.append(terminalLine(rule, widths, gap, style))
    }
    return lines + rows.map { terminalLine($0, widths, gap, style) }
  }

  /// One line, without blanks at its end.
  private func terminalLine(
    _ cells: [Cell], _ widths: [Int], _ between: Int, _ style: TextStyle
  ) -> String {
    let blank = String(repeating: " ", count: between)
    var line = ""
    var gap = ""
    for (position, cell) in cells.enumerated() {
      let text = shortened(cell.text, widths[position])
      let padding = String(
        repeating: " ", count: max(0, widths[position] - TextStyle.displayWidth(text)))
      let set = style.emphasised(text, cell.emphasis)
      if text.isEmpty {
        gap += padding + blank
      } else if columns[position].alignment == .right {
        line += gap + padding + set
        gap = blank
      } else {
        line += gap + set
        gap = padding + blank
      }
    }
    return line
  }

  /// Widths of the columns and of the gap between them: as wide as their fields; in a terminal
  /// too narrow first the gap gives way, then words do.
  private func fittedWidths(_ limit: Int?) -> (widths: [Int], gap: Int) {
    var widths = columns.indices.map { position -> Int in
      let least = position < minimumWidths.count ? minimumWidths[position] : 0
      let fields = rows.map { TextStyle.displayWidth($0[position].text) }.max() ?? 0
      return max(least, fields, hasHeader ? headWidth(columns[position].title) : 0)
    }
    guard let limit else { return (widths, 2) }
    let gaps = max(0, widths.count - 1)
    guard widths.reduce(0, +) + 2 * gaps > limit else { return (widths, 2) }
    var excess = widths.reduce(0, +) + gaps - limit
    while excess > 0 {
      let words = columns.indices.filter {
        columns[$0].alignment == .left && widths[$0] > Self.narrowest
      }
      guard let widest = words.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return (widths, 1)
  }

  /// Least width at which a head takes two lines, or three if it is long.
  private func headWidth(_ title: String) -> Int {
    let words = title.split(separator: " ").map(TextStyle.displayWidth)
    var width = words.max() ?? 0
    while wrapped(title, width).count > (title.count > 20 ? 3 : 2) { width += 1 }
    return width
  }

  /// A head broken at blanks into lines that fit.
  private func wrapped(_ title: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for word in title.split(separator: " ") {
      if let last = lines.last, TextStyle.displayWidth(last + " " + word) <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Text that fits, with a mark where something was left out.
  private func shortened(_ text: String, _ width: Int) -> String {
    guard TextStyle.displayWidth(text) > width else { return text }
    var kept = ""
    var room = width - 1
    for character in text {
      room -= TextStyle.displayWidth(String(character))
      if room < 0 { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
