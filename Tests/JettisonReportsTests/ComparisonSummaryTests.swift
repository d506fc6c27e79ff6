import JettisonCore
import Testing

@testable import JettisonReports

/// Runs of invented users, made by hand.
private struct Population {
  static let day: Int64 = 86_400_000_000_000

  /// What one user suffers under one policy.
  struct Figures {
    var lostSeconds: Int64
    var waitSeconds: Int64
    var purges: Int64 = 0
    var frontKills: Int64 = 0
    var beyondSeconds: Int64 = 0
  }

  var device = "iphone-4"
  var days: Int64 = 2
  var seed: UInt64 = 1
  var drew = false

  func run(_ policy: String, user: String, _ figures: Figures) -> RunRecord {
    var totals = AppTotals()
    totals.systemLostWorkNoticedNanoseconds = figures.lostSeconds * 1_000_000_000
    totals.systemRelaunchWaitNanoseconds = figures.waitSeconds * 1_000_000_000
    totals.purges = figures.purges
    totals.foregroundKills = figures.frontKills
    var system = SystemTotals()
    system.durationNanoseconds = days == 0 ? 3_600_000_000_000 : days * Self.day
    system.decisions = figures.purges
    system.drew = drew
    system.beyondMemoryNanoseconds = figures.beyondSeconds * 1_000_000_000
    var record = Sample.record(
      policy, trace: user,
      outcome: .finished(
        RunResult(
          apps: [totals, AppTotals()], footprints: [FootprintStatistics(), FootprintStatistics()],
          system: system, relaunchWaits: [], staleness: [])))
    record.key.user = user
    record.key.device = device
    record.key.seed = seed
    return record
  }

  func runs(users: Int, _ figures: [(policy: String, of: (Int) -> Figures)]) -> [RunRecord] {
    (0..<users).flatMap { user in
      figures.map { run($0.policy, user: "user-\(user)", $0.of(user)) }
    }
  }
}

@Suite("The table of compare")
struct ComparisonSummaryTests {
  private static let work = "system_lost_work_noticed_seconds"
  private static let waiting = "system_relaunch_wait_seconds"

  private static func row(
    _ policy: String, _ metric: String, p: Double, _ interval: (Double, Double)? = nil,
    users: Int = 12, alone: Double? = nil
  ) -> Comparison {
    var row = Comparison(
      device: "iphone-4", memoryBytes: 536_870_912, metric: metric, policy: policy,
      baseline: "lru")
    row.users = users
    row.low = interval?.0
    row.high = interval?.1
    row.pValue = alone ?? p
    row.pAdjusted = p
    return row
  }

  /// Twelve users, two days each.
  ///
  /// Per user-day `lru` loses 50 s and waits 10 s; `lru+saved` loses
  /// 32 s (-36 %) and waits 13 s (+30 %); `size` loses 5 s more for one user of twelve, which is
  /// 0.21 s per user-day (+0.42 %); `fifo` is `lru` to the last figure.
  private static let twelve: [RunRecord] = Population().runs(
    users: 12,
    [
      ("lru", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 8) }),
      (
        "size",
        { .init(lostSeconds: $0 == 3 ? 105 : 100, waitSeconds: 20, purges: 8, frontKills: 1) }
      ),
      ("fifo", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 8) }),
      ("lru+saved", { _ in .init(lostSeconds: 64, waitSeconds: 26, purges: 9) }),
    ])

  private static let rows = [
    row("lru+saved", work, p: 0.001, (-25, -11)), row("lru+saved", waiting, p: 0.04, (1, 5)),
    row("size", work, p: 0.9, (0, 0.5)), row("size", waiting, p: 1, (0, 0)),
    row("fifo", work, p: 1, (0, 0)), row("fifo", waiting, p: 1, (0, 0)),
  ]

  private static func summary(_ view: ComparisonView = ComparisonView()) -> ComparisonSummary {
    ComparisonSummary(runs: twelve, comparisons: rows, baseline: "lru", view: view)
  }

  /// The policies of the rows of all tables, in their order.
  private static func order(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      ["lru (baseline)", "lru+saved", "size"].first { name in
        line.hasPrefix(name + "  ")
      }
    }
  }

  @Test("At 80 columns: best first, stars where sure, equal policies folded, a sentence, a legend")
  func eighty() {
    #expect(
      Self.summary().rendered(TextStyle(width: 80)) == """
        iphone-4 with 512 MiB: 12 users, 12 traces, 24 user-days
                          work                             front           users
        policy            lost    change  waiting  change  kills  purges  differ
        --------------  ------  --------  -------  ------  -----  ------  ------
        lru+saved         32 s    -36 %*     13 s  +30 %*      0     4.5      12
        lru (baseline)    50 s               10 s              0       4
        size            50.2 s  +0.42 %      10 s    0 %     0.5       4       1

        Equal in every run: lru = fifo.
        lru+saved loses 36 % less work than lru (95 % interval -50 to -22 %, p = 0.001,
        12 of 12 users differ), for 30 % more waiting.

        Best first by the work lost. Figures of users with a day of trace or more are
        means per user-day. Work lost: unsaved work that was gone when the system ended
        an app, for whatever reason, and that the user missed. Waiting: how much longer
        launches took because the system had ended the app. Front kills: apps killed in
        the user's hand. Purges: suspended apps ended to free memory. Change: against
        lru; below 0 is better. * marks what chance does not explain: p ≤ 0.05 over
        users, corrected for the number of policies. Not shown for lack of room: 95 %
        interval, losses noticed, relaunches.

        """)
  }

  @Test("At 60, 80 and 120 columns no line is wider, and each policy has one line")
  func widths() {
    for width in [60, 80, 120] {
      let lines = Self.summary().rendered(TextStyle(width: width)).split(separator: "\n")
      #expect(lines.allSatisfy { TextStyle.displayWidth($0) <= width })
      for policy in ["lru (baseline) ", "lru+saved ", "size "] {
        #expect(lines.count { $0.hasPrefix(policy) && $0.contains(" s ") } == 1, "\(policy)")
      }
    }
    let narrow = Self.summary().rendered(TextStyle(width: 60)).replacing("\n", with: " ")
    #expect(narrow.contains("room: 95 % interval, users differ, losses noticed, relaunches."))
    let wide = Self.summary().rendered(TextStyle(width: 120))
    #expect(wide.contains("-36 %*  -50 to -22 %"))
    #expect(wide.contains("+30 %*  +10 to +50 %"))
    #expect(!wide.contains("95 % interval,"))
  }

  @Test("What is sure is green or red, what is not is grey")
  func colours() {
    let text = Self.summary().rendered(TextStyle(width: 80, isColoured: true))
    #expect(text.contains("\u{1B}[32m-36 %*\u{1B}[0m"))
    #expect(text.contains("\u{1B}[31m+30 %*\u{1B}[0m"))
    #expect(text.contains("\u{1B}[2m+0.42 % \u{1B}[0m"))
  }

  @Test("--top keeps the baseline and says how many rows it omits")
  func top() {
    var view = ComparisonView()
    view.top = 1
    let text = Self.summary(view).rendered(TextStyle(width: 80))
    #expect(text.contains("\nlru+saved "))
    #expect(text.contains("\nlru (baseline) "))
    #expect(!text.contains("\nsize  "))
    #expect(text.contains("And 1 more row: a larger --top shows them; --csv and --json have all."))
    view.top = 3
    #expect(!Self.summary(view).rendered(TextStyle(width: 80)).contains("--top"))
  }

  @Test("--sort puts the best of another metric first and shows it")
  func sort() throws {
    func order(_ name: String) throws -> [String] {
      var view = ComparisonView()
      view.sort = try MetricTable.metric(named: name)
      let text = Self.summary(view).rendered(TextStyle(width: 120))
      #expect(text.contains("Best first by \(name)."))
      return Self.order(text)
    }
    #expect(try order("purges") == ["lru (baseline)", "size", "lru+saved"])
    #expect(try order(Self.waiting) == ["lru (baseline)", "size", "lru+saved"])
    #expect(try order(Self.work) == ["lru+saved", "lru (baseline)", "size"])
    // All are equal in it: work decides.
    #expect(try order("hot_launches") == ["lru+saved", "lru (baseline)", "size"])
    var view = ComparisonView()
    view.sort = try MetricTable.metric(named: "purged_bytes")
    let text = Self.summary(view).rendered(TextStyle(width: 120))
    #expect(text.contains("lru+saved          0 B"), "a metric without a column gets one")
  }

  @Test("A metric that does not add up is taken from the comparison")
  func sortByPeak() throws {
    var view = ComparisonView()
    view.sort = try MetricTable.metric(named: "footprint_bytes_peak")
    var rows = Self.rows
    for (policy, mean) in [("lru+saved", 3000.0), ("size", 1000), ("fifo", 2000)] {
      var row = Self.row(policy, "footprint_bytes_peak", p: 1)
      row.policyMean = mean
      row.baselineMean = 2000
      rows.append(row)
    }
    let text = ComparisonSummary(
      runs: Self.twelve, comparisons: rows, baseline: "lru", view: view
    ).rendered(TextStyle(width: 120))
    #expect(Self.order(text) == ["size", "lru (baseline)", "lru+saved"])
    #expect(text.contains("1000 B"))
  }

  // MARK: Sentences

  private static func sentence(
    users: Int = 12, days: Int64 = 2, lost: Int64, waiting: Int64, p: Double, oracle: Bool = false
  ) -> String? {
    let runs = Population(days: days).runs(
      users: users,
      [
        ("lru", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 1) }),
        ("new", { _ in .init(lostSeconds: lost, waitSeconds: waiting, purges: 1) }),
      ])
    var view = ComparisonView()
    if oracle { view.oracles = ["new"] }
    let text = ComparisonSummary(
      runs: runs,
      comparisons: [
        row("new", work, p: p, users: users), row("new", Self.waiting, p: p, users: users),
      ], baseline: "lru", view: view
    ).rendered(TextStyle())
    return text.split(separator: "\n").first { $0.contains("work") && $0.hasSuffix(".") }
      .map(String.init)
  }

  @Test("One sentence says what was found, how sure it is, and what it costs")
  func sentences() {
    #expect(
      Self.sentence(lost: 72, waiting: 23, p: 0.0104)
        == "new loses 28 % less work than lru (p = 0.01, 12 of 12 users differ), for 15 % more "
        + "waiting.")
    #expect(
      Self.sentence(lost: 72, waiting: 20, p: 0.0002)
        == "new loses 28 % less work than lru (p < 0.001, 12 of 12 users differ), for the same "
        + "waiting.")
    #expect(
      Self.sentence(lost: 72, waiting: 10, p: 0.2)
        == "No policy surely loses less work than lru: new loses 28 % less (p = 0.2, 12 of 12 "
        + "users differ), with 50 % less waiting, which is not sure.")
    #expect(Self.sentence(lost: 101, waiting: 10, p: 0.01) == "No policy loses less work than lru.")
    #expect(
      Self.sentence(users: 1, lost: 72, waiting: 10, p: 1)
        == "new loses 28 % less work than lru, with 50 % less waiting; one user proves nothing.")
    #expect(
      Self.sentence(lost: 72, waiting: 10, p: 0.01, oracle: true)
        == "No policy loses less work than lru.", "who sees the future is no answer")
    #expect(
      Self.sentence(days: 0, lost: 72, waiting: 10, p: 0.01)
        == "new loses 28 % less work than lru, with 50 % less waiting; less than a day proves "
        + "nothing.")
  }

  @Test("What only one comparison would call sure has a mark of its own, and both its p")
  func doubts() {
    let rows = [
      Self.row("lru+saved", Self.work, p: 0.099, (-70, -4), alone: 0.033),
      Self.row("lru+saved", Self.waiting, p: 1, (0, 0)),
    ]
    let text = ComparisonSummary(runs: Self.twelve, comparisons: rows, baseline: "lru").rendered(
      TextStyle())
    #expect(text.contains(" %?"))
    #expect(text.contains("? marks what is so without that correction only."))
    #expect(text.contains("p = 0.033, p = 0.099 corrected for the number of policies"))
    #expect(text.contains("interval -100 to -"), "nothing can become less by more than all of it")
  }

  @Test("A policy that kills more apps in the user's hand is marked")
  func frontKills() {
    let runs = Population(days: 2).runs(
      users: 12,
      [
        ("lru", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 1) }),
        ("new", { _ in .init(lostSeconds: 10, waitSeconds: 20, purges: 1, frontKills: 6) }),
      ])
    let text = ComparisonSummary(
      runs: runs,
      comparisons: [
        Self.row("new", Self.work, p: 0.01), Self.row("new", Self.waiting, p: 0.01),
      ], baseline: "lru"
    ).rendered(TextStyle())
    #expect(
      text.contains("for the same waiting and 3 front kills per user-day in place of 0."), "\(text)"
    )
  }

  @Test("Who ends nobody is marked, sure or not", arguments: [0.01, 0.2])
  func beyondMemory(p: Double) {
    let runs = Population(days: 2).runs(
      users: 12,
      [
        ("lru", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 1, beyondSeconds: 20) }),
        ("new", { _ in .init(lostSeconds: 10, waitSeconds: 20, beyondSeconds: 14_400) }),
      ])
    let text = ComparisonSummary(
      runs: runs,
      comparisons: [Self.row("new", Self.work, p: p), Self.row("new", Self.waiting, p: p)],
      baseline: "lru"
    ).rendered(TextStyle())
    #expect(
      text.contains(
        "for the same waiting, with more memory in use than there is for 2 h per user-day in place "
          + "of 10 s."), "\(text)")
    #expect(text.contains("beyond"))
    #expect(text.contains("Beyond memory: time with more memory in use than there is."))
  }

  @Test(
    "A policy that comes to the same as an oracle is an answer, in any order",
    arguments: [["lru", "size", "belady"], ["lru", "belady", "size"]])
  func equalToAnOracle(policies: [String]) {
    let runs = Population(days: 2).runs(
      users: 12,
      policies.map { name in
        (name, { _ in .init(lostSeconds: name == "lru" ? 100 : 0, waitSeconds: 20, purges: 1) })
      })
    var view = ComparisonView()
    view.oracles = ["belady"]
    let text = ComparisonSummary(
      runs: runs,
      comparisons: ["size", "belady"].flatMap { policy in
        [Self.row(policy, Self.work, p: 0.001), Self.row(policy, Self.waiting, p: 1)]
      }, baseline: "lru", view: view
    ).rendered(TextStyle())
    #expect(text.contains("\nsize loses 100 % less work than lru (p = 0.001,"), "\(text)")
  }

  @Test("Where a metric can be empty, each row compares its own users, in any order")
  func differentUsers() throws {
    var view = ComparisonView()
    view.sort = try MetricTable.metric(named: "staleness_seconds_p50")
    let figures: [(policy: String, users: Int, policyMean: Double, baselineMean: Double)] = [
      ("size", 10, 75, 1500), ("lru+saved", 12, 1000, 2000), ("fifo", 12, 2000, 2000),
    ]
    func text(_ figures: [(policy: String, users: Int, policyMean: Double, baselineMean: Double)])
      -> String
    {
      let rows = figures.map { policy, users, policyMean, baselineMean in
        var row = Self.row(policy, "staleness_seconds_p50", p: 0.01, users: users)
        row.policyMean = policyMean
        row.baselineMean = baselineMean
        row.meanDifference = policyMean - baselineMean
        return row
      }
      return ComparisonSummary(
        runs: Self.twelve, comparisons: Self.rows + rows, baseline: "lru", view: view
      ).rendered(TextStyle(width: 120))
    }
    let shown = text(figures)
    #expect(shown == text(figures.reversed()))
    for part in [" 33 min 20 s ", "-50 %*", "-95 %*"] { #expect(shown.contains(part), "\(shown)") }
  }

  @Test("A line says that chance was drawn once, if it was")
  func oneDraw() {
    func text(_ seeds: [UInt64], drew: Bool) -> String {
      let runs = seeds.flatMap { seed in
        Population(seed: seed, drew: drew).runs(
          users: 2,
          [
            ("lru", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 1) }),
            ("new", { _ in .init(lostSeconds: 10, waitSeconds: 20, purges: 1) }),
          ])
      }
      return ComparisonSummary(runs: runs, comparisons: [], baseline: "lru")
        .rendered(TextStyle())
    }
    #expect(text([1], drew: true).contains("is drawn once; --seeds 20 takes the mean of 20 draws."))
    #expect(!text([1], drew: false).contains("drawn"))
    #expect(!text([1, 2], drew: true).contains("drawn"))
  }

  // MARK: Groups

  @Test("The largest group comes first, users with less than a day come last, in totals")
  func groups() throws {
    let figures: [(policy: String, of: (Int) -> Population.Figures)] = [
      ("lru", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 8) }),
      ("size", { _ in .init(lostSeconds: 50, waitSeconds: 20, purges: 8) }),
    ]
    let few = Population(device: "iphone-5").runs(users: 2, figures)
    let many = Population(device: "iphone-6").runs(users: 3, figures)
    var short = Population(device: "iphone-6", days: 0).runs(users: 2, figures)
    for position in short.indices {
      short[position].key.user = "stories"
      short[position].key.trace = "story-\(position / 2)"
    }
    let text = ComparisonSummary(runs: short + few + many, comparisons: [], baseline: "lru")
      .rendered(TextStyle(width: 80))
    let headings = text.split(separator: "\n").filter { $0.contains(" with 512 MiB") }
    #expect(
      headings == [
        "iphone-6 with 512 MiB: 3 users, 3 traces, 6 user-days",
        "iphone-5 with 512 MiB: 2 users, 2 traces, 4 user-days",
        "iphone-6 with 512 MiB: 1 user, 2 traces",
      ])
    #expect(text.contains("\nUsers with less than a day of trace: totals, in no rate\n"))
    // 100 s in two days; two stories of 100 s.
    let losses = text.split(separator: "\n").filter { $0.hasPrefix("lru (baseline)") }
    #expect(losses.map { $0.contains(" 50 s ") } == [true, true, false])
    #expect(losses.last?.contains(" 3 min 20 s ") == true)
  }

  @Test("Where nothing was decided, or every policy came to the same, one line stands for a table")
  func equality() {
    func text(purges: Int64) -> String {
      let same: (Int) -> Population.Figures = { _ in
        .init(lostSeconds: purges * 10, waitSeconds: 2, purges: purges)
      }
      return ComparisonSummary(
        runs: Population().runs(users: 2, [("lru", same), ("size", same), ("gdsf", same)]),
        comparisons: [], baseline: "lru"
      ).rendered(TextStyle())
    }
    #expect(
      text(purges: 0)
        == "iphone-4 with 512 MiB: 2 users, 2 traces, 4 user-days. Memory never got short, and all "
        + "3 policies come to the same: 0 s of work lost, 1 s of waiting, 0 purges and 0 front "
        + "kills per user-day.\n")
    #expect(
      text(purges: 4)
        == "iphone-4 with 512 MiB: 2 users, 2 traces, 4 user-days. Here all 3 policies come to the "
        + "same: 20 s of work lost, 1 s of waiting, 2 purges and 0 front kills per user-day.\n")
    // A number and its unit stay in one line.
    let one: (Int) -> Population.Figures = { _ in .init(lostSeconds: 1, waitSeconds: 1, purges: 2) }
    let narrow = ComparisonSummary(
      runs: Population().runs(users: 1, [("lru", one), ("size", one)]), comparisons: [],
      baseline: "lru")
    for width in 60...90 {
      let text = narrow.rendered(TextStyle(width: width))
      #expect(text.contains("500 ms") && text.contains("1 purge"), "\(width): \(text)")
    }
    let nothing = ComparisonSummary(runs: [], comparisons: [], baseline: "lru")
    #expect(nothing.rendered(TextStyle()) == "")
  }

  @Test("A policy that failed is marked, stands last, and says why")
  func failure() {
    var runs = Self.twelve
    let place = runs.firstIndex { $0.key.policy == "lru+saved" } ?? 0
    runs[place].outcome = .failed(reason: "bad score")
    let text = ComparisonSummary(runs: runs, comparisons: Self.rows, baseline: "lru")
      .rendered(TextStyle(width: 80))
    #expect(text.contains("lru+saved       failed"))
    #expect(text.contains("lru+saved failed: bad score\n"))
    #expect(Self.order(text) == ["lru (baseline)", "size", "lru+saved"])
  }

  @Test("Several seeds: means, with their standard deviation")
  func seeds() {
    // Per user-day 50 s and 60 s: mean 55 s, deviation sqrt(2 * 25) = 7.1 s.
    let runs = [(UInt64(1), Int64(100)), (2, 120)].flatMap { seed, lost in
      Population(seed: seed).runs(
        users: 1, [("lru", { _ in .init(lostSeconds: lost, waitSeconds: 20, purges: 8) })])
    }
    let text = ComparisonSummary(runs: runs, comparisons: [], baseline: "lru")
      .rendered(TextStyle(width: 80))
    #expect(text.contains("\nlru     55 s    7.1 s "))
    #expect(text.contains("means over seeds"))
  }

  @Test("Few users: the work lost user by user")
  func byUser() {
    var row = Self.row("size", Self.work, p: 0.5, users: 2)
    row.differences = [.init(user: "ann", difference: -6), .init(user: "bob", difference: 0)]
    let runs = Population().runs(
      users: 2,
      [
        ("lru", { _ in .init(lostSeconds: 100, waitSeconds: 20, purges: 8) }),
        ("size", { .init(lostSeconds: $0 == 0 ? 88 : 100, waitSeconds: 20, purges: 8) }),
      ])
    let text = ComparisonSummary(runs: runs, comparisons: [row], baseline: "lru")
      .rendered(TextStyle(width: 80))
    #expect(text.contains("Work lost per day less that under lru, user by user:\n"))
    #expect(text.contains("\nann   -6 s\nbob    0 s\n"))
  }

  @Test("The legend explains the policies that are shown, once each, modifiers last")
  func notes() {
    var view = ComparisonView()
    let lru = ComparisonView.Note("lru", "Purges the app that was used longest ago.")
    view.notes = [
      "lru": [lru], "lru+saved": [lru, .init("+saved", "Saved apps first.")],
      "size": [.init("size", "Purges the largest app first.")],
      "fifo": [.init("fifo", "Is folded into lru.")],
    ]
    let text = Self.summary(view).rendered(TextStyle(width: 80))
    #expect(
      text.contains(
        """

        lru     Purges the app that was used longest ago.
        size    Purges the largest app first.
        +saved  Saved apps first.

        """))
    #expect(!text.contains("folded"))
  }
}
