import JettisonCore
import JettisonTestSupport
import Testing

/// A main thread that is busy stays busy: see *Coming back* in "The model".
///
/// The app writes 1000 bytes per second in its handler, of which it has five seconds.
struct ComingBackTests {
  let phone = Scenario.writing(.background) {
    $0.coldLaunchNanoseconds = 2_000_000_000
    $0.hotLaunchNanoseconds = 100_000_000
  }

  /// Left at 2 s with a save of four seconds, opened again at 3 s.
  static let wait = "0s,a,launch\n1s,a,edit,4000,,work_ms=2000\n2s,,home\n3s,a,launch\n"
  /// The same with a save of six seconds.
  static let long = "0s,a,launch\n1s,a,edit,6000,,work_ms=2000\n2s,,home\n3s,a,launch\n"

  func latency(_ replayed: Replayed) -> Int64? {
    replayed.outcome.events.last { $0.kind == .launch }?.nanoseconds
  }

  @Test(arguments: enginesUnderTest)
  func `the user waits until the handler returns`(engine: NamedEngine) throws {
    let replayed = try phone.replay(Self.wait + "20s,,end", on: engine)
    #expect(
      replayed.story(.state, .message, .save, .launch, .wait).dropFirst(9) == [
        "6s a save background complete 4000 B 4s", "6s a wait 3s", "6s a willEnterForeground",
        "6s a inactive T11", "6s a active T11", "6s a didBecomeActive", "6s a launch hot",
      ])
    #expect(replayed.totals("a").handlerWaitNanoseconds == seconds(3))
    #expect(latency(replayed) == seconds(3.1))
    #expect(replayed.totals("a").hotLaunches == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a return after the handler waits for nothing, a return with it neither`(
    engine: NamedEngine
  ) throws {
    for time in ["6s", "6.5s"] {
      let replayed = try phone.replay(
        "0s,a,launch\n1s,a,edit,4000\n2s,,home\n\(time),a,launch\n9s,,end", on: engine)
      #expect(latency(replayed) == seconds(0.1))
      #expect(replayed.totals("a").handlerWaitNanoseconds == 0)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `saves off the main thread keep no user waiting`(engine: NamedEngine) throws {
    for thread in [AppProfile.SaveThread.queue, .task] {
      var free = phone
      free.profiles["a"]?.saveThread = thread
      let replayed = try free.replay(Self.wait + "20s,,end", on: engine)
      #expect(replayed.story(.launch).last == "3s a launch hot")
      #expect(replayed.totals("a").handlerWaitNanoseconds == 0)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `the five seconds still end the app, and the launch is cold`(engine: NamedEngine) throws {
    let replayed = try phone.replay(Self.long + "20s,,end", on: engine)
    #expect(
      replayed.story(.state, .watchdog, .save, .loss, .wait, .launch).dropFirst(5) == [
        "7s a watchdog", "7s a save background interrupted 0 B 5s",
        "7s a loss handler-timeout 6000 B 2s yes", "7s a not-running T8", "7s a wait 4s",
        "7s a inactive T1",
        "7s a active T1", "7s a launch cold",
      ])
    #expect(latency(replayed) == seconds(6))
    let totals = replayed.totals("a")
    #expect(totals.handlerWaitNanoseconds == seconds(4))
    #expect(totals.coldLaunches == 2 && totals.hotLaunches == 0)
    #expect(totals.coldLaunchesAfterPurge == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a return at the very deadline finds no process`(engine: NamedEngine) throws {
    let replayed = try phone.replay(
      "0s,a,launch\n1s,a,edit,6000\n2s,,home\n7s,a,launch\n9s,,end", on: engine)
    #expect(replayed.totals("a").handlerWaitNanoseconds == 0)
    #expect(latency(replayed) == seconds(2))
  }

  @Test(arguments: enginesUnderTest)
  func `an expired task ends the app that is waited for`(engine: NamedEngine) throws {
    var stubborn = phone.with { $0.configuration.device.budgets.taskNanoseconds = seconds(3) }
    stubborn.profiles["a"]?.endsTasksAtExpiration = false
    let replayed = try stubborn.replay(
      "0s,a,launch\n0s,a,task-begin,,1\n1s,a,edit,6000\n2s,,home\n3s,a,launch\n20s,,end",
      on: engine)
    // The handler of the task would have to come at once, but the main thread is busy until 8 s.
    #expect(!replayed.story(.message).contains { $0.hasSuffix("expirationHandler") })
    #expect(
      replayed.story.dropFirst(5).prefix(4) == [
        "5s a task-expired", "5s a save background interrupted 0 B 3s",
        "5s a loss task-expired 6000 B 0s yes", "5s a not-running T9",
      ])
    #expect(replayed.story.last == "5s a launch cold")
    #expect(latency(replayed) == seconds(4))
  }

  @Test(
    arguments: enginesUnderTest,
    ["4s,,home", "4s,b,launch", "4s,,interrupt\n4s,,interrupt-end,,,outcome=accepted"])
  func `a user who leaves again has seen a hot launch, and the app goes on`(
    engine: NamedEngine, rows: String
  ) throws {
    let replayed = try phone.replay(Self.wait + rows + "\n20s,,end", on: engine)
    #expect(
      replayed.story(.state, .message, .save, .launch, .wait).filter { $0.contains(" a ") }
        .dropFirst(9) == [
          "4s a wait 1s", "4s a launch hot", "6s a save background complete 4000 B 4s",
          "7s a suspended T7",
        ])
    let launch = replayed.outcome.events.last { $0.kind == .launch && $0.cause == .hot }
    #expect(launch?.nanoseconds == seconds(1))
    #expect(replayed.totals("a").handlerWaitNanoseconds == seconds(1))
    #expect(replayed.totals("a").savedBytesAtSuspension == 4000)
  }

  @Test(arguments: enginesUnderTest)
  func `a lock that leaves ends the wait, one that does not goes on with it`(
    engine: NamedEngine
  ) throws {
    let leaving = try phone.with { $0.configuration.device.lock = .background }
      .replay(Self.wait + "4s,,screen,0\n5s,,screen,1\n20s,,end", on: engine)
    #expect(
      leaving.story(.state, .launch).dropFirst(5) == [
        "4s a launch hot", "6s a inactive T11", "6s a active T11",
      ])
    // One second before the lock, one after the unlock.
    #expect(leaving.totals("a").handlerWaitNanoseconds == seconds(2))
    let staying = try phone.replay(
      Self.wait + "4s,,screen,0\n8s,,screen,1\n20s,,end", on: engine)
    #expect(
      staying.story(.state, .message, .launch).dropFirst(9) == [
        "6s a willEnterForeground", "6s a inactive T11", "6s a launch hot", "8s a active T4",
        "8s a didBecomeActive",
      ])
    // Nobody waits in front of a dark screen.
    #expect(staying.totals("a").handlerWaitNanoseconds == seconds(1))
    let short = try phone.replay(
      Self.wait + "4s,,screen,0\n4.5s,,screen,1\n20s,,end", on: engine)
    #expect(short.totals("a").handlerWaitNanoseconds == 2_500_000_000)
  }

  @Test(arguments: enginesUnderTest)
  func `an app that is interrupted meanwhile comes up inactive`(engine: NamedEngine) throws {
    let replayed = try phone.replay(
      Self.wait + "4s,,interrupt,,,by=call\n9s,,interrupt-end\n20s,,end", on: engine)
    #expect(
      replayed.story(.state, .message, .launch).dropFirst(9) == [
        "6s a willEnterForeground", "6s a inactive T11", "6s a launch hot", "9s a active T4",
        "9s a didBecomeActive",
      ])
    let over = try phone.replay(
      Self.wait + "4s,,interrupt\n5s,,interrupt-end\n20s,,end", on: engine)
    #expect(over.story(.state).last == "6s a active T11")
  }

  @Test(arguments: enginesUnderTest)
  func `a user who opens the app once more waits anew`(engine: NamedEngine) throws {
    let replayed = try phone.replay(Self.wait + "5s,a,launch\n20s,,end", on: engine)
    let launches = replayed.outcome.events.filter { $0.kind == .launch && $0.cause == .hot }
    #expect(launches.map(\.timeNanoseconds) == [seconds(5), seconds(6)])
    #expect(launches.map(\.nanoseconds) == [seconds(2), seconds(1.1)])
    #expect(replayed.totals("a").handlerWaitNanoseconds == seconds(3))
  }

  @Test(arguments: enginesUnderTest)
  func `an end that the user makes closes the wait, and so does the end of the trace`(
    engine: NamedEngine
  ) throws {
    let quit = try phone.replay(Self.wait + "4s,a,quit\n20s,,end", on: engine)
    #expect(
      quit.story.dropFirst(5) == [
        "4s a launch hot", "4s a save background complete 4000 B 4s", "4s a ended quit",
        "4s a not-running T13",
      ])
    let over = try phone.replay(Self.wait + "5s,,end", on: engine)
    #expect(over.story.last == "5s a launch hot")
    #expect(over.totals("a").handlerWaitNanoseconds == seconds(2))
  }

  @Test(arguments: enginesUnderTest)
  func `an app that is waited for is in front: killed last, and not waited out`(
    engine: NamedEngine
  ) throws {
    // RAM is 100 MiB. At 4 s available memory is negative: b, in the background, goes before a,
    // though both are in the state background.
    var small = phone
    small.configuration.device.ramBytes = 100 << 20
    small = small.app("b", MiB: 30) { $0.saveTriggers = [] }
    let replayed = try small.replay(
      """
      0s,b,launch
      0s,b,background-mode,1,,mode=audio
      1s,a,launch
      2s,a,edit,4000
      3s,,home
      4s,a,launch
      5s,a,footprint,80MiB
      5.5s,a,footprint,105MiB
      5.5s,,home
      20s,,end
      """, on: engine)
    #expect(
      replayed.story(.kill, .launch).dropFirst(2) == [
        "5s b kill background", "5.5s a launch hot", "5.5s a kill foreground",
      ])
    #expect(replayed.totals("a").foregroundKills == 1)
  }
}
