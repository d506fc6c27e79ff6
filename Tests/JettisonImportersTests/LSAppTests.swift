import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Usage logs of several users")
struct LSAppTests {
  static let fixture = """
    user_id\tsession_id\ttimestamp\tapp_name\tevent_type
    0\t1\t2018-01-16 06:01:05\tMail\tOpened
    0\t1\t2018-01-16 06:01:08\tMail\tUser Interaction
    0\t1\t2018-01-16 06:01:20\tMail\tClosed
    0\t1\t2018-01-16 06:01:21\tChess\tOpened
    0\t2\t2018-01-16 06:02:00\tMail\tClosed
    0\t2\t2018-01-16 06:02:10\tChess\tClosed
    0\t2\t2018-01-16 06:05:05\tMail\tOpened
    0\t2\t2018-01-16 06:05:09\tMail\tBroken
    7/b\t3\t2018-02-01 23:59:59\tMaps, offline\tOpened
    7/b\t3\t2018-02-02 00:00:09\tMaps, offline\tClosed

    """

  private static let first = [
    "0 Mail launch", "16 Chess launch", "65 home", "240 Mail launch", "244 end reason=complete",
  ]

  private func loadAll(
    _ text: String, isPiped: Bool = false, options: ImportOptions = ImportOptions()
  ) throws -> [Trace] {
    if isPiped { return try withPiped(text) { try TraceLoader.loadAll($0, options: options) } }
    return try withFile(text, named: "lsapp.tsv") { path in
      try TraceLoader.loadAll(try TraceInput(path: path, formats: .all), options: options)
    }
  }

  @Test("Every user becomes a trace: what is opened is launched, what is closed is left")
  func readsUsers() throws {
    let traces = try loadAll(Self.fixture)
    #expect(traces.map(\.name) == ["lsapp-0", "lsapp-7%2Fb"])
    #expect(traces.map(\.header.user) == ["0", "7/b"])
    #expect(
      traces.map(\.header.start) == ["2018-01-16T06:01:05+00:00", "2018-02-01T23:59:59+00:00"])
    #expect(summary(traces[0]) == Self.first)
    #expect(
      summary(traces[1]) == ["0 Maps, offline launch", "10 home", "10 end reason=complete"])
    #expect(
      issues(traces[0]) == [
        "info 1 an interaction is not a launch",
        "info 1 a row marked broken brings nothing to the front",
        "info 1 the end of an app that is not in front",
      ])
    #expect(issues(traces[1]).isEmpty)
  }

  @Test("A zone that is given is that of every user")
  func zone() throws {
    var options = ImportOptions()
    options.zoneOffsetSeconds = 3600
    #expect(
      try loadAll(Self.fixture, options: options).map(\.header.start) == [
        "2018-01-16T06:01:05+01:00", "2018-02-01T23:59:59+01:00",
      ])
  }

  @Test("A stream says the same, and so does the table with commas and other columns in between")
  func otherForms() throws {
    #expect(try loadAll(Self.fixture, isPiped: true).map(\.events.count) == [5, 3])
    let table = Self.fixture.replacing("Maps, offline", with: "Maps").replacing("\t", with: ",")
    #expect(try summary(loadAll(table)[0]) == Self.first)
  }

  @Test("One user can be chosen; without that, several are refused where one trace is wanted")
  func chosenUser() throws {
    var options = ImportOptions()
    options.user = "7/b"
    let trace = try load(Self.fixture, file: "lsapp.tsv", options: options)
    #expect(trace.name == "lsapp")
    #expect(trace.apps == ["Maps, offline"])
    #expect(issues(trace) == ["info 8 a row of another user is ignored @2,3,4,5,6"])
    #expect(throws: TraceError.self) { try load(Self.fixture) }
    options.user = "8"
    #expect(throws: TraceError.self) { try load(Self.fixture, options: options) }
  }

  @Test("Rows in another order are sorted, from a file alone")
  func unsorted() throws {
    let lines = Self.fixture.split(separator: "\n")
    let text = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n")
    let traces = try loadAll(text)
    #expect(traces.map(\.name) == ["lsapp-7%2Fb", "lsapp-0"])
    #expect(summary(traces[1]) == Self.first)
    #expect(
      issues(traces[0]).contains(
        "info 1 the rows were not in order of users and times: sorted in memory @3"))
    #expect(throws: TraceError.self) { try loadAll(text, isPiped: true) }
  }

  @Test("An app that the import leaves out takes the place of the one in front")
  func filter() throws {
    var options = ImportOptions()
    options.apps = ["Mail"]
    let traces = try loadAll(Self.fixture, options: options)
    #expect(
      summary(traces[0]) == [
        "0 Mail launch", "15 home", "240 Mail launch", "244 end reason=complete",
      ])
    #expect(traces.count == 1)
    #expect(
      issues(traces[0]).contains("info 1 a user who opened no app makes no trace"))
  }

  @Test("Damaged rows are located, counted and skipped")
  func damagedRows() throws {
    let trace = try load(
      """
      user_id\tsession_id\ttimestamp\tapp_name\tevent_type
      0\t1\t2018-01-16 06:01:05\tMail\tOpened
      0\t1\t2018-01-16 06:01:05\tMail
      0\t1\t2018-13-16 06:01:05\tMail\tOpened
      0\t1\t2018-01-16 06:01:05\tMail\tStarted
      0\t1\t2018-01-16 06:01:05\t\tOpened
      0\t1\t2018-01-16 06:01:05\t"Mail\tOpened
      """)
    #expect(
      issues(trace) == [
        "error 1 the row is too short for its columns @3",
        "error 1 the time is not like 2018-01-16 06:01:05 @4",
        "error 1 an unknown event: expected Opened, Closed, User Interaction or Broken @5",
        "error 1 the row names no user or no app, or too long a one @6",
        "error 1 a quoted field does not end on its line @7",
      ])
    #expect(trace.index.kindCounts[Int(EventKind.launch.rawValue)] == 1)
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    // Of several users one has to be chosen.
    var options = ImportOptions()
    options.user = "0"
    try checkDamage(Self.fixture, as: .lsapp, options: options)
  }
}
