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

  /// The parameters that the killers of a family read, in the order of reports.
  public static func parameters(of family: PressureModelKind.Family) -> [ModelParameter] {
    switch family {
    case .jetsam: JetsamParameters.parameters
    case .android: AndroidParameters.parameters
    case .linux: LinuxParameters.parameters + ReclaimParameters.parameters
    case .thresholds, .ios4, .idealCache: []
    }
  }

  /// Those that the killer of a model reads.
  ///
  /// The one place that says which of a family's parameters act under which of its models.
  public static func parameters(of model: PressureModelKind) -> [ModelParameter] {
    let others: [String] =
      switch model {
      case .androidLMK: ["lmkd", "android.memory-limiter"]
      case .linuxOOM: ["oomd", "systemd-oomd", "earlyoom", "psi"]
      case .oomd: ["systemd-oomd", "earlyoom"]
      case .systemdOOMD: ["oomd", "earlyoom"]
      case .earlyoom: ["oomd", "systemd-oomd", "psi"]
      case .thresholds, .ios4, .ios6, .ios7, .ios12, .ios14, .ios17, .ios18, .androidLMKD,
        .idealCache:
        []
      }
    return parameters(of: model.family).filter { parameter in
      !others.contains { parameter.key.hasPrefix("\($0).") }
    }
  }

  /// All of them.
  public static let all: [ModelParameter] =
    JetsamParameters.parameters + AndroidParameters.parameters + LinuxParameters.parameters
    + ReclaimParameters.parameters
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

extension Device {
  /// Swap space under the models of a family, in bytes; 0 where they have none.
  package func swapBytes(under family: PressureModelKind.Family) -> Int64 {
    switch family {
    case .linux: pressureParameters.reclaim.swapBytes(ramBytes: ramBytes)
    case .android where compression != nil:
      // What is written may be absurd; beyond this it makes no difference.
      min(1 << 50, pressureParameters.android.swapBytes ?? ramBytes / 2)
    case .thresholds, .ios4, .jetsam, .android, .idealCache: 0
    }
  }
}
