/// Parameters of `ios-6` to `ios-18`.
///
/// The defaults come from xnu-11417.101.15 (iOS 18.4); nil: it depends on the era or on RAM, see
/// <doc:JetsamModel>.
public struct JetsamParameters: Sendable, Equatable {
  /// Percent of RAM below which anyone may be killed.
  public var criticalPercent: Double?
  /// Percent of RAM below which band 0 may be killed.
  public var idlePercent: Double?
  /// Percent of RAM below which there is pressure.
  public var softPercent: Double?
  /// Percent of RAM below which processes over their limit may be killed.
  public var highwaterPercent: Double?
  /// Percent of RAM below which long-idle processes may be swept; 0: never.
  public var reaperPercent: Double?
  /// Percent of RAM up to which the freezer may work.
  public var freezePercent: Double = 50
  /// Percent of RAM up to which aggressive kills may happen.
  public var aggressivePercent: Double = 7

  /// Base time of ageing in nanoseconds: daemons wait all, half or a fifth of it, apps a fifth.
  public var ageingNanoseconds: Int64 = 10_000_000_000
  /// Whether suspended apps age in band 20 before they are idle.
  public var agesApps: Bool?

  /// Time in band 0 after which a process may be swept, in nanoseconds.
  public var reaperAgeNanoseconds: Int64 = 300_000_000_000
  /// Time between two sweeps, in nanoseconds.
  public var reaperIntervalNanoseconds: Int64 = 300_000_000_000

  /// Idle processes that aggressive kills need.
  public var aggressiveCount: Int = 5
  /// Percent of them whose relaunch must be likely.
  public var aggressiveRelaunchPercent: Double = 100
  /// Time after which the count of aggressive kills begins anew, in nanoseconds.
  public var aggressivePeriodNanoseconds: Int64?

  /// Percent of its limit at which a process is warned.
  public var limitWarningPercent: Double = 80

  /// Uncompressed memory in percent of itself and the compressor, below which the level is warning.
  public var warningBelowPercent: Double = 50
  /// The same: below it the level is critical.
  public var criticalBelowPercent: Double = 30
  /// The same: above it critical falls to warning.
  public var criticalUntilPercent: Double = 35
  /// The same: above it the level is normal again.
  public var warningUntilPercent: Double = 60
  /// Without a compressor: how far above its threshold a level ends, in percent of the threshold.
  public var levelReturnPercent: Double = 15
  /// Without a compressor: number of suspended apps from which on warnings stop.
  public var warningSuspendedCount: Int?

  /// Lowest band that hears of pressure.
  public var warningBand: Int = 20
  /// Smallest footprint that hears of pressure, in bytes.
  public var warningMinimumBytes: Int64?
  /// Time between two processes, in nanoseconds.
  public var warningSpacingNanoseconds: Int64 = 250_000_000
  /// Time after a level has reached all apps in which a return to it from the other one sends no
  /// warning, in nanoseconds.
  public var warningRestNanoseconds: Int64?
  /// How long a level must have fallen before the lower one is told, in nanoseconds.
  public var warningFallNanoseconds: Int64?
  /// Time at one level after which the next change of memory warns all apps again, in nanoseconds.
  public var warningRenewalNanoseconds: Int64?

  /// Whether sustained pressure kills band 0.
  public var killsUnderSustainedPressure: Bool?
  /// Time not at normal after which it does, in nanoseconds.
  public var sustainedNanoseconds: Int64 = 600_000_000_000
  /// Pause between two such kills, in nanoseconds.
  public var sustainedPauseNanoseconds: Int64 = 500_000_000

  /// Whether suspended apps are frozen to flash.
  public var freezes: Bool = false
  /// Smallest footprint that is frozen, in bytes.
  public var freezerMinimumBytes: Int64 = 8 << 20
  /// Most frozen apps at a time.
  public var freezerCount: Int = 20
  /// What may be written to flash in a day, in bytes.
  public var freezerDailyBytes: Int64 = 2048 << 20
  /// Time between two apps that are frozen, in nanoseconds.
  public var freezerSpacingNanoseconds: Int64 = 10_000_000_000

  /// Every default.
  public init() {}

  /// The parameters with no time above 36 years, so that a time of a trace and one of them add up.
  package var capped: JetsamParameters {
    var capped = self
    let times: [WritableKeyPath<JetsamParameters, Int64>] = [
      \.ageingNanoseconds, \.reaperAgeNanoseconds, \.reaperIntervalNanoseconds,
      \.warningSpacingNanoseconds, \.sustainedNanoseconds, \.sustainedPauseNanoseconds,
      \.freezerSpacingNanoseconds,
    ]
    for time in times { capped[keyPath: time] = min(capped[keyPath: time], 1 << 60) }
    let optionalTimes: [WritableKeyPath<JetsamParameters, Int64?>] = [
      \.aggressivePeriodNanoseconds, \.warningRestNanoseconds, \.warningFallNanoseconds,
      \.warningRenewalNanoseconds,
    ]
    for time in optionalTimes {
      capped[keyPath: time] = capped[keyPath: time].map { min($0, 1 << 60) }
    }
    return capped
  }
}

extension JetsamParameters {
  package static let parameters: [ModelParameter] =
    thresholds + ageing + levels + warnings + sustained + freezer

  private static let thresholds: [ModelParameter] = [
    .init(
      "jetsam.critical", "Share of RAM available below which anyone may be killed.",
      .optionalPercent(\.jetsam.criticalPercent)),
    .init(
      "jetsam.idle", "Share of RAM below which band 0 may be killed.",
      .optionalPercent(\.jetsam.idlePercent)),
    .init(
      "jetsam.soft", "Share of RAM below which there is pressure.",
      .optionalPercent(\.jetsam.softPercent)),
    .init(
      "jetsam.highwater", "Share of RAM below which processes over their limit may be killed.",
      .optionalPercent(\.jetsam.highwaterPercent)),
    .init(
      "jetsam.reaper", "Share of RAM below which long-idle processes may be swept; 0%: never.",
      .optionalPercent(\.jetsam.reaperPercent)),
    .init(
      "jetsam.reaper-age", "Time in band 0 after which a process may be swept.",
      .duration(\.jetsam.reaperAgeNanoseconds)),
    .init(
      "jetsam.reaper-interval", "Time between two sweeps.",
      .duration(\.jetsam.reaperIntervalNanoseconds)),
    .init(
      "jetsam.aggressive", "Share of RAM up to which aggressive kills may happen.",
      .percent(\.jetsam.aggressivePercent)),
    .init(
      "jetsam.aggressive-count", "Idle processes that aggressive kills need.",
      .count(\.jetsam.aggressiveCount)),
    .init(
      "jetsam.aggressive-relaunch", "Share of them whose relaunch must be likely.",
      .percent(\.jetsam.aggressiveRelaunchPercent)),
    .init(
      "jetsam.aggressive-period", "Time after which the count of aggressive kills begins anew.",
      .optionalDuration(\.jetsam.aggressivePeriodNanoseconds)),
  ]

  private static let ageing: [ModelParameter] = [
    .init(
      "jetsam.ageing",
      "Base time of ageing: daemons wait all, half or a fifth of it, apps a fifth.",
      .duration(\.jetsam.ageingNanoseconds)),
    .init(
      "jetsam.ageing-apps", "Whether suspended apps age in band 20 before they are idle.",
      .optionalFlag(\.jetsam.agesApps)),
    .init(
      "jetsam.limit-warning", "Share of its limit at which a process is warned.",
      .percent(\.jetsam.limitWarningPercent)),
  ]

  private static let levels: [ModelParameter] = [
    .init(
      "jetsam.warning-below",
      "Uncompressed memory, of itself and the compressor, below which the level is warning.",
      .percent(\.jetsam.warningBelowPercent)),
    .init(
      "jetsam.critical-below", "The same for critical.", .percent(\.jetsam.criticalBelowPercent)),
    .init(
      "jetsam.critical-until", "The same, above which critical falls to warning.",
      .percent(\.jetsam.criticalUntilPercent)),
    .init(
      "jetsam.warning-until", "The same, above which the level is normal again.",
      .percent(\.jetsam.warningUntilPercent)),
    .init(
      "jetsam.level-return",
      "Without a compressor, not in ios-6: how far above its threshold a level ends, of it.",
      .percent(\.jetsam.levelReturnPercent)),
    .init(
      "jetsam.warning-suspended",
      "Without a compressor: number of suspended apps from which on warnings stop.",
      .optionalCount(\.jetsam.warningSuspendedCount)),
  ]

  private static let warnings: [ModelParameter] = [
    .init("jetsam.warning-band", "Lowest band that hears.", .count(\.jetsam.warningBand)),
    .init(
      "jetsam.warning-minimum", "Smallest footprint that hears.",
      .optionalBytes(\.jetsam.warningMinimumBytes)),
    .init(
      "jetsam.warning-spacing", "Time between the warnings of two processes.",
      .duration(\.jetsam.warningSpacingNanoseconds)),
    .init(
      "jetsam.warning-rest",
      "Time after a level has reached all apps in which a return to it sends no warning.",
      .optionalDuration(\.jetsam.warningRestNanoseconds)),
    .init(
      "jetsam.warning-fall", "How long a level must have fallen before the lower one is sent.",
      .optionalDuration(\.jetsam.warningFallNanoseconds)),
    .init(
      "jetsam.warning-renewal",
      "Time at one level after which the next change of memory warns all apps again.",
      .optionalDuration(\.jetsam.warningRenewalNanoseconds)),
  ]

  private static let sustained: [ModelParameter] = [
    .init(
      "jetsam.sustained", "Whether sustained pressure kills band 0.",
      .optionalFlag(\.jetsam.killsUnderSustainedPressure)),
    .init(
      "jetsam.sustained-after", "Time not at normal after which it does.",
      .duration(\.jetsam.sustainedNanoseconds)),
    .init(
      "jetsam.sustained-pause", "Pause between two such kills.",
      .duration(\.jetsam.sustainedPauseNanoseconds)),
  ]

  private static let freezer: [ModelParameter] = [
    .init("jetsam.freezer", "Whether suspended apps are frozen.", .flag(\.jetsam.freezes)),
    .init(
      "jetsam.freeze", "Share of RAM up to which the freezer may work.",
      .percent(\.jetsam.freezePercent)),
    .init(
      "jetsam.freezer-minimum", "Smallest footprint that is frozen.",
      .bytes(\.jetsam.freezerMinimumBytes)),
    .init(
      "jetsam.freezer-count", "Most frozen apps at a time.", .count(\.jetsam.freezerCount)),
    .init(
      "jetsam.freezer-daily", "What may be written to flash in a day.",
      .bytes(\.jetsam.freezerDailyBytes)),
    .init(
      "jetsam.freezer-spacing", "Time between two apps that are frozen.",
      .duration(\.jetsam.freezerSpacingNanoseconds)),
  ]
}
