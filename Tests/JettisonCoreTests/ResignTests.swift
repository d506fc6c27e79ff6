import JettisonCore
import JettisonTestSupport
import Testing

/// Saves in `applicationWillResignActive:`, and memory given back on leaving.
struct ResignTests {
  /// An app that writes 1000 bytes per second.
  func phone(
    _ triggers: AppProfile.SaveTriggers, _ change: (inout AppProfile) -> Void = { _ in }
  ) -> Scenario {
    .writing(triggers) {
      $0.launchFootprintBytes = 50 << 20
      change(&$0)
    }
  }

  @Test(arguments: enginesUnderTest)
  func `an interruption and a lock that stays just save`(engine: NamedEngine) throws {
    for row in ["2s,,interrupt", "2s,,screen,0"] {
      let replayed = try phone([.resign, .background]).replay(
        "0s,a,launch\n1s,a,edit,9000\n\(row)\n20s,,end", on: engine)
      // Nine seconds on the main thread, and no watchdog: no handler of leaving waits for it.
      #expect(
        replayed.story.dropFirst(3) == [
          "2s a inactive T3", "11s a save resign complete 9000 B 9s",
        ])
    }
  }

  @Test(arguments: enginesUnderTest)
  func `on leaving it takes the place of the background save`(engine: NamedEngine) throws {
    let replayed = try phone([.resign, .background]).replay(
      "0s,a,launch\n1s,a,edit,2000\n2s,b,launch\n20s,,end", on: engine)
    #expect(replayed.story(.save) == ["4s a save resign complete 2000 B 2s"])
    #expect(replayed.totals("a").saves == 1)
    #expect(
      replayed.story(.state).filter { $0.contains(" a ") }.last == "5s a suspended T7")
    let late = try phone([.resign]).replay(
      "0s,a,launch\n1s,a,edit,5001\n2s,,home\n20s,,end", on: engine)
    #expect(late.story(.watchdog) == ["7s a watchdog"])
  }

  @Test(arguments: enginesUnderTest)
  func `it follows the thread of the catalog`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,a,edit,3000\n2s,,home\n20s,,end"
    let queue = try phone([.resign]) { $0.saveThread = .queue }.replay(rows, on: engine)
    #expect(queue.story(.save, .state).last == "3s a suspended T7")
    let task = try phone([.resign]) { $0.saveThread = .task }.replay(rows, on: engine)
    #expect(
      task.story(.save, .state).suffix(2) == [
        "5s a save resign complete 3000 B 3s", "6s a suspended T7",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `an app that resigned earlier saves in the background as usual`(
    engine: NamedEngine
  ) throws {
    // At 2 s it resigns and saves 1000 bytes; at 5 s the call is accepted with 500 more unsaved.
    let replayed = try phone([.resign, .background]).replay(
      """
      0s,a,launch
      1s,a,edit,1000
      2s,,interrupt
      4s,a,edit,500
      5s,,interrupt-end,,,outcome=accepted
      20s,,end
      """, on: engine)
    #expect(
      replayed.story(.save) == [
        "3s a save resign complete 1000 B 1s", "5.5s a save background complete 500 B 0.5s",
      ])
  }

  @Test(arguments: enginesUnderTest)
  func `captured saves switch it off, and a captured one starts at its row`(
    engine: NamedEngine
  ) throws {
    let replayed = try phone([.resign, .background]).replay(
      """
      0s,a,launch
      1s,a,edit,1000
      2s,a,save,1000,,trigger=resign;duration_ms=250
      2s,,interrupt
      4s,,interrupt-end
      5s,a,edit,500
      6s,,home
      20s,,end
      """, on: engine)
    #expect(replayed.story(.save) == ["2.25s a save resign complete 1000 B 0.25s"])
  }

  @Test(arguments: enginesUnderTest)
  func `on the cache it is complete at the leave`(engine: NamedEngine) throws {
    let replayed = try phone([.resign]).with { $0.configuration.pressure = .idealCache }
      .replay("0s,a,launch\n1s,a,edit,3000\n2s,,home\n20s,,end", on: engine)
    #expect(replayed.story(.save) == ["2s a save resign complete 3000 B 0s"])
  }

  // MARK: The ceiling `background`

  /// Available memory at the launch of an app, by way of a decision that finds nobody.
  func footprints(_ scenario: Scenario, _ rows: String, on engine: NamedEngine) throws -> [Int64] {
    try scenario.replay(rows, on: engine).outcome.events
      .filter { $0.kind == .purge || $0.kind == .kill }.compactMap { $0.bytes.map { $0 >> 20 } }
  }

  @Test(arguments: enginesUnderTest)
  func `memory falls to the ceiling when the handler has returned`(engine: NamedEngine) throws {
    let leaving = phone([.background]) {
      $0.backgroundCeilingBytes = 20 << 20
      $0.suspendedCeilingBytes = 10 << 20
    }
    // The save takes three seconds: drawing at 4 s meets 50 MiB, at 5.5 s 20, at 7 s 10.
    for (time, size) in [("4s", Int64(50)), ("5.5s", 20), ("7s", 10)] {
      let rows = "0s,a,launch\n1s,a,edit,3000\n2s,,home\n\(time),a,gpu-work\n20s,,end"
      #expect(try footprints(leaving, rows, on: engine) == [size])
    }
    // Without a save it returns at once.
    let rows = "0s,a,launch\n2s,,home\n2.5s,a,gpu-work"
    #expect(try footprints(leaving, rows, on: engine) == [20])
  }

  @Test(arguments: enginesUnderTest)
  func `a ceiling raises nothing, and measured apps have none`(engine: NamedEngine) throws {
    let high = phone([]) { $0.backgroundCeilingBytes = 70 << 20 }
    let rows = "0s,a,launch\n2s,,home\n2.5s,a,gpu-work"
    #expect(try footprints(high, rows, on: engine) == [50])
    let low = phone([]) { $0.backgroundCeilingBytes = 20 << 20 }
    let measured = "0s,a,launch\n1s,a,footprint,60MiB\n2s,,home\n2.5s,a,gpu-work"
    #expect(try footprints(low, measured, on: engine) == [60])
  }
}
