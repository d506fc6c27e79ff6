public import JettisonCore

/// On which terms a capture and its simulation are compared.
public struct ValidationTerms: Sendable {
  /// Causes of observed exits that are about memory.
  public static let causesOfMemory = Set(ExitCause.allCases.filter(\.isForMemory))

  /// What counts as about the same time, in nanoseconds, 0 or more; 10 s.
  public var windowNanoseconds: Int64
  /// Which observed ends count as ends for memory.
  public var causes: Set<ExitCause>
  /// Whether, where a capture tells ranks (`oom_score_adj`) and the model asks for them, runs are made
  /// with those and with the model's own; else with those that the experiment asks for.
  ///
  /// nil: if the experiment has a single trace.
  public var comparesRanks: Bool?
  /// Conditions on columns of `validation-summary.csv` that no run should meet.
  public var gates: [ValidationGate] = []

  /// Sets terms; ranks are compared where the experiment has a single trace.
  ///
  /// - Parameters:
  ///   - windowNanoseconds: What counts as about the same time, in nanoseconds, 0 or more.
  ///   - causes: Which observed ends count as ends for memory.
  public init(
    windowNanoseconds: Int64 = 10_000_000_000, causes: Set<ExitCause> = causesOfMemory
  ) {
    self.windowNanoseconds = windowNanoseconds
    self.causes = causes
  }
}
