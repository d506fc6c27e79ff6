import Foundation
import JettisonCore
import JettisonReports
import JettisonSupport
import JettisonTestSupport
import JettisonTraces
import Testing

@testable import JettisonExperiments

/// What the shipped users live through, under `lru` on their own device.
@Suite("Shipped populations")
struct ShippedPopulationTests {
  /// What happened to one population.
  private struct Lived {
    var transitions: Set<RecordedCause> = []
    var losses: Set<LossClass> = []
    /// `ended` rows and kills by cause; purges, watchdog terminations, expired tasks.
    var ends: Set<String> = []
    /// Totals by metric, one value per user.
    var totals: [String: [Double]] = [:]

    init(_ folder: String) throws {
      let path = ShippedPopulationTests.traces.appending(path: folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: path.path).sorted()
      for name in names {
        let file = path.appending(path: name).path
        let trace = try TraceLoader.load(file)
        var options = SpecificationText()
        options.add(.policies, "lru")
        options.add(.footprints, "declared")
        let plan = try RunPlanner(options.specification(for: .replay)).plan([
          LoadedTrace(
            path: file, trace: trace, catalog: try Catalog(for: trace, at: file))
        ])
        let recorder = CapturingRecorder(wantsDecisions: false, wantsFootprints: false)
        let result = try plan.policies[0].spec.run(
          plan.traces[0].trace, plan.runs[0].configuration, recorder: recorder)
        recorder.events.forEach { add($0) }
        add(result)
      }
    }

    private mutating func add(_ row: EventRecord) {
      switch row.kind {
      case .state: transitions.insert(row.cause)
      case .loss: if let lossClass = row.lossClass { losses.insert(lossClass) }
      case .kill, .ended: ends.insert(row.cause.name)
      case .purge, .watchdog, .taskExpired: ends.insert(row.kind.name)
      default: break
      }
    }

    private mutating func add(_ result: RunResult) {
      for metric in ShippedPopulationTests.counted {
        let value = MetricReader(result).value(of: metric).number ?? 0
        totals[metric.name, default: []].append(value)
      }
      for name in ["foreground_kills", "background_kills", "limit_kills"] {
        guard let metric = try? MetricTable.metric(named: name) else { continue }
        if MetricReader(result).value(of: metric).number ?? 0 > 0 { ends.insert(name) }
      }
    }
  }

  private static let traces = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../traces").standardizedFileURL

  /// Every figure that counts events, work, bytes or waiting: those that are added up.
  private static let counted = MetricTable.summary.filter { $0.pooling == .perUserDay }

  /// Those that both populations must have, each user below a quarter.
  private static let usual = [
    "launches", "cold_launches", "purges", "warnings", "loss_events", "loss_events_noticed",
    "lost_work_seconds", "lost_work_noticed_seconds", "relaunch_wait_seconds", "system_ends",
    "system_losses_noticed", "system_lost_work_seconds", "system_lost_work_noticed_seconds",
    "system_relaunch_wait_seconds",
  ]

  private static let populations = ["users-2010", "users-today"].map { folder in
    Result { try Lived(folder) }
  }

  @Test("Every transition, every loss and every end occurs in the two together")
  func everything() throws {
    let lived = try Self.populations.map { try $0.get() }
    let transitions = lived.reduce(into: Set<RecordedCause>()) { $0.formUnion($1.transitions) }
    let losses = lived.reduce(into: Set<LossClass>()) { $0.formUnion($1.losses) }
    let ends = lived.reduce(into: Set<String>()) { $0.formUnion($1.ends) }
    let all: Set<RecordedCause> = [
      .t1, .t2, .t3, .t4, .t5, .t6, .t7, .t8, .t9, .t10, .t11, .t12, .t13, .t14, .t15,
    ]
    #expect(all.subtracting(transitions).isEmpty, "\(all.subtracting(transitions))")
    let classes = Set(LossClass.allCases)
    #expect(classes.subtracting(losses).isEmpty, "\(classes.subtracting(losses))")
    let causes: Set<String> = [
      "purge", "background_kills", "foreground_kills", "limit_kills", "watchdog", "task-expired",
      "quit", "exit", "crash", "update", "boot", "no-multitasking", "gpu-in-background",
      "shared-resource",
    ]
    #expect(causes.subtracting(ends).isEmpty, "\(causes.subtracting(ends))")
  }

  /// The largest user's share of a total, if that is above a quarter; nil: it is not.
  private static func excess(_ values: [Double], _ unit: Metric.Unit) -> String? {
    let sum = values.reduce(0, +)
    guard let largest = values.max(), largest > sum / 4 else { return nil }
    return "\(HumanText.percent(largest / sum)) of \(HumanText.value(sum, unit: unit))"
  }

  @Test("No user makes up more than a quarter of a usual total")
  func balance() throws {
    for (folder, population) in zip(["2010", "today"], Self.populations) {
      let totals = try population.get().totals
      for name in Self.usual {
        let values = try #require(totals[name])
        #expect(values.reduce(0, +) > 0, "\(folder): \(name)")
        #expect(Self.excess(values, .count) == nil, "\(folder), \(name): \(values)")
      }
    }
  }

  @Test("Totals of which one user makes up more are listed (JETTISON_RECORD=1 writes them)")
  func exceptions() throws {
    let totals = try Self.populations.map { try $0.get().totals }
    let rows = Self.counted.compactMap { metric -> String? in
      let cells = totals.map { Self.excess($0[metric.name] ?? [], metric.unit) }
      guard cells.contains(where: { $0 != nil }) else { return nil }
      return "| `\(metric.name)` | " + cells.map { $0 ?? "–" }.joined(separator: " | ") + " |"
    }
    let head = ["| Total | users-2010 | users-today |", "|---|---|---|"]
    let table = (head + rows).joined(separator: "\n")
    let article = Self.traces.appending(path: "README.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let name = "more than a quarter"
    let begin = try #require(text.range(of: "<!-- \(name): begin -->\n\n"))
    let end = try #require(text.range(of: "\n\n<!-- \(name): end -->"))
    let wanted = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
    if ProcessInfo.processInfo.environment["JETTISON_RECORD"] == "1", wanted != text {
      try wanted.write(to: article, atomically: true, encoding: .utf8)
      Issue.record("the table is written: read the difference, and run again without recording")
    }
    #expect(text == wanted)
  }
}
