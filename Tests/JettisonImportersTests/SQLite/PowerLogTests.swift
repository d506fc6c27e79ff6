import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("iOS power logs")
struct PowerLogTests {
  /// The log's clock: 2020-09-13T12:26:40Z.
  private static let start = 1_600_000_000.0

  /// An invented hour, table by table; times are seconds after ``start``.
  private static let tables: [PowerLogTable: [String]] = [
    .offsets: ["(1, -50, -100.0)", "(2, 82, -160.4)", "(3, 83, -160.0)"],
    .zones: ["(1, -9000, 7200)", "(2, 84, 3600)"],
    .configurations: ["(1, 1, -500, 'J999\n', '1A1')"],
    .logStarts: ["(1, 0)"],
    .apps: ["(1, 'com.example.notes')"],
    .states: [
      "(1, -9999, 'com.example.old', 999, 2)", "(2, 0, 'com.example.notes', 10, 2)",
      "(3, 0.25, 'com.apple.springboard', 5, 8)", "(4, 0.5, 'com.example.mail', 11, 4)",
      "(5, 10, 'com.example.notes', 10, 8)", "(6, 20, 'com.example.notes', 10, 4)",
      "(7, 25, 'com.example.notes', 10, 2)", "(8, 30, 'com.example.game', 12, 4)",
      "(9, 40, 'com.example.game', 12, 8)", "(10, 50, '聊天, \"x\";=%\n#', 13, 8)",
      "(11, 60, '聊天, \"x\";=%\n#', 13, 2)", "(12, 70, 'com.example.game', 12, 32)",
      "(13, 80, 'com.example.game', 12, 1)", "(14, 85, 'com.example.mail', 11, 2)",
      "(15, 90, 'com.example.notes', 20, 8)", "(16, 91, 'com.example.notes', 20, 8)",
      "(17, 92, 'com.example.notes', 21, 1)", "(18, 93, 'com.example.notes', 20, 3)",
      "(19, 27, 'com.example.notes', 10, 4)", "(20, 28, 'com.example.notes', 10, 2)",
    ],
    .stateReasons: ["(1, 4, 2)", "(2, 8, 12)", "(3, 8, 13)", "(4, 19, 10006)"],
    .memory: [
      "(1, 0.125, 'com.example.notes', 20971520, 31457280)",
      "(2, 25.125, 'com.example.notes', 25165824, 41943040)",
      "(3, 60.125, '聊天, \"x\";=%\n#', 10485760, 10485760)",
      "(4, 85.125, 'com.example.mail', 5242880, 6291456)",
    ],
    .processes: [
      "(1, 2, 10, 'com.example.notes')", "(2, 2, 300, '')", "(3, 86, 11, 'com.example.other')",
    ],
    .prewarms: ["(1, 88, 'com.example.weather', 30)"],
    .exits: ["(1, 81, 12, 1, 7, 100)"],
    .appExits: [],
    .pages: [
      "(1, 5, 1000, 2000, 3000, 4000, 0, '')", "(2, 95, 2000, 2000, 3000, 2999, 0, 'warn')",
    ],
    .blanks: ["(1, -100, 1)", "(2, 9, 0)"],
    .screens: ["(1, 9, 2)"],
    .layouts: ["(1, 10, 'com.example.notes', 1)"],
  ]

  private static func columns(_ table: PowerLogTable) -> String {
    switch table {
    case .offsets: "timestamp REAL, system REAL"
    case .zones: "timestamp REAL, SecondsFromGMT INTEGER"
    case .configurations: "timestamp REAL, DeviceBootTime REAL, Device TEXT, Build TEXT"
    case .logStarts: "timestamp REAL"
    case .apps: "AppBundleId TEXT"
    case .states: "timestamp REAL, Identifier TEXT, pid INTEGER, State INTEGER"
    case .stateReasons: "FK_ID INTEGER, value INTEGER"
    case .memory: "timestamp REAL, AppBundleId TEXT, SuspendedMemory INTEGER, PeakMemory INTEGER"
    case .processes: "timestamp REAL, PID INTEGER, BundleID TEXT"
    case .prewarms: "timestamp REAL, BundleID TEXT, PID INTEGER"
    case .exits:
      "timestamp REAL, PID INTEGER, ReasonNamespace INTEGER, ReasonCode INTEGER, "
        + "JetsamPriority INTEGER"
    case .appExits: "timestamp REAL, pid INTEGER"
    case .pages:
      "timestamp REAL, FreeCount INTEGER, ExternalPageCount INTEGER, InternalPageCount INTEGER, "
        + "WiredCount INTEGER, CompressorPageCount INTEGER, MemoryPressureLevel TEXT"
    case .blanks: "timestamp REAL, Blanked INTEGER"
    case .screens: "timestamp REAL, Screen INTEGER"
    case .layouts: "timestamp REAL, bundleID TEXT, AppRole INTEGER"
    }
  }

  /// A database of some of the tables, with other rows where they are given.
  private static func database(
    without missing: Set<PowerLogTable> = [], rows: [PowerLogTable: [String]] = [:]
  ) throws -> [UInt8] {
    var sql = "PRAGMA page_size=512;"
    for table in PowerLogTable.allCases where !missing.contains(table) {
      let name = table.rawValue
      sql += "CREATE TABLE '\(name)' (ID INTEGER PRIMARY KEY, \(columns(table)));"
      for row in rows[table] ?? tables[table] ?? [] {
        sql += "INSERT INTO '\(name)' VALUES \(row);"
      }
      if columns(table).hasPrefix("timestamp") {
        sql += "UPDATE '\(name)' SET timestamp = timestamp + \(start) "
        sql += "WHERE typeof(timestamp) <> 'text';"
      }
    }
    if !missing.contains(.configurations) {
      sql += "UPDATE '\(PowerLogTable.configurations.rawValue)' "
      sql +=
        "SET DeviceBootTime = DeviceBootTime + \(start) WHERE typeof(DeviceBootTime) <> 'text';"
    }
    return try SQLiteFixture.bytes(sql)
  }

  /// The database of the invented hour.
  static func fixture() throws -> [UInt8] { try database() }

  private static let chat = "聊天, \"x\";=%\n#"

  @Test("Rows become states, samples, ends and clocks")
  func readsRows() throws {
    let trace = try load(Self.database(), file: "log.PLSQL")
    #expect(
      summary(trace) == [
        "0 com.example.notes present 20971520 state=suspended",
        "0 com.example.mail present 6291456 state=background",
        "0 com.example.mail footprint 6291456 derived=1",
        "0 com.example.mail background-mode 1 mode=service", "0 screen 0",
        "5 observed-available 49152000",
        // All pages, less the available ones, less Notes and Mail.
        "5 system-memory 87425024",
        "9 screen 1", "10 com.example.notes launch",
        "10 com.example.notes footprint 41943040 derived=1", "20 home",
        "20 com.example.notes background-mode 1 mode=service",
        "25 com.example.notes background-mode 0 mode=service",
        "25.125 com.example.notes footprint 25165824",
        "27 com.example.notes background-launch reason=fetch",
        "27 com.example.notes background-mode 1 mode=service",
        "28 com.example.notes background-mode 0 mode=service",
        "30 com.example.game background-launch reason=voip",
        "30 com.example.game background-mode 1 mode=service", "40 com.example.game launch",
        "40 com.example.game background-mode 0 mode=service", "50 \(Self.chat) launch",
        // Its first sample holds from its beginning.
        "50 \(Self.chat) footprint 10485760 derived=1",
        // The game is still there when the chat goes.
        "60 com.example.game launch",
        "80 com.example.game observed-exit cause=per-process-limit;band=100", "82 clock -60",
        "84 clock -3600", "85 com.example.mail background-mode 0 mode=service",
        "85.125 com.example.mail footprint 5242880",
        "86 com.example.mail observed-exit cause=unknown",
        "88 com.example.weather background-launch",
        "90 com.example.notes observed-exit cause=unknown", "90 com.example.notes launch",
        "95 observed-available 65536000", "95 observed-warning 1", "95 system-memory 87818240",
        "95 end reason=complete",
      ])
    #expect(trace.header.start == "2020-09-13T14:25:00+02:00")
    #expect(trace.header.source == "iOS power log of J999 1A1")
    #expect(trace.name == "log")
    #expect(
      issues(trace) == [
        "error 1 a state of an unknown app @18",
        "info 1 a state from before the device started is over (\(PowerLogTable.states.rawValue)) @1",
        "info 1 the home screen is not an app (\(PowerLogTable.states.rawValue)) @3",
        "info 1 a process without states belongs to the system (\(PowerLogTable.processes.rawValue)) @2",
        "info 1 an end of a process that is not an app here (\(PowerLogTable.exits.rawValue)) @1",
        "info 1 a process number is used again, and its last process did not end (\(PowerLogTable.processes.rawValue)) @3",
        "info 1 an app starts anew, and its last process did not end (\(PowerLogTable.states.rawValue)) @15",
        "info 1 a state that an app has already (\(PowerLogTable.states.rawValue)) @16",
        "info 1 an end of an app that does not run (\(PowerLogTable.states.rawValue)) @17",
      ])
    try checkRoundTrip(trace)
  }

  @Test("An excluded app belongs to the rest of memory")
  func filter() throws {
    var options = ImportOptions()
    options.apps = ["com.example.notes"]
    let trace = try load(Self.database(), options: options)
    #expect(trace.apps == ["com.example.notes"])
    // All pages, less the available ones, less Notes; then Notes is gone.
    let rest = summary(trace).filter { $0.contains("system-memory") }
    #expect(rest == ["5 system-memory 93716480", "95 system-memory 98304000"])
  }

  @Test(
    "Each missing table is reported, and the rest is read", arguments: PowerLogTable.allCases)
  func missing(_ table: PowerLogTable) throws {
    let whole = try load(Self.database())
    let trace = try load(Self.database(without: [table]))
    let told = trace.issues.all.map(\.text).filter { $0.hasPrefix("there is no table") }
    switch table {
    // Read only where another table is missing.
    case .blanks, .screens, .layouts: #expect(told == [])
    default: #expect(told == ["there is no table \(table.rawValue): \(table.purpose)"])
    }
    switch table {
    case .screens, .layouts, .logStarts, .appExits: #expect(summary(trace) == summary(whole))
    case .apps:
      // Two processes of one name, as far as the log says.
      #expect(summary(trace).contains("90 com.example.notes:2 launch"))
    case .blanks: #expect(summary(trace).contains("9 screen 1"))
    case .zones: #expect(trace.header.start == "2020-09-13T12:25:00+00:00")
    case .offsets: #expect(trace.header.start == "2020-09-13T14:26:40+02:00")
    case .configurations: #expect(trace.header.source == "iOS power log")
    default: #expect(summary(trace) != summary(whole))
    }
  }

  @Test("Without states, the screen says what is in front and samples say what was suspended")
  func withoutStates() throws {
    let layouts = [
      "(1, 1, 'com.apple.lock-screen', 3)", "(2, 2, 'com.apple.springboard.home-screen', 1)",
      "(3, 10, 'com.example.notes', 1)", "(4, 11, 'com.example.notes', 1)",
      "(5, 20, 'com.example.game', 1)", "(6, 30, 'com.apple.springboard.home-screen', 1)",
    ]
    let memory = [
      "(1, 21, 'com.example.notes', 25165824, 41943040)", "(2, 22, 'com.example.mail', 100, 90)",
    ]
    let other = Set(PowerLogTable.allCases).subtracting([.layouts, .memory])
    let trace = try load(
      Self.database(without: other, rows: [.layouts: layouts, .memory: memory]))
    #expect(
      summary(trace) == [
        "0 com.example.notes launch", "0 com.example.notes footprint 41943040 derived=1",
        "10 com.example.game launch", "11 com.example.notes footprint 25165824",
        "12 com.example.mail background-launch", "12 com.example.mail footprint 100", "20 home",
        "20 end reason=complete",
      ])
  }

  @Test("Starts of the device end every process, whether the log names them or not")
  func boots() throws {
    let states = [
      "(1, 0, 'com.example.a', 50, 2)", "(2, 0, 'com.example.b', 51, 2)",
      "(3, 0, 'com.example.c', 52, 2)",
      // The log's process starts again, and most apps are as they were.
      "(4, 1000, 'com.example.a', 50, 2)", "(5, 1000, 'com.example.b', 51, 4)",
      "(6, 1000, 'com.example.c', 60, 2)",
      // All are others: the device started in between.
      "(7, 2000, 'com.example.a', 40, 2)", "(8, 2000, 'com.example.b', 41, 2)",
      // As before, and the log says when.
      "(9, 200000, 'com.example.a', 30, 2)", "(10, 200000, 'com.example.b', 31, 2)",
    ]
    let trace = try load(
      Self.database(
        without: [.blanks, .screens],
        rows: [
          .states: states, .memory: [], .pages: [], .processes: [], .prewarms: [], .exits: [],
          .stateReasons: [], .offsets: [], .zones: [], .apps: [],
          .logStarts: ["(1, 0)", "(2, 1001)", "(3, 2001)", "(4, 200001)"],
          .configurations: ["(1, 1, -500, '', '')", "(2, 200001, 199000, '', '')"],
        ]))
    #expect(summary(trace).filter { $0.contains("boot") } == ["1996 boot", "199000 boot"])
    #expect(
      summary(trace).filter { $0.hasSuffix("background-launch") } == [
        "1000 com.example.b background-launch", "1000 com.example.c:2 background-launch",
        "2000 com.example.a background-launch", "2000 com.example.b background-launch",
        "200000 com.example.a background-launch", "200000 com.example.b background-launch",
      ])
    #expect(
      issues(trace).contains(
        "info 1 nothing was recorded for more than a day before this row "
          + "(\(PowerLogTable.states.rawValue)) @9"))
  }

  @Test(
    "Reasons of ends agree with the system's headers",
    arguments: [
      (0, 0, CaptureExit.byItself), (1, 2, .observed(cause: "high-water", band: 30)),
      (1, 100, .observed(cause: "cpu-limit", band: 30)),
      (1, -7, .observed(cause: "unknown", band: 30)), (2, 9, .observed(cause: "signal", band: 30)),
      (2, 11, .crashed), (10, 0x8BAD_F00D, .observed(cause: "watchdog", band: 30)),
      (6, 1, .crashed), (15, 0xDEAD_10CC, .observed(cause: "other", band: 30)),
      (Int64.min, Int64.max, .observed(cause: "other", band: 30)),
    ] as [(Int64, Int64, CaptureExit)])
  func exits(_ namespace: Int64, _ code: Int64, _ expected: CaptureExit) {
    #expect(PowerLogRecord.exit(namespace: namespace, code: code, band: 30) == expected)
  }

  @Test("Values of other types and absurd figures are counted with their rows")
  func wrongValues() throws {
    let trace = try load(
      Self.database(rows: [
        .states: [
          "(1, 0, 'com.example.notes', 10, 2)", "(2, 'noon', 'com.example.notes', 10, 8)",
          "(3, 1, NULL, 10, 8)", "(4, 1, 'com.example.notes', 'ten', 8)",
          "(5, 9e99, 'com.example.notes', 10, 8)", "(6, 9e999, 'com.example.notes', 10, 8)",
        ],
        .memory: [
          "(1, 1, 'com.example.notes', -5, 3)", "(2, 1, 'com.example.notes', 1.5, 3)",
          "(3, 2, 'com.example.notes', 9223372036854775807, 9223372036854775807)",
        ],
        .pages: [
          "(1, 5, -1, 2000, 3000, 4000, 0, '')",
          "(2, 5, 1073741823, 1073741823, 1073741823, 1073741823, 1073741823, '')",
        ],
        .offsets: ["(1, 0, 1e300)"], .zones: ["(1, 0, 999999)"], .blanks: ["(1, 0, 'dark')"],
        .exits: ["(1, 0, 1, NULL, 2, 3)"], .processes: ["(1, 0, 'x', 'y')"],
        .prewarms: ["(1, 0, '', 1)"], .stateReasons: ["(1, 'x', 1)"], .apps: ["(1, x'00')"],
        .configurations: ["(1, 0, 'x', 1, 2)"], .logStarts: ["(1, 'x')"],
        .appExits: ["(1, 0, 'x')"],
      ]))
    #expect(trace.issues.all.filter { $0.severity == .error }.count == 16)
    #expect(
      issues(trace).contains(
        "error 2 a column in PLApplicationAgent_EventForward_Application is not of its type @3,4"))
    #expect(
      issues(trace).contains(
        "error 3 a timestamp in PLApplicationAgent_EventForward_Application is missing or not a number @2,5,6"
      ))
    #expect(trace.apps == ["com.example.notes"])
  }

  @Test("A log without any row is refused")
  func empty() throws {
    let error = #expect(throws: TraceError.self) {
      try load(
        Self.database(
          rows: Dictionary(uniqueKeysWithValues: PowerLogTable.allCases.map { ($0, []) })))
    }
    #expect(error?.what == "says nothing about any app or about memory")
  }

  @Test("Damaged databases give errors or issues")
  func damage() throws {
    try checkDatabaseDamage(Self.database(), as: .powerLog)
  }

  @Test(
    "A tablet's log",
    .enabled(
      if: Captures.has("ios/powerlog.PLSQL"),
      "JETTISON_CAPTURES names no folder with the capture"))
  func capture() throws {
    let path = "\(Captures.folder ?? "")/ios/powerlog.PLSQL"
    let trace = try TraceLoader.load(path, formats: .all)
    // Apps with states (the home screen and one from before the start are none), launches,
    // samples, counts of pages, ends, the sums of all samples.
    let facts = [37, 1, 95, 39, 4, 716_696_040]
    if let counted = try SQLiteFixture.query(
      """
      SELECT (SELECT count(DISTINCT Identifier) FROM \(PowerLogTable.states.rawValue)
          WHERE Identifier <> 'com.apple.springboard' AND timestamp > 1635848563) || ' '
        || (SELECT count(*) FROM \(PowerLogTable.states.rawValue)
          WHERE State = 8 AND Identifier <> 'com.apple.springboard') || ' '
        || (SELECT count(*) FROM \(PowerLogTable.memory.rawValue)) || ' '
        || (SELECT count(*) FROM \(PowerLogTable.pages.rawValue)) || ' '
        || (SELECT count(*) FROM \(PowerLogTable.states.rawValue) WHERE State = 1) || ' '
        || (SELECT sum(SuspendedMemory) FROM \(PowerLogTable.memory.rawValue))
      """, of: path)
    {
      #expect(counted == [facts.map(String.init).joined(separator: " ")])
    }
    let lines = summary(trace)
    func count(_ kind: String) -> Int { lines.count { $0.contains(" \(kind)") } }
    #expect(trace.apps.count == facts[0])
    #expect(count("launch") == facts[1])
    #expect(count("observed-available") == facts[3])
    #expect(count("observed-exit") == facts[4])
    #expect(count("boot") == 2)
    // The wall clock went back twice, by 38.1 s and 220.4 s; the zone by an hour.
    let clocks = lines.filter { $0.contains(" clock ") }
    let changes: [Int] = clocks.compactMap { line in Int(line.split(separator: " ")[2]) }
    #expect(changes == [-38, -3600, -220])
    #expect(trace.header.start == "2021-11-02T06:17:29-04:00")
    #expect(trace.issues.count(atLeast: .error) == 0)
  }
}
