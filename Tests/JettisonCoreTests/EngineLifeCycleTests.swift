import JettisonCore
import JettisonTestSupport
import Testing

/// The life cycle as documented in "The model"; nothing is short of memory here.
struct EngineLifeCycleTests {
  let roomy = Scenario(ramMiB: 10_000).app("a").app("b")
  /// Here a does not end its background tasks when they are about to expire.
  let stubborn = Scenario(ramMiB: 10_000).app("a") { $0.endsTasksAtExpiration = false }

  @Test(arguments: enginesUnderTest)
  func `a cold launch goes through inactive and tells in order`(engine: NamedEngine) throws {
    let replayed = try roomy.replay("0,a,launch", on: engine)
    #expect(
      replayed.story(.state, .message, .launch)
        == [
          "0s a inactive T1", "0s a didFinishLaunching", "0s a didFinishLaunchingNotification",
          "0s a active T1", "0s a didBecomeActive", "0s a didBecomeActiveNotification",
          "0s a launch cold",
        ].filter { !$0.hasSuffix("Notification") })
    #expect(
      replayed.outcome.events.map(\.message).filter { $0 != .none } == [
        .didFinishLaunching, .didFinishLaunchingNotification, .didBecomeActive,
        .didBecomeActiveNotification,
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `willFinishLaunching exists from iOS 6 on`(engine: NamedEngine) throws {
    for era in [Era.ios6, .ios12, .ios18] {
      let replayed = try roomy.with { $0.configuration.device.era = era }
        .replay("0,a,launch", on: engine)
      #expect(replayed.story(.message).first == "0s a willFinishLaunching")
    }
    let old = try roomy.with { $0.configuration.device.era = .ios4 }
      .replay("0,a,launch", on: engine)
    #expect(old.story(.message).first == "0s a didFinishLaunching")
  }

  @Test(arguments: enginesUnderTest)
  func `an app that is left is suspended after the delay and comes back hot`(
    engine: NamedEngine
  ) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      2s,b,launch
      5s,a,launch
      """, on: engine)
    #expect(
      replayed.story(.state, .message, .launch).filter { $0.contains(" a ") }.dropFirst(5) == [
        "2s a willResignActive", "2s a inactive T5", "2s a background T5",
        "2s a didEnterBackground", "3s a suspended T7", "5s a background T11",
        "5s a willEnterForeground", "5s a inactive T11", "5s a active T11", "5s a didBecomeActive",
        "5s a launch hot",
      ])
    #expect(replayed.totals("a").coldLaunches == 1)
    #expect(replayed.totals("a").hotLaunches == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a return within the delay comes from the background`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      2s,,home
      2.5s,a,launch
      9s,,end
      """, on: engine)
    #expect(
      replayed.story(.state).dropFirst(2) == [
        "2s a inactive T5", "2s a background T5", "2.5s a inactive T11", "2.5s a active T11",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a launch of the app in front is hot and no transition`(engine: NamedEngine) throws {
    let replayed = try roomy.replay("0s,a,launch\n1s,a,launch", on: engine)
    #expect(replayed.story.last == "1s a launch hot")
    #expect(replayed.story(.state).count == 2)
  }

  @Test(arguments: enginesUnderTest)
  func `an interruption ends dismissed, accepted or by a launch`(engine: NamedEngine) throws {
    let dismissed = try roomy.replay(
      "0s,a,launch\n1s,,interrupt\n2s,,interrupt-end", on: engine)
    #expect(dismissed.story(.state).dropFirst(2) == ["1s a inactive T3", "2s a active T4"])
    let accepted = try roomy.replay(
      "0s,a,launch\n1s,,interrupt\n2s,,interrupt-end,,,outcome=accepted", on: engine)
    #expect(
      accepted.story(.state, .message).dropFirst(4) == [
        "1s a willResignActive", "1s a inactive T3", "2s a background T6",
        "2s a didEnterBackground",
      ])
    let launched = try roomy.replay("0s,a,launch\n1s,,interrupt\n2s,a,launch", on: engine)
    #expect(launched.story.suffix(2) == ["2s a active T4", "2s a launch hot"])
  }

  @Test(arguments: enginesUnderTest)
  func `lock and call must both end before the app is active again`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,,interrupt
      2s,,screen,0
      3s,,interrupt-end
      4s,,screen,1
      """, on: engine)
    #expect(replayed.story(.state).dropFirst(2) == ["1s a inactive T3", "4s a active T4"])
    #expect(replayed.system.replayIssues == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `home and interruptions without an app in front are issues`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,,home
      1s,,interrupt
      2s,a,launch
      3s,,interrupt-end
      4s,,interrupt
      5s,,interrupt
      6s,,screen,1
      """, on: engine)
    // The first three, and none of the two interruptions that nest.
    #expect(replayed.system.replayIssues == 3)
  }

  @Test(arguments: enginesUnderTest)
  func `a launch into the background is suspended and then comes up warm`(
    engine: NamedEngine
  ) throws {
    let replayed = try roomy.replay(
      "0s,a,background-launch,,,reason=push\n5s,a,launch", on: engine)
    #expect(
      replayed.story(.state, .message, .launch).prefix(5) == [
        "0s a background T2", "0s a didFinishLaunching", "0s a didEnterBackground",
        "0s a launch background", "1s a suspended T7",
      ])
    #expect(replayed.story.last == "5s a launch warm")
    #expect(replayed.totals("a").backgroundLaunches == 1)
    #expect(replayed.totals("a").warmLaunches == 1)
    #expect(replayed.totals("a").coldLaunches == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a background launch wakes a suspended app without a row`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      "0s,a,launch\n1s,,home\n5s,a,background-launch\n9s,,end", on: engine)
    #expect(
      replayed.story.suffix(2) == ["5s a background T12", "6s a suspended T7"])
    #expect(replayed.totals("a").backgroundLaunches == 0)
    #expect(replayed.totals("a").impliedWakes == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `an edit proves that a suspended app ran`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      "0s,a,launch\n1s,,home\n5s,a,edit,10\n5.5s,a,edit,10\n9s,,end", on: engine)
    #expect(replayed.story.suffix(2) == ["5s a background T12", "6s a suspended T7"])
    #expect(replayed.totals("a").impliedWakes == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `changes are coalesced by kind and told on return`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,,home
      5s,,device-change,,,kind=orientation;to=portrait
      6s,,device-change,,,kind=orientation;to=landscape
      7s,,device-change,,,kind=locale;to=de
      8s,a,launch
      """, on: engine)
    #expect(
      replayed.outcome.events.suffix(9).map(\.message) == [
        .willEnterForeground, .willEnterForegroundNotification, .orientationChange,
        .localeChange, .none, .none, .didBecomeActive, .didBecomeActiveNotification, .none,
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a background task holds suspension off until it ends`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,a,task-begin,,7
      2s,,home
      10s,a,task-end,,7
      20s,,end
      """, on: engine)
    #expect(replayed.story(.state).last == "11s a suspended T7")
  }

  @Test(arguments: enginesUnderTest)
  func `a task that does not end expires after its handler was called`(
    engine: NamedEngine
  ) throws {
    let replayed = try stubborn.replay(
      "0s,a,launch\n1s,a,task-begin,,7\n2s,,home\n700s,,end", on: engine)
    #expect(
      replayed.story(.message, .taskExpired, .state).suffix(3) == [
        "597s a expirationHandler", "602s a task-expired", "602s a not-running T9",
      ])
    #expect(replayed.totals("a").taskExpirations == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a woken app has thirty seconds for its task`(engine: NamedEngine) throws {
    let replayed = try stubborn.replay(
      "0s,a,background-launch\n0.5s,a,task-begin,,1\n100s,,end", on: engine)
    #expect(
      replayed.story(.message, .taskExpired).suffix(2) == [
        "25s a expirationHandler", "30s a task-expired",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `the expiration handler comes once in every stay in the background`(
    engine: NamedEngine
  ) throws {
    let scenario = stubborn.with { $0.configuration.device.budgets.taskNanoseconds = seconds(10) }
    let replayed = try scenario.replay(
      """
      0s,a,launch
      0s,a,task-begin,,1
      1s,,home
      8s,a,launch
      20s,,home
      26s,a,task-end,,1
      26.5s,a,task-begin,,1
      28s,a,task-end,,1
      40s,,end
      """, on: engine)
    #expect(
      replayed.story(.message).filter { $0.hasSuffix("expirationHandler") } == [
        "6s a expirationHandler", "25s a expirationHandler",
      ])
    #expect(replayed.story(.state).last == "29s a suspended T7")
  }

  @Test(arguments: enginesUnderTest)
  func `a timer without delay runs before the next event of the instant`(
    engine: NamedEngine
  ) throws {
    let scenario = roomy.with { $0.configuration.device.suspensionDelayNanoseconds = 0 }
    let replayed = try scenario.replay("0s,a,launch\n2s,b,launch\n2s,a,launch", on: engine)
    #expect(
      replayed.story(.state).filter { $0.contains(" a ") }.dropFirst(2) == [
        "2s a inactive T5", "2s a background T5", "2s a suspended T7", "2s a background T11",
        "2s a inactive T11", "2s a active T11",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a declared mode keeps an app running without end`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,a,background-mode,1,,mode=audio
      2s,,home
      2000s,a,background-mode,0,,mode=audio
      2002s,,end
      """, on: engine)
    #expect(replayed.story(.state).last == "2001s a suspended T7")
  }

  @Test(arguments: enginesUnderTest)
  func `quitting tells a running app and not a suspended one`(engine: NamedEngine) throws {
    let running = try roomy.replay("0s,a,launch\n1s,a,quit", on: engine)
    #expect(
      running.story(.message, .ended, .state).suffix(3) == [
        "1s a willTerminate", "1s a ended quit", "1s a not-running T13",
      ])
    let suspended = try roomy.replay("0s,a,launch\n1s,,home\n9s,a,quit", on: engine)
    #expect(
      suspended.story(.message, .ended, .state).suffix(3) == [
        "2s a suspended T7", "9s a ended quit", "9s a not-running T14",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a boot ends everything without a word`(engine: NamedEngine) throws {
    let replayed = try roomy.replay("0s,a,launch\n1s,b,launch\n5s,,boot\n6s,a,launch", on: engine)
    #expect(
      replayed.story.suffix(7) == [
        "5s a ended boot", "5s a not-running T14", "5s b ended boot", "5s b not-running T14",
        "6s a inactive T1", "6s a active T1", "6s a launch cold",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `without multitasking leaving ends the app`(engine: NamedEngine) throws {
    let scenario = roomy.with { $0.configuration.device.multitasks = false }
      .app("a") { $0.saveTriggers = [.terminate, .background] }
    let replayed = try scenario.replay("0s,a,launch\n1s,a,edit,80000000\n2s,,home", on: engine)
    #expect(
      replayed.story(.message, .save, .ended, .loss, .state).suffix(5) == [
        "2s a willResignActive", "2s a willTerminate",
        "2s a save terminate complete 80000000 B 1.05s",
        "2s a ended noMultitasking", "2s a not-running T15",
      ])
    #expect(replayed.totals("a").userDiscards == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `apps present at the start go on from there`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,present,,,state=background
      0s,b,present,,,state=suspended;since_ns=5000000000
      9s,b,launch
      """, on: engine)
    #expect(
      replayed.story == [
        "1s a suspended T7", "9s b background T11", "9s b inactive T11", "9s b active T11",
        "9s b launch hot",
      ])
  }
}
