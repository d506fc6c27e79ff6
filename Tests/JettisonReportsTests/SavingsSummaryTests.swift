import JettisonCore
import Testing

@testable import JettisonReports

@Suite("Savings as a table")
struct SavingsSummaryTests {
  private static func row(
    _ habit: String, app: String = "notes", lost: Double, saves: Double,
    _ others: [String: Double] = [:]
  ) -> SavingsRow {
    var row = SavingsRow(
      app: app, policy: "lru", device: "iphone-4", memoryBytes: 512 << 20, habit: habit, when: nil,
      thread: nil, users: 2)
    for metric in SavingsRow.metrics { row.figures[metric.name] = 0 }
    row.figures["user_days"] = 3
    row.figures["loss_events"] = lost > 0 ? 1 : 0
    row.figures["system_losses_noticed"] = lost > 0 ? 1 : 0
    row.figures["system_lost_work_noticed_seconds"] = lost
    row.figures["saves"] = saves
    row.figures["written_bytes"] = 1024 * saves
    row.figures.merge(others) { $1 }
    return row
  }

  private static func comparison(
    _ habit: String, _ mean: Double, _ interval: (Double, Double)?
  ) -> Comparison {
    var row = Comparison(
      device: "iphone-4", memoryBytes: 512 << 20, metric: SavingsRow.comparedMetric.name,
      policy: habit, baseline: "as captured")
    row.meanDifference = mean
    row.users = 2
    if let interval {
      row.method = .studentised
      (row.low, row.high) = (interval.0, interval.1)
      row.pAdjusted = interval.0 > 0 ? 0.01 : 0.2
    }
    return row
  }

  private static func text(_ rows: [SavingsRow], _ style: TextStyle = TextStyle()) -> String {
    SavingsSummary(rows, isImputed: false).rendered(style)
  }

  @Test("Few users: sums, and the habit that loses nothing at the least writing")
  func fewUsers() {
    var rows = [
      Self.row("as captured", lost: 8, saves: 3), Self.row("never", lost: 65, saves: 0),
      Self.row("background", lost: 0, saves: 2),
    ]
    for position in 1...2 {
      rows[position].comparison = Self.comparison(rows[position].habit, 1, nil)
    }
    rows[2].isFrugal = true
    #expect(
      Self.text(rows).hasPrefix(
        """
        notes on iphone-4 with 512 MiB under lru: 2 users, 3 d
                       losses             against as
        habit         noticed  work lost    captured  saves  written
        ------------  -------  ---------  ----------  -----  -------
        as captured         1        8 s                  3    3 KiB
        never               1  1 min 5 s       +57 s      0      0 B
        background *        0        0 s        -8 s      2    2 KiB
        * loses nothing, and writes least of the habits that lose nothing
        No save ran out of time.
        No user waited for a handler or a relaunch.

        As captured: the saves of the trace, or those of the catalog where it has none.
        """))
  }

  @Test("Users enough: rates, and intervals in one unit each")
  func manyUsers() {
    var rows = [
      Self.row("as captured", lost: 8, saves: 3), Self.row("never", lost: 65, saves: 0),
      Self.row("timer", lost: 1, saves: 9), Self.row("late", lost: 900, saves: 1),
    ]
    rows[0].lostPerDay = 0.4
    rows[1].lostPerDay = 54
    rows[1].comparison = Self.comparison("never", 53.61, (24, 97.04))
    rows[2].lostPerDay = 0.35
    rows[2].comparison = Self.comparison("timer", -0.046, (-0.187, 0))
    rows[3].lostPerDay = 900
    rows[3].comparison = Self.comparison("late", 899.6, (-6, 1200))
    let text = Self.text(rows, TextStyle(width: 80))
    let never = "never              1      54 s   +53.6 [+24, +97] s      0      0 B"
    #expect(text.split(separator: "\n").contains(Substring(never)))
    #expect(text.contains("  -46 [-187, 0] ms  "))
    #expect(text.contains("  +15 [-0.1, +20] min  "))
    #expect(
      text.contains("\nNo habit loses nothing; timer loses least, which chance may explain.\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    // No more can be saved than was lost.
    rows[2].comparison?.baselineMean = 0.1
    #expect(Self.text(rows).contains("  -46 [-100, 0] ms  "))
    // Only what is sure is coloured, once all habits count.
    let coloured = Self.text(rows, TextStyle(isColoured: true))
    #expect(coloured.contains("\u{1B}[31m+53.6 [+24, +97] s"))
    #expect(coloured.contains(" -46 [-100, 0] ms"))
    rows[1].comparison?.pAdjusted = 0.06
    let doubtful = Self.text(rows, TextStyle(isColoured: true))
    #expect(!doubtful.contains("\u{1B}[31m+53.6 [+24, +97] s"))
    // A user with less than a day of trace is in the sums and in no rate.
    rows[2].comparison?.users = 1
    rows[1].comparison?.users = 1
    rows[3].comparison?.users = 1
    #expect(
      Self.text(rows).contains(
        "Work lost per user-day is that of the 1 user with a day of trace or more; other columns "
          + "count all 2."))
  }

  @Test("What habits do not differ in is a sentence; what they do is a column")
  func optionalColumns() {
    let rows = [
      Self.row(
        "as captured", lost: 8, saves: 3,
        ["saves_interrupted_window": 2, "system_relaunch_wait_seconds": 4]),
      Self.row(
        "never", lost: 8, saves: 0,
        ["handler_wait_seconds": 1.5, "user_discarded_work_seconds": 60]),
    ]
    let text = Self.text(rows)
    let lines = text.split(separator: "\n")
    #expect(lines[2].hasSuffix("written    time  discarded  waiting"))
    #expect(lines[4].hasSuffix("    2        0 s      4 s"))
    #expect(lines[5].hasSuffix("    0      1 min    1.5 s"))
    #expect(!text.contains("out of time."))
    // A narrow terminal does without what is no loss by the system.
    #expect(!Self.text(rows, TextStyle(width: 80)).contains("discarded"))
    #expect(!text.contains("whatever the habit"))
    let same = rows.map { row in
      var row = row
      row.figures["saves_interrupted_window"] = 2
      row.figures["handler_wait_seconds"] = 0
      row.figures["system_relaunch_wait_seconds"] = 4
      return row
    }
    let told = Self.text(same)
    #expect(told.contains("\n2 saves ran out of time, whatever the habit.\n"))
    #expect(told.contains("\nUsers waited 4 s for handlers and relaunches, whatever the habit.\n"))
  }

  @Test("Apps that lose nothing share a line; one alone has its table")
  func safeApps() {
    let safe = ["a", "b"].flatMap { app in
      ["as captured", "never"].map { Self.row($0, app: app, lost: 0, saves: 0) }
    }
    let lossy = ["as captured", "never"].map { Self.row($0, lost: 3, saves: 0) }
    let text = Self.text(lossy + safe)
    #expect(text.hasPrefix("notes on iphone-4"))
    #expect(text.contains("\nNothing to lose, whatever the habit: a, b.\n"))
    #expect(!text.contains("\na on"))
    let alone = Self.text(Array(safe.prefix(2)))
    #expect(alone.hasPrefix("a on iphone-4"))
    #expect(alone.contains("Nothing to lose: no end by the system met anything unsaved."))
    #expect(Self.text([]) == "")
  }

  @Test("A habit with a failed run has no figures, and is never marked")
  func failed() {
    var rows = [Self.row("as captured", lost: 0, saves: 3), Self.row("never", lost: 0, saves: 0)]
    rows[1].figures = [:]
    #expect(!rows[1].losesNothing)
    #expect(Self.text(rows).contains("never         failed  failed"))
  }
}
