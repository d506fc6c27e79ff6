import Foundation
import JettisonTestSupport
import Testing

/// A report as rows by column.
private struct Table {
  let columns: [String]
  let rows: [[String: String]]

  init(_ text: String) {
    (columns, rows) = Report.table(text)
  }

  /// The rows of each run, by trace and policy.
  var byRun: [String: [[String: String]]] {
    Dictionary(grouping: rows) { "\($0["trace"] ?? "") \($0["policy"] ?? "")" }
  }
}

/// What the rows of `events.csv` of a run, or of one app in it, add up to: the columns of
/// `summary.csv` and `apps.csv` that have rows.
private struct EventTotals {
  private(set) var sums: [String: Double] = [:]
  /// The row of each app's newest end, until its next cold launch.
  private var ends: [String: [String: String]] = [:]
  /// Apps whose process has not been in front.
  private var unseen: Set<String> = []
  /// What their next launch would have been.
  private var owed: [String: String] = [:]

  /// Adds up `rows` from a time on.
  init(_ rows: [[String: String]], since start: Int64) {
    for name in Self.columns { sums[name] = 0 }
    for (position, row) in rows.enumerated() {
      let app = row["app"] ?? ""
      if Self.endings.contains(row["event"] ?? "") {
        // A kill by the high-water rule tells by the state that follows which counter is meant.
        let next = rows[position...].first { $0["app"] == app && $0["event"] == "state" }
        ends[app] = row.merging(["state": next?["state_before"] ?? ""]) { $1 }
      }
      let isRelaunch = followLaunches(row, app)
      if (Int64(row["time_ns"] ?? "") ?? -1) >= start {
        add(row, app)
        if isRelaunch { count("relaunches_after_system_end") }
      }
      if row["event"] == "launch", row["cause"] == "cold" { ends[app] = nil }
    }
  }

  private static let endings = ["purge", "kill", "watchdog", "task-expired", "ended"]

  static let columns = [
    "launches", "cold_launches", "warm_launches", "hot_launches", "background_launches",
    "cold_launches_after_purge", "warnings", "warnings_answered", "warning_released_bytes",
    "purges", "purged_bytes", "background_kills", "foreground_kills", "limit_kills",
    "watchdog_terminations", "task_expirations", "gpu_kills", "shared_resource_kills",
    "no_multitasking_ends", "no_multitasking_loss_events", "handler_wait_seconds", "loss_events",
    "loss_events_noticed",
    "loss_events_censored", "lost_work_seconds", "lost_work_noticed_seconds", "lost_bytes",
    "lost_bytes_noticed", "position_losses", "kill_loss_events", "kill_lost_work_seconds",
    "watchdog_loss_events", "task_loss_events", "restore_failures", "interrupted",
    "system_ends", "system_losses_noticed", "system_lost_work_seconds",
    "system_lost_work_noticed_seconds", "system_lost_bytes_noticed", "relaunches_after_system_end",
  ]

  /// Whether the system caused an end, not the user, the app or an update.
  private static func isBySystem(_ end: [String: String]?) -> Bool {
    guard let end else { return false }
    return end["event"] != "ended" || end["cause"] == "no-multitasking"
  }

  private mutating func add(_ row: [String: String], _ app: String) {
    let cause = row["cause"] ?? ""
    if Self.endings.contains(row["event"] ?? ""), Self.isBySystem(row) { count("system_ends") }
    switch row["event"] {
    case "launch":
      count("\(cause)_launches")
      if cause != "background" { count("launches") }
      if cause == "cold", ends[app]?["event"] == "purge" { count("cold_launches_after_purge") }
    case "warning": count("warnings")
    case "response":
      if row["bytes"] != "0" { count("warnings_answered") }
      count("warning_released_bytes", row["bytes"])
    case "purge":
      count("purges")
      count("purged_bytes", row["bytes"])
    case "kill":
      let isInFront = ends[app]?["state"] != "background" && ends[app]?["state"] != "suspended"
      let columns = [
        "limit": "limit_kills", "gpu-in-background": "gpu_kills",
        "shared-resource": "shared_resource_kills",
      ]
      count(columns[cause] ?? (isInFront ? "foreground_kills" : "background_kills"))
    case "watchdog": count("watchdog_terminations")
    case "task-expired": count("task_expirations")
    case "ended": if cause == "no-multitasking" { count("no_multitasking_ends") }
    case "wait": count("handler_wait_seconds", row["seconds"])
    case "save": if row["class"] == "interrupted" { count("interrupted") }
    case "loss": addLoss(row, ends[app]?["event"] ?? "")
    default: break
    }
  }

  /// Keeps what the next launch of an app would be without the system.
  ///
  /// - Returns: Whether the row makes the user start again what the system had ended.
  private mutating func followLaunches(_ row: [String: String], _ app: String) -> Bool {
    switch row["event"] {
    case "launch" where row["cause"] == "background":
      unseen.insert(app)
      return false
    case "launch":
      unseen.remove(app)
      let owed = owed.removeValue(forKey: app)
      return owed != nil && (row["cause"] == "cold" || row["cause"] == "warm" && owed == "hot")
    case let end? where Self.endings.contains(end):
      guard Self.isBySystem(row) else {
        owed[app] = nil
        return false
      }
      let isSeen = end == "kill" && ["active", "inactive"].contains(ends[app]?["state"])
      owed[app] = isSeen ? nil : unseen.contains(app) ? owed[app] ?? "warm" : "hot"
      return isSeen
    default: return false
    }
  }

  private mutating func addLoss(_ row: [String: String], _ end: String) {
    if row["class"] == "restore-lost" { return count("restore_failures") }
    if row["message"] == "position" { return end == "purge" ? count("position_losses") : () }
    // All of it was synced: a row in no counter.
    guard row["bytes"] != "0" || row["work_seconds"] != "0" else { return }
    count("system_lost_work_seconds", row["work_seconds"])
    if row["noticed"] != "censored" {
      count("system_losses_noticed")
      count("system_lost_work_noticed_seconds", row["work_seconds"])
      count("system_lost_bytes_noticed", row["bytes"])
    }
    switch end {
    case "purge":
      count("loss_events")
      count("lost_work_seconds", row["work_seconds"])
      count("lost_bytes", row["bytes"])
      if row["noticed"] == "censored" { return count("loss_events_censored") }
      count("loss_events_noticed")
      count("lost_work_noticed_seconds", row["work_seconds"])
      count("lost_bytes_noticed", row["bytes"])
    case "kill":
      count("kill_loss_events")
      count("kill_lost_work_seconds", row["work_seconds"])
    case "watchdog": count("watchdog_loss_events")
    case "task-expired": count("task_loss_events")
    case "ended": count("no_multitasking_loss_events")
    default: Issue.record("a loss without an end: \(row)")
    }
  }

  private mutating func count(_ name: String, _ amount: String? = "1") {
    sums[name, default: 0] += Double(amount ?? "") ?? 0
  }
}

@Suite("Totals equal sums of rows")
struct TotalsTests {
  /// Where a matrix is replayed, and under what.
  struct Place: Sendable, CustomTestStringConvertible {
    let options: String
    var start: Int64 = 0
    var testDescription: String { options }
  }

  static let places = [
    Place(options: "--device iphone-4"), Place(options: "--device iphone-5"),
    Place(options: "--device iphone-3g"), Place(options: "--device iphone-3gs"),
    Place(options: "--device iphone-4 --memory 300MiB"),
    Place(options: "--device iphone-5 --set warning.order=both --protect-recent 1"),
    Place(options: "--device ideal-cache --memory 1GiB"),
    Place(options: "--capacity 3apps"),
    Place(options: "--device iphone-5 --memory 500MiB --footprints declared --noise on"),
    Place(options: "--device iphone-4 --warm-up 30s", start: 30_000_000_000),
  ]

  /// Columns of `apps.csv` that are no sums: quantiles and ratios.
  private static let notAdded: Set<String> = [
    "relaunch_wait_seconds_p95", "partial_save_ratio", "staleness_seconds_p50",
    "hit_ratio", "victim_age_seconds_mean", "staleness_seconds_p90", "staleness_seconds_p99",
    "staleness_seconds_max",
  ]

  @Test("events.csv, decisions.csv, apps.csv and summary.csv agree", arguments: places)
  func reportsAgree(_ place: Place) throws {
    let program = try Program()
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../traces/stories").standardizedFileURL
    // The written stories; a generated user of one day stands for the shipped weeks.
    let shipped = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".csv") }
    #expect(shipped.count >= 12)
    try program.write(manyEnds, to: "many-ends.csv")
    try program.run("generate --users 2 --days 1 --seed 11 -o users --quiet")
    try program.run("convert users/user-001.csv generated.jtrace --quiet")
    let line =
      " many-ends.csv generated.jtrace --policies lru,size,gdsf+saved,landlord-loss "
      + "--csv out --detail events,decisions --seeds 1 --quiet \(place.options)"
    let paths = shipped.map { "\(folder.path)/\($0)" }.joined(separator: " ")
    let result = try program.run("compare \(paths)\(line)")
    try #require(result.status == 0, "\(result.error)")
    let summary = Table(try program.text("out/summary.csv"))
    let apps = Table(try program.text("out/apps.csv"))
    let events = Table(try program.text("out/events.csv")).byRun
    let decisions = Table(try program.text("out/decisions.csv")).byRun
    let appRows = apps.byRun
    let additive = Set(apps.columns.dropFirst(9)).intersection(summary.columns.dropFirst(6))
      .subtracting(Self.notAdded)
    #expect(additive.count > 40)
    for row in summary.rows {
      let run = "\(row["trace"] ?? "") \(row["policy"] ?? "")"
      for name in additive {
        let sum = appRows[run, default: []].reduce(0) { $0 + (Double($1[name] ?? "") ?? 0) }
        expectEqual(row, name, sum, "\(run), sum over apps")
      }
      let rows = events[run, default: []]
      try compare(row, rows, since: place.start, "\(run), sum over events")
      for app in appRows[run, default: []] {
        try compare(
          app, rows.filter { $0["app"] == app["app"] }, since: place.start,
          "\(run), \(app["app"] ?? "")")
      }
      compareDecisions(row, decisions[run, default: []], rows, since: place.start, run)
    }
  }

  private func compare(
    _ row: [String: String], _ events: [[String: String]], since start: Int64, _ place: String
  ) throws {
    for (name, sum) in EventTotals(events, since: start).sums where name != "interrupted" {
      // An end in the trace of an app that does not run has no row, nor has a lock.
      let unseen = ["saved-and-restored ", "force-quit ", "purged-behind-the-lock "]
      if name == "relaunches_after_system_end", unseen.contains(where: place.hasPrefix) { continue }
      expectEqual(row, name, sum, place)
    }
    let interrupted = ["window", "purge", "crash"].reduce(0) {
      $0 + (Double(row["saves_interrupted_\($1)"] ?? "") ?? 0)
    }
    let counted = EventTotals(events, since: start).sums["interrupted"]
    #expect(counted == interrupted, "\(place): interrupted saves")
  }

  private func compareDecisions(
    _ row: [String: String], _ decisions: [[String: String]], _ events: [[String: String]],
    since start: Int64, _ run: String
  ) {
    let numbers = Set(decisions.compactMap { Int($0["decision"] ?? "") })
    #expect(numbers == Set(numbers.isEmpty ? 1..<1 : 1..<numbers.count + 1), "\(run): numbers")
    let counted = decisions.filter { (Int64($0["time_ns"] ?? "") ?? -1) >= start }
    let empty = counted.count { $0["app"] == "" }
    expectEqual(row, "no_victim_decisions", Double(empty), "\(run), decisions")
    func victim(_ row: [String: String]) -> String {
      (row["decision"] ?? "") + " " + (row["app"] ?? "")
    }
    let chosen = decisions.filter { $0["chosen"] == "1" }.map(victim)
    // An app over its limit, or that does what is forbidden in the background, ends undecided.
    let undecided: Set = ["limit", "gpu-in-background", "shared-resource"]
    let ended = events.filter {
      $0["event"] == "purge" || $0["event"] == "kill" && !undecided.contains($0["cause"] ?? "")
    }
    #expect(
      Set(ended.map(victim)) == Set(chosen),
      "\(run): every purge and kill has its decision, and the other way round")
  }

  private func expectEqual(
    _ row: [String: String], _ name: String, _ sum: Double, _ place: String
  ) {
    let total = Double(row[name] ?? "") ?? .nan
    #expect(abs(total - sum) <= 1e-9 * max(1, abs(sum)), "\(place): \(name) \(total) != \(sum)")
  }
}

/// A purge, a watchdog termination, a kill in front, an expired task, ends by the user and by the
/// app, a torn save, a position, a lost snapshot: on a phone of 512 MiB.
private let manyEnds = """
  # jettison-trace: 1
  # device: iphone-4
  # apps:
  #   slow: {category: notes, footprint: {launch: 20MB}, save: {when: [background], fixed: 9s}}
  #   torn: {category: notes, footprint: {launch: 30MB}, save: {fixed: 20s, atomic: false, thread: queue}}
  #   task: {category: notes, footprint: {launch: 10MB}, save: {when: none}, edits: none}
  #   fat: {category: large-game, footprint: {launch: 40MB}, edits: none, save: {when: [terminate]}}
  #   soft: {category: browser, footprint: {launch: 60MB}, limit: {soft: 50MB}}
  #   hard: {category: browser, footprint: {launch: 60MB}, limit: 80MB}
  time_ns,app,event,value,id,detail
  0,slow,launch,,,
  1000000000,slow,edit,100,,work_ms=2000
  2000000000,torn,launch,,,
  20000000000,torn,edit,300,,work_ms=6000
  21000000000,torn,edit,1,,kind=position
  22000000000,fat,launch,,,
  23000000000,fat,edit,5,,work_ms=1500
  23500000000,fat,footprint,330000000,,
  25000000000,soft,launch,,,
  26000000000,soft,edit,700,,synced=1
  30000000000,hard,launch,,,
  31000000000,hard,edit,44,,work_ms=9000
  32000000000,hard,footprint,90000000,,
  33000000000,hard,launch,,,
  34000000000,hard,edit,10,,work_ms=1000
  35000000000,hard,crash,,,
  36000000000,task,launch,,,
  36500000000,task,edit,10,,work_ms=1000
  37000000000,task,task-begin,,1,
  38000000000,slow,launch,,,
  39000000000,fat,launch,,,
  40000000000,fat,footprint,250000000,,
  45000000000,fat,footprint,500000000,,
  50000000000,torn,launch,,,
  51000000000,torn,restore-failed,,,
  52000000000,torn,edit,5,,kind=position
  53000000000,soft,launch,,,
  54000000000,soft,quit,,,
  700000000000,task,launch,,,
  800000000000,,end,,,reason=complete

  """
