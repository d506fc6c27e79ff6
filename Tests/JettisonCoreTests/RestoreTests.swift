import JettisonCore
import JettisonTestSupport
import Testing

/// What a new process reads: the row `restore` of *Life cycle* in "The model".
struct RestoreTests {
  let phone = Scenario(ramMiB: 10_000).app("a") {
    $0.saveTriggers = .background
    $0.saveFixedNanoseconds = 0
    $0.saveBytesPerSecond = 1000
  }

  func restored(_ rows: String, on engine: NamedEngine) throws -> [String] {
    try phone.replay(rows, on: engine).story(.restore)
  }

  @Test(arguments: enginesUnderTest)
  func `the first process reads nothing, and says nothing`(engine: NamedEngine) throws {
    #expect(try restored("0s,a,launch\n1s,a,crash\n2s,a,launch", on: engine) == [])
    #expect(try restored("0s,a,present,,,state=front\n1s,a,crash\n2s,a,launch", on: engine) == [])
  }

  @Test(arguments: enginesUnderTest)
  func `everything, a part, or nothing comes back`(engine: NamedEngine) throws {
    let saved = "0s,a,launch\n1s,a,edit,2000,,work_ms=3000\n2s,,home\n"
    // The save is complete at 4 s; the edit is as old as the time since 1 s.
    #expect(
      try restored(saved + "9s,a,crash\n11s,a,launch", on: engine) == [
        "11s a restore full 2000 B 3s old 10s"
      ])
    #expect(
      try restored(saved + "9s,a,launch\n10s,a,edit,1\n11s,a,crash\n12s,a,launch", on: engine) == [
        "12s a restore partial 2000 B 3s old 11s"
      ])
    #expect(
      try restored("0s,a,launch\n1s,a,edit,2000\n2s,a,crash\n12s,a,launch", on: engine) == [
        "12s a restore none 0 B 0s"
      ])
    // Once told, it is not told again: the next process has lost nothing.
    #expect(
      try restored(
        "0s,a,launch\n1s,a,edit,1\n2s,a,crash\n3s,a,launch\n4s,a,crash\n5s,a,launch", on: engine)
        == ["3s a restore none 0 B 0s"])
  }

  @Test(arguments: enginesUnderTest)
  func `the row follows the first state, in the background as well`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,a,edit,2000\n2s,,home\n9s,a,exit\n"
    let shown = try phone.replay(rows + "10s,a,launch", on: engine)
    #expect(
      shown.story(.state, .restore, .message).suffix(5) == [
        "10s a inactive T1", "10s a restore full 2000 B 0s old 9s", "10s a didFinishLaunching",
        "10s a active T1", "10s a didBecomeActive",
      ])
    let hidden = try phone.replay(rows + "10s,a,background-launch\n20s,a,launch", on: engine)
    #expect(
      hidden.story(.state, .restore, .message).filter { $0.hasPrefix("10s") } == [
        "10s a background T2", "10s a restore full 2000 B 0s old 9s", "10s a didFinishLaunching",
        "10s a didEnterBackground",
      ])
    #expect(hidden.story(.restore).count == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a place alone and what a server has are snapshots without bytes`(
    engine: NamedEngine
  ) throws {
    for edit in ["1s,a,edit,5,,kind=position", "1s,a,edit,5,,synced=1"] {
      #expect(
        try restored("0s,a,launch\n\(edit)\n2s,,home\n9s,a,crash\n11s,a,launch", on: engine) == [
          "11s a restore full 0 B 0s"
        ])
    }
  }

  @Test(arguments: enginesUnderTest)
  func `a quit drops the place and keeps the rest`(engine: NamedEngine) throws {
    #expect(
      try restored(
        "0s,a,launch\n1s,a,edit,5,,kind=position\n2s,,home\n9s,a,quit\n11s,a,launch", on: engine)
        == ["11s a restore none 0 B 0s"])
    #expect(
      try restored(
        """
        0s,a,launch
        1s,a,edit,5,,kind=position
        1s,a,edit,100
        2s,,home
        9s,a,quit
        11s,a,launch
        """, on: engine) == ["11s a restore partial 100 B 0s old 10s"])
  }

  @Test(arguments: enginesUnderTest)
  func `an update discards the snapshot, whether the app runs or not`(
    engine: NamedEngine
  ) throws {
    for end in ["", "8s,a,crash\n"] {
      let replayed = try phone.replay(
        "0s,a,launch\n1s,a,edit,100\n2s,,home\n\(end)9s,a,update\n11s,a,launch", on: engine)
      #expect(replayed.story(.restore) == ["11s a restore none 0 B 0s"])
      #expect(replayed.totals("a").userDiscards == 1)
      #expect(replayed.story(.loss) == [])
    }
    // With nothing to discard nothing is counted.
    let empty = try phone.replay("0s,a,launch\n1s,a,update\n2s,a,update\n3s,a,launch", on: engine)
    #expect(empty.totals("a").userDiscards == 0)
    #expect(empty.story(.restore) == [])
  }

  @Test(arguments: enginesUnderTest)
  func `a snapshot that could not be read while the app was not running is missed`(
    engine: NamedEngine
  ) throws {
    #expect(
      try restored(
        """
        0s,a,launch
        1s,a,edit,100
        2s,,home
        9s,a,crash
        10s,a,restore-failed
        11s,a,launch
        """, on: engine) == ["11s a restore none 0 B 0s"])
  }

  @Test(arguments: enginesUnderTest)
  func `who has no snapshot cannot fail to read it`(engine: NamedEngine) throws {
    let replayed = try phone.replay(
      "0s,a,launch\n1s,b,restore-failed\n2s,a,crash\n3s,a,restore-failed\n9s,,end", on: engine)
    for app in ["a", "b"] {
      #expect(replayed.totals(app).restoreFailures == 0)
      #expect(replayed.totals(app).skippedEvents == 1)
    }
    #expect(replayed.story(.loss) == [])
    // The snapshot is lost once.
    let twice = try phone.replay(
      "0s,a,launch\n1s,a,edit,100\n2s,,home\n9s,a,crash\n10s,a,restore-failed\n"
        + "11s,a,restore-failed\n20s,,end", on: engine)
    #expect(twice.totals("a").restoreFailures == 1)
    #expect(twice.totals("a").skippedEvents == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a restore failure belongs to a process that read something`(engine: NamedEngine) throws {
    let rows = "0s,a,launch\n1s,a,edit,100\n2s,,home\n9s,a,crash\n"
    for start in ["10s,a,launch", "10s,a,background-launch"] {
      let replayed = try phone.replay(
        rows + "\(start)\n10.1s,a,restore-failed\n10.2s,a,restore-failed\n20s,,end", on: engine)
      #expect(replayed.totals("a").restoreFailures == 1)
      #expect(replayed.totals("a").skippedEvents == 1)
      #expect(replayed.story(.loss) == ["10.1s a loss restore-lost 100 B 0s yes"])
    }
  }
}
