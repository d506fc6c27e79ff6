internal import JettisonCore

/// How memory is taken away.
public struct CanaryTerms: Sendable, Equatable {
  /// Bytes that are taken at a time; nil: the 128th part of RAM.
  public var stepBytes: Int64?
  /// From one step to the next, in nanoseconds: long enough for killers that look once in a while.
  public var intervalNanoseconds: Int64 = 10_000_000_000

  /// Small steps, ten seconds apart.
  public init() {}

  /// More steps than these make no run.
  static let mostSteps: Int64 = 1_000_000

  /// Refuses steps that are none.
  func check() throws(ExperimentError) {
    if let stepBytes, stepBytes < 1 {
      throw .value("step", .invalid(what: "value", text: "\(stepBytes)", remedy: "use 1 or more"))
    }
    guard (1...86_400_000_000_000).contains(intervalNanoseconds) else {
      throw .value(
        "every",
        .invalid(
          what: "value", text: "\(intervalNanoseconds) ns", remedy: "use more than 0, a day at most"
        ))
    }
  }
}
