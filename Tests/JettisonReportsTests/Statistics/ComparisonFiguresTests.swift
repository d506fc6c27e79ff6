import JettisonCore
import Testing

@testable import JettisonReports

@Suite("The table of compare and comparison.csv")
struct ComparisonFiguresTests {
  private static let policies = ["base", "b", "c"]

  /// Three users with one or two traces under one or two seeds, and figures that differ.
  private static var runs: [RunRecord] {
    var runs: [RunRecord] = []
    for (user, traces) in [("u", 1), ("v", 2), ("w", 1)] {
      for trace in 1...traces {
        for (place, policy) in policies.enumerated() {
          for seed in 1...UInt64(trace) {
            let amount = Int64(7 * place + 3 * trace) + Int64(seed) + (user == "v" ? 5 : 0)
            runs.append(
              UserMetricTableTests.run(
                policy, user: user, trace: "\(trace)", seed: seed, days: Int64(1 + trace),
                purges: amount, lostSeconds: amount * 10))
          }
        }
      }
    }
    return runs
  }

  @Test("Traces of 24 hours together are a day, and of absurd lengths a long one")
  func lengths() {
    func parts(_ count: Int, of duration: Int64) -> [PolicyFigures] {
      PolicyFigures.parts(
        of: (0..<count).map {
          UserMetricTableTests.run("base", user: "u", trace: "\($0)", duration: duration)
        })
    }
    #expect(parts(24, of: 3600 * 1_000_000_000).map(\.isPerDay) == [true])
    #expect(parts(23, of: 3600 * 1_000_000_000).map(\.isPerDay) == [false])
    #expect(parts(3, of: .max / 2).map(\.isPerDay) == [true])
  }

  @Test("Both tell the same means per user-day, for every metric that adds up")
  func sameMeans() async throws {
    let rows = await UserMetricTable(Self.runs).comparisons(baseline: "base")
    let figures = try #require(PolicyFigures.parts(of: Self.runs).first)
    #expect(figures.isPerDay)
    var compared = 0
    for row in rows {
      let metric = try MetricTable.metric(named: row.metric)
      guard metric.pooling == .perUserDay, let mean = row.policyMean, let base = row.baselineMean
      else { continue }
      let ours = try #require(figures.figure(metric, row.policy))
      let theirs = try #require(figures.figure(metric, "base"))
      #expect(abs(ours - mean) < 1e-9, "\(row.metric) of \(row.policy)")
      #expect(abs(theirs - base) < 1e-9, "\(row.metric) of the baseline")
      compared += ours == 0 ? 0 : 1
    }
    #expect(compared >= 12, "what is counted of runs and apps, under two policies")
  }
}
