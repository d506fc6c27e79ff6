/// A number of a report, or none.
public enum MetricValue: Sendable, Equatable {
  /// Not applicable: nothing to measure. Written as an empty field, never as 0.
  case empty
  /// A count or a number of bytes.
  case integer(Int64)
  /// A time in nanoseconds, written in seconds.
  case nanoseconds(Int64)
  /// A share, a mean or a weighted sum.
  case real(Double)

  /// The number in the unit of its column (times in seconds); nil where there is none.
  public var number: Double? {
    switch self {
    case .empty: nil
    case .integer(let value): Double(value)
    case .nanoseconds(let value): Double(value) / 1e9
    case .real(let value): value
    }
  }
}

/// One column of `summary.csv` or `apps.csv`: what it is called, what it means, how it is read.
public struct Metric: Sendable {
  /// What a column counts in.
  public enum Unit: String, Sendable {
    case count
    case bytes
    case seconds
    case days
    case apps
    /// A number from 0 to 1.
    case share
    /// Seconds of user work, weighted.
    case weightedSeconds = "weighted seconds"
  }

  /// Where a column exists.
  public enum Scope: Sendable {
    /// In `summary.csv` only.
    case run
    /// In both files; the run's figure covers all its apps.
    case runAndApp
    /// In `apps.csv` only.
    case app
  }

  /// Which direction is good for the user.
  public enum Preference: String, Sendable {
    case lower
    case higher
    /// Describes a run without judging it.
    case neither
  }

  /// How figures of several runs of one user become one.
  public enum Pooling: Sendable {
    /// Added up, then divided by the user-days they cover.
    case perUserDay
    /// Read from the pooled runs as it stands: shares, quantiles, means, peaks.
    case asItStands
    /// Not compared between policies.
    case notCompared
  }

  /// The column's name, unit last.
  public let name: String
  /// What it counts in.
  public let unit: Unit
  /// One sentence for `columns.md` and for people.
  public let documentation: String
  /// Where it exists.
  public let scope: Scope
  /// Which direction is good.
  public let preference: Preference
  /// How it is compared.
  public let pooling: Pooling
  let read: @Sendable (borrowing MetricReader, AppIndex?) -> MetricValue

  /// Whether the metric may appear in `comparison.csv`.
  public var isComparable: Bool { scope != .app && pooling != .notCompared }
}

/// A run's result, prepared so that every metric can be read from it.
public struct MetricReader: Sendable {
  /// What the run yielded.
  public let result: RunResult
  /// Issues met while the trace was read.
  public let traceIssueCount: Int64
  private let waits: SortedSamples
  private let staleness: SortedSamples

  /// Sorts the samples of a result.
  ///
  /// - Complexity: O(n log n) in the number of samples.
  public init(_ result: RunResult, traceIssueCount: Int = 0) {
    self.result = result
    self.traceIssueCount = Int64(traceIssueCount)
    self.waits = SortedSamples(result.relaunchWaits, appCount: result.apps.count)
    self.staleness = SortedSamples(result.staleness, appCount: result.apps.count)
  }

  /// The value of one metric for the whole run, or for one app of it.
  ///
  /// Empty where the metric does not exist for what was asked, or the run has no such app.
  ///
  /// - Complexity: O(apps).
  public func value(of metric: Metric, app: AppIndex? = nil) -> MetricValue {
    if let app, app.position >= result.apps.count { return .empty }
    return switch (metric.scope, app) {
    case (.run, .some), (.app, nil): .empty
    default: metric.read(self, app)
    }
  }

  /// The counters of one app, or the sum over all.
  ///
  /// A sum that leaves the range of 64 bits stays at its end: input can be absurd, reports not.
  func total(_ counter: (AppTotals) -> Int64, _ app: AppIndex?) -> Int64 {
    if let app { return counter(result.apps[app.position]) }
    var sum: Int64 = 0
    // Looked at in place: a copy of all counters costs more than one of them.
    let apps = result.apps.span
    for position in apps.indices {
      sum.addSaturated(counter(apps[position]))
    }
    return sum
  }

  func lossCost(_ app: AppIndex?) -> Double {
    if let app { return result.apps[app.position].lossCost }
    // In ascending order: the order of apps and traces changes no digit.
    return result.apps.map(\.lossCost).sorted().reduce(0, +)
  }

  func waitQuantile(_ share: Double, _ app: AppIndex?) -> MetricValue {
    waits.quantile(share, app)
  }

  func stalenessQuantile(_ share: Double, _ app: AppIndex?) -> MetricValue {
    staleness.quantile(share, app)
  }
}

/// Samples of a run in ascending order, all together and by app.
private struct SortedSamples: Sendable {
  /// A value, and how many samples come up to it, itself included.
  private struct Step: Sendable {
    var value: Int64
    var end: Int
  }

  private let all: [Step]
  /// Those of each app one after the other, counted within the app.
  private let byApp: [Step]
  /// Where the steps of each app begin, and at last where they end; empty without a sample.
  private let starts: [Int]

  init(_ samples: [AppSample], appCount: Int) {
    let sorted = samples.sorted { $0.nanoseconds < $1.nanoseconds }
    all = Self.steps(sorted[...])
    let own = sorted.filter { $0.app.position < appCount }
      .sorted { ($0.app.position, $0.nanoseconds) < ($1.app.position, $1.nanoseconds) }
    var byApp: [Step] = []
    var starts: [Int] = []
    byApp.reserveCapacity(own.count)
    starts.reserveCapacity(samples.isEmpty ? 0 : appCount + 1)
    var rest = own[...]
    for position in 0..<(samples.isEmpty ? 0 : appCount) {
      starts.append(byApp.count)
      let ofApp = rest.prefix { $0.app.position == position }
      byApp += Self.steps(ofApp)
      rest = rest[ofApp.endIndex...]
    }
    if !samples.isEmpty { starts.append(byApp.count) }
    self.byApp = byApp
    self.starts = starts
  }

  private static func steps(_ samples: ArraySlice<AppSample>) -> [Step] {
    var end = 0
    return samples.map { sample in
      end += sample.count
      return Step(value: sample.nanoseconds, end: end)
    }
  }

  func quantile(_ share: Double, _ app: AppIndex?) -> MetricValue {
    var steps = all[...]
    if let app {
      steps = starts.isEmpty ? [] : byApp[starts[app.position]..<starts[app.position + 1]]
    }
    let quantile = Quantile.interpolated(steps.last?.end ?? 0, share) { place in
      steps[steps.partitioningIndex { $0.end > place }].value
    }
    return quantile.map { .nanoseconds($0) } ?? .empty
  }
}

/// Exact quantiles of a sample.
public enum Quantile {
  /// The quantile of ascending values by linear interpolation between the two neighbours, which
  /// is the default of pandas and R (type 7), rounded to the nearest integer.
  ///
  /// - Parameters:
  ///   - sorted: Values in ascending order.
  ///   - share: From 0 (smallest) to 1 (largest); what is no number counts as 0.
  /// - Returns: nil if there are no values.
  /// - Complexity: O(1).
  public static func interpolated(_ sorted: [Int64], _ share: Double) -> Int64? {
    interpolated(sorted.count, share) { sorted[$0] }
  }

  /// The same of so many ascending values, which are asked for by place.
  static func interpolated(_ count: Int, _ share: Double, value: (Int) -> Int64) -> Int64? {
    guard count > 0 else { return nil }
    let last = count - 1
    let place = (share > 0 ? min(share, 1) : 0) * Double(last)
    let below = Int(place.rounded(.down))
    guard below < last else { return value(last) }
    let (low, high) = (value(below), value(below + 1))
    // The gap of two ascending values fits 64 bits without a sign.
    let gap = UInt64(bitPattern: high &- low)
    let step = (Double(gap) * (place - Double(below))).rounded()
    guard step > 0 else { return low }
    return step < Double(gap) ? low &+ Int64(bitPattern: UInt64(step)) : high
  }
}
