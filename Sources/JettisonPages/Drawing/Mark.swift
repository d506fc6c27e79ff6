/// What stands at a point of a plot: a shape and a colour that tell kinds apart, and a story.
package struct Mark: Sendable {
  /// Kinds of marks; each is told from the others by its shape alone, too.
  package enum Shape: String, Sendable {
    case disc, ring, square, triangle, diamond, cross

    /// The outline, drawn around 0.
    var outline: Markup {
      switch self {
      case .disc: .shape("circle", ["r": "6", "class": "shape fill"])
      case .ring: .shape("circle", ["r": "5", "class": "shape hollow"])
      case .square:
        .shape(
          "rect", ["x": "-6", "y": "-6", "width": "12", "height": "12", "class": "shape fill"])
      case .triangle: .shape("path", ["d": "M0 7 L7 -5 L-7 -5 Z", "class": "shape fill"])
      case .diamond: .shape("path", ["d": "M0 -7 L7 0 L0 7 L-7 0 Z", "class": "shape hollow"])
      case .cross: .shape("path", ["d": "M-5 -5 L5 5 M-5 5 L5 -5", "class": "shape stroke"])
      }
    }
  }

  package var shape: Shape
  /// Class of the colour: `good`, `bad`, `unsure`, `plain`, `oracle` or a series.
  package var style: String
  /// What it stands for and what its figures are: what is read aloud, and told on hover.
  package var story: String
  /// A mark with a story.
  package init(_ shape: Shape, _ style: String, story: String) {
    self.shape = shape
    self.style = style
    self.story = story
  }

  /// The mark, drawn around 0, which keys reach.
  ///
  /// - Parameters:
  ///   - chart: Where it stands.
  ///   - x: Value on the axis across.
  ///   - y: Value on the axis up.
  package func markup(in chart: Chart, x: Double, y: Double) -> Markup {
    chart.at(
      x, y,
      Markup(
        "g",
        [
          "class": "mark \(style)", "tabindex": "0", "role": "img", "aria-label": story,
          "data-tip": "", "data-x": Chart.exact(x), "data-y": Chart.exact(y),
        ],
        Markup("title", text: story) + .shape("circle", ["r": "12", "class": "hit"])
          + shape.outline))
  }

  /// A line of a legend.
  package func legend(_ words: String) -> Markup {
    Markup(
      "li", ["class": style],
      Markup("svg", ["viewBox": "-8 -8 16 16", "aria-hidden": "true"], shape.outline)
        + Markup(words))
  }
}
