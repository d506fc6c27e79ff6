import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("Digital Wellbeing databases")
struct DigitalWellbeingTests {
  private static let tables = """
    CREATE TABLE packages (_id INTEGER PRIMARY KEY, package_name TEXT);
    CREATE TABLE events (_id INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL,
      type INTEGER NOT NULL, package_id INTEGER NOT NULL, instance_id INTEGER,
      task_root_package_id INTEGER);
    """
  private static let hostile = "日記, \"x\";=%\n\u{1}#"

  /// An invented afternoon: milliseconds after 2020-09-13T12:26:40Z, type, app, activity.
  private static let rows: [(Int, Int, Int, Int?)] = [
    (0, 1, 3, 31), (5000, 2, 3, 31),
    // Another screen of the same app.
    (5002, 1, 3, 32), (5600, 23, 3, 31), (9000, 2, 3, 32),
    // The home screen, an app too.
    (9005, 1, 2, 21), (9500, 23, 3, 32),
    // A service before its app is shown, and after.
    (20_000, 19, 5, nil), (21_000, 2, 2, 21), (21_001, 1, 5, 51), (30_000, 2, 5, 51),
    (40_000, 20, 5, nil),
    // The screen, the lock screen, notifications.
    (50_000, 16, 1, nil), (55_000, 12, 3, nil), (60_000, 15, 1, nil), (60_001, 18, 1, nil),
    // For no time; then again after more than a second.
    (61_000, 1, 3, 31), (61_000, 2, 3, 31), (70_000, 1, 3, 31), (72_000, 2, 3, 31),
    (73_500, 1, 3, 31), (75_000, 20, 5, nil),
    // A restart: a row of the new start comes before the one that says so.
    (80_000, 26, 1, nil), (200_000, 12, 3, nil), (200_020, 27, 1, nil),
    (210_000, 1, 4, 41), (220_000, 2, 4, 41), (221_000, 99, 1, nil), (222_000, 5, 1, nil),
  ]

  private static func sql(_ rows: [(Int, Int, Int, Int?)]) -> String {
    let names = [
      "android", "com.example.launcher", "com.example.notes", hostile, "com.example.radio",
    ]
    let packages = names.enumerated().map { position, name in
      "INSERT INTO packages VALUES (\(position + 1), '\(name)');"
    }
    let events = rows.map { time, type, package, activity in
      "INSERT INTO events(timestamp, type, package_id, instance_id) VALUES "
        + "(\(1_600_000_000_000 + time), \(type), \(package), \(activity.map { "\($0)" } ?? "NULL"));"
    }
    return tables + packages.joined() + events.joined()
  }

  /// The database of the invented afternoon.
  static func fixture() throws -> [UInt8] { try SQLiteFixture.bytes(sql(rows)) }

  private static let expected = [
    "0 com.example.notes launch", "5.002 com.example.notes launch",
    "9.005 com.example.launcher launch",
    "20 com.example.radio background-launch", "20 com.example.radio background-mode 1 mode=service",
    "21.001 com.example.radio launch", "21.001 com.example.radio background-mode 0 mode=service",
    "30 home", "30 com.example.radio background-mode 1 mode=service",
    "40 com.example.radio background-mode 0 mode=service", "50 screen 0", "60 screen 1",
    "70 com.example.notes launch", "72 home", "73.5 com.example.notes launch", "80 home",
    "200 boot", "210 \(hostile) launch", "220 home", "222 end reason=complete",
  ]

  @Test("Rows with negative numbers are no places, and are written all the same")
  func negativeRows() throws {
    // The first event that comes to an issue, of row 4.
    let bytes = try SQLiteFixture.bytes(
      Self.sql(Self.rows) + "UPDATE events SET _id = -1 WHERE _id = 4;"
        + "UPDATE events SET _id = -2 WHERE _id = 14;")
    let trace = try load(bytes, file: "usage.sqlite")
    #expect(trace.issues.all.contains { $0.lines.count < min($0.count, ImportIssues.keptPlaces) })
    #expect(trace.issues.all.allSatisfy { $0.lines.allSatisfy { $0 > 0 } })
    var binary = ByteSink()
    try BinaryTrace.write(trace, to: &binary)
    #expect(binary.collected.count > 100)
  }

  @Test("Events become launches, services, screens and restarts")
  func readsEvents() throws {
    let trace = try load(SQLiteFixture.bytes(Self.sql(Self.rows)), file: "usage.sqlite")
    #expect(summary(trace) == Self.expected)
    #expect(trace.header.start == "2020-09-13T12:26:40+00:00")
    #expect(trace.header.source?.contains("the zone is not known") == true)
    #expect(trace.name == "usage")
    #expect(
      issues(trace) == [
        "info 2 an activity that stops had left the front before @4,7",
        "info 2 a notification is not a launch @14,24",
        "info 1 the lock screen came or went, which says nothing of the screen @16",
        "info 1 an app that is shown for no time is not a launch @17",
        "info 1 a service stops that was not seen to start @22",
        "info 1 an event of an unknown type @28",
        "info 1 an event that says nothing of what runs @29",
      ])
    try checkRoundTrip(trace)
  }

  @Test("Rows out of the order of time are sorted in")
  func sorts() throws {
    let bytes = try SQLiteFixture.bytes(Self.sql(Array(Self.rows[10...] + Self.rows[..<10])))
    let trace = try load(bytes)
    #expect(summary(trace) == Self.expected)
    #expect(issues(trace).contains("info 1 a row out of the order of time is sorted in @20"))
  }

  @Test("An app comes to the front over another of the same instant, and --apps leaves some out")
  func sameInstant() throws {
    let rows: [(Int, Int, Int, Int?)] = [
      (0, 1, 3, 1), (10, 1, 2, 2), (10, 1, 5, 3), (11, 2, 3, 1), (500, 2, 5, 3),
      (501, 1, 2, 2), (9000, 2, 2, 2),
    ]
    let bytes = try SQLiteFixture.bytes(Self.sql(rows))
    #expect(
      summary(try load(bytes)) == [
        "0 com.example.notes launch", "0.01 com.example.radio launch",
        "0.501 com.example.launcher launch", "9 home", "9 end reason=complete",
      ])
    var options = ImportOptions()
    options.apps = ["*.notes", "*.launcher"]
    options.device = "pixel-6"
    options.user = "somebody"
    let some = try load(bytes, options: options)
    #expect(
      summary(some) == [
        "0 com.example.notes launch", "0.01 home", "0.501 com.example.launcher launch", "9 home",
        "9 end reason=complete",
      ])
    #expect(some.header.device == "pixel-6")
    #expect(some.header.user == "somebody")
  }

  @Test("Each start of the device is one boot, with or without the rows around it")
  func boots() throws {
    let rows: [(Int, Int, Int, Int?)] = [
      (0, 1, 3, 1), (5000, 27, 1, nil), (10_000, 1, 3, 1), (20_000, 26, 1, nil),
      (30_000, 12, 3, nil), (30_050, 27, 1, nil), (40_000, 26, 1, nil), (50_000, 27, 1, nil),
      (60_000, 26, 1, nil), (70_000, 12, 3, nil), (800_000, 27, 1, nil),
    ]
    #expect(
      summary(try load(SQLiteFixture.bytes(Self.sql(rows)))) == [
        "0 com.example.notes launch", "5 boot", "10 com.example.notes launch", "20 home",
        "30 boot", "50 boot", "70 boot", "800 boot", "800 end reason=complete",
      ])
  }

  @Test("A database of another encoding of texts says the same")
  func encoding() throws {
    let bytes = try SQLiteFixture.bytes("PRAGMA encoding='UTF-16be';" + Self.sql(Self.rows))
    #expect(summary(try load(bytes)) == Self.expected)
  }

  @Test("Rows with wrong values are counted and located")
  func wrongRows() throws {
    let bytes = try SQLiteFixture.bytes(
      Self.sql(Array(Self.rows.prefix(2))) + """
        INSERT INTO packages VALUES (9, ''), (10, x'00');
        INSERT INTO events VALUES (10, 'noon', 1, 3, 1, 1), (11, 1600000001000, 1, 77, 1, 1),
          (12, -5, 1, 3, 1, 1), (13, 9223372036854775807, 1, 3, 1, 1),
          (14, 1600000001000, 1.5, 3, 1, 1), (15, 1600000001000, 1, 3, 'one', 1);
        """)
    let trace = try load(bytes)
    #expect(
      summary(trace) == ["0 com.example.notes launch", "5 home", "5 end reason=complete"])
    #expect(
      issues(trace) == [
        "error 2 a row of packages is not a number and a name @9,10",
        "error 3 a column of an event is not a whole number @10,14,15",
        "error 1 an event of an app that is not among the packages @11",
        "error 2 an event outside of the years 1970 to 2199 @12,13",
        "info 1 no row says that the screen went on or off",
      ])
  }

  @Test("Without events there is no trace")
  func refusals() throws {
    let error = #expect(throws: TraceError.self) {
      try load(SQLiteFixture.bytes(Self.tables))
    }
    #expect(error?.what == "has no event of an app in table events")
    let view = #expect(throws: TraceError.self) {
      try load(
        SQLiteFixture.bytes("CREATE TABLE packages(_id); CREATE VIEW events AS SELECT 1 AS type"),
        as: .digitalWellbeing)
    }
    #expect(view?.what == "has no event of an app in table events")
  }

  @Test("Damaged databases give errors or issues")
  func damage() throws {
    try checkDatabaseDamage(
      SQLiteFixture.bytes("PRAGMA page_size=512;" + Self.sql(Self.rows)), as: .digitalWellbeing)
  }

  @Test(
    "A month of a phone",
    .enabled(
      if: Captures.has("usage/digital_wellbeing.sqlite"),
      "JETTISON_CAPTURES names no folder with the capture"))
  func capture() throws {
    let path = "\(Captures.folder ?? "")/usage/digital_wellbeing.sqlite"
    let trace = try TraceLoader.load(path, formats: .all)
    // Notifications, the lock screen, starts of the device, apps, services, the last time.
    let facts = [1829, 543, 6, 41, 444, 1_687_978_163_014]
    if let counted = try SQLiteFixture.query(
      """
      SELECT sum(type IN (10, 12)) || ' ' || sum(type = 18) || ' ' || sum(type = 27) || ' '
        || count(DISTINCT CASE WHEN type = 1 THEN package_id END) || ' ' || sum(type = 19) || ' '
        || max(timestamp) FROM events
      """, of: path)
    {
      #expect(counted == [facts.map(String.init).joined(separator: " ")])
    }
    func count(_ kind: String) -> Int { summary(trace).count { $0.contains(" \(kind)") } }
    func issue(_ text: String) -> Int {
      trace.issues.all.first { $0.text.hasPrefix(text) }?.count ?? 0
    }
    #expect(issue("a notification") == facts[0])
    #expect(issue("the lock screen") == facts[1])
    #expect(count("boot") == facts[2])
    #expect(trace.apps.count == facts[3])
    #expect(trace.header.start == "2023-05-29T20:31:43+00:00")
    // 2,885 activities came to the front, 3 of them for no time.
    #expect(count("launch") == 2882)
    #expect(issue("an app that is shown for no time") == 2)
    #expect(trace.issues.count(atLeast: .error) == 0)
  }
}
