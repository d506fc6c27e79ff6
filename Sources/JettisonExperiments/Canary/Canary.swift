internal import JettisonCore
public import JettisonReports
internal import JettisonTraces

/// Takes memory away from a device step by step, and says at how much of it each class of apps first
/// dies, under every policy and killer.
///
/// ```swift
/// var specification = ExperimentSpecification(traces: [])
/// specification.devices = [try DeviceTable.device(named: "pixel-6")]
/// let canary = try await Canary(specification)
/// for row in try await canary.run() { print(row.appClass, row.deaths.first?.takenBytes ?? "–") }
/// ```
///
/// Without traces the apps are made for each device: some of every class, all of one size. With traces
/// they are those in memory when a trace is over.
public struct Canary: Sendable {
  /// What is run on a device.
  fileprivate struct Setup: Sendable {
    let experiment: Experiment
    /// By position among the runs.
    let squeezes: [MemorySqueeze]
    let endings: [TraceEnding]
    let isMade: Bool
  }

  private let setups: [Setup]

  /// What one should know before reading results, as sentences.
  public var notes: [String] { warmUpNote + setups.flatMap(\.experiment.notes) }

  private let warmUpNote: [String]

  /// Reads the traces and checks everything.
  ///
  /// - Parameters:
  ///   - specification: What is asked for; one seed unless it says how many.
  ///   - terms: How memory is taken away.
  ///   - jobs: How many traces are read at a time; nil: one per core.
  /// - Throws: ``ExperimentError`` for the first thing that cannot be read or used.
  public init(
    _ specification: ExperimentSpecification, _ terms: CanaryTerms = CanaryTerms(),
    jobs: Int? = nil
  ) async throws(ExperimentError) {
    var asked = specification
    if case .asNeeded(let first) = asked.seeds { asked.seeds = .count(1, from: first) }
    let isMade = asked.traces.isEmpty
    let traces =
      isMade ? [] : try await TraceCollection.load(for: asked, jobs: Experiment.count(jobs))
    try self.init(asked, traces, terms)
  }

  /// Takes traces that have been read; none: apps are made.
  package init(
    _ asked: ExperimentSpecification, _ traces: [LoadedTrace], _ terms: CanaryTerms
  ) throws(ExperimentError) {
    try terms.check()
    var asked = asked
    if asked.warmUpNanoseconds > 0 {
      warmUpNote = [
        "\(asked.name(of: .warmUp)) does nothing here: memory is taken once a trace is over"
      ]
      asked.warmUpNanoseconds = 0
    } else {
      warmUpNote = []
    }
    guard traces.isEmpty else {
      let plan = try RunPlanner(asked).plan(traces)
      setups = [try Setup(plan, terms, isMade: false)]
      return
    }
    var devices = asked.devices
    if devices.isEmpty {
      do {
        devices = [try DeviceTable.device(named: RunPlanner.defaultDevice)]
      } catch {
        throw asked.error(.device, error)
      }
    }
    let catalogs = try CatalogFile.read(asked)
    setups = try devices.map { (device) throws(ExperimentError) in
      var own = asked
      own.devices = [device]
      let made = try Self.made(on: device, asked.pressure ?? device.ownPressureModel, catalogs)
      return try Setup(try RunPlanner(own).plan([made]), terms, isMade: true)
    }
  }

  private static func made(
    on device: Device, _ model: PressureModelKind, _ catalogs: [NamedCatalog]
  ) throws(ExperimentError) -> LoadedTrace {
    do throws(TraceError) {
      let trace = try CanarySet.trace(on: device, model)
      return LoadedTrace(
        path: CanarySet.traceName, trace: trace,
        catalog: try Catalog(for: trace, at: CanarySet.traceName), files: catalogs)
    } catch {
      throw .input(error)
    }
  }

  /// Runs everything and feeds the sinks.
  ///
  /// - Parameters:
  ///   - sinks: Where results go.
  ///   - jobs: How many runs at a time; nil: one per core.
  ///   - isolation: Where the sinks are called.
  /// - Returns: Rows and failures: a run that fails does not stop the others.
  /// - Throws: What sinks throw (`ReportError`, for those of Jettison); `CancellationError` if the task
  ///   is cancelled.
  public func run(
    into sinks: [any CanarySink] = [], jobs: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> CanaryResult {
    try Publishing.begin(sinks)
    var whole = CanaryResult()
    var runs: [RunRecord] = []
    for setup in setups {
      let (rows, result) = try await setup.run(jobs: jobs)
      whole.rows += rows
      whole.failures += result.failures
      runs += result.runs
    }
    for sink in sinks { try sink.finish(whole.rows, runs: runs) }
    try Publishing.together(sinks)
    return whole
  }
}

/// What came of memory being taken away.
public struct CanaryResult: Sendable {
  /// A row per run and class, in the order of the runs; none of runs that failed.
  public internal(set) var rows: [CanaryRow] = []
  /// The runs that could not go on.
  public internal(set) var failures: [ExperimentResult.Failure] = []
}

extension Canary.Setup {
  /// - Throws: ``ExperimentError`` for a model in which nothing but apps takes memory, and for steps
  ///   that would take longer than a trace may.
  fileprivate init(
    _ plan: RunPlan, _ terms: CanaryTerms, isMade: Bool
  ) throws(ExperimentError) {
    if let run = plan.runs.first(where: { $0.configuration.pressure.isTextbook }) {
      throw .misuse(
        what: "'\(run.configuration.pressure.rawValue)': nothing but apps takes memory there, "
          + "so that none can be taken away",
        remedy: "choose a device with a killer")
    }
    let squeezed = try plan.squeezed(terms)
    experiment = Experiment(squeezed.plan)
    squeezes = squeezed.squeezes
    endings = squeezed.endings
    self.isMade = isMade
  }

  fileprivate func run(
    jobs: Int?, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (rows: [CanaryRow], result: ExperimentResult) {
    let collector = CanaryCollector(
      CanaryListeners(squeezes: squeezes, endings: endings, isMade: isMade))
    let result = try await experiment.run(into: [collector], jobs: jobs)
    return (collector.rows, result)
  }
}

extension RunPlan {
  /// The runs of this plan, each with memory taken away at its end.
  fileprivate func squeezed(
    _ terms: CanaryTerms
  ) throws(ExperimentError) -> (
    plan: RunPlan, squeezes: [MemorySqueeze], endings: [TraceEnding]
  ) {
    let ends = traces.map { TraceEnding($0.trace) }
    /// A trace of its own for each device with its memory.
    var cells: [[Int]: Int] = [:]
    var loaded: [LoadedTrace] = []
    var runs = self.runs
    var squeezes: [MemorySqueeze] = []
    for position in runs.indices {
      let run = runs[position]
      let ending = ends[run.trace]
      let squeeze = try MemorySqueeze(after: ending, on: run.configuration.device, terms)
      squeezes.append(squeeze)
      let cell = [run.trace, run.block]
      if cells[cell] == nil {
        cells[cell] = loaded.count
        let whole = traces[run.trace].trace.ending(with: squeeze.events)
        loaded.append(LoadedTrace(traces[run.trace], with: whole))
      }
      runs[position].trace = cells[cell] ?? 0
    }
    let endings = self.runs.map { ends[$0.trace] }
    return (RunPlan(self, traces: loaded, runs: runs), squeezes, endings)
  }
}

/// Listens to each run for the deaths of its apps.
private struct CanaryListeners: RunListeners {
  let squeezes: [MemorySqueeze]
  let endings: [TraceEnding]
  let isMade: Bool

  func listener(to run: StartedRun) -> (any RunListener)? {
    CanaryListener(
      CanaryRecorder(run, squeezes[run.position], endings[run.position], isMade: isMade))
  }
}

private final class CanaryListener: RunListener {
  private let deaths: CanaryRecorder

  var recorder: any Recorder { deaths }

  init(_ deaths: CanaryRecorder) { self.deaths = deaths }

  func finish() -> any RunPart { CanaryPart(rows: deaths.rows()) }
}

private final class CanaryPart: RunPart {
  let rows: [CanaryRow]

  init(rows: [CanaryRow]) { self.rows = rows }

  func discard() {}
}

private final class CanaryCollector: ReportSink {
  let listeners: (any RunListeners)?
  private(set) var rows: [CanaryRow] = []

  init(_ listeners: CanaryListeners) { self.listeners = listeners }

  func add(_ part: any RunPart) {
    if let part = part as? CanaryPart { rows += part.rows }
  }

  func finish(runs: [RunRecord], comparisons: [Comparison]) {}
}
