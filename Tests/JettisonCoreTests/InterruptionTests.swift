import JettisonCore
import JettisonTestSupport
import Testing

/// Calls and alerts, one inside the other: see *Interruptions* in "The model".
struct InterruptionTests {
  let roomy = Scenario(ramMiB: 10_000).app("a").app("b")

  @Test(arguments: enginesUnderTest)
  func `the app is active again when the last interruption was dismissed`(
    engine: NamedEngine
  ) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,,interrupt,,,by=call
      2s,,interrupt,,,by=sms
      3s,,interrupt-end
      4s,,interrupt-end
      5s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .message).dropFirst(4) == [
        "1s a willResignActive", "1s a inactive T3", "4s a active T4", "4s a didBecomeActive",
      ])
    #expect(replayed.system.replayIssues == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `an end names the newest of its kind`(engine: NamedEngine) throws {
    // Call, alert, call: a call ends, then no sms is there to end, then the alert and the call.
    // Without `by` an interruption is an alert.
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,,interrupt,,,by=call
      2s,,interrupt
      3s,,interrupt,,,by=call
      4s,,interrupt-end,,,by=call
      5s,,interrupt-end,,,by=sms
      6s,,interrupt-end,,,by=alert
      7s,,interrupt-end,,,by=call
      8s,,interrupt-end
      9s,,end
      """, on: engine)
    #expect(replayed.story(.state).dropFirst(2) == ["1s a inactive T3", "7s a active T4"])
    #expect(replayed.system.replayIssues == 2)
  }

  @Test(arguments: enginesUnderTest)
  func `one that is accepted ends all of them`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,,interrupt,,,by=call
      2s,,interrupt,,,by=sms
      3s,,interrupt-end,,,by=call;outcome=accepted
      4s,,interrupt-end,,,by=sms
      5s,a,launch
      6s,,end
      """, on: engine)
    #expect(
      replayed.story(.state).dropFirst(2) == [
        "1s a inactive T3", "3s a background T6", "4s a suspended T7", "5s a background T11",
        "5s a inactive T11", "5s a active T11",
      ])
    #expect(replayed.system.replayIssues == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a launch of the interrupted app ends calls and the lock`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,,interrupt
      2s,,interrupt
      3s,,screen,0
      4s,a,launch
      5s,,screen,1
      6s,,interrupt
      7s,,interrupt-end
      8s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .launch).dropFirst(3) == [
        "1s a inactive T3", "4s a active T4", "4s a launch hot", "6s a inactive T3",
        "7s a active T4",
      ])
    #expect(replayed.system.replayIssues == 0)
  }

  // MARK: What is legal goes by the rows, not by who lives here

  /// 100 MiB, of which the app takes 30; opened again it is back after two seconds.
  let small = Scenario().app("a", MiB: 30) { $0.coldLaunchNanoseconds = 2_000_000_000 }

  @Test(arguments: enginesUnderTest)
  func `a call outlasts the app that it interrupts`(engine: NamedEngine) throws {
    // Killed at 2 s and opened again at 4.
    let rows =
      "0s,a,launch\n1s,,interrupt,,,by=call\n2s,,system-memory,105MiB\n"
      + "2.5s,,system-memory,0\n"
    let short = try small.replay(rows + "3s,,interrupt-end\n9s,,end", on: engine)
    #expect(short.system.replayIssues == 0)
    #expect(short.story(.state).suffix(2) == ["4s a inactive T1", "4s a active T1"])
    let long = try small.replay(rows + "6s,,interrupt-end\n9s,,end", on: engine)
    #expect(long.system.replayIssues == 0)
    #expect(
      long.story(.state, .launch, .message).suffix(5) == [
        "4s a inactive T1", "4s a didFinishLaunching", "4s a launch cold", "6s a active T4",
        "6s a didBecomeActive",
      ])
    // Accepted, it takes the user elsewhere: nobody opens the app again.
    let accepted = try small.replay(
      rows + "3s,,interrupt-end,,,outcome=accepted\n9s,,end", on: engine)
    #expect(accepted.system.replayIssues == 0)
    #expect(accepted.story(.launch) == ["0s a launch cold"])
    let crashed = try small.replay(
      "0s,a,launch\n1s,,interrupt\n2s,a,crash\n3s,,interrupt-end\n4s,,interrupt-end", on: engine)
    #expect(crashed.system.replayIssues == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `the place of an app that vanished here is not empty in the capture`(
    engine: NamedEngine
  ) throws {
    let rows =
      "0s,a,launch\n2s,,system-memory,105MiB\n2.5s,,interrupt\n3s,,interrupt-end\n"
      + "3.5s,,home\n"
    #expect(try small.replay(rows, on: engine).system.replayIssues == 0)
    // Now it is empty there, too.
    #expect(
      try small.replay(rows + "4s,,home\n5s,,interrupt", on: engine).system.replayIssues == 2)
  }

  @Test(arguments: enginesUnderTest)
  func `the lock is undone by its own name only`(engine: NamedEngine) throws {
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,,interrupt,,,by=lock
      2s,,interrupt-end
      3s,,interrupt-end,,,by=lock
      4s,,interrupt-end,,,by=lock
      5s,,end
      """, on: engine)
    #expect(replayed.story(.state).dropFirst(2) == ["1s a inactive T3", "3s a active T4"])
    #expect(replayed.system.replayIssues == 0)
  }
}
