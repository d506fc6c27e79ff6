import Foundation
import JettisonCore
import JettisonPolicies
import JettisonSupport
import JettisonTestSupport
import PerfettoMessages
import Testing

@testable import JettisonExperiments
@testable import JettisonPages
@testable import JettisonReports

/// Available memory and level over a run, as one report tells them.
private struct MemoryStory: Equatable {
  private(set) var available: [Int64: Int64] = [:]
  private(set) var levels: [Int64: Int64] = [:]

  /// Of several figures of one time the last counts.
  mutating func add(available bytes: Int64, at time: Int64) { available[time] = bytes }
  mutating func add(level: Int64, at time: Int64) { levels[time] = level }

  mutating func add(_ record: MemoryRecord) {
    add(available: record.availableBytes, at: record.timeNanoseconds)
    add(level: Int64(record.level.rawValue), at: record.timeNanoseconds)
  }

  /// The times at which a figure changes, and what it is from then on.
  private static func changes(_ figures: [Int64: Int64]) -> [[Int64]] {
    var changes: [[Int64]] = []
    for (time, figure) in figures.sorted(by: { $0.key < $1.key }) where figure != changes.last?[1] {
      changes.append([time, figure])
    }
    return changes
  }

  static func == (a: MemoryStory, b: MemoryStory) -> Bool {
    changes(a.available) == changes(b.available) && changes(a.levels) == changes(b.levels)
  }

  /// What was available at a time.
  func available(at time: Int64) -> Int64? {
    available.filter { $0.key <= time }.max { $0.key < $1.key }?.value
  }

  /// How long a level lasted, in nanoseconds.
  func span(of level: PressureLevel, in range: Range<Int64>) -> Int64 {
    let changes = Self.changes(levels)
    let ends = changes.dropFirst().map { $0[0] } + [range.upperBound]
    return zip(changes, ends).reduce(0) { sum, stretch in
      guard stretch.0[1] == Int64(level.rawValue) else { return sum }
      return sum + max(0, min(stretch.1, range.upperBound) - max(stretch.0[0], range.lowerBound))
    }
  }
}

/// Footprints, available memory and observations as the engine tells them.
private final class Witness: Recorder {
  let wantsEvents = false
  let wantsDecisions = false
  let wantsFootprints = true
  let wantsObservations = true
  private(set) var story = MemoryStory()
  private(set) var observations: [ObservationRecord] = []
  /// How often memory changed without an app.
  private(set) var aloneCount = 0

  func record(_ event: EventRecord) {}
  func record(_ decision: DecisionRecord) {}
  func record(_ footprint: FootprintRecord) { story.add(footprint.memory) }
  func record(_ observation: ObservationRecord) { observations.append(observation) }

  func record(_ memory: MemoryRecord) {
    story.add(memory)
    aloneCount += 1
  }
}

@Suite("Available memory and the level, as reports tell them")
struct MemoryRowTests {
  private static let mebibyte: Int64 = 1 << 20

  /// What footprints.csv tells.
  private static func story(ofRows path: String) throws -> MemoryStory {
    var story = MemoryStory()
    for row in try ReportRows(path).rows {
      let time = try #require(row.number("time_ns"))
      story.add(available: try #require(row.number("available_bytes")), at: time)
      let levels = [PressureLevel.normal, .warning, .critical]
      let level = try #require(levels.first { $0.name == row["level"] })
      story.add(level: Int64(level.rawValue), at: time)
    }
    return story
  }

  /// What the counters of a Perfetto trace tell.
  private static func story(ofTrace path: String) throws -> MemoryStory {
    let trace = try ShownTrace(path)
    func values(_ name: String) throws -> [(nanoseconds: Int64, value: Int64)] {
      let track = try #require(trace.tracks.values.first { $0.name == name })
      return trace.counters[track.uuid] ?? []
    }
    var story = MemoryStory()
    for point in try values("available memory") {
      story.add(available: point.value, at: point.nanoseconds)
    }
    for point in try values("memory level") { story.add(level: point.value, at: point.nanoseconds) }
    return story
  }

  // MARK: An example

  /// The system takes 300 MiB of the 550 for a hundred seconds, and no app does anything.
  private static let example = """
    # jettison-trace: 1
    # apps:
    #   a: {footprint: {launch: 100MiB}, edits: none}
    time_ns,app,event,value,id,detail
    0,,system-memory,104857600,,
    0,a,launch,,,
    100000000000,,system-memory,419430400,,
    200000000000,,system-memory,104857600,,
    300000000000,,end,,,reason=complete

    """

  private func withExample(_ body: (URL, ExperimentResult) throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "jettison-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try writeScratch(Self.example.utf8, to: folder.appending(path: "sm.csv"))
    var asked = ExperimentSpecification(traces: [folder.appending(path: "sm.csv").path])
    var device = try DeviceTable.device(named: "iphone-4")
    device.ramBytes = 1000 * Self.mebibyte
    device.reserveBytes = 200 * Self.mebibyte
    asked.devices = [device]
    asked.pressure = .thresholds
    asked.memoryBytes = [550 * Self.mebibyte]
    asked.seeds = .count(1, from: 1)
    let sinks: [any ReportSink] = [
      try CSVReportSink(
        directory: folder.path, details: [.footprints], samplePeriodNanoseconds: 0),
      try PerfettoReportSink(
        path: folder.appending(path: "run.pftrace").path, samplePeriodNanoseconds: 0),
      try ReplayPageSink(path: folder.appending(path: "page.html").path),
    ]
    try body(folder, try await Experiment(asked).run(into: sinks))
  }

  @Test("A fall and a rise without any app are told by all reports")
  func systemMemory() async throws {
    try await withExample { folder, _ in
      let summary = try ReportRows(folder.appending(path: "summary.csv").path).rows[0]
      #expect(summary.nanoseconds("warning_level_seconds") == seconds(100))
      #expect(summary.nanoseconds("critical_level_seconds") == 0)
      var expected = MemoryStory()
      expected.add(available: 350 * Self.mebibyte, at: 0)
      expected.add(available: 50 * Self.mebibyte, at: seconds(100))
      expected.add(available: 350 * Self.mebibyte, at: seconds(200))
      expected.add(level: 0, at: 0)
      expected.add(level: 1, at: seconds(100))
      expected.add(level: 0, at: seconds(200))
      #expect(expected.span(of: .warning, in: 0..<seconds(300)) == seconds(100))
      let table = folder.appending(path: "footprints.csv").path
      #expect(try Self.story(ofRows: table) == expected)
      #expect(try Self.story(ofTrace: folder.appending(path: "run.pftrace").path) == expected)
      let lines = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
      #expect(
        lines.suffix(2).map { $0.split(separator: ",", maxSplits: 6).last } == [
          "100000000000,,,,,,,52428800,warning", "200000000000,,,,,,,367001600,normal",
        ])
      let page = try String(
        contentsOfFile: folder.appending(path: "page.html").path, encoding: .utf8)
      #expect(
        page.contains(#""levels":[[100000000000,"warning"],[200000000000,"normal"]]"#))
      #expect(page.contains(#""spans":[200000000000,100000000000,0]"#))
      #expect(page.contains("[100000000000,52428800],[200000000000,367001600]]"))
      let spans = [200, 100].map { HumanText.duration(nanoseconds: seconds($0)) }
      #expect(page.contains("Level: normal \(spans[0]), warning \(spans[1])."))
    }
  }

  @Test(
    "Perfetto's trace processor sums the level to what the summary says",
    .enabled(if: TraceProcessor.program != nil))
  func traceProcessor() async throws {
    try await withExample { folder, _ in
      let answers = try TraceProcessor.query(
        folder.appending(path: "run.pftrace").path,
        [
          "with v as (select c.ts, c.value, lead(c.ts) over (order by c.ts) as until from counter c "
            + "join counter_track t on c.track_id = t.id where t.name = 'memory level') select "
            + "cast(sum(iif(value = 1, until - ts, 0)) as int), sum(until - ts) from v"
        ])
      #expect(answers[0] == ["\(seconds(100))|\(seconds(300))"])
    }
  }

  // MARK: Every model

  private static func policy(of model: PressureModelKind) -> String {
    switch model.family {
    case .jetsam: "jetsam-fifo"
    case .android: "android"
    case .linux: "linux-oom"
    default: "lru"
    }
  }

  /// A random case on a model, in which the system takes and gives memory, and the capture measures
  /// what is available at the end of every instant.
  private static func random(_ seed: UInt64, _ model: PressureModelKind) -> RandomCase {
    var random = RandomTrace.make(seed: seed)
    random.configuration.pressure = model
    random.configuration.device.isIdealCache = model == .idealCache && seed % 2 == 0
    if model != .idealCache { random.configuration.capacityApps = nil }
    let ram = random.configuration.device.ramBytes
    random.configuration.device.pressureParameters.reclaim.swapBytes = ram / 10 * Int64(seed % 4)
    random.configuration.device.pressureParameters.reclaim.workingSetPercent =
      Double(seed % 3) * 10
    random.configuration.device.pressureParameters.android.cachedLimit = seed % 3 == 0 ? 4 : 32
    random.configuration.device.pressureParameters.linux.earlyoom.termMemoryPercent = 40
    if seed % 4 == 0 {
      random.configuration.device.compression = .init(ratio: 3, suspendedShare: 0.7)
    }
    var generator = SplitMix64(seed: KeyedRandom.mix(seed &+ 4242))
    var rows: [TraceRow] = []
    for (row, next) in zip(random.rows, random.rows.dropFirst().map(Optional.some) + [nil]) {
      rows.append(row)
      guard row.kind != .end, row.time != next?.time else { continue }
      if generator.uniform() < 0.2 {
        let bytes = Int64(generator.uniform() * Double(ram)) / 2
        rows.append(TraceRow(row.time, "", .systemMemory, value: bytes))
      }
      rows.append(TraceRow(row.time, "", .observedAvailable, value: 1))
    }
    random.rows = rows
    return random
  }

  /// What the reports of one run tell.
  private struct Told {
    let rows: MemoryStory
    let trace: MemoryStory
    let days: [SkylineDay]
    let droppedDays: Int
  }

  private static func told(
    _ trace: Trace, _ configuration: RunConfiguration, _ policy: PolicySpec
  ) throws -> Told {
    let skyline = SkylineRecorder(
      appCount: trace.apps.count, end: trace.index.endNanoseconds, startSecondsOfDay: nil)
    _ = try policy.run(trace, configuration, recorder: skyline)
    return try withScratchFolder { folder in
      let path = folder.appending(path: "run.pftrace").path
      let tee = ReportTee([
        try CSVReportSink(
          directory: folder.path, details: [.footprints], samplePeriodNanoseconds: 0),
        try PerfettoReportSink(path: path, samplePeriodNanoseconds: 0),
      ])
      let key = RunKey(
        trace: "t", user: "u", policy: "p", device: "d",
        memoryBytes: configuration.device.ramBytes, seed: 1)
      let listener = try #require(
        try tee.listeners.listener(
          to: StartedRun(
            key: key, trace: trace, position: 0, configuration: configuration, policy: policy)))
      _ = try policy.run(trace, configuration, recorder: listener.recorder)
      try tee.add(try listener.finish(), at: 0)
      try tee.finish(runs: [], comparisons: [])
      return Told(
        rows: try story(ofRows: folder.appending(path: "footprints.csv").path),
        trace: try story(ofTrace: path), days: skyline.finish(), droppedDays: skyline.droppedDays)
    }
  }

  @Test(
    "Spans of each level add up to the summary's, and memory is the engine's",
    arguments: PressureModelKind.allCases)
  func everyModel(model: PressureModelKind) throws {
    let policy = try PolicySpec(parsing: Self.policy(of: model))
    var (alone, measured, shortage): (Int, Int, Int64) = (0, 0, 0)
    for seed in UInt64(1)...60 {
      let random = Self.random(seed, model)
      let (trace, configuration) = try random.inputs()
      let end = trace.index.endNanoseconds
      // Some models poll all the time.
      guard model.family != .linux || end < seconds(3600) else { continue }
      let witness = Witness()
      let outcome = Result { () throws(RunError) in
        try policy.run(trace, configuration, recorder: witness)
      }
      guard case .success(let result) = outcome else { continue }
      let counted = min(end, configuration.warmUpNanoseconds)..<end
      let story = witness.story
      for (level, span) in [
        (PressureLevel.warning, result.system.warningLevelNanoseconds),
        (.critical, result.system.criticalLevelNanoseconds),
      ] {
        #expect(story.span(of: level, in: counted) == span, "\(level)\n\(random)")
        shortage += span
      }
      for observation in witness.observations where observation.kind == .available {
        let time = observation.timeNanoseconds
        #expect(story.available(at: time) == observation.availableBytes, "\(time)\n\(random)")
        measured += 1
      }
      alone += witness.aloneCount
      let told = try Self.told(trace, configuration, policy)
      #expect(told.rows == story, "footprints.csv\n\(random)")
      #expect(told.trace == story, "Perfetto\n\(random)")
      check(told, story, through: end, random)
    }
    #expect(measured > 500)
    #expect(alone > 20)
    let knowsLevels = model.family != .linux && model != .idealCache
    #expect((shortage > 0) == knowsLevels)
  }

  /// A skyline draws no day in which nothing happens.
  private func check(
    _ told: Told, _ story: MemoryStory, through end: Int64, _ random: RandomCase
  ) {
    for level in [PressureLevel.normal, .warning, .critical] {
      let spans = told.days.map { story.span(of: level, in: $0.range) }
      #expect(
        told.days.map { $0.levelSpans[level] ?? 0 } == spans, "skyline, \(level)\n\(random)")
    }
    for day in told.days {
      let last = day.moments.last?.availableBytes ?? day.firstAvailableBytes
      // The last instant belongs to the last day.
      let through = day.range.upperBound == end ? end : day.range.upperBound - 1
      #expect(last == story.available(at: through), "skyline\n\(random)")
    }
  }
}
