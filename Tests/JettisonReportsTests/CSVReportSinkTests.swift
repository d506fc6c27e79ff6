import Foundation
import JettisonCore
import Testing

@testable import JettisonReports

@Suite("Reports of an experiment")
struct CSVReportSinkTests {
  @Test("One row per run, per app and per comparison")
  func small() throws {
    let scratch = try Scratch()
    var comparison = Comparison(
      device: "iphone-4", memoryBytes: 536_870_912, metric: "purges", policy: "size",
      baseline: "lru")
    comparison.users = 2
    comparison.meanDifference = -0.5
    comparison.differences = [
      .init(user: "=ann;b", difference: -1.5), .init(user: "bob", difference: 0.5),
    ]
    try ReportTee([try CSVReportSink(directory: "\(scratch.path)/new/reports/")]).finish(
      runs: [
        Sample.record(), Sample.record("size", outcome: .failed(reason: "score, not a number")),
      ],
      comparisons: [comparison])
    let directory = "new/reports"
    let runs = try scratch.lines("\(directory)/runs.csv")
    #expect(
      runs[1] == """
        example,ann,lru,iphone-4,536870912,1,0000000000000abc,2010-11-01T09:00:00Z,notes.yaml;a%3Bb.yaml,,,0,arena,captured,captured,on,thresholds,ios-4,\
        ,,168820736,4096,,on,inactive,5,600,30,1,,,15,5,10,12,15,,warn-then-purge,0,,10,1,off,0,0,\
        com.example.notes,1.0.0,5.3.0,ok,
        """)
    #expect(runs[2].hasSuffix(",failed,\"score, not a number\""))
    #expect(runs.count == 4 && runs[3].isEmpty)
    #expect(
      try Self.figures(1, of: "\(directory)/summary.csv", scratch) == [
        "user_days": "0.0008101851851851852", "launches": "3", "cold_launches": "3",
        "cold_launches_after_purge": "1", "relaunch_wait_seconds": "0.79",
        "relaunch_wait_seconds_p95": "0.79", "system_ends": "2", "system_losses_noticed": "1",
        "system_lost_work_seconds": "4", "system_lost_work_noticed_seconds": "4",
        "system_lost_bytes_noticed": "2048", "relaunches_after_system_end": "1",
        "system_relaunch_wait_seconds": "0.79", "purges": "2", "purged_bytes": "360002304",
        "loss_events": "1", "loss_events_noticed": "1", "loss_events_noticed_24h": "1",
        "lost_work_seconds": "4", "lost_work_noticed_seconds": "4", "lost_bytes": "2048",
        "lost_bytes_noticed": "2048", "partial_save_ratio": "", "staleness_seconds_p50": "",
        "staleness_seconds_p90": "", "staleness_seconds_p99": "", "staleness_seconds_max": "",
        "loss_cost": "2.5", "user_days_with_loss": "1", "warning_level_seconds": "0.25",
        "resident_apps_mean": "1.5", "footprint_bytes_peak": "360002304", "issues": "3",
      ])
    #expect(try scratch.lines("\(directory)/summary.csv").count == 3)
    #expect(
      try Self.figures(2, of: "\(directory)/apps.csv", scratch) == [
        "app": "com.example.notes", "category": "notes", "save": "[background, timer 30s]",
        "launches": "2", "cold_launches": "2", "cold_launches_after_purge": "1",
        "relaunch_wait_seconds": "0.79", "relaunch_wait_seconds_p95": "0.79", "system_ends": "1",
        "system_losses_noticed": "1", "system_lost_work_seconds": "4",
        "system_lost_work_noticed_seconds": "4", "system_lost_bytes_noticed": "2048",
        "relaunches_after_system_end": "1", "system_relaunch_wait_seconds": "0.79", "purges": "1",
        "purged_bytes": "60002304", "loss_events": "1", "loss_events_noticed": "1",
        "loss_events_noticed_24h": "1", "lost_work_seconds": "4", "lost_work_noticed_seconds": "4",
        "lost_bytes": "2048", "lost_bytes_noticed": "2048", "partial_save_ratio": "",
        "staleness_seconds_p50": "", "staleness_seconds_p90": "", "staleness_seconds_p99": "",
        "staleness_seconds_max": "", "loss_cost": "2.5", "footprint_bytes_max": "60002304",
        "arena_active_bytes_max": "60002304",
      ])
    let apps = try scratch.lines("\(directory)/apps.csv")
    #expect(apps[1].hasSuffix(",0,0,0,0,0,0,,"))
    #expect(apps.count == 4)
    #expect(
      try scratch.lines("\(directory)/comparison.csv")[1] == """
        iphone-4,536870912,purges,users,size,lru,2,0,-0.5,,,,,values,,,,,,,%3Dann%3Bb=-1.5;bob=0.5
        """)
    #expect(try scratch.text("\(directory)/columns.md") == ColumnsDocument.text)
  }

  /// Everything in a row that is not 0, after the key, whose cells must be those of the sample.
  private static func figures(
    _ number: Int, of file: String, _ scratch: Scratch
  ) throws -> [String: String] {
    var row = try scratch.row(number, of: file)
    let key = ["trace", "user", "policy", "device", "memory_bytes", "seed"]
    #expect(
      key.map { row.removeValue(forKey: $0) } == [
        "example", "ann", "lru", "iphone-4", "536870912", "1",
      ])
    return row.filter { $0.value != "0" }
  }

  @Test("A replay has a comparison.csv with its header only")
  func noComparison() throws {
    let scratch = try Scratch()
    try ReportTee([try CSVReportSink(directory: scratch.path)])
      .finish(runs: [Sample.record()], comparisons: [])
    #expect(try scratch.lines("comparison.csv").count == 2)
    #expect(
      scratch.names == ["apps.csv", "columns.md", "comparison.csv", "runs.csv", "summary.csv"])
  }

  @Test("Sums of the rows of apps.csv are the figures of summary.csv")
  func sums() throws {
    let reader = MetricReader(Sample.result())
    for metric in MetricTable.summary
    where metric.scope == .runAndApp && metric.pooling == .perUserDay {
      let parts = Sample.apps.indices.compactMap {
        reader.value(of: metric, app: AppIndex($0)).number
      }
      #expect(reader.value(of: metric).number == parts.reduce(0, +), "\(metric.name)")
    }
  }

  @Test("Nothing is renamed into place after an error, and nothing is left behind")
  func rollback() throws {
    let scratch = try Scratch()
    try "old".write(toFile: "\(scratch.path)/runs.csv", atomically: true, encoding: .utf8)
    do {
      let writer = try CSVReportSink(directory: scratch.path, details: Set(DetailKind.allCases))
      let listener = try Sample.listener(of: writer)
      listener.recorder.record(EventRecord(.purge, app: AppIndex(0), at: 1))
      _ = try listener.finish()
      #expect(scratch.names.count > 7)
    }
    #expect(scratch.names == ["runs.csv"])
    #expect(try scratch.text("runs.csv") == "old")
  }

  @Test("Reports of several sinks appear together, or none of them")
  func together() throws {
    let scratch = try Scratch()
    let gates = [try MetricGate(parsing: "purges>1"), try MetricGate(parsing: "warnings>0")]
    let last = SinkThatLooks(scratch)
    func sinks() throws -> [any ReportSink] {
      [
        try CSVReportSink(directory: scratch.path),
        try JUnitReportSink(path: "\(scratch.path)/gates.xml", gates: gates), last,
      ]
    }
    last.fails = true
    #expect(throws: CancellationError.self) {
      try ReportTee(sinks()).finish(runs: [Sample.record()], comparisons: [])
    }
    #expect(scratch.names == [])
    last.fails = false
    try ReportTee(sinks()).finish(runs: [Sample.record()], comparisons: [])
    #expect(last.seen == [[], []], "they appear after the last is written")
    #expect(
      scratch.names == [
        "apps.csv", "columns.md", "comparison.csv", "gates.xml", "runs.csv", "summary.csv",
      ])
    let report = try scratch.text("gates.xml")
    #expect(
      report.contains("<testsuite name=\"jettison\" tests=\"2\" failures=\"1\" errors=\"0\">"))
    #expect(
      report.contains(
        "example, lru, iphone-4, seed 1: purges is 2, which meets 'purges&gt;1'</failure>"))
  }

  /// A sink that looks at what is there under its name when it is the last to be told of results.
  private final class SinkThatLooks: ReportSink {
    private let scratch: Scratch
    private(set) var seen: [[String]] = []
    var fails = false

    init(_ scratch: Scratch) {
      self.scratch = scratch
    }

    func finish(runs: [RunRecord], comparisons: [Comparison]) throws {
      seen.append(scratch.names.filter { !$0.hasPrefix(".") })
      if fails { throw CancellationError() }
    }
  }

  @Test("Rows of parallel runs come in the order of the runs, whichever ends first")
  func order() throws {
    let scratch = try Scratch()
    let tee = ReportTee([try CSVReportSink(directory: scratch.path, details: [.events])])
    var parts: [TeePart] = []
    for index in 0..<3 {
      let listener = try #require(
        try tee.listeners.listener(to: try Sample.run(index, trace: "t\(index)")))
      for time in 0..<Int64(index + 1) {
        listener.recorder.record(EventRecord(.purge, app: AppIndex(1), at: time))
      }
      parts.append(try listener.finish())
    }
    // Places 3 and 4 are never taken.
    try tee.add(parts[2], at: 5)
    try tee.add(nil, at: 1)
    try tee.add(parts[0], at: 0)
    try tee.add(parts[1], at: 2)
    try tee.finish(runs: [], comparisons: [])
    // Whoever made the parts may still hold them.
    withExtendedLifetime(parts) { #expect(scratch.names.count == 6) }
    let lines = try scratch.lines("events.csv").dropFirst().dropLast()
    #expect(
      lines.map {
        $0.split(separator: ",", omittingEmptySubsequences: false).prefix(7).joined(separator: ",")
      } == [
        "t0,ann,lru,iphone-4,536870912,1,0", "t1,ann,lru,iphone-4,536870912,1,0",
        "t1,ann,lru,iphone-4,536870912,1,1", "t2,ann,lru,iphone-4,536870912,1,0",
        "t2,ann,lru,iphone-4,536870912,1,1", "t2,ann,lru,iphone-4,536870912,1,2",
      ])
  }

  @Test("Rows that wait for their turn are removed with what they wait for")
  func droppedParts() throws {
    let scratch = try Scratch()
    var tee: ReportTee? = ReportTee([
      try CSVReportSink(directory: scratch.path, details: [.events])
    ])
    let listener = try #require(try tee?.listeners.listener(to: try Sample.run(1)))
    // More than a part keeps in memory.
    for time in Int64(0)..<6_000 {
      listener.recorder.record(EventRecord(.purge, app: AppIndex(1), at: time))
    }
    let part = try listener.finish()
    try tee?.add(part, at: 1)
    #expect(scratch.names.contains { $0.contains("events.csv.part1") })
    tee = nil
    withExtendedLifetime(part) {
      #expect(!scratch.names.contains { $0.contains("events.csv.part1") })
    }
  }

  @Test("Several sinks hear the same, each what it wants")
  func severalSinks() throws {
    let both = try Scratch()
    let events = try Scratch()
    let count = SinkThatCounts()
    let tee = ReportTee([
      try CSVReportSink(directory: both.path, details: [.events, .footprints]), count,
      try CSVReportSink(directory: events.path, details: [.events]),
    ])
    for index in 0..<2 {
      let listener = try #require(try tee.listeners.listener(to: try Sample.run(index)))
      #expect(listener.recorder.wantsEvents && listener.recorder.wantsFootprints)
      #expect(!listener.recorder.wantsDecisions)
      var random = SplitMix64(seed: UInt64(index))
      for step in 0..<3_000 {
        let app = AppIndex(Int(random.next() % 2))
        listener.recorder.record(
          Self.footprint(Int64(step) * 300_000_000, app, Int64(random.next() >> 40)))
        listener.recorder.record(EventRecord(.purge, app: app, at: Int64(step)))
      }
      try tee.add(try listener.finish(), at: index)
    }
    try tee.finish(runs: [Sample.record()], comparisons: [])
    #expect(try both.text("events.csv") == events.text("events.csv"))
    #expect(try both.lines("events.csv").count == 6_002)
    #expect(try both.lines("footprints.csv").count > 1_000)
    #expect(!events.names.contains("footprints.csv"))
    #expect(count.runs == 1)
  }

  /// A sink that wants nothing but results.
  private final class SinkThatCounts: ReportSink {
    private(set) var runs = 0

    func finish(runs: [RunRecord], comparisons: [Comparison]) { self.runs += runs.count }
  }

  static func footprint(_ time: Int64, _ app: AppIndex, _ bytes: Int64) -> FootprintRecord {
    FootprintRecord(
      timeNanoseconds: time, app: app, state: .active, footprintBytes: bytes, requestedBytes: 1,
      activeBytes: -1, dirtyBytes: -1, availableBytes: -7, level: .critical)
  }

  /// Records footprints and returns the time, app and bytes of the rows.
  static func thinned(
    _ records: [(time: Int64, app: Int, bytes: Int64)], period: Int64
  ) throws -> [String] {
    let scratch = try Scratch()
    let writer = try CSVReportSink(
      directory: scratch.path, details: [.footprints], samplePeriodNanoseconds: period)
    let listener = try Sample.listener(of: writer)
    let recorder = listener.recorder
    #expect(recorder.wantsFootprints && !recorder.wantsEvents && !recorder.wantsDecisions)
    for record in records {
      recorder.record(footprint(record.time, AppIndex(record.app), record.bytes))
    }
    try writer.add(try listener.finish())
    try ReportTee([writer]).finish(runs: [], comparisons: [])
    return try scratch.lines("footprints.csv").dropFirst().dropLast().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      #expect(fields[8] == "active" && fields[10...] == ["1", "", "", "-7", "critical"])
      return "\(fields[6]) \(fields[7].split(separator: ".").last ?? "") \(fields[9])"
    }
  }

  @Test("Footprints: the last value of each app and period, in order of time")
  func sampling() throws {
    let records: [(time: Int64, app: Int, bytes: Int64)] = [
      (0, 0, 1), (3, 1, 2), (5, 0, 3), (9, 0, 4), (9, 1, 5), (10, 0, 6), (35, 1, 7), (36, 1, 8),
    ]
    #expect(
      try Self.thinned(records, period: 10)
        == ["9 game 4", "9 notes 5", "10 game 6", "36 notes 8"])
    #expect(try Self.thinned(records, period: 0).count == records.count)
    #expect(try Self.thinned([], period: 10).isEmpty)
  }

  @Test("Available memory and the level: the last of each period, where no footprint tells them")
  func sampledMemory() throws {
    let scratch = try Scratch()
    let writer = try CSVReportSink(
      directory: scratch.path, details: [.footprints], samplePeriodNanoseconds: 10)
    let listener = try Sample.listener(of: writer)
    func tell(_ time: Int64, _ available: Int64, _ level: PressureLevel) {
      listener.recorder.record(
        MemoryRecord(timeNanoseconds: time, availableBytes: available, level: level))
    }
    tell(1, 5, .normal)
    tell(3, 6, .normal)
    // In this period a footprint tells how it ends.
    listener.recorder.record(Self.footprint(12, AppIndex(0), 1))
    tell(14, 8, .normal)
    tell(15, -7, .critical)
    tell(25, 9, .warning)
    // This footprint says nothing new of its app.
    listener.recorder.record(Self.footprint(35, AppIndex(0), 1))
    try writer.add(try listener.finish())
    try ReportTee([writer]).finish(runs: [], comparisons: [])
    #expect(
      try scratch.lines("footprints.csv").dropFirst().dropLast().map {
        String($0.dropFirst("example,ann,lru,iphone-4,536870912,1,".count))
      } == [
        "3,,,,,,,6,normal", "12,com.example.game,active,1,1,,,-7,critical",
        "25,,,,,,,9,warning", "35,,,,,,,-7,critical",
      ])
  }

  @Test("A decision is a row per candidate, or one row without an app")
  func decisions() throws {
    let scratch = try Scratch()
    let writer = try CSVReportSink(directory: scratch.path, details: [.decisions])
    let listener = try Sample.listener(of: writer)
    let recorder = listener.recorder
    func candidate(_ app: Int, chosen: Bool) -> CandidateRecord {
      CandidateRecord(
        app: AppIndex(app), state: .suspended, score: app == 0 ? -.infinity : 12.5,
        footprintBytes: 100, idleNanoseconds: 1_500_000_000, unsavedWorkNanoseconds: 0,
        unsavedBytes: 5, sinceWarningNanoseconds: app == 0 ? nil : 250_000_000, isChosen: chosen,
        freedBytes: chosen ? 100 : 0, tieBrokenBy: app == 0 ? .suspendedAt : nil)
    }
    func decision(_ number: Int, _ candidates: [CandidateRecord]) -> DecisionRecord {
      DecisionRecord(
        number: number, timeNanoseconds: 60, trigger: .thresholds, level: .critical,
        availableBytes: -10, neededBytes: 30, targetBytes: 20, candidates: candidates)
    }
    recorder.record(decision(1, [candidate(0, chosen: true), candidate(1, chosen: false)]))
    recorder.record(decision(2, []))
    try writer.add(try listener.finish())
    try ReportTee([writer]).finish(runs: [], comparisons: [])
    let key = "example,ann,lru,iphone-4,536870912,1,"
    #expect(
      try scratch.lines("decisions.csv").dropFirst() == [
        key
          + "1,60,thresholds,critical,-10,30,20,1,com.example.game,suspended,,-inf,100,1.5,0,5,,1,100,suspended-at",
        key
          + "1,60,thresholds,critical,-10,30,20,2,com.example.notes,suspended,,12.5,100,1.5,0,5,0.25,0,0,",
        key + "2,60,thresholds,critical,-10,30,20,,,,,,,,,,,,,",
        "",
      ])
  }

  @Test("Rows of events.csv hold what happened, and nothing where nothing applies")
  func events() throws {
    let scratch = try Scratch()
    let writer = try CSVReportSink(directory: scratch.path, details: [.events])
    let listener = try Sample.listener(of: writer)
    let recorder = listener.recorder
    var state = EventRecord(.state, app: AppIndex(1), at: 0)
    state.stateBefore = .notRunning
    state.stateAfter = .inactive
    state.cause = .t1
    var message = EventRecord(.message, app: AppIndex(1), at: 0)
    message.message = .didFinishLaunching
    var loss = EventRecord(.loss, app: AppIndex(1), at: 60_000_000_000)
    loss.lossClass = .noSave
    loss.bytes = 2048
    loss.workNanoseconds = 4_000_000_000
    loss.nanoseconds = 10
    loss.noticed = .yes
    loss.decision = 1
    var save = EventRecord(.save, app: AppIndex(0), at: 5)
    save.saveOutcome = .interrupted
    save.cause = .timer
    for row in [state, message, loss, save] { recorder.record(row) }
    try writer.add(try listener.finish())
    try ReportTee([writer]).finish(runs: [], comparisons: [])
    let key = "example,ann,lru,iphone-4,536870912,1,"
    #expect(
      try scratch.lines("events.csv").dropFirst() == [
        key + "0,com.example.notes,state,not-running,inactive,,T1,,,,,,,",
        key + "0,com.example.notes,message,,,application:didFinishLaunchingWithOptions:,,,,,,,,",
        key + "60000000000,com.example.notes,loss,,,,,no-save,2048,0.00000001,4,yes,1,",
        key + "5,com.example.game,save,,,,timer,interrupted,,,,,,",
        "",
      ])
  }

  @Test("A recorder keeps the first error and goes on", .enabled(if: Scratch.hasFullDevice))
  func recorderFailure() throws {
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let recorder = CSVRecorder(
      key: Sample.key(), apps: Sample.apps, details: [], samplePeriodNanoseconds: 0,
      writers: [.events: CSVWriter(OutputFile(descriptor: descriptor, name: "events.csv"))])
    for time in Int64(0)..<5_000 {
      recorder.record(EventRecord(.purge, app: AppIndex(0), at: time))
    }
    let expected = ReportError.writeFailed(path: "events.csv", code: ENOSPC)
    #expect(recorder.failure == expected)
    #expect(throws: expected) { try recorder.finish() }
  }
}
