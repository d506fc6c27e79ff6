package import JettisonCore
import JettisonSupport

/// What a trace came to under one policy, in words: the answer of `jettison replay`.
///
/// Over several seeds figures are means, with their standard deviation.
package struct ReplaySummary {
  /// The runs, one per seed.
  private let records: [RunRecord]

  private init(_ records: [RunRecord]) {
    self.records = records
  }

  /// The summaries of runs; those that differ by the seed alone come together.
  package static func all(_ records: [RunRecord]) -> [ReplaySummary] {
    var order: [RunKey] = []
    var cells: [RunKey: [RunRecord]] = [:]
    for record in records {
      var key = record.key
      key.seed = 0
      if cells[key] == nil { order.append(key) }
      cells[key, default: []].append(record)
    }
    return order.map { ReplaySummary(cells[$0] ?? []) }
  }

  /// The summary as lines, each ended.
  package func rendered(_ style: TextStyle) -> String {
    guard let first = records.first else { return "" }
    let key = first.key
    let heading = style.heading(
      "\(key.trace) (user \(key.user)) under \(key.policy), \(key.device) with "
        + Self.memory(first.configuration, key.memoryBytes))
    for record in records {
      guard case .failed(let reason) = record.outcome else { continue }
      return heading + style.emphasised("failed: \(TextStyle.clean(reason))", .red) + "\n"
    }
    let readers = records.compactMap { $0.metricReader() }
    let figures = Figures(readers)
    var text = heading + Prose.paragraph(opening(first, figures), style)
    let groups = Self.groups(figures)
    let lines = groups.flatMap(\.lines)
    let widths = [
      lines.map { TextStyle.displayWidth($0.name) }.max() ?? 0,
      lines.map { TextStyle.displayWidth($0.figure) }.max() ?? 0,
    ]
    for group in groups { text += "\n" + Self.rendered(group, widths, style) }
    let tables = LossTables(readers, apps: first.provenance.apps, firstSeed: key.seed)
    for table in [tables.worst(style), tables.byApp(style)] where !table.isEmpty {
      text += "\n" + table
    }
    if first.provenance.isImputed { text += "\n" + Self.imputedNote(style) }
    return text
  }

  /// Memory of a device, or its capacity in apps.
  package static func memory(_ configuration: RunConfiguration, _ memoryBytes: Int64) -> String {
    configuration.capacityApps.map { HumanText.counted(Double($0), "app") }
      ?? HumanText.size(bytes: memoryBytes)
  }

  /// What to think of imputed figures, as lines each ended.
  static func imputedNote(_ style: TextStyle) -> String {
    let word = style.emphasised("imputed", .yellow)
    return Prose.paragraph(
      "Some figures are imputed: what the capture does not say about its apps comes from the "
        + "built-in categories, which are plausible, not measured.", style
    ).replacing("imputed:", with: "\(word):")
  }

  private func opening(_ first: RunRecord, _ figures: Figures) -> String {
    let apps = HumanText.counted(Double(first.provenance.apps.count), "app")
    let days = HumanText.value(figures["user_days"], unit: .days)
    let imputed = first.provenance.isImputed ? ", imputed" : ""
    let seeds =
      records.count > 1
      ? "means of \(records.count) seeds ± standard deviation" : "seed \(first.key.seed)"
    return "\(days), \(apps), \(seeds), "
      + "footprints \(first.configuration.footprints.rawValue)\(imputed)"
  }

  private static func rendered(_ group: Group, _ widths: [Int], _ style: TextStyle) -> String {
    var table = TextTable([
      .init(group.title, .left), .init("", .right), .init("", .left),
    ])
    table.hasHeader = false
    table.minimumWidths = widths
    for line in group.lines {
      let isBad = line.isBad && line.figure != "0" && line.figure != "0 s"
      table.add([
        .init(line.name), .init(line.figure, isBad ? .red : nil), .init(line.remark, .dim),
      ])
    }
    return style.emphasised(group.title, .bold) + "\n" + table.rendered(style)
  }
}

extension ReplaySummary {
  private struct Group {
    var title: String
    var lines: [Line]
  }

  private struct Line {
    var name: String
    var figure: String
    var remark: String = ""
    /// Something the user suffers from, if it is not 0.
    var isBad = false
  }

  /// Metrics by name.
  private struct Figures {
    /// One per seed.
    private let readers: [MetricReader]

    init(_ readers: [MetricReader]) {
      self.readers = readers
    }

    /// The mean over seeds; nil where no seed has a value.
    subscript(_ name: String) -> Double? { metric(name).flatMap(spread)?.mean }

    /// The mean in words, with its unit.
    func text(_ name: String) -> String {
      metric(name).map { HumanText.value(self[name], unit: $0.unit) } ?? "–"
    }

    /// The same with the deviation over seeds.
    func spread(_ name: String) -> String {
      guard let metric = metric(name), let spread = spread(metric) else { return text(name) }
      return spread.text(metric.unit)
    }

    private func spread(_ metric: Metric) -> SeedSpread? {
      SeedSpread(readers.compactMap { $0.value(of: metric).number })
    }

    private func metric(_ name: String) -> Metric? {
      let metric = MetricTable.summary.first { $0.name == name }
      assert(metric != nil, "the table has a metric \(name)")
      return metric
    }
  }

  /// A line that is omitted where its figure is 0 or empty.
  private static func ifAny(
    _ figures: Figures, _ metric: String, _ name: String, _ remark: String = "",
    isBad: Bool = false
  ) -> [Line] {
    guard let figure = figures[metric], figure != 0 else { return [] }
    return [Line(name: name, figure: figures.spread(metric), remark: remark, isBad: isBad)]
  }

  private static func groups(_ figures: Figures) -> [Group] {
    [
      Group(title: "Launches and waiting", lines: launches(figures)),
      Group(title: "System ends", lines: systemEnds(figures)),
      Group(title: "Losses", lines: losses(figures)),
      Group(title: "Warnings", lines: warnings(figures)),
      Group(title: "Memory", lines: memory(figures)),
      Group(title: "Issues", lines: issues(figures)),
    ].filter { !$0.lines.isEmpty }
  }

  private static func launches(_ figures: Figures) -> [Line] {
    let relaunches = figures["relaunches_after_system_end"] ?? 0
    let afterPurge = figures["cold_launches_after_purge"] ?? 0
    var lines = [
      Line(
        name: "launches", figure: figures.spread("launches"),
        remark: "\(figures.text("cold_launches")) cold, \(figures.text("warm_launches")) warm, "
          + "\(figures.text("hot_launches")) hot"),
      Line(
        name: "relaunches of ended apps",
        figure: figures.spread("relaunches_after_system_end"),
        remark: relaunches == afterPurge
          ? "" : "\(figures.text("cold_launches_after_purge")) of them after a purge",
        isBad: true),
    ]
    if relaunches > 0 {
      lines.append(
        Line(
          name: "extra waiting", figure: figures.spread("system_relaunch_wait_seconds"),
          remark: afterPurge == 0
            ? ""
            : "95th percentile \(figures.text("relaunch_wait_seconds_p95")) per relaunch after a "
              + "purge",
          isBad: true))
    }
    return lines
      + ifAny(
        figures, "handler_wait_seconds", "waiting for busy apps", "they were still saving",
        isBad: true)
      + ifAny(figures, "background_launches", "launches into the background")
  }

  private static func systemEnds(_ figures: Figures) -> [Line] {
    let purged = (figures["purges"] ?? 0) > 0
    let kills = ["background_kills", "foreground_kills", "limit_kills"].reduce(0.0) {
      $0 + (figures[$1] ?? 0)
    }
    return [
      Line(name: "system ends", figure: figures.spread("system_ends")),
      Line(
        name: "purges", figure: figures.spread("purges"),
        remark: purged
          ? "\(figures.text("purged_bytes")) of footprints, last used "
            + "\(figures.text("victim_age_seconds_mean")) before" : ""),
    ]
      + ifAny(
        figures, "wasted_purges", "wasted purges",
        "\(figures.text("wasted_purge_bytes")) not needed for a minute", isBad: true)
      + ifAny(
        figures, "needless_ends", "needless purges",
        "opened again soon; memory would have sufficed", isBad: true)
      + ifAny(
        figures, "repurges", "repeated purges", "within ten minutes of the relaunch", isBad: true)
      + [
        Line(
          name: "kills of running apps", figure: HumanText.count(kills),
          remark: kills == 0
            ? ""
            : "\(figures.text("background_kills")) in background, "
              + "\(figures.text("foreground_kills")) in front, "
              + "\(figures.text("limit_kills")) over their limit",
          isBad: true)
      ]
      + ifAny(
        figures, "watchdog_terminations", "watchdog terminations", "a handler took too long",
        isBad: true)
      + ifAny(
        figures, "task_expirations", "expired tasks", "a background task took too long",
        isBad: true)
      + ifAny(
        figures, "gpu_kills", "kills for graphics", "OpenGL ES calls in the background",
        isBad: true)
      + ifAny(
        figures, "shared_resource_kills", "kills for shared resources", "held at suspension",
        isBad: true)
      + ifAny(
        figures, "no_multitasking_ends", "ended on leaving", "without multitasking")
      + ifAny(
        figures, "no_victim_decisions", "short of memory, no app to purge", isBad: true)
  }

  private static func losses(_ figures: Figures) -> [Line] {
    [
      Line(
        name: "losses noticed", figure: figures.spread("system_losses_noticed"), isBad: true),
      Line(
        name: "work lost and noticed",
        figure: figures.spread("system_lost_work_noticed_seconds"),
        remark: "\(figures.text("system_lost_bytes_noticed")); lost in all "
          + figures.text("system_lost_work_seconds"), isBad: true),
      Line(
        name: "in purges alone", figure: figures.spread("loss_events_noticed"),
        remark: "of \(figures.text("loss_events")); "
          + "\(figures.text("loss_events_noticed_24h")) within 24 hours; "
          + "\(figures.text("lost_work_noticed_seconds")) of work"),
    ]
      + ifAny(
        figures, "loss_events_censored", "losses never met again",
        "the app was not opened before the end")
      + ifAny(
        figures, "staleness_seconds_p50", "age of what was found",
        "median; 90th percentile \(figures.text("staleness_seconds_p90")), at most "
          + figures.text("staleness_seconds_max"))
      + ifAny(figures, "position_losses", "lost positions", "scroll or playing position only")
      + ifAny(
        figures, "kill_loss_events", "losses in kills",
        "\(figures.text("kill_lost_work_seconds")) of work", isBad: true)
      + ifAny(figures, "watchdog_loss_events", "losses to the watchdog", isBad: true)
      + ifAny(figures, "task_loss_events", "losses to expired tasks", isBad: true)
      + ifAny(figures, "no_multitasking_loss_events", "losses on leaving", isBad: true)
      + ifAny(figures, "restore_failures", "snapshots that could not be read", isBad: true)
      + ifAny(
        figures, "user_discards", "discarded by the user or the app", "no loss of the policy")
      + ifAny(figures, "unsaved_at_end_seconds", "work unsaved at the end", "no loss")
      + saves(figures)
  }

  private static func saves(_ figures: Figures) -> [Line] {
    let interrupted = ["window", "purge", "crash"].map { figures["saves_interrupted_\($0)"] ?? 0 }
    guard interrupted.contains(where: { $0 > 0 }) else {
      return ifAny(figures, "saves", "saves", "none cut short")
    }
    return ifAny(
      figures, "saves", "saves",
      "cut short: \(HumanText.count(interrupted[0])) by the time allowed, "
        + "\(HumanText.count(interrupted[1])) by a purge or kill, "
        + "\(HumanText.count(interrupted[2])) by the user or a crash")
  }

  private static func warnings(_ figures: Figures) -> [Line] {
    [
      Line(
        name: "warnings", figure: figures.spread("warnings"),
        remark: (figures["warnings"] ?? 0) == 0
          ? ""
          : "\(figures.text("warnings_answered")) answered, releasing "
            + figures.text("warning_released_bytes"))
    ]
      + ifAny(figures, "warning_level_seconds", "time at level warning")
      + ifAny(figures, "critical_level_seconds", "time at level critical")
      + ifAny(figures, "beyond_memory_seconds", "time beyond memory")
  }

  private static func memory(_ figures: Figures) -> [Line] {
    [
      Line(
        name: "apps in memory", figure: figures.spread("resident_apps_mean"), remark: "on average"),
      Line(
        name: "suspended apps take", figure: figures.spread("suspended_bytes_mean"),
        remark: "on average"),
      Line(
        name: "all apps take at most", figure: figures.spread("footprint_bytes_peak"),
        remark: (figures["requested_bytes_peak"] ?? 0) == 0
          ? "" : "live allocations at most \(figures.text("requested_bytes_peak"))"),
    ]
  }

  private static func issues(_ figures: Figures) -> [Line] {
    ifAny(figures, "issues", "issues", "'jettison check' lists them")
      + ifAny(
        figures, "skipped_events", "rows skipped", "their app was not alive in this replay")
      + ifAny(
        figures, "implied_wakes", "implied wakes", "a row proved that a suspended app was running")
  }
}
