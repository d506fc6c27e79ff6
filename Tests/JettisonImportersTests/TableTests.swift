import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonImporters
@testable import JettisonTraces

@Suite("Tables with named columns")
struct TableTests {
  private static func options(_ columns: [String: String]) -> ImportOptions {
    var options = ImportOptions()
    options.columns = columns
    return options
  }

  static let fixture = """
    who;when;package;what;size
    anna;2021-03-14T20:00:00.250+01:00;com.example.mail;launch;
    anna;2021-03-14T20:00:10+01:00;com.example.mail;edit;120
    anna;2021-03-14T20:00:20+01:00;;home;

    """
  static let columns = [
    "time": "when", "app": "package", "event": "what", "value": "size", "user": "1",
  ]

  @Test("Columns are found by header or by number, moments keep their zone")
  func isoTimes() throws {
    let trace = try load(Self.fixture, options: Self.options(Self.columns))
    #expect(
      summary(trace) == [
        "0.25 com.example.mail launch", "10 com.example.mail edit 120", "20 home",
      ])
    #expect(trace.header.start == "2021-03-14T20:00:00+01:00")
    #expect(trace.header.user == "anna")
    #expect(trace.header.appsYAML == "com.example.mail: {category: messaging}")
  }

  @Test("A table of which no row can be used says what is wrong with the first")
  func nothingUsable() throws {
    let error = #expect(throws: TraceError.self) {
      try load("t,a\nnan,x\n-5,x\n", options: Self.options(["time": "t:s", "app": "a"]))
    }
    #expect(error?.line == 2)
    #expect(
      error?.description.contains("a trace without events: the time is not a number from 0") == true
    )
  }

  @Test("What a field leaves open is counted: blank events and users, times of two kinds")
  func open() throws {
    let events = ["time": "t:s", "app": "a", "event": "e"]
    let blank = try load("t,a,e\n0,x,open\n5,y,\n", options: Self.options(events))
    #expect(summary(blank) == ["0 x launch", "5 y launch"])
    #expect(issues(blank).contains("info 1 a blank event is taken for a launch @3"))
    let clocks = try load(
      "t,a,e\n0,x,open\n1700000000,y,open\n", options: Self.options(events))
    #expect(summary(clocks) == ["0 x launch"])
    #expect(
      issues(clocks).contains(
        "error 1 a time since 1970, where the first row counts from the start @3"))
    var options = Self.options(["time": "t:s", "app": "a", "user": "u"])
    options.user = "z"
    let users = try load("t,a,u\n0,x,z\n5,y,\n9,x,z\n", options: options)
    #expect(summary(users) == ["0 x launch", "9 x launch"])
    #expect(issues(users).contains("info 1 a row of no user is ignored @3"))
  }

  @Test("A zone that is given is that of moments without one; counts from the epoch only show it")
  func zone() throws {
    var options = Self.options(["time": "t", "app": "a"])
    options.zoneOffsetSeconds = -3600
    let text = "t,a\n2021-03-14T20:00:00,x\n2021-03-14T22:00:00+00:00,x\n"
    let trace = try load(text, options: options)
    #expect(trace.header.start == "2021-03-14T20:00:00-01:00")
    // 20:00 there is 21:00 in the zone of the second row.
    #expect(trace.index.endNanoseconds == 3_600_000_000_000)
    options.columns["time"] = "t:s"
    let counted = try load("t,a\n1615752000,x\n1615752060,x\n", options: options)
    #expect(counted.header.start == "2021-03-14T19:00:00-01:00")
    #expect(counted.index.endNanoseconds == 60_000_000_000)
  }

  @Test("Times with and without a zone are not mixed: no reader can know what was meant")
  func mixedZones() throws {
    let (zoned, plain) = ("2021-03-14T20:00:00+01:00", "2021-03-14T20:00:30")
    let options = Self.options(["time": "t", "app": "a"])
    let first = try load("t,a\n\(zoned),x\n\(plain),y\n", options: options)
    #expect(summary(first) == ["0 x launch"])
    #expect(
      issues(first).contains("error 1 a time without a zone, where the first row has one @3"))
    let second = try load("t,a\n\(plain),x\n\(zoned),y\n", options: options)
    #expect(
      issues(second).contains("error 1 a time with a zone, where the first row has none @3")
        || issues(second).contains("error 1 a time without a zone, where the first row has one @2"))
  }

  @Test(
    "A zone that nowhere has is refused with its range",
    arguments: [Int64.min, -100_000_000_000_000_000, -86_341, 86_400, .max])
  func absurdZone(offset: Int64) {
    var options = Self.options(["time": "t", "app": "a"])
    options.zoneOffsetSeconds = offset
    #expect {
      try load("t,a\n2021-03-14T20:00:00,x\n", options: options)
    } throws: {
      guard let error = $0 as? TraceError else { return false }
      return error.kind == .misuse
        && error.description.contains("`ImportOptions.zoneOffsetSeconds` is \(offset)")
        && error.remedy == "give -86340 to 86340 seconds"
    }
  }

  @Test(
    "Units are given, or follow from the header's last word",
    arguments: [("t:ms", "t", 1.5), ("t:us", "t", 0.0015), ("t_ns", "t_ns", 1.5e-6)])
  func units(column: String, header: String, seconds: Double) throws {
    let trace = try load(
      "\(header),a\n0,x\n1500,x\n", options: Self.options(["time": column, "app": "a"]))
    #expect(trace.index.endNanoseconds == Int64(seconds * 1e9))
    #expect(trace.header.start == nil)
  }

  @Test("Times after 1990 count from the epoch, decimals are read exactly")
  func epoch() throws {
    let trace = try load(
      "1615748400.123456789|x\n1615748401|y\n", options: Self.options(["time": "1:s", "app": "2"]))
    #expect(trace.header.start == "2021-03-14T19:00:00+00:00")
    #expect(summary(trace) == ["0.123456789 x launch", "1 y launch"])
  }

  @Test("A time without a unit is refused with the remedy")
  func unitIsNeeded() {
    #expect {
      try load("t,a\n5,x\n", options: Self.options(["time": "t", "app": "a"]))
    } throws: {
      ($0 as? TraceError)?.description.hasSuffix(
        "capture.txt:2: column 't': '5' does not say its unit "
          + "(write `ImportOptions.columns` time=t:ms (or ns, us, s, iso))") == true
    }
  }

  @Test("Rows out of order are sorted, equal times keep the file's order")
  func sorting() throws {
    let trace = try load(
      "t_s\tapp\n20\tb\n10\ta\n20\tc\n5\td\n", options: Self.options(["time": "t_s", "app": "app"]))
    #expect(summary(trace) == ["5 d launch", "10 a launch", "20 b launch", "20 c launch"])
    #expect(
      issues(trace).contains("info 1 the rows were not in order of time: sorted in memory @3"))
  }

  @Test("Events of usage logs are understood: closing the front app goes home")
  func usageWords() throws {
    let trace = try load(
      """
      t,app,e
      0,a,Opened
      1,a,User Interaction
      2,b,Closed
      3,a,Closed
      4,b,ACTIVITY_RESUMED
      """, options: Self.options(["time": "t:s", "app": "app", "event": "e"]))
    #expect(summary(trace) == ["0 a launch", "3 home", "4 b launch"])
  }

  @Test("An app that --apps leaves out takes the place of the one in front")
  func leftOut() throws {
    var options = Self.options(["time": "when:ms", "app": "package", "event": "kind"])
    options.apps = ["a"]
    let trace = try load(
      "when,package,kind\n0,a,open\n5000,b,open\n6000,b,close\n9000,a,open\n", options: options)
    #expect(summary(trace) == ["0 a launch", "5 home", "9 a launch"])
    #expect(
      issues(trace) == [
        "info 1 a row of an excluded app @3", "info 1 an event that changes nothing in front @4",
        "info 1 no 'end' row: the capture ends at its last event",
      ])
  }

  @Test("A table in UTF-16 says so, although its columns are named")
  func wideText() {
    #expect {
      try load(
        [0xFF, 0xFE, 0x74, 0, 0x2C, 0, 0x61, 0, 0x0A, 0],
        options: Self.options(["time": "t:s", "app": "a"]))
    } throws: {
      ($0 as? TraceError)?.what == "is text in UTF-16, which is not read"
    }
  }

  @Test("A name that the catalog could not hold is cut, and loses nothing else")
  func controls() throws {
    let long = String(repeating: "\u{0}", count: 400)
    let spaced = "a " + String(repeating: "b", count: 1022)
    let trace = try load(
      "t,a\n0,\(long)\n1,mail\n2,\(spaced)\n",
      options: Self.options(["time": "t:s", "app": "a"]))
    #expect(
      trace.apps.sorted() == [
        String(long.prefix(170)), String(spaced.prefix(1022)), "mail",
      ])
    try checkRoundTrip(trace)
  }

  @Test("Memory events keep their blocks")
  func blocks() throws {
    let trace = try load(
      """
      t,app,e,bytes,block
      0,a,launch,,
      1,a,alloc,100,77
      2,a,realloc,50,77
      3,a,free,,77
      4,a,free,,77
      """,
      options: Self.options([
        "time": "t:s", "app": "app", "event": "e", "value": "bytes", "id": "block",
      ]))
    #expect(
      summary(trace) == ["0 a launch", "1 a alloc 100 #0", "2 a realloc 50 #0", "3 a free #0"])
    #expect(issues(trace).contains("error 1 column 'id' does not fit the event @6"))
  }

  @Test("Malformed rows are located, counted and skipped")
  func malformedRows() throws {
    let trace = try load(
      """
      t,app,e,v
      0,a,launch,
      x,a,launch,
      1,a,lunch,
      2,a,edit,many
      3,a
      4,"a,launch,
      5,,launch,
      -6,a,launch,
      7,a,launch,
      """,
      options: Self.options(["time": "t:s", "app": "app", "event": "e", "value": "v"]))
    #expect(summary(trace) == ["0 a launch", "7 a launch"])
    #expect(
      issues(trace).filter { $0.hasPrefix("error") } == [
        "error 2 the time is not a number from 0 that fits the unit s @3,9",
        "error 1 an unknown event: a trace can't hold it @4",
        "error 1 a value or id is not a whole number @5",
        "error 1 the row is too short for its columns @6",
        "error 1 a quoted field does not end on its line @7",
        "error 1 'launch' needs an app @8",
      ])
  }

  @Test("A table of several users wants one to be chosen")
  func severalUsers() throws {
    let text = Self.fixture + "bert;2021-03-14T20:00:30+01:00;com.example.mail;launch;\n"
    #expect(throws: TraceError.self) { try load(text, options: Self.options(Self.columns)) }
    var options = Self.options(Self.columns)
    options.user = "bert"
    let trace = try load(text, options: options)
    #expect(summary(trace) == ["0 com.example.mail launch"])
    #expect(trace.header.user == "bert")
  }

  @Test(
    "Columns that cannot be are misuse",
    arguments: [["time": "t"], ["app": "a"], ["time": "t:h", "app": "a"], ["tme": "t"]])
  func badColumns(columns: [String: String]) {
    #expect(throws: ConfigurationError.self) { try TableColumns(columns) }
    #expect {
      try load("t,a\n", options: Self.options(columns))
    } throws: {
      ($0 as? TraceError)?.exitStatus == 64
    }
  }

  @Test("A column that is not there is named with those that are")
  func missingColumn() {
    #expect {
      try load("t,a\n1,x\n", options: Self.options(["time": "t:s", "app": "b"]))
    } throws: {
      ($0 as? TraceError)?.description.hasSuffix(
        "capture.txt:1: column 'b': the table has no such column (it has t, a)") == true
    }
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    try checkDamage(Self.fixture, as: .table, options: Self.options(Self.columns))
  }
}
