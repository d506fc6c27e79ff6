import JettisonCore
import JettisonImporters
import JettisonTestSupport
import JettisonTraces
import Testing

@Suite("Usage statistics of Android")
struct UsageStatsTests {
  static let fixture = """
    user=0
      Last 24 hour events (timeRange="3/13/2021, 9:00 PM – 3/14/2021, 9:00 PM" )
        time="2021-03-14 19:59:58" type=DEVICE_STARTUP package=android flags=0x0
        time="2021-03-14 20:00:00" type=SCREEN_INTERACTIVE package=android flags=0x0
        time="2021-03-14 20:00:01" type=KEYGUARD_HIDDEN package=android flags=0x0
        time="2021-03-14 20:00:10" type=ACTIVITY_RESUMED package=com.example.notes class=com.example.notes.Main instanceId=17 taskRootPackage=com.example.notes flags=0x0
        time="2021-03-14 20:00:20" type=ACTIVITY_PAUSED package=com.example.notes class=com.example.notes.Main instanceId=17 flags=0x0
        time="2021-03-14 20:00:20" type=ACTIVITY_RESUMED package=com.example.notes class=com.example.notes.Editor instanceId=18 flags=0x0
        time="2021-03-14 20:00:20" type=ACTIVITY_STOPPED package=com.example.notes class=com.example.notes.Main instanceId=17 flags=0x0
        time="2021-03-14 20:01:00" type=ACTIVITY_PAUSED package=com.example.notes class=com.example.notes.Editor instanceId=18 flags=0x0
        time="2021-03-14 20:01:01" type=ACTIVITY_RESUMED package=com.example.player class=com.example.player.Main instanceId=19 flags=0x0
        time="2021-03-14 20:01:02" type=FOREGROUND_SERVICE_START package=com.example.player class=com.example.player.Play flags=0x0
        time="2021-03-14 20:02:00" type=ACTIVITY_PAUSED package=com.example.player class=com.example.player.Main instanceId=19 flags=0x0
        time="2021-03-14 20:02:05" type=FOREGROUND_SERVICE_START package=com.example.player class=com.example.player.Play flags=0x0
        time="2021-03-14 20:03:00" type=FOREGROUND_SERVICE_STOP package=com.example.player class=com.example.player.Play flags=0x0
        time="2021-03-14 20:04:00" type=ACTIVITY_RESUMED package=com.example.notes class=com.example.notes.Main instanceId=20 flags=0x0
        time="2021-03-14 20:05:00" type=ACTIVITY_PAUSED package=com.example.notes class=com.example.notes.Main instanceId=20 flags=0x0
        time="2021-03-14 20:05:00" type=SCREEN_NON_INTERACTIVE package=android flags=0x0
        time="2021-03-14 20:05:00" type=ACTIVITY_STOPPED package=com.example.notes class=com.example.notes.Main instanceId=20 flags=0x0
        time="2021-03-14 20:06:00" type=DEVICE_SHUTDOWN package=android flags=0x0
      In-memory daily stats
      timeRange="3/14/2021, 8:00 – 9:00 PM"
        packages
          package=com.example.notes totalTimeUsed="01:50" lastTimeUsed="2021-03-14 20:05:00" appLaunchCount=2
        events
          time="2021-03-14 20:00:10" type=ACTIVITY_RESUMED package=com.example.notes class=com.example.notes.Main flags=0x0
    """

  static let expected = [
    "0 boot", "2 screen 1", "12 com.example.notes launch",
    // Another activity of the app, which is shown for more than no time.
    "22 com.example.notes launch", "63 com.example.player launch",
    // Its service began while it was shown, and is told to begin once more.
    "122 home", "122 com.example.player background-mode 1 mode=service",
    "182 com.example.player background-mode 0 mode=service", "242 com.example.notes launch",
    "302 home", "302 screen 0", "362 end reason=complete",
  ]

  @Test("The events of a day become launches, screen and services")
  func day() throws {
    let trace = try load(Self.fixture)
    #expect(summary(trace) == Self.expected)
    #expect(trace.header.start == "2021-03-14T19:59:58+00:00")
    #expect(
      issues(trace) == [
        "info 1 a usage event that changes nothing (configuration, notification, …) @5",
        "info 1 a usage event that the list of the last day has already @26",
        "info 2 an activity that stops had left the front before @9,19",
      ])
  }

  @Test("A device starts with the first event after its shutdown, and once")
  func start() throws {
    let trace = try load(
      """
      user=0
        Last 24 hour events (
          time="2019-04-27 22:00:00" type=ACTIVITY_RESUMED package=com.example.mail class=x
          time="2019-04-27 22:01:00" type=DEVICE_SHUTDOWN package=android
          time="2019-04-27 22:05:00" type=ACTIVITY_RESUMED package=com.example.home class=x
          time="2019-04-27 22:05:04" type=DEVICE_STARTUP package=android
          time="2019-04-27 23:00:00" type=DEVICE_STARTUP package=android
          time="2019-04-27 23:00:05" type=ACTIVITY_RESUMED package=com.example.home class=x

      """)
    #expect(
      summary(trace) == [
        "0 com.example.mail launch", "60 home", "300 boot", "300 com.example.home launch",
        "3600 boot", "3605 com.example.home launch", "3605 end reason=complete",
      ])
  }

  @Test("Activities of two apps, and those that are shown for no time")
  func activities() throws {
    let trace = try load(
      """
        Last 24 hour events (
          time="2019-04-27 22:00:00" type=ACTIVITY_RESUMED package=com.a class=A instanceId=1
          time="2019-04-27 22:00:10" type=ACTIVITY_RESUMED package=com.a class=A instanceId=2
          time="2019-04-27 22:00:20" type=ACTIVITY_PAUSED package=com.a class=A instanceId=2
          time="2019-04-27 22:00:30" type=ACTIVITY_RESUMED package=com.b class=B
          time="2019-04-27 22:00:30" type=ACTIVITY_RESUMED package=com.c class=C
          time="2019-04-27 22:00:40" type=ACTIVITY_STOPPED package=com.c class=C
          time="2019-04-27 22:00:50" type=FOREGROUND_SERVICE_START package=com.b class=S
          time="2019-04-27 22:00:55" type=FOREGROUND_SERVICE_STOP package=com.b class=T
          time="2019-04-27 22:01:00" type=FOREGROUND_SERVICE_STOP package=com.b class=S

      """)
    #expect(
      summary(trace) == [
        "0 com.a launch", "10 com.a launch",
        // The first activity never left: com.a stays in front until com.c comes.
        "30 com.c launch", "40 home", "50 com.b background-launch",
        "50 com.b background-mode 1 mode=service", "60 com.b background-mode 0 mode=service",
        "60 end reason=complete",
      ])
    #expect(
      issues(trace) == [
        "info 1 an app that is shown for no time is not a launch @5",
        "info 1 a service stops that was not seen to start @9",
      ])
  }

  @Test("The zone of an option is that of the header")
  func zone() throws {
    var options = ImportOptions()
    options.zoneOffsetSeconds = ImportOptions.zoneOffset("+05:30")
    let trace = try load(Self.fixture, options: options)
    #expect(trace.header.start == "2021-03-14T19:59:58+05:30")
    #expect(summary(trace) == Self.expected)
  }

  @Test(
    "Events of every version tell the same",
    arguments: [
      (
        #"time="2019-04-27 22:58:00" type=MOVE_TO_FOREGROUND package=com.example.mail class=x"#,
        "mdy"
      ),
      (
        #"time=1556405880000 type=ACTIVITY_RESUMED package=com.example.mail class=x flags=0x0"#,
        "mdy"
      ),
      (#"time="4/27/2019, 22:58" type=MOVE_TO_FOREGROUND package=com.example.mail class=x"#, nil),
      (
        #"time="4/27/2019, 10:58 PM" type=MOVE_TO_FOREGROUND package=com.example.mail class=x"#, nil
      ),
      (#"time="27/04/2019 22:58" type=MOVE_TO_FOREGROUND package=com.example.mail class=x"#, nil),
      (#"time="27.04.2019, 22:58" type=MOVE_TO_FOREGROUND package=com.example.mail class=x"#, nil),
      (#"time="2019-04-27 22:58:00" type=1 package=com.example.mail"#, nil),
    ] as [(String, String?)])
  func layouts(_ line: String, _ order: String?) throws {
    var options = ImportOptions()
    options.dateOrder = order.flatMap(ImportOptions.DateOrder.init(rawValue:))
    let trace = try load("    \(line)\n", as: .usageStats, options: options)
    #expect(summary(trace) == ["0 com.example.mail launch", "0 end reason=complete"])
    #expect(trace.header.start == "2019-04-27T22:58:00+00:00")
    #expect(issues(trace).isEmpty)
  }

  @Test("A date that may be read in two ways is an issue that an option settles")
  func ambiguousDate() throws {
    let line = #"time="03/09/2017 21:18" type=MOVE_TO_FOREGROUND package=com.example.mail"# + "\n"
    let trace = try load(line, as: .usageStats)
    #expect(trace.header.start == "2017-03-09T21:18:00+00:00")
    #expect(
      issues(trace) == [
        "info 1 the order of dates is ambiguous and read as mdy (`ImportOptions.dateOrder` says otherwise) @1"
      ])
    var options = ImportOptions()
    options.dateOrder = .dayMonthYear
    #expect(
      try load(line, as: .usageStats, options: options).header.start
        == "2017-09-03T21:18:00+00:00")
  }

  @Test("A last line that is cut off is counted and tells nothing; one with its flags is whole")
  func cutLine() throws {
    let first = "  time=\"2019-04-27 22:58:00\" type=ACTIVITY_RESUMED package=com.a class=A\n"
    let last = "  time=\"2019-04-27 22:59:00\" type=ACTIVITY_RESUMED package=com.example.mail"
    let cut = try load(first + last.dropLast(3), as: .usageStats)
    #expect(summary(cut) == ["0 com.a launch", "0 end reason=complete"])
    #expect(issues(cut) == ["data-loss 1 the last line has no end: it is cut off @2"])
    let whole = try load(first + last + " class=B flags=0x0", as: .usageStats)
    #expect(summary(whole).contains("60 com.example.mail launch"))
    #expect(issues(whole).isEmpty)
  }

  @Test("A clock that goes back is counted, but not where another list begins")
  func clockBack() throws {
    func event(_ time: String) -> String {
      "  time=\"2019-04-27 \(time)\" type=ACTIVITY_RESUMED package=com.a class=A\n"
    }
    let trace = try load(
      "user=0\n" + event("22:58:00") + event("22:57:56") + event("22:57:26") + "user=10\n"
        + event("10:00:00"), as: .usageStats)
    #expect(
      issues(trace) == [
        "info 1 the clock goes back: lines are put in the order of their times, in which those "
          + "before and after it may be mixed @4"
      ])
  }

  @Test("Damaged events are counted where they are")
  func damaged() throws {
    let trace = try load(
      """
      Last 24 hour events (
        time="2019-04-27 22:58:00" type=ACTIVITY_RESUMED package=com.example.mail class=x
        time="2019-04-27 22:59:00" type=ACTIVITY_PAUSED
        time="yesterday" type=ACTIVITY_PAUSED package=com.example.mail
        time="2019-02-30 22:58:00" type=ACTIVITY_RESUMED package=com.example.mail class=x
        time="2019-04-27 22:59:30 type=ACTIVITY_RESUMED package=com.example.mail class=x
        time= type=ACTIVITY_RESUMED package= class=x

      """)
    #expect(summary(trace) == ["0 com.example.mail launch", "0 end reason=complete"])
    #expect(
      issues(trace) == [
        "error 3 a usage event without time, type and package @3,6,7",
        "error 2 the time of a usage event is not a date and time @4,5",
      ])
  }

  @Test("Damage is refused or counted")
  func damage() throws {
    try checkDamage(
      """
      user=0
        Last 24 hour events (
          time="2021-03-14 20:00:00" type=SCREEN_INTERACTIVE package=android
          time="4/27/2019, 10:58 PM" type=ACTIVITY_RESUMED package=com.example.notes class=x
          time=1615752010000 type=ACTIVITY_PAUSED package=com.example.notes class=x
          time="2021-03-14 20:01:02" type=FOREGROUND_SERVICE_START package=com.a
          time="2021-03-14 20:06:00" type=DEVICE_STARTUP package=android
      """, as: .usageStats, mutations: 400)
  }

  @Test("A text without events is refused")
  func refuses() {
    #expect(throws: TraceError.self) { try load("user=0\n", as: .usageStats) }
    #expect(throws: TraceError.self) { try load("", as: .usageStats) }
  }
}
