import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Journals are written by hand in the killers' layouts, with invented names and figures.
@Suite("Journals of systemd-oomd and earlyoom")
struct KillerJournalTests {
  /// 1000 MiB of RAM and of swap, 960 of them for processes; a kill with the list of `-d`.
  static let earlyoom = """
    Nov 23 10:00:00 box earlyoom[812]: earlyoom v1.9
    Nov 23 10:00:00 box earlyoom[812]: mem total: 1000 MiB, user mem total: 960 MiB, swap total: 1000 MiB
    Nov 23 10:00:00 box earlyoom[812]: sending SIGTERM when mem <= 10.00% and swap <= 12.50%,
    Nov 23 10:00:00 box earlyoom[812]:         SIGKILL when mem <=  5.00% and swap <=  6.25%
    Nov 23 10:00:00 box earlyoom[812]: mem avail:   800 of   960 MiB (83.33%), swap free:  900 of 1000 MiB (90.00%)
    Nov 23 10:01:00 box earlyoom[812]: mem avail:    96 of   960 MiB (10.00%), swap free:  100 of 1000 MiB (10.00%)
    Nov 23 10:01:00 box earlyoom[812]: low memory! at or below SIGTERM limits: mem 10.00%, swap 12.50%
    Nov 23 10:01:00 box earlyoom[812]:   PID OOM_SCORE  RSSkiB   UID OOM_SCORE_ADJ  COMM
    Nov 23 10:01:00 box earlyoom[812]:     2     -9999       0     0         -9999 "kthreadd"
    Nov 23 10:01:00 box earlyoom[812]:    10       733  204800  1000             0 "editor" <--- new victim
    Nov 23 10:01:00 box earlyoom[812]:    11       883  102400  1000         -9999 "browser" <--- new victim
    Nov 23 10:01:00 box earlyoom[812]:    12         0   10240     0         -1000 "sshd"
    Nov 23 10:01:00 box earlyoom[812]: selecting victim took 0.512 ms
    Nov 23 10:01:00 box earlyoom[812]: sending SIGTERM to process 11 uid 1000 "browser": oom_score 883, oom_score_adj 300, VmRSS 100 MiB, cmdline "browser --tab"
    Nov 23 10:01:01 box earlyoom[812]: process 11 exited after 0.300 seconds
    Nov 23 10:01:02 box earlyoom[812]: mem avail:   196 of   960 MiB (20.42%), swap free:  300 of 1000 MiB (30.00%)

    """

  private static let mebibyte: Int64 = 1 << 20

  private static let expected = [
    "0 (other processes) present \(160 * mebibyte) state=background",
    "0 (other processes) footprint \(160 * mebibyte) derived=1",
    "0 (swapped out) present \(100 * mebibyte) state=suspended",
    "0 (swapped out) footprint \(100 * mebibyte) derived=1",
    "0 (other processes) background-mode 1 mode=service",
    "0 (other processes) pin 1 reason=user", "0 (swapped out) pin 1 reason=user",
    "0 system-memory \(40 * mebibyte)", "0 observed-available \(800 * mebibyte)",
    "58 editor background-launch", "58 editor background-mode 1 mode=service",
    "58 editor footprint \(200 * mebibyte)",
    "58 browser background-launch", "58 browser background-mode 1 mode=service",
    "58 browser footprint \(100 * mebibyte)",
    "58 sshd background-launch", "58 sshd background-mode 1 mode=service",
    "58 sshd footprint \(10 * mebibyte)",
    // 960 - 96 - 310 MiB.
    "58 (other processes) footprint \(554 * mebibyte) derived=1",
    "58 (swapped out) footprint \(900 * mebibyte) derived=1",
    "60 observed-available \(96 * mebibyte)",
    "61 browser observed-exit cause=low-memory;band=275",
    // 96 MiB and those of the browser.
    "62 observed-available \(196 * mebibyte)",
    "62 (swapped out) footprint \(700 * mebibyte) derived=1",
    "62 end reason=complete",
  ]

  @Test("earlyoom: memory, candidates, and who was killed")
  func readsEarlyoom() throws {
    let trace = try load(Self.earlyoom)
    #expect(Set(summary(trace)) == Set(Self.expected))
    #expect(summary(trace).count == Self.expected.count)
    #expect(issues(trace) == [])
    #expect(
      trace.header.deviceYAML
        == "{ram: 1048576000, reserve: 0, page: 4096, era: earlyoom, oom: {page-table-bytes: 0}, "
        + "earlyoom: {memory-term: 10%, memory-kill: 5%, swap-term: 12.5%, swap-kill: 6.25%}, "
        + "reclaim: {swap: 1048576000, swappable: 100%, min: 1048576000, working-set: 0%, "
        + "scan: 0us, swap-in: 0us}}")
    let apps = trace.header.appsYAML ?? ""
    #expect(apps.contains(#"sshd: {adj: "-1000"}"#), "\(apps)")
    #expect(apps.contains("(swapped out)"))
    try checkRoundTrip(trace)
  }

  @Test("The adjustment of a candidate is the one that gives its printed score")
  func scores() throws {
    let pages: Int64 = (2000 << 20) >> 12
    var scale = ScoreScale()
    var row = JournalCandidate(key: 1, name: 0, line: 1, residentBytes: 200 << 20, score: 733)
    scale.note(row, totalPages: pages)
    for score in [Int64(67), 400, 666, 667, 668, 733, 883, 1200, 1333] {
      let adjustment = scale.adjustment(
        score: score, written: nil, pages: 51_200, totalPages: pages)
      let points = KernelBadness.points(
        residentPages: 51_200, swapPages: 0, pageTablePages: 0, adjustment: Int(adjustment),
        totalPages: pages)
      #expect(KernelBadness.score(points: points ?? 0, totalPages: pages) == score, "\(score)")
    }
    #expect(scale.adjustment(score: 733, written: 0, pages: 51_200, totalPages: pages) == 0)
    #expect(scale.adjustment(score: 5000, written: nil, pages: 1, totalPages: pages) == 1000)
    // Before Linux 5.9 a process without adjustment has its share of memory in thousandths.
    var old = ScoreScale()
    row.score = 100
    old.note(row, totalPages: pages)
    #expect(old.adjustment(score: 100, written: 0, pages: 51_200, totalPages: pages) == 0)
    #expect(
      (398...402).contains(
        old.adjustment(score: 500, written: nil, pages: 51_200, totalPages: pages)))
  }

  /// 2000 MB of RAM, swap as good as full; the swap rule.
  static let swapRule = """
    Nov 23 10:00:00 box systemd-oomd[666]: Considered 3 cgroups for killing, top candidates were:
    Nov 23 10:00:00 box systemd-oomd[666]:         Path: /user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-big\\x2dtool-2504.scope
    Nov 23 10:00:00 box systemd-oomd[666]:                 Swap Usage: 400.5M
    Nov 23 10:00:00 box systemd-oomd[666]:         Path: /user.slice/user-1000.slice/user@1000.service/session.slice/shell.service
    Nov 23 10:00:00 box systemd-oomd[666]:                 Swap Usage: 100M
    Nov 23 10:00:00 box systemd-oomd[666]: Killed /user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-big\\x2dtool-2504.scope due to memory used (1900000000) / total (2000000000) and swap used (950000000) / total (1000000000) being more than 90.00%

    """

  @Test("systemd-oomd's swap rule: what is swapped out of the candidates, and the victim")
  func readsSwapRule() throws {
    let trace = try load(Self.swapRule)
    let tool: Int64 = 400 << 20 + 1 << 19
    let shell: Int64 = 100 << 20
    #expect(
      summary(trace) == [
        "0 app-gnome-big-tool-2504.scope present \(tool) state=suspended",
        "0 app-gnome-big-tool-2504.scope footprint \(tool) derived=1",
        "0 shell.service present \(shell) state=suspended",
        "0 shell.service footprint \(shell) derived=1",
        "0 (swapped out) present \(950_000_000 - tool - shell) state=suspended",
        "0 (swapped out) footprint \(950_000_000 - tool - shell) derived=1",
        "0 (swapped out) pin 1 reason=user",
        "0 system-memory 1900000000",
        "2 observed-available 100000000",
        "2 app-gnome-big-tool-2504.scope observed-exit cause=low-memory",
        // Just above the limit: nobody else was taken.
        "2 system-memory \(1_800_000_000 - 4096)",
        "2 end reason=complete",
      ])
    #expect(issues(trace) == [])
    #expect(
      trace.header.deviceYAML?.contains(
        "systemd-oomd: {swap-used: 90%}, reclaim: {swap: 1000000000,") == true)
    let apps = trace.header.appsYAML ?? ""
    #expect(
      apps.contains(
        #"cgroup: "user.slice/user-1000.slice/user@1000.service/app.slice/"#
          + #"app-gnome-big\\x2dtool-2504.scope""#), "\(apps)")
    try checkRoundTrip(trace)
  }

  /// What `oomctl` prints, and the pressure rule.
  static let pressureRule = """
    Dry Run: no
    Swap Used Limit: 90.00%
    Default Memory Pressure Limit: 60.00%
    Default Memory Pressure Duration: 1min 30s
    System Context:
            Memory: Used: 1.5G Total: 4G
            Swap: Used: 512M Total: 1G
    Swap Monitored CGroups:
            Path: /
                    Swap Usage: (see System Context)
    Memory Pressure Monitored CGroups:
            Path: /user.slice/user-1000.slice
                    Memory Pressure Limit: 50.00%
                    Memory Pressure Duration: 20s
                    Pressure: Avg10: 0.22, Avg60: 0.33, Avg300: 0.64, Total: 9min 17s
                    Current Memory Usage: 1.1G
                    Memory Min: 0B
                    Memory Low: infinity
    Considered 97 cgroups for killing, top candidates were:
            Path: /user.slice/user-1000.slice/a.scope
                    Memory Pressure Limit: 0.00%
                    Pressure: Avg10: 1.77 Avg60: 0.69 Avg300: 0.32 Total: 1s
                    Current Memory Usage: 1G
                    Memory Min: 0B
                    Memory Low: 0B
                    Pgscan: 3033791
                    Last Pgscan: 2934276
            Path: /user.slice/user-1000.slice/b.scope
                    Current Memory Usage: 512.5M
    Marked /user.slice/user-1000.slice/a.scope for killing due to memory pressure for /user.slice/user-1000.slice being 71.20% > 50.00% for > 20s with reclaim activity

    """

  @Test("systemd-oomd's pressure rule and oomctl: memory, limits, and the victim")
  func readsPressureRule() throws {
    let trace = try load(Self.pressureRule)
    let rows = summary(trace)
    #expect(rows.contains("0 a.scope present \(1 << 30) state=background"))
    #expect(rows.contains("0 b.scope present \(512 << 20 + 1 << 19) state=background"))
    #expect(rows.contains { $0.hasSuffix("a.scope observed-exit cause=low-memory") })
    #expect(rows.contains { $0.hasSuffix("observed-available \(5 << 29)") })
    #expect(
      trace.header.deviceYAML?.contains(
        "systemd-oomd: {swap-used: 90%, pressure: 60%, pressure-duration: 90s, "
          + "pressure-units: user.slice/user-1000.slice}") == true,
      "\(trace.header.deviceYAML ?? "")")
    // Those of one control group differ from the defaults.
    #expect(
      issues(trace).first?.hasPrefix(
        "info 3 memory, swap or limits differ from the first ones: the first count") == true,
      "\(issues(trace))")
    try checkRoundTrip(trace)
  }

  @Test(
    "Kills of earlyoom in the forms of all its versions",
    arguments: [
      (#"sending SIGTERM to process 7 uid 0 "a b": badness 700, VmRSS 31 MiB"#, "a b", 31),
      (#"sending SIGKILL to process 7 "a": badness 209, VmRSS 31 MiB"#, "a", 31),
      (#"killing process 7 "a" with signal 15: badness 550, VmRSS 9 MiB"#, "a", 9),
      ("Killing process 'a' with signal 15, pid: 7, badness: 538, VmRSS: 60 MiB", "a", 60),
      ("Killing process 7 a", "a", nil),
      (
        #"sending SIGTERM to process 7 uid 0 "q" "x": oom_score 823, VmRSS 7 MiB, cmdline "a": b""#,
        #"q" "x"#, 7
      ),
    ] as [(String, String, Int64?)])
  func kills(line: String, name: String, mebibytes: Int64?) throws {
    let trace = try load(
      "mem avail: 20 of 950 MiB ( 2.27%), swap free: 0 of 0 MiB ( 0.00%)\n\(line)\n")
    let size = mebibytes.map { " \($0 << 20)" } ?? ""
    #expect(summary(trace).contains("0 \(name) present\(size) state=background"))
    #expect(
      summary(trace).contains { $0.hasPrefix("2 \(name) observed-exit cause=low-memory;band=") })
    #expect(trace.header.deviceYAML?.hasPrefix("{ram: \(950 << 20),") == true)
    #expect(!trace.apps.contains("(swapped out)"), "there is no swap")
  }

  @Test("A kill that fails ends no process, and one that is repeated ends no process twice")
  func outcomes() throws {
    let memory = "mem avail: 20 of 950 MiB ( 2.27%), swap free: 0 of 0 MiB ( 0.00%)\n"
    let failed = try load(
      memory + #"sending SIGTERM to process 7 uid 0 "a": badness 700, VmRSS 31 MiB"#
        + "\nprocess 7 did not exit\nkill failed: Timer expired\n" + memory)
    #expect(!summary(failed).contains { $0.contains("observed-exit") })
    #expect(issues(failed).contains("info 1 a kill that failed: its process lives on @3"))
    let again = "Killing process 'a' with signal 15, pid: 7, badness: 538, VmRSS: 60 MiB\n"
    let twice = try load(memory + again + memory + again + memory)
    #expect(summary(twice).filter { $0.contains("observed-exit") }.count == 1)
    #expect(
      issues(twice).contains("info 1 a process that is killed again: its first end counts @4"))
    let test = try load(memory + "sending 0 (no-op signal) to process 7 uid 0 \"a\": badness 1\n")
    #expect(!test.apps.contains("a"))
  }

  @Test("A whole list shows who has ended; a list of those who may be killed does not")
  func lists() throws {
    func list(_ rows: String) -> String {
      "  PID OOM_SCORE  RSSkiB   UID OOM_SCORE_ADJ  COMM\n" + rows
        + "selecting victim took 0.1 ms\n"
    }
    let both = "7 700 1024 0 0 \"a\"\n8 700 1024 0 0 \"b\"\n"
    let text = list(both) + list("8 700 2048 0 0 \"b\"\n") + list("8 700 2048 0 0 \"c\"\n")
    let rows = try summary(load(text, as: .killerJournal))
    #expect(rows.filter { $0.contains("observed-exit") }.count == 2, "\(rows)")
    #expect(rows.contains { $0.hasSuffix(" b footprint 2097152") })
    #expect(rows.contains { $0.hasSuffix(" c background-launch") })
    let old =
      "pid     7: badness 700 vm_rss    1024 uid    0 \"a\" <--- new victim\n"
      + "pid     8: badness   0 vm_rss    1000\npid     9: badness -300\n"
    let next = old.replacing(" 8:", with: "11:").replacing(" 9:", with: "12:")
    let trace = try load(old + next, as: .killerJournal)
    #expect(trace.apps.sorted() == ["a", "process 11", "process 8"])
    #expect(!summary(trace).contains { $0.contains("observed-exit") })
  }

  @Test("Lists whose sizes have no unit are counted and skipped")
  func oldestLists() throws {
    let text = """
      pid  2590: badness 667 vm_rss  46452 Socket Process
      pid  2657: badness 780 vm_rss 129184 Privileged Cont
          ^ new victim (higher badness)
      Killing process 2657 Privileged Cont

      """
    let trace = try load(text, as: .killerJournal)
    #expect(trace.apps == ["Privileged Cont"])
    #expect(
      issues(trace).first
        == "info 2 a candidate whose size has no unit (earlyoom before 1.4): skipped @1")
  }

  @Test("Shared pages count once: resident sets have no more together than is in use")
  func sharedPages() throws {
    let text = """
      mem avail: 60 of 100 MiB (60.00%), swap free: 0 of 0 MiB ( 0.00%)
        PID OOM_SCORE  RSSkiB   UID OOM_SCORE_ADJ  COMM
      7 933 61440 0 0 "a"
      8 666 20480 0 0 "b"
      selecting victim took 0.1 ms

      """
    let rows = try summary(load(text))
    #expect(rows.contains("0 a footprint \(30 << 20) derived=1"))
    #expect(rows.contains("0 b footprint \(10 << 20) derived=1"))
    #expect(rows.contains("0 (other processes) present 0 state=background"))
  }

  @Test("What is wrong is counted with its line, and the rest is read")
  func damagedJournal() throws {
    let text = """
      Nov 23 10:00:00 box earlyoom[1]: mem avail:    96 of   960 MiB
      Nov 23 10:00:00 box earlyoom[1]: mem total: many MiB, swap total: 1000 MiB
      Nov 23 10:00:01 box earlyoom[1]: sending SIGTERM to process x "a": badness 1
      Nov 23 10:00:01 box earlyoom[1]:   PID OOM_SCORE  RSSkiB   UID OOM_SCORE_ADJ  COMM
      Nov 23 10:00:01 box earlyoom[1]: 7 700 1024 0 0 "a"
      Nov 23 10:00:01 box earlyoom[1]: 7 700 1024 0 0 "a"
      Nov 23 10:00:01 box earlyoom[1]: 8 700 1024
      Nov 23 10:00:02 box systemd-journald[9]: Suppressed 5 messages from earlyoom.service
      Nov 23 10:00:03 box sshd[1]: mem avail: 1 of 2 MiB (50.00%), swap free: 0 of 0 MiB ( 0%)
      Nov 23 10:00:04 box earlyoom[1]: mem avail: 96 of 960 MiB (10.00%), swap free: 0 of 0 MiB ( 0%)
      Nov 23 09:00:04 box earlyoom[1]: mem avail: 95 of 960 MiB (10.00%), swap free: 0 of 0 MiB ( 0%)
      [   7.000001] box systemd-oomd[2]: Killed /z.scope due to memory used (1) / total (0) and swap used (1) / total (2) being more than 90%
      avril 16 21:08:50 box systemd-oomd[2]: Killed /b.scope due to memory pressure for /

      """
    let trace = try load(text, as: .killerJournal)
    #expect(trace.apps.sorted() == ["(other processes)", "a", "b.scope", "z.scope"])
    #expect(
      issues(trace) == [
        "error 2 a line of earlyoom that lacks a figure: skipped @1,2",
        "error 1 a kill of earlyoom without its process or name: skipped @3",
        "error 1 a candidate without all its figures: skipped @7",
        "data-loss 1 messages of the killer were suppressed by the journal @8",
        "error 1 a time before the one above it: taken for then @11",
        "error 1 a candidate that stands twice in one list @6",
        "error 1 a line of systemd-oomd that lacks a figure: skipped @12",
        "error 1 a time that does not fit the first one: skipped @12",
        "info 2 a line without a time: taken for a second after the one before @12,13",
      ])
  }

  @Test("Journals are recognised by content, and by no other format")
  func detection() throws {
    for text in [Self.earlyoom, Self.swapRule, Self.pressureRule] {
      let bytes = Array(text.utf8)
      #expect(
        TraceFormats.all.list.filter { $0.sniff(bytes.span) }.map(\.name) == ["killer-journal"])
    }
    #expect(throws: TraceError.self) { try load("nothing here\n", as: .killerJournal) }
  }

  @Test("The same journal under every stamp is the same capture")
  func stamps() throws {
    func trace(_ stamp: (Int) -> String) throws -> Trace {
      let seconds = [0, 0, 0, 0, 0, 60, 60, 60, 60, 60, 60, 60, 60, 60, 61, 62]
      let lines = Self.earlyoom.split(separator: "\n").enumerated().map { place, line in
        stamp(seconds[place]) + line.dropFirst("Nov 23 10:00:00 box earlyoom[812]: ".count) + "\n"
      }
      return try load(lines.joined())
    }
    let expected = try summary(load(Self.earlyoom))
    for source in ["earlyoom[812]: ", "box earlyoom[812]: ", "earlyoom: "] {
      let iso = try trace { "2026-11-23T10:0\($0 / 60):0\($0 % 60)+01:00 \(source)" }
      #expect(summary(iso) == expected, "\(source)")
      #expect(iso.header.start == "2026-11-23T10:00:00+01:00")
    }
    #expect(try summary(trace { "[  \(700 + $0).000000] earlyoom[8]: " }) == expected)
    #expect(try summary(trace { "1970-01-02T00:0\($0 / 60):0\($0 % 60)Z: " }) == expected)
    // The months of another language are not read: the program is found all the same.
    let foreign = try trace { _ in "мар 27 23:40:33 PC earlyoom[21439]: " }
    #expect(foreign.apps == (try load(Self.earlyoom)).apps)
    #expect(issues(foreign).allSatisfy { $0.contains("a line without a time") })
  }

  @Test("A journal that breaks off in a list says so")
  func cutJournal() throws {
    let end = try #require(Self.earlyoom.range(of: "10:01:00 box earlyoom[812]:    12"))
    let trace = try load(String(Self.earlyoom[..<end.lowerBound]) + "10:0")
    #expect(trace.apps.contains("browser"))
    #expect(issues(trace) == ["data-loss 1 the last list of candidates is cut off @12"])
  }

  @Test(
    "A last line that is cut off is counted and tells nothing",
    arguments: [
      "sending SIGTERM to process 397 uid 1", "Killing process 397 edi",
      #"sending SIGTERM to process 397 uid 0 "editor": oom_score 733, VmRSS 10"#,
      "mem avail: 21 of 950 MiB ( 2.27%), swap free: 8", "mem total: 158",
    ])
  func cutLine(last: String) throws {
    let memory = "earlyoom[1]: mem avail: 20 of 950 MiB ( 2.27%), swap free: 0 of 0 MiB ( 0.00%)\n"
    let kill = #"earlyoom[1]: sending SIGTERM to process 7 "a": badness 209, VmRSS 31 MiB"#
    let whole = try load(memory + kill)
    #expect(whole.apps.contains("a"))
    #expect(issues(whole) == issues(try load(memory + kill + "\n")))
    let cut = try load("\(memory)\(kill)\nearlyoom[1]: \(last)")
    #expect(summary(cut) == summary(whole))
    #expect(
      issues(cut) == ["data-loss 1 the last line has no end: it is cut off @3"] + issues(whole))
  }

  @Test("Bytes of every kind are read or refused")
  func damage() throws {
    for text in [Self.earlyoom, Self.swapRule, Self.pressureRule] {
      try checkDamage(text, as: .killerJournal, mutations: 300)
    }
    let odd = "\u{1B}[31m; 編集=者,%#"
    for text in [
      Self.earlyoom.replacing("browser", with: odd), Self.swapRule.replacing("shell", with: odd),
    ] {
      let trace = try load(text)
      #expect(trace.apps.contains { $0.contains("編集") })
      try checkRoundTrip(trace)
      try checkDamage(text, as: .killerJournal, mutations: 60)
    }
  }

  @Test("--apps leaves candidates out, and their memory becomes that of others")
  func filters() throws {
    var options = ImportOptions()
    options.apps = ["e*", "(*"]
    let trace = try load(Self.earlyoom, options: options)
    #expect(trace.apps == ["(other processes)", "(swapped out)", "editor"])
    #expect(
      summary(trace).contains("58 (other processes) footprint \(664 << 20) derived=1"))
    options.apps = ["editor"]
    let system = 40 + 664
    #expect(
      try summary(load(Self.earlyoom, options: options)).contains(
        "58 system-memory \(system << 20)"))
  }

  @Test("Names of control groups, also those in the header, do not outlive --anonymize")
  func anonymized() throws {
    var options = ImportOptions()
    options.isAnonymized = true
    for text in [Self.swapRule, Self.pressureRule, Self.earlyoom] {
      let trace = try load(text, options: options)
      var bytes = ByteSink()
      try TextTraceWriter.write(trace, to: &bytes)
      let shown = String(decoding: bytes.collected, as: UTF8.self)
      for name in ["user-1000", "big", "a.scope", "shell", "editor", "sshd"] {
        #expect(!shown.contains(name), "\(shown)")
      }
    }
    let trace = try load(Self.pressureRule, options: options)
    #expect(trace.header.deviceYAML?.contains("pressure-units: user.slice/cgroup-1.slice") == true)
    #expect(trace.header.appsYAML?.contains("cgroup: user.slice/cgroup-1.slice/") == true)
  }

  @Test("A stream is read like a file")
  func streams() throws {
    try withPiped(Self.earlyoom) { input in
      let trace = try TraceLoader.load(input)
      #expect(Set(summary(trace)) == Set(Self.expected))
    }
  }

  @Test("Many kills take no more memory than the processes that live, and little time")
  func manyKills() throws {
    var text = ""
    for kill in 0..<20_000 {
      let prefix = "Nov 23 10:00:00 box earlyoom[812]: "
      text +=
        "\(prefix)mem avail: 96 of 960 MiB (10.00%), swap free: \(kill % 50) of 1000 MiB ( 5.00%)\n"
        + "\(prefix)sending SIGTERM to process \(kill + 1) uid 0 \"job\": badness 700, VmRSS 31 MiB\n"
    }
    let trace = try load(text)
    #expect(trace.apps == ["(other processes)", "(swapped out)", "job"])
    #expect(trace.index.kindCounts[Int(EventKind.observedExit.rawValue)] == 20_000)
  }
}
