/// Where an app stands in the order of a platform's killer.
public struct Standing: BitwiseCopyable, Sendable {
  /// Priority band of iOS or `oom_score_adj` of Android; `.min`: the model has none.
  public var band: Int16 = .min
  /// Place inside the band: smaller is nearer the head, next to go.
  public var order: Int64 = 0
  /// When the band was entered, in nanoseconds since the start of the trace.
  public var since: Int64 = 0

  /// Stands nowhere.
  public init() {}
}

/// How soon a daemon comes back after it was killed.
public enum RelaunchClass: UInt8, BitwiseCopyable, Sendable {
  case unknown, low, medium, high
}
