/// What Android 17's Memory Limiter lets one process hold, in bytes; `.max`: no limit.
public struct MemoryLimit: BitwiseCopyable, Sendable, Equatable {
  /// Memory above which pages are taken from the process (`memory.high`).
  public var memoryBytes: Int64
  /// Most of it that may be swapped (`memory.swap.max`).
  public var swapBytes: Int64

  /// Makes a limit from its two figures, each at least 0.
  public init(memoryBytes: Int64, swapBytes: Int64) {
    self.memoryBytes = memoryBytes
    self.swapBytes = swapBytes
  }

  package static let none = MemoryLimit(memoryBytes: .max, swapBytes: .max)

  /// What a process holds at most, swapped or not, and lives on.
  package var bothBytes: Int64 { memoryBytes.addingSaturated(swapBytes) }
}

/// The limits of visible processes and of others, and the RAM from which on they hold.
public struct MemoryLimitSet: BitwiseCopyable, Sendable, Equatable {
  /// RAM of the smallest device that the limits are for, in bytes.
  public var minimumRAMBytes: Int64
  /// Of processes that show something.
  public var visible: MemoryLimit
  /// Of processes that do not, and are not cached.
  public var notVisible: MemoryLimit

  /// Makes a set from its parts.
  public init(minimumRAMBytes: Int64, visible: MemoryLimit, notVisible: MemoryLimit) {
    self.minimumRAMBytes = minimumRAMBytes
    self.visible = visible
    self.notVisible = notVisible
  }

  /// Half of RAM for visible processes, a quarter for others, and half as much swap.
  ///
  /// Source: the standard limits of 4 GiB and the example of `am memory-limiter status` in the
  /// Memory Limiter's own description; both are at the lower end of the range recommended for it
  /// (1/2 to 2/3 and 1/4 to 1/3 of RAM).
  package static func shares(ofRAM ramBytes: Int64) -> MemoryLimitSet {
    MemoryLimitSet(
      minimumRAMBytes: 0,
      visible: MemoryLimit(memoryBytes: ramBytes / 2, swapBytes: ramBytes / 4),
      notVisible: MemoryLimit(memoryBytes: ramBytes / 4, swapBytes: ramBytes / 8))
  }
}

/// Where the limits of Android 17's Memory Limiter come from.
public enum MemoryLimits: Sendable, Equatable {
  /// Shares of RAM: 1/2 for visible processes and 1/4 for others, and half as much swap.
  case automatic
  /// There is no configuration file: the limiter is off.
  case none
  /// A configuration file; of the sets that fit the device, the one for the largest RAM holds.
  case sets([MemoryLimitSet])

  /// The limits on a device; nil: none fit, which is no error.
  package func limits(ramBytes: Int64) -> MemoryLimitSet? {
    switch self {
    case .automatic: .shares(ofRAM: ramBytes)
    case .none: nil
    case .sets(let sets):
      sets.filter { $0.minimumRAMBytes <= ramBytes }
        .max { $0.minimumRAMBytes < $1.minimumRAMBytes }
    }
  }
}
