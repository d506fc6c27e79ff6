import JettisonCore
import JettisonTestSupport
import Testing

/// Leaving ends the app (T15): see *Without multitasking* in "The model".
struct NoMultitaskingTests {
  /// An app that writes 1000 bytes per second and is ended on leaving.
  func phone(
    _ triggers: AppProfile.SaveTriggers, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> Scenario {
    .writing(triggers) {
      $0.multitasks = false
      change(&$0)
    }
  }

  static let rows = "0s,a,launch\n1s,a,edit,2000,,work_ms=4000\n2s,,home\n9s,a,launch\n10s,,end"

  @Test(arguments: enginesUnderTest)
  func `an app that saves nothing loses everything`(engine: NamedEngine) throws {
    let replayed = try phone(.background).replay(Self.rows, on: engine)
    #expect(
      replayed.story(.state, .message, .ended, .loss, .restore, .launch).dropFirst(5) == [
        "2s a willResignActive", "2s a willTerminate", "2s a ended noMultitasking",
        "2s a loss no-save 2000 B 4s yes", "2s a not-running T15", "9s a inactive T1",
        "9s a restore none 0 B 0s", "9s a didFinishLaunching", "9s a active T1",
        "9s a didBecomeActive", "9s a launch cold",
      ])
    let totals = replayed.totals("a")
    #expect(totals.noMultitaskingEnds == 1)
    #expect(totals.noMultitaskingLossEvents == 1)
    #expect(totals.userDiscards == 0 && totals.killLossEvents == 0 && totals.lossEvents == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a save in the last handler keeps it, as long as it fits`(engine: NamedEngine) throws {
    let kept = try phone(.terminate).replay(Self.rows, on: engine)
    #expect(
      kept.story(.save, .ended, .loss, .restore) == [
        "2s a save terminate complete 2000 B 2s", "2s a ended noMultitasking",
        "9s a restore full 2000 B 4s old 8s",
      ])
    let exact = try phone(.terminate).replay(
      "0s,a,launch\n1s,a,edit,5000\n2s,,home\n9s,,end", on: engine)
    #expect(exact.story(.loss) == [])
    let cut = try phone(.terminate).replay(
      "0s,a,launch\n1s,a,edit,5001\n2s,,home\n9s,,end", on: engine)
    #expect(
      cut.story(.save, .ended, .loss) == [
        "2s a save terminate interrupted 0 B 5s", "2s a ended noMultitasking",
        "2s a loss handler-timeout 5001 B 0s censored",
      ])
    #expect(cut.totals("a").savesInterruptedWindow == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a save of resigning is the save of the end`(engine: NamedEngine) throws {
    let replayed = try phone([.resign, .terminate]).replay(Self.rows, on: engine)
    #expect(
      replayed.story(.save, .ended) == [
        "2s a save resign complete 2000 B 2s", "2s a ended noMultitasking",
      ])
    #expect(replayed.totals("a").saves == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a save begun when a call came ends first, within the five seconds`(
    engine: NamedEngine
  ) throws {
    func left(_ bytes: Int, _ more: String = "", _ triggers: AppProfile.SaveTriggers = .resign)
      throws -> Replayed
    {
      try phone(triggers).replay(
        "0s,a,launch\n1s,a,edit,\(bytes)\n1.5s,,interrupt\n\(more)2s,,home\n9s,,end", on: engine)
    }
    #expect(
      try left(5500).story(.save, .ended, .loss) == [
        "2s a save resign complete 5500 B 5.5s", "2s a ended noMultitasking",
      ])
    let cut = try left(5501)
    #expect(
      cut.story(.save, .ended, .loss) == [
        "2s a save resign interrupted 0 B 5.5s", "2s a ended noMultitasking",
        "2s a loss handler-timeout 5501 B 0s censored",
      ])
    #expect(cut.totals("a").savesInterruptedWindow == 1)
    // Four seconds from 1.5 s on leave 1.5 of the five for what was produced since.
    #expect(
      try left(4000, "1.8s,a,edit,1500\n", [.resign, .terminate]).story(.save, .loss) == [
        "2s a save resign complete 4000 B 4s", "2s a save terminate complete 1500 B 1.5s",
      ])
    #expect(
      try left(4000, "1.8s,a,edit,1501\n", [.resign, .terminate]).story(.save, .loss) == [
        "2s a save resign complete 4000 B 4s", "2s a save terminate interrupted 0 B 1.5s",
        "2s a loss handler-timeout 1501 B 0s censored stale 1s",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `an app opts out up to iOS 12 only`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,b,launch\n9s,,end"
    for era in [nil, Era.ios4, .ios6, .ios7, .ios12] {
      let replayed = try phone([]).with { $0.configuration.device.era = era }
        .replay(rows, on: engine)
      #expect(replayed.story(.ended) == ["1s a ended noMultitasking"])
    }
    for era in [Era.ios14, .ios17, .ios18, .androidLMKD, .linuxOOM] {
      let replayed = try phone([]).with { $0.configuration.device.era = era }
        .replay(rows, on: engine)
      #expect(replayed.story(.state).last == "2s a suspended T7")
    }
  }

  @Test(arguments: enginesUnderTest)
  func `the system starts no such app, whatever the device can`(engine: NamedEngine) throws {
    let replayed = try phone([]).replay(
      "0s,a,background-launch\n1s,b,background-launch\n9s,,end", on: engine)
    #expect(replayed.totals("a").skippedEvents == 1)
    #expect(replayed.story(.launch) == ["1s b launch background"])
  }

  @Test(arguments: enginesUnderTest)
  func `a lock that leaves ends it, and the unlock starts it anew`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,a,edit,100\n2s,,screen,0\n9s,,screen,1\n20s,,end"
    let leaving = try phone([]).with { $0.configuration.device.lock = .background }
      .replay(rows, on: engine)
    #expect(
      leaving.story(.state, .ended, .loss, .launch).dropFirst(3) == [
        "2s a ended noMultitasking", "2s a loss no-save 100 B 0s yes", "2s a not-running T15",
        "9s a inactive T1", "9s a active T1", "9s a launch cold",
      ])
    let staying = try phone([]).replay(rows, on: engine)
    #expect(staying.story(.state).dropFirst(2) == ["2s a inactive T3", "9s a active T4"])
  }
}
