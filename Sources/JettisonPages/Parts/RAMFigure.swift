import JettisonCore
import JettisonReports
import JettisonSupport

/// A figure against RAM: a line for each policy or habit, with the interval of its mean, its knee, and
/// the sizes from which on conditions are met.
struct RAMFigure {
  /// A line.
  struct Curve {
    /// What has the line.
    var name: String
    /// What the legend says of it beside its name.
    var remark = ""
    /// By memory, the smallest first.
    var points: [Point] = []

    /// Place of the point where it bends.
    var knee: Int? { Knee.place(points.map { (Double($0.memoryBytes), $0.mean) }) }

    var data: PageData {
      let knee = knee
      return .array(
        points.enumerated().map { place, point in
          .object([
            ("memory_bytes", .cell(.integer(point.memoryBytes))), ("mean", .real(point.mean)),
            ("low", .real(point.interval?.lowerBound)), ("high", .real(point.interval?.upperBound)),
            ("knee", .flag(place == knee)),
          ])
        })
    }
  }

  struct Point {
    var memoryBytes: Int64
    var mean: Double
    /// 95 % interval of the mean over users; nil: withheld.
    var interval: ClosedRange<Double>?
  }

  /// A size from which on something holds.
  struct Limit {
    var memoryBytes: Int64
    var words: String
  }

  /// Lines that a reader can tell apart.
  static let mostLines = shapes.count

  private static let shapes: [Mark.Shape] = [.square, .disc, .triangle, .diamond, .ring, .cross]
  private static let styles = ["plain", "series-0", "series-1", "series-2", "series-3", "series-4"]

  let metric: Metric
  let caption: String
  /// What is measured, per what.
  let title: String
  let curves: [Curve]
  var limits: [Limit] = []
  /// Whether memory is a capacity in apps.
  var countsApps = false

  /// A size so that it can be typed: what is whole in MiB is not rounded.
  static func exact(_ bytes: Int64, countsApps: Bool = false) -> String {
    if countsApps { return HumanText.counted(Double(bytes), "app") }
    let isWhole = bytes % (1 << 20) == 0 && bytes % (1 << 30) != 0
    return isWhole ? "\(bytes >> 20) MiB" : HumanText.size(bytes: bytes)
  }

  private var chart: Chart {
    let all = curves.flatMap(\.points)
    let ends = all.flatMap { [$0.mean, $0.interval?.upperBound ?? $0.mean] }
    return Chart(
      x: Axis(
        countsApps ? "capacity in apps" : "RAM", covering: all.map { Double($0.memoryBytes) },
        unit: countsApps ? .count : .bytes, startsAtZero: false),
      y: Axis(title, covering: ends, unit: metric.unit, scale: .powers))
  }

  var markup: Markup {
    let chart = chart
    var content = limits.map { limit in
      let x = Double(limit.memoryBytes)
      return chart.segment((x, chart.y.range.lowerBound), (x, chart.y.range.upperBound), "gate")
    }.joined()
    for (number, curve) in curves.enumerated() {
      content += Self.bands(curve).map { band in
        band.count > 1
          ? chart.band(band, "fill \(Self.styles[number])")
          : chart.segment(
            (band[0].x, band[0].low), (band[0].x, band[0].high),
            "error stroke \(Self.styles[number])")
      }.joined()
    }
    for (number, curve) in curves.enumerated() {
      content += chart.line(
        curve.points.map { (Double($0.memoryBytes), $0.mean) }, "stroke \(Self.styles[number])")
    }
    for (number, curve) in curves.enumerated() { content += marks(curve, number, in: chart) }
    for limit in limits {
      content += Mark(.diamond, "series-5", story: limit.words)
        .markup(in: chart, x: Double(limit.memoryBytes), y: chart.y.range.upperBound)
    }
    return chart.figure(caption: caption, content: content, legend: legend)
  }

  /// Points with an interval that follow each other.
  private static func bands(_ curve: Curve) -> [[(x: Double, low: Double, high: Double)]] {
    var bands: [[(x: Double, low: Double, high: Double)]] = []
    var isOpen = false
    for point in curve.points {
      guard let interval = point.interval else {
        isOpen = false
        continue
      }
      if !isOpen { bands.append([]) }
      isOpen = true
      bands[bands.count - 1].append(
        (Double(point.memoryBytes), interval.lowerBound, interval.upperBound))
    }
    return bands
  }

  private func marks(_ curve: Curve, _ number: Int, in chart: Chart) -> Markup {
    let knee = curve.knee
    return curve.points.enumerated().map { place, point in
      let x = Double(point.memoryBytes)
      let mark = Mark(
        Self.shapes[number], Self.styles[number],
        story: story(of: curve, point, isKnee: place == knee)
      ).markup(in: chart, x: x, y: point.mean)
      guard place == knee else { return mark }
      return chart.at(
        x, point.mean,
        .shape("circle", ["r": "11", "class": "knee stroke \(Self.styles[number])"])) + mark
    }.joined()
  }

  private func story(of curve: Curve, _ point: Point, isKnee: Bool) -> String {
    let interval =
      point.interval.map { ", 95 % interval \(text($0.lowerBound)) to \(text($0.upperBound))" }
      ?? ""
    return
      "\(PageText.name(curve.name)) with \(Self.exact(point.memoryBytes, countsApps: countsApps))\n"
      + "\(title): \(text(point.mean))\(interval)"
      + (isKnee ? "\nThe knee: from here on, more memory buys less." : "")
  }

  private func text(_ value: Double) -> String {
    metric.unit == .count ? HumanText.rate(value) : HumanText.value(value, unit: metric.unit)
  }

  private var legend: Markup {
    var items = curves.enumerated().map { number, curve in
      Mark(Self.shapes[number], Self.styles[number], story: "")
        .legend(PageText.name(curve.name, longest: 40) + curve.remark)
    }
    if curves.contains(where: { $0.knee != nil }) {
      items.append(
        Markup(
          "li", [:],
          Markup(
            "svg", ["viewBox": "-8 -8 16 16", "aria-hidden": "true"],
            .shape("circle", ["r": "7", "class": "knee stroke plain"])) + Markup("the knee")))
    }
    if !limits.isEmpty {
      items.append(
        Mark(.diamond, "series-5", story: "").legend("from here on no run meets a condition"))
    }
    return Markup("ul", ["class": "legend"], items.joined())
  }
}

/// Where a falling curve bends: the point farthest below the line between its ends, both scales
/// counted from 0 to 1 (Satopää et al., ICDCSW 2011).
enum Knee {
  /// Place of the point; nil: the curve is straight, rises, or has fewer than three points.
  static func place(_ points: [(x: Double, y: Double)]) -> Int? {
    guard points.count > 2, let first = points.first, let last = points.last, last.x > first.x,
      first.y > last.y
    else { return nil }
    let depths = points.map { point in
      (last.x - point.x) / (last.x - first.x) - (point.y - last.y) / (first.y - last.y)
    }
    guard let deepest = depths.max(), deepest > 0.05 else { return nil }
    return depths.firstIndex(of: deepest)
  }
}
