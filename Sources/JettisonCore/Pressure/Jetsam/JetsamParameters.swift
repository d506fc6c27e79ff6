/// Every figure of the jetsam models.
///
/// The defaults are those of xnu-11417.101.15 (iOS 18.4); nil: it depends on the era or on RAM, see
/// <doc:JetsamModel>. Keys on the command line and in device files begin with `jetsam.`.
public struct JetsamParameters: Sendable, Equatable {
  /// A threshold of available memory.
  public enum Amount: Sendable, Equatable, BitwiseCopyable {
    /// Of RAM, in parts per million.
    case share(partsPerMillion: Int64)
    /// In bytes.
    case bytes(Int64)
  }

  /// Below: anyone may be killed.
  public var critical: Amount?
  /// Below: band 0 may be killed.
  public var idle: Amount?
  /// Below: pressure.
  public var soft: Amount?
  /// Below: processes over their limit may be killed; the soft threshold but for `ios-6`.
  public var highwater: Amount?
  /// Below: long-idle processes may be swept; 0: never.
  public var reaper: Amount?
  /// At or below: the freezer may work.
  public var freeze: Amount?
  /// At or below: aggressive kills may happen.
  public var aggressive: Amount?

  /// Base time of ageing: daemons wait all, half or a fifth of it, apps a fifth; in nanoseconds.
  public var ageingNanoseconds: Int64 = 10_000_000_000
  /// Time in band 15, in nanoseconds.
  public var stuckNanoseconds: Int64 = 30_000_000_000
  /// Whether suspended apps age in band 20 before they are idle.
  public var agesApps: Bool?

  /// Time in band 0 after which a process may be swept, in nanoseconds.
  public var reaperAgeNanoseconds: Int64 = 300_000_000_000
  /// Time between two sweeps, in nanoseconds.
  public var reaperIntervalNanoseconds: Int64 = 300_000_000_000

  /// Idle processes that aggressive kills need.
  public var aggressiveCount: Int64 = 5
  /// Share of them whose relaunch is likely, in parts per million.
  public var aggressiveRelaunchPPM: Int64 = 1_000_000
  /// Time after which the count of aggressive kills begins anew, in nanoseconds.
  public var aggressivePeriodNanoseconds: Int64?

  /// Share of its limit at which a process is warned, in parts per million.
  public var limitWarningPPM: Int64 = 800_000

  /// Uncompressed memory, as a share of itself and the compressor, below which the level is warning,
  /// in parts per million.
  public var warningBelowPPM: Int64 = 500_000
  /// The same: below, the level is critical.
  public var criticalBelowPPM: Int64 = 300_000
  /// The same: above, critical falls to warning.
  public var criticalUntilPPM: Int64 = 350_000
  /// The same: above, the level is normal again.
  public var warningUntilPPM: Int64 = 600_000
  /// Without a compressor: available memory over the threshold at which a level ends, in parts per
  /// million.
  public var levelReturnPPM: Int64 = 1_150_000
  /// Without a compressor: suspended apps from which on there is no warning.
  public var warningSuspendedCount: Int64 = 4

  /// Lowest band that hears of pressure.
  public var warningBand: Int16 = JetsamBand.opportunistic
  /// Smallest footprint that hears of pressure, in bytes.
  public var warningMinimumBytes: Int64?
  /// Time between two processes, in nanoseconds.
  public var warningSpacingNanoseconds: Int64 = 250_000_000
  /// Rest after the last of a round, in nanoseconds.
  public var warningRestNanoseconds: Int64?
  /// How long a level must have fallen before the lower one is told, in nanoseconds.
  public var warningFallNanoseconds: Int64 = 5_000_000_000
  /// Time at one level after which everyone is told again, in nanoseconds.
  public var warningRenewalNanoseconds: Int64 = 1_800_000_000_000

  /// Time not at normal after which band 0 is killed, in nanoseconds; 0: never.
  public var sustainedNanoseconds: Int64?
  /// Pause between two such kills, in nanoseconds.
  public var sustainedPauseNanoseconds: Int64 = 500_000_000

  /// Whether suspended apps are frozen to flash.
  public var freezes: Bool = false
  /// Smallest footprint that is frozen, in bytes.
  public var freezerMinimumBytes: Int64 = 8 << 20
  /// Most frozen apps at a time.
  public var freezerCount: Int64 = 20
  /// What may be written to flash in a day, in bytes.
  public var freezerDailyBytes: Int64 = 2048 << 20
  /// Time between two apps that are frozen, in nanoseconds.
  public var freezerSpacingNanoseconds: Int64 = 10_000_000_000

  /// The defaults.
  public init() {}
}
