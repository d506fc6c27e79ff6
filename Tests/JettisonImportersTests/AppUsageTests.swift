import Foundation
import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("Screen-time logs")
struct AppUsageTests {
  /// An invented evening, newest first as such logs are.
  ///
  /// Read from below: unlock, Mail, a gap on the home screen, Chess; lock and a look at the lock
  /// screen; unlock onto Chess; an alarm over the lock screen; a restart.
  static let fixture = """
    "App name","Date","Time","Duration"
    "Mail","3/14/21","21:00:00","0:00:20"
    "Device boot","3/14/21","20:59:00","0:00:30"
    "Device shutdown","3/14/21","20:50:00","0:09:00"
    "Alarm","3/14/21","20:49:00","0:01:00"
    "Screen on (locked)","3/14/21","20:49:00","0:00:01"
    "Notification posted (Alarm)","3/14/21","20:48:59","0:00:00"
    "Screen off (locked)","3/14/21","20:20:00","0:29:00"
    "Chess","3/14/21","20:15:01","0:04:59"
    "Screen on (unlocked)","3/14/21","20:15:00","0:00:01"
    "Screen off (locked)","3/14/21","20:11:05","0:03:55"
    "Screen on (locked)","3/14/21","20:11:00","0:00:05"
    "Screen off","3/14/21","20:10:00","0:01:00"
    "Chess","3/14/21","20:02:00","0:08:00"
    "Mail","3/14/21","20:01:59","0:00:00"
    "Mail","3/14/21","20:01:30","0:00:10"
    "Mail","3/14/21","20:01:00","0:00:30"
    "Screen on (unlocked)","3/14/21","20:00:00","0:01:00"

    """

  private static let expected = [
    "60 Mail launch", "90 Mail launch", "100 home", "120 Chess launch", "600 screen 0",
    "900 screen 1", "901 Chess launch", "1200 screen 0", "2940 Alarm launch", "2940 screen 1",
    "3000 screen 0", "3540 boot", "3600 Mail launch", "3600 screen 1",
    "3620 end reason=complete",
  ]

  @Test("A zone that is given says when the local clock's evening was")
  func zone() throws {
    var options = ImportOptions()
    options.zoneOffsetSeconds = 5 * 3600 + 1800
    let trace = try load(Self.fixture, file: "evening.csv", options: options)
    #expect(summary(trace) == Self.expected)
    #expect(trace.header.start == "2021-03-14T20:00:00+05:30")
    #expect(trace.header.source?.hasSuffix("without a zone, and read as +05:30") == true)
  }

  @Test("Rows become what the user did")
  func readsRows() throws {
    let trace = try load(Self.fixture, file: "evening.csv")
    #expect(summary(trace) == Self.expected)
    #expect(trace.header.start == "2021-03-14T20:00:00+00:00")
    #expect(trace.header.source?.contains("without a zone") == true)
    #expect(
      trace.header.appsYAML == """
        Alarm: {category: utility}
        Chess: {category: casual-game}
        Mail: {category: messaging}
        """)
    #expect(
      issues(trace)
        == [
          "info 1 a row that shows an app for no time is not a launch @15",
          "info 2 a lit lock screen leaves the app behind it interrupted @12,6",
          "info 1 a notification is not a launch @7",
          "info 1 a shutdown turns the screen off; the boot after it ends the apps @4",
        ])
  }

  @Test("Day first, two-digit hours with AM and PM, semicolons: the same evening")
  func otherSpellings() throws {
    var text = Self.fixture.replacingOccurrences(of: "3/14/21", with: "14.03.2021")
    text = text.replacingOccurrences(of: "\",\"", with: "\";\"")
    for hour in 20...21 {
      let lines = text.split(separator: "\n").map { line -> String in
        guard let range = line.range(of: "\"\(hour):") else { return String(line) }
        let rest = line[range.upperBound...].prefix(5)
        return line.replacingOccurrences(
          of: "\"\(hour):\(rest)\"", with: "\"\(hour - 12):\(rest) p. m.\"")
      }
      text = lines.joined(separator: "\r\n")
    }
    let trace = try load(text)
    #expect(summary(trace) == Self.expected)
    #expect(trace.header.start == "2021-03-14T20:00:00+00:00")
  }

  @Test(
    "Pseudo-rows are known in other languages",
    arguments: [
      ["Bildschirm an (entsperrt)", "Bildschirm an (gesperrt)", "Bildschirm aus (gesperrt)"],
      ["Écran allumé (déverrouillé)", "Écran allumé (verrouillé)", "Écran éteint (verrouillé)"],
      ["Pantalla encendida (desbloqueada)", "Pantalla encendida (bloqueada)", "Pantalla apagada"],
      ["Schermo acceso (sbloccato)", "Schermo acceso (bloccato)", "Schermo spento"],
      ["Tela ligada (desbloqueada)", "Tela ligada (bloqueada)", "Tela desligada (bloqueada)"],
      ["Scherm aan (ontgrendeld)", "Scherm aan (vergrendeld)", "Scherm uit (vergrendeld)"],
      ["Ekran włączony (odblokowany)", "Ekran włączony (zablokowany)", "Ekran wyłączony"],
      ["Экран включен (разблокирован)", "Экран включен (заблокирован)", "Экран выключен"],
      ["画面オン（ロック解除）", "画面オン（ロック）", "画面オフ"],
    ])
  func languages(_ labels: [String]) {
    #expect(
      labels.map(AppUsageLabels.meaning(of:)) == [.screenOn, .screenOnLocked, .screenOff])
  }

  @Test("The words of exports in French and of the app in Spanish are known")
  func knownWords() {
    #expect(
      [
        "Appareil allumé", "Appareil éteint", "Historique activé des notifications",
        "Écran\u{A0}éteint (verrouillé)", "Pantalla encendida (no bloqueada)",
        "Pantalla apagada (no bloqueada)", "Screen locked",
      ].map(AppUsageLabels.meaning(of:)) == [
        .boot, .shutdown, .note, .screenOff, .screenOn, .screenOff, .screenOff,
      ])
  }

  @Test("A log in an unknown language is recognised by its shape: the same evening")
  func unknownLanguage() throws {
    let words = [
      ("Screen on (unlocked)", "Kioo wazi (huru)"), ("Screen on (locked)", "Kioo wazi (fungwa)"),
      ("Screen off (locked)", "Kioo zima (fungwa)"), ("Screen off", "Kioo zima"),
      ("Notification posted", "Arifa"),
    ]
    var text = Self.fixture.split(separator: "\n").filter { !$0.contains("Device") }
      .joined(separator: "\n")
    let known = try load(text)
    for (word, other) in words { text = text.replacingOccurrences(of: word, with: other) }
    let trace = try load(text)
    #expect(summary(trace) == summary(known))
    #expect(trace.apps == ["Alarm", "Chess", "Mail"])
    #expect(
      issues(trace).contains("info 5 labels in an unknown language are recognised by their shape"))
  }

  @Test("Remarks that apps have tell nothing about the screen")
  func remarksOfApps() {
    func meanings(_ labels: [String]) -> Int {
      AppUsageShapes(labels, seconds: labels.map { Int64($0.utf8.count) }).meanings.count
    }
    #expect(meanings(["Mail (work)", "Chess (work)"]) == 0)
    #expect(meanings(["Mail (work)", "Mail (beta)", "Chess"]) == 0)
    #expect(meanings(["A (x)", "A (y)", "B (x)", "C (x)", "C (y)"]) == 0)
    #expect(meanings(["Call (Mail)", "Mail"]) == 0)
    #expect(meanings(["A (x)", "A (y)", "B (x)"]) == 3)
  }

  @Test("Labels of apps stay labels of apps")
  func appLabels() {
    for label in ["Screen Time", "Notes", "Système Android", "Mail (work)", "Boot Camp", "(x)"] {
      #expect(AppUsageLabels.meaning(of: label) == .app)
    }
    #expect(AppUsageLabels.meaning(of: "Notification posted (Système Android)") == .notification)
  }

  @Test("The order of dates follows from the data")
  func dateOrder() {
    func detect(_ dates: [String]) -> AppUsageDates.Detection? {
      AppUsageDates.detect(dates.compactMap { AppUsageDates.written($0.utf8.span) })
    }
    #expect(detect(["12/5/19", "11/30/19"]) == .init(order: .monthDayYear, isAmbiguous: false))
    #expect(detect(["5/12/19", "30/11/19"]) == .init(order: .dayMonthYear, isAmbiguous: false))
    #expect(detect(["2019-12-05"]) == .init(order: .yearMonthDay, isAmbiguous: false))
    // Days in a row one way, months apart the other.
    #expect(detect(["12/5/19", "12/4/19"]) == .init(order: .monthDayYear, isAmbiguous: false))
    #expect(detect(["5.12.2019", "4.12.2019"]) == .init(order: .dayMonthYear, isAmbiguous: false))
    #expect(detect(["12/5/19"])?.isAmbiguous == true)
    #expect(detect([]) == nil)
  }

  @Test("An ambiguous date is an issue that an option settles")
  func ambiguousDate() throws {
    let text = "Mail,4/3/2021,10:00:00,0:00:05\n"
    let trace = try load(text)
    #expect(trace.header.start == "2021-04-03T10:00:00+00:00")
    #expect(issues(trace).contains { $0.contains("ambiguous") })
    var options = ImportOptions()
    options.dateOrder = .dayMonthYear
    let other = try load(text, options: options)
    #expect(other.header.start == "2021-03-04T10:00:00+00:00")
    #expect(!issues(other).contains { $0.contains("ambiguous") })
  }

  @Test("Headings and sums around the rows are counted, damaged rows are errors with their line")
  func damagedRows() throws {
    let trace = try load(
      """
      "Activity history, 14 March 2021"

      "App name","Date","Time","Duration"
      "Mail","3/14/21","20:00:30","0:00:10"
      "Mail","3/14/21","20:00","abc"
      "Mail","3/14/21","25:00:00","0:00:10"
      "Mail","13/32/21","20:00:00","0:00:10"
      "Mail","March 14","20:00:00","0:00:10"
      "Mail","3/14/21","20:00:00","0:00
      "","3/14/21","20:00:00","0:00:10"
      "Chess","3/14/21","20:00:10","0:00:10"
      "Total","","","0:00:20"
      """, as: .appUsage)
    #expect(
      summary(trace) == [
        "0 Chess launch", "10 home", "20 Mail launch", "30 end reason=complete",
      ])
    let found = issues(trace)
    #expect(found.contains("info 2 a heading or sum is not a row @1,12"))
    #expect(found.contains("error 1 the duration is not hours:minutes:seconds @5"))
    #expect(found.contains("error 1 the time is not a time of day such as 00:43:05 @6"))
    #expect(found.contains("error 1 there is no such date @7"))
    #expect(found.contains("error 1 the date is not three numbers such as 12/5/19 @8"))
    #expect(found.contains("error 1 a quoted field does not end on its line @9"))
    #expect(found.contains("error 1 the row names nothing @10"))
  }

  @Test("Apps that the import leaves out take the place of the one in front")
  func filter() throws {
    var options = ImportOptions()
    options.apps = ["Ch*s", "Al?rm"]
    let trace = try load(Self.fixture, options: options)
    #expect(trace.apps == ["Alarm", "Chess"])
    options.apps = ["Mail"]
    #expect(
      try load(Self.fixture, options: options).index.kindCounts[Int(EventKind.launch.rawValue)] == 3
    )
  }

  @Test("Rows that two exports share count once, and are counted")
  func overlap() throws {
    let rows = Self.fixture.split(separator: "\n")
    let older = rows.dropFirst(12).map { "\($0)\n" }.joined()
    let trace = try load(Self.fixture + older)
    #expect(summary(trace) == Self.expected)
    #expect(
      issues(trace).contains(
        "info 6 a row that stands there already (exports that overlap) counts once @18,17,16,15,14"
      ), "\(issues(trace))")
  }

  @Test("A file that isn't a log is refused")
  func refuses() {
    #expect(throws: TraceError.self) { try load("a,b,c,d\n1,2,3,4\n", as: .appUsage) }
    #expect(throws: TraceError.self) { try load("", as: .appUsage) }
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    try checkDamage(Self.fixture, as: .appUsage)
  }

  @Test(
    "Every row of a recorded log that shows an app for more than no time is a launch",
    .enabled(if: Captures.has("usage/app_usage_export_en.csv")))
  func capture() throws {
    let path = "\(Captures.folder ?? "")/usage/app_usage_export_en.csv"
    let trace = try TraceLoader.load(path, formats: .all)
    var expected = 0
    var rows = 0
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
    {
      rows += 1
      let isPseudo = ["\"Screen o", "\"Notification ", "\"Device "].contains { line.hasPrefix($0) }
      if !isPseudo, !line.hasSuffix("\"0:00:00\"") { expected += 1 }
    }
    #expect(expected == 7_146)
    // Two rows stand there twice, one below the other, as the app wrote them.
    #expect(trace.index.kindCounts[Int(EventKind.launch.rawValue)] == expected)
    #expect(trace.index.kindCounts[Int(EventKind.boot.rawValue)] == 2)
    #expect(trace.issues.count(atLeast: .error) == 0)
    #expect(trace.header.start == "2019-11-09T17:30:12+00:00")
    #expect(!trace.apps.contains { $0.hasPrefix("Screen") || $0.hasPrefix("Notification") })
    #expect(rows == 16_414)
  }
}
