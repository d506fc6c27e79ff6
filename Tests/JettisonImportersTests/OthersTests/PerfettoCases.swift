import Foundation
import JettisonCore
import JettisonTestSupport
import PerfettoMessages
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

/// Cases of Perfetto's own trace tests, restated: what the importer makes of the same events.
@Suite("Other people's tests: Perfetto")
struct PerfettoCases {
  static let section = OthersSection(
    "Perfetto's trace tests", ids: OthersSection.ids("P", 1...30), passed: cases.map(\.id),
    different: [
      .init(
        ["P1"],
        "All of lmkd's own reasons are want of memory, also that the device does not respond."),
      .init(
        ["P13", "P15"],
        "Pages of files are no part of a footprint: they are shared, and dropped without notice."),
    ],
    inexpressible: [
      .init(["P6", "P7", "P8", "P9"], "Buffers of the graphics memory belong to no process."),
      .init(["P16", "P17"], "Their traces are not at hand."),
      .init(["P21"], "When an app says that it is fully drawn is in no trace."),
      .init(["P30"], "A trace has no heap dumps."),
    ])

  /// An event of the kernel: nanoseconds since boot, thread, event.
  typealias Event = (UInt64, UInt32, PerfettoFtraceEvent.OneOf_Event)

  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let bytes: @Sendable () throws -> [UInt8]
    /// Which events are compared.
    let kinds: [EventKind]
    /// The rows: nanoseconds since the first fact, app, event, value, detail.
    let rows: [String]

    var testDescription: String { id }
  }

  // MARK: Traces

  private static func trace(
    _ processes: [(Int32, Int32, String)], threads: [(Int32, Int32)] = [], _ events: [Event],
    _ change: (inout PerfettoFixture) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    var fixture = try PerfettoFixture(hasClocks: false)
    try fixture.tree(at: 0, processes, threads: threads)
    try change(&fixture)
    if !events.isEmpty {
      try fixture.ftrace([]) { bundle in
        bundle.event = events.map { nanoseconds, thread, event in
          var row = PerfettoFtraceEvent()
          row.timestamp = nanoseconds
          row.pid = thread
          row.event = event
          return row
        }
      }
    }
    return fixture.bytes
  }

  /// Rows of some kinds in short: nanoseconds, app, event, value, detail.
  private static func rows(_ trace: Trace, _ kinds: [EventKind]) -> [String] {
    var rows: [String] = []
    trace.events.withEvents { events in
      for position in 0..<events.count where kinds.contains(events[position].kind) {
        let event = events[position]
        var parts = ["\(event.timeNanoseconds)", trace.apps[event.app.position], event.kind.name]
        if event.flags.contains(.hasValue) { parts.append("\(event.value)") }
        let detail = trace.detailTexts[Int(event.detail)]
        if !detail.isEmpty { parts.append(detail) }
        rows.append(parts.joined(separator: " "))
      }
    }
    return rows
  }

  // MARK: Kills

  private static let calculator = "com.google.android.calculator"
  private static let calendar = "com.google.android.calendar"

  private static func calculator(_ events: [Event]) throws -> [UInt8] {
    try trace([(3, 1, calculator)], [(1000, 1, .score(3, 900))] + events)
  }

  private static let kills = [
    Case(
      id: "P2",
      bytes: {
        try calculator([
          (1500, 2, .print("C|2|kill_one_process|3\n")), (2000, 2, .print("B|2|lmk,3,1,900\n")),
          (3000, 2, .print("E|2\n")),
        ])
      }, kinds: [.observedExit],
      rows: ["1000 \(calculator) observed-exit cause=low-memory;band=900"]),
    Case(
      id: "P3",
      bytes: {
        try calculator([
          (1500, 2, .print("C|2|kill_one_process|3\n")), (1501, 1, .score(3, 910)),
        ])
      }, kinds: [.observedExit],
      rows: ["500 \(calculator) observed-exit cause=low-memory;band=900"]),
    Case(
      id: "P10",
      bytes: {
        try trace(
          [(1, 0, "init"), (2, 1, "lmkd"), (3, 1, calendar)],
          [(100, 3, .score(3, 0)), (100_000, 1, .print("B|1|lmk,3,1,900"))])
      }, kinds: [.observedExit],
      rows: ["99900 \(calendar) observed-exit cause=low-memory;band=900"]),
    Case(
      id: "P11",
      bytes: {
        var victim = PerfettoMarkVictimFtraceEvent()
        victim.pid = 1001
        return try trace(
          [(1000, 1, "com.google.android.gm")], threads: [(1001, 1000)],
          [(1234, 4321, .markVictim(victim))])
      }, kinds: [.observedExit],
      rows: ["0 com.google.android.gm observed-exit cause=low-memory"]),
    Case(
      id: "P14",
      bytes: {
        let kills: [(UInt64, Int)] = [
          (732_246_100_696_424, 17_924), (732_246_180_149_452, 21_090),
          (732_246_388_596_557, 21_120), (732_246_415_955_101, 21_151),
        ]
        return try trace(
          [],
          kills.flatMap { time, pid -> [Event] in
            [
              (time, 651, .print("C|651|kill_one_process|\(pid)\n")),
              (time + 1000, 651, .print("C|651|kill_one_process|0\n")),
            ]
          })
      }, kinds: [.observedExit],
      rows: [
        "0 process 17924 observed-exit cause=low-memory",
        "79453028 process 21090 observed-exit cause=low-memory",
        "287900133 process 21120 observed-exit cause=low-memory",
        "315258677 process 21151 observed-exit cause=low-memory",
      ]),
  ]

  // MARK: Memory and scores

  private static let memory = [
    // Each part less the zygote's: 20480000 + 30720000, 10240000 + 5120000, 0 + 10240000 bytes.
    Case(
      id: "P4",
      bytes: {
        try trace(
          [
            (300, 1, "zygote64"), (301, 1, "zygote"), (500, 300, "child"), (600, 301, "app32"),
            (700, 300, "small"),
          ], []
        ) {
          try $0.poll(
            at: 1,
            [
              (300, 10_000, nil, 20_000, nil), (301, 50_000, nil, 5000, nil),
              (500, 30_000, nil, 50_000, nil), (600, 60_000, nil, 10_000, nil),
              (700, 5000, nil, 30_000, nil),
            ])
        }
      }, kinds: [.footprint],
      rows: [
        "0 child footprint 51200000 derived=1", "0 app32 footprint 15360000 derived=1",
        "0 small footprint 10240000 derived=1",
      ]),
    Case(
      id: "P5",
      bytes: {
        try trace([(1, 0, "init"), (300, 1, "zygote64"), (800, 1, "surfaceflinger")], []) {
          try $0.poll(
            at: 1, [(300, 10_000, nil, 20_000, nil), (800, 40_000, nil, 60_000, nil)])
        }
      }, kinds: [.present],
      rows: [
        "0 zygote64 present 30720000 state=suspended",
        "0 surfaceflinger present \(40_960_000 + 61_440_000) state=suspended",
      ]),
    // While calendar has score 0 it holds 2000 bytes for 50 ns and 4000 for 50 ns, 3000 on average;
    // deskclock, with 900, 4000 and 8000.
    Case(
      id: "P12",
      bytes: {
        let events: [Event] = [
          (100, 3, .rss(0, 10_000)), (100, 4, .rss(0, 10_000)), (100, 3, .rss(1, 3000)),
          (100, 4, .rss(1, 6000)), (100, 3, .rss(2, 0)), (100, 4, .rss(2, 0)),
          (200, 3, .score(3, 0)), (200, 4, .score(4, 900)), (200, 3, .rss(1, 2000)),
          (200, 4, .rss(1, 4000)), (250, 3, .rss(1, 4000)), (250, 4, .rss(1, 8000)),
          (300, 3, .score(3, 910)), (300, 4, .score(4, 0)), (300, 3, .rss(1, 3000)),
          (300, 4, .rss(1, 6000)),
        ]
        return try trace(
          [(2, 1, "system_server"), (3, 1, calendar), (4, 1, "com.google.android.deskclock")],
          events)
      }, kinds: [.footprint, .adj],
      rows: [
        "0 \(calendar) adj 0", "0 com.google.android.deskclock adj 900",
        "100 \(calendar) footprint 2000", "100 com.google.android.deskclock footprint 4000",
        "150 \(calendar) footprint 4000", "150 com.google.android.deskclock footprint 8000",
        "200 \(calendar) adj 910", "200 com.google.android.deskclock adj 0",
        "200 \(calendar) footprint 3000", "200 com.google.android.deskclock footprint 6000",
      ]),
  ]

  // MARK: Launches

  private static let intent = "B|2|MetricsLogger:launchObserverNotifyIntentStarted\n"
  private static let finished = "B|2|MetricsLogger:launchObserverNotifyActivityLaunchFinished\n"

  /// A launch as Android 10 to 12 tell it, with what the app did within it.
  private static func launch(
    _ package: String, from start: UInt64, to end: UInt64, slice: UInt64,
    _ doings: [(UInt64, String)], before: [Event] = [], after: [Event] = []
  ) throws -> [UInt8] {
    let own: [Event] = doings.map { ($0, 3, .print("B|3|\($1)\n")) }
    let around: [Event] = [
      (start, 2, .print(intent)), (slice, 2, .print("S|2|launching: \(package)|0\n")),
    ]
    let ends: [Event] = [
      (end, 2, .print("F|2|launching: \(package)|0\n")), (end + 1, 2, .print(finished)),
    ]
    return try trace(
      [(1, 0, "init"), (2, 1, "system_server"), (3, 1, package)],
      before + around + own + ends + after)
  }

  /// Launches as Android 13 tells them: package, begin, end, how they were completed.
  private static func numbered(_ launches: [(String, UInt64, UInt64, String)]) throws -> [UInt8] {
    let packages = Set(launches.map(\.0)).sorted().enumerated()
    var events: [Event] = []
    for (number, launch) in launches.enumerated() {
      let name = "launchingActivity#\(number + 1)"
      events.append((launch.1, 2, .print("S|2|\(name)|0\n")))
      events.append((launch.2, 2, .print("F|2|\(name)|0\n")))
      events.append((launch.2 + 1, 2, .print("I|2|\(name):\(launch.3):\(launch.0)\n")))
    }
    return try trace(
      [(2, 1, "system_server")] + packages.map { (Int32($0.offset + 3), 1, $0.element) }, events)
  }

  private static func measured(_ id: String, _ start: UInt64, _ end: UInt64) -> Case {
    Case(
      id: id, bytes: { try launch("com.example.target", from: start, to: end, slice: start, []) },
      kinds: [.observedLaunch],
      rows: ["\(end - start) com.example.target observed-launch \(end - start) kind=warm"])
  }

  private static func failedIntents(_ unit: UInt64) throws -> [UInt8] {
    try launch(
      calendar, from: 102 * unit, to: 210 * unit, slice: 110 * unit,
      [(115 * unit, "activityStart"), (117 * unit, "activityResume")],
      before: [(100 * unit, 2, .print(intent))],
      after: [
        (402 * unit, 2, .print(intent)), (410 * unit, 2, .print("S|2|launching: \(calendar)|0\n")),
        (510 * unit, 2, .print("F|2|launching: com.google.android.apps.nexuslauncher|0\n")),
      ])
  }

  private static func unit(_ id: String, _ unit: UInt64) -> Case {
    // The first fact is the activity that is resumed at 117.
    Case(
      id: id, bytes: { try failedIntents(unit) }, kinds: [.observedLaunch],
      rows: ["\(93 * unit) \(calendar) observed-launch \(108 * unit) kind=warm"])
  }

  private static let launches = [
    measured("P18", 186_969_441_973_689, 186_969_489_302_704),
    measured("P19", 186_982_050_780_778, 186_982_115_528_805),
    measured("P20", 186_974_938_196_632, 186_975_083_989_042),
    unit("P22", 1),
    Case(
      id: "P23",
      bytes: {
        try launch(
          "com.some.app", from: 100, to: 1_000_000_000, slice: 102, [(125, "activityResume")])
      }, kinds: [.observedLaunch],
      rows: ["999999875 com.some.app observed-launch 999999900 kind=hot"]),
    Case(
      id: "P24",
      bytes: {
        try launch(
          calendar, from: 102_000_000_000, to: 210_000_000_000, slice: 110_000_000_000,
          [
            (185_000_000_000, "bindApplication"), (195_000_000_000, "activityStart"),
            (196_000_000_000, "activityResume"),
          ], before: [(101_000_000_000, 1, .print("B|1|bindApplication\n"))])
      }, kinds: [.observedLaunch],
      rows: ["14000000000 \(calendar) observed-launch 108000000000 kind=cold"]),
    Case(
      id: "P25",
      bytes: {
        try numbered([(calendar, 110, 210, "completed"), (calendar, 220, 230, "completed-hot")])
      }, kinds: [.observedLaunch],
      rows: [
        "100 \(calendar) observed-launch 100 kind=warm",
        "120 \(calendar) observed-launch 10 kind=hot",
      ]),
    Case(
      id: "P26", bytes: { try numbered([(calendar, 100, 200, "completed")]) },
      kinds: [.observedLaunch], rows: ["100 \(calendar) observed-launch 100 kind=warm"]),
    Case(
      id: "P27",
      bytes: {
        try numbered([
          (calendar, 100, 200, "completed"), (calculator, 300, 400, "completed"),
          ("com.google.android.deskclock", 500, 600, "completed"),
          ("com.google.android.gm", 700, 800, "completed"),
        ])
      }, kinds: [.observedLaunch],
      rows: [
        "100 \(calendar) observed-launch 100 kind=warm",
        "300 \(calculator) observed-launch 100 kind=warm",
        "500 com.google.android.deskclock observed-launch 100 kind=warm",
        "700 com.google.android.gm observed-launch 100 kind=warm",
      ]),
    unit("P28", 1_000_000_000),
    Case(
      id: "P29", bytes: { try numbered([(calendar, 100, 200, "completed")]) },
      kinds: [.observedLaunch, .launch],
      rows: [
        "0 \(calendar) launch", "100 \(calendar) observed-launch 100 kind=warm",
      ]),
  ]

  static let cases: [Case] = kills + memory + launches

  @Test("Each case", arguments: cases)
  func passes(_ example: Case) throws {
    let trace = try load(try example.bytes(), as: .perfetto)
    #expect(Self.rows(trace, example.kinds) == example.rows)
  }

  @Test("What differs does so as the article says")
  func different() throws {
    func rows(_ bytes: [UInt8], _ kinds: [EventKind]) throws -> [String] {
      try Self.rows(load(bytes, as: .perfetto), kinds)
    }
    #expect(
      try rows(
        Self.calculator([
          (2000, 2, .print("B|2|lmk,3,1,900\n")), (3000, 2, .print("E|2\n")),
          (4000, 2, .print("N|2|lowmemorykiller|lmk,3,1,900\n")),
        ]), [.observedExit])
        == ["3000 \(Self.calculator) observed-exit cause=low-memory;band=900"], "P1")
    let files: [Event] = [(100, 3, .rss(0, 10_000)), (101, 3, .rss(0, 2000))]
    let own: [Event] = [(102, 3, .rss(1, 700))]
    #expect(
      try rows(Self.trace([(3, 1, "com.my.pkg")], files + own), [.present, .footprint])
        == ["0 com.my.pkg present 700 state=suspended"], "P13, P15")
  }

  @Test("Every case is told of once, and the article counts them (JETTISON_RECORD=1 writes it)")
  func article() throws {
    #expect(try OthersSection.faults(of: [Self.section]) == [])
  }
}
