import JettisonSupport

/// A plot with two scales.
///
/// Places are percentages of the plot, which is as wide as the page lets it be; text and marks keep
/// their size. Marks are small drawings at a place, lines are stretched between places.
package struct Chart: Sendable {
  package var x: Axis
  package var y: Axis
  /// In pixels.
  package var height: Int
  /// Whether there is a line at the left; where rows have names, none.
  package var isFramed: Bool

  /// A plot between two scales.
  package init(x: Axis, y: Axis, height: Int = 320, isFramed: Bool = true) {
    self.x = x
    self.y = y
    self.height = height
    self.isFramed = isFramed
  }

  // MARK: Parts

  /// A drawing around a point of the plot.
  package func at(_ xValue: Double, _ yValue: Double, _ content: Markup) -> Markup {
    Markup("svg", ["x": place(x.percent(xValue)), "y": place(100 - y.percent(yValue))], content)
  }

  /// A straight line between two points.
  package func segment(
    _ from: (Double, Double), _ to: (Double, Double), _ style: String
  ) -> Markup {
    .shape(
      "line",
      [
        "x1": place(x.percent(from.0)), "y1": place(100 - y.percent(from.1)),
        "x2": place(x.percent(to.0)), "y2": place(100 - y.percent(to.1)), "class": style,
      ])
  }

  /// A line through points.
  package func line(_ points: [(Double, Double)], _ style: String) -> Markup {
    stretched(.shape("polyline", ["points": text(points), "class": "line \(style)"]))
  }

  /// What lies between two lines.
  package func band(
    _ points: [(x: Double, low: Double, high: Double)], _ style: String
  ) -> Markup {
    let outline = points.map { ($0.x, $0.high) } + points.reversed().map { ($0.x, $0.low) }
    return stretched(.shape("polygon", ["points": text(outline), "class": "band \(style)"]))
  }

  private func stretched(_ content: Markup) -> Markup {
    Markup(
      "svg",
      [
        "viewBox": "0 0 1000 1000", "preserveAspectRatio": "none", "width": "100%",
        "height": "100%",
      ], content)
  }

  private func text(_ points: [(Double, Double)]) -> String {
    points.map { point in
      let (left, top) = (10 * x.percent(point.0), 1000 - 10 * y.percent(point.1))
      return "\(Self.rounded(left)),\(Self.rounded(top))"
    }.joined(separator: " ")
  }

  private func place(_ percent: Double) -> String { "\(Self.rounded(percent))%" }

  /// A number with two decimals: a third can't be seen.
  static func rounded(_ value: Double) -> String { NumberText.real((value * 100).rounded() / 100) }

  /// A number as files have it.
  static func exact(_ value: Double) -> String { NumberText.real(value) }

  // MARK: Whole

  /// The figure with everything in it.
  ///
  /// - Parameters:
  ///   - caption: What it shows, in a sentence.
  ///   - content: Lines first, then marks, in the order in which keys go through them.
  ///   - legend: What marks mean.
  package func figure(caption: String, content: Markup, legend: Markup = Markup()) -> Markup {
    let svg = Markup(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": "100%", "height": "\(height)",
        "role": "group", "aria-label": caption,
      ], scales + content)
    return Markup(
      "figure", [:],
      Markup("figcaption", text: caption)
        + (y.title.isEmpty ? Markup() : Markup("p", ["class": "unit"], text: y.title))
        + Markup("div", ["class": isFramed ? "plot" : "plot rows"], svg) + legend)
  }

  /// The marks of the horizontal scale whose labels fit beside each other on the narrowest page.
  private var labelledTicks: Set<Int> {
    var labelled: Set<Int> = []
    var end = -Double.infinity
    for (number, (value, label)) in x.ticks.enumerated() {
      let middle = x.percent(value) / 100 * Labels.narrowest
      let half = Double(label.count) * Labels.letter / 2
      if middle - half >= end + 6 {
        labelled.insert(number)
        end = middle + half
      }
    }
    return labelled
  }

  private var scales: Markup {
    var scales = Markup()
    for (value, label) in y.ticks {
      let top = place(100 - y.percent(value))
      scales += .shape("line", ["x1": "0", "y1": top, "x2": "100%", "y2": top, "class": "grid"])
      scales += Markup(
        "text",
        ["x": "-8", "y": top, "dy": "4", "text-anchor": "end", "class": "tick"], text: label)
    }
    let labelled = labelledTicks
    for (number, (value, label)) in x.ticks.enumerated() {
      let left = place(x.percent(value))
      scales += .shape("line", ["x1": left, "y1": "0", "x2": left, "y2": "100%", "class": "grid"])
      scales += Markup(
        "text",
        [
          "x": left, "y": "100%", "dy": "18", "text-anchor": "middle",
          "class": labelled.contains(number) ? "tick" : "tick wide-only",
        ], text: label)
    }
    scales += .shape(
      "line", ["x1": "0", "y1": "100%", "x2": "100%", "y2": "100%", "class": "frame"])
    if isFramed {
      scales += .shape(
        "line", ["x1": "0", "y1": "0", "x2": "0", "y2": "100%", "class": "frame"])
    }
    scales += Markup(
      "text",
      ["x": "100%", "y": "100%", "dy": "36", "text-anchor": "end", "class": "axis-title"],
      text: x.title)
    return scales
  }
}
