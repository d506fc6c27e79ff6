import JettisonCore
import Testing

@testable import JettisonReports

@Suite("Who lost what")
struct LossTablesTests {
  private static let second: Int64 = 1_000_000_000

  /// Figures of an app that was launched `launches` times.
  private static func totals(
    launches: Int64, relaunches: Int64 = 0, losses: Int64 = 0, work: Int64 = 0, wait: Int64 = 0
  ) -> AppTotals {
    var totals = AppTotals()
    totals.coldLaunches = relaunches
    totals.hotLaunches = launches - relaunches
    totals.relaunchesAfterSystemEnd = relaunches
    totals.systemLossesNoticed = losses
    totals.systemLostWorkNoticedNanoseconds = work * second
    totals.systemRelaunchWaitNanoseconds = wait * second
    return totals
  }

  private static func result(_ apps: [AppTotals], worst: [LossRecord] = []) -> RunResult {
    var result = RunResult(
      apps: apps, footprints: apps.map { _ in FootprintStatistics() }, system: SystemTotals(),
      relaunchWaits: [], staleness: [])
    result.worstLosses = worst
    return result
  }

  private static func tables(_ result: RunResult, apps: [String]) -> LossTables {
    LossTables([MetricReader(result)], apps: apps, firstSeed: 1)
  }

  @Test("Losses and apps by hand, within 80 columns")
  func byHand() {
    let worst = [
      LossRecord(
        timeNanoseconds: 136_800 * Self.second, app: AppIndex(1), lossClass: .noSave,
        endCause: .purge, workNanoseconds: 185 * Self.second, bytes: 2048,
        returnNanoseconds: 140_000 * Self.second, decision: 64),
      LossRecord(
        timeNanoseconds: 20 * Self.second, app: AppIndex(0), lossClass: .handlerTimeout,
        endCause: .watchdog, workNanoseconds: 0, bytes: 300,
        returnNanoseconds: 60 * Self.second, decision: nil),
    ]
    let tables = Self.tables(
      Self.result(
        [
          Self.totals(launches: 9, relaunches: 2, losses: 2, wait: 1),
          Self.totals(launches: 40, relaunches: 3, losses: 2, work: 190, wait: 4),
        ], worst: worst),
      apps: ["com.example.short-video", "notes"])
    let losses = tables.worst(TextStyle())
    #expect(
      losses == """
        Worst losses
        loss      when  app                           lost  why not saved    decision
        ----  --------  -----------------------  ---------  ---------------  --------
           1  1 d 14 h  notes                    3 min 5 s  no-save                64
           2      20 s  com.example.short-video      300 B  handler-timeout         –
        no-save: nothing, or not all, was saved before it was suspended or left.
        handler-timeout: its save was still running when the handler's time was over.
        2 more are not shown.
        'jettison explain TRACE --loss N' with the same options tells the story of one.

        """)
    let apps = tables.byApp(TextStyle())
    #expect(
      apps == """
        Apps, by what the system's ends cost the user
                                                        losses
        app                      launches  relaunches  noticed   work lost  waiting
        -----------------------  --------  ----------  -------  ----------  -------
        notes                          40           3        2  3 min 10 s      4 s
        com.example.short-video         9           2        2         0 s      1 s

        """)
    for line in (losses + apps).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("Without a loss or a wait, nothing is printed")
  func nothing() {
    let tables = Self.tables(Self.result([Self.totals(launches: 3)]), apps: ["a"])
    #expect(tables.worst(TextStyle()) == "")
    #expect(tables.byApp(TextStyle()) == "")
  }

  @Test("Apps that cost the same stand by name, and only a row that adds up leaves any out")
  func others() {
    func rows(_ count: Int) -> [LossTables.Row] {
      let apps = (0..<count).map { Self.totals(launches: Int64(7), wait: $0 % 2 == 0 ? 1 : 2) }
      return Self.tables(Self.result(apps), apps: (0..<count).map { "app-\($0)" }).appRows
    }
    #expect(rows(4).map(\.name) == ["app-1", "app-3", "app-0", "app-2"])
    #expect(rows(11).count == 11)
    #expect(rows(11).last?.name == "app-10")
    #expect(rows(12).count == 11)
    #expect(rows(12).last == LossTables.Row(name: "2 others", figures: [14, 0, 0, 0, 2]))
  }

  @Test("The columns of the table add up to the figures of the run", arguments: UInt64(0)..<30)
  func sums(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func draw(_ limit: UInt64) -> Int64 { Int64(random.next() % limit) }
    let apps = (0..<Int(draw(40))).map { _ in
      Self.totals(
        launches: 100 + draw(100), relaunches: draw(4), losses: draw(3), work: draw(5_000),
        wait: draw(3))
    }
    let tables = Self.tables(Self.result(apps), apps: apps.indices.map { "app-\($0)" })
    let reader = MetricReader(Self.result(apps))
    for figure in LossTables.Figure.allCases {
      let sum = tables.appRows.reduce(0) { $0 + $1[figure] }
      #expect(sum == reader.value(of: figure.metric).number, "\(figure)")
    }
    let work = tables.appRows.prefix(LossTables.listedApps).map { $0[.work] }
    #expect(work == work.sorted(by: >))
    let all: [Double] = apps.map { Double($0.systemLostWorkNoticedNanoseconds) / 1e9 }
    let unlisted = all.sorted(by: >).dropFirst(work.count)
    #expect((work.last ?? 0) >= (unlisted.first ?? 0))
  }

  @Test("Over several seeds losses come from the first, figures are means")
  func seeds() {
    let loss = LossRecord(
      timeNanoseconds: 20 * Self.second, app: AppIndex(0), lossClass: .noSave, endCause: .purge,
      workNanoseconds: 8 * Self.second, bytes: 0, returnNanoseconds: 60 * Self.second, decision: 1)
    let results = [
      Self.result([Self.totals(launches: 4, relaunches: 2, losses: 2, work: 9)], worst: [loss]),
      Self.result([Self.totals(launches: 4, relaunches: 2, losses: 1, work: 4)]),
    ]
    let tables = LossTables(results.map { MetricReader($0) }, apps: ["notes"], firstSeed: 7)
    let worst = tables.worst(TextStyle())
    #expect(worst.hasPrefix("Worst losses of seed 7\n"))
    #expect(worst.contains("1 more are not shown."))
    #expect(
      tables.byApp(TextStyle()).contains(
        "notes         4           2      1.5  6.5 s      0 s"))
  }
}
