internal import JettisonCore

/// Several runs of one user under one policy and seed, read as one long run.
///
/// Counters add up, samples come together, means are weighted by time, peaks are the highest:
/// every metric of a whole run keeps its meaning.
struct PooledRuns {
  private let reader: MetricReader

  /// Puts finished runs together.
  init(_ runs: [(result: RunResult, traceIssueCount: Int)]) {
    var pooled = RunResult(
      apps: [], footprints: [], system: SystemTotals(), relaunchWaits: [], staleness: [])
    for (result, _) in runs {
      pooled.apps += result.apps
      pooled.footprints += result.footprints
      pooled.relaunchWaits += result.relaunchWaits.map(Self.withoutApp)
      pooled.staleness += result.staleness.map(Self.withoutApp)
      pooled.system.add(result.system)
    }
    pooled.system.setMeans(of: runs.map(\.result.system))
    reader = MetricReader(pooled, traceIssueCount: runs.reduce(0) { $0 + $1.traceIssueCount })
  }

  /// The figure that is compared: sums per user-day, others as they stand; nil where empty.
  func value(of metric: Metric) -> Double? {
    guard let number = reader.value(of: metric).number else { return nil }
    switch metric.pooling {
    case .asItStands: return number
    case .notCompared: return nil
    case .perUserDay:
      let days = Double(reader.result.system.durationNanoseconds) / 86_400e9
      return days > 0 ? number / days : nil
    }
  }

  /// The figure as a total: sums as they are.
  func total(of metric: Metric) -> Double? {
    metric.pooling == .notCompared ? nil : reader.value(of: metric).number
  }

  /// Apps of different traces have the same numbers; pooled samples belong to none.
  private static func withoutApp(_ sample: AppSample) -> AppSample {
    AppSample(app: .none, nanoseconds: sample.nanoseconds, count: sample.count)
  }
}

extension SystemTotals {
  fileprivate mutating func setMeans(of parts: [SystemTotals]) {
    let duration = Double(durationNanoseconds)
    guard duration > 0 else { return }
    func mean(_ figure: (SystemTotals) -> Double) -> Double {
      // In ascending order: the order in which traces were named changes no digit.
      parts.map { figure($0) * (Double($0.durationNanoseconds) / duration) }.sorted()
        .reduce(0, +)
    }
    residentAppsMean = mean(\.residentAppsMean)
    suspendedBytesMean = mean(\.suspendedBytesMean)
  }
}
