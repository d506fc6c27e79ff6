/// Parameters of every platform's killer, with the documented defaults.
public struct PressureParameters: Sendable, Equatable {
  /// iOS from 6 on.
  public var jetsam = JetsamParameters()
  /// Android's driver and daemon.
  public var android = AndroidParameters()
  /// The killers of Linux.
  public var linux = LinuxParameters()
  /// Page reclaim, for the killers of Linux.
  public var reclaim = ReclaimParameters()

  /// Every default.
  public init() {}
}

/// One parameter of a platform's killer: what `--set`, device files, reports and documentation know
/// of it.
public struct ModelParameter: Sendable {
  /// Where among all parameters a value lives.
  public typealias Path<Value> = any WritableKeyPath<PressureParameters, Value> & Sendable

  /// Where a value lives, by what may be written for it.
  public enum Place: Sendable {
    /// A percentage from 0 to 100.
    case percent(Path<Double>)
    /// The same; nil: it follows from the device.
    case optionalPercent(Path<Double?>)
    /// A number that is not negative.
    case number(Path<Double>)
    /// A count; at least 0.
    case count(Path<Int>)
    /// The same; nil: it follows from the device.
    case optionalCount(Path<Int?>)
    /// Nanoseconds; at least 0.
    case duration(Path<Int64>)
    /// The same; nil: it follows from the device.
    case optionalDuration(Path<Int64?>)
    /// Bytes; at least 0.
    case bytes(Path<Int64>)
    /// The same; nil: it follows from the device.
    case optionalBytes(Path<Int64?>)
    /// On or off.
    case flag(Path<Bool>)
    /// The same; nil: it follows from the device.
    case optionalFlag(Path<Bool?>)
    /// Limits of Android's Memory Limiter.
    case limits(Path<MemoryLimits>)
    /// Any text.
    case text(Path<String>)
  }

  /// The key, such as `jetsam.critical`.
  public let key: String
  /// What it does, in one sentence.
  public let summary: String
  /// Where its value lives.
  public let place: Place

  /// Describes a parameter.
  public init(_ key: String, _ summary: String, _ place: Place) {
    self.key = key
    self.summary = summary
    self.place = place
  }
}
