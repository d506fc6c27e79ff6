/// Where an app stands among others, for platforms that keep such an order.
public struct Standing: BitwiseCopyable, Sendable, Equatable {
  /// Priority band (iOS) or `oom_score_adj` (Android); `.min`: none.
  public var band: Int16 = .min
  /// Counts moves of the run: smaller has been in its band's queue for longer.
  public var order: Int64 = 0
  /// When it entered the band, in nanoseconds since the start of the trace.
  public var sinceNanoseconds: Int64 = 0

  /// The band; nil: none.
  @inlinable public var bandOrNil: Int? { band == .min ? nil : Int(band) }

  /// Stands nowhere.
  @inlinable public init() {}
}
