import Foundation
import JettisonCore
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
      let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../traces/\(folder)").standardizedFileURL
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
      for name in ShippedPopulationTests.metrics {
        guard let metric = try? MetricTable.metric(named: name) else { continue }
        let value = MetricReader(result).value(of: metric).number ?? 0
        totals[name, default: []].append(value)
      }
      for name in ["foreground_kills", "background_kills", "limit_kills"] {
        guard let metric = try? MetricTable.metric(named: name) else { continue }
        if MetricReader(result).value(of: metric).number ?? 0 > 0 { ends.insert(name) }
      }
    }
  }

  private static let metrics = [
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

  @Test("No user makes up more than a quarter of a total")
  func balance() throws {
    for (folder, population) in zip(["2010", "today"], Self.populations) {
      for (name, values) in try population.get().totals.sorted(by: { $0.key < $1.key }) {
        let sum = values.reduce(0, +)
        #expect(sum > 0, "\(folder): \(name)")
        #expect((values.max() ?? 0) <= sum / 4, "\(folder), \(name): \(values)")
      }
    }
  }
}
