import JettisonCore
import JettisonSupport
import Testing

@testable import JettisonReports

@Suite("Text for people")
struct TerminalTests {
  static let durationCases: [(Double, String)] = [
    (0.0, "0 s"), (0.0001, "<1 ms"), (0.79, "790 ms"), (0.9994, "999 ms"), (0.9996, "1 s"),
    (4, "4 s"), (4.26, "4.3 s"), (59.94, "59.9 s"), (59.96, "1 min"), (125, "2 min 5 s"),
    (3599.6, "1 h"), (11_520, "3 h 12 min"), (86_369, "23 h 59 min"), (86_399, "1 d"),
    (273_600, "3 d 4 h"), (-4, "-4 s"), (1e18, "11574074074074 d 2 h"),
    (.infinity, "inf"),
  ]

  @Test("Durations", arguments: durationCases)
  func durations(_ seconds: Double, _ text: String) {
    #expect(HumanText.duration(seconds: seconds) == text)
  }

  @Test(
    "Sizes",
    arguments: [
      (Int64(0), "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (60_000_000, "57.2 MiB"),
      (536_870_912, "512 MiB"), (1_073_700_000, "1 GiB"), (-1536, "-1.5 KiB"),
      (.max, "8 EiB"),
    ])
  func sizes(_ bytes: Int64, _ text: String) {
    #expect(HumanText.size(bytes: bytes) == text)
  }

  @Test("Counts, shares, differences, and empty figures")
  func others() {
    #expect(HumanText.count(3) == "3")
    #expect(HumanText.count(2.46) == "2.5")
    #expect(HumanText.counted(1, "purge") == "1 purge")
    #expect(HumanText.counted(0, "purge") == "0 purges")
    #expect(HumanText.counted(1.04, "user-day") == "1 user-day")
    #expect(HumanText.percent(0.456) == "46 %")
    #expect(HumanText.change(-0.354) == "-35")
    #expect(HumanText.change(0.0044) == "+0.44")
    #expect(HumanText.change(0) == "0")
    #expect(HumanText.rate(0.0476) == "0.048")
    #expect(HumanText.rate(0.5) == "0.5")
    #expect(HumanText.rate(-0.9949) == "-0.99")
    #expect(HumanText.rate(7.82) == "7.8")
    #expect(HumanText.difference(2, unit: .seconds) == "+2 s")
    #expect(HumanText.difference(-2, unit: .count) == "-2")
    #expect(HumanText.difference(0, unit: .bytes) == "0 B")
    #expect(HumanText.value(nil, unit: .bytes) == "–")
  }

  static var table: TextTable {
    var table = TextTable([.init("policy", .left), .init("work lost", .right), .init("", .left)])
    table.add(["lru", "12 s", "a|b"])
    table.add(["landlord-loss:lambda=2", "4 s"])
    return table
  }

  @Test("A table lines up by the type of its columns")
  func aligned() {
    #expect(
      Self.table.rendered(TextStyle())
        == """
        policy                  work
                                lost
        ----------------------  ----  ---
        lru                     12 s  a|b
        landlord-loss:lambda=2   4 s

        """.replacing(
          "policy                  work\n                        lost",
          with: """
                                    work
            policy                  lost
            """))
  }

  @Test("Colour only when told")
  func colour() {
    var table = TextTable([.init("n", .right)])
    table.add([.init("1", .red)])
    #expect(!table.rendered(TextStyle()).contains("\u{1B}"))
    let coloured = table.rendered(TextStyle(isColoured: true))
    #expect(coloured.hasSuffix("\u{1B}[31m1\u{1B}[0m\n"))
  }

  @Test("Names of apps cannot move the cursor, end a line or turn the writing")
  func hostileNames() {
    var table = TextTable([.init("app", .left)])
    table.hasHeader = false
    table.add(["a\u{1B}[2Jb\nc\u{202E}d"])
    #expect(table.rendered(TextStyle()) == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d\n")
  }

  @Test("Wide characters take two columns")
  func wide() {
    #expect(TextStyle.displayWidth("写真") == 4)
    #expect(TextStyle.displayWidth("e\u{301}a") == 2)
    var table = TextTable([.init("app", .left), .init("n", .right)])
    table.hasHeader = false
    table.add(["写真", "1"])
    table.add(["abcd", "2"])
    #expect(table.rendered(TextStyle()) == "写真  1\nabcd  2\n")
  }

  @Test("A replay's summary")
  func replay() {
    #expect(
      Self.summary(Sample.record(isImputed: true)) == """
        example (user ann) under lru, iphone-4 with 512 MiB
        1 min 10 s, 2 apps, seed 1, footprints arena, imputed

        Launches and waiting
        launches                        3  3 cold, 0 warm, 0 hot
        relaunches of ended apps        1
        extra waiting              790 ms  95th percentile 790 ms per relaunch after a purge

        System ends
        system ends                     2
        purges                          2  343 MiB of footprints, last used 0 s before
        kills of running apps           0

        Losses
        losses noticed                  1
        work lost and noticed         4 s  2 KiB; lost in all 4 s
        in purges alone                 1  of 1; 1 within 24 hours; 4 s of work

        Warnings
        warnings                        0
        time at level warning      250 ms

        Memory
        apps in memory                1.5  on average
        suspended apps take           0 B  on average
        all apps take at most     343 MiB

        Issues
        issues                          3  'jettison check' lists them

        Apps, by what the system's ends cost the user
                                                  losses  work
        app                launches  relaunches  noticed  lost  waiting
        -----------------  --------  ----------  -------  ----  -------
        com.example.notes         2           1        1   4 s   790 ms
        com.example.game          1           0        0   0 s      0 s

        Some figures are imputed: what the capture does not say about its apps comes from the built-in \
        categories, which are plausible, not measured.

        """)
    #expect(!Self.summary(Sample.record(), TextStyle()).contains("imputed"))
  }

  @Test("A replay under several seeds: means and their standard deviation")
  func replaySeeds() {
    func record(_ seed: UInt64, lostSeconds: Int64) -> RunRecord {
      var result = Sample.result()
      result.apps[1].systemLostWorkNoticedNanoseconds = lostSeconds * 1_000_000_000
      var record = Sample.record(outcome: .finished(result))
      record.key.seed = seed
      return record
    }
    let records = [
      record(1, lostSeconds: 2), record(2, lostSeconds: 4), record(3, lostSeconds: 6),
    ]
    let summaries = ReplaySummary.all(records)
    #expect(summaries.count == 1)
    let text = summaries[0].rendered(TextStyle())
    #expect(text.contains("means of 3 seeds ± standard deviation"))
    // 2, 4 and 6 s: mean 4, variance (4 + 0 + 4) / 2.
    #expect(text.contains("4 s ± 2 s  2 KiB; lost in all"))
    #expect(SeedSpread([2, 4, 6]) == SeedSpread([6, 4, 2]))
    #expect(SeedSpread([5])?.text(.count) == "5")
    #expect(SeedSpread([]) == nil)
  }

  static func summary(_ record: RunRecord, _ style: TextStyle = TextStyle()) -> String {
    ReplaySummary.all([record]).map { $0.rendered(style) }.joined()
  }

  @Test("A failed replay says why")
  func failedReplay() {
    let record = Sample.record(outcome: .failed(reason: "score of app a is not a number"))
    #expect(
      Self.summary(record) == """
        example (user ann) under lru, iphone-4 with 512 MiB
        failed: score of app a is not a number

        """)
  }

  @Test("Progress shows at most ten times a second, and goes away")
  func progress() {
    var line = ProgressLine()
    #expect(line.clear() == nil)
    #expect(line.update("1 of 9", now: 5, width: 80) == "\r\u{1B}[2K1 of 9")
    #expect(line.update("2 of 9", now: 99_999_999, width: 80) == nil)
    #expect(line.update("3 of 9", now: 100_000_005, width: 5) == "\r\u{1B}[2K3 of")
    #expect(line.clear() == "\r\u{1B}[2K")
    #expect(line.clear() == nil)
  }
}
