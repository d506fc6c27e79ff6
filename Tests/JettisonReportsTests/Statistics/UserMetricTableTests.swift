import JettisonCore
import Testing

@testable import JettisonReports

@Suite("Comparison of policies by user")
struct UserMetricTableTests {
  static let day: Int64 = 86_400_000_000_000

  /// A run of one app with a number of purges and seconds of noticed lost work.
  static func run(
    _ policy: String, user: String, trace: String = "t", seed: UInt64 = 1, days: Int64 = 1,
    duration: Int64? = nil, purges: Int64 = 0, lostSeconds: Int64 = 0, staleness: [Int64] = [],
    peak: Int64 = 0,
    resident: Double = 0, failed: Bool = false
  ) -> RunRecord {
    var totals = AppTotals()
    totals.purges = purges
    totals.lostWorkNoticedNanoseconds = lostSeconds * 1_000_000_000
    var system = SystemTotals()
    system.durationNanoseconds = duration ?? days * day
    // One counter of the whole run differs from the next, so that none is lost or mistaken.
    system.warningLevelNanoseconds = purges * 1_000_000_000
    system.criticalLevelNanoseconds = purges * 2_000_000_000
    system.beyondMemoryNanoseconds = purges * 3_000_000_000
    system.noVictimDecisions = purges * 4
    system.footprintBytesPeak = peak
    system.residentAppsMean = resident
    let device = Device(name: "toy", ramBytes: 1000, reserveBytes: 0, source: "test")
    let result = RunResult(
      apps: [totals], footprints: [FootprintStatistics()], system: system, relaunchWaits: [],
      staleness: staleness.map { AppSample(app: AppIndex(0), nanoseconds: $0 * 1_000_000_000) })
    return RunRecord(
      key: RunKey(
        trace: "\(user)-\(trace)", user: user, policy: policy, device: "toy", memoryBytes: 1000,
        seed: seed),
      configuration: RunConfiguration(
        device: device, pressure: .thresholds, profiles: [AppProfile()]),
      provenance: RunProvenance(
        traceHash: 1, catalogHash: nil, apps: ["a"], traceIssueCount: 0, hasNoise: false,
        isImputed: false, jettisonVersion: "0", jemallocVersion: nil),
      outcome: failed ? .failed(reason: "it did") : .finished(result))
  }

  static func row(_ rows: [Comparison], _ metric: String, _ policy: String = "b")
    throws -> Comparison
  {
    try #require(rows.first { $0.metric == metric && $0.policy == policy })
  }

  @Test("Sums are per user-day over the user's traces; other figures stand as they are")
  func pooling() throws {
    let runs = [
      Self.run(
        "a", user: "u", trace: "1", days: 1, purges: 3, staleness: [10], peak: 7, resident: 4),
      Self.run(
        "a", user: "u", trace: "2", days: 3, purges: 5, staleness: [20, 30], peak: 9, resident: 8),
      Self.run("b", user: "u", trace: "1", days: 1, purges: 1, peak: 2),
      Self.run("b", user: "u", trace: "2", days: 3, purges: 1, peak: 1),
    ]
    let table = UserMetricTable(runs)
    let block = try #require(table.blocks.first)
    func value(_ name: String, _ policy: String) throws -> Double? {
      table.value(
        of: try MetricTable.metric(named: name), block: block, policy: policy, user: "u")
    }
    // (3 + 5) purges in 4 days; median of 10, 20, 30; (4 × 1 + 8 × 3) / 4 apps.
    #expect(try value("purges", "a") == 2)
    #expect(try value("purges", "b") == 0.5)
    #expect(try value("staleness_seconds_p50", "a") == 20)
    #expect(try value("staleness_seconds_p50", "b") == nil)
    #expect(try value("footprint_bytes_peak", "a") == 9)
    #expect(try value("resident_apps_mean", "a") == 7)
    #expect(try value("user_days", "a") == nil)
  }

  @Test("Seeds are averaged; a trace run under one seed serves all")
  func seeds() throws {
    let runs = [
      Self.run("a", user: "u", trace: "1", seed: 1, purges: 2),
      Self.run("a", user: "u", trace: "1", seed: 2, purges: 6),
      Self.run("a", user: "u", trace: "2", seed: 1, purges: 10),
    ]
    let table = UserMetricTable(runs)
    let purges = try MetricTable.metric(named: "purges")
    // Per seed (2 + 10) / 2 and (6 + 10) / 2 a day; the mean of 6 and 8 is 7.
    #expect(table.value(of: purges, block: table.blocks[0], policy: "a", user: "u") == 7)
  }

  @Test("Fewer than ten users: the single values, no interval")
  func fewUsers() async throws {
    var runs: [RunRecord] = []
    for (user, (theirs, ours)) in [("x", (4, 1)), ("y", (2, 2)), ("z", (6, 9))] {
      runs.append(Self.run("base", user: user, purges: Int64(theirs)))
      runs.append(Self.run("b", user: user, purges: Int64(ours)))
    }
    let rows = await UserMetricTable(runs).comparisons(baseline: "base")
    let row = try Self.row(rows, "purges")
    #expect(row.users == 3)
    #expect(row.meanDifference == 0)
    #expect(row.medianDifference == 0)
    #expect(row.ratioOfTotals == 1)
    #expect(row.method == .values)
    #expect(row.low == nil && row.high == nil)
    #expect(row.pValue == nil)
    #expect(row.usersDiffering == 2)
    #expect(row.winRate == 0.5)
    #expect(row.policyMean == 4 && row.baselineMean == 4)
    #expect(row.differences.map(\.difference) == [-3, 0, 3])
    #expect(row.differences.map(\.user) == ["x", "y", "z"])
  }

  @Test("Ten users: an interval around the mean, and Holm over the policies")
  func interval() async throws {
    var runs: [RunRecord] = []
    for user in 0..<10 {
      let name = "u\(user)"
      runs.append(Self.run("base", user: name, lostSeconds: 100))
      runs.append(Self.run("b", user: name, lostSeconds: 90 - Int64(user)))
      runs.append(Self.run("c", user: name, lostSeconds: 100 + (user % 2 == 0 ? 5 : -5)))
    }
    let rows = await UserMetricTable(runs).comparisons(baseline: "base")
    let better = try Self.row(rows, "lost_work_noticed_seconds")
    #expect(better.method == .studentised)
    #expect(better.meanDifference == -14.5)
    let low = try #require(better.low)
    let high = try #require(better.high)
    #expect(low < -14.5 && -14.5 < high && high < -10 && low > -19)
    #expect(better.differences.isEmpty)
    // Differences of −10 to −19: the mean is 15 standard errors from 0.
    let least = 2 / Double(PairedInterval.resampleCount + 1)
    #expect(better.pValue == least && better.pAdjusted == 2 * least)
    #expect(better.usersDiffering == 10 && better.usersNeeded == 2)
    #expect(better.winRate == 1)
    let same = try Self.row(rows, "lost_work_noticed_seconds", "c")
    #expect(same.pValue == 1 && same.pAdjusted == 1)
    #expect(same.usersNeeded == nil)
    let untouched = try Self.row(rows, "limit_kills")
    #expect(untouched.method == .fewDiffer)
    #expect(untouched.low == nil && untouched.pValue == nil && untouched.differences.isEmpty)
    #expect(untouched.ratioOfTotals == nil)
    #expect(rows.count == MetricTable.compared.count * 2)
  }

  @Test("Too few users that differ: their values, no interval and no probability")
  func fewDiffer() async throws {
    var runs: [RunRecord] = []
    for user in 0..<12 {
      let name = "u\(user)"
      runs.append(Self.run("base", user: name, purges: 5))
      runs.append(Self.run("b", user: name, purges: user % 3 == 0 ? 4 : 5))
    }
    let row = try await Self.row(UserMetricTable(runs).comparisons(baseline: "base"), "purges")
    #expect(row.users == 12 && row.usersDiffering == 4)
    #expect(row.method == .fewDiffer)
    #expect(row.low == nil && row.high == nil && row.pValue == nil && row.pAdjusted == nil)
    #expect(row.differences.map(\.user) == ["u0", "u3", "u6", "u9"])
  }

  @Test("A user with less than a day enters no rate: totals in a part of their own")
  func shortTraces() async throws {
    var runs: [RunRecord] = []
    for user in 0..<10 {
      let name = "u\(user)"
      runs.append(Self.run("base", user: name, purges: Int64(user)))
      runs.append(Self.run("b", user: name, purges: Int64(user) + 1))
    }
    // Two minutes with 3 and 7 purges: 2,160 and 5,040 a day.
    let minutes = Self.day / 720
    for (name, purges) in [("s", (3, 7)), ("t", (10, 10))] {
      runs.append(Self.run("base", user: name, duration: minutes, purges: Int64(purges.0)))
      runs.append(Self.run("b", user: name, duration: minutes, purges: Int64(purges.1)))
    }
    let table = UserMetricTable(runs)
    #expect(table.users.count == 10 && table.shortUsers == ["s", "t"])
    let rows = await table.comparisons(baseline: "base").filter { $0.metric == "purges" }
    #expect(rows.map(\.part) == [.users, .short])
    #expect(rows[0].users == 10 && rows[0].meanDifference == 1)
    #expect(rows[1].users == 2 && rows[1].method == .totals)
    #expect(rows[1].policyMean == 17 && rows[1].baselineMean == 13)
    #expect(rows[1].meanDifference == 4 && rows[1].pValue == nil)
    // Two halves of a day are a day of one user.
    let halves = [1, 2].map {
      Self.run("base", user: "h", trace: "\($0)", duration: Self.day / 2, purges: 1)
    }
    #expect(UserMetricTable(halves).users == ["h"])
  }

  @Test("Only short traces: no row of rates")
  func onlyShort() async {
    let runs = ["base", "b"].map { Self.run($0, user: "s", duration: Self.day / 2, purges: 1) }
    let rows = await UserMetricTable(runs).comparisons(baseline: "base")
    #expect(rows.count == MetricTable.compared.count)
    #expect(rows.allSatisfy { $0.part == .short })
  }

  @Test("The order of traces changes no digit of any figure")
  func order() async throws {
    var runs: [RunRecord] = []
    for user in 0..<11 {
      for policy in ["base", "b"] {
        let purges = Int64(user * 7 % 5) + (policy == "b" && user % 2 == 0 ? 3 : 0)
        runs.append(
          Self.run(
            policy, user: "u\(user)", trace: "1", duration: Self.day / 3 * 4, purges: purges,
            resident: 0.1 * Double(user)))
        runs.append(
          Self.run(policy, user: "u\(user)", trace: "2", days: 3, purges: 1, resident: 0.7))
      }
    }
    let rows = await UserMetricTable(runs).comparisons(baseline: "base")
    let others = await UserMetricTable(runs.reversed()).comparisons(baseline: "base")
    #expect(rows == others)
    let concurrent = await UserMetricTable(runs).comparisons(baseline: "base", jobs: 4)
    #expect(rows == concurrent)
    #expect(try Self.row(rows, "purges").method == .studentised)
  }

  @Test("A user with a failed or missing run counts for neither policy")
  func incomplete() async throws {
    let runs = [
      Self.run("base", user: "x", purges: 1), Self.run("b", user: "x", purges: 2),
      Self.run("base", user: "y", purges: 1), Self.run("b", user: "y", failed: true),
      Self.run("base", user: "z", trace: "1", purges: 1),
      Self.run("base", user: "z", trace: "2", purges: 1),
      Self.run("b", user: "z", trace: "1", purges: 1),
    ]
    let row = try await Self.row(UserMetricTable(runs).comparisons(baseline: "base"), "purges")
    #expect(row.users == 1)
    #expect(row.differences.map(\.user) == ["x"])
  }

  @Test("Better is less, or more, or nothing, as the metric says")
  func preferences() async throws {
    var ours = Self.run("b", user: "x")
    guard case .finished(var result) = ours.outcome else { return }
    result.apps[0].hotLaunches = 3
    result.apps[0].saves = 3
    ours.outcome = .finished(result)
    let rows = await UserMetricTable([Self.run("base", user: "x"), ours])
      .comparisons(baseline: "base")
    #expect(try Self.row(rows, "hot_launches").winRate == 1)
    #expect(try Self.row(rows, "saves").winRate == nil)
    #expect(try Self.row(rows, "purges").winRate == 0.5)
  }

  @Test("No baseline, no rows; nothing in, nothing out")
  func empty() async {
    #expect(await UserMetricTable([]).comparisons(baseline: "base").isEmpty)
    let table = UserMetricTable([Self.run("a", user: "x")])
    #expect(await table.comparisons(baseline: "base").isEmpty)
    #expect(await table.comparisons(baseline: "a").isEmpty)
  }

  @Test("A trace without duration has no figures per day, and traps nowhere")
  func absurdDurations() async throws {
    let none = [
      Self.run("base", user: "x", days: 0, purges: 1), Self.run("b", user: "x", days: 0),
    ]
    let row = try await Self.row(UserMetricTable(none).comparisons(baseline: "base"), "purges")
    #expect(row.users == 0 && row.meanDifference == nil && row.pValue == nil)
    var long = Self.run("base", user: "x", trace: "1")
    guard case .finished(var result) = long.outcome else { return }
    result.system.durationNanoseconds = .max
    result.apps[0].purgedBytes = .max
    long.outcome = .finished(result)
    var second = long
    second.key.trace = "2"
    let table = UserMetricTable([long, second])
    let bytes = try MetricTable.metric(named: "purged_bytes")
    #expect(
      table.value(of: bytes, block: table.blocks[0], policy: "base", user: "x") == 86_400e9)
  }
}
