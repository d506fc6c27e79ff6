import Foundation
import JettisonCore
import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonReports

/// A directory that goes away with the test.
final class Scratch {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("jettison-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Whether the system has a device that is always full.
  static var hasFullDevice: Bool { FileManager.default.fileExists(atPath: "/dev/full") }

  deinit {
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Names of everything inside, hidden files too, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  func lines(_ name: String) throws -> [String] {
    try text(name).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A row of a CSV file, counted from 1, by the names of its columns.
  func row(_ number: Int, of name: String) throws -> [String: String] {
    let lines = try lines(name)
    let names = Self.cells(of: lines[0])
    let cells = Self.cells(of: lines[number])
    try #require(names.count == cells.count, "\(name): row \(number)")
    return Dictionary(uniqueKeysWithValues: zip(names, cells))
  }

  /// Cells of a line; commas between quotation marks belong to them.
  private static func cells(of line: String) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .reduce(into: [""]) { cells, part in
        guard part.offset.isMultiple(of: 2) else {
          cells[cells.count - 1] += part.element
          return
        }
        let pieces = part.element.split(separator: ",", omittingEmptySubsequences: false)
        cells[cells.count - 1] += pieces[0]
        cells += pieces.dropFirst().map(String.init)
      }
  }
}

/// Runs made by hand.
enum Sample {
  static let apps = ["com.example.game", "com.example.notes"]

  static func key(_ policy: String = "lru", trace: String = "example") -> RunKey {
    RunKey(
      trace: trace, user: "ann", policy: policy, device: "iphone-4", memoryBytes: 536_870_912,
      seed: 1)
  }

  static func run(
    _ position: Int = 0, trace name: String = "example", apps: [String] = apps,
    start: String? = "2010-11-01T09:00:00Z"
  ) throws -> StartedRun {
    let empty = try TraceText().end(70).trace()
    var header = TraceHeader(user: "ann")
    header.start = start
    let trace = Trace(
      name: name, header: header, apps: apps, details: empty.details,
      detailTexts: empty.detailTexts, events: empty.events, blockSlotCount: 0, taskSlotCount: 0,
      capturedIDs: empty.capturedIDs, issues: empty.issues)
    return StartedRun(
      key: key(trace: name), trace: trace, position: position,
      configuration: configuration(apps.count), policy: try PolicySpec(parsing: "lru"))
  }

  /// Who listens for a sink that wants to.
  static func listener(of sink: any ReportSink) throws -> any RunListener {
    try #require(try sink.listeners?.listener(to: run()))
  }

  static func result() -> RunResult {
    var game = AppTotals()
    game.coldLaunches = 1
    game.purges = 1
    game.purgedBytes = 300_000_000
    var notes = AppTotals()
    notes.coldLaunches = 2
    notes.coldLaunchesAfterPurge = 1
    notes.relaunchWaitNanoseconds = 790_000_000
    notes.relaunchesAfterSystemEnd = 1
    notes.systemRelaunchWaitNanoseconds = 790_000_000
    notes.systemLossesNoticed = 1
    notes.systemLostWorkNanoseconds = 4_000_000_000
    notes.systemLostWorkNoticedNanoseconds = 4_000_000_000
    notes.systemLostBytesNoticed = 2048
    notes.purges = 1
    notes.purgedBytes = 60_002_304
    notes.lossEvents = 1
    notes.lossEventsNoticed = 1
    notes.lossEventsNoticed24h = 1
    notes.lostWorkNanoseconds = 4_000_000_000
    notes.lostWorkNoticedNanoseconds = 4_000_000_000
    notes.lostBytes = 2048
    notes.lostBytesNoticed = 2048
    notes.lossCost = 2.5
    var footprint = FootprintStatistics()
    footprint.footprintBytesMax = 60_002_304
    footprint.arenaActiveBytesMax = 60_002_304
    footprint.arenaDirtyBytesMax = 0
    var system = SystemTotals()
    system.durationNanoseconds = 70_000_000_000
    system.days = 1
    system.daysWithLoss = 1
    system.residentAppsMean = 1.5
    system.warningLevelNanoseconds = 250_000_000
    system.footprintBytesPeak = 360_002_304
    system.replayIssues = 2
    return RunResult(
      apps: [game, notes], footprints: [FootprintStatistics(), footprint], system: system,
      relaunchWaits: [AppSample(app: AppIndex(1), nanoseconds: 790_000_000)], staleness: [])
  }

  static func configuration(_ appCount: Int = apps.count) -> RunConfiguration {
    var device = Device(
      name: "iphone-4", ramBytes: 536_870_912, reserveBytes: 168_820_736, source: "test")
    device.era = .ios4
    var configuration = RunConfiguration(
      device: device, pressure: .thresholds,
      profiles: Array(repeating: AppProfile(), count: appCount))
    configuration.pinned = [AppIndex(1)]
    return configuration
  }

  static func record(
    _ policy: String = "lru", trace: String = "example", apps: [String] = apps,
    outcome: RunRecord.Outcome = .finished(result()), isImputed: Bool = false
  ) -> RunRecord {
    RunRecord(
      key: key(policy, trace: trace), configuration: configuration(apps.count),
      provenance: RunProvenance(
        traceHash: 0xabc, start: "2010-11-01T09:00:00Z",
        catalogPaths: ["notes.yaml", "a;b.yaml"], catalogHash: nil, apps: apps,
        natures: [
          AppNature(category: "large-game", saveWhen: "none"),
          AppNature(category: "notes", saveWhen: "[background, timer 30s]"),
        ], traceIssueCount: 1, hasNoise: false,
        isImputed: isImputed, jettisonVersion: "1.0.0", jemallocVersion: "5.3.0"),
      outcome: outcome)
  }
}
