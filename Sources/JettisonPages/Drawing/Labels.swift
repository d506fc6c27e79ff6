/// Names beside marks, as many as fit without covering each other.
///
/// A plot is as wide as the page: names are laid out twice, for the narrowest page and for one with
/// room, and the style sheet shows one of both.
struct Labels {
  /// A name and the mark that it belongs to.
  struct Label {
    var text: String
    /// Place of the mark, in percent.
    var x: Double
    var y: Double
  }

  private struct Box {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double

    func covers(_ other: Box) -> Bool {
      left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
  }

  /// Sizes in pixels: letters of the style sheet, marks, and plots.
  static let letter = 7.0
  /// Width of a plot on the narrowest page.
  static let narrowest = 230.0
  private static let line = 15.0
  private static let reach = 9.0
  private static let widths: [(width: Double, style: String)] = [
    (narrowest, "narrow-only"), (470, "wide-only"),
  ]
  private static let longest = 26

  private let labels: [Label]
  private let chart: Chart

  /// Takes names; the first are placed first.
  init(_ labels: [Label], in chart: Chart) {
    self.labels = labels
    self.chart = chart
  }

  var markup: Markup {
    Self.widths.map { width, style in
      Markup("g", ["class": style, "aria-hidden": "true"], placed(width))
    }.joined()
  }

  private func placed(_ width: Double) -> Markup {
    let height = Double(chart.height)
    func box(_ label: Label, reach: Double) -> Box {
      let (x, y) = (label.x / 100 * width, label.y / 100 * height)
      return Box(left: x - reach, right: x + reach, top: y - reach, bottom: y + reach)
    }
    var taken = labels.map { box($0, reach: 6) }
    var markup = Markup()
    for label in labels {
      let text = PageText.name(label.text, longest: Self.longest)
      let size = Double(text.count) * Self.letter
      let (x, y) = (label.x / 100 * width, label.y / 100 * height)
      // To the right, to the left, above, below.
      let places: [(dx: Double, dy: Double, anchor: String, left: Double)] = [
        (Self.reach, 4, "start", x + Self.reach), (-Self.reach, 4, "end", x - Self.reach - size),
        (0, -Self.reach - 2, "middle", x - size / 2), (0, Self.reach + 11, "middle", x - size / 2),
      ]
      let free = places.first { place in
        let own = Box(
          left: place.left, right: place.left + size, top: y + place.dy - 11,
          bottom: y + place.dy + Self.line - 11)
        guard own.left >= 0, own.right <= width + 16, own.top >= 0, own.bottom <= height else {
          return false
        }
        guard !taken.contains(where: own.covers) else { return false }
        taken.append(own)
        return true
      }
      guard let free else { continue }
      markup += Markup(
        "svg", ["x": "\(Chart.rounded(label.x))%", "y": "\(Chart.rounded(label.y))%"],
        Markup(
          "text",
          [
            "x": Chart.rounded(free.dx), "y": Chart.rounded(free.dy), "text-anchor": free.anchor,
            "class": "label",
          ], text: text))
    }
    return markup
  }
}
