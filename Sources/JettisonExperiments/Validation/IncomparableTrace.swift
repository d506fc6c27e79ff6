public import JettisonCore
internal import JettisonReports

/// A trace that shows no kill for memory, no warning and no measured available memory.
public struct IncomparableTrace: Sendable, Equatable, CustomStringConvertible {
  /// Its path.
  public let path: String
  /// Observed ends that do not count as ends for memory, by cause.
  public let otherExits: [ExitCause: Int]

  /// Looks for something to compare with; nil if there is something.
  init?(_ loaded: LoadedTrace, causes: Set<ExitCause>) {
    let captured = CapturedOutcomes(loaded.trace, causes: causes)
    let counts = loaded.trace.index.kindCounts
    guard captured.kills.isEmpty, captured.warnings.isEmpty,
      counts[Int(EventKind.observedAvailable.rawValue)] == 0
    else { return nil }
    path = loaded.path
    otherExits = captured.otherExits
  }

  /// The sentence, with what the trace shows instead.
  public var description: String { sentence(causes: "the causes of the terms say") }

  /// The sentence.
  ///
  /// - Parameter causes: What says which causes count, as subject and verb.
  package func sentence(causes: String) -> String {
    let others = otherExits.values.reduce(0, +)
    let what =
      others == 0
      ? "it has no observed-exit, observed-warning or observed-available row"
      : "none of its \(Prose.counted(others, "observed exit")) is for memory ("
        + ExitCause.allCases.filter { otherExits[$0] != nil }
        .map { "\($0.name) \(otherExits[$0] ?? 0)" }.joined(separator: ", ")
        + "; \(causes) which count), and it has no observed-warning or observed-available row"
    return "\(path): there is nothing to compare with: \(what)"
  }
}
