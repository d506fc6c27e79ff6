/// Counters that belong to one app. A run's total is the sum over its apps.
///
/// Times are nanoseconds, sizes bytes. Names are those of `summary.csv`.
public struct AppTotals: BitwiseCopyable, Sendable, Equatable {
  public var coldLaunches: Int64 = 0
  public var warmLaunches: Int64 = 0
  public var hotLaunches: Int64 = 0
  public var backgroundLaunches: Int64 = 0
  public var coldLaunchesAfterPurge: Int64 = 0
  public var relaunchWaitNanoseconds: Int64 = 0
  public var warnings: Int64 = 0
  public var warningsAnswered: Int64 = 0
  public var warningReleasedBytes: Int64 = 0
  public var purges: Int64 = 0
  public var purgedBytes: Int64 = 0
  public var wastedPurges: Int64 = 0
  public var wastedPurgeBytes: Int64 = 0
  public var repurges: Int64 = 0
  public var backgroundKills: Int64 = 0
  public var foregroundKills: Int64 = 0
  public var limitKills: Int64 = 0
  public var watchdogTerminations: Int64 = 0
  public var taskExpirations: Int64 = 0
  /// Losses of purges of suspended apps.
  public var lossEvents: Int64 = 0
  public var lossEventsNoticed: Int64 = 0
  public var lossEventsNoticed24h: Int64 = 0
  public var lossEventsCensored: Int64 = 0
  public var lostWorkNanoseconds: Int64 = 0
  public var lostWorkNoticedNanoseconds: Int64 = 0
  public var lostBytes: Int64 = 0
  public var lostBytesNoticed: Int64 = 0
  public var positionLosses: Int64 = 0
  public var killLossEvents: Int64 = 0
  public var killLostWorkNanoseconds: Int64 = 0
  public var watchdogLossEvents: Int64 = 0
  public var taskLossEvents: Int64 = 0
  public var userDiscards: Int64 = 0
  public var unsavedAtEndNanoseconds: Int64 = 0
  public var saves: Int64 = 0
  public var savesInterruptedWindow: Int64 = 0
  public var savesInterruptedPurge: Int64 = 0
  public var savesInterruptedCrash: Int64 = 0
  /// Bytes unsaved on leaving the front, summed over the suspensions that followed.
  public var dirtyBytesAtLeave: Int64 = 0
  /// How many of those were saved by the suspension.
  public var savedBytesAtSuspension: Int64 = 0
  public var restoreFailures: Int64 = 0
  /// Weighted cost of noticed losses (`policies-and-metrics.md` L7).
  public var lossCost: Double = 0
  public var skippedEvents: Int64 = 0
  public var impliedWakes: Int64 = 0

  /// All zero.
  public init() {}
}

/// Figures of a whole run that are not sums over apps.
public struct SystemTotals: BitwiseCopyable, Sendable, Equatable {
  /// Time that counts: the trace's duration less the warm-up, in nanoseconds.
  public var durationNanoseconds: Int64 = 0
  public var noVictimDecisions: Int64 = 0
  /// Days (24 h, from the start) with at least one noticed loss.
  public var daysWithLoss: Int64 = 0
  /// Days begun.
  public var days: Int64 = 0
  public var warningLevelNanoseconds: Int64 = 0
  public var criticalLevelNanoseconds: Int64 = 0
  /// Time-average of apps that are not `not-running`.
  public var residentAppsMean: Double = 0
  /// Time-average of the footprint of suspended apps, in bytes.
  public var suspendedBytesMean: Double = 0
  /// Largest footprint of all apps together, in bytes.
  public var footprintBytesPeak: Int64 = 0
  /// Largest sum of live requested bytes of all apps, in bytes.
  public var requestedBytesPeak: Int64 = 0
  /// Things in the trace that could not be applied (`home` with nothing in front, …).
  public var replayIssues: Int64 = 0
  /// Whether any draw was made: if not, every seed gives this result.
  public var drew: Bool = false

  /// All zero.
  public init() {}
}

/// Distribution of one app's footprint over the time it was in memory, in bytes.
///
/// The arena figures are negative where footprints are declared.
public struct FootprintStatistics: BitwiseCopyable, Sendable, Equatable {
  public var footprintBytesP50: Int64 = 0
  public var footprintBytesP95: Int64 = 0
  public var footprintBytesMax: Int64 = 0
  public var requestedBytesMax: Int64 = 0
  public var arenaActiveBytesMax: Int64 = -1
  public var arenaDirtyBytesMax: Int64 = -1

  /// All zero, without arenas.
  public init() {}
}

/// A measured time that belongs to an app.
public struct AppSample: BitwiseCopyable, Sendable, Equatable {
  /// Whose it is.
  public let app: AppIndex
  /// The time in nanoseconds.
  public let nanoseconds: Int64

  /// Makes a sample.
  public init(app: AppIndex, nanoseconds: Int64) {
    self.app = app
    self.nanoseconds = nanoseconds
  }
}

/// What one run yields.
public struct RunResult: Sendable {
  /// Counters by ``AppIndex``.
  public var apps: [AppTotals]
  /// Footprint distributions by ``AppIndex``.
  public var footprints: [FootprintStatistics]
  /// Figures that are not sums over apps.
  public var system: SystemTotals
  /// Extra wait of each cold launch after a purge, in order of happening.
  public var relaunchWaits: [AppSample]
  /// Staleness of each noticed loss with a snapshot, in order of happening.
  public var staleness: [AppSample]

  /// Makes a result from its parts.
  public init(
    apps: [AppTotals], footprints: [FootprintStatistics], system: SystemTotals,
    relaunchWaits: [AppSample], staleness: [AppSample]
  ) {
    self.apps = apps
    self.footprints = footprints
    self.system = system
    self.relaunchWaits = relaunchWaits
    self.staleness = staleness
  }
}
