/// Where footprints come from.
public enum FootprintSource: String, CaseIterable, Sendable {
  /// jemalloc arenas, one per running app.
  case arena
  /// Bytes as the trace declares them.
  case declared
}

/// Whether warnings go out before or after purging.
public enum WarningOrder: String, CaseIterable, Sendable {
  case warnThenPurge = "warn-then-purge"
  case purgeThenWarn = "purge-then-warn"
  case both
}

/// Every parameter in force for one run, resolved.
public struct RunConfiguration: Sendable, Equatable {
  /// The device, after `--memory` and `--set`.
  public var device: Device
  /// The pressure model in force.
  public var pressure: PressureModelKind
  /// Capacity in apps (`--capacity 5apps`): every app has size 1; nil: sizes in bytes.
  public var capacityApps: Int64?
  /// Where footprints come from.
  public var footprints: FootprintSource = .arena
  /// Whether the ranks that a trace tells (`adj`) count, or those that the model gives alone.
  public var usesCapturedRanks: Bool = true
  /// Whether each arena has an explicit thread cache.
  public var usesThreadCache: Bool = true
  /// Age at which freed pages go back while the app runs code, in nanoseconds.
  public var decayNanoseconds: Int64 = 10_000_000_000
  /// Seconds of waiting that one second of lost work is worth.
  public var lambda: Double = 1
  /// When warnings go out.
  public var warningOrder: WarningOrder = .warnThenPurge
  /// How long purging waits for warnings, in nanoseconds.
  public var warningPurgeDelayNanoseconds: Int64 = 0
  /// Seed of every draw.
  public var seed: UInt64 = 1
  /// Kill unit of each app by ``AppIndex``: apps of one number end together where a policy asks for
  /// it (`+unit=group`); empty: every app for itself.
  public var groups: [UInt32] = []
  /// Control group of each app by ``AppIndex``, such as `user.slice/app-notes`; empty: the default.
  public var controlGroups: [String] = []
  /// Profiles by ``AppIndex``, as many as the trace has apps.
  public var profiles: [AppProfile]
  /// Apps that are never eligible (`--pin`), by ``AppIndex``.
  public var pinned: [AppIndex] = []
  /// How many of the most recently used apps, the one in front not counted, are spared.
  public var protectRecentCount: Int = 0
  /// Rows before this time do not count, in nanoseconds.
  public var warmUpNanoseconds: Int64 = 0
  /// How many of the worst losses the result lists.
  public var listedLosses: Int = 0
  /// Whether every refresh of the allocator's statistics is checked against the hooks.
  public var checksArenas: Bool = false

  /// What memory holds, in bytes, or in apps where the capacity counts apps.
  @inlinable
  package var capacity: Int64 { capacityApps ?? device.ramBytes }

  /// Makes the default configuration for a device and the apps of a trace.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - pressure: The pressure model; the device's own unless given.
  ///   - profiles: What apps are taken for, by ``AppIndex``.
  public init(device: Device, pressure: PressureModelKind? = nil, profiles: [AppProfile]) {
    self.device = device
    self.pressure = pressure ?? device.ownPressureModel
    self.profiles = profiles
  }
}
