import Foundation
import JettisonCore
import JettisonExperiments
import JettisonPages
import JettisonPolicies
import JettisonReports
import JettisonTestSupport
import JettisonTraces
import Synchronization
import Testing

/// Whatever a program hands to the libraries, they answer with a result or an error that says what to
/// do; nothing traps.
@Suite("Silly arguments")
struct SillyArgumentsTests {
  private static let draft = TraceText().header("device: iphone-4")
    .header(
      "apps: {notes: {category: notes, footprint: {launch: 60MB}, save: none}, "
        + "game: {category: large-game, footprint: {launch: 180MB}, edits: none}}"
    )
    .row(0, "notes", "launch").row(4, "notes", "edit", value: 2048, detail: "work_ms=4000")
    .row(9, "game", "launch").row(20, "game", "footprint", value: 300_000_000)
    .row(60, "notes", "launch").row(70, "", "home").end(3600)

  private static func configuration(
    of trace: Trace, under model: PressureModelKind = .thresholds
  ) throws -> RunConfiguration {
    let device = try DeviceTable.device(named: "iphone-4")
    return RunConfiguration(
      device: device, pressure: model,
      profiles: try TraceLoader.profiles(of: trace, at: "t.csv", on: device))
  }

  private static func metric(_ name: String) throws -> Metric {
    try MetricTable.metric(named: name)
  }

  // MARK: Configurations

  private static let wholeNumbers: [Int64] = [.min, -1, 0, 1, .max]
  private static let realNumbers: [Double] = [
    -1, 0, .leastNonzeroMagnitude, 1, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
  ]

  private static var wholeFigures: [WritableKeyPath<RunConfiguration, Int64>] {
    [
      \.decayNanoseconds, \.warningPurgeDelayNanoseconds, \.warmUpNanoseconds, \.device.ramBytes,
      \.device.tableRAMBytes, \.device.reserveBytes, \.device.pageBytes,
      \.device.suspensionDelayNanoseconds, \.device.budgets.handlerNanoseconds,
      \.device.budgets.taskNanoseconds, \.device.budgets.backgroundLaunchNanoseconds,
      \.profiles[0].launchFootprintBytes, \.profiles[0].growthBytesPerMinute,
      \.profiles[0].backgroundCeilingBytes, \.profiles[0].suspendedCeilingBytes,
      \.profiles[0].releasablePPM, \.profiles[0].coldLaunchNanoseconds,
      \.profiles[0].warmLaunchNanoseconds, \.profiles[0].hotLaunchNanoseconds,
      \.profiles[0].saveTimerNanoseconds, \.profiles[0].saveBytesPerSecond,
      \.profiles[0].saveFixedNanoseconds, \.profiles[0].saveSharePPM, \.profiles[0].editWorkPPM,
      \.profiles[0].editBytesPerSecond, \.profiles[0].warningReleasePPM,
      \.profiles[0].warningDelayNanoseconds, \.profiles[0].limitBytes, \.profiles[0].softLimitBytes,
      \.profiles[0].inactiveLimitBytes, \.profiles[0].softInactiveLimitBytes,
      \.profiles[0].compressedPPM,
    ]
  }

  private static var realFigures: [WritableKeyPath<RunConfiguration, Double>] {
    [
      \.lambda, \.device.thresholds.warnPercent, \.device.thresholds.purgePercent,
      \.device.thresholds.untilPercent, \.device.thresholds.criticalPercent,
      \.device.thresholds.returnPercent, \.device.thresholds.stepPercent,
      \.profiles[0].editProbability, \.profiles[0].warningResponseProbability,
    ]
  }

  /// Replays, and says whether the configuration was refused.
  private static func isRefused(
    _ trace: Trace, _ configuration: RunConfiguration, _ policy: PolicySpec
  ) throws -> Bool {
    do throws(RunError) {
      _ = try policy.run(trace, configuration)
      return false
    } catch {
      // An app that fits no cache, or no address space, is an answer, too.
      if case .configuration(let reason) = error {
        #expect("\(reason)".contains("cannot be used: "), "\(reason)")
        return true
      }
      return false
    }
  }

  @Test("Every figure of a configuration, at its extremes", arguments: PressureModelKind.allCases)
  func figures(_ model: PressureModelKind) throws {
    let trace = try Self.draft.trace(name: "t")
    let policy = try PolicySpec(parsing: "gdsf+saved")
    var refused = 0
    for footprints in FootprintSource.allCases {
      var plain = try Self.configuration(of: trace, under: model)
      plain.footprints = footprints
      for path in Self.wholeFigures {
        // A save each nanosecond is possible, and takes as long as it sounds.
        for extreme in Self.wholeNumbers
        where extreme != 1 || path != \.profiles[0].saveTimerNanoseconds {
          var configuration = plain
          configuration[keyPath: path] = extreme
          if try Self.isRefused(trace, configuration, policy) { refused += 1 }
        }
      }
      for path in Self.realFigures {
        for extreme in Self.realNumbers {
          var configuration = plain
          configuration[keyPath: path] = extreme
          if try Self.isRefused(trace, configuration, policy) { refused += 1 }
        }
      }
    }
    #expect(refused > 100, "a check that refuses nothing checks nothing")
  }

  /// Names whomever it is told to, whether that can go or not.
  private struct Stubborn: PurgePolicy {
    static var search: VictimSearch { .naming }
    let victim: AppIndex

    func nextVictim(for request: PurgeRequest, apps: borrowing AppTable) -> AppIndex { victim }

    func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double { 0 }
  }

  @Test(
    "A policy that names whom it may not ends the run",
    arguments: [
      (0, "notes"), (2, "number 2"), (1 << 31, "number 2147483648"),
      (AppIndex.none.position, "nobody"),
    ])
  func victims(_ position: Int, _ name: String) throws {
    // Who comes in cannot go for itself.
    let trace = try TraceText().header("apps: {notes: {footprint: {launch: 300MB}}}")
      .row(0, "notes", "launch").row(4, "notes", "launch").row(9, "other", "launch").end(60)
      .trace(name: "t")
    let device = try DeviceTable.device(named: "ideal-cache")
    var configuration = try TraceLoader.configuration(for: trace, at: "t.csv", on: device)
    #expect(configuration.pressure == .idealCache)
    configuration.footprints = .declared
    configuration.capacityApps = 1
    let descriptor = PolicyDescriptor(
      name: "stubborn", family: "test", summary: "Names one app.",
      details: "Whatever happens.", source: "this test"
    ) { (_, _) throws(ConfigurationError) in
      Stubborn(victim: AppIndex(position == 0 ? trace.apps.count - 1 : position))
    }
    let policy = try PolicySpec(parsing: "stubborn", among: [descriptor])
    let error = try #require(throws: RunError.self) { _ = try policy.run(trace, configuration) }
    let shown = position == 0 ? trace.apps[trace.apps.count - 1] : name
    if position == AppIndex.none.position {
      #expect(
        error.description == "policy 'stubborn': it named no victim, though apps may go (name one "
          + "that 'update' called a candidate)")
    } else {
      #expect(error == .victimIsNoCandidate(policy: "stubborn", app: shown))
      #expect(error.description.contains("'\(shown)', which cannot go (name one"))
    }
  }

  @Test("A configuration that is made for a trace knows which apps end together")
  func groups() throws {
    let trace = try TraceText()
      .header("apps: {a: {group: g}, b: {group: g}, c: {cgroup: user.slice/x}}")
      .row(0, "a", "launch").row(1, "b", "launch").row(2, "c", "launch")
      .row(3, "d", "launch").row(4, "d%3Awork", "launch").end(60).trace(name: "t")
    let device = try DeviceTable.device(named: "pixel-6")
    let made = try TraceLoader.configuration(for: trace, at: "t.csv", on: device)
    #expect(made.pressure == .androidLMKD)
    #expect(trace.apps == ["a", "b", "c", "d", "d:work"])
    #expect(made.groups == [0, 0, 1, 2, 2])
    #expect(made.controlGroups[2] == "user.slice/x")
    #expect(made.profiles == (try TraceLoader.profiles(of: trace, at: "t.csv", on: device)))
  }

  @Test("Optional figures and counts, at their extremes")
  func options() throws {
    let trace = try Self.draft.trace(name: "t")
    let policy = try PolicySpec(parsing: "lru")
    for extreme in Self.wholeNumbers {
      var configurations = Array(repeating: try Self.configuration(of: trace), count: 5)
      configurations[0].capacityApps = extreme
      configurations[1].device.limitBytes = extreme
      configurations[2].protectRecentCount = Int(extreme)
      configurations[3].listedLosses = Int(extreme)
      configurations[4].seed = UInt64(bitPattern: extreme)
      for configuration in configurations {
        _ = try Self.isRefused(trace, configuration, policy)
      }
    }
    for ratio in Self.realNumbers {
      for share in Self.realNumbers {
        var configuration = try Self.configuration(of: trace)
        configuration.device.compression = .init(ratio: ratio, suspendedShare: share)
        _ = try Self.isRefused(trace, configuration, policy)
      }
    }
  }

  @Test("Parameters of killers below zero, and that are no numbers")
  func parameters() throws {
    let trace = try Self.draft.trace(name: "t")
    let policy = try PolicySpec(parsing: "lru")
    for model in PressureModelKind.allCases {
      let plain = try Self.configuration(of: trace, under: model)
      for parameter in PressureParameters.parameters(of: model) {
        var configuration = plain
        switch parameter.place {
        case .percent(let path), .number(let path):
          configuration.device.pressureParameters[keyPath: path] = .nan
        case .optionalPercent(let path):
          configuration.device.pressureParameters[keyPath: path] = -1
        case .count(let path): configuration.device.pressureParameters[keyPath: path] = .min
        case .optionalCount(let path): configuration.device.pressureParameters[keyPath: path] = -1
        case .duration(let path), .bytes(let path):
          configuration.device.pressureParameters[keyPath: path] = .min
        case .optionalDuration(let path), .optionalBytes(let path):
          configuration.device.pressureParameters[keyPath: path] = -1
        case .limits(let path):
          let none = MemoryLimit(memoryBytes: .min, swapBytes: .min)
          configuration.device.pressureParameters[keyPath: path] = .sets(
            [MemoryLimitSet(minimumRAMBytes: 0, visible: none, notVisible: none)])
        case .flag, .optionalFlag, .text: continue
        }
        #expect(try Self.isRefused(trace, configuration, policy), "\(model) \(parameter.key)")
      }
    }
  }

  @Test("Lists of another length than the trace has apps")
  func lists() throws {
    let trace = try Self.draft.trace(name: "t")
    let policy = try PolicySpec(parsing: "lru+unit=group")
    var configurations = Array(repeating: try Self.configuration(of: trace), count: 5)
    configurations[0].profiles = []
    configurations[1].profiles.append(AppProfile())
    configurations[2].groups = [1]
    configurations[3].controlGroups = ["a", "b", "c"]
    configurations[4].pinned = [.none]
    for configuration in configurations {
      #expect(try Self.isRefused(trace, configuration, policy))
    }
    var fitting = try Self.configuration(of: trace)
    fitting.groups = [7, 7]
    fitting.controlGroups = ["", ""]
    fitting.pinned = [AppIndex(0)]
    #expect(try !Self.isRefused(trace, fitting, policy))
  }

  @Test("A system that leaves apps no memory, where there is a system")
  func reserve() throws {
    let trace = try Self.draft.trace(name: "t")
    let policy = try PolicySpec(parsing: "lru")
    for model in PressureModelKind.allCases {
      var configuration = try Self.configuration(of: trace, under: model)
      configuration.device.reserveBytes = configuration.device.ramBytes
      #expect(
        try Self.isRefused(trace, configuration, policy) == !model.isTextbook, "\(model)")
    }
  }

  /// Two apps that fit memory one at a time.
  private static let pair = TraceText().header("device: iphone-4")
    .header(
      "apps: {a: {footprint: {launch: 300MB}, edits: none}, "
        + "b: {footprint: {launch: 300MB}, edits: none}}")

  @Test("Sums of the largest figures stay at the largest number")
  func sums() throws {
    let policy = try PolicySpec(parsing: "lru")
    let century: Int64 = 100 * 365 * 86_400 * 1_000_000_000
    // Waits: each launch ends the other app, and takes a century.
    var waiting = Self.pair
    for second in 0..<10 {
      waiting = waiting.row(Double(second * 60), second % 2 == 0 ? "a" : "b", "launch")
    }
    let waits = try waiting.end(3600).trace(name: "t")
    var configuration = try Self.configuration(of: waits)
    for position in 0..<2 {
      configuration.profiles[position].coldLaunchNanoseconds = century
      configuration.profiles[position].warmLaunchNanoseconds = 0
      configuration.profiles[position].hotLaunchNanoseconds = 0
    }
    let waited = try policy.run(waits, configuration).apps[0]
    #expect(waited.relaunchesAfterSystemEnd > 3)
    #expect(waited.systemRelaunchWaitNanoseconds == .max)
    // Bytes: use that produces more than any disk holds, saved every minute.
    let day = try Self.pair.row(0, "a", "launch").row(86_400, "", "home").row(86_460, "b", "launch")
      .end(90_000).trace(name: "t")
    configuration = try Self.configuration(of: day)
    configuration.profiles[0].modelsEdits = true
    configuration.profiles[0].editProbability = 1
    configuration.profiles[0].editWorkPPM = 1_000_000_000
    configuration.profiles[0].editBytesPerSecond = 1 << 53
    configuration.profiles[0].saveTriggers = [.background]
    configuration.profiles[0].saveTimerNanoseconds = 60_000_000_000
    let written = try policy.run(day, configuration).apps[0]
    #expect(written.saves > 100)
    #expect(written.writtenBytes == .max)
  }

  /// Says that a part of the cache is over its bound by all there is.
  private struct Boundless: PurgePolicy {
    static var boundsParts: Bool { true }

    func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64 { .max }

    func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double { 0 }
  }

  @Test("A policy whose bound is exceeded by everything ends everybody else")
  func bound() throws {
    var text = Self.pair
    for second in 0..<4 { text = text.row(Double(second), second % 2 == 0 ? "a" : "b", "launch") }
    let trace = try text.end(60).trace(name: "t")
    var configuration = try TraceLoader.configuration(
      for: trace, at: "t.csv", on: DeviceTable.device(named: "ideal-cache"))
    configuration.footprints = .declared
    let descriptor = PolicyDescriptor(
      name: "boundless", family: "test", summary: "Knows no bounds.", details: "None at all.",
      source: "this test"
    ) { (_, _) throws(ConfigurationError) in Boundless() }
    let policy = try PolicySpec(parsing: "boundless", among: [descriptor])
    let result = try policy.run(trace, configuration)
    #expect(result.apps.map(\.coldLaunches) == [2, 2])
    #expect(result.apps.map(\.purges) == [2, 1])
  }

  @Test("A policy whose name is taken is not replaced by the one that has it")
  func takenName() throws {
    let mine = PolicyDescriptor(
      name: "lru", family: "test", summary: "Another one.", details: "Of that name.",
      source: "this test"
    ) { (_, _) throws(ConfigurationError) in Boundless() }
    let error = try #require(throws: ConfigurationError.self) {
      _ = try PolicySpec(parsing: "lru", among: PolicyRegistry.all + [mine])
    }
    #expect("\(error)".contains("policy 'lru' cannot be used: two policies have the name"))
  }

  @Test("A sink that is published before it is finished leaves what was there")
  func unfinished() throws {
    let names = ["good.xml", "good.html", "summary.csv"]
    try withScratchFolder { folder in
      for name in names { try Data("whole".utf8).write(to: folder.appending(path: name)) }
      let sinks: [any ReportSink] = [
        try JUnitReportSink(path: folder.appending(path: names[0]).path, gates: []),
        try ComparisonPageSink(path: folder.appending(path: names[1]).path),
        try CSVReportSink(directory: folder.path),
      ]
      for sink in sinks { try sink.publish() }
      for name in names {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        #expect(text == "whole", "\(name)")
      }
    }
  }

  @Test("A device that can't exist", arguments: [Int64.min, -1, 0, 1, .max])
  func devices(_ bytes: Int64) {
    for era in Era.allCases {
      #expect(DeviceTable.unlisted(era: era, ramBytes: bytes).ramBytes == bytes)
    }
  }

  // MARK: Traces

  @Test("A trace of nothing")
  func emptyTrace() throws {
    let trace = Trace(
      name: "", header: TraceHeader(user: ""), apps: [], details: [EventDetail()],
      detailTexts: [""], events: ArrayEventStorage([]), blockSlotCount: 0, taskSlotCount: 0,
      capturedIDs: [], issues: ImportIssues())
    let configuration = try Self.configuration(of: trace)
    for model in PressureModelKind.allCases {
      var configuration = configuration
      configuration.pressure = model
      for name in ["lru", "random", "gdsf+saved+minimal", "belady"] {
        let result = try PolicySpec(parsing: name).run(trace, configuration)
        #expect(result.apps.isEmpty && result.system.decisions == 0)
        let reader = MetricReader(result)
        for metric in MetricTable.all { _ = reader.value(of: metric) }
      }
    }
    #expect(trace.lines.line(ofEvent: -1) == nil && trace.lines.line(ofEvent: .max) == nil)
  }

  @Test("Rows and numbers that no builder gave")
  func builder() throws {
    var builder = try TraceBuilder()
    let app = try builder.app(named: "a")
    #expect(builder.name(of: app) == "a" && builder.name(of: 99).isEmpty)
    #expect(builder.name(of: .max).isEmpty)
    #expect(throws: TraceFault.self) { try builder.app(named: "") }
    #expect(throws: TraceFault.self) { try builder.append(.launch, time: -1, app: app) }
    #expect(throws: TraceFault.self) { try builder.append(.launch, time: .max, app: app) }
    #expect(throws: TraceFault.self) { try builder.append(.launch, time: 0, app: 99) }
    #expect(throws: TraceFault.self) { try builder.append(.launch, time: 0) }
    #expect(throws: TraceFault.self) {
      try builder.append(.launch, time: 0, app: app, detail: .max)
    }
    #expect(throws: TraceFault.self) { try builder.skip(to: .min) }
    #expect(throws: TraceError.self) {
      try TraceBuilder().finish(name: "", header: TraceHeader(user: ""), file: "")
    }
  }

  @Test("Files that are not there, and places where nothing can be written")
  func files() throws {
    let trace = try Self.draft.trace(name: "t")
    for path in ["", "/", "/nowhere/trace.csv", "/proc/trace.csv"] {
      #expect(throws: TraceError.self) { try TraceLoader.load(path) }
      #expect(throws: TraceError.self) { try TraceWriter.write(trace, to: path) }
      #expect(throws: ReportError.self) { try JUnitReportSink(path: path, gates: []) }
      #expect(throws: ReportError.self) { try PerfettoReportSink(path: path) }
    }
    for folder in ["", "/proc/reports", "/dev/null"] {
      #expect(throws: ReportError.self) { try CSVReportSink(directory: folder) }
      #expect(throws: ReportError.self) { try CSVSavingsSink(directory: folder) }
      #expect(throws: ReportError.self) { try CSVValidationSink(directory: folder) }
    }
  }

  @Test("A folder stands for the files of formats that are added, too")
  func foldersOfOwnFormats() throws {
    let own = TraceFormat(
      name: "own", summary: "One's own.", provides: [.launches], fileExtensions: ["own"],
      read: { (_, _) throws(TraceError) in throw TraceError(file: "", what: "is not read here") })
    try withScratchFolder { folder in
      for name in ["a.own", "b.csv", "c.txt"] {
        try Data().write(to: folder.appending(path: name))
      }
      func names(_ formats: TraceFormats) throws -> [Substring?] {
        try TraceCollection.files([folder.path], formats: formats).map {
          $0.split(separator: "/").last
        }
      }
      #expect(try names(.native) == ["b.csv"])
      #expect(try names(.native.adding([own])) == ["a.own", "b.csv"])
      #expect(try names(TraceFormats([own])) == ["a.own"])
    }
  }

  // MARK: Results

  @Test("Metrics that do not exist, and apps that are not there")
  func metrics() throws {
    #expect(throws: ConfigurationError.self) { try Self.metric("nonsense") }
    for text in ["", ">", "purges", "purges>", "purges>x", ">1", "nonsense>1", "purges>nan"] {
      #expect(throws: ConfigurationError.self, "\(text)") { try MetricGate(parsing: text) }
    }
    let trace = try Self.draft.trace(name: "t")
    let result = try PolicySpec(parsing: "lru").run(trace, try Self.configuration(of: trace))
    let reader = MetricReader(result, traceIssueCount: .max)
    for metric in MetricTable.all {
      #expect(reader.value(of: metric, app: AppIndex(2)) == .empty)
      #expect(reader.value(of: metric, app: AppIndex.none) == .empty)
    }
  }

  @Test("Figures of no values, and of values that are no numbers")
  func statistics() {
    let huge = Double.greatestFiniteMagnitude
    let nine = (0..<9).map(Double.init)
    let samples: [[Double]] = [
      [], [.nan], [.infinity, -.infinity], [huge, 1], Array(repeating: .nan, count: 9),
      nine.map { $0 * huge }, nine.map { $0 > 4 ? huge : -$0 },
    ]
    for values in samples {
      _ = PairedStatistics.mean(values)
      _ = PairedStatistics.median(values)
      _ = PairedStatistics.standardError(values)
      _ = PairedStatistics.usersNeeded(values)
      _ = PairedStatistics.shareBelowZero(values)
      #expect(PairedStatistics.holm(values).count == values.count)
      if let interval = PairedInterval(values, seed: 0) {
        #expect(interval.low.isFinite && interval.high.isFinite)
      }
    }
    #expect(PairedStatistics.mean([]) == 0 && PairedStatistics.median([]) == 0)
    for share in Self.realNumbers {
      #expect(Quantile.interpolated([], share) == nil)
      #expect(Quantile.interpolated([.min, 0, .max], share) != nil)
    }
  }

  @Test("A run whose names are not those of its result")
  func reports() throws {
    let trace = try Self.draft.trace(name: "t")
    let configuration = try Self.configuration(of: trace)
    let result = try PolicySpec(parsing: "lru").run(trace, configuration)
    try withScratchFolder { folder in
      for names in [[], ["a"], ["a", "b", "c"]] {
        let provenance = RunProvenance(
          traceHash: 0, catalogHash: nil, apps: names, traceIssueCount: -1, hasNoise: false,
          isImputed: false, jettisonVersion: "", jemallocVersion: nil)
        let key = RunKey(trace: "", user: "", policy: "", device: "", memoryBytes: .min, seed: 0)
        let record = RunRecord(
          key: key, configuration: configuration, provenance: provenance,
          outcome: .finished(result))
        let path = folder.appendingPathComponent("page.html").path
        let sinks: [any ReportSink] = [
          try CSVReportSink(
            directory: folder.path, details: Set(DetailKind.allCases), eventKinds: [],
            samplePeriodNanoseconds: .min),
          try ReplayPageSink(path: path),
          try ComparisonPageSink(path: path),
        ]
        for sink in sinks {
          #expect(throws: ReportError.self) { try sink.finish(runs: [record], comparisons: []) }
        }
      }
    }
  }

  // MARK: Experiments

  private static func experiment(
    _ policies: [PolicySpec], traces: Int = 1
  ) async throws -> Experiment {
    let trace = try draft.trace(name: "t")
    let loaded = LoadedTrace(path: "t", trace: trace, catalog: try Catalog(for: trace, at: "t"))
    let specification = ExperimentSpecification(traces: [], policies: policies)
    return Experiment(
      try RunPlanner(specification).plan(Array(repeating: loaded, count: traces)))
  }

  @Test("Experiments on nothing, and on what is not there")
  func nothing() async throws {
    for traces in [[], [""], ["/nowhere"], ["-", "-"]] {
      for jobs in [nil, Int.min, 0, .max] {
        await #expect(throws: ExperimentError.self, "\(traces)") {
          _ = try await Experiment(ExperimentSpecification(traces: traces), jobs: jobs)
        }
      }
    }
    #expect(throws: ConfigurationError.self) { try SettingSweep("decay", []) }
    #expect(throws: ConfigurationError.self) { try SettingSweep("", [""]) }
    #expect(throws: ConfigurationError.self) { try SettingSweep("decay", ["-1s"]) }
    #expect(throws: ConfigurationError.self) { try PolicySpec(parsing: "") }
    #expect(throws: ExperimentError.self) { try ExperimentSpecification(contentsOf: "") }
  }

  @Test("Texts that say more than is wanted, or nothing")
  func texts() async throws {
    let list = #expect(throws: ExperimentError.self) {
      let _: PolicySpec = try .reading("lru,size")
    }
    #expect(
      list?.description
        == "policies: list 'lru,size' cannot be used: one policy is wanted; name one")
    var specification = ExperimentSpecification(traces: ["/nowhere/a.csv"])
    specification.catalogs = [""]
    let asked = specification
    let catalog = await #expect(throws: ExperimentError.self) { _ = try await Experiment(asked) }
    #expect(catalog?.description == "catalog: catalog '' cannot be used: name a file")
    let patient = PolicyDescriptor(
      name: "patient", family: "test", summary: "Waits.", details: "And waits.",
      source: "this test", parameters: [PolicyParameter("after", "How long.", default: "1d")]
    ) { (arguments, _) throws(ConfigurationError) in
      _ = try arguments.duration("after", default: 86_400)
      return Boundless()
    }
    _ = try PolicySpec(parsing: "patient:after=2d", among: [patient])
    #expect(throws: ConfigurationError.self) {
      try PolicySpec(parsing: "patient:after=1e308d", among: [patient])
    }
  }

  @Test("Numbers of a specification, at their extremes", arguments: [Int64.min, -1, 0, 1, .max])
  func specifications(_ number: Int64) async throws {
    let trace = try Self.draft.trace(name: "t")
    let loaded = LoadedTrace(path: "t", trace: trace, catalog: try Catalog(for: trace, at: "t"))
    let changes: [(inout ExperimentSpecification) -> Void] = [
      { $0.memoryBytes = [number] }, { $0.capacityApps = [number] },
      { $0.protectRecent = Int(number) }, { $0.warmUpNanoseconds = number },
      { $0.listedLosses = Int(number) }, { $0.seeds = .count(Int(number), from: .max) },
      { $0.seeds = .asNeeded(from: UInt64(bitPattern: number)) }, { $0.pinned = ["\(number)"] },
      { $0.baseline = "\(number)" }, { $0.catalogs = ["/nowhere/\(number)"] },
    ]
    var refused = 0
    for change in changes {
      var specification = ExperimentSpecification(traces: [], policies: try .reading("lru,size"))
      change(&specification)
      let plan: RunPlan
      do throws(ExperimentError) {
        plan = try RunPlanner(specification).plan([loaded])
      } catch {
        #expect(!error.description.isEmpty)
        refused += 1
        continue
      }
      let result = try await Experiment(plan).run(jobs: 1)
      #expect(!result.runs.isEmpty)
    }
    // No number is the name of an app or a policy, and nobody needs so much as 2^63 of a thing.
    #expect(refused >= 2 && refused < changes.count)
  }

  @Test("What no run can have is refused before the first")
  func impossible() throws {
    let trace = try Self.draft.trace(name: "t")
    let loaded = LoadedTrace(path: "t", trace: trace, catalog: try Catalog(for: trace, at: "t"))
    let changes: [(inout Device) -> Void] = [
      { $0.thresholds.purgePercent = .nan }, { $0.pageBytes = 0 }, { $0.ramBytes = .max },
      { $0.budgets.taskNanoseconds = -1 }, { $0.compression = .init(ratio: 0, suspendedShare: 1) },
      { $0.pressureParameters.linux.rootBonusPointsPercent = .infinity },
    ]
    for change in changes {
      var device = try DeviceTable.device(named: "iphone-4")
      change(&device)
      var specification = ExperimentSpecification(traces: [], policies: try .reading("lru"))
      specification.devices = [device]
      specification.pressure = .linuxOOM
      let error = #expect(throws: ExperimentError.self) {
        try RunPlanner(specification).plan([loaded])
      }
      #expect(error?.description.hasPrefix("device: ") == true)
    }
    var specification = ExperimentSpecification(traces: [], policies: try .reading("lru"))
    specification.listedLosses = -1
    let error = #expect(throws: ExperimentError.self) { try RunPlanner(specification) }
    #expect(error?.description == "listedLosses: value '-1' cannot be used: use 0 or more")
  }

  @Test(
    "Parts of runs are given up where another run ends the experiment",
    arguments: ["lru", "size", "gdsf", "fifo"])
  func partsLeft(of failing: String) async throws {
    let experiment = try await Self.experiment(try .reading("lru,size,gdsf,fifo"))
    let ledger = PartLedger(failing: failing)
    await #expect(throws: PartLedger.Failure.self) {
      _ = try await experiment.run(into: [LedgerSink(ledger)], jobs: 2)
    }
    ledger.counts.withLock { counts in
      #expect(counts.made == counts.discarded)
    }
  }

  @Test("A run that cannot be carried out cannot be explained")
  func failingRun() throws {
    var specification = ExperimentSpecification(traces: [], policies: try .reading("lru"))
    specification.devices = [try DeviceTable.device(named: "ideal-cache")]
    specification.memoryBytes = [1]
    let trace = try Self.draft.trace(name: "t")
    let loaded = LoadedTrace(path: "t", trace: trace, catalog: try Catalog(for: trace, at: "t"))
    let experiment = Experiment(try RunPlanner(specification).plan([loaded]))
    let error = #expect(throws: ExplainError.self) { try experiment.explain() }
    guard case .run(.appLargerThanMemory(_, _, let memory)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(memory == 1)
  }

  @Test("Available memory of a row without a measurement")
  func availableMemory() {
    let key = RunKey(trace: "", user: "", policy: "", device: "", memoryBytes: 1, seed: 0)
    var row = ValidationRow(
      key: key, kind: .observedAvailable, timeNanoseconds: 0, app: "", outcome: .compared)
    #expect(row.differenceBytes == nil)
    let cases: [(Int64, Int64, Int64)] = [(5, 3, 2), (.min, 1, .min), (.max, -1, .max)]
    for (simulated, observed, difference) in cases {
      row.availableBytes = simulated
      row.observedBytes = observed
      #expect(row.differenceBytes == difference)
    }
  }

  @Test("Any number of jobs gives the same results", arguments: [nil, Int.min, 0, 1, .max])
  func jobs(_ jobs: Int?) async throws {
    let experiment = try await Self.experiment(try .reading("lru,size"))
    let result = try await experiment.run(jobs: jobs)
    #expect(result.runs.count == 2 && result.failures.isEmpty)
    #expect(result.comparison(of: "size", by: "nonsense") == nil)
    #expect(result.comparison(of: "nonsense") == nil)
  }

  @Test("Questions about decisions that were never made")
  func questions() async throws {
    let experiment = try await Self.experiment(try .reading("lru"))
    let questions: [ExplainQuestion] = [
      .decision(.min), .decision(0), .decision(.max), .purge(.min), .purge(0), .purge(.max),
      .loss(.min), .loss(0), .loss(.max), .app(""), .app("nonsense"),
    ]
    for question in questions {
      #expect(throws: ExplainError.self, "\(question)") { try experiment.explain(question) }
    }
    // Every time has a decision before it or after.
    for time in [Int64.min, -1, .max] {
      #expect(try !experiment.explain(.time(time), others: try .reading("lru,size")).isEmpty)
    }
    let matrix = try await Self.experiment(try .reading("lru,size"))
    for several in [matrix, try ExplainedNothing.experiment] {
      let error = #expect(throws: ExplainError.self) { try several.explain() }
      guard case .experiment(.misuse(_, let remedy)) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(remedy == "name one trace, policy, device, memory size and seed")
    }
  }

  @Test("Savings and validations of nothing")
  func savings() async throws {
    #expect(!Validation.Failure.nothingToCompare([]).description.isEmpty)
    let experiment = try await Self.experiment(try .reading("lru"))
    for apps in [[""], ["nonsense"], ["notes", "notes"]] {
      await #expect(throws: ExperimentError.self) {
        try await experiment.savings(of: apps, jobs: 0)
      }
    }
    let matrix = try await Self.experiment(try .reading("lru,size"))
    await #expect(throws: ExperimentError.self) { try await matrix.savings(jobs: .min) }
    #expect(throws: Validation.Failure.self) {
      try Validation(of: experiment, ValidationTerms(windowNanoseconds: .min))
    }
    for terms in [ValidationTerms(), ValidationTerms(windowNanoseconds: .max, causes: [])] {
      #expect {
        try Validation(of: experiment, terms)
      } throws: { error in
        if case Validation.Failure.nothingToCompare = error { true } else { false }
      }
    }
  }
}

/// Listens to runs, all but those of one policy leave a part, and counts the parts.
private final class PartLedger: RunListeners {
  struct Failure: Error {}

  let counts = Mutex((made: 0, discarded: 0))
  private let failing: String

  /// Fails at the end of a run under a policy.
  init(failing: String) {
    self.failing = failing
  }

  func listener(to run: StartedRun) -> (any RunListener)? {
    Listener(self, fails: run.key.policy == failing)
  }

  private final class Listener: RunListener {
    private final class Silent: Recorder {
      let wantsEvents = false
      let wantsDecisions = false
      let wantsFootprints = false

      func record(_ event: EventRecord) {}
      func record(_ decision: DecisionRecord) {}
      func record(_ footprint: FootprintRecord) {}
    }

    let recorder: any Recorder = Silent()
    private let ledger: PartLedger
    private let fails: Bool

    init(_ ledger: PartLedger, fails: Bool) {
      self.ledger = ledger
      self.fails = fails
    }

    func finish() throws -> any RunPart {
      if fails { throw Failure() }
      ledger.counts.withLock { $0.made += 1 }
      return Part(ledger)
    }
  }

  private final class Part: RunPart {
    private let ledger: PartLedger

    init(_ ledger: PartLedger) {
      self.ledger = ledger
    }

    func discard() { ledger.counts.withLock { $0.discarded += 1 } }
  }
}

/// A sink of what listeners count.
private final class LedgerSink: ReportSink {
  let listeners: (any RunListeners)?

  init(_ ledger: PartLedger) {
    listeners = ledger
  }

  func finish(runs: [RunRecord], comparisons: [Comparison]) {}
}

/// An experiment without a trace, as a plan of none makes it.
private enum ExplainedNothing {
  static var experiment: Experiment {
    get throws {
      Experiment(
        try RunPlanner(ExperimentSpecification(traces: [], policies: try .reading("lru"))).plan([])
      )
    }
  }
}
