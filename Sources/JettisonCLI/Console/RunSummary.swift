internal import JettisonCore
internal import JettisonReports

/// One run, told to a person.
struct RunSummary {
  private let record: RunRecord
  private let reader: MetricReader
  private let style: Style

  init(_ record: RunRecord, reader: MetricReader, style: Style) {
    self.record = record
    self.reader = reader
    self.style = style
  }

  /// The lines to print.
  var lines: [String] {
    let key = record.key
    let memory =
      record.configuration.capacityApps.map { HumanText.count(Int($0), "app") }
      ?? HumanText.memory(key.memoryBytes)
    let title =
      "\(key.trace) on \(key.device) (\(memory)), policy \(key.policy), seed \(key.seed), "
      + "footprints \(record.configuration.footprints.rawValue)"
    var table = TextTable([.left, .left])
    for (label, text) in facts { table.add([style.bold(label), text]) }
    var lines = [style.bold(title)] + table.lines(indent: 2)
    lines += losers
    if record.provenance.isImputed {
      lines.append(
        style.faint("  Some figures are imputed from app categories ('jettison inspect')."))
    }
    return lines
  }

  private var facts: [(String, String)] {
    [
      ("Use", use), ("Work lost", workLost), ("Relaunches", relaunches), ("Purges", purges),
      ("Warnings", warnings), ("Kills", kills), ("Saves", saves), ("Memory", memory),
      ("Counted", counted),
    ]
  }

  private var use: String {
    let seconds = number("user_days") * 86_400
    return "\(count("launches", "launch", "launches")) in \(HumanText.duration(seconds: seconds)): "
      + "\(text("cold_launches")) cold, \(text("warm_launches")) warm, "
      + "\(text("hot_launches")) hot; \(text("background_launches")) in the background"
  }

  private var workLost: String {
    let noticed = number("loss_events_noticed")
    let figure =
      "\(time("lost_work_noticed_seconds")) noticed in \(count("loss_events_noticed", "loss", "losses"))"
    var text = noticed > 0 ? style.bad(figure) : style.good(figure)
    text += "; \(self.text("loss_events_censored")) never found out"
    let others =
      number("kill_loss_events") + number("watchdog_loss_events")
      + number("task_loss_events")
    if others > 0 {
      text += "; \(HumanText.decimal(others, places: 0)) more by kills, watchdog and expired tasks"
    }
    return text
  }

  private var relaunches: String {
    "\(count("cold_launches_after_purge", "cold launch", "cold launches")) after a purge, "
      + "\(time("relaunch_wait_seconds")) of extra waiting"
  }

  private var purges: String {
    let freed = HumanText.megabytes(number("purged_bytes"))
    return "\(text("purges")) of suspended apps (\(freed)), \(text("wasted_purges")) wasted, "
      + "\(text("repurges")) soon after a relaunch"
  }

  private var warnings: String {
    let released = HumanText.megabytes(number("warning_released_bytes"))
    return "\(text("warnings")) delivered, \(text("warnings_answered")) answered (\(released)); "
      + "\(time("warning_level_seconds")) at warning, \(time("critical_level_seconds")) at critical"
  }

  private var kills: String {
    "\(text("background_kills")) in background, \(text("foreground_kills")) in front, "
      + "\(text("limit_kills")) over their limit; \(text("watchdog_terminations")) by the watchdog, "
      + "\(count("task_expirations", "expired task"))"
  }

  private var saves: String {
    let cut = ["window", "purge", "crash"].map { number("saves_interrupted_\($0)") }.reduce(0, +)
    return "\(text("saves")) started, \(HumanText.decimal(cut, places: 0)) cut short"
  }

  private var memory: String {
    let peak = HumanText.megabytes(number("footprint_bytes_peak"))
    let mean = HumanText.decimal(number("resident_apps_mean"), places: 1)
    return "\(mean) apps in memory on average, \(peak) at the peak"
  }

  private var counted: String {
    "\(count("issues", "issue")), \(count("skipped_events", "event")) skipped, "
      + "\(count("implied_wakes", "implied wake"))"
  }

  /// The apps that lost most, if any lost anything.
  private var losers: [String] {
    guard let apps = record.result?.apps else { return [] }
    let ranked = apps.indices.filter { apps[$0].lostWorkNoticedNanoseconds > 0 }
      .sorted {
        let (a, b) = (apps[$0].lostWorkNoticedNanoseconds, apps[$1].lostWorkNoticedNanoseconds)
        return a != b ? a > b : $0 < $1
      }
    guard !ranked.isEmpty else { return [] }
    var table = TextTable([.left, .right, .right])
    for position in ranked.prefix(5) {
      let totals = apps[position]
      table.add([
        record.provenance.apps[position],
        HumanText.duration(nanoseconds: totals.lostWorkNoticedNanoseconds),
        "in \(HumanText.count(Int(totals.lossEventsNoticed), "loss", "losses"))",
      ])
    }
    return ["  " + style.bold("Most work lost")] + table.lines(indent: 4)
  }

  private func value(_ name: String) -> MetricValue {
    guard let metric = MetricTable.summary.first(where: { $0.name == name }) else {
      preconditionFailure("'\(name)' is a metric of a run")
    }
    return reader.value(of: metric)
  }

  private func number(_ name: String) -> Double { value(name).number ?? 0 }

  private func text(_ name: String) -> String {
    value(name).number.map { HumanText.decimal($0, places: 1) } ?? "-"
  }

  private func count(_ name: String, _ one: String, _ many: String? = nil) -> String {
    number(name) == 1 ? "1 \(one)" : "\(text(name)) \(many ?? one + "s")"
  }

  private func time(_ name: String) -> String { HumanText.duration(seconds: number(name)) }
}
