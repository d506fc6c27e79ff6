import JettisonCore
import JettisonReports
import JettisonSupport

/// A run in which memory is taken away: how many apps of each class still live, in steps.
struct SurvivorSteps {
  private static let shapes: [Mark.Shape] = [.square, .disc, .triangle, .diamond, .ring]
  private static let styles = (0..<shapes.count).map { "series-\($0)" }

  /// One per class, in the order of classes; never none.
  let rows: [CanaryRow]

  /// Classes that have apps, each with its place among all.
  private var shown: [(number: Int, row: CanaryRow)] {
    rows.enumerated().filter { $0.element.apps > 0 }.map { ($0.offset, $0.element) }
  }

  /// Corners of the line of a class: memory taken, and apps that live.
  static func corners(_ row: CanaryRow) -> [(taken: Int64, alive: Int)] {
    var corners: [(taken: Int64, alive: Int)] = [(0, row.apps)]
    for (place, death) in row.deaths.enumerated() {
      corners.append((death.takenBytes, row.apps - place))
      corners.append((death.takenBytes, row.apps - place - 1))
    }
    return corners + [(row.takenBytes, row.apps - row.deaths.count)]
  }

  var figure: Markup {
    let most = shown.map(\.row.apps).max() ?? 1
    let chart = Chart(
      x: Axis("memory taken away", covering: [0, Double(rows[0].takenBytes)], unit: .bytes),
      y: Axis("apps alive", covering: [0, Double(most)], unit: .count))
    var content = Markup()
    for (number, row) in shown {
      content += chart.line(
        Self.corners(row).map { (Double($0.taken), Double($0.alive)) },
        "stroke \(Self.styles[number])")
    }
    for (number, row) in shown {
      content += row.deaths.enumerated().map { place, death in
        Mark(Self.shapes[number], Self.styles[number], story: Self.story(of: death))
          .markup(in: chart, x: Double(death.takenBytes), y: Double(row.apps - place - 1))
      }.joined()
    }
    return chart.figure(
      caption: "Apps of each class that still live, against the memory that has been taken away; "
        + "a mark for each death.",
      content: content, legend: legend)
  }

  static func story(of death: CanaryRow.Death) -> String {
    let available = death.availableBytes.map { ", \(HumanText.size(bytes: $0)) available" } ?? ""
    return "\(PageText.name(death.app)) dies\n\(RAMFigure.exact(death.takenBytes)) taken away"
      + "\(available)\nrule: \(death.cause)"
  }

  private var legend: Markup {
    Markup(
      "ul", ["class": "legend"],
      shown.map { number, row in
        Mark(Self.shapes[number], Self.styles[number], story: "").legend(row.appClass.rawValue)
      }.joined())
  }

  /// Every figure of the drawing.
  var data: PageData {
    .array(
      rows.map { row in
        .object([
          ("class", .text(row.appClass.rawValue)), ("apps", .count(row.apps)),
          (
            "deaths",
            .array(
              row.deaths.map { death in
                .object([
                  ("app", .text(death.app)), ("taken_bytes", .cell(.integer(death.takenBytes))),
                  ("available_bytes", .cell(ReportCell(death.availableBytes))),
                  ("cause", .text(death.cause)),
                ])
              })
          ),
        ])
      })
  }
}
