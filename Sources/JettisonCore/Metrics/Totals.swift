/// Counters that belong to one app.
///
/// None is negative; a run's total is the sum over its apps. Times are nanoseconds, sizes bytes.
/// Names are as in `summary.csv`: see <doc:/JettisonReports/Reports>.
public struct AppTotals: BitwiseCopyable, Sendable, Equatable {
  /// Launches of the app without a process.
  public var coldLaunches: Int64 = 0
  /// Launches of a process that had not been in front yet.
  public var warmLaunches: Int64 = 0
  /// Launches of a process that had been in front before.
  public var hotLaunches: Int64 = 0
  /// Processes that the system started in the background.
  public var backgroundLaunches: Int64 = 0
  /// Cold launches whose app had last been ended by a purge.
  public var coldLaunchesAfterPurge: Int64 = 0
  /// How much longer those took than the launch that would have been, summed, in nanoseconds.
  public var relaunchWaitNanoseconds: Int64 = 0
  /// Time that users who came back waited for a handler that had not returned, in nanoseconds.
  public var handlerWaitNanoseconds: Int64 = 0
  /// Memory warnings that the app heard.
  public var warnings: Int64 = 0
  /// Warnings in answer to which the app gave memory back.
  public var warningsAnswered: Int64 = 0
  /// What its footprint fell by in those answers, in bytes.
  public var warningReleasedBytes: Int64 = 0
  /// Ends while suspended, without notice, to free memory.
  public var purges: Int64 = 0
  /// Footprints that those ended, in bytes.
  public var purgedBytes: Int64 = 0
  /// Purges whose memory was not needed for 60 s.
  public var wastedPurges: Int64 = 0
  /// Footprints that wasted purges ended, in bytes.
  public var wastedPurgeBytes: Int64 = 0
  /// Purges within ten minutes of a relaunch after a purge.
  public var repurges: Int64 = 0
  /// Time since the app was last used, summed over its purges, in nanoseconds.
  public var victimAgeNanoseconds: Int64 = 0
  /// Purges whose app the user opened again within ten minutes, although memory would have sufficed
  /// without the purge.
  public var needlessEnds: Int64 = 0
  /// Kills of the running app in the background, because purging was not enough.
  public var backgroundKills: Int64 = 0
  /// Kills of the app while it was in front.
  public var foregroundKills: Int64 = 0
  /// Kills for passing the memory limit of the app.
  public var limitKills: Int64 = 0
  /// Those of them while the app was in front.
  public var limitKillsInFront: Int64 = 0
  /// Ends for returning too late from a life-cycle handler.
  public var watchdogTerminations: Int64 = 0
  /// Ends because a background task outlived its budget.
  public var taskExpirations: Int64 = 0
  /// Kills for OpenGL ES calls in the background.
  public var gpuKills: Int64 = 0
  /// Kills for holding a shared resource at suspension.
  public var sharedResourceKills: Int64 = 0
  /// Ends on leaving, without multitasking.
  public var noMultitaskingEnds: Int64 = 0
  /// System ends that lost unsaved state and that the user noticed: the app was opened again before
  /// the trace ended, or was killed in front.
  ///
  /// What could not be done while such an app was gone is one more.
  public var systemLossesNoticed: Int64 = 0
  /// User work lost in system ends, in nanoseconds.
  public var systemLostWorkNanoseconds: Int64 = 0
  /// User work lost in system ends and noticed, in nanoseconds.
  public var systemLostWorkNoticedNanoseconds: Int64 = 0
  /// Unsaved bytes lost in system ends and noticed.
  public var systemLostBytesNoticed: Int64 = 0
  /// Times the user had to start again what a system end had ended: at the next launch, or at once
  /// where the app was killed in front.
  public var relaunchesAfterSystemEnd: Int64 = 0
  /// How much longer those took than the launch that would have been, summed, in nanoseconds.
  public var systemRelaunchWaitNanoseconds: Int64 = 0
  /// Purges that lost unsaved state.
  public var lossEvents: Int64 = 0
  /// Those whose app was opened again before the trace ended.
  public var lossEventsNoticed: Int64 = 0
  /// Those whose app was opened again within 24 hours.
  public var lossEventsNoticed24h: Int64 = 0
  /// Those whose app was not opened again before the trace ended.
  public var lossEventsCensored: Int64 = 0
  /// User work lost in purges, in nanoseconds.
  public var lostWorkNanoseconds: Int64 = 0
  /// User work lost in purges and noticed, in nanoseconds.
  public var lostWorkNoticedNanoseconds: Int64 = 0
  /// Unsaved bytes lost in purges.
  public var lostBytes: Int64 = 0
  /// Unsaved bytes lost in purges and noticed.
  public var lostBytesNoticed: Int64 = 0
  /// Purges that lost nothing but a scroll or playing position.
  public var positionLosses: Int64 = 0
  /// Kills that lost unsaved state.
  public var killLossEvents: Int64 = 0
  /// User work lost in kills, in nanoseconds.
  public var killLostWorkNanoseconds: Int64 = 0
  /// Watchdog terminations that lost unsaved state.
  public var watchdogLossEvents: Int64 = 0
  /// Expired background tasks that lost unsaved state.
  public var taskLossEvents: Int64 = 0
  /// Ends on leaving, without multitasking, that lost unsaved state.
  public var noMultitaskingLossEvents: Int64 = 0
  /// Ends by the user or the app itself with something unsaved.
  public var userDiscards: Int64 = 0
  /// User work that those discarded, and what an update took from the snapshot, in nanoseconds.
  public var userDiscardedWorkNanoseconds: Int64 = 0
  /// Bytes that those discarded, and what an update took from the snapshot.
  public var userDiscardedBytes: Int64 = 0
  /// User work still unsaved when the trace ended, in nanoseconds.
  public var unsavedAtEndNanoseconds: Int64 = 0
  /// Saves started.
  public var saves: Int64 = 0
  /// Bytes that those set out to write: what was unsaved at their start, times their share.
  public var writtenBytes: Int64 = 0
  /// Saves cut short by the deadline of a handler or of a background task.
  public var savesInterruptedWindow: Int64 = 0
  /// Saves cut short by a purge or kill.
  public var savesInterruptedPurge: Int64 = 0
  /// Saves cut short because the user or the app itself ended the process.
  public var savesInterruptedCrash: Int64 = 0
  /// Bytes unsaved on leaving the front, summed over the stays that ended in a suspension.
  public var dirtyBytesAtLeave: Int64 = 0
  /// How many of those bytes were saved by the suspension.
  public var savedBytesAtSuspension: Int64 = 0
  /// Times the app came back but could not read its snapshot.
  public var restoreFailures: Int64 = 0
  /// Weighted cost of noticed losses, in weighted seconds: see <doc:TheModel#Metrics>.
  public var lossCost: Double = 0
  /// Rows of the trace that did not apply because the app was not alive here.
  public var skippedEvents: Int64 = 0
  /// Times a row proved that the app, suspended here, was running, and woke it.
  public var impliedWakes: Int64 = 0

  /// All zero.
  public init() {}

  /// Kills of the app while it was in front, for whatever reason.
  public var killsInFront: Int64 { foregroundKills + limitKillsInFront }

  /// Ends that the system caused, for whatever reason: purges, kills, watchdog terminations, expired
  /// tasks, and ends on leaving without multitasking.
  public var systemEnds: Int64 {
    purges + backgroundKills + foregroundKills + limitKills + watchdogTerminations
      + taskExpirations + gpuKills + sharedResourceKills + noMultitaskingEnds
  }

  /// Counts a purge of so many bytes, so many nanoseconds after the app was used.
  @inline(__always)
  mutating func countPurge(bytes: Int64, age: Int64, isRepeat: Bool) {
    purges += 1
    purgedBytes.addSaturated(bytes)
    victimAgeNanoseconds.addSaturated(age)
    if isRepeat { repurges += 1 }
  }

  /// Counts a start of what a system end had ended, for which the user waited so many nanoseconds
  /// longer.
  @inline(__always)
  mutating func countRelaunch(wait: Int64, afterPurge: Bool) {
    relaunchesAfterSystemEnd += 1
    systemRelaunchWaitNanoseconds.addSaturated(wait)
    guard afterPurge else { return }
    coldLaunchesAfterPurge += 1
    relaunchWaitNanoseconds.addSaturated(wait)
  }
}

/// Figures of a whole run that are not sums over apps; none is negative.
public struct SystemTotals: BitwiseCopyable, Sendable, Equatable {
  /// Time that counts: the trace's duration less the warm-up, in nanoseconds.
  public var durationNanoseconds: Int64 = 0
  /// Times memory was short and no app was eligible.
  public var noVictimDecisions: Int64 = 0
  /// Days (24 h, from the start) with at least one noticed loss.
  public var daysWithLoss: Int64 = 0
  /// Days begun within the time that counts.
  public var days: Int64 = 0
  /// Time at level `warning`, critical time not included, in nanoseconds.
  public var warningLevelNanoseconds: Int64 = 0
  /// Time at level `critical`, in nanoseconds.
  public var criticalLevelNanoseconds: Int64 = 0
  /// Time during which more memory was in use than there is, in nanoseconds.
  public var beyondMemoryNanoseconds: Int64 = 0
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
  /// Decisions of the whole run, those without a victim and those of the warm-up included.
  public var decisions: Int64 = 0
  /// Least available memory of the whole run, before anybody was purged for it, in bytes; may be
  /// negative; `.max` on `ideal-cache`.
  public var availableBytesLeast: Int64 = .max
  /// Whether any draw was made: if not, every seed gives this result.
  public var drew: Bool = false

  /// All zero.
  public init() {}

  /// Adds the figures of another run of the same user and policy: sums, maxima, and whether any draw was
  /// made; means stay as they are.
  package mutating func add(_ other: SystemTotals) {
    durationNanoseconds.addSaturated(other.durationNanoseconds)
    noVictimDecisions.addSaturated(other.noVictimDecisions)
    daysWithLoss.addSaturated(other.daysWithLoss)
    days.addSaturated(other.days)
    warningLevelNanoseconds.addSaturated(other.warningLevelNanoseconds)
    criticalLevelNanoseconds.addSaturated(other.criticalLevelNanoseconds)
    beyondMemoryNanoseconds.addSaturated(other.beyondMemoryNanoseconds)
    footprintBytesPeak = max(footprintBytesPeak, other.footprintBytesPeak)
    requestedBytesPeak = max(requestedBytesPeak, other.requestedBytesPeak)
    replayIssues.addSaturated(other.replayIssues)
    drew = drew || other.drew
  }
}

/// Distribution of one app's footprint over the time it was in memory, in bytes.
public struct FootprintStatistics: BitwiseCopyable, Sendable, Equatable {
  /// Median over time, in bytes; 0 for an app that was never in memory.
  public var footprintBytesP50: Int64 = 0
  /// 95th percentile over time, in bytes.
  public var footprintBytesP95: Int64 = 0
  /// Largest footprint, in bytes.
  public var footprintBytesMax: Int64 = 0
  /// Largest sum of the bytes that its live allocations asked for.
  public var requestedBytesMax: Int64 = 0
  /// Most active pages of its arena, in bytes; negative where footprints are declared.
  public var arenaActiveBytesMax: Int64 = -1
  /// Most dirty pages of its arena, in bytes; negative where footprints are declared.
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
  /// How often it was measured.
  public let count: Int

  /// Makes a sample.
  public init(app: AppIndex, nanoseconds: Int64, count: Int = 1) {
    self.app = app
    self.nanoseconds = nanoseconds
    self.count = count
  }
}

/// What one run yields.
public struct RunResult: Sendable, Equatable {
  /// Counters by ``AppIndex``.
  public var apps: [AppTotals]
  /// Footprint distributions by ``AppIndex``.
  public var footprints: [FootprintStatistics]
  /// Figures that are not sums over apps.
  public var system: SystemTotals
  /// Extra waits of cold launches after a purge, in no particular order.
  public var relaunchWaits: [AppSample]
  /// Staleness of each noticed loss with a snapshot, in order of happening.
  public var staleness: [AppSample]
  /// The worst noticed losses, the worst first: as many as ``RunConfiguration/listedLosses`` says.
  public var worstLosses: [LossRecord] = []

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
