import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Logs are written by hand in the kernel's layout, with invented names and figures.
@Suite("Reports of the kernel's OOM killer")
struct KernelOOMTests {
  /// 1000 pages of RAM, 200 of swap; editor 600 pages, browser 250, shell 61.
  static let fixture = """
    [  100.000000] shell invoked oom-killer: gfp_mask=0x140dca(GFP_USER), order=1, oom_score_adj=0
    [  100.000001] CPU: 1 PID: 12 Comm: shell Not tainted 6.1.0-13-amd64 #1 Debian
    [  100.000002] Mem-Info:
    [  100.000003] Node 0 DMA: 1*4kB (U) 0*8kB = 4kB
    [  100.000004] Free swap  = 0kB
    [  100.000005] Total swap = 800kB
    [  100.000006] 1010 pages RAM
    [  100.000007] 10 pages reserved
    [  100.000008] Tasks state (memory values in pages):
    [  100.000009] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
    [  100.000010] [     10]  1000    10     9999      500     8192       98             0 editor
    [  100.000011] [     11]     0    11     9999      200    40960       40           300 browser
    [  100.000012] [     12]  1000    12     9999       60     4096        0         -1000 shell
    [  100.000013] oom-kill:constraint=CONSTRAINT_NONE,global_oom,task_memcg=/,task=editor,pid=10,uid=1000
    [  100.250000] Out of memory: Killed process 10 (editor) total-vm:39996kB, UID:1000 oom_score_adj:0
    [  100.300000] oom_reaper: reaped process 10 (editor), now anon-rss:0kB

    """

  private static let expected = [
    "0 editor present \(600 * 4096) state=suspended",
    "0 browser present \(250 * 4096) state=suspended",
    "0 shell present \(61 * 4096) state=background",
    "0 shell background-mode 1 mode=service",
    // 1000 + min(200, 850) - 911 pages, and two that do not fit.
    "0 system-memory \(291 * 4096)",
    "0.25 editor observed-exit cause=low-memory;band=0",
    "0.25 system-memory \(289 * 4096)",
    "0.25 end reason=complete",
  ]

  @Test("A report becomes who ran, how large, at which rank, and who was killed")
  func readsReport() throws {
    let trace = try load(Self.fixture)
    #expect(summary(trace) == Self.expected)
    #expect(issues(trace) == [])
    #expect(trace.header.start == nil)
    #expect(
      trace.header.deviceYAML
        == "{ram: 4096000, reserve: 0, page: 4096, era: linux-oom, oom: {page-table-bytes: 0}, "
        + "reclaim: {swap: 819200, swappable: 100%}}")
    #expect(
      trace.header.appsYAML?.contains("browser: {category: browser, adj: 300, uid: 0}") == true)
    #expect(trace.header.appsYAML?.contains("-1000") == true)
    try checkRoundTrip(trace)
  }

  @Test(
    "Stamps of dmesg, journalctl and syslog",
    arguments: [
      ("", nil), ("    ", nil), ("<4>", nil), ("[  100.250000] ", .monotonic(100_250_000_000)),
      ("<4>[  100.25] ", .monotonic(100_250_000_000)),
      ("kern  :warn  : [  100.250000] ", .monotonic(100_250_000_000)),
      ("[  100.250000] box kernel: ", .monotonic(100_250_000_000)),
      ("Jan  2 00:00:01 box kernel: ", .yearless(month: 1, day: 2, nanoseconds: 1_000_000_000)),
      (
        "Jan 02 00:00:01.5 box kernel: ",
        .yearless(month: 1, day: 2, nanoseconds: 1_500_000_000)
      ),
      (
        "Jan  2 00:00:01 box kernel: [  100.25] ",
        .yearless(month: 1, day: 2, nanoseconds: 1_000_000_000)
      ),
      (
        "1970-01-02T00:00:01.250000+01:00 box kernel: ",
        .date(86_401_250_000_000, offsetSeconds: 3600)
      ),
      ("1970-01-02T00:00:01,250000+0100 ", .date(86_401_250_000_000, offsetSeconds: 3600)),
      ("1970-01-02T00:00:01Z box kernel: ", .date(86_401_000_000_000, offsetSeconds: 0)),
      ("Fri 1970-01-02 00:00:01 UTC box kernel: ", .date(86_401_000_000_000, offsetSeconds: 0)),
      ("[Fri Jan  2 00:00:01 1970] ", .date(86_401_000_000_000, offsetSeconds: nil)),
      ("1600000000.250000 box kernel: ", nil),
      ("[1600000000.250000] box kernel: ", .date(1_600_000_000_250_000_000, offsetSeconds: 0)),
    ] as [(String, KernelLogStamp?)])
  func stamps(prefix: String, stamp: KernelLogStamp?) throws {
    let isBare = prefix.hasPrefix("1600000000")
    let expected = isBare ? .date(1_600_000_000_250_000_000, offsetSeconds: 0) : stamp
    let messages = [
      "sh invoked oom-killer: order=0", "[  246]  0  246 9 9 9 9 0 a b", "1 pages RAM",
    ]
    for message in messages {
      let line = Array((prefix + message).utf8)
      let read = KernelLogPrefix(line.span)
      #expect(read.stamp == expected, "\(prefix)")
      #expect(String(decoding: line[read.messageStart...], as: UTF8.self) == message)
    }
  }

  @Test("The same report under every stamp is the same moment")
  func sameMoment() throws {
    for prefix in ["", "Nov 23 10:00:00 box kernel: ", "2026-11-23T10:00:00+00:00 box kernel: "] {
      let text = Self.fixture.split(separator: "\n").map { line in
        prefix + line.dropFirst("[  100.000000] ".count) + "\n"
      }.joined()
      let trace = try load(text)
      let rows = Self.expected.map { $0.replacing("0.25 ", with: "0 ") }
      #expect(summary(trace) == rows, "\(prefix)")
      #expect(issues(trace) == [])
      #expect(
        trace.header.start == (prefix.hasPrefix("2026") ? "2026-11-23T10:00:00+00:00" : nil))
    }
  }

  @Test(
    "A stamp in another language is skipped and counted",
    arguments: [
      "Mär 01 10:00:00 box kernel: ", "Do 2026-01-01 10:00:00 CET box kernel: ",
      "jeu. 1 janv. 2026 10:00:00 CET box kernel: ", "3月 01 10:00:00 box kernel: ",
    ])
  func foreignStamps(prefix: String) throws {
    let text = Self.fixture.split(separator: "\n").map { line in
      prefix + line.dropFirst("[  100.000000] ".count) + "\n"
    }.joined()
    let trace = try load(text)
    #expect(summary(trace) == Self.expected.map { $0.replacing("0.25 ", with: "0 ") })
    #expect(
      issues(trace) == [
        "info 1 a stamp in a language that is not read: 'journalctl -o short-iso' writes others @1"
      ])
    // The kernel's own stamp stands behind it.
    let lines = Self.fixture.split(separator: "\n").map { "\(prefix)\($0)\n" }
    #expect(summary(try load(lines.joined())) == Self.expected)
    let talk = Array("Killed process 7 (a kernel: b) at 10:00:00 kernel:".utf8)
    #expect(KernelLogPrefix(talk.span).messageStart == 0)
  }

  @Test("Later reports: who is new began, who is missing ended, sizes move")
  func severalReports() throws {
    let second = """
      [  160.000000] mail invoked oom-killer: gfp_mask=0x0, order=0, oom_score_adj=0
      [  160.000001] CPU: 1 PID: 13 Comm: mail Not tainted 6.1.0-13-amd64 #1 Debian
      [  160.000002] Total swap = 800kB
      [  160.000003] 1010 pages RAM
      [  160.000004] 10 pages reserved
      [  160.000005] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
      [  160.000006] [     11]     0    11     9999      300    40960       40           200 browser
      [  160.000007] [     13]  1000    13     9999      699     4096        0             0 mail
      [  160.000008] Out of memory: Killed process 13 (mail) total-vm:39996kB

      """
    let trace = try load(Self.fixture + second)
    let later: [String] = [
      "58 shell observed-exit cause=unknown",
      // 1000 + min(200, 350) - 1050 pages; the one that does not fit comes at the report.
      "58 system-memory \(150 * 4096)", "58 mail background-launch",
      "58 mail footprint \(700 * 4096)", "60 browser adj 200",
      "60 browser footprint \(350 * 4096)",
      "60 mail background-mode 1 mode=service", "60 system-memory \(151 * 4096)",
      "60.000008 mail observed-exit cause=low-memory;band=0",
      "60.000008 system-memory \(150 * 4096)", "60.000008 end reason=complete",
    ]
    #expect(summary(trace) == Self.expected.dropLast() + later)
    #expect(issues(trace) == [])
  }

  @Test("Reports of control groups: their limit counts, and their own cause")
  func controlGroups() throws {
    let text = """
      job invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0
      Pid: 7, comm: job Not tainted 2.6.39 #1
      memory: usage 400kB, limit 400kB, failcnt 17
      memory+swap: usage 400kB, limit 600kB, failcnt 0
      [ pid ]   uid  tgid total_vm      rss cpu oom_adj oom_score_adj name
      [    7]  1000     7      999       70   1       0             0 job
      [    8]  1000     8      999       10   0     -17         -1000 a name with spaces
      Memory cgroup out of memory: Kill process 7 (job) score 466 or sacrifice child
      Killed process 7 (job) total-vm:3996kB, anon-rss:280kB, file-rss:0kB

      """
    let trace = try load(text)
    #expect(trace.apps == ["a name with spaces", "job"])
    #expect(
      summary(trace).contains("0 job observed-exit cause=memory-limit;band=0"))
    #expect(trace.header.deviceYAML?.hasPrefix("{ram: 409600,") == true)
    #expect(trace.header.deviceYAML?.contains("root-bonus-total: 3%") == true)
    #expect(trace.header.deviceYAML?.contains("swap: 204800") == true)
    // 70 of 150 pages are 466 thousandths.
    #expect(issues(trace) == [])
  }

  @Test("What is wrong is counted with its line, and the rest is read")
  func damagedReport() throws {
    let text = """
      Killed process 3 (early) total-vm:1kB
      sh invoked oom-killer: gfp_mask=0x0, order=0
      100 pages RAM
      [  pid  ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name
      [    1]  0  1  9  10  1  0  0 a
      [    1]  0  1  9  10  1  0  0 b
      [    2]  0  2  9  10  1
      [    3]  0  3  9  10  1  0  2000 c
      [    4]  0  4  9  999999999999999  1  0  0 d
      Out of memory: Kill process 1 (a) score 7 or sacrifice child
      Killed process 1 (a) total-vm:1kB
      Killed process 99 (z) total-vm:1kB
      sh invoked oom-killer: gfp_mask=0x0, order=0
      sh invoked oom-killer: gfp_mask=0x0, order=0
      [  pid  ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name
      [    5]  0  5  9  10  1  0  0 e

      """
    let trace = try load(text, as: .kernelOOM)
    #expect(trace.apps == ["a", "e"])
    #expect(
      issues(trace) == [
        "info 1 a kill without its report: skipped @1",
        "error 2 a process without all figures of the table: skipped @7,8",
        "error 1 a pid that stands twice in one report @6",
        "error 1 a process larger than any machine: skipped @9",
        "info 1 the version of the kernel is unknown: no bonus for root's processes is assumed @2",
        "info 1 a printed score that is not that of the table of processes @5",
        "error 1 a victim that is not in the table of processes @12",
        "error 1 a report without a table of processes: skipped @13",
        "info 1 a report without a time: taken for a minute after the one before @14",
        "error 1 a report without RAM: its points cannot be worked out @14",
        "error 1 a report that names no victim @14",
      ])
  }

  @Test("Reports are recognised by content, and by no other format")
  func detection() throws {
    let syslog = Self.fixture.split(separator: "\n")
      .map { "Nov 23 10:00:00 box kernel: \($0)\n" }.joined()
    for text in [Self.fixture, syslog] {
      let bytes = Array(text.utf8)
      #expect(TraceFormats.all.list.filter { $0.sniff(bytes.span) }.map(\.name) == ["kernel-oom"])
    }
    #expect(throws: TraceError.self) { try load("nothing here\n", as: .kernelOOM) }
  }

  @Test("A log that breaks off gives what was whole: the table, and the loss of the kill")
  func cutLog() throws {
    let kill = try #require(Self.fixture.range(of: "[  100.000013]"))
    let trace = try load(String(Self.fixture[..<kill.lowerBound]) + "[  100.00")
    #expect(trace.apps == ["browser", "editor", "shell"])
    #expect(
      issues(trace) == [
        "data-loss 1 the last report is cut off @14", "error 1 a report that names no victim @1",
      ])
  }

  @Test("Bytes of every kind are read or refused")
  func damage() throws {
    try checkDamage(Self.fixture, as: .kernelOOM, mutations: 300)
    let text = Self.fixture.replacing("editor", with: "\u{1B}[31m; 編集=者,%#")
    let trace = try load(text)
    #expect(trace.apps.count == 3)
    try checkRoundTrip(trace)
    try checkDamage(text, as: .kernelOOM, mutations: 60)
  }

  @Test("--apps leaves processes out, and their memory becomes the system's")
  func filters() throws {
    var options = ImportOptions()
    options.apps = ["e*", "shell"]
    let trace = try load(Self.fixture, options: options)
    #expect(trace.apps == ["editor", "shell"])
    #expect(summary(trace).contains("0 system-memory \((291 + 250) * 4096)"))
  }

  @Test("A stream is read like a file")
  func streams() throws {
    try withPiped(Self.fixture) { input in
      let trace = try TraceLoader.load(input)
      #expect(summary(trace) == Self.expected)
    }
  }

  @Test("Versions of kernels and what they spare root")
  func versions() {
    func bonus(_ text: String) -> KernelVersion.RootBonus? {
      KernelVersion(Array(text.utf8).span)?.rootBonus
    }
    #expect(bonus("Not tainted 2.6.36 #1") == .ofTotal)
    #expect(bonus("Not tainted 3.8.0-19-generic #29") == .ofTotal)
    #expect(bonus("Not tainted 3.10.0-514.6.1.el7.x86_64 #1") == .ofPoints)
    #expect(bonus("Tainted: G           OE  3.14.2 #1") == .ofPoints)
    #expect(bonus("Not tainted 4.16.9 #1") == .ofPoints)
    #expect(bonus("Not tainted 4.17.0 #1") == KernelVersion.RootBonus.none)
    #expect(bonus("Tainted: G        W         6.1.1-arch1-1 #1") == KernelVersion.RootBonus.none)
    #expect(bonus("no version") == nil)
  }
}
