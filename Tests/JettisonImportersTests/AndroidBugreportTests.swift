import Foundation
import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Bugreports of Android")
struct AndroidBugreportTests {
  static let fixture = """
    ========================================================
    == dumpstate: 2021-01-01 00:10:00
    ========================================================

    Build: example-user 10 Q release-keys
    Build fingerprint: 'example/bird/bird:10/QP1A/1:user/release-keys'
    ------ UPTIME (uptime) ------
     00:10:01 up 3 min,  0 users,  load average: 6.04, 1.67, 0.57
    ------ MEMORY INFO (/proc/meminfo) ------
    MemTotal:        2000000 kB
    MemAvailable:     700000 kB
    ------ 0.001s was the duration of 'MEMORY INFO' ------
    ------ PROCRANK (/system/xbin/su root procrank) ------
      PID       Vss      Rss      Pss      Uss     Swap    PSwap    USwap    ZSwap  cmdline
      300  7805100K  269040K    1000K   92812K     200K     100K       0K       0K  com.example.notes
      400  7805100K  269040K    5000K   92812K       0K       0K       0K       0K  /system/bin/lmkd
                               ------   ------   ------   ------   ------   ------  ------
                              883746K  703352K       0K       0K       0K       0K  TOTAL
    ------ 1.500s was the duration of 'PROCRANK' ------
    ------ SYSTEM LOG (logcat -v threadtime -v printable -v uid -d *:v) ------
    --------- beginning of main
    12-31 23:59:40.000  1000   929  1349 I ActivityManager: Killing 2745:com.example.old/u0a90 (adj 985): empty #17
    *** command 'logcat -v threadtime' failed: timed out
    ------ EVENT LOG (logcat -b events -v threadtime -v printable -v uid -d *:v) ------
    12-31 23:59:30.000  1000   929  1349 I am_pss  : [300,10050,com.example.notes,2048000,1024,0,4096000,0,2,5]
    12-31 23:59:40.000  1000   929  1349 I am_kill : [0,2745,com.example.old,985,empty #17]
    01-01 00:00:10.000 10050   300   300 I am_on_paused_called: [0,com.example.notes.Main,performPause]
    01-01 00:00:10.300 10060   310   310 I am_on_resume_called: [0,com.example.mail.Inbox,RESUME_ACTIVITY]
    01-01 00:00:30.000  1000   929  1349 I am_meminfo: [1000,2000,300,400,50000]
    ------ LAST LOGCAT (logcat -L -b all -v threadtime -v printable -v uid -d *:v) ------
    *** command 'logcat -L -b all -v threadtime' failed: exit code 1
    ------ DUMPSYS HIGH (/system/bin/dumpsys) ------
    -------------------------------------------------------------------------------
    DUMP OF SERVICE HIGH meminfo:
    Applications Memory Usage (in Kilobytes):

    ** MEMINFO in pid 300 [com.example.notes] **
            TOTAL    66935     3668    23032    56204    47752     3860        0    45638

    Total PSS by process:
          6,000K: lmkd (pid 400)
          3,000K: com.example.notes (pid 300)
          1,500K: com.example.mail (pid 310 / activities)

    Total PSS by OOM adjustment:
          6,000K: Native
              6,000K: lmkd (pid 400)
          3,000K: A Services
              3,000K: com.example.notes (pid 300)        (    1,000K in swap)
          1,500K: Foreground
              1,500K: com.example.mail (pid 310 / activities)

    Total PSS by category:
          9,000K: Native

    Total RAM: 2,000,000K (status normal)
     Free RAM:   600,000K (   50,000K cached pss +   150,000K cached kernel +   400,000K free)
     Used RAM: 1,300,000K (1,200,000K used pss +   100,000K kernel)
     Lost RAM:    20,000K
         ZRAM:     5,000K physical used for    10,000K in swap (  524,284K total swap)
    --------- 2.000s was the duration of dumpsys meminfo, ending at: 2021-01-01 00:10:22
    -------------------------------------------------------------------------------
    DUMP OF SERVICE media.camera:
    *** SERVICE 'media.camera' DUMP TIMEOUT (10000ms) EXPIRED ***
    --------- 10.000s was the duration of dumpsys media.camera, ending at: 2021-01-01 00:10:32
    ------ SYSTEM PROPERTIES (getprop) ------
    [ro.build.version.sdk]: [29]
    [ro.product.model]: [Bird]
    ------ DUMPSYS (/system/bin/dumpsys) ------
    DUMP OF SERVICE alarm:
      nowRTC=1609452640250=2021-01-01 00:10:40.250 nowELAPSED=135819
    DUMP OF SERVICE usagestats:
    user=0
      Last 24 hour events (timeRange="12/31/2020, 12:10 AM – 1/1/2021, 12:10 AM" )
        time="2020-12-31 23:58:00" type=ACTIVITY_RESUMED package=com.example.mail class=com.example.mail.Inbox flags=0x0
        time="2020-12-31 23:59:00" type=ACTIVITY_PAUSED package=com.example.mail class=com.example.mail.Inbox flags=0x0
        time="2020-12-31 23:59:00" type=ACTIVITY_RESUMED package=com.example.notes class=com.example.notes.Main flags=0x0
        time="2021-01-01 00:00:10" type=ACTIVITY_RESUMED package=com.example.mail class=com.example.mail.Inbox flags=0x0
    --------- 0.075s was the duration of dumpsys usagestats, ending at: 2021-01-01 00:10:50
    """

  @Test("Logs, listings and usage of a report become one trace")
  func report() throws {
    let trace = try load(Self.fixture)
    #expect(
      trace.header.source
        == "bugreport of Android, Bird, example/bird/bird:10/QP1A/1:user/release-keys, "
        + "2000000 kB of RAM")
    #expect(trace.header.start == "2020-12-31T23:58:00+02:00")
    #expect(
      summary(trace) == [
        "0 com.example.old present state=suspended;shown=0",
        "0 lmkd present 5120000 state=suspended",
        "0 lmkd pin 1 reason=user",
        "0 com.example.mail launch",
        "60 com.example.notes launch",
        "90 com.example.notes footprint 2048000",
        "100 com.example.old observed-exit cause=other;band=985",
        "130.3 com.example.mail launch",
        // Native processes are apps here, so they are no part of the system.
        "150 observed-available 3000", "150 system-memory 700",
        "721 observed-available 716800000",
        // PSS and its share of the swap.
        "721.001 com.example.notes footprint 1126400",
        // The listing is of the moment at which its making began.
        "740 lmkd footprint 6144000",
        "740 com.example.notes footprint 3072000",
        "740 com.example.notes background-mode 1 mode=service",
        "740 com.example.mail footprint 1536000",
        // Cached by the kernel and free; the kernel, what is lost, what zram takes.
        "740 observed-available 563200000", "740 system-memory 128000000",
        "740 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "data-loss 1 a section of the report ends early: what follows in it is lost @23",
        "info 1 a section of the report could not be made @31",
        "info 1 a section of the report ran out of time @64",
        "info 1 a usage event from the time of the log, which has it too @78",
      ])
  }

  @Test("A report that is cut off in a line of its log or of a list does not tell that line")
  func cutLine() throws {
    for (mark, lost) in [
      ("com.example.mail (pid 310 / act", "com.example.mail"),
      ("I am_on_resume_called: [0,com.example.mail.Inb", "com.example.mail"),
    ] {
      let end = try #require(Self.fixture.range(of: mark))
      let trace = try load(String(Self.fixture[..<end.upperBound]))
      let line = Self.fixture[..<end.upperBound].split(
        separator: "\n", omittingEmptySubsequences: false
      ).count
      #expect(
        issues(trace).contains("data-loss 1 the last line has no end: it is cut off @\(line)"),
        "\(issues(trace))")
      #expect(!summary(trace).contains { $0.contains("\(lost) footprint") })
    }
  }

  @Test("A report of resident sets alone marks them as derived")
  func residents() throws {
    let trace = try load(
      """
      == dumpstate: 2024-05-05 10:00:00
      ------ PROCRANK (procrank) ------
        PID      Vss      Rss      Pss      Uss  cmdline
        300  7805100K  269040K    1000K   92812K  com.example.notes
      ------ 1.000s was the duration of 'PROCRANK' ------
      DUMP OF SERVICE meminfo:
      Total RSS by process:
          6,000K: com.example.notes (pid 300)
      Total RSS by OOM adjustment:
          6,000K: Cached
      """)
    #expect(
      summary(trace) == [
        "0 com.example.notes present 1024000 state=suspended",
        "1 com.example.notes footprint 6144000 derived=1", "1 end reason=complete",
      ])
    #expect(trace.header.source?.contains("resident sets") == true)
  }

  @Test("A report is recognised, and its archive names the tool that opens it")
  func sniffing() throws {
    let bytes = Array(Self.fixture.utf8)
    let isReport = TraceFormat.androidBugreport.sniff(bytes.span)
    #expect(isReport)
    let zip = [UInt8]([0x50, 0x4B, 0x03, 0x04]) + Array(repeating: 1, count: 99)
    #expect { try load(zip) } throws: { "\($0)".contains("unzip -p") }
    #expect(throws: TraceError.self) { try load("a\n", as: .androidBugreport) }
  }

  /// The lists of the activity manager in today's layout, and its own in words of Android 4.
  static let lists = """
    == dumpstate: 2021-01-01 00:10:00
    ------ EVENT LOG (logcat -b events -d) ------
    01-01 00:00:30.000  1000   929  1349 I am_low_memory: 7
    DUMP OF SERVICE CRITICAL activity:
    ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)
        #1: cch    CEM  999:com.example.no.list/u0a1
    --------- 0.151s was the duration of dumpsys activity, ending at: 2021-01-01 00:10:08
    DUMP OF SERVICE activity:
    ACTIVITY MANAGER LRU PROCESSES (dumpsys activity lru)
      Activities:
        #8: fore   TOP  1878:com.example.home/u0a82  activity=activities|recents
      Other:
        #7: svc    SVC  3225:com.example.embms:remote/u0a76
        #6: cch+ 5 CEM  3663:com.example.notes/u10a36i4
        #5: prev   LAST 3664:com.example.mail/u0a37
        #4: vis+1  BFGS 1804:com.example.ext/u0a36
        #3: pers   PER  1497:com.example.ui/u0a87
        #2: odd    PER  1498:com.example.odd/u0a87
        #1: cch+ 5 CEM  1499:com.example.cut
        #0: sys    PER  929:system/1000

    -------------------------------------------------------------------------------
    ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)
      *APP* UID 10039 ProcessRecord{6d4467 3091:com.example.notes/u0a39}
        #9: cch+ 5 CEM  9999:com.example.no.list/u0a39
      Process LRU list (sorted by oom_adj, 29 total, non-act at 1, non-svc at 1):
        PERS #28: sys    F/ /PER  trm: 0 929:system/1000 (fixed)
        Proc # 3: bak+2  B/ /CEM  trm: 0 3665:com.example.game/u0a90 (bg-empty)
            com.example.game/.Service<=Proc{929:system/1000}
    --------- 2.000s was the duration of dumpsys activity, ending at: 2021-01-01 00:10:22
    """

  @Test("The activity manager's lists tell the rank and the state of every process")
  func ranks() throws {
    let trace = try load(Self.lists)
    let rows = summary(trace).filter { !$0.contains("present") }
    #expect(
      rows == [
        "0 com.example.embms:remote background-mode 1 mode=service",
        "0 com.example.ext background-mode 1 mode=service",
        "0 com.example.ui pin 1 reason=user", "0 system pin 1 reason=user",
        "0 com.example.home adj 0", "0 com.example.embms:remote adj 500",
        "0 com.example.notes adj 905", "0 com.example.mail adj 700", "0 com.example.ext adj 101",
        "0 com.example.ui adj -800", "0 system adj -900", "0 com.example.game adj 902",
        "0 observed-warning 2", "590 end reason=complete",
      ], "\(rows)")
    #expect(
      issues(trace) == [
        "error 2 a process in a list of the activity manager whose rank or name is not known @18"
      ])
  }

  @Test("What the lists call empty had not been shown before, unless the log knows better")
  func emptyProcesses() throws {
    func present(_ text: String) throws -> [String] {
      summary(try load(text)).filter { $0.contains("present") && $0.contains("shown=0") }
    }
    let text = Self.lists
    #expect(
      try present(text) == [
        "0 com.example.notes present state=suspended;shown=0",
        "0 com.example.game present state=suspended;shown=0",
      ])
    // Android 8 and before have words of two letters.
    let old = text.replacing("CEM  3663", with: "CE  3663").replacing("/CEM", with: "/CE ")
    #expect(try present(old) == present(text))
    let log = "01-01 00:00:30.000  1000   929  1349 I am_low_memory: 7"
    let shown = "01-01 00:00:20.000 10039 3663 3663 I am_on_resume_called: [0,com.example.A,x]"
    #expect(try present(text.replacing(log, with: "\(shown)\n    \(log)")).count == 1)
    // A sample says the state of its process, too: the 20th state of Android 10 is the empty one.
    func sample(_ state: Int) throws -> [String] {
      try present(
        """
        == dumpstate: 2021-01-01 00:10:00
        ------ EVENT LOG (logcat -b events -d) ------
        01-01 00:00:30.000 1000 929 1349 I am_pss: [300,10050,mail,2048,1024,0,1,0,\(state),5]
        ------ SYSTEM PROPERTIES (getprop) ------
        [ro.build.version.sdk]: [29]
        """)
    }
    #expect(try sample(20) == ["0 mail present 2048 state=suspended;shown=0"])
    #expect(try sample(17).isEmpty)
    // So does the framework when it ends one empty process too many.
    let kill = "01-01 00:00:20.000 1000 929 1349 I am_kill: [0,2617,com.example.old,985,empty #17]"
    let killed = try present(text.replacing(log, with: "\(kill)\n    \(log)"))
    #expect(killed.contains("0 com.example.old present state=suspended;shown=0"))
    let cached = try present(
      text.replacing(log, with: "\(kill.replacing("empty", with: "cached"))\n    \(log)"))
    #expect(cached.count == 2)
  }

  @Test("Names in the lists may have controls, commas and other scripts")
  func rankedNames() throws {
    let name = "聊天\u{1}\u{7F}\"a;b,c=%#"
    let trace = try load(Self.lists.replacing("com.example.mail", with: name))
    #expect(trace.apps.contains(name))
    #expect(summary(trace).contains("0 \(name) adj 700"))
    try checkRoundTrip(trace)
  }

  @Test("A report without a date still gives its log")
  func undated() throws {
    let trace = try load(
      """
      == dumpstate: today
      ------ PROCRANK (procrank) ------
        PID      Vss      Rss      Pss      Uss  cmdline
        300  7805100K  269040K    1000K   92812K  com.example.notes
      ------ EVENT LOG (logcat -b events -d) ------
      01-01 00:00:30.000  1000   929  1349 I am_low_memory: 7
      """, as: .androidBugreport)
    #expect(summary(trace) == ["0 observed-warning 2", "0 end reason=complete"])
    #expect(
      issues(trace) == [
        "error 1 the date of the report is not yyyy-mm-dd hh:mm:ss @1",
        "error 1 a listing of memory or of processes in a report that has no date",
        "info 1 the log has no year (set `ImportOptions.year`)",
      ])
  }

  @Test("Durations and clocks of a hostile report do not run away")
  func hostileClock() throws {
    var lines = ["== dumpstate: 2199-12-31 23:59:59", "------ EVENT LOG (logcat -d) ------"]
    lines.append("12-31 23:59:58.000  1  1 I am_low_memory: 7")
    for _ in 0..<12_000 {
      lines.append("------ X (x) ------")
      lines.append("------ 999999.999s was the duration of 'X' ------")
    }
    lines += ["------ UPTIME (uptime) ------", " 00:00:01 up"]
    lines += ["------ MEMORY INFO (m) ------", "MemAvailable: 1 kB"]
    let trace = try load(lines.joined(separator: "\n"), as: .androidBugreport)
    #expect(trace.index.kindCounts[Int(EventKind.observedWarning.rawValue)] == 1)
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    try checkDamage(
      """
      == dumpstate: 2021-01-01 00:10:00
      Build fingerprint: 'e/b/b:10/Q/1:user/k'
      ------ UPTIME (uptime) ------
       00:10:01 up 3 min
      ------ MEMORY INFO (/proc/meminfo) ------
      MemAvailable:     700000 kB
      ------ 0.001s was the duration of 'MEMORY INFO' ------
      ------ PROCRANK (procrank) ------
        PID  Rss  Pss  PSwap  cmdline
        300  2K  100K  5K  /bin/a
      ------ EVENT LOG (logcat -d) ------
      12-31 23:59:30.0  1 1 1 I am_pss  : [300,1,com.a,204,10,0,4096000,0,2,5]
      DUMP OF SERVICE HIGH meminfo:
      Total PSS by OOM adjustment:
        6,000K: Native
          6,000K: lmkd (pid 400)
       Free RAM:   600K (   50K cached pss +   150K cached kernel +   400K free)
       Used RAM: 1,300K (1,200K used pss +   100K kernel)
      --------- 2.000s was the duration of dumpsys meminfo, ending at: 2021-01-01 00:10:22
      DUMP OF SERVICE alarm:
        nowRTC=1609452640250=2021-01-01 00:10:40.250 x
      """, as: .androidBugreport, mutations: 400)
    try checkDamage(Self.lists, as: .androidBugreport, mutations: 400)
  }
}
