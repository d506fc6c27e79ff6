internal import JettisonCore
public import JettisonReports

/// How often the simulated system does what the real one did: an experiment beside the captures that
/// it replays.
///
/// ```swift
/// let experiment = try await Experiment(ExperimentSpecification(traces: ["captures"]))
/// let validation = try Validation(of: experiment)
/// let result = try await validation.run()
/// for run in result.runs { print(run.key.trace, run.figures.recall ?? 0) }
/// ```
///
/// Every run of the experiment is made twice: once deciding for itself, which says whom it ends and
/// when; once following the capture, which says where the policy puts each app that the real system
/// ended, with all other apps in the state of the capture.
public struct Validation: Sendable {
  /// On which terms capture and simulation are compared.
  public let terms: ValidationTerms
  /// Traces that show nothing to compare with.
  public let incomparable: [IncomparableTrace]
  private let plan: RunPlan
  private let variants: [ValidationRunner.Variant]

  /// Why nothing can be validated.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The experiment or the terms cannot be used.
    case unusable(ExperimentError)
    /// No trace shows a kill for memory, a warning or measured available memory; the traces, with what
    /// they show instead.
    case nothingToCompare([IncomparableTrace])

    /// The sentence, with what to do about it; a line for each trace.
    public var description: String {
      switch self {
      case .unusable(let error): error.description
      case .nothingToCompare([]): "there is no trace to compare with (name a capture)"
      case .nothingToCompare(let traces): traces.map(\.description).joined(separator: "\n")
      }
    }
  }

  /// Checks that there is something to compare.
  ///
  /// - Parameters:
  ///   - experiment: What is replayed; not on `ideal-cache`, which isn't a phone.
  ///   - terms: On which terms.
  /// - Throws: ``Failure/unusable(_:)`` for an experiment on `ideal-cache` and for a window
  ///   below 0, ``Failure/nothingToCompare(_:)`` if no trace shows anything to compare with.
  public init(
    of experiment: Experiment, _ terms: ValidationTerms = ValidationTerms()
  ) throws(Failure) {
    plan = experiment.plan
    self.terms = terms
    guard terms.windowNanoseconds >= 0 else {
      throw .unusable(
        .value(
          "window",
          .invalid(what: "time", text: "\(terms.windowNanoseconds)", remedy: "use 0 or more")))
    }
    guard !plan.runs.contains(where: { $0.configuration.pressure.isTextbook }) else {
      throw .unusable(
        .misuse(
          what: "ideal-cache is a textbook cache, not a phone",
          remedy: "choose a device or a pressure model of a real system"))
    }
    incomparable = plan.traces.compactMap { IncomparableTrace($0, causes: terms.causes) }
    guard incomparable.count < plan.traces.count else {
      throw .nothingToCompare(incomparable)
    }
    variants = ValidationRunner.variants(
      of: plan, comparesRanks: terms.comparesRanks ?? (plan.traces.count == 1))
  }

  /// Runs everything and feeds the sinks.
  ///
  /// A run that fails does not stop the others; see ``ValidationResult/failures``.
  ///
  /// - Parameters:
  ///   - sinks: Where results go.
  ///   - jobs: How many runs at a time; nil: one per core.
  ///   - isolation: Where the sinks are called.
  /// - Throws: What sinks throw (`ReportError`, for those of Jettison), and `CancellationError` if the
  ///   task is cancelled; nothing without sinks in a task that is not cancelled.
  public func run(
    into sinks: [any ValidationSink] = [], jobs: Int? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ValidationResult {
    try Publishing.begin(sinks)
    let outcomes = await ValidationRunner(terms)
      .run(variants, of: plan, jobs: Experiment.count(jobs))
    try Task.checkCancellation()
    let result = ValidationResult(plan, zip(variants, outcomes), gates: terms.gates)
    for sink in sinks { try sink.finish(result.runs) }
    try Publishing.together(sinks)
    return result
  }
}
