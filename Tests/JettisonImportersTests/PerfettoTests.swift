import Foundation
import JettisonCore
import JettisonImporters
import JettisonPerfetto
import JettisonTestSupport
import JettisonTraces
import PerfettoMessages
import Testing

@Suite("Perfetto traces")
struct PerfettoTests {
  /// A phone: two apps, one started in the background, one killed for want of memory.
  static func phone() throws -> PerfettoFixture {
    var fixture = try PerfettoFixture()
    try fixture.tree(
      at: 1000,
      [
        (1, 0, "/system/bin/init"), (2, 0, "kthreadd"), (3, 2, "kworker/0:0"),
        (300, 1, "zygote64"), (500, 300, "com.example.notes"), (600, 300, "com.example.game"),
      ], threads: [(500, 500), (501, 500)])
    try fixture.poll(
      at: 1001,
      [
        (1, 1000, 0, 24, -1000), (300, 10_000, 0, 0, -1000), (500, 60_000, 500, 1500, 0),
        (600, 30_000, 0, 2000, 900),
      ])
    try fixture.meminfo(at: 1001.002, total: 2_000_000, available: 1_500_000)
    // Processor 1 comes first in the trace, though what happened there came last.
    try fixture.ftrace(
      cpu: 1,
      [
        (1020, 200, .print("B|200|lmk,500,3,905,61000,12\n")), (1020.04, 501, .exit(501, of: 500)),
        (1020.05, 500, .exit(500, of: 500, "example.notes")),
        (1021, 700, .exit(700, of: 700, "example.sync")),
      ])
    try fixture.ftrace(
      cpu: 0,
      [
        (1005.3, 250, .score(600, 0)), (1006, 250, .score(500, 700)),
        (1010, 250, .score(500, 905)), (1012, 300, .newTask(700, "main", score: -1000)),
        (1012.1, 700, .newTask(701, "Binder", flags: 0x10000)), (1012.4, 250, .score(700, 200)),
      ])
    try fixture.log(at: 1005, "wm_on_paused_called", pid: 500, [("Token", .intValue(1))])
    try fixture.log(at: 1005.2, "wm_on_resume_called", pid: 600, [("Token", .intValue(2))])
    try fixture.tree(at: 1012.5, [(700, 300, "com.example.sync")])
    // Only what changed is written.
    try fixture.poll(at: 1013, [(500, nil, nil, nil, nil), (700, 15_000, 0, 0, nil)])
    try fixture.meminfo(at: 1022, total: 2_000_000, available: 1_560_000)
    return fixture
  }

  /// Worked by hand: 500 holds 62 000 kB, less the 10 000 kB of its zygote; in use are 500 000 kB,
  /// of which 1024 + 10 000 + 52 000 + 22 000 kB are those of apps.
  static let phoneRows = [
    "0 /system/bin/init present 1048576 state=background",
    "0 zygote64 present 10240000 state=background",
    "0 com.example.notes present 53248000 state=front",
    "0 com.example.notes footprint 53248000 derived=1",
    "0 com.example.game present 22528000 state=suspended",
    "0 com.example.game footprint 22528000 derived=1",
    "0 /system/bin/init background-mode 1 mode=service",
    "0 zygote64 background-mode 1 mode=service",
    "0 /system/bin/init pin 1 reason=user",
    "0 zygote64 pin 1 reason=user",
    "0 /system/bin/init adj -1000",
    "0 zygote64 adj -1000",
    "0 com.example.notes adj 0",
    "0 com.example.game adj 900",
    "0.002 observed-available 1536000000",
    "0.002 system-memory 424935424",
    "4 com.example.notes background-mode 1 mode=service",
    "4.2 com.example.game launch",
    "4.3 com.example.game adj 0",
    "5 com.example.notes adj 700",
    "9 com.example.notes adj 905",
    "9 com.example.notes background-mode 0 mode=service",
    "11 com.example.sync background-launch",
    "11 com.example.sync adj -1000",
    "11 com.example.sync pin 1 reason=user",
    "11 com.example.sync background-mode 1 mode=service",
    "11.4 com.example.sync adj 200",
    "11.4 com.example.sync pin 0 reason=user",
    "12 com.example.sync footprint 5120000 derived=1",
    "19.05 com.example.notes observed-exit cause=low-memory;band=905",
    "20 com.example.sync exit",
    "21 observed-available 1597440000",
    "21 system-memory 416743424",
    "21 end reason=complete",
  ]

  @Test("Polls, scores, forks, kills and activities become the life of every process")
  func phone() throws {
    let trace = try load(Self.phone().bytes)
    #expect(summary(trace) == Self.phoneRows)
    #expect(issues(trace) == [])
    #expect(trace.header.start == "2020-09-13T12:43:21+00:00")
    #expect(trace.header.source?.contains("in front: by resumed activities") == true)
    try checkRoundTrip(trace)
  }

  @Test("The order of the packets does not matter")
  func orderOfPackets() throws {
    let fixture = try Self.phone()
    let ends = fixture.places.dropFirst() + [fixture.bytes.count]
    let packets = zip(fixture.places, ends).map { Array(fixture.bytes[$0..<$1]) }
    let turned = [packets[0]] + packets.dropFirst().reversed()
    #expect(try summary(load(turned.flatMap { $0 })) == Self.phoneRows)
  }

  @Test("Only the chosen apps come into the trace, the memory of the others is the system's")
  func chosenApps() throws {
    var options = ImportOptions()
    options.apps = ["com.example.g*"]
    let trace = try load(Self.phone().bytes, options: options)
    #expect(trace.apps == ["com.example.game"])
    // 500 000 kB − 22 000 kB.
    #expect(summary(trace).contains("0.002 system-memory 489472000"))
  }

  @Test(
    "The trace shows which killer ended a process: lmkd's three forms, the two kernels' killers",
    arguments: [
      ("C|200|kill_one_process|500", "cause=low-memory;band=900"),
      ("B|200|lmk,500,1,950,1000", "cause=low-memory;band=950"),
      ("I|200|lmk,500,1,950,1000", "cause=low-memory;band=950"),
      ("N|200|lowmemorykiller|lmk,500,1,950", "cause=low-memory;band=950"),
      ("kernel", "cause=low-memory;band=900"), ("oom", "cause=low-memory;band=900"),
    ])
  func kills(_ text: String, _ detail: String) throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "com.example.notes")])
    try fixture.poll(at: 1000, [(500, 100, nil, nil, 900)])
    let event: PerfettoFtraceEvent.OneOf_Event
    switch text {
    case "kernel":
      var kill = PerfettoLowmemoryKillFtraceEvent()
      kill.pid = 500
      event = .lowmemoryKill(kill)
    case "oom":
      var victim = PerfettoMarkVictimFtraceEvent()
      victim.pid = 500
      event = .markVictim(victim)
    default: event = .print(text + "\n")
    }
    try fixture.ftrace([
      (1002, 200, event), (1002.5, 200, .print("C|200|kill_one_process|0\n")),
      (1003, 500, .exit(500, of: 500)),
    ])
    let rows = try summary(load(fixture.bytes))
    #expect(rows.contains("3 com.example.notes observed-exit \(detail)"), "\(rows)")
  }

  @Test(
    "The log has starts, deaths and their reasons",
    arguments: [
      ("am_kill", "empty for 1800s", "observed-exit cause=other;band=985"),
      ("am_kill", "bg anr", "observed-exit cause=not-responding;band=985"),
      ("am_kill", "remove task", "quit"),
      ("am_kill", "stop com.example.notes due to installPackageLI", "update"),
      ("am_kill", "MemoryLimiter:AnonSwap", "observed-exit cause=memory-limiter;band=985"),
      (
        "am_kill", "excessive cpu 9100 during 300052",
        "observed-exit cause=excessive-resource-use;band=985"
      ),
      ("killinfo", "", "observed-exit cause=low-memory;band=985"),
      ("am_crash", "", "crash"),
    ])
  func logOfActivityManager(_ tag: String, _ reason: String, _ row: String) throws {
    var fixture = try PerfettoFixture()
    try fixture.poll(at: 1000, [(300, 100, nil, nil, -1000)])
    try fixture.log(
      at: 1001, "am_proc_start",
      [
        ("User", .intValue(0)), ("PID", .intValue(500)), ("UID", .intValue(10_001)),
        ("Process Name", .stringValue("com.example.notes")),
      ])
    try fixture.log(
      at: 1002, tag,
      [
        ("Pid", .intValue(500)), ("Process Name", .stringValue("com.example.notes")),
        ("OomAdj", .intValue(985)), ("Reason", .stringValue(reason)),
      ])
    try fixture.log(
      at: 1002.5, "am_proc_died",
      [("PID", .intValue(500)), ("Process Name", .stringValue("com.example.notes"))])
    let rows = try summary(load(fixture.bytes))
    let end = tag == "am_crash" ? "2" : "2.5"
    #expect(
      rows.filter { $0.contains("notes") } == [
        "1 com.example.notes background-launch", "\(end) com.example.notes \(row)",
      ])
  }

  @Test("A kill that the log reports after the end is the cause of that end")
  func lateCause() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "com.example.notes")])
    try fixture.poll(at: 1000, [(500, 100, nil, nil, 900)])
    try fixture.ftrace([(1003, 500, .exit(500, of: 500))])
    try fixture.log(
      at: 1003.4, "am_kill",
      [("PID", .intValue(500)), ("OomAdj", .intValue(910)), ("Reason", .stringValue("empty #17"))])
    #expect(
      try summary(load(fixture.bytes)).contains(
        "3 com.example.notes observed-exit cause=other;band=910"))
  }

  @Test("A process id that is given anew begins a new life")
  func reusedProcessID() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "first")])
    try fixture.poll(at: 1000, [(500, 100, nil, nil, nil)])
    try fixture.ftrace([
      (1001, 500, .exit(500, of: 500)), (1002, 1, .newTask(500, "second")),
      (1003, 1, .newTask(500, "third")), (1004, 500, .exit(500, of: 500, "third")),
    ])
    let trace = try load(fixture.bytes)
    #expect(
      summary(trace) == [
        "0 first present 102400 state=suspended", "1 first exit", "2 second background-launch",
        "3 second observed-exit", "3 third background-launch", "4 third exit",
        "4 end reason=complete",
      ])
    #expect(
      issues(trace).contains(
        "info 1 a process id is given anew while its process lives: that life ends there"))
  }

  @Test("A poll is stamped with its beginning: it does not bear a process before its fork")
  func pollAcrossFork() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(1, 0, "init")])
    try fixture.poll(at: 1001, [(1, 100, nil, nil, nil), (500, 50, nil, nil, nil)])
    try fixture.ftrace([(1001.2, 1, .newTask(500, "child"))])
    try fixture.poll(at: 1002, [(500, 70, nil, nil, nil)])
    #expect(
      try summary(load(fixture.bytes)) == [
        "0 init present 102400 state=suspended", "0.2 child background-launch",
        "1 child footprint 71680", "1 end reason=complete",
      ])
  }

  @Test("Counters of the kernel tell memory between the polls, also of other address spaces")
  func counters() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "com.example.notes")], threads: [(501, 500)])
    try fixture.ftrace([
      (1001, 501, .rss(1, 4096)), (1002, 501, .rss(3, 8192)),
      (1003, 77, .rss(1, 40_960, isOwn: false)),
      (1004, 77, .rss(1, 1, isOwn: false, space: 1)), (1005, 501, .rss(0, 999)),
      (1006, 500, .rss(2, 100)),
    ])
    let trace = try load(fixture.bytes)
    #expect(
      summary(trace) == [
        "0 com.example.notes present 4096 state=suspended",
        "1 com.example.notes footprint 12288", "2 com.example.notes footprint 49152",
        "5 com.example.notes footprint 49252", "5 end reason=complete",
      ])
    #expect(
      issues(trace).contains {
        $0.hasPrefix("info 1 a counter of memory whose process is not known")
      })
  }

  @Test("Names and parents that come late hold from the first counter on")
  func lateTree() throws {
    var fixture = try PerfettoFixture()
    try fixture.ftrace([
      (1000.1, 500, .rss(1, 60 << 20, space: 5)), (1000.2, 500, .rss(3, 4 << 20, space: 5)),
      (1000.3, 300, .rss(1, 50 << 20, space: 3)), (1000.4, 300, .rss(3, 9 << 20, space: 3)),
    ])
    try fixture.tree(at: 1001, [(300, 1, "zygote64"), (500, 300, "com.example.notes")])
    // 60 - 50 MiB; of shared memory the zygote has more: nothing is left of it.
    let rows = try summary(load(fixture.bytes)).filter { $0.contains("notes") }
    #expect(
      rows == [
        "0 com.example.notes present 10485760 state=suspended",
        "0 com.example.notes footprint 10485760 derived=1",
      ])
  }

  @Test("What a zygote shares is taken off each kind of memory, none below zero")
  func sharedKinds() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(300, 1, "zygote64"), (500, 300, "com.example.small")])
    try fixture.poll(
      at: 1001, [(300, 10_000, 0, 20_000, nil), (500, 5000, 0, 30_000, nil)])
    #expect(
      try summary(load(fixture.bytes)).contains(
        "0 com.example.small present 10240000 state=suspended"))
  }

  @Test("The system's launches bring apps to the front and tell how long it took")
  func launches() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "com.example.notes")])
    try fixture.poll(at: 1000, [(500, 100, nil, nil, 900)])
    try fixture.ftrace([
      (1001, 9, .print("S|200|launchingActivity#7|0\n")),
      (1001.5, 9, .print("F|200|launchingActivity#7|0\n")),
      (1001.5, 9, .print("I|200|launchingActivity#7:completed-hot:com.example.notes\n")),
      (1002, 9, .print("S|200|launchingActivity#8|0\n")),
      (1002.5, 9, .print("F|200|launchingActivity#8|0\n")),
      (1002.5, 9, .print("I|200|launchingActivity#8:canceled:com.example.mail\n")),
    ])
    #expect(
      try summary(load(fixture.bytes)) == [
        "0 com.example.notes present 102400 state=suspended", "0 com.example.notes adj 900",
        "1 com.example.notes launch",
        "1.5 com.example.notes observed-launch 500000000 kind=hot", "2.5 end reason=complete",
      ])
  }

  @Test("The freezer decides whether a process runs code")
  func freezer() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "com.example.notes")])
    try fixture.poll(at: 1000, [(500, 100, nil, nil, 900)])
    try fixture.ftrace([
      (1001, 9, .print("N|200|Freezer|Unfreeze com.example.notes:500 4\n")),
      (1002, 9, .score(500, 905)),
      (1003, 9, .print("N|200|Freezer|Freeze com.example.notes:500\n")),
    ])
    #expect(
      try summary(load(fixture.bytes)) == [
        "0 com.example.notes present 102400 state=suspended", "0 com.example.notes adj 900",
        "1 com.example.notes background-mode 1 mode=service", "2 com.example.notes adj 905",
        "3 com.example.notes background-mode 0 mode=service", "3 end reason=complete",
      ])
  }

  @Test("Proportional sizes stand for resident ones, and no zygote is taken off")
  func proportionalSizes() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(300, 1, "zygote64"), (500, 300, "com.example.notes")])
    try fixture.add(at: 1001) { packet in
      for (pid, size) in [(300, 7), (500, 40)] as [(Int32, UInt64)] {
        var process = PerfettoProcessStats.Process()
        process.pid = pid
        process.rssAnonKb = 1000
        process.smrPssAnonKb = size
        process.smrPssShmemKb = 2
        process.smrSwapPssKb = 3
        packet.processStats.processes.append(process)
      }
    }
    #expect(
      try summary(load(fixture.bytes)).prefix(2) == [
        "0 zygote64 present 12288 state=suspended",
        "0 com.example.notes present 46080 state=suspended",
      ])
  }
}

// MARK: - Who is in front

extension PerfettoTests {
  private static func twoApps() throws -> PerfettoFixture {
    var fixture = try PerfettoFixture()
    try fixture.tree(
      at: 1000,
      [(500, 1, "com.example.notes"), (600, 1, "com.example.game"), (700, 1, "com.example.sync")])
    try fixture.poll(
      at: 1000,
      [(500, 1, nil, nil, 0), (600, 1, nil, nil, 900), (700, 1, nil, nil, 900)])
    return fixture
  }

  @Test("Without activities and frames, in front is who comes to score 0")
  func frontByScore() throws {
    var fixture = try Self.twoApps()
    try fixture.ftrace([
      (1005, 9, .score(500, 700)), (1005.5, 9, .score(600, 0)), (1020, 9, .score(600, 900)),
      (1030, 9, .score(500, 0)),
    ])
    let trace = try load(fixture.bytes)
    #expect(
      summary(trace) == [
        "0 com.example.notes present 1024 state=front",
        "0 com.example.game present 1024 state=suspended",
        "0 com.example.sync present 1024 state=suspended",
        "0 com.example.notes adj 0", "0 com.example.game adj 900", "0 com.example.sync adj 900",
        "5 com.example.notes adj 700", "5 com.example.notes background-mode 1 mode=service",
        "5.5 com.example.game adj 0", "5.5 com.example.game launch",
        "20 com.example.game adj 900", "20 home",
        "30 com.example.notes adj 0", "30 com.example.notes launch",
        "30 com.example.notes background-mode 0 mode=service", "30 end reason=complete",
      ])
    #expect(
      issues(trace).contains(
        "info 1 no resumed activity and no frame: in front is who comes to oom_score_adj 0"))
  }

  @Test("Where frames are shown, a process of score 0 that draws none is not in front")
  func frontByFrames() throws {
    var fixture = try Self.twoApps()
    func frame(_ fixture: inout PerfettoFixture, _ seconds: Double, _ pid: Int32) throws {
      // Frames are told on the monotonic clock, which is 100 s behind.
      try fixture.add(at: seconds - 100, clock: 3) {
        $0.frameTimelineEvent.actualSurfaceFrameStart.pid = pid
      }
    }
    try frame(&fixture, 1001, 500)
    try fixture.ftrace([
      (1004, 9, .score(700, 0)), (1005, 9, .score(600, 0)), (1006, 9, .score(500, 100)),
    ])
    try frame(&fixture, 1005.1, 600)
    try frame(&fixture, 1007, 500)
    #expect(
      try summary(load(fixture.bytes)) == [
        "0 com.example.notes present 1024 state=front",
        "0 com.example.game present 1024 state=suspended",
        "0 com.example.sync present 1024 state=suspended",
        "0 com.example.notes adj 0", "0 com.example.game adj 900", "0 com.example.sync adj 900",
        "4 com.example.sync adj 0", "4 com.example.sync background-mode 1 mode=service",
        "5 com.example.game adj 0", "5 com.example.game background-mode 1 mode=service",
        "5.1 com.example.game launch", "5.1 com.example.game background-mode 0 mode=service",
        "5.1 com.example.notes background-mode 1 mode=service", "6 com.example.notes adj 100",
        "7 end reason=complete",
      ])
  }

  @Test("Where nothing is cached, score 0 means nothing: other systems give it to all")
  func noFront() throws {
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, [(500, 1, "editor"), (600, 1, "browser")])
    try fixture.poll(at: 1000, [(500, 1, nil, nil, 0), (600, 1, nil, nil, 300)])
    try fixture.ftrace([(1005, 9, .score(600, 0))])
    let trace = try load(fixture.bytes)
    #expect(!summary(trace).contains { $0.contains("launch") })
    #expect(
      issues(trace).contains("info 1 nothing shows which app is in front: there are no launches"))
  }

  @Test("An app that never leaves the front came there at the beginning")
  func frontForever() throws {
    let fixture = try Self.twoApps()
    #expect(
      try summary(load(fixture.bytes)).contains("0 com.example.notes launch"))
  }

  @Test("The screen's state comes from the log")
  func screen() throws {
    var fixture = try Self.twoApps()
    try fixture.log(at: 1003, "screen_toggled", [("screen_state", .intValue(0))])
    try fixture.log(at: 1004, "screen_toggled", [("screen_state", .intValue(1))])
    let rows = try summary(load(fixture.bytes))
    #expect(rows.contains("3 screen 0"))
    #expect(rows.contains("4 screen 1"))
  }
}

// MARK: - Clocks, gaps and damage

extension PerfettoTests {
  @Test("Without a snapshot of the clocks the trace has no date, and other clocks are not read")
  func noClocks() throws {
    var fixture = try PerfettoFixture(hasClocks: false)
    try fixture.poll(at: 50, [(500, 1, nil, nil, nil)])
    try fixture.log(at: 51, "am_proc_died", [("PID", .intValue(500))])
    let trace = try load(fixture.bytes)
    #expect(trace.header.start == nil)
    #expect(
      summary(trace) == ["0 process 500 present 1024 state=suspended", "0 end reason=complete"])
    #expect(trace.issues.count(atLeast: .error) == 1)
  }

  @Test("A trace says what its capture lacks")
  func lacks() throws {
    var fixture = try PerfettoFixture()
    try fixture.ftrace([(1001, 9, .print("B|500|activityResume\n"))])
    let trace = try load(fixture.bytes)
    #expect(summary(trace).dropFirst() == ["0 process 500 launch", "0 end reason=complete"])
    #expect(
      issues(trace).map { $0.prefix(24) } == [
        "info 1 no memory of proc", "info 1 no MemAvailable (", "info 1 no oom_score_adj:",
        "info 1 no end of a proce",
      ])
  }

  @Test("Lost, dropped, overwritten and compressed data is counted as such")
  func losses() throws {
    var fixture = try Self.twoApps()
    try fixture.ftrace([(1001, 9, .score(500, 0))]) { $0.lostEvents = true }
    try fixture.add(at: 1002) { $0.previousPacketDropped = 1 }
    try fixture.add(at: 1002, sequence: 99) { $0.previousPacketDropped = 1 }
    try fixture.add(at: 1003) { packet in
      var buffer = PerfettoTraceStats.BufferStats()
      buffer.traceWriterPacketLoss = 3
      buffer.chunksOverwritten = 1
      buffer.chunksDiscarded = 1
      packet.traceStats.bufferStats = [buffer]
    }
    let compressed = fixture.bytes.count
    // Field 50, three bytes.
    fixture.add(raw: [0x0A, 0x06, 0x92, 0x03, 0x03, 1, 2, 3])
    let trace = try load(fixture.bytes)
    #expect(trace.issues.count(atLeast: .dataLoss) == 5)
    let lines = trace.issues.all.filter { $0.severity == .dataLoss }.map(\.lines)
    #expect(
      lines == [
        [fixture.places[3]], [fixture.places[4]], [fixture.places[6]], [fixture.places[6]],
        [compressed],
      ])
  }

  @Test("Damage is located, costs its own packet and no other")
  func damagedPacket() throws {
    let fixture = try Self.phone()
    // The first meminfo packet: its length says that it reaches beyond the end of the trace.
    var bytes = fixture.bytes
    let place = fixture.places[3]
    bytes.replaceSubrange(place..<place + 2, with: [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    let trace = try load(bytes)
    #expect(
      summary(trace) == Self.phoneRows.filter { !$0.hasPrefix("0.002 ") })
    #expect(
      issues(trace) == [
        "data-loss 1 bytes outside any packet are skipped (places are byte offsets) @\(place)"
      ])
    // A shorter length leads into the middle of the packet.
    bytes = fixture.bytes
    bytes[place + 1] -= 3
    #expect(try summary(load(bytes)) == Self.phoneRows.filter { !$0.hasPrefix("0.002 ") })
  }

  @Test("A trace that is cut short keeps what came before")
  func cutShort() throws {
    let fixture = try Self.phone()
    let last = fixture.places[fixture.places.count - 1]
    let trace = try load(fixture.bytes.dropLast(2))
    #expect(summary(trace).last == "20 end reason=complete")
    #expect(
      issues(trace) == [
        "data-loss 1 the last packet is cut short (places are byte offsets) @\(last)"
      ])
  }

  @Test("Cut after every byte and changed at random, a trace is read or refused")
  func mutations() throws {
    let bytes = try Self.phone().bytes
    try withScratchFolder { folder in
      let file = folder.appendingPathComponent("damaged.pftrace")
      func read(_ bytes: [UInt8], _ what: String) throws {
        try Data(bytes).write(to: file)
        do throws(TraceError) {
          _ = try TraceLoader.load(file.path, format: .perfetto, formats: .all)
        } catch {
          // Refused with a reason: that is what is asked for.
          #expect(error.exitStatus == 65, "\(what): \(error)")
        }
      }
      for length in 0..<bytes.count { try read(Array(bytes.prefix(length)), "cut at \(length)") }
      var random = SplitMix64(seed: 7)
      for mutation in 0..<600 {
        var damaged = bytes
        for _ in 0...Int(random.next() % 4) {
          let place = Int(random.next() % UInt64(bytes.count))
          let choices = [UInt8(truncatingIfNeeded: random.next()), 0xFF, 0x7F, 0x0A]
          damaged[place] = choices[Int(random.next() % 4)]
        }
        try read(damaged, "mutation \(mutation)")
      }
    }
  }

  @Test("Names with commas, quotes, line ends and other scripts come through")
  func names() throws {
    let names = ["a,b", "\"quoted\"", "two\nlines", "日本語", "%41;=#", "\u{1}"]
    var fixture = try PerfettoFixture()
    try fixture.tree(at: 1000, names.enumerated().map { (Int32($0.offset + 10), 1, $0.element) })
    try fixture.poll(at: 1000, names.indices.map { (Int32($0 + 10), 1, nil, nil, nil) })
    let trace = try load(fixture.bytes)
    #expect(Set(trace.apps) == Set(names))
    try checkRoundTrip(trace)
  }

  @Test("Absurd sizes, times and numbers are refused or counted")
  func absurdNumbers() throws {
    var fixture = try PerfettoFixture()
    let large: UInt64 = 1 << 40
    var rows: [(Int32, UInt64?, UInt64?, UInt64?, Int64?)] = [
      (-1, .max, 1, 1, .min), (0, 1, 1, 1, 1), (.max, 1, 1, 1, 1),
    ]
    for number in Int32(1)...3000 { rows.append((number, large, large, large, .max)) }
    try fixture.poll(at: 1000, rows)
    try fixture.meminfo(at: 1001, total: 1 << 40, available: 1 << 40)
    try fixture.meminfo(at: 1001, total: .max, available: .max)
    for (ftrace, boot) in [(Int64.max, Int64.max), (1 << 61, 0), (0, 1 << 61), (.min, -1)] {
      try fixture.ftrace([(4_000_000_000, .max, .exit(.min, of: .min)), (0, 0, .score(7, 7))]) {
        $0.ftraceClock = .global
        $0.ftraceTimestamp = ftrace
        $0.bootTimestamp = boot
      }
    }
    for clock in [0, 1, 2, 63, 64, .max] as [UInt32] {
      try fixture.add(at: nil, sequence: 5) { packet in
        packet.timestampClockID = clock
        packet.timestamp = (1 << 62) - 1
        packet.processStats.processes = [PerfettoProcessStats.Process()]
      }
    }
    let trace = try load(fixture.bytes)
    #expect(trace.issues.count(atLeast: .error) > 0)
    #expect(trace.apps.count >= 3000)
  }

  @Test("Packets of a guest are counted and not mixed with the host's")
  func otherMachine() throws {
    let fixture = try Self.phone()
    // Field 98, machine 7, before a poll of process 500.
    let guest: [UInt8] = [
      0x90, 0x06, 0x07, 0x40, 0x00, 0x50, 0x09,
      0x4A, 0x07, 0x0A, 0x05, 0x08, 0xF4, 0x03, 0x20, 0x01,
    ]
    let trace = try load(fixture.bytes + [0x0A, UInt8(guest.count)] + guest)
    #expect(summary(trace) == Self.phoneRows)
    #expect(
      issues(trace).contains {
        $0.hasPrefix("info 1 a packet of another machine")
      })
  }

  @Test("A trace that is all false beginnings is searched in little time")
  func falseBeginnings() throws {
    // Each of them spans the rest of the trace and is no message at its very end.
    var bytes: [UInt8] = []
    while bytes.count < 300_000 { bytes += [0x0A, 0x80, 0x80, 0x04, 0x50, 0x01] }
    let fixture = try Self.phone()
    let trace = try load(fixture.bytes + bytes)
    #expect(trace.issues.count(atLeast: .dataLoss) > 0)
    #expect(summary(trace).last == "21 end reason=complete")
  }

  @Test("Other files that begin with an empty line are no trace")
  func sniffing() throws {
    for text in ["\n", "\n# a text\nthat goes on\n", "\n\u{3}\u{8}\u{1}", "\n{}", ""] {
      #expect(!Self.isTrace(Array(text.utf8)), "\(text)")
    }
    #expect(try Self.isTrace(Self.phone().bytes))
  }

  private static func isTrace(_ bytes: [UInt8]) -> Bool { PacketCursor.isTrace(bytes.span) }
}
