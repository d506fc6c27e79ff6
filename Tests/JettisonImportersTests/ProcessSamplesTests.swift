import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Samples are written by hand in the documented shape, with invented names.
@Suite("Process samples")
struct ProcessSamplesTests {
  /// 1 GiB of memory in all three samples; figures of `ps` are kilobytes.
  static let fixture = """
    times: 1577872800
    MemTotal:        1048576 kB
    MemFree:          200000 kB
    MemAvailable:     524288 kB
    Cached:           300000 kB
    ps-result:
    USER       PID  PPID     VSZ    RSS S NAME
    root         1     0    9000   1000 S init
    root         2     0       0      0 S [kthreadd]
    u0_a10     100     1  900000  80000 S com.example.notes
    u0_a11     101     1  900000  90000 T com.example.game

    times: 1577872810
    MemTotal:        1048576 kB
    MemAvailable:     510000 kB
    ps-result:
    USER       PID  PPID     VSZ    RSS S NAME
    root         1     0    9000   1000 S init
    root         2     0       0      0 S [kthreadd]
    u0_a10     100     1  900000  80000 T com.example.notes
    u0_a11     102     1  900000  70000 S com.example.game
    u0_a12     103     1    8000    500 Z com.example.dead
    times: 1577872820
    MemTotal:        1048576 kB
    MemAvailable:     510000 kB
    ps-result:
    USER       PID  PPID     VSZ    RSS S NAME
    root         1     0    9000   1000 S init
    u0_a10     100     1  900000  85000 T com.example.notes
    u0_a13     102     1  900000  60000 S com.example.mail

    """

  private static let expected = [
    "0 init present 1024000 state=background",
    "0 init footprint 1024000 derived=1",
    "0 com.example.notes present 81920000 state=background",
    "0 com.example.notes footprint 81920000 derived=1",
    "0 com.example.game present 92160000 state=suspended",
    "0 com.example.game footprint 92160000 derived=1",
    "0 init background-mode 1 mode=service",
    "0 com.example.notes background-mode 1 mode=service",
    "0 observed-available 536870912",
    // (1048576 - 524288 - 1000 - 80000 - 90000) kB
    "0 system-memory \(353_288 * 1024)",
    "10 com.example.game observed-exit cause=unknown",
    "10 com.example.notes background-mode 0 mode=service",
    "10 com.example.game background-launch",
    "10 com.example.game footprint 71680000 derived=1",
    "10 com.example.game background-mode 1 mode=service",
    "10 observed-available \(510_000 * 1024)", "10 system-memory \(387_576 * 1024)",
    "20 com.example.game observed-exit cause=unknown",
    "20 com.example.notes footprint 87040000 derived=1",
    "20 com.example.mail background-launch",
    "20 com.example.mail footprint 61440000 derived=1",
    "20 com.example.mail background-mode 1 mode=service",
    "20 system-memory \(392_576 * 1024)", "20 end reason=complete",
  ]

  @Test("Samples become who ran, how large, stopped or not, who came and who went")
  func readsSamples() throws {
    let trace = try load(Self.fixture, file: "phone.txt")
    #expect(summary(trace) == Self.expected)
    #expect(trace.header.start == "2020-01-01T10:00:00+00:00")
    #expect(
      issues(trace) == [
        "info 2 a kernel thread, which has no memory of its own",
        "info 1 a zombie, which has ended already",
      ])
    try checkRoundTrip(trace)
  }

  @Test("Without a column of addresses, threads of the kernel are known by their parent")
  func kernelThreads() throws {
    let text = """
      times: 1577872800
      MemTotal:        1048576 kB
      MemAvailable:     524288 kB
      ps-result:
        PID  PPID    RSS COMMAND
          1     0   1000 systemd
          2     0      0 kthreadd
         20     2      0 kworker/0:0
         30     1      0 swapped
         40     1    500 bash

      """
    let trace = try load(text, file: "box.txt")
    #expect(trace.apps == ["bash", "swapped", "systemd"])
    #expect(issues(trace).contains("info 2 a kernel thread, which has no memory of its own"))
    #expect(trace.header.deviceYAML == "{ram: 1073741824, era: linux-oom}")
  }

  @Test("A folder with one file a sample is the same capture; issues name file and line")
  func readsFolder() throws {
    try withScratchFolder { folder in
      let samples = folder.appendingPathComponent("phone")
      try FileManager.default.createDirectory(at: samples, withIntermediateDirectories: false)
      let parts = Self.fixture.components(separatedBy: "times: ").dropFirst().map { "times: \($0)" }
      // Names in which the order of bytes would be another, and no end of the last line.
      let names = ["s9.txt", "s10.txt", "s11.txt"]
      for (name, part) in zip(names, parts) {
        let text = name == "s10.txt" ? part + "nonsense" : part
        try text.write(
          to: samples.appendingPathComponent(name), atomically: false, encoding: .utf8)
      }
      try "x".write(
        to: samples.appendingPathComponent(".hidden"), atomically: false, encoding: .utf8)
      let trace = try TraceLoader.load(samples.path, formats: .all)
      #expect(trace.name == "phone")
      #expect(summary(trace) == Self.expected)
      let issue = try #require(trace.issues.all.first { $0.severity == .error })
      #expect(issue.text == "the line is not a row of the table")
      let place = trace.issues.place(ofLine: try #require(issue.lines.first))
      #expect(place == (file: "s10.txt", line: 11))
    }
  }

  @Test("A folder of anything else is refused, and so is an empty one")
  func otherFolders() throws {
    try withScratchFolder { folder in
      #expect(throws: TraceError.self) { try TraceLoader.load(folder.path, formats: .all) }
      try TraceFixtures.everyEvent.text.write(
        to: folder.appendingPathComponent("a.csv"), atomically: false, encoding: .utf8)
      #expect {
        try TraceLoader.load(folder.path, formats: .all)
      } throws: { error in
        (error as? TraceError)?.description == "\(folder.path): is a directory (name a file in it)"
      }
    }
  }

  @Test("Names of files are ordered with their numbers")
  func fileOrder() {
    let names = ["a10", "a9", "b", "a", "a09", "a1b", "A", "10", "9"]
    #expect(
      names.sorted(by: InputFolder.isBefore)
        == ["9", "10", "A", "a", "a1b", "a09", "a9", "a10", "b"])
  }

  @Test(
    "Tables of other tools: columns in any order, units, no state, a state without a title",
    arguments: [
      "PID RSS CMD\n7 2048 /usr/bin/editor --draft one\n",
      "NAME PID RSS(KB)\neditor 7 2048\n",
      "RES  COMMAND  S PID\n2M editor R 7\n",
      "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\n"
        + "me 7 0.0 0.1 9000 2048 ? Ssl 10:00 0:00 editor -x\n",
      "USER     PID   PPID  VSIZE  RSS   WCHAN    PC        NAME\n"
        + "me        7     1     9000   2048  ffffffff 00000000 S editor\n",
      "  PID     PSS     RSS cmdline\n    7   2048K   9000K  editor\n",
    ])
  func otherTables(table: String) throws {
    let trace = try load("times: 5\nMemTotal: 9000 kB\nps-result:\n" + table)
    #expect(trace.apps == ["editor"])
    #expect(summary(trace).first?.hasPrefix("0 editor present 2097152") == true)
    #expect(issues(trace) == [])
  }

  @Test(
    "Sizes with and without units",
    arguments: [
      ("12", 12 * 1024), ("12K", 12 * 1024), ("1.5M", 3 << 19), ("2g", 2 << 30), ("0", 0),
      ("1MiB", 1 << 20), ("", nil), ("K", nil), ("-1", nil), ("12X", nil),
      ("99999999999999999999", nil), ("9999999G", nil),
    ] as [(String, Int64?)])
  func sizes(text: String, bytes: Int64?) {
    #expect(ProcessTable.bytes(Array(text.utf8).span) == bytes)
  }

  @Test(
    "Times in many spellings",
    arguments: [
      ("1577872800", 1_577_872_800_000_000_000), ("1577872800.25", 1_577_872_800_250_000_000),
      ("1577872800250", 1_577_872_800_250_000_000),
      ("1577872800250000", 1_577_872_800_250_000_000),
      ("1577872800250000000", 1_577_872_800_250_000_000), ("0", 0), ("12.5", 12_500_000_000),
      ("2020-01-01 10:00:00", 1_577_872_800_000_000_000),
      ("2020/01/01 10:00:00", 1_577_872_800_000_000_000),
      ("2020-01-01T12:00:00+02:00", 1_577_872_800_000_000_000),
      ("2020-01-01 12:00:00 +0200", 1_577_872_800_000_000_000),
      ("Wed Jan  1 10:00:00 UTC 2020", 1_577_872_800_000_000_000),
      ("Wed Jan 1 10:00:00 2020", 1_577_872_800_000_000_000),
      ("\t1577872800\t1577872801", 1_577_872_800_000_000_000),
      ("1577872801 1577872800", nil), ("1577872801 5", nil), ("1 2 3", nil),
      ("", nil), ("soon", nil), ("-5", nil), ("99999999999999999999", nil),
    ] as [(String, Int64?)])
  func times(text: String, nanoseconds: Int64?) {
    #expect(SampleTime(text)?.nanoseconds == nanoseconds)
  }

  @Test(
    "A zone that is given is that of dates without one",
    arguments: [
      ("2020-01-01 10:00:00", "2020-01-01T10:00:00+01:00"),
      ("Wed Jan  1 10:00:00 CET 2020", "2020-01-01T10:00:00+01:00"),
      ("Wed Jan  1 10:00:00 UTC 2020", "2020-01-01T10:00:00+00:00"),
      ("2020-01-01 10:00:00 +0200", "2020-01-01T10:00:00+02:00"),
      ("1577872800", "2020-01-01T11:00:00+01:00"),
    ])
  func zone(time: String, start: String) throws {
    var options = ImportOptions()
    options.zoneOffsetSeconds = 3600
    let text = "times: \(time)\nMemTotal: 1000 kB\nps-result:\nPID RSS NAME\n7 100 editor\n"
    #expect(try load(text, options: options).header.start == start)
  }

  @Test("Damage is counted with its line, and the rest is read")
  func damagedSamples() throws {
    let trace = try load(
      """
      stray
      times: 10
      MemFree: 100 kB
      Buffers: 20 kB
      Cached: 30 kB
      ps-result:
      PID RSS NAME
      1 100 a
      1 100 b
      x 100 c
      2
      times: never
      ps-result:
      PID RSS NAME
      3 100 d
      times: 9
      times: 2020-01-01 10:00:00
      times: 20
      MemTotal: 100 kB
      ps-result:
      PID NAME
      1 a
      times:
      30
      ps-result:
      PID RSS NAME
      1 100 a

      """)
    #expect(
      summary(trace) == [
        "0 a present 102400 state=suspended",
        "0 a footprint 102400 derived=1",
        "0 observed-available 153600",
        "20 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "error 1 a line outside of the samples @1",
        "error 2 the line is not a row of the table @10,11",
        "error 1 a pid that stands twice in one sample @9",
        "info 1 no MemAvailable: free memory, buffers and cache are taken for it @2",
        "error 1 a time that cannot be read: the sample is skipped @12",
        "error 1 a sample that is not later than the one before: skipped @16",
        "error 1 a time of another kind than the first: the sample is skipped @17",
        "error 1 a table without the columns PID, RSS or PSS, and NAME or CMD @21",
        "error 1 a sample without a table of processes @18",
      ])
  }

  @Test("A zygote's pages are taken off, a fork keeps its life, and the sampler is no app")
  func android() throws {
    let trace = try load(
      """
      times:\t1577872800\t1577872801
      MemTotal: 100000 kB
      MemAvailable: 40000 kB
      ps-result:
      USER PID PPID OOM_ADJ RSS NAME
      root 300 1 -1000 30000 zygote64
      u0_a1 400 300 900 36400 com.example.notes
      shell 500 1 -950 2000 sh
      shell 501 500 -950 1000 ps
      times:\t1577872810\t1577872811
      MemTotal: 100000 kB
      MemAvailable: 40000 kB
      ps-result:
      USER PID PPID OOM_ADJ RSS NAME
      root 300 1 -1000 30000 zygote64
      u0_a1 400 300 0 36400 com.example.notes
      u0_a2 401 300 0 31000 zygote64
      times:\t1577872820\t1577872821
      MemTotal: 100000 kB
      MemAvailable: 40000 kB
      ps-result:
      USER PID PPID OOM_ADJ RSS NAME
      root 300 1 -1000 30000 zygote64
      u0_a1 400 300 0 36400 com.example.notes
      u0_a2 401 300 0 31000 com.example.mail

      """)
    #expect(trace.apps == ["com.example.mail", "com.example.notes", "zygote64"])
    let rows: [String] = [
      "0 com.example.notes present \(6400 * 1024) state=suspended",
      "0 com.example.notes footprint \(6400 * 1024) derived=1",
      "0 com.example.notes adj 900",
      "0 observed-available \(40_000 * 1024)",
      // 60000 in use, less 30000 and 6400.
      "0 system-memory \(23_600 * 1024)",
      "10 com.example.notes adj 0",
      "10 com.example.notes background-mode 1 mode=service",
      "10 com.example.mail background-launch",
      "10 com.example.mail footprint \(1000 * 1024) derived=1",
      "10 com.example.mail adj 0",
      "10 com.example.mail background-mode 1 mode=service",
      "10 system-memory \(22_600 * 1024)", "20 end reason=complete",
    ]
    #expect(summary(trace).filter { !$0.contains("zygote64") } == rows)
    #expect(
      issues(trace) == [
        "info 2 a process of the sampling itself (ps and the shells that run it)"
      ])
  }

  @Test(
    "Processes that no zygote made are native and pinned; root's say so; scores are no ranks",
    arguments: [
      (
        """
        USER PID PPID OOM RSS NAME
        root 1 0 0 900 init
        root 300 1 1 3000 zygote64
        system 310 1 2 2000 surfaceflinger
        system 390 300 666 4000 com.android.settings
        u0_a1 400 300 670 3640 com.example.notes
        """, true
      ),
      (
        """
        USER PID RSS NAME
        root 1 900 init
        0 300 3000 zygote64
        1000 310 2000 surfaceflinger
        system 390 1000 com.android.settings
        u10_a12 400 640 notes
        """, false
      ),
    ])
  func natives(table: String, hasScores: Bool) throws {
    let trace = try load(
      "times: 5\nMemTotal: 100000 kB\nMemAvailable: 40000 kB\nps-result:\n\(table)\n")
    let pinned = summary(trace).filter { $0.contains(" pin ") || $0.contains("pinned") }
    #expect(
      pinned.count == 3
        && ["init", "zygote64", "surfaceflinger"].allSatisfy { name in
          pinned.contains { $0.contains(name) }
        }, "\(pinned)")
    #expect(!summary(trace).contains { $0.contains(" adj ") })
    let yaml = trace.header.appsYAML ?? ""
    let roots = yaml.split(separator: "\n").filter { $0.contains("uid: 0") }
    #expect(
      roots.count == 2
        && roots.allSatisfy { $0.contains("init") || $0.contains("zygote64") }, "\(yaml)")
    let text =
      "info 1 a column of OOM scores is ignored (oom_score_adj is in the column OOMADJ) @5"
    #expect(issues(trace).contains(text) == hasScores, "\(issues(trace))")
  }

  @Test("Processes that share more than is in use leave what is available as it was measured")
  func sharedByAll() throws {
    let trace = try load(
      """
      times: 5
      MemTotal: 1000 kB
      MemAvailable: 400 kB
      ps-result:
      PID RSS NAME
      7 640 a
      8 640 b

      """)
    // 1280 kB in 600: 30 parts of 64.
    #expect(
      summary(trace).filter { !$0.contains("footprint") }.prefix(4) == [
        "0 a present 307200 state=suspended", "0 b present 307200 state=suspended",
        "0 observed-available 409600", "0 system-memory 0",
      ])
  }

  @Test("A capture none of whose samples has a time says so, with the text")
  func noTimes() {
    let error = #expect(throws: TraceError.self) {
      try load("times: soon\nps-result:\nPID RSS NAME\n7 6 a\ntimes: now\n", as: .processSamples)
    }
    #expect(error?.what == "all of its 2 samples have a time that cannot be read, such as ' soon'")
    #expect(error?.line == 1)
  }

  @Test("Who is missing from a listing that is cut off did not end")
  func cutListing() throws {
    let cut = try #require(Self.fixture.range(of: "com.example.mail"))
    let trace = try load(String(Self.fixture[..<cut.lowerBound]) + "com.ex")
    #expect(!summary(trace).contains { $0.hasPrefix("20") && $0.contains("observed-exit") })
    #expect(issues(trace).contains("data-loss 1 the last line has no end: it is cut off @30"))
  }

  @Test("Samples are recognised by content, and by no other format")
  func detection() {
    let bytes = Array(Self.fixture.utf8)
    #expect(
      TraceFormats.all.list.filter { $0.sniff(bytes.span) }.map(\.name) == ["process-samples"])
  }

  @Test("Bytes of every kind are read or refused")
  func damage() throws {
    try checkDamage(Self.fixture, as: .processSamples, mutations: 300)
  }

  @Test("--apps leaves processes out, and their memory becomes the system's")
  func filters() throws {
    var options = ImportOptions()
    options.apps = ["com.example.*"]
    let trace = try load(Self.fixture, options: options)
    #expect(trace.apps == ["com.example.game", "com.example.mail", "com.example.notes"])
    #expect(summary(trace).contains("0 system-memory \(354_288 * 1024)"))
  }
}
