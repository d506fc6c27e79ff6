import JettisonCore
import JettisonTestSupport
import Testing

/// A main thread that saves does nothing else: see *A busy main thread* in "The model".
///
/// The app writes 1000 bytes per second in its handlers; leaving gives it five seconds.
struct BusyMainThreadTests {
  func phone(
    _ triggers: AppProfile.SaveTriggers, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> Scenario {
    .writing(triggers) {
      $0.coldLaunchNanoseconds = 2_000_000_000
      $0.hotLaunchNanoseconds = 100_000_000
      change(&$0)
    }
  }

  // MARK: Messages of Android

  @Test(arguments: enginesUnderTest)
  func `that windows are hidden is heard when the save of an alert has ended`(
    engine: NamedEngine
  ) throws {
    let rows = "0s,a,launch\n1s,a,edit,4000\n2s,,interrupt\n"
    let accepted = "2.5s,,interrupt-end,,,outcome=accepted\n"
    let android = phone([.resign]).with { $0.configuration.pressure = .androidLMKD }
    let replayed = try android.replay(rows + accepted + "20s,,end", on: engine)
    #expect(
      replayed.story(.state, .message, .save).dropFirst(5) == [
        "2s a inactive T3", "2.5s a background T6", "2.5s a didEnterBackground",
        "6s a save resign complete 4000 B 4s", "6s a trimUIHidden", "7s a suspended T7",
      ])
    // A user who is back by then does not keep it from coming, an end does.
    let back = try android.replay(rows + accepted + "3s,a,launch\n20s,,end", on: engine)
    #expect(
      back.story(.message, .save).suffix(4) == [
        "6s a save resign complete 4000 B 4s", "6s a trimUIHidden", "6s a willEnterForeground",
        "6s a didBecomeActive",
      ])
    let crashed = try android.replay(rows + accepted + "3s,a,crash\n20s,,end", on: engine)
    #expect(!crashed.story(.message).contains { $0.contains("trim") })
  }

  @Test func `levels and low memory wait for a busy main thread`() throws {
    func told(_ save: AppProfile.SaveThread) throws -> (story: [String], warnings: Int64) {
      // The driver takes `c`, the last cached app, while `a` saves for four seconds.
      var scenario = Scenario(ramMiB: 1024, pressure: .androidLMK)
        .app("b", MiB: 300).app("c", MiB: 300).app("a", MiB: 300) {
          $0.saveTriggers = .background
          $0.saveThread = save
          $0.saveFixedNanoseconds = 4_000_000_000
        }
      scenario.policy = "android"
      let replayed = try scenario.replay(
        """
        0s,c,launch
        10s,a,launch
        11s,a,edit,0,,work_ms=1000
        20s,b,launch
        20.5s,,system-memory,300MiB
        40s,,end
        """, on: .fast)
      let story = replayed.story(.message).filter {
        $0.contains("trimRunning") || $0.contains("lowM")
      }
      return (story.filter { $0.contains(" a ") }, replayed.totals("a").warnings)
    }
    let free = try told(.task)
    let busy = try told(.main)
    #expect(!free.story.isEmpty && free.story.contains { $0.contains("lowMemory") })
    #expect(free.story.allSatisfy { $0.hasPrefix("20") })
    // The newest level, then that memory is low, when the save has ended; each counts when it is heard.
    #expect(busy.story == ["24s a trimRunningCritical", "24s a lowMemory"])
    #expect(busy.warnings == 2)
  }

  // MARK: Saves that begin when the app resigns

  @Test(arguments: enginesUnderTest)
  func `a save begun at an alert goes on in the handler of leaving`(engine: NamedEngine) throws {
    for (lock, leave) in [
      (Device.Lock.background, "2.5s,,screen,0"), (.inactive, "2.5s,,home"),
      (.inactive, "2.5s,,interrupt-end,,,outcome=accepted"),
    ] {
      let replayed = try phone([.resign]).with { $0.configuration.device.lock = lock }.replay(
        "0s,a,launch\n1s,a,edit,4000,,work_ms=5000\n2s,,interrupt\n\(leave)\n20s,,end", on: engine)
      #expect(
        replayed.story(.state, .message, .save).dropFirst(5) == [
          "2s a inactive T3", "2.5s a background T\(lock == .background ? 5 : 6)",
          "2.5s a didEnterBackground", "6s a save resign complete 4000 B 4s", "7s a suspended T7",
        ])
      #expect(replayed.totals("a").saves == 1)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `the app is active again when the save has ended`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,a,edit,4000\n2s,,interrupt\n3s,,interrupt-end\n"
    let replayed = try phone([.resign]).replay(rows + "20s,,end", on: engine)
    #expect(
      replayed.story(.state, .message, .save, .wait, .launch).dropFirst(7) == [
        "6s a save resign complete 4000 B 4s", "6s a wait 3s", "6s a active T4",
        "6s a didBecomeActive",
      ])
    #expect(replayed.totals("a").handlerWaitNanoseconds == seconds(3))
    // Interrupted anew meanwhile, it stays inactive.
    let again = try phone([.resign]).replay(
      rows + "4s,,interrupt\n8s,,interrupt-end\n20s,,end", on: engine)
    #expect(
      again.story(.state, .save, .wait).dropFirst(3) == [
        "6s a save resign complete 4000 B 4s", "6s a wait 3s", "8s a active T4",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a lock of iOS 4 and a launch wait for it, too`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,a,edit,4000\n2s,,screen,0\n"
    let unlocked = try phone([.resign]).replay(rows + "5s,,screen,1\n20s,,end", on: engine)
    #expect(
      unlocked.story(.state, .save, .wait, .launch).dropFirst(4) == [
        "6s a save resign complete 4000 B 4s", "6s a wait 1s", "6s a active T4",
      ])
    let launched = try phone([.resign]).replay(rows + "4s,a,launch\n20s,,end", on: engine)
    #expect(
      launched.story(.state, .save, .wait, .launch).dropFirst(4) == [
        "6s a save resign complete 4000 B 4s", "6s a wait 2s", "6s a active T4",
        "6s a launch hot",
      ])
    #expect(launched.outcome.events.last { $0.kind == .launch }?.nanoseconds == seconds(2.1))
  }

  @Test(arguments: enginesUnderTest)
  func `who leaves while waiting and comes back finds one save, not two`(
    engine: NamedEngine
  ) throws {
    // Eight seconds from 2 s on; the five of leaving would be over at 11 s.
    let replayed = try phone([.resign]).replay(
      """
      0s,a,launch
      1s,a,edit,8000
      2s,,interrupt
      4s,,interrupt-end
      6s,,home
      7s,a,launch
      20s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .save, .wait, .launch, .watchdog).dropFirst(4) == [
        "6s a wait 2s", "6s a background T6", "10s a save resign complete 8000 B 8s",
        "10s a wait 3s", "10s a inactive T11", "10s a active T11", "10s a launch hot",
      ])
    #expect(replayed.totals("a").saves == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `the five seconds count from leaving`(engine: NamedEngine) throws {
    let replayed = try phone([.resign]).replay(
      "0s,a,launch\n1s,a,edit,9000\n2s,,interrupt\n5s,,home\n20s,,end", on: engine)
    #expect(
      replayed.story(.watchdog, .save, .loss) == [
        "10s a watchdog", "10s a save resign interrupted 0 B 8s",
        "10s a loss handler-timeout 9000 B 0s censored",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `what was produced meanwhile is saved in the background, in the same five seconds`(
    engine: NamedEngine
  ) throws {
    let rows = "0s,a,launch\n1s,a,edit,1000\n2s,,interrupt\n"
    let leave = "2.7s,,interrupt-end,,,outcome=accepted\n20s,,end"
    let nothing = try phone([.resign, .background]).replay(rows + leave, on: engine)
    #expect(
      nothing.story(.save, .state).suffix(2) == [
        "3s a save resign complete 1000 B 1s", "4s a suspended T7",
      ])
    #expect(nothing.totals("a").saves == 1)
    let more = try phone([.resign, .background]).replay(
      rows + "2.5s,a,edit,500\n" + leave, on: engine)
    #expect(
      more.story(.save, .state).suffix(3) == [
        "3s a save resign complete 1000 B 1s", "3.5s a save background complete 500 B 0.5s",
        "4.5s a suspended T7",
      ])
    // The first save ends at 6 s, the second would need three seconds, and the handler has 2.5.
    let late = try phone([.resign, .background]).replay(
      "0s,a,launch\n1s,a,edit,4000\n2s,,interrupt\n3s,a,edit,3000\n3.5s,,home\n20s,,end",
      on: engine)
    #expect(
      late.story(.save, .watchdog, .loss) == [
        "6s a save resign complete 4000 B 4s", "8.5s a watchdog",
        "8.5s a save background interrupted 0 B 2.5s",
        "8.5s a loss handler-timeout 3000 B 0s censored stale 7.5s",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `on a task it keeps the app running after it has left`(engine: NamedEngine) throws {
    let replayed = try phone([.resign]) { $0.saveThread = .task }.replay(
      "0s,a,launch\n1s,a,edit,4000\n2s,,interrupt\n2.5s,,home\n20s,,end", on: engine)
    #expect(
      replayed.story(.save, .state).suffix(3) == [
        "2.5s a background T6", "6s a save resign complete 4000 B 4s", "7s a suspended T7",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `an orderly end lets a busy main thread finish first`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,a,edit,3000\n2s,,home\n3s,a,quit\n"
    let quit = try phone([.background]).replay(rows, on: engine)
    #expect(
      quit.story(.save, .ended) == ["3s a save background complete 3000 B 3s", "3s a ended quit"])
    #expect(quit.totals("a").userDiscards == 0)
    let long = try phone([.background]) { $0.saveBytesPerSecond = 400 }.replay(rows, on: engine)
    // Of 7.5 seconds one has passed, and five are given.
    #expect(
      long.story(.save, .ended) == [
        "3s a save background interrupted 0 B 6s", "3s a ended quit",
      ])
    #expect(long.totals("a").userDiscards == 1)
  }

  /// A user who leaves, comes back while the save runs, writes on and leaves again: the capture has a save of
  /// each leave, and the later end of both frees the main thread.
  @Test(arguments: enginesUnderTest, [100, 2_500])
  func `a captured save of leaving a busy app is made, too`(
    engine: NamedEngine, second: Int64
  ) throws {
    let save = "trigger=background;complete=1"
    let replayed = try phone([.background]).replay(
      """
      0s,a,launch
      5s,a,edit,3000,,work_ms=5000
      10s,,home
      10s,a,save,3000,,duration_ms=3000;\(save)
      11s,a,launch
      11.5s,a,edit,500,,work_ms=4000
      12s,,home
      12s,a,save,500,,duration_ms=\(second);\(save)
      30s,,end
      """, on: engine)
    #expect(replayed.totals("a").saves == 2)
    #expect(replayed.totals("a").unsavedAtEndNanoseconds == 0)
    #expect(replayed.totals("a").skippedEvents == 0)
    let suspension = second == 100 ? "14s a suspended T7" : "15.5s a suspended T7"
    #expect(replayed.story(.state).last == suspension)
  }

  // MARK: What comes meanwhile

  /// Left at 2 s, with a handler that runs for four seconds.
  static let busy = "0s,a,launch\n1s,a,edit,4000\n2s,,home\n"

  @Test(arguments: enginesUnderTest)
  func `device changes wait for the handler, one of each kind`(engine: NamedEngine) throws {
    let rows =
      Self.busy + """
        3s,,device-change,,,kind=orientation;to=landscape
        4s,,device-change,,,kind=time
        5s,,device-change,,,kind=orientation;to=portrait

        """
    let trace = try Trace(rows: rows)
    func told(_ rest: String) throws -> [String] {
      try phone([.background]).replay(rows + rest, on: engine).outcome.events
        .filter { $0.kind == .message && $0.timeNanoseconds > seconds(2) }
        .map { event in
          let detail = event.change.map { " " + trace.detailTexts[Int($0)] } ?? ""
          return "\(event.timeNanoseconds / 1_000_000_000)s \(event.message)\(detail)"
        }
    }
    let changes = [
      "6s orientationChange kind=orientation;to=portrait", "6s timeChange kind=time",
    ]
    #expect(try told("20s,,end") == changes)
    #expect(
      try told("5.5s,a,launch\n20s,,end") == changes + [
        "6s willEnterForeground", "6s willEnterForegroundNotification", "6s didBecomeActive",
        "6s didBecomeActiveNotification",
      ])
    #expect(try told("5.5s,a,crash\n20s,,end") == [])
  }

  @Test(arguments: enginesUnderTest)
  func `of the warnings meanwhile the newest is heard, and answered then`(
    engine: NamedEngine
  ) throws {
    // 50 of 100 MiB are the app's: at 3 s 14 are left, at 4 s 4.
    let small = phone([.background]) {
      $0.launchFootprintBytes = 50 << 20
      $0.warningResponseProbability = 1
      $0.warningDelayNanoseconds = 250_000_000
    }.with { $0.configuration.device.ramBytes = 100 << 20 }
    let rows = Self.busy + "3s,,system-memory,36MiB\n"
    let one = try small.replay(rows + "20s,,end", on: engine)
    #expect(
      one.story(.save, .warning, .response).prefix(3) == [
        "6s a save background complete 4000 B 4s", "6s a warning warning", "6.25s a response 0",
      ])
    let two = try small.replay(rows + "4s,,system-memory,46MiB\n6.5s,,end", on: engine)
    #expect(two.story(.warning) == ["6s a warning critical"])
    #expect(two.totals("a").warnings == 1)
    let ended = try small.replay(rows + "4s,a,crash\n20s,,end", on: engine)
    #expect(ended.story(.warning) == [])
  }

  @Test(arguments: enginesUnderTest)
  func `the expiration handler waits as well, and may come too late`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n0s,a,task-begin,,1\n1s,a,edit,4000\n2s,,home\n20s,,end"
    // It is due five seconds before the end of the budget: at 3 s, with the handler returning at 6.
    let late = try phone([.background])
      .with { $0.configuration.device.budgets.taskNanoseconds = seconds(6) }
      .replay(rows, on: engine)
    #expect(
      late.story(.save, .message, .state).suffix(3) == [
        "6s a save background complete 4000 B 4s", "6s a expirationHandler", "7s a suspended T7",
      ])
    let never = try phone([.background])
      .with { $0.configuration.device.budgets.taskNanoseconds = seconds(3) }
      .replay(rows, on: engine)
    #expect(never.story(.taskExpired) == ["5s a task-expired"])
    #expect(!never.story(.message).contains { $0.hasSuffix("expirationHandler") })
  }
}
