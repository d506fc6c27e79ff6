/// Every figure of `summary.csv` and `apps.csv`, in the order of their columns.
///
/// The one source of headers, of `columns.md`, of what can be compared and of what `--fail-if`
/// knows. A new metric is a new row here.
public enum MetricTable {
  /// All metrics: those of a run first, then those that only an app has.
  public static let all: [Metric] =
    launches + systemEnds + pressure + losses + saves + distributions + system + footprints

  /// The columns of `summary.csv` after the key.
  public static let summary: [Metric] = all.filter { $0.scope != .app }

  /// The columns of `apps.csv` after the key and the app.
  public static let apps: [Metric] = all.filter { $0.scope != .run }

  /// The metrics of `comparison.csv`.
  public static let compared: [Metric] = all.filter(\.isComparable)

  /// Metrics that decide a comparison, named in advance.
  ///
  /// Both count every end that the system caused, whatever its kind, by the same rule.
  public static let primaryNames = [
    "system_lost_work_noticed_seconds", "system_relaunch_wait_seconds",
  ]

  /// The metric with a name, among those of `summary.csv` unless told otherwise.
  ///
  /// - Throws: ``ConfigurationError/unknown(what:name:known:)`` with the names that exist.
  public static func metric(
    named name: String, among metrics: [Metric] = summary
  ) throws(ConfigurationError) -> Metric {
    guard let metric = metrics.first(where: { $0.name == name }) else {
      throw .unknown(what: "metric", name: name, known: metrics.map(\.name))
    }
    return metric
  }

  private static let launches: [Metric] = [
    Metric(
      name: "user_days", unit: .days,
      documentation: "Time that counts, in days of 24 hours: the trace less the warm-up.",
      scope: .run, preference: .neither, pooling: .notCompared
    ) { reader, _ in .real(Double(reader.result.system.durationNanoseconds) / 86_400e9) },
    Metric(
      name: "launches", unit: .count,
      documentation: "Times an app was brought to the front: cold, warm and hot together.",
      scope: .runAndApp, preference: .neither, pooling: .perUserDay
    ) { reader, app in
      let cold = reader.total(\.coldLaunches, app)
      return .integer(
        cold + reader.total(\.warmLaunches, app) + reader.total(\.hotLaunches, app))
    },
    Metric(
      name: "hit_ratio", unit: .share,
      documentation: "Share of the launches that found the app in memory, warm or hot; empty "
        + "without a launch.",
      scope: .runAndApp, preference: .higher, pooling: .asItStands
    ) { reader, app in
      let hits = reader.total(\.warmLaunches, app) + reader.total(\.hotLaunches, app)
      let launches = hits + reader.total(\.coldLaunches, app)
      return launches == 0 ? .empty : .real(Double(hits) / Double(launches))
    },
    .count("cold_launches", \.coldLaunches, "Launches of an app that had no process."),
    .count(
      "warm_launches", \.warmLaunches,
      "Launches of an app whose process had not been in front yet.", .neither),
    .count(
      "hot_launches", \.hotLaunches,
      "Launches of an app whose process had been in front before.", .higher),
    .count(
      "background_launches", \.backgroundLaunches,
      "Processes the system started in the background.", .neither),
    .count(
      "cold_launches_after_purge", \.coldLaunchesAfterPurge,
      "Cold launches of an app that a purge had ended."),
    .time(
      "relaunch_wait_seconds", \.relaunchWaitNanoseconds,
      "Extra waiting of those relaunches: their latency less that of the launch without the purge, "
        + "summed."),
    .quantile(
      "relaunch_wait_seconds_p95",
      "95th percentile of that waiting per relaunch; empty if there was none."
    ) { reader, app in reader.waitQuantile(0.95, app) },
    .time(
      "handler_wait_seconds", \.handlerWaitNanoseconds,
      "Waiting of users for apps whose main thread was busy with a save."),
  ]

  private static let systemEnds: [Metric] = [
    .count(
      "system_ends", \.systemEnds,
      "Ends that the system caused: purges, every kind of kill, watchdog terminations, expired "
        + "tasks, and ends on leaving without multitasking."),
    .count(
      "system_losses_noticed", \.systemLossesNoticed,
      "System ends that lost unsaved state and that the user noticed: the app was opened again "
        + "before the trace ended, or was killed in front. What could not be done while such an "
        + "app was gone is one more."),
    .time(
      "system_lost_work_seconds", \.systemLostWorkNanoseconds, "User work lost in system ends."),
    .time(
      "system_lost_work_noticed_seconds", \.systemLostWorkNoticedNanoseconds,
      "User work lost in system ends and noticed: the primary loss metric."),
    .bytes(
      "system_lost_bytes_noticed", \.systemLostBytesNoticed,
      "Unsaved bytes lost in system ends and noticed."),
    .count(
      "relaunches_after_system_end", \.relaunchesAfterSystemEnd,
      "Times the user had to start again what a system end had ended: at the next launch, or at "
        + "once where the app was killed in front."),
    .time(
      "system_relaunch_wait_seconds", \.systemRelaunchWaitNanoseconds,
      "Extra waiting of those relaunches, their latency less that of the launch without the end, "
        + "summed: the primary metric of waiting."),
    .count(
      "kills_in_front", \.killsInFront,
      "Apps killed while they were in front: for memory, or for passing their own limit."),
  ]

  private static let pressure: [Metric] = [
    .count("warnings", \.warnings, "Memory warnings delivered to apps."),
    .count(
      "warnings_answered", \.warningsAnswered, "Warnings after which the app released memory.",
      .neither),
    .bytes(
      "warning_released_bytes", \.warningReleasedBytes,
      "Fall of footprints in answer to warnings.", .neither),
    .count("purges", \.purges, "Suspended apps ended without notice to free memory."),
    .bytes("purged_bytes", \.purgedBytes, "Footprints ended by purges."),
    .count(
      "wasted_purges", \.wastedPurges, "Purges whose memory was not needed for 60 seconds."),
    .bytes("wasted_purge_bytes", \.wastedPurgeBytes, "Footprints ended by wasted purges."),
    .count(
      "needless_ends", \.needlessEnds,
      "Purges whose app the user opened again within ten minutes although memory would have "
        + "sufficed without the purge."),
    Metric(
      name: "victim_age_seconds_mean", unit: .seconds,
      documentation: "Mean time since a purged app was last used; empty without a purge.",
      scope: .runAndApp, preference: .higher, pooling: .asItStands
    ) { reader, app in
      let purges = reader.total(\.purges, app)
      guard purges > 0 else { return .empty }
      return .real(Double(reader.total(\.victimAgeNanoseconds, app)) / 1e9 / Double(purges))
    },
    .count(
      "repurges", \.repurges,
      "Purges of an app within ten minutes of its relaunch after a purge."),
    .count(
      "background_kills", \.backgroundKills,
      "Apps killed out of sight: running ones because purging was not enough, and those over their "
        + "high-water mark, suspended or not."),
    .count(
      "foreground_kills", \.foregroundKills, "Apps killed for memory while they were in front."),
    .count("limit_kills", \.limitKills, "Apps killed for passing their own memory limit."),
    .count(
      "watchdog_terminations", \.watchdogTerminations,
      "Apps ended for returning too late from a life-cycle handler."),
    .count(
      "task_expirations", \.taskExpirations,
      "Apps ended because a background task outlived its budget."),
    .count("gpu_kills", \.gpuKills, "Apps killed for OpenGL ES calls in the background."),
    .count(
      "shared_resource_kills", \.sharedResourceKills,
      "Apps killed for holding a shared resource when they were to be suspended."),
    .count(
      "no_multitasking_ends", \.noMultitaskingEnds,
      "Apps ended on leaving, because the device or the app does not multitask."),
    Metric(
      name: "no_victim_decisions", unit: .count,
      documentation: "Times memory was short and no app was eligible.",
      scope: .run, preference: .lower, pooling: .perUserDay
    ) { reader, _ in .integer(reader.result.system.noVictimDecisions) },
  ]

  private static let losses: [Metric] = [
    .count("loss_events", \.lossEvents, "Purges that lost unsaved state."),
    .count(
      "loss_events_noticed", \.lossEventsNoticed,
      "Those whose app the user opened again before the trace ended."),
    .count(
      "loss_events_noticed_24h", \.lossEventsNoticed24h,
      "Those whose app the user opened again within 24 hours."),
    .count(
      "loss_events_censored", \.lossEventsCensored,
      "Those whose app was not opened again before the trace ended."),
    .time("lost_work_seconds", \.lostWorkNanoseconds, "User work lost in purges."),
    .time(
      "lost_work_noticed_seconds", \.lostWorkNoticedNanoseconds,
      "User work lost in purges and noticed."),
    .bytes("lost_bytes", \.lostBytes, "Unsaved bytes lost in purges."),
    .bytes("lost_bytes_noticed", \.lostBytesNoticed, "Unsaved bytes lost in purges and noticed."),
    .count(
      "position_losses", \.positionLosses,
      "Purges that lost nothing but a scroll or playing position."),
    .count(
      "kill_loss_events", \.killLossEvents,
      "Kills of running apps that lost unsaved state, and absences of apps killed in front in "
        + "which something could not be done."),
    .time("kill_lost_work_seconds", \.killLostWorkNanoseconds, "User work lost in kills."),
    .count(
      "watchdog_loss_events", \.watchdogLossEvents,
      "Watchdog terminations that lost unsaved state."),
    .count(
      "task_loss_events", \.taskLossEvents, "Expired background tasks that lost unsaved state."),
    .count(
      "no_multitasking_loss_events", \.noMultitaskingLossEvents,
      "Ends on leaving, without multitasking, that lost unsaved state."),
    .count(
      "user_discards", \.userDiscards,
      "Ends by the user or the app itself with something unsaved: no loss of the policy.",
      .neither),
    .time(
      "user_discarded_work_seconds", \.userDiscardedWorkNanoseconds,
      "User work that those discarded, and what an update took from the snapshot.", .neither),
    .bytes(
      "user_discarded_bytes", \.userDiscardedBytes,
      "Bytes that those discarded, and what an update took from the snapshot.", .neither),
    .time(
      "unsaved_at_end_seconds", \.unsavedAtEndNanoseconds,
      "User work still unsaved when the trace ended: no loss.", .neither),
  ]

  private static let saves: [Metric] = [
    .count("saves", \.saves, "Saves started.", .neither),
    .bytes(
      "written_bytes", \.writtenBytes,
      "Bytes that those set out to write: what was unsaved when each started.", .neither),
    .count(
      "saves_interrupted_window", \.savesInterruptedWindow,
      "Saves cut short by the end of the time allowed."),
    .count(
      "saves_interrupted_purge", \.savesInterruptedPurge, "Saves cut short by a purge or kill."),
    .count(
      "saves_interrupted_crash", \.savesInterruptedCrash,
      "Saves cut short because the user or the app itself ended the process.", .neither),
    Metric(
      name: "partial_save_ratio", unit: .share,
      documentation: "Share of the bytes unsaved on leaving the front that were saved by the "
        + "suspension; empty if nothing was unsaved.",
      scope: .runAndApp, preference: .higher, pooling: .asItStands
    ) { reader, app in
      let dirty = reader.total(\.dirtyBytesAtLeave, app)
      guard dirty != 0 else { return .empty }
      return .real(Double(reader.total(\.savedBytesAtSuspension, app)) / Double(dirty))
    },
  ]

  private static let distributions: [Metric] =
    [("p50", 0.5, "Median"), ("p90", 0.9, "90th percentile"), ("p99", 0.99, "99th percentile")]
    .map { suffix, share, words in
      .quantile(
        "staleness_seconds_\(suffix)",
        "\(words) of the age of what the user finds after a noticed loss; empty without one."
      ) { reader, app in reader.stalenessQuantile(share, app) }
    } + [
      .quantile(
        "staleness_seconds_max", "Largest such age; empty without a noticed loss."
      ) { reader, app in reader.stalenessQuantile(1, app) },
      .count(
        "restore_failures", \.restoreFailures,
        "Times the app came back but could not read its snapshot; in no loss column."),
      Metric(
        name: "loss_cost", unit: .weightedSeconds,
        documentation: "Noticed losses weighted: work to the power 0.7, decaying with the time "
          + "until the return (e-fold in 24 hours); a lost position counts 0.1.",
        scope: .runAndApp, preference: .lower, pooling: .perUserDay
      ) { reader, app in .real(reader.lossCost(app)) },
    ]

  private static let system: [Metric] = [
    Metric(
      name: "user_days_with_loss", unit: .share,
      documentation: "Share of the days begun that had a noticed loss.",
      scope: .run, preference: .lower, pooling: .asItStands
    ) { reader, _ in
      let system = reader.result.system
      return system.days == 0
        ? .empty : .real(Double(system.daysWithLoss) / Double(system.days))
    },
    Metric(
      name: "warning_level_seconds", unit: .seconds,
      documentation: "Time at level warning, critical time not included.",
      scope: .run, preference: .lower, pooling: .perUserDay
    ) { reader, _ in .nanoseconds(reader.result.system.warningLevelNanoseconds) },
    Metric(
      name: "critical_level_seconds", unit: .seconds,
      documentation: "Time at level critical.",
      scope: .run, preference: .lower, pooling: .perUserDay
    ) { reader, _ in .nanoseconds(reader.result.system.criticalLevelNanoseconds) },
    Metric(
      name: "beyond_memory_seconds", unit: .seconds,
      documentation: "Time during which more memory was in use than the device has: no phone can "
        + "be used like that.",
      scope: .run, preference: .lower, pooling: .perUserDay
    ) { reader, _ in .nanoseconds(reader.result.system.beyondMemoryNanoseconds) },
    Metric(
      name: "resident_apps_mean", unit: .apps,
      documentation: "Mean over time of the apps in memory, running or suspended.",
      scope: .run, preference: .neither, pooling: .asItStands
    ) { reader, _ in .real(reader.result.system.residentAppsMean) },
    Metric(
      name: "suspended_bytes_mean", unit: .bytes,
      documentation: "Mean over time of the footprints of suspended apps together.",
      scope: .run, preference: .neither, pooling: .asItStands
    ) { reader, _ in .real(reader.result.system.suspendedBytesMean) },
    Metric(
      name: "footprint_bytes_peak", unit: .bytes,
      documentation: "Largest footprint of all apps together.",
      scope: .run, preference: .neither, pooling: .asItStands
    ) { reader, _ in .integer(reader.result.system.footprintBytesPeak) },
    Metric(
      name: "requested_bytes_peak", unit: .bytes,
      documentation: "Largest sum of the bytes that live allocations of all apps asked for.",
      scope: .run, preference: .neither, pooling: .asItStands
    ) { reader, _ in .integer(reader.result.system.requestedBytesPeak) },
    .count(
      "skipped_events", \.skippedEvents,
      "Rows of the trace that did not apply because the app was not alive here.", .neither),
    .count(
      "implied_wakes", \.impliedWakes,
      "Times a row proved that an app suspended here was running, and woke it.", .neither),
    Metric(
      name: "issues", unit: .count,
      documentation: "Issues met while reading and replaying the trace.",
      scope: .run, preference: .neither, pooling: .perUserDay
    ) { reader, _ in
      let (sum, overflow) = reader.traceIssueCount
        .addingReportingOverflow(reader.result.system.replayIssues)
      return .integer(overflow ? .max : sum)
    },
  ]

  private static let footprints: [Metric] = [
    .footprint(
      "footprint_bytes_p50", \.footprintBytesP50,
      "Median over the time in memory of the app's footprint."),
    .footprint(
      "footprint_bytes_p95", \.footprintBytesP95,
      "95th percentile over the time in memory of the app's footprint."),
    .footprint("footprint_bytes_max", \.footprintBytesMax, "Largest footprint of the app."),
    .footprint(
      "requested_bytes_max", \.requestedBytesMax,
      "Largest sum of the bytes that its live allocations asked for."),
    .footprint(
      "arena_active_bytes_max", \.arenaActiveBytesMax,
      "Largest number of bytes in active arena pages; empty where footprints are declared."),
    .footprint(
      "arena_dirty_bytes_max", \.arenaDirtyBytesMax,
      "Largest number of bytes in dirty arena pages; empty where footprints are declared."),
  ]
}

extension Metric {
  /// A counter of an app, written as a key path: called as a function, which costs no lookup.
  fileprivate typealias Counter = @Sendable (AppTotals) -> Int64

  fileprivate static func count(
    _ name: String, _ counter: @escaping Counter, _ documentation: String,
    _ preference: Preference = .lower
  ) -> Metric {
    sum(name, .count, counter, documentation, preference)
  }

  fileprivate static func bytes(
    _ name: String, _ counter: @escaping Counter, _ documentation: String,
    _ preference: Preference = .lower
  ) -> Metric {
    sum(name, .bytes, counter, documentation, preference)
  }

  fileprivate static func time(
    _ name: String, _ counter: @escaping Counter, _ documentation: String,
    _ preference: Preference = .lower
  ) -> Metric {
    sum(name, .seconds, counter, documentation, preference)
  }

  /// A sum over apps; one in seconds is counted in nanoseconds.
  private static func sum(
    _ name: String, _ unit: Unit, _ counter: @escaping Counter, _ documentation: String,
    _ preference: Preference
  ) -> Metric {
    Metric(
      name: name, unit: unit, documentation: documentation, scope: .runAndApp,
      preference: preference, pooling: .perUserDay
    ) { reader, app in
      let sum = reader.total(counter, app)
      return unit == .seconds ? .nanoseconds(sum) : .integer(sum)
    }
  }

  fileprivate static func quantile(
    _ name: String, _ documentation: String,
    _ read: @escaping @Sendable (borrowing MetricReader, AppIndex?) -> MetricValue
  ) -> Metric {
    Metric(
      name: name, unit: .seconds, documentation: documentation, scope: .runAndApp,
      preference: .lower, pooling: .asItStands, read: read)
  }

  fileprivate static func footprint(
    _ name: String, _ path: any KeyPath<FootprintStatistics, Int64> & Sendable,
    _ documentation: String
  ) -> Metric {
    Metric(
      name: name, unit: .bytes, documentation: documentation, scope: .app, preference: .neither,
      pooling: .notCompared
    ) { reader, app in
      guard let app, app.position < reader.result.footprints.count else { return .empty }
      let bytes = reader.result.footprints[app.position][keyPath: path]
      return bytes < 0 ? .empty : .integer(bytes)
    }
  }
}
