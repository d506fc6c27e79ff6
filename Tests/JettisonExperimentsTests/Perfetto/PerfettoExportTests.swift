import Foundation
import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import PerfettoMessages
import Testing

@testable import JettisonExperiments
@testable import JettisonReports

@Suite("Perfetto traces of runs")
struct PerfettoExportTests {
  /// What is replayed, and on what.
  struct Place: Sendable, CustomTestStringConvertible {
    let trace: String
    let device: String
    var policy = "lru"
    var pressure: PressureModelKind?
    var memory: [Int64] = []
    var warmUp: Int64 = 0
    var testDescription: String { "\(trace) on \(device) under \(policy)" }
  }

  static let places = [
    Place(trace: "users-2010/user-000.csv", device: "iphone-4"),
    Place(trace: "users-2010/user-001.csv", device: "iphone-4", policy: "size+saved"),
    Place(trace: "users-today/today-000.csv", device: "iphone-6s", policy: "jetsam-fifo"),
    Place(
      trace: "users-today/today-001.csv", device: "pixel-6", policy: "android",
      memory: [3 << 30]),
    Place(
      trace: "users-today/today-002.csv", device: "desktop-8g", policy: "linux-oom",
      memory: [2 << 30]),
    Place(
      trace: "users-2010/user-002.csv", device: "iphone-4", warmUp: 86_400_000_000_000),
    Place(trace: "stories/save-torn-at-purge.csv", device: "iphone-4"),
    Place(trace: "stories/device-without-multitasking.csv", device: "iphone-3g"),
    Place(trace: "stories/opengl-in-the-background.csv", device: "iphone-4"),
  ]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../traces").standardized.path

  /// A run as CSV files and as a Perfetto trace, each read once.
  private final class Reports {
    let folder: URL
    let result: ExperimentResult
    private var tables: [String: [[String: String]]] = [:]
    private var trace: ShownTrace?

    init(_ place: Place, in folder: URL, jobs: Int = 2) async throws {
      var asked = ExperimentSpecification(
        traces: ["\(PerfettoExportTests.folder)/\(place.trace)"])
      asked.policies = try .reading(place.policy)
      asked.devices = [try DeviceTable.device(named: place.device)]
      asked.pressure = place.pressure
      asked.memoryBytes = place.memory
      asked.warmUpNanoseconds = place.warmUp
      asked.seeds = .count(1, from: 1)
      self.folder = folder
      let sinks: [any ReportSink] = [
        try CSVReportSink(directory: folder.path, details: Set(DetailKind.allCases)),
        try PerfettoReportSink(path: folder.appending(path: "run.pftrace").path),
      ]
      result = try await Experiment(asked).run(into: sinks, jobs: jobs)
    }

    var path: String { folder.appending(path: "run.pftrace").path }

    func shown() throws -> ShownTrace {
      if let trace { return trace }
      let read = try ShownTrace(path)
      trace = read
      return read
    }

    func rows(_ name: String) throws -> [[String: String]] {
      if let rows = tables[name] { return rows }
      let rows = try ReportRows(folder.appending(path: "\(name).csv").path).rows
      tables[name] = rows
      return rows
    }
  }

  private func withReports(
    _ place: Place, jobs: Int = 2, _ body: (Reports) throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "jettison-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(try await Reports(place, in: folder, jobs: jobs))
  }

  @Test(
    "A run as a Perfetto trace says what its CSV files say, as Android would", arguments: places)
  func sameStory(_ place: Place) async throws {
    try await withReports(place) { reports in
      try checkInstants(reports)
      try checkTotals(reports, place)
      try checkFootprints(reports)
      try checkStates(reports)
      try checkDecisions(reports)
      try checkKills(reports, place)
      try checkArrows(reports, place)
      try checkRoundTrip(reports)
    }
  }

  // MARK: Against the CSV files

  /// Every event but states and messages is an instant with the arguments of events.csv.
  private func checkInstants(_ reports: Reports) throws {
    let trace = try reports.shown()
    let rows = try reports.rows("events").filter {
      $0["event"] != "state" && $0["event"] != "message"
    }
    let events = trace.instants.filter { $0.name != "decision" }
    try #require(events.count == rows.count)
    for (event, row) in zip(events, rows) {
      #expect(event.name == row["event"])
      #expect(event.start == row.number("time_ns"))
      #expect(trace.path(of: event.track).first == "events")
      #expect(trace.path(of: event.track)[1] == row["app"])
      #expect(event.text("app") == row["app"])
      #expect(event.text("cause") == row["cause"])
      #expect(event.text("class") == row["class"])
      #expect(event.text("noticed") == row["noticed"])
      #expect(event["bytes"] == row.number("bytes"))
      #expect(event["decision"] == row.number("decision"))
      #expect(event["nanoseconds"] == row.nanoseconds("seconds"))
      #expect(event["work_nanoseconds"] == row.nanoseconds("work_seconds"))
    }
  }

  /// Sums over instants are the totals of summary.csv.
  private func checkTotals(_ reports: Reports, _ place: Place) throws {
    let trace = try reports.shown()
    let summary = try #require(try reports.rows("summary").first)
    let warmUp = trace.slices.first { $0.name == "warm-up" }
    #expect((warmUp?.end ?? 0) == place.warmUp)
    let counted = trace.instants.filter { $0.start >= place.warmUp }
    func count(_ name: String, _ isCounted: (ShownTrace.Event) -> Bool = { _ in true }) -> Int64 {
      Int64(counted.count { $0.name == name && isCounted($0) })
    }
    func sum(
      _ name: String, _ argument: String, _ isCounted: (ShownTrace.Event) -> Bool = { _ in true }
    ) -> Int64 {
      counted.filter { $0.name == name && isCounted($0) }.reduce(0) { $0 + ($1[argument] ?? 0) }
    }
    let isReal: (ShownTrace.Event) -> Bool = {
      ($0["bytes"] ?? 0) > 0 || ($0["work_nanoseconds"] ?? 0) > 0
    }
    let isNoticed: (ShownTrace.Event) -> Bool = {
      isReal($0) && $0.text("noticed") != "censored" && $0.text("class") != "restore-lost"
    }
    let isFront: (ShownTrace.Event) -> Bool = {
      ["active", "inactive"].contains($0.text("state"))
    }
    let undecided = ["limit", "gpu-in-background", "shared-resource"]
    let totals: [String: Int64] = [
      "launches": count("launch") { $0.text("cause") != "background" },
      "cold_launches": count("launch") { $0.text("cause") == "cold" },
      "hot_launches": count("launch") { $0.text("cause") == "hot" },
      "warnings": count("warning"),
      "purges": count("purge"), "purged_bytes": sum("purge", "bytes"),
      "background_kills": count("kill") { !undecided.contains($0.text("cause")) && !isFront($0) },
      "foreground_kills": count("kill") { !undecided.contains($0.text("cause")) && isFront($0) },
      "gpu_kills": count("kill") { $0.text("cause") == "gpu-in-background" },
      "no_multitasking_ends": count("ended") { $0.text("cause") == "no-multitasking" },
      "saves": count("save"),
      "system_losses_noticed": count("loss", isNoticed),
      "system_lost_bytes_noticed": sum("loss", "bytes", isNoticed),
      "loss_events": count("loss") {
        isReal($0) && $0.text("after") == "purge" && $0.text("class") != "restore-lost"
      },
      "no_victim_decisions": count("decision") { $0.arguments["candidates"] == nil },
    ]
    for (name, total) in totals {
      #expect(summary.number(name) == total, "\(name)")
    }
    #expect(
      summary.nanoseconds("system_lost_work_noticed_seconds")
        == sum("loss", "work_nanoseconds", isNoticed))
  }

  /// Footprints are those of footprints.csv, as processes' memory and on tracks.
  private func checkFootprints(_ reports: Reports) throws {
    let trace = try reports.shown()
    let rows = try reports.rows("footprints")
    for (app, own) in Dictionary(grouping: rows, by: { $0["app"] ?? "" }) where !app.isEmpty {
      let told = own.map { [$0.number("time_ns") ?? -1, $0.number("footprint_bytes") ?? -1] }
      let track = try #require(
        trace.tracks.values.first {
          $0.name == "footprint" && trace.path(of: $0.uuid)[1] == app
        })
      let counted = trace.counters[track.uuid, default: []].map { [$0.nanoseconds, $0.value] }
      // Where another process begins, its size is told also if the last one had the same.
      #expect(Set(counted).isSuperset(of: told), "\(app)")
      #expect(Self.steps(counted) == Self.steps(told), "\(app)")
      let sizes = trace.processes.values.filter { $0.name == app }.flatMap(\.sizes)
      let held = sizes.map { [$0.nanoseconds, $0.bytes] }.filter { $0[1] > 0 }
      #expect(Set(held) == Set(counted.filter { $0[1] > 0 }), "\(app)")
    }
  }

  /// Slices are the states of events.csv, and processes live from state to state.
  private func checkStates(_ reports: Reports) throws {
    let trace = try reports.shown()
    let rows = try reports.rows("events").filter { $0["event"] == "state" }
    let apps = Dictionary(grouping: rows) { $0["app"] ?? "" }
    for (app, own) in apps {
      var slices: [String] = []
      // What ran before the trace began has no row until something happens to it.
      if let first = own.first, first["state_before"] != "not-running" {
        slices.append("\(first["state_before"] ?? "") 0 \(first.number("time_ns") ?? -1)")
      }
      for (row, next) in zip(own, own.dropFirst().map(Optional.some) + [nil]) {
        let (start, end) = (row.number("time_ns") ?? -1, next?.number("time_ns"))
        guard row["state_after"] != "not-running", end != start else { continue }
        slices.append("\(row["state_after"] ?? "") \(start) \(end ?? -1)")
      }
      let shown = trace.slices.filter {
        trace.path(of: $0.track).first == app && trace.path(of: $0.track).count == 3
      }
      var names = shown.map { "\($0.name) \($0.start) \($0.end)" }
      // The last one goes on to the end of the trace.
      if let last = slices.last, last.hasSuffix(" -1"), !names.isEmpty {
        #expect(shown.last?.end ?? 0 >= own.last?.number("time_ns") ?? 0)
        names[names.count - 1] = "\(shown.last?.name ?? "") \(shown.last?.start ?? 0) -1"
      }
      #expect(names == slices, "\(app)")
      let starts = own.filter { $0["state_before"] == "not-running" }.compactMap {
        $0.number("time_ns")
      }
      let ends = own.filter { $0["state_after"] == "not-running" }.compactMap {
        $0.number("time_ns")
      }
      let lives = trace.processes.values.filter { $0.name == app }
      #expect(lives.compactMap(\.start).sorted() == starts, "\(app)")
      #expect(lives.compactMap(\.end).sorted() == ends, "\(app)")
    }
  }

  /// Decisions have the candidates of decisions.csv.
  private func checkDecisions(_ reports: Reports) throws {
    let trace = try reports.shown()
    let rows = Dictionary(grouping: try reports.rows("decisions")) { $0["decision"] ?? "" }
    let decisions = trace.instants.filter { $0.name == "decision" }
    #expect(decisions.count == rows.count)
    for decision in decisions {
      let own = try #require(rows["\(decision["decision"] ?? 0)"])
      #expect(decision.start == own[0].number("time_ns"))
      #expect(decision.text("trigger") == own[0]["trigger"])
      #expect(decision.text("level") == own[0]["level"])
      for column in ["available_bytes", "needed_bytes", "target_bytes"] {
        #expect(decision[column] == own[0].number(column))
      }
      guard case .list(let candidates)? = decision.arguments["candidates"] else {
        #expect(own.count == 1 && own[0]["app"] == "")
        continue
      }
      try #require(candidates.count == own.count)
      for (candidate, row) in zip(candidates, own) { check(candidate, row) }
    }
  }

  private func check(_ candidate: [String: ShownTrace.Value], _ row: [String: String]) {
    for column in ["app", "state", "tie_broken_by"] where row[column] != "" {
      #expect(candidate[column] == .text(row[column] ?? ""))
    }
    for column in ["rank", "band", "footprint_bytes", "unsaved_bytes", "chosen", "freed_bytes"] {
      #expect(candidate[column] == row.number(column).map { .integer($0) }, "\(column)")
    }
    for (name, column) in [
      ("idle_nanoseconds", "idle_seconds"), ("unsaved_work_nanoseconds", "unsaved_work_seconds"),
      ("since_warning_nanoseconds", "seconds_since_warning"),
    ] {
      #expect(candidate[name] == row.nanoseconds(column).map { .integer($0) }, "\(name)")
    }
    guard case .real(let score)? = candidate["score"] else {
      Issue.record("no score")
      return
    }
    #expect(score == Double(row["score"] ?? ""))
  }

  // MARK: As Android would have it

  /// Low-memory kills are lmkd's lines, with the rank that the decision tells.
  private func checkKills(_ reports: Reports, _ place: Place) throws {
    let trace = try reports.shown()
    let ends = try reports.rows("events").filter {
      $0["event"] == "purge"
        || $0["event"] == "kill"
          && !["gpu-in-background", "shared-resource"].contains($0["cause"])
    }
    let lines = trace.prints.filter { $0.line.contains("|lowmemorykiller|lmk,") }
    #expect(lines.map(\.nanoseconds) == ends.compactMap { $0.number("time_ns") })
    let decisions = Dictionary(grouping: try reports.rows("decisions")) { $0["decision"] ?? "" }
    for (line, end) in zip(lines, ends) {
      let fields = line.line.split(separator: ",")
      let victim = try #require(Int32(fields[1]))
      #expect(trace.processes[victim]?.name == end["app"])
      #expect(trace.processes[victim]?.end == line.nanoseconds)
      guard ["pixel-6", "desktop-8g"].contains(place.device) else { continue }
      let row = decisions[end["decision"] ?? ""]?.first { $0["app"] == end["app"] }
      #expect(fields[3] == row?["band"] ?? "", "\(end)")
    }
  }

  /// Arrows lead from ends by the system to the launches that notice them.
  private func checkArrows(_ reports: Reports, _ place: Place) throws {
    let trace = try reports.shown()
    var open: [String: UInt64] = [:]
    var count = 0
    for event in trace.instants where event.name != "decision" {
      let app = event.text("app")
      let isEnd = ["purge", "kill", "watchdog", "task-expired", "ended"].contains(event.name)
      let isBySystem = event.name != "ended" || event.text("cause") == "no-multitasking"
      #expect(event.flows.count == (isEnd && isBySystem ? 1 : 0))
      if isEnd { open[app] = event.flows.first }
      let notices = event.name == "launch" && event.text("cause") != "background"
      #expect(event.endsOfFlows == (notices ? open[app].map { [$0] } ?? [] : []))
      if notices, open.removeValue(forKey: app) != nil { count += 1 }
    }
    let ids = trace.instants.flatMap(\.flows)
    #expect(Set(ids).count == ids.count)
    if place.trace.hasPrefix("users") { #expect(count > 5) }
  }

  /// Our importer finds the same footprints and ends in it.
  private func checkRoundTrip(_ reports: Reports) throws {
    let imported = try TraceLoader.load(reports.path, formats: .all)
    let origin = try Self.origin(of: imported, in: reports)
    var sizes: [String: [[Int64]]] = [:]
    var ends: [String: [Int64]] = [:]
    imported.events.forEach { event in
      let time = event.timeNanoseconds + origin
      switch event.kind {
      case .footprint, .present:
        sizes[imported.apps[event.app.position], default: []].append([time, event.value])
      case .observedExit, .exit:
        sizes[imported.apps[event.app.position], default: []].append([time, 0])
        ends[imported.apps[event.app.position], default: []].append(time)
      default: break
      }
    }
    let rows = Dictionary(grouping: try reports.rows("footprints").filter { $0["app"] != "" }) {
      $0["app"] ?? ""
    }
    let told = rows.mapValues { own in
      Self.steps(own.map { [$0.number("time_ns") ?? -1, $0.number("footprint_bytes") ?? -1] })
    }.filter { !$0.value.isEmpty }
    #expect(!told.isEmpty)
    let imports = sizes.mapValues(Self.steps).filter { !$0.value.isEmpty }
    #expect(Set(imports.keys) == Set(told.keys))
    for (app, own) in told {
      let found = imports[app] ?? []
      let place = zip(found, own).enumerated().first { $1.0 != $1.1 }?.offset ?? own.count
      #expect(
        found[max(0, min(place, found.count) - 1)...].prefix(3)
          == own[max(0, min(place, own.count) - 1)...].prefix(3), "\(app) from \(place) on")
      #expect(found.count == own.count, "\(app)")
    }
    let states = try reports.rows("events").filter { $0["state_after"] == "not-running" }
    let expected = Dictionary(grouping: states) { $0["app"] ?? "" }
      .mapValues { $0.compactMap { $0.number("time_ns") } }
    #expect(ends == expected)
  }

  /// Where a trace's times begin in the run that it was imported from: it begins with its first fact,
  /// floored to the second if the date is known.
  private static func origin(of imported: Trace, in reports: Reports) throws -> Int64 {
    let first = try reports.rows("footprints").compactMap { $0.number("time_ns") }.min() ?? 0
    return imported.header.start == nil ? first : first / 1_000_000_000 * 1_000_000_000
  }

  /// Sizes at the times at which they change; of several at one time the last counts.
  private static func steps(_ sizes: [[Int64]]) -> [[Int64]] {
    let last = Dictionary(sizes.map { ($0[0], $0[1]) }) { $1 }
    var steps: [[Int64]] = []
    for (time, size) in last.sorted(by: { $0.key < $1.key }) where size != steps.last?[1] ?? 0 {
      steps.append([time, size])
    }
    return steps
  }

  // MARK: Several runs, and the trace processor

  @Test("Several runs are machines of their own, whatever is done at a time")
  func severalRuns() async throws {
    let place = Place(
      trace: "stories/draft-lost-at-purge.csv", device: "iphone-4",
      memory: [400 << 20, 512 << 20, 600 << 20])
    var bytes: [Data] = []
    for jobs in [1, 3] {
      try await withReports(place, jobs: jobs) { reports in
        bytes.append(try Data(contentsOf: URL(filePath: reports.path)))
        let trace = try reports.shown()
        #expect(Set(trace.packets.map(\.machineID)) == [0, 1, 2])
        #expect(Set(trace.packets.map(\.trustedPacketSequenceID)).count == 3)
        let tops = trace.tracks.values.filter { !$0.hasParentUuid }
        #expect(Set(tops.map(\.name)).count == 3)
        #expect(Set(trace.instants.map { $0.text("run") }).count == 3)
        for machine in trace.packets.map(\.machineID) where machine > 0 {
          #expect(
            trace.packets.contains { $0.machineID == machine && !$0.clockSnapshot.clocks.isEmpty })
        }
      }
    }
    #expect(bytes[0] == bytes[1])
  }

  @Test(
    "SQL of Perfetto's trace processor finds no import error and the totals of summary.csv",
    .enabled(if: TraceProcessor.program != nil), arguments: places)
  func traceProcessor(_ place: Place) async throws {
    try await withReports(place) { reports in
      let summary = try #require(try reports.rows("summary").first)
      let since = "s.ts >= \(place.warmUp)"
      func value(_ argument: String) -> String { "extract_arg(s.arg_set_id, 'debug.\(argument)')" }
      let answers = try TraceProcessor.query(
        reports.path,
        [
          "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
          "select sum(s.name = 'purge'), sum(s.name = 'warning'), sum(s.name = 'save'), "
            + "sum(s.name = 'launch' and \(value("cause")) != 'background') from slice s where \(since)",
          "select coalesce(sum(\(value("bytes"))), 0) from slice s where s.name = 'purge' and \(since)",
          "select count(*), coalesce(sum(\(value("work_nanoseconds"))), 0) from slice s where "
            + "s.name = 'loss' and \(value("class")) != 'restore-lost' and \(value("noticed")) != "
            + "'censored' and (\(value("bytes")) > 0 or \(value("work_nanoseconds")) > 0) and \(since)",
          "include perfetto module android.memory.lmk",
          "select count(*), count(upid), count(distinct upid) from android_lmk_events",
        ])
      #expect(answers[0].isEmpty)
      let counts = ["purges", "warnings", "saves", "launches"].map { summary[$0] ?? "" }
      #expect(answers[1] == [counts.joined(separator: "|")])
      #expect(answers[2] == [summary["purged_bytes"] ?? ""])
      let work = summary.nanoseconds("system_lost_work_noticed_seconds") ?? -1
      #expect(answers[3] == ["\(summary["system_losses_noticed"] ?? "")|\(work)"])
      let kills = try reports.shown().prints.count { $0.line.contains("lowmemorykiller") }
      #expect(answers[5] == ["\(kills)|\(kills)|\(kills)"])
    }
  }
}
