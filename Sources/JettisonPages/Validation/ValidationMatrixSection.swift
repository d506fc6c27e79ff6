import JettisonReports
import JettisonSupport

/// Draws a ``ValidationMatrix``: how often each policy has the victim first, beside chance; and every
/// kill with its ranks, behind which stands why not.
struct ValidationMatrixSection {
  /// Cells that a page shows at most; those of kills further on are in the files.
  static let shownCells = 9000

  private let matrix: ValidationMatrix
  private let rows: ArraySlice<ValidationMatrix.Row>

  init(_ matrix: ValidationMatrix) {
    self.matrix = matrix
    let most = max(20, Self.shownCells / max(1, matrix.columns.count))
    rows = matrix.rows.prefix(most)
  }

  /// Kills that are not shown.
  var hiddenRows: Int { matrix.rows.count - rows.count }

  // MARK: Shares

  private static let barHeight = 220
  private static let left = 2_600
  private static let right = 9_000

  /// A bar for each policy: the share of victims that it puts first, the best on top, and the mark of
  /// chance.
  func writeShares(to out: inout MarkupWriter) {
    let columns = matrix.columns.filter { $0.share != nil }
      .enumerated().sorted { a, b in
        let (first, second) = (a.element.share ?? 0, b.element.share ?? 0)
        return first == second ? a.offset < b.offset : first > second
      }.map(\.element)
    guard !columns.isEmpty else { return }
    let height = columns.count * Self.barHeight + 240
    out.markup("<figure><div class=\"scroll\" tabindex=\"0\" role=\"region\"")
    out.markup(" aria-label=\"Victims that each policy puts first\">")
    out.markup("<svg class=\"shares\" role=\"group\" viewBox=\"0 0 1000 ")
    out.tenths(height)
    out.markup("\" aria-label=\"Victims that each policy puts first\">")
    for percent in stride(from: 0, through: 100, by: 25) {
      let x = x(Double(percent) / 100)
      out.markup("<path class=\"grid\" d=\"M")
      out.tenths(x)
      out.markup(" 0V")
      out.tenths(height - 220)
      out.markup("\"/>")
      out.label("\(percent) %", x: x, y: height - 80, "tick")
    }
    for (place, column) in columns.enumerated() {
      draw(column, top: place * Self.barHeight, to: &out)
    }
    out.markup("</svg></div></figure>")
  }

  private func x(_ share: Double) -> Int {
    Self.left + Int((share * Double(Self.right - Self.left)).rounded())
  }

  private func draw(
    _ column: ValidationMatrix.Column, top: Int, to out: inout MarkupWriter
  ) {
    let share = column.share ?? 0
    let chance = column.chanceOfFirst / Double(max(1, column.ranked))
    let story =
      "\(PageText.name(column.name)): \(column.first) of \(column.ranked) victims first "
      + "(\(HumanText.count(100 * share)) %); by chance \(HumanText.count(column.chanceOfFirst)) "
      + "(\(HumanText.percent(chance)))"
    out.markup("<g class=\"share\" tabindex=\"0\" role=\"img\" data-tip=\"\"")
    out.attribute("data-first", Int64(column.first))
    out.attribute("data-ranked", Int64(column.ranked))
    out.markup("><title>")
    out.text(story)
    out.markup("</title>")
    out.label(PageText.name(column.name, longest: 36), x: Self.left - 80, y: top + 140, "lane-name")
    out.markup("<path class=\"bar\" d=\"M")
    out.tenths(Self.left)
    out.markup(" ")
    out.tenths(top + 40)
    out.command("H")
    out.tenths(max(Self.left + 10, x(share)))
    out.markup("v13H")
    out.tenths(Self.left)
    out.markup("Z\"/><path class=\"chance\" d=\"M")
    out.tenths(x(chance))
    out.markup(" ")
    out.tenths(top + 15)
    out.markup("v18\"/>")
    out.label(
      "\(column.first) of \(column.ranked)", x: max(x(share), x(chance)) + 80, y: top + 140, "value"
    )
    out.markup("</g>")
  }

  // MARK: Matrix

  /// The table: a row per kill, a column per policy.
  func writeMatrix(to out: inout MarkupWriter) {
    let isNarrow = matrix.columns.count > 6
    out.markup("<div class=\"scroll\" tabindex=\"0\" role=\"region\"")
    out.markup(" aria-label=\"Ranks of captured kills\">")
    if isNarrow {
      out.markup("<table class=\"matrix narrow\">")
    } else {
      out.markup("<table class=\"matrix\">")
    }
    out.markup("<thead><tr><th scope=\"col\">captured kill</th>")
    for column in matrix.columns {
      out.markup("<th scope=\"col\" class=\"policy\"><span>")
      out.text(PageText.name(column.name, longest: 36))
      out.markup("</span></th>")
    }
    out.markup(
      "<th scope=\"col\" class=\"number\">of</th><th scope=\"col\" class=\"number\">by chance</th>")
    out.markup("</tr></thead>")
    var trace: String?
    for (place, row) in rows.enumerated() {
      if row.trace != trace {
        if trace != nil { out.markup("</tbody>") }
        out.markup("<tbody>")
        if matrix.rows.first?.trace != matrix.rows.last?.trace { write(trace: row.trace, to: &out) }
        trace = row.trace
      }
      write(row, place: place, to: &out)
    }
    if trace != nil { out.markup("</tbody>") }
    out.markup("</table></div>")
  }

  private func write(trace: String, to out: inout MarkupWriter) {
    out.markup("<tr class=\"trace\"><th scope=\"rowgroup\"")
    out.attribute("colspan", Int64(matrix.columns.count + 3))
    out.markup(">")
    out.text(PageText.name(trace))
    out.markup("</th></tr>")
  }

  private func write(_ row: ValidationMatrix.Row, place: Int, to out: inout MarkupWriter) {
    out.markup("<tr><th scope=\"row\"><details class=\"why\"><summary><b>")
    out.text(HumanText.duration(nanoseconds: row.time))
    out.markup("</b> <bdi>")
    out.text(PageText.name(row.app, longest: 40))
    out.markup("</bdi></summary><div")
    out.attribute("id", "kill-\(place + 1)")
    out.markup(">")
    writeWhy(row, to: &out)
    out.markup("</div></details></th>")
    for cell in row.cells { write(cell, place: place, to: &out) }
    let count = row.candidateCount
    out.cell(count.map { "\($0)" } ?? "–")
    out.cell(count.map { HumanText.count(Double($0 + 1) / 2) } ?? "–")
    out.markup("</tr>")
  }

  /// The rank, the darker the higher it is; a link to why not.
  private func write(_ row: ValidationRow?, place: Int, to out: inout MarkupWriter) {
    guard let row, let rank = row.rank else { return out.markup("<td class=\"rank none\">–</td>") }
    switch rank {
    case 1: out.markup("<td class=\"rank first\"><a")
    case 2, 3: out.markup("<td class=\"rank near\"><a")
    default: out.markup("<td class=\"rank\"><a")
    }
    out.attribute("href", "#kill-\(place + 1)")
    out.markup(">")
    out.number(rank)
    out.markup("</a></td>")
  }

  /// What the capture says, and what came of it under each policy; those alike together.
  private func writeWhy(_ row: ValidationMatrix.Row, to out: inout MarkupWriter) {
    var facts = "cause \(row.cause)"
    if let band = row.band { facts += ", band \(band)" }
    out.paragraph("In the capture: \(facts). Each policy deciding for itself:")
    var stories: [(text: String, policies: [String])] = []
    for (column, cell) in zip(matrix.columns, row.cells) {
      guard let cell else { continue }
      let text = PageText.name(ValidationSummary.story(cell), longest: 240)
      if let place = stories.firstIndex(where: { $0.text == text }) {
        stories[place].policies.append(PageText.name(column.name))
      } else {
        stories.append((text, [PageText.name(column.name)]))
      }
    }
    out.markup("<ul>")
    for story in stories {
      out.markup("<li><b>")
      out.text(story.policies.joined(separator: ", "))
      out.markup("</b>: ")
      out.text(story.text)
      out.markup("</li>")
    }
    out.markup("</ul>")
  }

  // MARK: Data

  /// Everything that is shown, as JSON.
  func writeJSON(to out: inout MarkupWriter) {
    out.list("{\"policies\":[", matrix.columns) { column, out in
      out.quoted(column.name)
      out.command(",")
      out.numbers(Int64(column.ranked), Int64(column.first))
      out.command(",")
      out.real(column.reciprocalRanks)
      out.command(",")
      out.real(column.chanceOfFirst)
    }
    out.list(",\"kills\":[", rows) { row, out in
      out.quoted(row.trace)
      out.command(",")
      out.number(row.time)
      out.quotedAfterCommas(row.app, row.cause)
      out.command(",")
      out.number(row.candidateCount ?? 0)
      out.list(",[", row.cells) { cell, out in
        out.numbers(Int64(cell?.rank ?? 0))
        out.quotedAfterCommas(cell?.outcome.rawValue ?? "")
      }
    }
    out.markup("}")
  }
}
