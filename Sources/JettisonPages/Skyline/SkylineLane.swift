import JettisonCore

/// What one app did in a day: the states that it was in, one after the other.
struct SkylineLane {
  /// A state, from when to when.
  struct Span: Equatable {
    let start: Int64
    var end: Int64
    let shade: SkylineStack.Shade
  }

  let app: AppIndex
  private(set) var spans: [Span] = []

  /// How long the app was in a state, in nanoseconds.
  func duration(_ shade: SkylineStack.Shade) -> Int64 {
    spans.reduce(0) { $0 + ($1.shade == shade ? $1.end - $1.start : 0) }
  }

  /// Lanes of all apps that ran in a day, the one longest in front first.
  static func all(of day: SkylineDay, appCount: Int) -> [SkylineLane] {
    var lanes = (0..<appCount).map { SkylineLane(app: AppIndex($0)) }
    var open = [(start: Int64, shade: SkylineStack.Shade)?](repeating: nil, count: appCount)
    for change in day.firstStates {
      open[change.app.position] =
        SkylineStack.Shade(change.state).map { (day.range.lowerBound, $0) }
    }
    for change in day.states {
      let position = change.app.position
      let shade = SkylineStack.Shade(change.state)
      guard shade != open[position]?.shade else { continue }
      if let span = open[position] { lanes[position].add(span.start, change.time, span.shade) }
      open[position] = shade.map { (change.time, $0) }
    }
    for (position, span) in open.enumerated() {
      if let span { lanes[position].add(span.start, day.range.upperBound, span.shade) }
    }
    let shown = lanes.filter { !$0.spans.isEmpty }.map { ($0, $0.duration(.front)) }
    return shown.sorted { ($1.1, $0.0.app) < ($0.1, $1.0.app) }.map(\.0)
  }

  private mutating func add(_ start: Int64, _ end: Int64, _ shade: SkylineStack.Shade) {
    spans.append(Span(start: start, end: end, shade: shade))
  }
}
