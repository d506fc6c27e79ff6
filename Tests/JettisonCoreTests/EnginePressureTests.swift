import JettisonCore
import JettisonTestSupport
import Testing

/// Footprints, levels, warnings, tiers and decisions.
///
/// RAM is 100 MiB: one percent is one MiB.
struct EnginePressureTests {
  static let MiB: Int64 = 1 << 20

  func apps(_ sizes: (String, Int64)...) -> Scenario {
    sizes.reduce(Scenario()) { $0.app($1.0, MiB: $1.1) }
  }

  // MARK: Footprints

  @Test(arguments: enginesUnderTest)
  func `footprints are live blocks plus ballast, rounded up to pages`(engine: NamedEngine) throws {
    let replayed = try apps(("a", 30)).replay(
      """
      0s,a,launch
      1s,a,alloc,5000,1
      2s,a,footprint,20000
      3s,a,alloc,4096,2
      4s,a,realloc,10000,1
      5s,a,free,,2
      6s,a,footprint,9000
      7s,,system-memory,90MiB
      """, on: engine)
    #expect(replayed.footprint("a").footprintBytesMax == 30 * Self.MiB)
    #expect(replayed.footprint("a").requestedBytesMax == 14096)
    #expect(replayed.system.replayIssues == 1)
    // 10 % is not below 10 %, but the page-rounded 10,000 bytes of block 1 are.
    #expect(replayed.decisions.map(\.availableBytes) == [10 * Self.MiB - 12288])
  }

  @Test(arguments: enginesUnderTest)
  func `a relaunch gets live blocks, else the newest sample, else the catalog`(
    engine: NamedEngine
  ) throws {
    let scenario = apps(("a", 10), ("b", 10), ("c", 10))
    let rows = """
      0s,a,launch
      1s,a,alloc,20MiB,1
      2s,b,launch
      3s,b,footprint,8MiB
      4s,c,launch
      5s,,boot
      """
    let booted = try scenario.replay(
      "\(rows)\n6s,a,launch\n7s,b,launch\n8s,c,launch\n8s,,system-memory,73MiB\n9s,,end",
      on: engine)
    // After the boot: 10 (its blocks died with the generation) + 8 + 10.
    #expect(booted.decisions.first?.availableBytes == -1 * Self.MiB)
    let purged = try scenario.replay(
      """
      0s,a,launch
      1s,a,alloc,20MiB,1
      2s,b,launch
      10s,,system-memory,85MiB
      11s,,system-memory,0
      11s,a,alloc,1MiB,2
      12s,a,launch
      13s,,system-memory,100MiB
      """, on: engine)
    #expect(purged.totals("a").skippedEvents == 1)
    #expect(purged.decisions.last?.candidates.map(\.footprintBytes) == [21 * Self.MiB])
  }

  @Test(arguments: enginesUnderTest)
  func `memory at the instant of a launch belongs to its demand`(engine: NamedEngine) throws {
    let replayed = try apps(("a", 95)).replay("0s,a,launch\n0s,a,footprint,5MiB", on: engine)
    #expect(replayed.story(.warning) == [])
    #expect(replayed.decisions == [])
  }

  @Test(arguments: enginesUnderTest)
  func `growth moves in steps while active and slows after five minutes`(
    engine: NamedEngine
  ) throws {
    let growing = Scenario(ramMiB: 1000).app("a", MiB: 10) {
      $0.growthBytesPerMinute = 6 * Self.MiB
    }
    let soon = try growing.replay(
      "0s,a,launch\n15s,,interrupt\n30s,,interrupt-end\n34.9s,,end", on: engine)
    #expect(soon.footprint("a").footprintBytesMax == 11 * Self.MiB)
    let later = try growing.replay(
      "0s,a,launch\n15s,,interrupt\n30s,,interrupt-end\n35s,,end", on: engine)
    #expect(later.footprint("a").footprintBytesMax == 12 * Self.MiB)
    let old = try growing.replay("0s,a,launch\n350s,,end", on: engine)
    #expect(old.footprint("a").footprintBytesMax == 41 * Self.MiB)
  }

  @Test(arguments: enginesUnderTest)
  func `the footprint falls to the ceiling at suspension`(engine: NamedEngine) throws {
    let scenario = Scenario().app("a", MiB: 50) { $0.suspendedCeilingBytes = 20 * Self.MiB }
    let replayed = try scenario.replay("0s,a,launch\n1s,,home\n3s,,system-memory,75MiB", on: engine)
    #expect(replayed.decisions.map(\.availableBytes) == [5 * Self.MiB])
  }

  @Test(arguments: enginesUnderTest)
  func `compression lowers the charge of suspended apps alone`(engine: NamedEngine) throws {
    let scenario = apps(("a", 40)).with {
      $0.configuration.device.compression = .init(ratio: 2, suspendedShare: 0.5)
    }
    let replayed = try scenario.replay("0s,a,launch\n1s,,home\n3s,,system-memory,65MiB", on: engine)
    let decision = try #require(replayed.decisions.first)
    #expect(decision.availableBytes == 5 * Self.MiB)
    #expect(decision.candidates.first?.footprintBytes == 40 * Self.MiB)
    #expect(decision.candidates.first?.freedBytes == 30 * Self.MiB)
    #expect(replayed.totals("a").purgedBytes == 40 * Self.MiB)
  }

  @Test(arguments: enginesUnderTest)
  func `passing the own limit kills at once, reaching it does not`(engine: NamedEngine) throws {
    let scenario = Scenario().app("a", MiB: 10) { $0.limitBytes = 20 * Self.MiB }
    let replayed = try scenario.replay(
      "0s,a,launch\n1s,a,edit,5\n2s,a,footprint,20MiB\n3s,a,footprint,20971521\n3s,,home\n"
        + "4s,a,launch", on: engine)
    #expect(
      replayed.story(.kill, .loss, .state).dropFirst(2).prefix(3) == [
        "3s a kill limit", "3s a loss killed-running 5 B 0s yes", "3s a not-running T14",
      ])
    #expect(replayed.totals("a").limitKills == 2)
    #expect(replayed.totals("a").foregroundKills == 0)
    #expect(replayed.totals("a").killLossEvents == 1)
  }

  // MARK: Tiers

  @Test(arguments: enginesUnderTest)
  func `purging opens below ten percent and stops at twelve`(engine: NamedEngine) throws {
    let scenario = apps(("a", 1), ("b", 1), ("c", 1), ("d", 1))
    let rows = """
      0s,a,launch
      10s,b,launch
      20s,c,launch
      30s,d,launch
      40s,,system-memory
      """
    let at = try scenario.replay(rows.replacing("memory", with: "memory,86MiB"), on: engine)
    #expect(at.decisions == [])
    let below = try scenario.replay(rows.replacing("memory", with: "memory,87MiB"), on: engine)
    #expect(
      below.story(.purge) == [
        "40s a purge thresholds", "40s b purge thresholds", "40s c purge thresholds",
      ])
    let decision = try #require(below.decisions.first)
    #expect(below.decisions.count == 1)
    #expect(decision.targetBytes == 12 * Self.MiB)
    #expect(decision.neededBytes == 3 * Self.MiB)
    #expect(decision.candidates.map(\.app.rawValue) == [0, 1, 2])
    #expect(decision.candidates.map(\.idleNanoseconds) == [seconds(30), seconds(20), seconds(10)])
    #expect(decision.level == .warning)
  }

  @Test(arguments: enginesUnderTest)
  func `an app on its way is waited for while memory is not negative`(
    engine: NamedEngine
  ) throws {
    let waits = try apps(("a", 5), ("b", 50), ("c", 40)).replay(
      "0s,a,launch\n10s,b,launch\n20s,c,launch\n30s,,end", on: engine)
    #expect(waits.story(.purge) == ["21s a purge thresholds", "21s b purge thresholds"])
    let urgent = try apps(("a", 5), ("b", 50), ("c", 60)).replay(
      "0s,a,launch\n10s,b,launch\n20s,c,launch\n30s,,end", on: engine)
    #expect(urgent.story(.purge, .kill) == ["20s a purge thresholds", "20s b kill background"])
    #expect(urgent.decisions.map(\.trigger) == [.thresholds, .demand])
  }

  @Test(arguments: enginesUnderTest)
  func `an app that is too large for memory is killed in front`(engine: NamedEngine) throws {
    let replayed = try apps(("a", 101)).replay("0s,a,launch\n0s,,home\n5s,,end", on: engine)
    #expect(
      replayed.story(.launch, .kill, .state).suffix(3) == [
        "0s a launch cold", "0s a kill foreground", "0s a not-running T14",
      ])
    #expect(replayed.totals("a").foregroundKills == 1)
    #expect(replayed.totals("a").coldLaunches == 1)
  }

  @Test(arguments: enginesUnderTest)
  func `a decision without a victim is recorded once`(engine: NamedEngine) throws {
    let replayed = try apps(("a", 91)).replay(
      "0s,a,launch\n1s,,clock,5\n2s,,system-memory,1MiB\n3s,,system-memory,6MiB\n9s,,end",
      on: engine)
    #expect(replayed.decisions.map(\.timeNanoseconds) == [0, seconds(3)])
    #expect(replayed.decisions.allSatisfy { $0.candidates.isEmpty && $0.trigger == .thresholds })
    #expect(replayed.system.noVictimDecisions == 2)
  }

  @Test(arguments: enginesUnderTest)
  func `pins and protection spare apps`(engine: NamedEngine) throws {
    let scenario = apps(("a", 20), ("b", 20), ("c", 20), ("d", 20))
    let rows = """
      0s,a,launch
      10s,b,launch
      20s,c,launch
      30s,d,launch
      35s,a,pin,1
      40s,,system-memory,15MiB
      50s,a,pin,0
      """
    let pinned = try scenario.replay(rows, on: engine)
    #expect(pinned.story(.purge) == ["40s b purge thresholds"])
    let protected = try scenario.with { $0.configuration.protectRecentCount = 2 }
      .replay(rows, on: engine)
    #expect(protected.story(.purge) == ["50s a purge thresholds"])
    #expect(protected.decisions.map(\.candidates.count) == [0, 1])
  }

  // MARK: iOS 4

  @Test(arguments: enginesUnderTest)
  func `ios-4 kills one at a time up to five percent`(engine: NamedEngine) throws {
    let scenario = apps(("a", 2), ("b", 2), ("c", 20)).with { $0.configuration.pressure = .ios4 }
    let rows = "0s,a,launch\n10s,b,launch\n20s,c,launch\n30s,,system-memory,"
    let above = try scenario.replay("\(rows)70MiB", on: engine)
    #expect(above.decisions == [])
    let at = try scenario.replay("\(rows)71MiB", on: engine)
    #expect(at.story(.purge) == ["30s a purge level"])
    let below = try scenario.replay("\(rows)74MiB", on: engine)
    #expect(below.story(.purge) == ["30s a purge level", "30s b purge level"])
    #expect(below.decisions.map(\.candidates.count) == [2, 1])
  }

  @Test(arguments: enginesUnderTest)
  func `ios-4 kills apps over their high-water mark at ten percent`(engine: NamedEngine) throws {
    let scenario = apps(("a", 10), ("c", 20)).app("b", MiB: 10) { $0.softLimitBytes = 5 << 20 }
      .with { $0.configuration.pressure = .ios4 }
    let replayed = try scenario.replay(
      "0s,a,launch\n10s,b,launch\n20s,c,launch\n30s,,system-memory,50MiB", on: engine)
    #expect(
      replayed.story(.purge, .kill, .state).suffix(2) == [
        "30s b kill highwater", "30s b not-running T14",
      ])
    #expect(replayed.totals("b").backgroundKills == 1)
    #expect(replayed.totals("b").purges == 0)
    #expect(replayed.decisions.map(\.trigger) == [.highwater])
  }

  // MARK: Figures

  @Test(arguments: enginesUnderTest)
  func `a purge is wasted if its bytes are not needed for a minute`(engine: NamedEngine) throws {
    let scenario = apps(("a", 1), ("b", 1), ("c", 2))
    let rows = "0s,a,launch\n10s,b,launch\n20s,c,launch\n40s,,system-memory,87MiB\n"
    // 9 % are available, then 11 % without a and b: one of them would have done.
    let idle = try scenario.replay("\(rows)101s,,system-memory,90MiB\n200s,,end", on: engine)
    #expect(idle.sum(\.purges) == 2)
    #expect(idle.sum(\.wastedPurges) == 2)
    #expect(idle.sum(\.wastedPurgeBytes) == 2 * Self.MiB)
    let soon = try scenario.replay("\(rows)99s,,system-memory,90MiB\n200s,,end", on: engine)
    #expect(soon.sum(\.purges) == 2)
    #expect(soon.sum(\.wastedPurges) == 0)
  }

  @Test(arguments: enginesUnderTest)
  func `means are taken over time and a warm-up does not count`(engine: NamedEngine) throws {
    let scenario = apps(("a", 10), ("b", 30))
    let rows = "0s,a,launch\n4s,,home\n10s,b,launch\n15s,,home\n20s,,end"
    let whole = try scenario.replay(rows, on: engine)
    #expect(whole.system.durationNanoseconds == seconds(20))
    #expect(whole.system.residentAppsMean == 1.5)
    // a is suspended from 5 to 20 s, b from 16 to 20 s.
    #expect(whole.system.suspendedBytesMean == Double(15 * 10 + 4 * 30) / 20 * Double(Self.MiB))
    #expect(whole.system.footprintBytesPeak == 40 * Self.MiB)
    let late = try scenario.with { $0.configuration.warmUpNanoseconds = seconds(10) }
      .replay(rows, on: engine)
    #expect(late.system.durationNanoseconds == seconds(10))
    #expect(late.sum(\.coldLaunches) == 1)
    #expect(late.system.residentAppsMean == 2)
  }

  @Test(arguments: enginesUnderTest)
  func `an implied end of a generation frees the blocks of the old one`(
    engine: NamedEngine
  ) throws {
    let replayed = try apps(("a", 10)).replay(
      """
      0s,a,launch
      1s,a,alloc,20MiB,1
      2s,a,observed-exit,,,cause=low-memory
      3s,a,launch
      4s,a,alloc,5MiB,1
      5s,,system-memory,96MiB
      """, on: engine)
    #expect(replayed.story(.launch) == ["0s a launch cold", "3s a launch hot"])
    #expect(replayed.decisions.first?.availableBytes == -1 * Self.MiB)
  }
}
