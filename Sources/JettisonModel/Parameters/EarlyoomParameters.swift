/// Parameters of `earlyoom`.
public struct EarlyoomParameters: Sendable, Equatable {
  /// `-m`: SIGTERM at or below this part of memory, in percent.
  public var termMemoryPercent: Double = 10
  /// Second value of `-m`: SIGKILL at or below; nil: half of the first.
  public var killMemoryPercent: Double?
  /// `-s`: SIGTERM at or below this part of free swap, in percent.
  public var termSwapPercent: Double = 10
  /// Second value of `-s`: SIGKILL at or below; nil: half of the first.
  public var killSwapPercent: Double?

  /// The defaults: 10 and 5 percent of memory and of swap.
  public init() {}

  package static let parameters: [ModelParameter] = [
    ModelParameter(
      "earlyoom.memory-term", "SIGTERM at or below this part of memory (`-m`).",
      .percent(\.linux.earlyoom.termMemoryPercent)),
    ModelParameter(
      "earlyoom.memory-kill", "SIGKILL at or below; auto: half of earlyoom.memory-term.",
      .optionalPercent(\.linux.earlyoom.killMemoryPercent)),
    ModelParameter(
      "earlyoom.swap-term", "SIGTERM at or below this part of free swap (`-s`).",
      .percent(\.linux.earlyoom.termSwapPercent)),
    ModelParameter(
      "earlyoom.swap-kill", "SIGKILL at or below; auto: half of earlyoom.swap-term.",
      .optionalPercent(\.linux.earlyoom.killSwapPercent)),
  ]
}
