import JettisonCore
package import JettisonReports
import JettisonSupport

/// A scale with its marks.
package struct Axis: Sendable {
  /// How values become places.
  package enum Scale: Sendable {
    /// At even distances.
    case even
    /// Powers of ten at even distances; 0, where a value is 0, below all of them.
    case powers
  }

  /// What is measured, in words.
  package private(set) var title: String
  package private(set) var range: ClosedRange<Double>
  /// Where lines are drawn, and what they are called.
  package private(set) var ticks: [(value: Double, label: String)]
  private let scale: Scale
  /// The least value above 0 that has a place of its own, on a scale of powers.
  private var leastPower = 1.0
  private var hasZero = true

  /// Makes a scale for values, to somewhat beyond the largest.
  ///
  /// - Parameters:
  ///   - title: What is measured, in words.
  ///   - values: All that is to be drawn.
  ///   - unit: What they are counted in.
  ///   - startsAtZero: Whether an even scale has 0 even where no value is near.
  ///   - scale: How values become places.
  package init(
    _ title: String, covering values: [Double], unit: MetricUnit, startsAtZero: Bool = true,
    scale: Scale = .even
  ) {
    self.title = title
    let finite = values.filter(\.isFinite)
    let powers = finite.filter { $0 > 0 }
    self.scale = powers.isEmpty ? .even : scale
    (range, ticks) = (0...1, [])
    if case .powers = self.scale {
      cover(powers: powers, hasZero: finite.contains { $0 <= 0 }, unit: unit)
    } else {
      cover(finite, unit: unit, startsAtZero: startsAtZero)
    }
  }

  /// A scale without marks, for rows below each other.
  package init(rows: Int) {
    title = ""
    scale = .even
    range = 0...Double(max(1, rows))
    ticks = []
  }

  private mutating func cover(_ values: [Double], unit: MetricUnit, startsAtZero: Bool) {
    let least = min(values.min() ?? 0, startsAtZero ? 0 : .infinity)
    let most = max(values.max() ?? 1, startsAtZero ? 0 : -.infinity)
    guard most > least || most != 0 else {
      ticks = [(0, Self.label(0, unit: unit))]
      return
    }
    let room = most > least ? most - least : most.magnitude
    let step = Self.step(for: room / 6, unit: unit)
    let first = (least / step).rounded(.down) * step
    let end = most > least ? most + room * 0.06 : least + room
    range = min(first, least)...max(end, first + step)
    for place in 0..<100 {
      let value = first + Double(place) * step
      guard value <= range.upperBound else { break }
      ticks.append((value, Self.label(value, unit: unit)))
    }
  }

  private mutating func cover(powers values: [Double], hasZero: Bool, unit: MetricUnit) {
    self.hasZero = hasZero
    let steps = Self.powers(of: unit)
    let (least, most) = (values.min() ?? 1, values.max() ?? 1)
    let low = min(steps.lastIndex { $0 <= least } ?? 0, steps.count - 2)
    let high = max(low + 1, steps.firstIndex { $0 >= most } ?? steps.count - 1)
    leastPower = steps[low]
    range = (hasZero ? 0 : steps[low])...max(steps[high], most)
    if hasZero { ticks.append((0, Self.label(0, unit: unit))) }
    ticks += steps[low...high].map { ($0, Self.label($0, unit: unit)) }
  }

  /// Powers of ten, or what people count in instead.
  private static func powers(of unit: MetricUnit) -> [Double] {
    switch unit {
    case .bytes: (0...6).map { Double(Int64(1) << (10 * Int64($0))) }
    case .seconds: [0.001, 0.01, 0.1, 1, 10, 60, 600, 3600, 36_000, 360_000, 3_600_000]
    default: [1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    }
  }

  /// What a scale of powers keeps below its least power for 0, in percent.
  private static let roomForZero = 10.0

  /// Where a value lies, in percent of the scale.
  package func percent(_ value: Double) -> Double {
    guard case .powers = scale else {
      let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
      return 100 * min(1, max(0, share))
    }
    guard value > 0 else { return 0 }
    let room = hasZero ? Self.roomForZero : 0
    let share = Self.logarithm(value / leastPower) / Self.logarithm(range.upperBound / leastPower)
    // What lies below the least power, such as the end of an interval, is hardly above 0.
    return min(100, max(room / 2, room + (100 - room) * share))
  }

  /// Good to the places that a picture shows, and the same on every system.
  private static func logarithm(_ value: Double) -> Double {
    var (result, rest) = (Double(value.exponent), value.significand)
    // Digit by digit: squaring doubles the logarithm of what is left.
    var digit = 0.5
    for _ in 0..<30 {
      rest *= rest
      if rest >= 2 { (result, rest) = (result + digit, rest / 2) }
      digit /= 2
    }
    return result
  }

  /// The least step of those that people count in, not below a room.
  private static func step(for room: Double, unit: MetricUnit) -> Double {
    let counted: [Double] =
      switch unit {
      case .seconds:
        [
          1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 21_600, 43_200,
          86_400,
        ]
      case .bytes: (0..<50).map { Double(Int64(1) << Int64($0)) }
      default: []
      }
    if let least = counted.first, room > least / 2,
      let step = counted.first(where: { $0 >= room })
    {
      return step
    }
    var power = 1.0
    while power > room { power /= 10 }
    while power * 10 <= room { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= room } ?? power
  }

  private static func label(_ value: Double, unit: MetricUnit) -> String {
    // Steps add up to what is 0 but for rounding.
    let rounded = value.magnitude < 1e-9 ? 0 : value
    return unit == .count ? HumanText.figure(rounded) : HumanText.value(rounded, unit: unit)
  }
}
