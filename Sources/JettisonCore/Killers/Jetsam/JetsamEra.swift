/// What differs between the generations of jetsam: one row per era.
///
/// Read in the tags of apple-oss-distributions/xnu that lie nearest in time; which iOS runs which
/// tag is inferred.
struct JetsamEra: BitwiseCopyable, Sendable, Equatable {
  /// What happens to band 0 above the critical threshold.
  enum IdleRule: BitwiseCopyable, Sendable {
    /// Nothing: band 0 waits for a real shortage.
    case none
    /// While anyone is in band 0, the critical threshold is the idle one: cause vm-pageshortage.
    case raisesCritical
    /// An action of its own, the system counts as healthy: cause idle-exit.
    case exits
  }

  /// How the other thresholds follow from the critical one.
  enum Spacing: BitwiseCopyable, Sendable {
    /// 5 % more of RAM while anyone is idle, 15 % for pressure.
    case addedPercent
    /// 2, 3 and 4 times it; 9/4, 15/4 and 18/4 times it between 3 and 6 GiB.
    case multiplied
  }

  let spacing: Spacing
  /// Whether devices above 3 GiB have a critical threshold of 4 % instead of 5 %.
  let isLeanerOnLargeDevices: Bool
  /// Percent of RAM below which processes over their limit go; nil: the soft threshold.
  let highwaterPercent: Int64?
  let idleRule: IdleRule
  /// Whether apps wait two seconds in band 20 before they are idle.
  let agesApps: Bool
  /// Whether a daemon's time in band 10 goes by its relaunch class; else it is the whole base time.
  let agesByRelaunch: Bool
  /// Whether daemons with an assertion move to band 15 when their time is over.
  let hasStuckBand: Bool
  let hasReaper: Bool
  let killsUnderSustainedPressure: Bool
  /// Whether the level follows the compressor; else available memory alone.
  let hasCompressor: Bool
  /// Whether a per-app limit exists, with a warning before it is reached.
  let hasLimits: Bool
  /// Whether there are levels, which last until more memory is available than where they began and
  /// are sent when they change; else memory is short or not, and each process hears once that it is.
  let hasLevels: Bool
  /// Without a compressor: number of suspended processes from which on no warning is sent.
  let warningSuspendedCount: Int64
  /// Smallest footprint that hears of pressure, in bytes.
  let warningMinimumBytes: Int64
  /// Time after a level has reached all apps in which a return to it sends no warning, in nanoseconds.
  let warningRestNanoseconds: Int64
  /// How long a level must have fallen before the lower one is told, in nanoseconds.
  let warningFallNanoseconds: Int64
  /// Time at one level after which the next change of memory warns all apps again, in nanoseconds.
  let warningRenewalNanoseconds: Int64

  private static let mebibyte: Int64 = 1 << 20
  private static let second: Int64 = 1_000_000_000
  /// Longer than any trace.
  private static let never: Int64 = 1 << 60

  /// xnu-2050: pages and thresholds, no compressor; short memory is told once until it is over.
  static let ios6 = JetsamEra(
    spacing: .addedPercent, isLeanerOnLargeDevices: false, highwaterPercent: 10, idleRule: .none,
    agesApps: false, agesByRelaunch: false, hasStuckBand: false, hasReaper: false,
    killsUnderSustainedPressure: false, hasCompressor: false, hasLimits: false,
    hasLevels: false, warningSuspendedCount: 5,
    warningMinimumBytes: 0, warningRestNanoseconds: 0,
    warningFallNanoseconds: 0, warningRenewalNanoseconds: never)

  /// xnu-2422 to 4570: bands, compressor, limits; levels as in xnu-2782.
  static let ios7 = JetsamEra(
    spacing: .addedPercent, isLeanerOnLargeDevices: false, highwaterPercent: nil,
    idleRule: .raisesCritical, agesApps: false, agesByRelaunch: false, hasStuckBand: false,
    hasReaper: false, killsUnderSustainedPressure: false, hasCompressor: true, hasLimits: true,
    hasLevels: true, warningSuspendedCount: 4,
    warningMinimumBytes: 10 * mebibyte, warningRestNanoseconds: 0,
    warningFallNanoseconds: 5 * second, warningRenewalNanoseconds: never)

  /// xnu-4903: today's delivery of warnings, but for the renewal.
  static let ios12 = JetsamEra(
    spacing: .addedPercent, isLeanerOnLargeDevices: false, highwaterPercent: nil,
    idleRule: .raisesCritical, agesApps: false, agesByRelaunch: false, hasStuckBand: false,
    hasReaper: false, killsUnderSustainedPressure: false, hasCompressor: true, hasLimits: true,
    hasLevels: true, warningSuspendedCount: 4,
    warningMinimumBytes: 6 * mebibyte, warningRestNanoseconds: 25 * second,
    warningFallNanoseconds: 5 * second, warningRenewalNanoseconds: never)

  /// xnu-7195 to 8792: apps age, larger devices are leaner.
  static let ios14 = JetsamEra(
    spacing: .addedPercent, isLeanerOnLargeDevices: true, highwaterPercent: nil,
    idleRule: .raisesCritical, agesApps: true, agesByRelaunch: true, hasStuckBand: false,
    hasReaper: false, killsUnderSustainedPressure: false, hasCompressor: true, hasLimits: true,
    hasLevels: true, warningSuspendedCount: 4,
    warningMinimumBytes: 6 * mebibyte, warningRestNanoseconds: 25 * second,
    warningFallNanoseconds: 5 * second, warningRenewalNanoseconds: 1800 * second)

  /// xnu-10063 and 11215: multiples of the critical threshold, sustained pressure.
  static let ios17 = JetsamEra(
    spacing: .multiplied, isLeanerOnLargeDevices: true, highwaterPercent: nil,
    idleRule: .raisesCritical, agesApps: true, agesByRelaunch: true, hasStuckBand: false,
    hasReaper: false, killsUnderSustainedPressure: true, hasCompressor: true, hasLimits: true,
    hasLevels: true, warningSuspendedCount: 4,
    warningMinimumBytes: 6 * mebibyte, warningRestNanoseconds: 25 * second,
    warningFallNanoseconds: 5 * second, warningRenewalNanoseconds: 1800 * second)

  /// xnu-11417 (iOS 18.4): idle exits of their own, the reaper, band 15.
  static let ios18 = JetsamEra(
    spacing: .multiplied, isLeanerOnLargeDevices: true, highwaterPercent: nil, idleRule: .exits,
    agesApps: true, agesByRelaunch: true, hasStuckBand: true, hasReaper: true,
    killsUnderSustainedPressure: true, hasCompressor: true, hasLimits: true,
    hasLevels: true, warningSuspendedCount: 4,
    warningMinimumBytes: 6 * mebibyte, warningRestNanoseconds: 25 * second,
    warningFallNanoseconds: 5 * second, warningRenewalNanoseconds: 1800 * second)
}
