import JettisonCore
import JettisonTestSupport
import Testing

/// Levels and warnings of `thresholds` and `ios-4`; RAM is 100 MiB.
extension EnginePressureTests {
  // MARK: Levels

  @Test(arguments: enginesUnderTest)
  func `a level ends fifteen percent above where it begins`(engine: NamedEngine) throws {
    // 50 MiB are the app's. 14 are below 15; 17 are not above 17.25, 18 are.
    let replayed = try apps(("a", 50)).replay(
      """
      0s,a,launch
      10s,,system-memory,36MiB
      20s,,system-memory,33MiB
      30s,,system-memory,36MiB
      40s,,system-memory,32MiB
      50s,,system-memory,36MiB
      60s,,end
      """, on: engine)
    #expect(replayed.story(.warning) == ["10s a warning warning", "50s a warning warning"])
    // From 10 to 40 s, and from 50 s on.
    #expect(replayed.system.warningLevelNanoseconds == seconds(40))
  }

  @Test(arguments: enginesUnderTest)
  func `time beyond memory is time with more in use than there is`(engine: NamedEngine) throws {
    // Nobody may be ended. Available: 10, -1 for ten seconds, 0, -10 for five.
    let replayed = try apps(("a", 50)).replay(
      """
      0s,a,launch
      0s,a,pin,1
      10s,,system-memory,40MiB
      20s,,system-memory,51MiB
      30s,,system-memory,50MiB
      35s,,system-memory,60MiB
      40s,,end
      """, on: engine)
    #expect(replayed.system.beyondMemoryNanoseconds == seconds(15))
  }

  @Test(arguments: enginesUnderTest)
  func `without a return a level ends where it begins`(engine: NamedEngine) throws {
    let replayed = try apps(("a", 50)).with { $0.configuration.device.thresholds.returnPercent = 0 }
      .replay(
        """
        0s,a,launch
        10s,,system-memory,36MiB
        20s,,system-memory,35MiB
        30s,,system-memory,34MiB
        40s,,system-memory,36MiB
        50s,,end
        """, on: engine)
    // 15 are not below 15, but not above 15 either; 16 are.
    #expect(replayed.story(.warning) == ["10s a warning warning", "40s a warning warning"])
    #expect(replayed.system.warningLevelNanoseconds == seconds(30))
  }

  @Test(arguments: enginesUnderTest)
  func `critical is sent once until the level was normal, and a fall warns no app`(
    engine: NamedEngine
  ) throws {
    // Available: 14, 4, 6 (above 5.75), 4, 50, 4, 10.
    let replayed = try apps(("a", 50)).replay(
      """
      0s,a,launch
      10s,,system-memory,36MiB
      20s,,system-memory,46MiB
      30s,,system-memory,44MiB
      40s,,system-memory,46MiB
      50s,,system-memory,0
      60s,,system-memory,46MiB
      70s,,system-memory,40MiB
      80s,,end
      """, on: engine)
    #expect(
      replayed.story(.warning) == [
        "10s a warning warning", "20s a warning critical", "60s a warning critical",
      ])
    #expect(replayed.system.warningLevelNanoseconds == seconds(30))
    #expect(replayed.system.criticalLevelNanoseconds == seconds(30))
  }

  @Test(arguments: enginesUnderTest)
  func `ios-4 notes memory in steps of five percent`(engine: NamedEngine) throws {
    // Available: 50, 18 (noted), 14 (4 less: not noted), 13 (5 less: noted), 17 (4 more: not
    // noted), 18 (5 more: noted), 13 (5 less: noted).
    let scenario = apps(("a", 50)).with { $0.configuration.pressure = .ios4 }
    let rows = """
      0s,a,launch
      10s,,system-memory,32MiB
      20s,,system-memory,36MiB
      30s,,system-memory,37MiB
      40s,,system-memory,33MiB
      50s,,system-memory,32MiB
      60s,,system-memory,37MiB
      70s,,end
      """
    let replayed = try scenario.replay(rows, on: engine)
    #expect(replayed.story(.warning) == ["30s a warning warning", "60s a warning warning"])
    #expect(replayed.system.warningLevelNanoseconds == seconds(30))
    // Every change is noted: 14 at 20 s, 17 at 40 s, 13 at 60 s.
    let exact = try scenario.with { $0.configuration.device.thresholds.stepPercent = 0 }
      .replay(rows, on: engine)
    #expect(exact.story(.warning) == ["20s a warning warning", "60s a warning warning"])
    #expect(exact.system.warningLevelNanoseconds == seconds(30))
  }

  @Test(arguments: enginesUnderTest)
  func `ios-4 notes when memory passes critical, either way`(engine: NamedEngine) throws {
    let scenario = apps(("a", 50)).with {
      $0.configuration.pressure = .ios4
      $0.configuration.pinned = [AppIndex(0)]
    }
    // Available: 7, 4, 6, 4.
    let replayed = try scenario.replay(
      """
      0s,a,launch
      10s,,system-memory,43MiB
      20s,,system-memory,46MiB
      30s,,system-memory,44MiB
      40s,,system-memory,46MiB
      50s,,end
      """, on: engine)
    #expect(replayed.story(.warning) == ["10s a warning warning", "20s a warning critical"])
    #expect(replayed.system.warningLevelNanoseconds == seconds(20))
    #expect(replayed.system.criticalLevelNanoseconds == seconds(20))
  }

  // MARK: Rounds

  @Test(arguments: enginesUnderTest)
  func `warnings go to the background first, 250 ms apart, and again after normal`(
    engine: NamedEngine
  ) throws {
    let scenario = apps(("a", 10), ("b", 10))
    let replayed = try scenario.replay(
      """
      0s,a,launch
      1s,a,task-begin,,1
      2s,b,launch
      10s,,system-memory,66MiB
      20s,,system-memory,0
      21s,,system-memory,66MiB
      60s,,end
      """, on: engine)
    #expect(
      replayed.story(.warning) == [
        "10s a warning warning", "10.25s b warning warning", "21s a warning warning",
        "21.25s b warning warning",
      ])
    #expect(replayed.system.warningLevelNanoseconds == seconds(49))
  }

  @Test(arguments: enginesUnderTest)
  func `suspended apps hear nothing and critical is heard after warning`(
    engine: NamedEngine
  ) throws {
    let replayed = try apps(("a", 30), ("b", 30)).with { $0.configuration.pinned = [AppIndex(0)] }
      .replay(
        "0s,a,launch\n2s,b,launch\n10s,,system-memory,26MiB\n11s,,system-memory,36MiB\n12s,,end",
        on: engine)
    #expect(replayed.story(.warning) == ["10s b warning warning", "11s b warning critical"])
    #expect(replayed.system.criticalLevelNanoseconds == seconds(1))
    #expect(replayed.system.warningLevelNanoseconds == seconds(1))
  }

  @Test(arguments: enginesUnderTest)
  func `once purging has begun warnings do not wait for each other`(engine: NamedEngine) throws {
    let replayed = try apps(("a", 10), ("b", 10), ("c", 5)).replay(
      """
      0s,a,launch
      1s,a,background-mode,1,,mode=audio
      2s,c,launch
      4s,b,launch
      10s,,system-memory,67MiB
      11s,,end
      """, on: engine)
    #expect(
      replayed.story(.warning, .purge) == [
        "10s a warning warning", "10s c purge thresholds", "10s b warning warning",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `the order of warning and purging`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n2s,b,launch\n10s,,system-memory,35MiB\n12s,,end"
    for (order, size, expected) in [
      (WarningOrder.warnThenPurge, 30, ["10s b warning warning", "10s a purge thresholds"]),
      (.purgeThenWarn, 30, ["10s a purge thresholds"]),
      (.purgeThenWarn, 5, ["10s a purge thresholds", "10s b warning warning"]),
      (.both, 5, ["10s b warning warning", "10s a purge thresholds"]),
    ] as [(WarningOrder, Int64, [String])] {
      let replayed = try apps(("a", size), ("b", 60 - size + 0))
        .with { $0.configuration.warningOrder = order }
        .replay(rows, on: engine)
      #expect(replayed.story(.warning, .purge) == expected, "\(order) \(size)")
    }
  }

  @Test(arguments: enginesUnderTest)
  func `the purge delay holds purging back`(engine: NamedEngine) throws {
    let replayed = try apps(("a", 30), ("b", 30))
      .with { $0.configuration.warningPurgeDelayNanoseconds = seconds(3) }
      .replay("0s,a,launch\n2s,b,launch\n10s,,system-memory,35MiB\n20s,,end", on: engine)
    #expect(
      replayed.story(.warning, .purge) == ["10s b warning warning", "13s a purge thresholds"])
  }

  @Test(arguments: enginesUnderTest)
  func `an answer frees purgeable blocks, or a share of the figure, and saves`(
    engine: NamedEngine
  ) throws {
    let answering: (inout AppProfile) -> Void = {
      $0.warningResponseProbability = 1
      $0.releasablePPM = 500_000
      $0.warningReleasePPM = 500_000
      $0.saveTriggers = .warning
    }
    let figure = try Scenario().app("a", MiB: 40, answering).replay(
      "0s,a,launch\n1s,a,edit,0,,work_ms=5000\n10s,,system-memory,46MiB\n20s,,end", on: engine)
    #expect(
      figure.story(.warning, .response, .save) == [
        "10s a warning warning", "10.1s a response \(10 * Self.MiB)",
        "10.15s a save warning complete 0 B 0.05s",
      ])
    #expect(figure.totals("a").warningReleasedBytes == 10 * Self.MiB)
    let blocks = try Scenario().app("a", MiB: 40, answering).replay(
      """
      0s,a,launch
      1s,a,alloc,30MiB,1
      1s,a,alloc,7MiB,2,purgeable=1
      10s,,system-memory,50MiB
      11s,a,free,,2
      12s,,system-memory,60MiB
      13s,,end
      """, on: engine)
    // 13 are available, 20 after the answer; at 12 s, 10, and nothing is left to give.
    #expect(
      blocks.story(.response) == [
        "10.1s a response \(7 * Self.MiB)", "12.1s a response 0",
      ])
    // Freeing a block that was given up already changes nothing: 10 % is not below 10 %.
    #expect(blocks.decisions == [])
  }

  @Test(arguments: enginesUnderTest)
  func `a level that lasts is sent once, and not to an app that starts to run meanwhile`(
    engine: NamedEngine
  ) throws {
    for pressure in [PressureModelKind.thresholds, .ios4] {
      // 14 are available, then 13.
      let replayed = try apps(("a", 86), ("b", 1)).with { $0.configuration.pressure = pressure }
        .replay("0s,a,launch\n600s,b,launch\n86400s,,end", on: engine)
      #expect(replayed.story(.warning) == ["0s a warning warning"], "\(pressure)")
      #expect(replayed.system.warningLevelNanoseconds == seconds(86_400), "\(pressure)")
    }
  }

  @Test(arguments: enginesUnderTest)
  func `a new process has heard nothing, but hears of the next rise only`(
    engine: NamedEngine
  ) throws {
    // 14 are available, 100 without a, 14 again, then 4.
    let replayed = try apps(("a", 86)).replay(
      """
      0s,a,launch
      10s,a,quit
      20s,a,launch
      30s,,system-memory,10MiB
      40s,,end
      """, on: engine)
    #expect(
      replayed.story(.warning) == [
        "0s a warning warning", "20s a warning warning", "30s a warning critical",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a round of critical goes on as one of warning`(engine: NamedEngine) throws {
    // 4 are available, then 10.
    let replayed = try apps(("a", 25), ("b", 25)).replay(
      """
      0s,b,launch
      1s,b,background-mode,1,,mode=audio
      2s,a,launch
      10s,,system-memory,46MiB
      10.1s,,system-memory,40MiB
      20s,,system-memory,46MiB
      30s,,end
      """, on: engine)
    // At 20 s the level rises again: b has heard of critical, a has not.
    #expect(
      replayed.story(.warning) == [
        "10s b warning critical", "10.25s a warning warning", "20s a warning critical",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `with both, a purge warns only apps that have not heard`(engine: NamedEngine) throws {
    let scenario = apps(("a", 1), ("b", 1), ("c", 80)).with {
      $0.configuration.warningOrder = .both
    }
    // 14 are available; b comes to the front at 20 s; at 30 s 8 are available, and a goes.
    let replayed = try scenario.replay(
      """
      0s,a,launch
      5s,c,launch
      6s,c,background-mode,1,,mode=audio
      10s,,system-memory,5MiB
      20s,b,launch
      30s,,system-memory,10MiB
      40s,,end
      """, on: engine)
    #expect(
      replayed.story(.warning, .purge) == [
        "10s c warning warning", "30s a purge thresholds", "30s b warning warning",
      ])
  }
}
