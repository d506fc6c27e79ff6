/// A table for people: aligned by the type of each column, or the same in Markdown.
///
/// In a terminal too narrow for it columns leave that may, then gaps shrink or words go on in
/// further lines; at last the table goes on below, with its first column again. No line is wider
/// than the terminal, unless a number is, and nothing is cut off.
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
    /// Place among the columns that go where there is no room, 1 the last to go; nil: the
    /// column stays.
    package var rank: Int?

    /// Makes a head.
    package init(_ title: String, _ alignment: Alignment, rank: Int? = nil) {
      self.title = title
      self.alignment = alignment
      self.rank = rank
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

  /// Narrowest that a column of words becomes; no word up to this width is broken.
  private static let narrowest = 24
  /// Blanks between two columns, where there is room.
  private static let gap = 2

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
    lines(style).map { $0 + "\n" }.joined()
  }

  /// Titles of the columns for which a style has no room.
  package func omitted(_ style: TextStyle) -> [String] {
    let shown = shownColumns(style)
    return columns.indices.filter { !shown.contains($0) }.map { columns[$0].title }
  }

  private func lines(_ style: TextStyle) -> [String] {
    let layouts = layouts(style)
    var lines: [String] = []
    for layout in layouts {
      if !lines.isEmpty { lines.append("") }
      lines += head(layout, style)
      for row in rows { lines += block(layout.columns.map { row[$0] }, layout, style) }
    }
    return lines
  }

  private func head(_ layout: Layout, _ style: TextStyle) -> [String] {
    guard hasHeader else { return [] }
    let heads = zip(layout.columns, layout.widths).map { column, width in
      Prose.wrap(columns[column].title, width: width)
    }
    let height = heads.map(\.count).max() ?? 0
    let titles = (0..<height).map { line in
      // Heads of several lines stand on the rule.
      let cells = heads.map { head -> Cell in
        let place = line - (height - head.count)
        return Cell(place < 0 ? "" : head[place], .bold)
      }
      return terminalLine(cells, layout, style)
    }
    let rule = layout.widths.map { Cell(String(repeating: "-", count: $0), .dim) }
    return titles + [terminalLine(rule, layout, style)]
  }

  /// The lines of one row: more than one where words go on.
  private func block(_ cells: [Cell], _ layout: Layout, _ style: TextStyle) -> [String] {
    let texts = cells.indices.map { position in
      columns[layout.columns[position]].alignment == .left
        ? Prose.fill(cells[position].text, width: layout.widths[position])
        : [cells[position].text]
    }
    return (0..<(texts.map(\.count).max() ?? 0)).map { line in
      let parts = cells.indices.map { position in
        Cell(
          line < texts[position].count ? texts[position][line] : "", cells[position].emphasis)
      }
      return terminalLine(parts, layout, style)
    }
  }

  /// One line, without blanks at its end.
  private func terminalLine(_ cells: [Cell], _ layout: Layout, _ style: TextStyle) -> String {
    let blank = String(repeating: " ", count: layout.gap)
    var line = ""
    var gap = ""
    for (position, cell) in cells.enumerated() {
      let size = TextStyle.displayWidth(cell.text)
      let padding = String(repeating: " ", count: max(0, layout.widths[position] - size))
      let set = style.emphasised(cell.text, cell.emphasis)
      if cell.text.isEmpty {
        gap += padding + blank
      } else if columns[layout.columns[position]].alignment == .right {
        line += gap + padding + set
        gap = blank
      } else {
        line += gap + set
        gap = padding + blank
      }
    }
    return line
  }
}

// MARK: - Widths

extension TextTable {
  /// Columns that stand beside each other, and how wide they and the gaps between them are.
  private struct Layout {
    var columns: [Int]
    var widths: [Int]
    var gap: Int

    var width: Int { widths.reduce(0, +) + gap * max(0, widths.count - 1) }
  }

  /// The table in as many parts as it takes, one below the other.
  private func layouts(_ style: TextStyle) -> [Layout] {
    let shown = shownColumns(style)
    guard let limit = style.width else { return [natural(shown)] }
    let whole = fitted(shown, limit)
    guard whole.width > limit, shown.count > 2 else { return [whole] }
    var layouts: [Layout] = []
    var rest = shown.dropFirst()
    while !rest.isEmpty {
      var part = [shown[0]] + rest
      while part.count > 2, broken(natural(part), limit).width > limit { part.removeLast() }
      layouts.append(fitted(part, limit))
      rest = rest.dropFirst(part.count - 1)
    }
    return layouts
  }

  /// Positions of the columns that stay, and of those among the others for which there is room.
  private func shownColumns(_ style: TextStyle) -> [Int] {
    var shown = columns.indices.filter { columns[$0].rank == nil }
    let others = columns.indices.filter { columns[$0].rank != nil }
      .sorted { (columns[$0].rank ?? 0, $0) < (columns[$1].rank ?? 0, $1) }
    for other in others {
      let more = (shown + [other]).sorted()
      if natural(more).width <= style.width ?? .max { shown = more }
    }
    return shown
  }

  /// Columns beside each other in as much room as there is: narrower gaps if those are enough, else
  /// words go on in the next line, else both.
  private func fitted(_ columns: [Int], _ limit: Int) -> Layout {
    let natural = natural(columns)
    var tight = natural
    tight.gap = 1
    for layout in [natural, tight, broken(natural, limit)] where layout.width <= limit {
      return layout
    }
    return broken(tight, limit)
  }

  /// The same with less room for words, as far as that helps.
  private func broken(_ layout: Layout, _ limit: Int) -> Layout {
    var layout = layout
    while layout.width > limit {
      let words = layout.columns.indices.filter {
        columns[layout.columns[$0]].alignment == .left && layout.widths[$0] > Self.narrowest
      }
      guard let widest = words.max(by: { layout.widths[$0] < layout.widths[$1] }) else { break }
      layout.widths[widest] -= 1
    }
    return layout
  }

  /// Columns beside each other in as much room as they like.
  private func natural(_ columns: [Int]) -> Layout {
    Layout(columns: columns, widths: columns.map(naturalWidth), gap: Self.gap)
  }

  /// As wide as the fields of a column and its head are.
  private func naturalWidth(_ position: Int) -> Int {
    let least = position < minimumWidths.count ? minimumWidths[position] : 0
    let fields = rows.map { TextStyle.displayWidth($0[position].text) }.max() ?? 0
    return max(least, fields, hasHeader ? headWidth(columns[position].title) : 0)
  }

  /// Least width at which a head takes two lines, or three if it is long.
  private func headWidth(_ title: String) -> Int {
    let words = title.split(separator: " ").map(TextStyle.displayWidth)
    var width = words.max() ?? 0
    while Prose.wrap(title, width: width).count > (title.count > 20 ? 3 : 2) { width += 1 }
    return width
  }
}
