public import JettisonCore

/// Takes what an experiment yields and makes something of it: files, a page, a trace for a viewer.
///
/// ```swift
/// final class Log: ReportSink {
///   func finish(runs: [RunRecord], comparisons: [Comparison]) throws {
///     for run in runs { print(run.key.policy, run.result?.system.decisions ?? 0) }
///   }
/// }
/// ```
///
/// A sink that wants more than results hands out ``listeners``. Runs execute in parallel and end in
/// any order; a sink does not see it: parts come one after the other in the order of the runs.
///
/// A sink serves one run and stands once in its list: make a new one for each. Those of Jettison refuse
/// a second run, and a file that another sink of the list writes, with ``ReportError`` before the
/// first run.
///
/// Files stay hidden until ``Publishable/publish()``, which is called when every sink has finished: if
/// one fails before, no report appears. If one fails to publish, those that stand before it in the
/// list have appeared.
public protocol ReportSink: Publishable {
  /// Who listens to runs while they execute; nil, unless it says otherwise: none.
  var listeners: (any RunListeners)? { get }

  /// How many of its worst losses the result of a run should list; 0, unless it says otherwise.
  ///
  /// The experiment lists as many as the sink that wants most.
  var listedLosses: Int { get }

  /// Takes what a listener left of a run, in the order of all runs.
  ///
  /// - Throws: Any error of the sink's own; those of Jettison throw ``ReportError``. It ends the
  ///   experiment, and nothing is published.
  func add(_ part: any RunPart) throws

  /// Takes the results, once, after all parts.
  ///
  /// - Parameters:
  ///   - runs: Every run, in the order of the experiment.
  ///   - comparisons: Every policy against the baseline, by device, memory size and metric.
  /// - Throws: As ``add(_:)``.
  func finish(runs: [RunRecord], comparisons: [Comparison]) throws
}

extension ReportSink {
  /// Most sinks want results only.
  public var listeners: (any RunListeners)? { nil }

  /// Most sinks add losses up.
  public var listedLosses: Int { 0 }

  /// Without listeners there is no part.
  public func add(_ part: any RunPart) {}
}

/// Makes listeners, on whatever thread a run begins.
public protocol RunListeners: Sendable {
  /// The listener of a run; nil: none.
  ///
  /// - Throws: Any error of the sink's own, which ends the experiment.
  func listener(to run: StartedRun) throws -> (any RunListener)?
}

/// Listens to one run, on its thread.
public protocol RunListener: AnyObject {
  /// What the engine tells.
  var recorder: any Recorder { get }

  /// What is kept of the run until its turn comes; called once, when it is over or has failed.
  ///
  /// - Throws: Any error of the sink's own, which ends the experiment.
  func finish() throws -> any RunPart
}

/// What is kept of a run until its turn comes.
public protocol RunPart: AnyObject, Sendable {
  /// Gives up what is held, such as a file, because it is not wanted any more.
  func discard()
}

/// A run that begins.
public struct StartedRun: Sendable {
  /// What tells it from the others.
  public let key: RunKey
  /// The trace that is replayed.
  public let trace: Trace
  /// Decoded names of the trace's apps, by `AppIndex`.
  public var apps: [String] { trace.apps }
  /// Texts of the trace's details, by position.
  public var details: [String] { trace.detailTexts }
  /// Place among all runs, from 0.
  public let position: Int
  /// Every parameter in force.
  public let configuration: RunConfiguration
  /// The policy that decides.
  public let policy: PolicySpec
  /// Start of the trace as its header has it; nil: it says nothing.
  public var start: String? { trace.header.start }
  /// When the trace ends, in nanoseconds since its start.
  public var endNanoseconds: Int64 { trace.index.endNanoseconds }

  /// Makes a description from its parts.
  package init(
    key: RunKey, trace: Trace, position: Int, configuration: RunConfiguration, policy: PolicySpec
  ) {
    self.policy = policy
    self.key = key
    self.trace = trace
    self.position = position
    self.configuration = configuration
  }
}
