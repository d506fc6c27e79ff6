import JettisonCore
import JettisonSupport

extension RunTables {
  typealias RunField = ReportTable<RunRecord>.Field

  /// Every parameter in force.
  ///
  /// Empty where the pressure model has no such parameter.
  static let runFields: [RunField] =
    inputFields + deviceFields + pressureFields + engineFields + outcomeFields

  private static let inputFields: [RunField] = [
    .init(
      "trace_hash", "hash",
      "Hash of everything in the trace that a replay depends on; equal for both forms of a trace."
    ) { ReportCell(NumberText.hash($0.provenance.traceHash)) },
    .init("start", "text", "Start of the trace, from its header; empty if it has none.") {
      ReportCell($0.provenance.start ?? "")
    },
    .init(
      "catalog", "text",
      "Catalog files, joined by ';' with % ; = of names percent-encoded: the trace's side file, then "
        + "that of the run, which wins; empty without one."
    ) { ReportCell($0.provenance.catalogPaths.map(listEncoded).joined(separator: ";")) },
    .init("catalog_hash", "hash", "Hash of the catalog; empty without one.") {
      ReportCell($0.provenance.catalogHash.map(NumberText.hash) ?? "")
    },
    .init(
      "policy_hash", "hash", "Hash of what a policy file says; empty for policies of Jettison."
    ) { ReportCell($0.provenance.policyHash.map(NumberText.hash) ?? "") },
    .init(
      "imputed", "0 or 1", "1: some figures come from built-in categories; they were not observed."
    ) { ReportCell($0.provenance.isImputed) },
    .init("footprints", "arena, declared", "Where footprints come from.") {
      ReportCell($0.configuration.footprints.rawValue)
    },
    .init(
      "saves", "captured, modelled",
      "Whose saves count where the trace has some of an app: its own, or the catalog's."
    ) { row in
      .text(row.configuration.profiles.contains(where: \.modelsSaves) ? "modelled" : "captured")
    },
    .init(
      "adj", "captured, modelled",
      "Whether oom_score_adj comes from the trace, where it has any, or from the model."
    ) { .text($0.configuration.usesCapturedRanks ? "captured" : "modelled") },
    .init(
      "thread_cache", "on, off", "Whether each arena has a thread cache; empty without arenas."
    ) { row in
      row.configuration.footprints == .arena
        ? onOff(row.configuration.usesThreadCache) : .empty
    },
  ]

  private static let deviceFields: [RunField] = [
    .init("pressure", "text", "Pressure model in force.") {
      ReportCell($0.configuration.pressure.rawValue)
    },
    .init("era", "text", "Era of the device; empty if unknown.") {
      ReportCell($0.configuration.device.era?.rawValue ?? "")
    },
    .init("api_level", "API level", "Android release of the device; empty if unknown.") {
      ReportCell($0.configuration.device.apiLevel.map(Int64.init))
    },
    .init("capacity_apps", "apps", "Capacity in apps of size 1; empty where sizes are bytes.") {
      ReportCell($0.configuration.capacityApps)
    },
    .init("reserve_bytes", "bytes", "In use by the system until the trace measures it.") {
      .integer($0.configuration.device.reserveBytes)
    },
    .init("page_bytes", "bytes", "Page of models that count pages.") {
      .integer($0.configuration.device.pageBytes)
    },
    .init("limit_bytes", "bytes", "Footprint at which any app is killed; empty: no limit.") {
      ReportCell($0.configuration.device.limitBytes)
    },
    .init("multitasking", "on, off", "Whether apps stay in memory in the background.") {
      onOff($0.configuration.device.multitasks)
    },
    .init("lock", "inactive, background", "What locking does to the app in front.") {
      ReportCell($0.configuration.device.lock.rawValue)
    },
    .init("handler_budget_seconds", "seconds", "Time a life-cycle handler may take.") {
      .seconds($0.configuration.device.budgets.handlerNanoseconds)
    },
    .init("task_budget_seconds", "seconds", "Time of background tasks after the front is left.") {
      .seconds($0.configuration.device.budgets.taskNanoseconds)
    },
    .init("background_launch_budget_seconds", "seconds", "Time of a launch into the background.") {
      .seconds($0.configuration.device.budgets.backgroundLaunchNanoseconds)
    },
    .init("suspension_delay_seconds", "seconds", "From the end of background work to suspension.") {
      .seconds($0.configuration.device.suspensionDelayNanoseconds)
    },
    .init("compression_ratio", "ratio", "Uncompressed by compressed size; empty: off.") {
      ReportCell(real: $0.configuration.device.compression?.ratio)
    },
    .init("compression_suspended_share", "share", "Share of a suspended app that is compressed.") {
      ReportCell(real: $0.configuration.device.compression?.suspendedShare)
    },
  ]

  private static let pressureFields: [RunField] = [
    .init("warn_percent", "percent of RAM", "Warnings go out below this much available memory.") {
      ifRead(.thresholds, $0, .real($0.configuration.device.thresholds.warnPercent))
    },
    .init(
      "critical_percent", "percent of RAM",
      "The level is critical below this; under ios-4 any app may be ended at or below it."
    ) {
      ifRead(.thresholds, $0, .real($0.configuration.device.thresholds.criticalPercent))
    },
    .init(
      "purge_percent", "percent of RAM",
      "Suspended apps are purged below this; under ios-4 apps over their soft limit are ended at "
        + "or below it."
    ) {
      ifRead(.thresholds, $0, .real($0.configuration.device.thresholds.purgePercent))
    },
    .init("until_percent", "percent of RAM", "Purging stops at this or above.") {
      ifRead(.ends, $0, .real($0.configuration.device.thresholds.untilPercent))
    },
    .init("level_return_percent", "percent", "How far above its threshold a level ends, of it.") {
      ifRead(.ends, $0, .real($0.configuration.device.thresholds.returnPercent))
    },
    .init(
      "level_step_percent", "percent of RAM",
      "How far available memory must move before it is noted; under ios-4 only."
    ) {
      ifRead(.step, $0, .real($0.configuration.device.thresholds.stepPercent))
    },
    .init("warning_order", "text", "Whether warnings go out before or after purging.") {
      ifRead(.thresholds, $0, ReportCell($0.configuration.warningOrder.rawValue))
    },
    .init("warning_purge_delay_seconds", "seconds", "How long purging waits for warnings.") {
      ifRead(.thresholds, $0, .seconds($0.configuration.warningPurgeDelayNanoseconds))
    },
    .init(
      "pressure_parameters", "text",
      "Parameters of the platform's killer in force, key=value joined by ';'; empty without one."
    ) { row in
      ReportCell(
        ModelParameterText.inForce(row.configuration).map { "\($0.key)=\($0.value)" }
          .joined(separator: ";"))
    },
  ]

  /// A cell about what only some pressure models look at; empty under the others.
  private static func ifRead(
    _ input: PressureInputs, _ row: RunRecord, _ cell: ReportCell
  ) -> ReportCell {
    row.configuration.pressure.reads(input) ? cell : .empty
  }

  private static let engineFields: [RunField] = [
    .init("decay_seconds", "seconds", "Age at which freed pages go back; empty without arenas.") {
      $0.configuration.footprints == .arena
        ? .seconds($0.configuration.decayNanoseconds) : .empty
    },
    .init("lambda", "ratio", "Seconds of waiting that one second of lost work is worth.") {
      .real($0.configuration.lambda)
    },
    .init("noise", "on, off", "Whether magnitudes were drawn around the catalog's medians.") {
      onOff($0.provenance.hasNoise)
    },
    .init("warm_up_seconds", "seconds", "Rows before this time do not count.") {
      .seconds($0.configuration.warmUpNanoseconds)
    },
    .init(
      "protect_recent", "apps", "How many of the apps used last, the front one aside, are spared."
    ) { .integer(Int64($0.configuration.protectRecentCount)) },
    .init(
      "pinned", "text",
      "Apps that are never eligible, joined by ';' with % ; = of names percent-encoded."
    ) { row in
      let apps = row.provenance.apps
      let pinned = row.configuration.pinned.filter { $0.position < apps.count }
      return ReportCell(
        pinned.map { listEncoded(apps[$0.position]) }.joined(separator: ";"))
    },
  ]

  private static let outcomeFields: [RunField] = [
    .init("jettison_version", "text", "Version of Jettison.") {
      ReportCell($0.provenance.jettisonVersion)
    },
    .init("jemalloc_version", "text", "Version of jemalloc; empty without arenas.") {
      ReportCell($0.provenance.jemallocVersion ?? "")
    },
    .init("status", "ok, failed", "Whether the run went through.") { row in
      if case .failed = row.outcome { .text("failed") } else { .text("ok") }
    },
    .init("reason", "text", "Why it failed; empty if it did not.") { row in
      if case .failed(let reason) = row.outcome { ReportCell(reason) } else { .empty }
    },
  ]

  private static func onOff(_ isOn: Bool) -> ReportCell { .text(isOn ? "on" : "off") }
}
