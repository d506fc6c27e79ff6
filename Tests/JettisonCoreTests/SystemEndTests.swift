import JettisonCore
import JettisonTestSupport
import Testing

/// What the system's ends cost whom, by hand.
///
/// RAM is 100 MiB, purging starts below 10 % of it.
struct SystemEndTests {
  static let latencies: @Sendable (inout AppProfile) -> Void = {
    $0.coldLaunchNanoseconds = 2_000_000_000
    $0.warmLaunchNanoseconds = 700_000_000
    $0.hotLaunchNanoseconds = 200_000_000
  }

  let scenario = Scenario()
    .app("a", MiB: 30, latencies).app("big", MiB: 65, latencies).app("huge", MiB: 99, latencies)

  private func waits(_ replayed: Replayed, _ app: String) -> [Int64] {
    let totals = replayed.totals(app)
    return [
      totals.systemEnds, totals.relaunchesAfterSystemEnd,
      totals.systemRelaunchWaitNanoseconds / 1_000_000,
    ]
  }

  // MARK: Whom a launch is charged to

  @Test(arguments: enginesUnderTest)
  func `an app killed in the user's hand is missed and started again at once`(
    engine: NamedEngine
  ) throws {
    let rows = "0s,a,launch\n1s,a,edit,2000,,work_ms=4000\n5s,,system-memory,75MiB\n"
    let never = try scenario.replay("\(rows)6s,,end", on: engine)
    #expect(
      never.story(.kill, .loss) == [
        "5s a kill foreground", "5s a loss killed-running 2000 B 4s yes",
      ])
    #expect(waits(never, "a") == [1, 1, 1800])
    #expect(never.totals("a").systemLossesNoticed == 1)
    #expect(never.totals("a").killsInFront == 1)
    // It is there again when its cold launch is over; its next launch is not charged once more.
    let later = try scenario.replay(
      "\(rows)6s,,system-memory,10MiB\n60s,a,launch\n90s,,end", on: engine)
    #expect(waits(later, "a") == [1, 1, 1800])
    #expect(
      later.story(.launch) == ["0s a launch cold", "7s a launch cold", "60s a launch hot"])
  }

  @Test(arguments: enginesUnderTest)
  func `without memory it vanishes again at each attempt, and the work of that time is lost`(
    engine: NamedEngine
  ) throws {
    let writing = Scenario().app("a", MiB: 30) {
      Self.latencies(&$0)
      $0.modelsEdits = true
      $0.editProbability = 1
      $0.editWorkPPM = 1_000_000
      $0.editBytesPerSecond = 100
    }
    let replayed = try writing.replay(
      "0s,a,launch\n5s,,system-memory,75MiB\n16s,,home\n20s,,end", on: engine)
    #expect(
      replayed.story(.launch, .kill, .loss).map { $0.replacing("killed-running ", with: "") } == [
        "0s a launch cold", "5s a kill foreground", "5s a loss 500 B 5s yes",
        "7s a loss 0 B 2s yes", "7s a launch cold", "7s a kill foreground",
        "11s a loss 0 B 4s yes", "11s a launch cold", "11s a kill foreground",
        // Another eight seconds are too long for the user.
        "16s a loss 0 B 5s yes",
      ])
    #expect(waits(replayed, "a") == [3, 3, 5400])
    // Whatever the memory, the user is missing the work of eleven seconds and what was unsaved.
    #expect(replayed.totals("a").systemLostWorkNoticedNanoseconds == 16_000_000_000)
  }

  @Test(arguments: enginesUnderTest)
  func `edits that fall into the restart are lost`(engine: NamedEngine) throws {
    let replayed = try scenario.replay(
      """
      0s,a,launch
      5s,,system-memory,75MiB
      6s,a,edit,1000,,work_ms=3000
      6s,a,edit,0,,kind=position
      6.2s,a,edit,300,,work_ms=1000
      6.5s,,system-memory,10MiB
      8s,a,edit,500,,work_ms=1000
      9s,,end
      """, on: engine)
    #expect(
      replayed.story(.launch, .kill, .loss) == [
        "0s a launch cold", "5s a kill foreground", "7s a loss killed-running 1300 B 4s yes",
        "7s a launch cold",
      ])
    #expect(replayed.totals("a").killLostWorkNanoseconds == 4_000_000_000)
    // Several edits that could not be made are one loss.
    #expect(replayed.totals("a").systemLossesNoticed == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `an edit that could not be made counts from a byte or a second on`(
    engine: NamedEngine
  ) throws {
    func losses(_ edits: String) throws -> [String] {
      try scenario.replay(
        "0s,a,launch\n5s,,system-memory,75MiB\n\(edits)\n6.5s,,system-memory,10MiB\n9s,,end",
        on: engine
      ).story(.loss)
    }
    #expect(try losses("6s,a,edit,0,,work_ms=600").isEmpty)
    #expect(
      try losses("6s,a,edit,0,,work_ms=600\n6.2s,a,edit,0,,work_ms=600").count == 1)
    #expect(try losses("6s,a,edit,1,,work_ms=600").count == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `no user opens an app again after turning to something else`(engine: NamedEngine) throws {
    for turn in [
      "6s,,home", "6s,b,launch", "6s,,screen,0", "6s,a,quit", "6s,a,crash", "6s,,boot",
    ] {
      let replayed = try scenario.app("b").replay(
        "0s,a,launch\n5s,,system-memory,75MiB\n\(turn)\n6.5s,,system-memory,0\n90s,,end",
        on: engine)
      #expect(replayed.totals("a").coldLaunches == 1, "\(turn)")
      #expect(replayed.outcome.result.system.replayIssues == 0, "\(turn)")
    }
  }

  /// A policy that spares everybody but the app in front would lose nothing if whoever is killed in
  /// front stayed away: nobody writes into an app that does not run.
  @Test(arguments: enginesUnderTest)
  func `no work is saved by killing the app in front instead of a suspended one`(
    engine: NamedEngine
  ) throws {
    let apps = Scenario().app("draft", MiB: 45) {
      Self.latencies(&$0)
      $0.saveTriggers = .terminate
    }.app("editor", MiB: 45) {
      Self.latencies(&$0)
      $0.saveTriggers = .terminate
    }
    let rows = """
      0s,draft,launch
      10s,draft,edit,1000,,work_ms=9000
      60s,editor,launch
      62s,editor,footprint,60MiB
      70s,editor,edit,1000,,work_ms=30000
      120s,editor,edit,1000,,work_ms=60000
      122s,editor,footprint,60MiB
      200s,draft,launch
      300s,,end
      """
    func lost(_ modifiers: String) throws -> (work: Int64, wait: Int64) {
      let replayed = try apps.with { $0.modifiers = modifiers }.replay(rows, on: engine)
      return (
        replayed.sum(\.systemLostWorkNoticedNanoseconds) / 1_000_000_000,
        replayed.sum(\.systemRelaunchWaitNanoseconds) / 1_000_000
      )
    }
    let plain = try lost("")
    let sparing = try lost("+recent=1")
    #expect(plain.work == 9)
    #expect(sparing.work >= plain.work && sparing.wait >= plain.wait, "\(sparing)")
  }

  @Test(arguments: enginesUnderTest)
  func `a purge is charged once, however the app comes back`(engine: NamedEngine) throws {
    let purged = "0s,a,launch\n10s,big,launch\n"
    let cold = try scenario.replay("\(purged)60s,a,launch\n90s,,end", on: engine)
    #expect(cold.story(.purge).first == "11s a purge thresholds")
    #expect(waits(cold, "a") == [1, 1, 1800])
    let woken = try scenario.replay(
      "\(purged)50s,big,quit\n55s,a,background-launch\n60s,a,launch\n70s,,home\n80s,a,launch",
      on: engine)
    #expect(
      woken.story(.launch).filter { $0.contains(" a ") }.suffix(2) == [
        "60s a launch warm", "80s a launch hot",
      ])
    #expect(waits(woken, "a") == [1, 1, 500])
  }

  @Test(arguments: enginesUnderTest)
  func `an app that was never shown would have come up warm`(engine: NamedEngine) throws {
    let purged = "0s,a,background-launch\n30s,big,launch\n"
    let cold = try scenario.replay("\(purged)60s,a,launch\n90s,,end", on: engine)
    #expect(cold.sum(\.purges) >= 1 && cold.totals("a").systemEnds == 1)
    #expect(waits(cold, "a") == [1, 1, 1300])
    let woken = try scenario.replay(
      "\(purged)50s,big,quit\n55s,a,background-launch\n60s,a,launch", on: engine)
    #expect(waits(woken, "a") == [1, 0, 0])
  }

  @Test(arguments: enginesUnderTest)
  func `an end in the trace settles what the system owed`(engine: NamedEngine) throws {
    for end in ["quit", "exit", "crash", "update"] {
      let replayed = try scenario.replay(
        "0s,a,launch\n10s,big,launch\n40s,a,\(end)\n60s,a,launch\n90s,,end", on: engine)
      #expect(replayed.story(.purge).first == "11s a purge thresholds")
      #expect(waits(replayed, "a") == [1, 0, 0], "\(end)")
      #expect(replayed.totals("a").coldLaunchesAfterPurge == 0, "\(end)")
    }
  }

  // MARK: Purges that did no good

  @Test(arguments: enginesUnderTest)
  func `a purge was needless if the app is back in ten minutes and memory would have sufficed`(
    engine: NamedEngine
  ) throws {
    let small = Scenario().app("a", MiB: 1).app("b", MiB: 1).app("c", MiB: 2)
    let rows = "0s,a,launch\n10s,b,launch\n20s,c,launch\n40s,,system-memory,87MiB\n"
    // 9 % are available, then 11 % without a and b: one of them would have done.
    func needless(_ more: String) throws -> [Int64] {
      let replayed = try small.replay("\(rows)\(more)\n2000s,,end", on: engine)
      #expect(replayed.sum(\.purges) >= 2)
      return [replayed.totals("a").needlessEnds, replayed.totals("b").needlessEnds]
    }
    #expect(try needless("300s,a,launch") == [1, 0])
    #expect(try needless("640s,a,launch") == [1, 0])
    #expect(try needless("641s,a,launch") == [0, 0])
    // With a in memory, 9 % would have been available at 200 s.
    #expect(try needless("200s,,system-memory,88MiB\n300s,a,launch") == [0, 0])
    // A process that the system starts is no return; its own end would be another story.
    #expect(try needless("200s,a,background-launch\n300s,a,launch") == [0, 0])
  }

  @Test(arguments: enginesUnderTest)
  func `age of the victims and share of hits`(engine: NamedEngine) throws {
    let small = Scenario().app("a", MiB: 1).app("b", MiB: 1).app("c", MiB: 2)
    let replayed = try small.replay(
      """
      0s,a,launch
      10s,b,launch
      20s,c,launch
      25s,,home
      30s,c,launch
      40s,,system-memory,87MiB
      90s,,end
      """, on: engine)
    // a was left at 10 s and b at 20 s; both go at 40 s.
    #expect(replayed.totals("a").victimAgeNanoseconds == seconds(30))
    #expect(replayed.totals("b").victimAgeNanoseconds == seconds(20))
    let reader = MetricReader(replayed.outcome.result)
    #expect(try reader.value(of: MetricTable.metric(named: "victim_age_seconds_mean")) == .real(25))
    #expect(try reader.value(of: MetricTable.metric(named: "hit_ratio")) == .real(0.25))
    let quiet = try small.replay("90s,,end", on: engine)
    let empty = MetricReader(quiet.outcome.result)
    #expect(try empty.value(of: MetricTable.metric(named: "victim_age_seconds_mean")) == .empty)
    #expect(try empty.value(of: MetricTable.metric(named: "hit_ratio")) == .empty)
  }
}
