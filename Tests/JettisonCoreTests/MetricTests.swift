import Testing

@testable import JettisonCore

@Suite("Metrics")
struct MetricTests {
  /// Two apps whose counters all differ, so that a column that reads the wrong one is seen.
  static func result() -> RunResult {
    var first = AppTotals()
    first.coldLaunches = 1
    first.warmLaunches = 2
    first.hotLaunches = 4
    first.purges = 8
    first.relaunchWaitNanoseconds = 1_500_000_000
    first.dirtyBytesAtLeave = 100
    first.savedBytesAtSuspension = 25
    first.lossCost = 0.5
    var second = AppTotals()
    second.coldLaunches = 16
    second.purges = 32
    second.lossCost = 0.25
    var footprint = FootprintStatistics()
    footprint.footprintBytesP95 = 7
    var system = SystemTotals()
    system.durationNanoseconds = 129_600_000_000_000
    system.days = 2
    system.daysWithLoss = 1
    system.replayIssues = 5
    let waits = [(0, 300), (1, 100), (0, 200), (0, 400)].map {
      AppSample(app: AppIndex($0.0), nanoseconds: $0.1)
    }
    return RunResult(
      apps: [first, second], footprints: [footprint, FootprintStatistics()], system: system,
      relaunchWaits: waits, staleness: [])
  }

  @Test("A time that was measured often counts as often", arguments: UInt64(0)..<20)
  func countedSamples(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var (counted, single) = (Self.result(), Self.result())
    (counted.relaunchWaits, single.relaunchWaits) = ([], [])
    for _ in 0..<20 {
      let (app, time) = (
        AppIndex(Int.random(in: 0...1, using: &generator)),
        Int64.random(in: 0...9, using: &generator)
      )
      let count = Int.random(in: 1...9, using: &generator)
      counted.relaunchWaits.append(AppSample(app: app, nanoseconds: time, count: count))
      single.relaunchWaits += Array(
        repeating: AppSample(app: app, nanoseconds: time), count: count)
    }
    let (first, second) = (MetricReader(counted), MetricReader(single))
    for share in [0, 0.1, 0.5, 0.75, 0.95, 0.99, 1] {
      for app in [nil, AppIndex(0), AppIndex(1)] {
        #expect(
          first.waitQuantile(share, app) == second.waitQuantile(share, app),
          "seed \(seed), \(share)")
      }
    }
  }

  static func value(_ name: String, app: Int? = nil) throws -> MetricValue {
    let metric = try #require(MetricTable.all.first { $0.name == name })
    return MetricReader(result(), traceIssueCount: 3)
      .value(of: metric, app: app.map { AppIndex($0) })
  }

  @Test("A run's counter is the sum over its apps")
  func sums() throws {
    #expect(try Self.value("purges") == .integer(40))
    #expect(try Self.value("purges", app: 1) == .integer(32))
    #expect(try Self.value("launches") == .integer(23))
    #expect(try Self.value("launches", app: 0) == .integer(7))
    #expect(try Self.value("relaunch_wait_seconds") == .nanoseconds(1_500_000_000))
    #expect(try Self.value("relaunch_wait_seconds").number == 1.5)
    #expect(try Self.value("loss_cost") == .real(0.75))
    #expect(try Self.value("issues") == .integer(8))
    #expect(try Self.value("user_days") == .real(1.5))
    #expect(try Self.value("user_days_with_loss") == .real(0.5))
  }

  @Test("Not applicable is empty, not 0")
  func empties() throws {
    #expect(try Self.value("staleness_seconds_max") == .empty)
    #expect(try Self.value("partial_save_ratio") == .real(0.25))
    #expect(try Self.value("partial_save_ratio", app: 1) == .empty)
    #expect(try Self.value("user_days", app: 0) == .empty)
    #expect(try Self.value("footprint_bytes_p95") == .empty)
    #expect(try Self.value("footprint_bytes_p95", app: 0) == .integer(7))
    #expect(try Self.value("arena_dirty_bytes_max", app: 0) == .empty)
    #expect(MetricValue.empty.number == nil)
  }

  @Test("Quantiles agree with pandas")
  func quantiles() throws {
    // pandas.Series([100, 200, 300, 400]).quantile(0.95) is 385, without the 100 it is 390.
    #expect(try Self.value("relaunch_wait_seconds_p95") == .nanoseconds(385))
    #expect(try Self.value("relaunch_wait_seconds_p95", app: 0) == .nanoseconds(390))
    #expect(try Self.value("relaunch_wait_seconds_p95", app: 1) == .nanoseconds(100))
    #expect(Quantile.interpolated([], 0.5) == nil)
    #expect(Quantile.interpolated([3], 0.99) == 3)
    #expect(Quantile.interpolated([0, 10], 0.5) == 5)
    #expect(Quantile.interpolated([0, 10], 0) == 0)
    #expect(Quantile.interpolated([0, 10], 1) == 10)
    #expect(Quantile.interpolated([.min, .max], 0.5) == 0)
    #expect(Quantile.interpolated([.min, .max], 1) == .max)
  }

  @Test("A quantile lies between its neighbours and never falls as the share rises")
  func quantileProperties() throws {
    var random = SplitMix64(seed: 11)
    for round in 0..<500 {
      let values = (0..<(1 + random.next() % 12)).map { _ in
        Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
      }.sorted()
      var previous = Int64.min
      for step in 0...20 {
        let quantile = try #require(Quantile.interpolated(values, Double(step) / 20))
        #expect(quantile >= previous, "round \(round) of seed 11: \(values)")
        #expect(values[0] <= quantile && quantile <= values[values.count - 1])
        previous = quantile
      }
    }
  }

  @Test("Absurd counters stay at the end of the range")
  func saturation() throws {
    var result = Self.result()
    result.apps[0].purgedBytes = .max
    result.apps[1].purgedBytes = .max
    let metric = try MetricTable.metric(named: "purged_bytes")
    #expect(MetricReader(result).value(of: metric) == .integer(.max))
  }

  @Test("Every counter of an app has a column")
  func everyCounterHasAColumn() throws {
    // A counter whose column is forgotten or mixed up leaves two metrics alike.
    var seen: [String: String] = [:]
    let base = RunResult(
      apps: [AppTotals()], footprints: [FootprintStatistics()], system: SystemTotals(),
      relaunchWaits: [], staleness: [])
    var columns = 0
    for (offset, path) in Self.counters.enumerated() {
      var result = base
      result.apps[0][keyPath: path] = Int64(offset + 1)
      let reader = MetricReader(result)
      let moved = MetricTable.all.filter { metric in
        !Self.sums.contains(metric.name)
          && reader.value(of: metric, app: AppIndex(0))
            != MetricReader(base).value(of: metric, app: AppIndex(0))
      }
      #expect(moved.count == 1, "\(path) moves \(moved.map(\.name))")
      for metric in moved {
        #expect(seen[metric.name] == nil, "\(metric.name) reads two counters")
        seen[metric.name] = "\(path)"
        columns += 1
      }
    }
    // All but the sums, the quantiles, the ratio, the cost and the six footprints.
    let apps = MetricTable.apps.count
    #expect(columns == apps - Self.sums.count - 5 - 1 - 1 - 6)
  }

  /// Columns that read several counters.
  static let sums: Set = [
    "launches", "hit_ratio", "system_ends", "kills_in_front", "victim_age_seconds_mean",
  ]

  static var counters: [WritableKeyPath<AppTotals, Int64>] {
    [
      \.gpuKills, \.sharedResourceKills, \.noMultitaskingEnds, \.noMultitaskingLossEvents,
      \.handlerWaitNanoseconds, \.systemLossesNoticed, \.systemLostWorkNanoseconds,
      \.systemLostWorkNoticedNanoseconds, \.systemLostBytesNoticed, \.relaunchesAfterSystemEnd,
      \.systemRelaunchWaitNanoseconds, \.userDiscardedWorkNanoseconds, \.userDiscardedBytes,
      \.coldLaunches, \.warmLaunches, \.hotLaunches, \.backgroundLaunches,
      \.coldLaunchesAfterPurge, \.relaunchWaitNanoseconds, \.warnings, \.warningsAnswered,
      \.warningReleasedBytes, \.purges, \.purgedBytes, \.wastedPurges, \.wastedPurgeBytes,
      \.repurges, \.backgroundKills, \.foregroundKills, \.limitKills, \.watchdogTerminations,
      \.taskExpirations, \.lossEvents, \.lossEventsNoticed, \.lossEventsNoticed24h,
      \.lossEventsCensored, \.lostWorkNanoseconds, \.lostWorkNoticedNanoseconds, \.lostBytes,
      \.lostBytesNoticed, \.positionLosses, \.killLossEvents, \.killLostWorkNanoseconds,
      \.watchdogLossEvents, \.taskLossEvents, \.userDiscards, \.unsavedAtEndNanoseconds, \.saves,
      \.savesInterruptedWindow, \.savesInterruptedPurge, \.savesInterruptedCrash,
      \.restoreFailures, \.writtenBytes, \.needlessEnds, \.skippedEvents, \.impliedWakes,
    ]
  }

  @Test("An unknown metric is an error that names known ones")
  func unknown() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try MetricTable.metric(named: "loss_event")
    }
    #expect(
      error.description.hasPrefix("unknown metric 'loss_event' (did you mean 'loss_events', "))
    #expect(throws: ConfigurationError.self) {
      try MetricTable.metric(named: "footprint_bytes_p50")
    }
  }

  @Test("Conditions are read with or without blanks")
  func gates() throws {
    for (text, comparison, value) in [
      ("purges>3", MetricGate.Comparison.greater, 3.0), ("purges >= 3", .greaterOrEqual, 3),
      ("purges<-1.5", .less, -1.5), (" purges<=2e3 ", .lessOrEqual, 2000),
      ("purges==0", .equal, 0), ("purges\t!= 0.25", .notEqual, 0.25),
    ] {
      let gate = try MetricGate(parsing: text)
      #expect(gate.metric.name == "purges")
      #expect(gate.comparison == comparison, "\(text)")
      #expect(gate.value == value, "\(text)")
    }
  }

  @Test(
    "A text that is not a condition says how to write one",
    arguments: [
      "", "purges", "purges>", ">3", "purges=3", "purges=>3", "purges>x", "purges>nan",
      "purges>inf", "purges>>3", "purges>3>4", "purge>3", "purges 3", "prges>3s",
    ])
  func badGates(_ text: String) {
    #expect(throws: ConfigurationError.self) { try MetricGate(parsing: text) }
  }

  @Test("A condition is met or not; by an empty value never")
  func checks() throws {
    let above = try MetricGate(parsing: "lost_work_seconds>1.5")
    #expect(above.isMet(by: .nanoseconds(1_500_000_001)))
    #expect(!above.isMet(by: .nanoseconds(1_500_000_000)))
    #expect(!above.isMet(by: .empty))
    #expect(try MetricGate(parsing: "purges>=40").isMet(by: .integer(40)))
    #expect(try !MetricGate(parsing: "purges<40").isMet(by: .integer(40)))
    #expect(try MetricGate(parsing: "purges<=40").isMet(by: .integer(40)))
    #expect(try MetricGate(parsing: "purges==40").isMet(by: .integer(40)))
    #expect(try !MetricGate(parsing: "purges!=40").isMet(by: .integer(40)))
    #expect(try !MetricGate(parsing: "staleness_seconds_max!=1").isMet(by: .empty))
  }
}
