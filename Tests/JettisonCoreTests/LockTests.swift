import JettisonCore
import JettisonTestSupport
import Testing

/// What locking the screen does, by device: see *Locking* in "The model".
struct LockTests {
  static let plain = Scenario(ramMiB: 10_000).app("a").app("b")
  /// A phone of an era, with its lock.
  static func phone(of era: Era?) -> Scenario {
    plain.with {
      $0.configuration.device.era = era
      $0.configuration.device.lock = era?.lock ?? .inactive
    }
  }

  let inactive = Self.plain.with { $0.configuration.device.lock = .inactive }
  let background = Self.plain.with { $0.configuration.device.lock = .background }

  /// An app that needs `seconds` for every save, in its handler.
  func busy(_ seconds: Int64, _ change: (inout AppProfile) -> Void = { _ in }) -> Scenario {
    background.app("a") {
      $0.saveTriggers = .background
      $0.saveFixedNanoseconds = seconds * 1_000_000_000
      change(&$0)
    }
  }

  // MARK: Android

  /// A phone under a model whose app `a` saves for `seconds` when it leaves, on a queue.
  func queueing(_ seconds: Int64, _ model: PressureModelKind) -> Scenario {
    Scenario(ramMiB: 10_000, pressure: model).app("b").app("a") {
      $0.saveTriggers = .background
      $0.saveThread = .queue
      $0.saveFixedNanoseconds = seconds * 1_000_000_000
    }.with {
      $0.configuration.device.lock = .background
      $0.configuration.device.budgets.taskNanoseconds = 30_000_000_000
    }
  }

  static let lock = "0s,a,launch\n1s,a,edit,0,,work_ms=1000\n2s,,screen,0\n"

  @Test(arguments: enginesUnderTest)
  func `on Android the app behind the lock runs on`(engine: NamedEngine) throws {
    func story(_ model: PressureModelKind, _ rows: String) throws -> [String] {
      try queueing(9, model).replay(Self.lock + rows, on: engine).story(.state, .save)
        .filter { $0.contains(" a ") }.dropFirst(2).map(\.self)
    }
    // Nine seconds of saving: frozen after a second elsewhere, complete here.
    let night = "60s,,screen,1\n70s,,end"
    #expect(
      try story(.thresholds, night) == [
        "2s a inactive T3", "2s a background T5", "3s a suspended T7", "60s a background T11",
        "60s a inactive T11", "60s a active T11", "68s a save background complete 0 B 9s",
      ])
    let begin = [
      "2s a inactive T3", "2s a background T5", "11s a save background complete 0 B 9s",
    ]
    #expect(
      try story(.androidLMKD, night) == begin + ["60s a inactive T11", "60s a active T11"])
    // Nobody waits for it any more once something else is launched, or the user goes home.
    for row in ["20s,b,launch", "20s,,home"] {
      #expect(try story(.androidLMKD, row + "\n70s,,end") == begin + ["21s a suspended T7"])
    }
    // What wakes it does not put it to sleep.
    let woken = "20s,a,background-launch\n30s,a,task-begin,,1\n31s,a,task-end,,1\n70s,,end"
    #expect(try story(.androidLMKD, woken) == begin)
  }

  @Test(arguments: enginesUnderTest)
  func `no task expires behind a lock of Android`(engine: NamedEngine) throws {
    func expiration(_ rows: String, _ model: PressureModelKind = .androidLMKD) throws -> [String] {
      let replayed = try queueing(1, model).replay(
        Self.lock + rows + "\n9000s,,end", on: engine)
      return replayed.story(.message).filter { $0.contains("expirationHandler") }
    }
    // Begun an hour after the lock, or before it.
    let late = "3600s,a,task-begin,,1"
    #expect(try expiration(late).isEmpty)
    #expect(try expiration(late, .thresholds) == ["3625s a expirationHandler"])
    // The budget begins when something else is in front.
    #expect(try expiration(late + "\n7000s,b,launch") == ["7025s a expirationHandler"])
    #expect(try expiration(late + "\n7000s,,home") == ["7025s a expirationHandler"])
    #expect(
      try expiration(late + "\n7000s,,screen,1\n7100s,,home") == ["7125s a expirationHandler"])
  }

  @Test(arguments: enginesUnderTest)
  func `a process that begins behind the lock is not on top`(engine: NamedEngine) throws {
    // Its main thread is busy for longer than the handler may be.
    let phone = queueing(9, .androidLMKD).with { $0.profiles["a"]?.saveThread = .main }
    let replayed = try phone.replay(
      Self.lock + "20s,a,background-launch\n40s,,screen,1\n50s,,end", on: engine)
    #expect(
      replayed.story(.state).dropFirst(4) == [
        "7s a not-running T8", "20s a background T2", "21s a suspended T7", "40s a background T11",
        "40s a inactive T11", "40s a active T11",
      ])
  }

  @Test func `an app behind a dark screen makes no app wait for memory`() throws {
    // Far below comfort, and nobody to kill: who runs stalls all the time.
    func criticalSeconds(_ rows: String) throws -> Double {
      let phone = Scenario(ramMiB: 1024, pressure: .androidLMKD).app("a", MiB: 980).with {
        $0.policy = "android"
        $0.configuration.device.lock = .background
      }
      let replayed = try phone.replay(rows + "\n3600s,,end", on: .fast)
      return Double(replayed.system.criticalLevelNanoseconds) / 1e9
    }
    #expect(try criticalSeconds("0s,a,launch\n10s,a,pin,1") > 3500)
    let locked = "0s,a,launch\n10s,a,pin,1\n20s,,screen,0"
    #expect(try criticalSeconds(locked) < 30)
    // With a task it works.
    let task = locked + "\n100s,a,task-begin,,1"
    #expect(try criticalSeconds(task) > 3400)
    #expect((90...130).contains(try criticalSeconds(task + "\n200s,a,task-end,,1")))
  }

  // MARK: iOS

  @Test(arguments: enginesUnderTest)
  func `up to iOS 4 a lock leaves the app in front inactive`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n2s,,screen,0\n9s,,screen,0\n60s,,screen,1\n61s,,screen,1\n70s,,end"
    for era in [nil, Era.ios4] {
      let replayed = try Self.phone(of: era).replay(rows, on: engine)
      #expect(
        replayed.story(.state, .message).dropFirst(4) == [
          "2s a willResignActive", "2s a inactive T3", "60s a active T4", "60s a didBecomeActive",
        ])
      #expect(replayed.system.replayIssues == 0)
    }
  }

  @Test(
    arguments: enginesUnderTest, ["2s,,screen,0", "2s,,interrupt,,,by=lock"])
  func `from iOS 5 on a locked app leaves and comes back at the unlock`(
    engine: NamedEngine, lock: String
  ) throws {
    for (era, unlock) in [
      (Era.ios6, "60s,,screen,1"), (.ios18, "60s,,interrupt-end,,,by=lock"),
    ] {
      let replayed = try Self.phone(of: era)
        .replay("0s,a,launch\n\(lock)\n9s,,screen,0\n\(unlock)\n70s,,end", on: engine)
      #expect(
        replayed.story(.state, .message, .launch).dropFirst(6) == [
          "2s a willResignActive", "2s a inactive T3", "2s a background T5",
          "2s a didEnterBackground", "3s a suspended T7", "60s a background T11",
          "60s a willEnterForeground", "60s a inactive T11", "60s a active T11",
          "60s a didBecomeActive",
        ])
      // The unlock is no launch.
      #expect(replayed.totals("a").hotLaunches == 0)
      #expect(replayed.system.replayIssues == 0)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `a device file says what a lock does, and a cache knows none`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n2s,,screen,0\n9s,,end"
    let old = try inactive.with { $0.configuration.device.era = .ios12 }.replay(rows, on: engine)
    #expect(old.story(.state).last == "2s a inactive T3")
    let new = try background.with { $0.configuration.device.era = .ios4 }.replay(rows, on: engine)
    #expect(new.story(.state).last == "3s a suspended T7")
    let cache = try background.with { $0.configuration.pressure = .idealCache }
      .replay(rows, on: engine)
    #expect(cache.story(.state).last == "2s a inactive T3")
  }

  @Test(arguments: enginesUnderTest)
  func `a lock saves, and a mode or a task keeps the locked app running`(
    engine: NamedEngine
  ) throws {
    let saved = try busy(2).replay(
      "0s,a,launch\n1s,a,edit,0,,work_ms=9\n2s,,screen,0\n20s,,screen,1\n30s,,end", on: engine)
    #expect(
      saved.story(.save, .state).dropFirst(4).prefix(2) == [
        "4s a save background complete 0 B 2s", "5s a suspended T7",
      ])
    let playing = try background.replay(
      """
      0s,a,launch
      1s,a,background-mode,1,,mode=audio
      2s,,screen,0
      500s,,screen,1
      600s,,end
      """, on: engine)
    #expect(
      playing.story(.state).dropFirst(3) == [
        "2s a background T5", "500s a inactive T11", "500s a active T11",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a call and a lock of iOS 4 must both end`(engine: NamedEngine) throws {
    let replayed = try inactive.replay(
      """
      0s,a,launch
      1s,,screen,0
      2s,,interrupt,,,by=call
      3s,,screen,1
      4s,,interrupt-end
      5s,,end
      """, on: engine)
    #expect(replayed.story(.state).dropFirst(2) == ["1s a inactive T3", "4s a active T4"])
    #expect(replayed.system.replayIssues == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a lock during a call is T5, and the call is over`(engine: NamedEngine) throws {
    let replayed = try background.replay(
      """
      0s,a,launch
      1s,,interrupt,,,by=call
      2s,,screen,0
      3s,,interrupt-end
      4s,,interrupt,,,by=sms
      5s,,interrupt-end,,,by=alert;outcome=accepted
      6s,,screen,1
      9s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .message).dropFirst(4) == [
        "1s a willResignActive", "1s a inactive T3", "2s a background T5",
        "2s a didEnterBackground", "3s a suspended T7", "6s a background T11",
        "6s a willEnterForeground", "6s a inactive T11", "6s a active T11", "6s a didBecomeActive",
      ])
    #expect(replayed.system.replayIssues == 0)
  }

  @Test(
    arguments: enginesUnderTest,
    ["3s,,home", "3s,,boot", "3s,b,launch", "3s,a,quit", "3s,a,update"]
  )
  func `an app that is no longer waited for stays away`(
    engine: NamedEngine, row: String
  ) throws {
    let replayed = try background.replay(
      "0s,a,launch\n2s,,screen,0\n\(row)\n9s,,screen,1\n12s,,end", on: engine)
    #expect(!replayed.story(.state).contains { $0.hasPrefix("9s") })
    #expect(replayed.sum(\.hotLaunches) == 0)
    #expect(replayed.system.replayIssues == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `home ends a lock, the end of the locked app does not`(engine: NamedEngine) throws {
    // After the quit the phone is still locked: calls and a `home` are no issues. After that
    // `home` it is not, and the next one is.
    let replayed = try background.replay(
      """
      0s,a,launch
      2s,,screen,0
      3s,a,quit
      4s,,interrupt
      5s,,interrupt-end
      6s,,home
      7s,,home
      """, on: engine)
    #expect(replayed.system.replayIssues == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a locked app that the user launches is launched once`(engine: NamedEngine) throws {
    let replayed = try background.replay(
      "0s,a,launch\n2s,,screen,0\n5s,a,launch\n6s,,screen,1\n9s,,end", on: engine)
    #expect(
      replayed.story.suffix(3) == ["5s a inactive T11", "5s a active T11", "5s a launch hot"])
  }

  @Test(arguments: enginesUnderTest)
  func `an unlock that finds the app purged is a cold launch that notices the loss`(
    engine: NamedEngine
  ) throws {
    // RAM is 100 MiB; with 95 MiB taken by the system, a of 30 is purged once it is suspended.
    let phone = Scenario().with { $0.configuration.device.lock = .background }
      .app("a", MiB: 30) {
        $0.coldLaunchNanoseconds = 2_000_000_000
        $0.hotLaunchNanoseconds = 500_000_000
      }
    let replayed = try phone.replay(
      """
      0s,a,launch
      1s,a,edit,2000,,work_ms=4000
      2s,,screen,0
      10s,,system-memory,95MiB
      20s,,system-memory,0
      30s,,screen,1
      40s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .purge, .loss, .restore, .launch).suffix(7) == [
        "10s a purge thresholds", "10s a loss no-save 2000 B 4s yes", "10s a not-running T10",
        "30s a inactive T1", "30s a restore none 0 B 0s", "30s a active T1", "30s a launch cold",
      ])
    #expect(replayed.totals("a").coldLaunchesAfterPurge == 1)
    #expect(replayed.totals("a").relaunchWaitNanoseconds == 1_500_000_000)
    #expect(replayed.totals("a").lossEventsNoticed == 1)
  }

  /// 100 MiB, of which the app takes 30; the lock leaves it inactive or sends it away.
  static func small(_ lock: Device.Lock) -> Scenario {
    Scenario().with { $0.configuration.device.lock = lock }.app("b").app("a", MiB: 30) {
      $0.coldLaunchNanoseconds = 2_000_000_000
      $0.hotLaunchNanoseconds = 500_000_000
    }
  }

  @Test(arguments: enginesUnderTest)
  func `an app killed behind a lock of iOS 4 starts anew at the unlock`(
    engine: NamedEngine
  ) throws {
    // At 10 s the system takes more than there is, until 20 s.
    func replay(_ rows: String) throws -> Replayed {
      try Self.small(.inactive).replay(
        """
        0s,a,launch
        1s,a,edit,2000,,work_ms=4000
        2s,,screen,0
        10s,,system-memory,105MiB
        20s,,system-memory,0
        \(rows)30s,,screen,1
        31s,,screen,0
        40s,,end
        """, on: engine)
    }
    let replayed = try replay("")
    #expect(
      replayed.story(.state, .loss, .restore, .launch).dropFirst(4) == [
        "10s a loss killed-running 2000 B 4s yes", "10s a not-running T14", "30s a inactive T1",
        "30s a restore none 0 B 0s", "30s a active T1", "30s a launch cold", "31s a inactive T3",
      ])
    #expect(replayed.totals("a").relaunchesAfterSystemEnd == 1)
    #expect(replayed.totals("a").systemRelaunchWaitNanoseconds == 1_500_000_000)
    #expect(replayed.outcome.result.system.replayIssues == 0)
    // A call that has come meanwhile must end before it is active.
    let called = try replay("25s,,interrupt,,,by=call\n")
    #expect(called.story(.state, .launch).suffix(2) == ["30s a inactive T1", "30s a launch cold"])
    // Whoever goes elsewhere or ends the app does not get it back.
    for row in ["25s,,home", "25s,b,launch", "25s,a,crash", "25s,,boot"] {
      let gone = try replay(row + "\n")
      #expect(!gone.story(.state).contains { $0.hasPrefix("30s a") })
      #expect(gone.story(.loss) == ["10s a loss killed-running 2000 B 4s censored"])
    }
  }

  @Test(arguments: enginesUnderTest, [Device.Lock.inactive, .background])
  func `an app that vanished just before the lock is opened at the unlock, and charged once`(
    engine: NamedEngine, lock: Device.Lock
  ) throws {
    // Killed in hand at 10 s, it would be back at 12; locked at 11, the user has put the phone away.
    let replayed = try Self.small(lock).replay(
      """
      0s,a,launch
      10s,,system-memory,105MiB
      11s,,screen,0
      11.5s,,system-memory,0
      30s,,screen,1
      40s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .launch).dropFirst(3) == [
        "10s a not-running T14", "30s a inactive T1", "30s a active T1", "30s a launch cold",
      ])
    #expect(replayed.totals("a").relaunchesAfterSystemEnd == 1)
    #expect(replayed.totals("a").systemRelaunchWaitNanoseconds == 1_500_000_000)
  }

  @Test(arguments: enginesUnderTest, [Device.Lock.inactive, .background])
  func `a phone is locked with nothing in front, too`(
    engine: NamedEngine, lock: Device.Lock
  ) throws {
    let rows = "0s,,screen,0\n1s,,interrupt,,,by=call\n2s,,screen,1\n3s,,interrupt-end,,,by=call\n"
    let replayed = try Self.plain.with { $0.configuration.device.lock = lock }
      .replay(rows + "4s,,screen,0\n5s,,home\n6s,a,launch\n7s,,end", on: engine)
    #expect(replayed.system.replayIssues == 0)
    #expect(replayed.story(.state) == ["6s a inactive T1", "6s a active T1"])
  }

  @Test(arguments: enginesUnderTest)
  func `a loss behind a lock that stays is censored`(engine: NamedEngine) throws {
    let phone = Scenario().with { $0.configuration.device.lock = .background }
      .app("a", MiB: 30)
    for row in ["25s,,home", "25s,a,quit", "25s,b,launch"] {
      let replayed = try phone.replay(
        """
        0s,a,launch
        1s,a,edit,2000
        2s,,screen,0
        10s,,system-memory,95MiB
        20s,,system-memory,0
        \(row)
        30s,,screen,1
        40s,,end
        """, on: engine)
      #expect(replayed.story(.loss) == ["10s a loss no-save 2000 B 0s censored"])
    }
  }

  @Test(arguments: enginesUnderTest)
  func `a system launch of the purged app saves the user the wait`(engine: NamedEngine) throws {
    let phone = Scenario().with { $0.configuration.device.lock = .background }
      .app("a", MiB: 30)
    let replayed = try phone.replay(
      """
      0s,a,launch
      2s,,screen,0
      10s,,system-memory,95MiB
      20s,,system-memory,0
      25s,a,background-launch
      30s,,screen,1
      40s,,end
      """, on: engine)
    #expect(
      replayed.story(.state, .launch).suffix(5) == [
        "25s a launch background", "26s a suspended T7", "30s a background T11",
        "30s a inactive T11", "30s a active T11",
      ])
    #expect(replayed.totals("a").coldLaunches == 1)
    #expect(replayed.totals("a").warmLaunches == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `an unlock waits for a handler, and is still no launch`(engine: NamedEngine) throws {
    let replayed = try busy(4).replay(
      "0s,a,launch\n1s,a,edit,0,,work_ms=9\n2s,,screen,0\n3s,,screen,1\n20s,,end", on: engine)
    // Locked at 2 s, the handler returns at 6 s, the user unlocked at 3 s.
    #expect(
      replayed.story(.state, .message, .launch, .save).dropFirst(9) == [
        "6s a save background complete 0 B 4s", "6s a willEnterForeground", "6s a inactive T11",
        "6s a active T11", "6s a didBecomeActive",
      ])
    #expect(replayed.totals("a").handlerWaitNanoseconds == seconds(3))
    #expect(replayed.totals("a").hotLaunches == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `an unlock whose wait the watchdog ends is a cold launch`(engine: NamedEngine) throws {
    let replayed = try busy(6) { $0.coldLaunchNanoseconds = 1_000_000_000 }.replay(
      "0s,a,launch\n1s,a,edit,100\n2s,,screen,0\n3s,,screen,1\n20s,,end", on: engine)
    #expect(
      replayed.story(.watchdog, .save, .loss, .state, .launch).suffix(7) == [
        "7s a watchdog", "7s a save background interrupted 0 B 5s",
        "7s a loss handler-timeout 100 B 0s yes", "7s a not-running T8", "7s a inactive T1",
        "7s a active T1", "7s a launch cold",
      ])
    #expect(replayed.totals("a").handlerWaitNanoseconds == seconds(4))
    // One second to start and four of waiting.
    #expect(replayed.outcome.events.last { $0.kind == .launch }?.nanoseconds == seconds(5))
  }

  @Test(arguments: enginesUnderTest)
  func `a captured save belongs to the lock, up to the unlock`(engine: NamedEngine) throws {
    let rows = """
      0s,a,launch
      1s,a,edit,100
      2s,,screen,0
      3s,a,save,100,,trigger=background;duration_ms=500
      9s,,screen,1
      10s,a,edit,50
      11s,a,save,50,,trigger=background;duration_ms=500
      12s,,home
      20s,,end
      """
    let new = try background.replay(rows, on: engine)
    #expect(new.story(.save) == ["2.5s a save background complete 100 B 0.5s"])
    // The second save stands between the unlock and the next leave: it belongs to none.
    #expect(new.totals("a").skippedEvents == 1)
    // Where a lock leaves nobody, both do.
    let old = try inactive.replay(rows, on: engine)
    #expect(old.story(.save) == [])
    #expect(old.totals("a").skippedEvents == 2)
  }

  @Test(arguments: enginesUnderTest)
  func `an unlock at the very end of the delay finds the app suspended`(
    engine: NamedEngine
  ) throws {
    let replayed = try background.replay(
      "0s,a,launch\n2s,,screen,0\n3s,,screen,1\n9s,,end", on: engine)
    #expect(
      replayed.story(.state).dropFirst(4) == [
        "3s a suspended T7", "3s a background T11", "3s a inactive T11", "3s a active T11",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a lock with nothing in front does nothing, and is no issue`(
    engine: NamedEngine
  ) throws {
    let replayed = try background.replay(
      "0s,,interrupt,,,by=lock\n1s,,screen,0\n2s,,interrupt-end,,,by=lock\n3s,a,launch", on: engine)
    #expect(replayed.story(.state) == ["3s a inactive T1", "3s a active T1"])
    #expect(replayed.system.replayIssues == 0)
  }
}
