/// Everything about a device that a run depends on.
///
/// The value of one row of the device table, of a device file, or of either after `--memory` and
/// `--set`.
public struct Device: Sendable, Equatable {
  /// Levels of available memory, in percent of RAM (`thresholds` model).
  public struct Thresholds: Sendable, Equatable {
    /// Below: memory warnings.
    public var warnPercent: Double = 15
    /// Below: suspended apps are purged.
    public var purgePercent: Double = 10
    /// At or above: purging stops.
    public var untilPercent: Double = 12
    /// Below: the level is critical.
    public var criticalPercent: Double = 5
    /// How far above its threshold a level ends, in percent of the threshold (`thresholds` model).
    public var returnPercent: Double = 15
    /// How far available memory must move before it is noted, in percent of RAM (`ios-4` model).
    public var stepPercent: Double = 5

    /// The defaults: 15, 10, 12 and 5 percent; levels end 15 percent above their thresholds, and
    /// a step is 5 percent.
    public init() {}
  }

  /// How long apps may run where the system limits it, in nanoseconds.
  public struct Budgets: Sendable, Equatable {
    /// `applicationDidEnterBackground:` and `applicationWillTerminate:`.
    public var handlerNanoseconds: Int64 = 5_000_000_000
    /// Background tasks, counted from entering the background.
    public var taskNanoseconds: Int64 = 600_000_000_000
    /// A launch into the background.
    public var backgroundLaunchNanoseconds: Int64 = 30_000_000_000

    /// The budgets of iOS 4: 5 s for a handler, 600 s for tasks, 30 s for a background launch.
    public init() {}
  }

  /// Memory compression of suspended apps.
  public struct Compression: Sendable, Equatable {
    /// Uncompressed over compressed size; above 1.
    public var ratio: Double
    /// Share of a suspended app's footprint that is compressed, 0 to 1.
    public var suspendedShare: Double

    /// Makes a setting from its two figures.
    public init(ratio: Double, suspendedShare: Double) {
      self.ratio = ratio
      self.suspendedShare = suspendedShare
    }
  }

  /// What locking the screen does to the app in front.
  public enum Lock: String, CaseIterable, Sendable {
    /// It stays in front, inactive, until the user unlocks (up to iOS 4).
    case inactive
    /// It goes to the background, and comes back when the user unlocks.
    case background
  }

  /// Name as people say it, kebab-case.
  public var name: String
  /// RAM in bytes.
  public var ramBytes: Int64
  /// RAM of the device's table row in bytes: what the built-in app categories scale with.
  public var tableRAMBytes: Int64
  /// Memory in use by everything that is not an app, in bytes, until a trace measures it.
  public var reserveBytes: Int64
  /// Page size in bytes, for models that count pages.
  public var pageBytes: Int64 = 4096
  /// Footprint at which any app is killed, in bytes; nil: no limit.
  public var limitBytes: Int64?
  /// Whether apps stay in memory in the background.
  public var multitasks: Bool = true
  /// Generation of the killer; nil: none is known, the `thresholds` model serves.
  public var era: Era?
  /// What locking the screen does to the app in front.
  public var lock = Lock.inactive
  /// What its maker calls it; nil: not said.
  public var model: String?
  /// API level of its Android release, which limits of the framework follow; nil: not said, 33.
  public var apiLevel: Int?
  /// Time limits.
  public var budgets = Budgets()
  /// From the return of a handler, or the end of the last task, to suspension, in nanoseconds.
  public var suspensionDelayNanoseconds: Int64 = 1_000_000_000
  /// Compression of suspended apps; nil: off.
  public var compression: Compression?
  /// Thresholds of the `thresholds` model.
  public var thresholds = Thresholds()
  /// Parameters of the platforms' killers.
  public var pressureParameters = PressureParameters()
  /// Whether this is the textbook cache: declared sizes, no reserve, no delays, no warnings.
  public var isIdealCache: Bool = false
  /// Where the figures come from, for `jettison devices NAME`.
  public var source: String

  /// Whether apps may opt out of multitasking (up to iOS 12).
  package var letsAppsOptOut: Bool { era?.letsAppsOptOut ?? true }

  /// Makes a device whose other properties have their defaults, which suit iOS 4.
  ///
  /// - Parameters:
  ///   - name: Name as people say it.
  ///   - ramBytes: RAM in bytes, positive.
  ///   - reserveBytes: Bytes in use by the system, below `ramBytes`.
  ///   - source: Where the figures come from.
  public init(name: String, ramBytes: Int64, reserveBytes: Int64, source: String) {
    self.name = name
    self.ramBytes = ramBytes
    self.tableRAMBytes = ramBytes
    self.reserveBytes = reserveBytes
    self.source = source
  }
}
