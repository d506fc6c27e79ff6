import JettisonCore
import JettisonTestSupport
import Testing

/// Edits, saves and losses as documented in "The model".
///
/// RAM is 100 MiB; `a` weighs 30, and `big` weighs 65, so that launching `big` purges `a` as
/// soon as it is suspended.
struct EngineLossTests {
  let scenario = Scenario().app("a", MiB: 30).app("big", MiB: 65)

  func saving(
    _ triggers: AppProfile.SaveTriggers, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> Scenario {
    scenario.app("a", MiB: 30) {
      $0.saveTriggers = triggers
      $0.saveFixedNanoseconds = 0
      $0.saveBytesPerSecond = 1000
      change(&$0)
    }
  }

  static let visit = """
    0s,a,launch
    1s,a,edit,2000,,work_ms=4000
    """

  @Test(arguments: enginesUnderTest)
  func `the worked example of the documentation`(engine: NamedEngine) throws {
    for pressure in [PressureModelKind.thresholds, .ios4] {
      let phone = Scenario(ramMiB: 512, pressure: pressure)
        .with {
          $0.configuration.device.reserveBytes = 161 << 20
          $0.configuration.device.era = .ios4
        }
        .app("com.example.notes") {
          $0.launchFootprintBytes = 60_000_000
          $0.saveTriggers = .terminate
        }
        .app("com.example.game") { $0.launchFootprintBytes = 180_000_000 }
      let replayed = try phone.replay(
        """
        0,com.example.notes,launch,,,
        4000000000,com.example.notes,edit,2048,,work_ms=4000
        9000000000,com.example.game,launch,,,
        20000000000,com.example.game,footprint,300000000,,
        60000000000,com.example.notes,launch,,,
        70000000000,,end,,,reason=complete
        """, on: engine)
      let rule = pressure == .ios4 ? "level" : "thresholds"
      #expect(
        replayed.story(.state, .purge, .loss).filter { !$0.contains("active") } == [
          "9s com.example.notes background T5", "10s com.example.notes suspended T7",
          "20s com.example.notes purge \(rule)",
          "20s com.example.notes loss terminate-only 2048 B 4s yes",
          "20s com.example.notes not-running T10", "60s com.example.game background T5",
          "61s com.example.game suspended T7", "61s com.example.game purge \(rule)",
          "61s com.example.game not-running T10",
        ])
      let ram = Double(512 << 20)
      let first = try #require(replayed.decisions.first)
      #expect((Double(first.availableBytes) / ram * 1000).rounded() == 15)
      let after = Double(first.availableBytes + first.candidates[0].freedBytes)
      #expect((after / ram * 1000).rounded() == 127)
      #expect(replayed.decisions.count == 2)
      #expect(replayed.sum(\.lostWorkNoticedNanoseconds) == seconds(4))
      #expect(replayed.sum(\.coldLaunchesAfterPurge) == 1)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `an app never reopened is censored`(engine: NamedEngine) throws {
    let replayed = try scenario.replay(
      "\(Self.visit)\n2s,big,launch\n9s,,end", on: engine)
    #expect(replayed.story(.loss) == ["3s a loss no-save 2000 B 4s censored"])
    let totals = replayed.totals("a")
    #expect(totals.lossEvents == 1)
    #expect(totals.lossEventsCensored == 1)
    #expect(totals.lossEventsNoticed == 0)
    #expect(totals.lostBytes == 2000)
    #expect(totals.lostBytesNoticed == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `work under a second is not a loss and the same work is lost once`(
    engine: NamedEngine
  ) throws {
    let small = try scenario.replay(
      "0s,a,launch\n1s,a,edit,0,,work_ms=999\n2s,big,launch\n9s,a,launch", on: engine)
    #expect(small.story(.loss) == [])
    let again = try scenario.replay(
      "\(Self.visit)\n2s,big,launch\n9s,a,launch\n20s,big,launch\n30s,a,launch", on: engine)
    #expect(again.totals("a").purges == 2)
    #expect(again.totals("a").lossEvents == 1)
    #expect(again.totals("a").repurges == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a save on leaving that ends in time leaves nothing to lose`(engine: NamedEngine) throws {
    let replayed = try saving(.background).replay(
      "\(Self.visit)\n2s,big,launch\n9s,a,launch", on: engine)
    #expect(
      replayed.story(.save, .purge, .loss, .state).filter { $0.contains(" a ") }.dropFirst(4)
        .prefix(4) == [
          "4s a save background complete 2000 B 2s", "5s a suspended T7", "5s a purge thresholds",
          "5s a not-running T10",
        ])
    #expect(replayed.totals("a").lossEvents == 0)
    #expect(replayed.totals("a").savedBytesAtSuspension == 2000)
    #expect(replayed.totals("a").dirtyBytesAtLeave == 2000)
  }

  @Test(arguments: enginesUnderTest)
  func `a save exactly at the deadline counts, one later is the watchdog's`(
    engine: NamedEngine
  ) throws {
    let inTime = try saving(.background).replay(
      "0s,a,launch\n1s,a,edit,5000\n2s,,home\n20s,,end", on: engine)
    #expect(
      inTime.story.suffix(2) == [
        "7s a save background complete 5000 B 5s", "8s a suspended T7",
      ])
    let late = try saving(.background).replay(
      "0s,a,launch\n1s,a,edit,5001\n2s,,home\n20s,a,launch", on: engine)
    #expect(
      late.story.dropFirst(5).prefix(4) == [
        "7s a watchdog", "7s a save background interrupted 0 B 5s",
        "7s a loss handler-timeout 5001 B 0s yes", "7s a not-running T8",
      ])
    #expect(late.totals("a").watchdogTerminations == 1)
    #expect(late.totals("a").watchdogLossEvents == 1)
    #expect(late.totals("a").savesInterruptedWindow == 1)
    #expect(late.totals("a").lossEvents == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a queued save is frozen at suspension and lost at a purge`(engine: NamedEngine) throws {
    let atomic = try saving(.background) { $0.saveThread = .queue }.replay(
      "\(Self.visit)\n2s,big,launch\n9s,a,launch", on: engine)
    #expect(
      atomic.story(.save, .loss) == [
        "3s a save background interrupted 0 B 1s", "3s a loss frozen-save 2000 B 4s yes",
      ])
    #expect(atomic.totals("a").savesInterruptedPurge == 1)
    let torn = try saving(.background) {
      $0.saveThread = .queue
      $0.savesAtomically = false
    }.replay(
      """
      0s,a,launch
      1s,a,edit,1000
      2s,,home
      2.5s,a,launch
      5s,a,edit,2000
      6s,big,launch
      20s,a,launch
      """, on: engine)
    #expect(
      torn.story(.save, .loss) == [
        "3s a save background complete 1000 B 1s", "7s a save background interrupted 0 B 1s",
        "7s a loss torn-snapshot 3000 B 0s yes",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a frozen save goes on at resume`(engine: NamedEngine) throws {
    let roomy = saving(.background) { $0.saveThread = .queue }
      .with { $0.configuration.device.ramBytes = 1 << 40 }
    let replayed = try roomy.replay("\(Self.visit)\n2s,,home\n10s,a,launch\n20s,,end", on: engine)
    #expect(replayed.story.last == "11s a save background complete 2000 B 2s")
  }

  @Test(arguments: enginesUnderTest)
  func `a save under a task keeps the app running`(engine: NamedEngine) throws {
    let replayed = try saving(.background) { $0.saveThread = .task }.replay(
      "0s,a,launch\n1s,a,edit,9000\n2s,big,launch\n20s,,end", on: engine)
    #expect(
      replayed.story.filter { $0.contains(" a ") }.suffix(4) == [
        "11s a save background complete 9000 B 9s", "12s a suspended T7", "12s a purge thresholds",
        "12s a not-running T10",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `what a partial save leaves out is lost`(engine: NamedEngine) throws {
    let replayed = try saving(.background) { $0.saveSharePPM = 670_000 }.replay(
      "0s,a,launch\n1s,a,edit,1000,,work_ms=10000\n2s,big,launch\n9s,a,launch", on: engine)
    #expect(
      replayed.story(.save, .loss) == [
        "2.67s a save background partial 670 B 0.67s",
        "3.67s a loss no-save 330 B 3.3s yes stale 2.67s",
      ])
    #expect(replayed.outcome.result.staleness.map(\.nanoseconds) == [seconds(2.67)])
  }

  @Test(arguments: enginesUnderTest)
  func `a captured save belongs to its leave and its row does nothing`(
    engine: NamedEngine
  ) throws {
    let replayed = try saving([.background, .warning]).replay(
      """
      0s,a,launch
      1s,a,edit,100
      2s,,home
      2.1s,a,save,100,,trigger=background;duration_ms=500
      3s,a,save,100,,trigger=background;duration_ms=500
      4s,a,save,100,,trigger=warning;duration_ms=500
      9s,,end
      """, on: engine)
    #expect(
      replayed.story(.save, .state).suffix(2) == [
        "2.5s a save background complete 100 B 0.5s", "3.5s a suspended T7",
      ])
    #expect(replayed.totals("a").skippedEvents == 2)
    #expect(replayed.totals("a").saves == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `captured saves turn the catalog's timer off and say whether they are atomic`(
    engine: NamedEngine
  ) throws {
    let replayed = try saving([]) { $0.saveTimerNanoseconds = seconds(1) }.replay(
      """
      0s,a,launch
      1s,a,edit,100
      2s,a,save,100,,trigger=user;duration_ms=1000
      5s,a,edit,50
      6s,a,save,50,,duration_ms=5000;atomic=0
      7s,big,launch
      20s,a,launch
      """, on: engine)
    #expect(
      replayed.story(.save, .loss) == [
        "3s a save user complete 100 B 1s", "8s a save unspecified interrupted 0 B 2s",
        "8s a loss torn-snapshot 150 B 0s yes",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a launch at the instant of a purge comes after it and notices`(
    engine: NamedEngine
  ) throws {
    let replayed = try scenario.replay(
      "\(Self.visit)\n2s,big,launch\n3s,a,launch", on: engine)
    #expect(
      replayed.story(.purge, .loss, .launch).suffix(3) == [
        "3s a purge thresholds", "3s a loss no-save 2000 B 4s yes", "3s a launch cold",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `a save keeps what was produced before it started`(engine: NamedEngine) throws {
    let replayed = try scenario.replay(
      """
      0s,a,launch
      1s,a,edit,100
      2s,a,save,100,,trigger=user;duration_ms=2000
      3s,a,edit,50
      5s,big,launch
      9s,a,launch
      """, on: engine)
    #expect(
      replayed.story(.save, .loss) == [
        "4s a save user complete 100 B 2s", "6s a loss no-save 50 B 0s yes stale 5s",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `the autosave timer counts only while the app runs`(engine: NamedEngine) throws {
    let roomy = saving([]) {
      $0.saveTimerNanoseconds = seconds(30)
      $0.saveBytesPerSecond = 1_000_000
    }.with { $0.configuration.device.ramBytes = 1 << 40 }
    let replayed = try roomy.replay(
      """
      0s,a,launch
      1s,a,edit,1000000
      9s,,home
      60s,a,launch
      90s,,end
      """, on: engine)
    #expect(replayed.story(.save) == ["81s a save timer complete 1000000 B 1s"])
  }

  @Test(arguments: enginesUnderTest)
  func `modelled edits accrue while active in dirty episodes`(engine: NamedEngine) throws {
    let typing = scenario.app("a", MiB: 30) {
      $0.modelsEdits = true
      $0.editProbability = 1
      $0.editWorkPPM = 900_000
      $0.editBytesPerSecond = 200
    }
    let replayed = try typing.replay(
      """
      0s,a,launch
      10s,,interrupt
      20s,,interrupt-end
      25s,big,launch
      99s,a,launch
      """, on: engine)
    #expect(replayed.story(.loss) == ["26s a loss no-save 3000 B 13.5s yes"])
    #expect(replayed.system.drew == false)
  }

  @Test(arguments: enginesUnderTest)
  func `synced state is not a loss and a position is counted apart`(engine: NamedEngine) throws {
    let replayed = try scenario.replay(
      """
      0s,a,launch
      1s,a,edit,100,,work_ms=5000;synced=1
      2s,big,launch
      9s,a,launch
      10s,a,edit,0,,kind=position
      20s,big,launch
      30s,a,launch
      """, on: engine)
    #expect(
      replayed.story(.loss) == ["3s a loss no-save 0 B 0s no", "21s a loss no-save position yes"])
    #expect(replayed.totals("a").lossEvents == 0)
    #expect(replayed.totals("a").positionLosses == 1)
    #expect(replayed.totals("a").lossCost == 0.1)
  }

  @Test(arguments: enginesUnderTest)
  func `what the user discards is not a loss`(engine: NamedEngine) throws {
    for end in ["quit", "exit", "crash", "update"] {
      let replayed = try scenario.replay("\(Self.visit)\n2s,a,\(end)\n3s,a,launch", on: engine)
      #expect(replayed.story(.loss) == [])
      #expect(replayed.totals("a").userDiscards == 1)
      #expect(replayed.totals("a").coldLaunchesAfterPurge == 0)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `what a server has, too, is not discarded`(engine: NamedEngine) throws {
    func discards(_ edit: String) throws -> Int64 {
      try scenario.replay("0s,a,launch\n1s,a,edit,\(edit)\n2s,a,crash", on: engine)
        .totals("a").userDiscards
    }
    #expect(try discards("100,,work_ms=5000;synced=1") == 0)
    #expect(try discards("0,,kind=position") == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `rows of an app that is purged here are skipped and counted`(engine: NamedEngine) throws {
    let replayed = try scenario.replay(
      """
      \(Self.visit)
      2s,big,launch
      5s,a,edit,1
      5s,a,footprint,1MiB
      5s,a,save,1,,trigger=user
      5s,a,task-begin,,1
      5s,a,task-end,,1
      6s,a,quit
      """, on: engine)
    #expect(replayed.totals("a").skippedEvents == 5)
    #expect(replayed.totals("a").userDiscards == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `a failed restore is charged apart from all purges`(engine: NamedEngine) throws {
    let replayed = try saving(.background).replay(
      "\(Self.visit)\n2s,big,launch\n9s,a,launch\n9s,a,restore-failed\n10s,a,restore-failed",
      on: engine)
    #expect(replayed.story(.loss) == ["9s a loss restore-lost 2000 B 4s yes"])
    #expect(replayed.totals("a").restoreFailures == 1)
    #expect(replayed.totals("a").lossEvents == 0)
    #expect(replayed.totals("a").skippedEvents == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `the cost of a loss fades with the time until it is noticed`(engine: NamedEngine) throws {
    let replayed = try scenario.replay(
      "0s,a,launch\n1s,a,edit,0,,work_ms=1000\n2s,big,launch\n86403s,a,launch", on: engine)
    #expect(abs(replayed.totals("a").lossCost - 0.36787944117144233) < 1e-12)
    #expect(replayed.totals("a").lossEventsNoticed24h == 1)
    #expect(replayed.system.daysWithLoss == 1)
    #expect(replayed.system.days == 2)
  }

  @Test(arguments: enginesUnderTest)
  func `what is unsaved at the end is not a loss`(engine: NamedEngine) throws {
    let replayed = try scenario.replay("\(Self.visit)\n9s,,end", on: engine)
    #expect(replayed.totals("a").unsavedAtEndNanoseconds == seconds(4))
    #expect(replayed.totals("a").lossEvents == 0)
  }
}
