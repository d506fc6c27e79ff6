import JettisonCore
import JettisonTestSupport
import Testing

/// What an app answers when a background task is about to expire: see *Tasks and modes*.
///
/// A task may run for 30 s; the app goes home at 10 s, so its handler comes at 35 s.
struct ExpirationTests {
  func phone(_ change: (inout AppProfile) -> Void = { _ in }) -> Scenario {
    Scenario(ramMiB: 10_000)
      .with { $0.configuration.device.budgets.taskNanoseconds = seconds(30) }
      .app("a") {
        $0.saveFixedNanoseconds = 0
        $0.saveBytesPerSecond = 1000
        change(&$0)
      }
  }

  static let rows = """
    0s,a,launch
    1s,a,task-begin,,1
    2s,a,edit,3000
    10s,,home

    """

  @Test(arguments: enginesUnderTest)
  func `an app ends its tasks in the handler and is suspended`(engine: NamedEngine) throws {
    let replayed = try phone().replay(
      Self.rows + "50s,a,task-end,,1\n60s,a,launch\n70s,,end", on: engine)
    #expect(
      replayed.story(.message, .state, .taskExpired).dropFirst(8).prefix(2) == [
        "35s a expirationHandler", "36s a suspended T7",
      ])
    #expect(replayed.story.last == "60s a launch hot")
    #expect(replayed.totals("a").taskExpirations == 0)
    #expect(replayed.totals("a").impliedWakes == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `an app that ignores the handler is ended at the deadline`(engine: NamedEngine) throws {
    for triggers in [AppProfile.SaveTriggers(), .expiration] {
      let replayed = try phone {
        $0.endsTasksAtExpiration = false
        $0.saveTriggers = triggers
      }.replay(Self.rows + "70s,,end", on: engine)
      #expect(
        replayed.story(.taskExpired, .state).suffix(2) == [
          "40s a task-expired", "40s a not-running T9",
        ])
      // It may save all the same: three seconds, so the save is complete at 38 s.
      let saves = triggers == .expiration ? ["38s a save expiration complete 3000 B 3s"] : []
      #expect(replayed.story(.save) == saves)
      #expect(replayed.totals("a").taskLossEvents == (triggers == .expiration ? 0 : 1))
    }
  }

  @Test(arguments: enginesUnderTest)
  func `a save in the handler ends the tasks when it is complete`(engine: NamedEngine) throws {
    let replayed = try phone { $0.saveTriggers = .expiration }
      .replay(Self.rows + "70s,,end", on: engine)
    #expect(
      replayed.story(.message, .save, .state).dropFirst(8) == [
        "35s a expirationHandler", "38s a save expiration complete 3000 B 3s",
        "39s a suspended T7",
      ])
    // With nothing unsaved there is no save, and the tasks end at once.
    let clean = try phone { $0.saveTriggers = .expiration }
      .replay("0s,a,launch\n1s,a,task-begin,,1\n10s,,home\n70s,,end", on: engine)
    #expect(clean.story(.save, .state).suffix(1) == ["36s a suspended T7"])
  }

  @Test(arguments: enginesUnderTest)
  func `a save that fits exactly is in time, a longer one is ended with the task`(
    engine: NamedEngine
  ) throws {
    let exact = try phone { $0.saveTriggers = .expiration }.replay(
      "0s,a,launch\n1s,a,task-begin,,1\n2s,a,edit,5000\n10s,,home\n70s,,end", on: engine)
    #expect(
      exact.story.suffix(2) == [
        "40s a save expiration complete 5000 B 5s", "41s a suspended T7",
      ])
    let long = try phone { $0.saveTriggers = .expiration }.replay(
      "0s,a,launch\n1s,a,task-begin,,1\n2s,a,edit,5001\n10s,,home\n70s,,end", on: engine)
    #expect(
      long.story.suffix(4) == [
        "40s a task-expired", "40s a save expiration interrupted 0 B 5s",
        "40s a loss task-expired 5001 B 0s censored", "40s a not-running T9",
      ])
    #expect(long.totals("a").savesInterruptedWindow == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `the task of a save ends as well, and the save is frozen`(engine: NamedEngine) throws {
    // 40 s of writing from 10 s on: 26 s are done at the suspension, 14 s remain.
    let replayed = try phone {
      $0.saveTriggers = .background
      $0.saveThread = .task
    }.replay(
      "0s,a,launch\n2s,a,edit,40000\n10s,,home\n100s,a,launch\n200s,,end", on: engine)
    #expect(
      replayed.story(.message, .save, .state).dropFirst(8).prefix(2) == [
        "35s a expirationHandler", "36s a suspended T7",
      ])
    #expect(replayed.story.last == "114s a save background complete 40000 B 40s")
  }

  @Test(arguments: enginesUnderTest)
  func `a task begun after the handler came is not called again`(engine: NamedEngine) throws {
    let replayed = try phone().replay(
      "0s,a,launch\n1s,a,task-begin,,1\n10s,,home\n35.5s,a,task-begin,,2\n70s,,end", on: engine)
    #expect(
      replayed.story(.message, .taskExpired, .state).suffix(3) == [
        "35s a expirationHandler", "40s a task-expired", "40s a not-running T9",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a save of the handler that completes in front ends the tasks too`(
    engine: NamedEngine
  ) throws {
    // Back at 36 s, the save ends at 38 s, the user leaves at 40 s: nothing holds the app.
    let replayed = try phone { $0.saveTriggers = .expiration }
      .replay(Self.rows + "36s,a,launch\n40s,,home\n70s,,end", on: engine)
    #expect(replayed.story.suffix(2) == ["40s a background T5", "41s a suspended T7"])
  }

  @Test(arguments: enginesUnderTest)
  func `captured saves in a handler are left to the catalog`(engine: NamedEngine) throws {
    let replayed = try phone().replay(
      "0s,a,launch\n1s,a,edit,10\n2s,a,save,10,,trigger=expiration\n9s,,end", on: engine)
    #expect(replayed.story(.save) == [])
    #expect(replayed.totals("a").skippedEvents == 1)
  }
}
