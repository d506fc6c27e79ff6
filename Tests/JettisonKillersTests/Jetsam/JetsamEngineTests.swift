import JettisonCore
import JettisonTestSupport
import Testing

/// Jetsam in the engine: RAM is 100 MiB in pages of one MiB, so a page is a percent.
///
/// Critical 5, idle 10, soft 15, reaper 20.
@Suite("Jetsam in the engine") struct JetsamEngineTests {
  static let MiB: Int64 = 1 << 20

  func scenario(
    _ model: PressureModelKind = .ios18, ramMiB: Int64 = 100,
    _ change: (inout JetsamParameters) -> Void = { _ in }
  ) -> Scenario {
    var scenario = Scenario(ramMiB: ramMiB, pressure: model)
    scenario.configuration.device.pageBytes = Self.MiB
    change(&scenario.configuration.device.pressureParameters.jetsam)
    scenario.policy = "jetsam-fifo"
    return scenario
  }

  /// Victims of decisions: trigger, app, band.
  private func victims(_ replayed: Replayed) -> [String] {
    replayed.decisions.map { decision in
      let victim = decision.candidates.first { $0.isChosen }
      let name = victim.map { replayed.apps[$0.app.position] } ?? "nobody"
      return "\(decision.timeNanoseconds / 1_000_000) \(decision.trigger.name) \(name) "
        + "\(victim?.band.map(String.init) ?? "-")"
    }
  }

  // MARK: Bands

  @Test("An app that was just suspended is safe from idle kills for two seconds")
  func ageing() throws {
    let rows = """
      0s,a,launch
      1s,b,launch
      3s,b,footprint,80MiB
      5s,,end
      """
    let modern = try scenario().app("a", MiB: 12).replay(rows, on: .fast)
    // Left at 1 s, suspended at 2 s, idle at 4 s.
    #expect(victims(modern) == ["4000 idle-exit a 0"])
    let older = try scenario(.ios12).app("a", MiB: 12).replay(rows, on: .fast)
    #expect(victims(older) == ["3000 vm-pageshortage a 0"])
    let noWait = try scenario { $0.agesApps = false }.app("a", MiB: 12).replay(rows, on: .fast)
    #expect(victims(noWait) == ["3000 idle-exit a 0"])
  }

  @Test("Below critical, bands go upwards: idle, ageing, background, transition, front")
  func bandOrder() throws {
    let replayed = try scenario().replay(
      """
      0s,old,launch
      0s,old,footprint,4MiB
      1s,works,launch
      1s,works,footprint,4MiB
      2s,works,background-mode,1,,mode=location
      3s,young,launch
      3s,young,footprint,4MiB
      7s,leaving,launch
      7s,leaving,footprint,4MiB
      9s,front,launch
      9s,front,footprint,4MiB
      9.5s,,system-memory,100MiB
      10s,,end
      """, on: .fast)
    #expect(
      victims(replayed) == [
        "9500 vm-pageshortage old 0", "9500 vm-pageshortage young 20",
        "9500 vm-pageshortage works 30", "9500 vm-pageshortage leaving 90",
        "9500 vm-pageshortage front 100",
      ])
    #expect(
      replayed.story(.purge, .kill) == [
        "9.5s old purge vmPageshortage", "9.5s young purge vmPageshortage",
        "9.5s works kill vmPageshortage", "9.5s leaving kill vmPageshortage",
        "9.5s front kill vmPageshortage",
      ])
  }

  @Test("Inside a band the head of the queue goes first, whatever the sizes")
  func queueOrder() throws {
    let rows = """
      0s,c,launch
      0s,c,footprint,1MiB
      1s,b,launch
      1s,b,footprint,30MiB
      2s,a,launch
      2s,a,footprint,2MiB
      3s,b,launch
      4s,d,launch
      10s,,system-memory,62MiB
      11s,,end
      """
    // Suspended in this order: c, a, b (its second time).
    let fifo = try scenario().replay(rows, on: .fast)
    #expect(
      victims(fifo) == ["10000 idle-exit c 0", "10000 idle-exit a 0", "10000 idle-exit b 0"])
    let largest = try scenario().with { $0.policy = "jetsam-largest" }.replay(rows, on: .fast)
    #expect(victims(largest) == ["10000 idle-exit b 0"])
  }

  @Test("Daemons are never suspended, are idle without work, and age by their relaunch class")
  func daemons() throws {
    let rows = """
      0s,high,background-launch
      0s,high,footprint,3MiB
      0s,low,background-launch
      0s,low,footprint,3MiB
      0s,busy,background-launch
      0s,busy,footprint,3MiB
      0s,busy,task-begin,,1
      0s,sys,background-launch
      0s,sys,footprint,3MiB
      4s,,system-memory,80MiB
      9s,busy,task-end,,1
      60s,,end
      """
    var scenario = scenario()
    for name in ["high", "low", "busy"] {
      scenario = scenario.app(name) {
        $0.processKind = .daemon
        $0.relaunchClass = name == "high" ? .high : .low
      }
    }
    scenario = scenario.app("sys") { $0.processKind = .system }
    let replayed = try scenario.replay(rows, on: .fast)
    // 8 are available from 4 s on, below idle: low is idle from 2 s on.
    #expect(victims(replayed) == ["4000 idle-exit low 0"])
    #expect(replayed.story(.state).allSatisfy { !$0.contains("suspended") })
    #expect(replayed.story(.taskExpired) == [])
    let more = try scenario.replay(
      rows.replacing("4s,,system-memory,80MiB", with: "4s,,system-memory,86MiB"), on: .fast)
    // 2 are available, then 5: healthy, but short enough for whoever becomes idle.
    #expect(
      victims(more) == [
        "4000 vm-pageshortage low 0", "10000 idle-exit high 0", "11000 idle-exit busy 0",
      ])
    let most = try scenario.replay(
      rows.replacing("4s,,system-memory,80MiB", with: "4s,,system-memory,100MiB"), on: .fast)
    #expect(
      victims(most).prefix(4) == [
        "4000 vm-pageshortage low 0", "4000 vm-pageshortage high 10",
        "4000 vm-pageshortage busy 30", "4000 vm-pageshortage sys 180",
      ])
  }

  // MARK: Eras

  @Test(
    "Between 5 and 10 percent, what happens to idle apps depends on the era",
    arguments: [
      (.ios6, []), (.ios7, ["10000 vm-pageshortage a 0"]),
      (.ios12, ["10000 vm-pageshortage a 0"]), (.ios14, ["10000 vm-pageshortage a 0"]),
      (.ios17, ["10000 vm-pageshortage a 0"]), (.ios18, ["10000 idle-exit a 0"]),
    ] as [(PressureModelKind, [String])])
  func idleRule(model: PressureModelKind, expected: [String]) throws {
    let replayed = try scenario(model).replay(
      """
      0s,a,launch
      0s,a,footprint,10MiB
      1s,b,launch
      10s,b,footprint,83MiB
      20s,,end
      """, on: .fast)
    #expect(victims(replayed) == expected)
    // A base threshold of 5 holds for the others once band 0 is empty.
    #expect(replayed.decisions.map(\.targetBytes).allSatisfy { $0 == 10 * Self.MiB })
  }

  // MARK: Limits

  @Test("A soft limit kills below soft only, the lowest band first, suspended or not")
  func highwater() throws {
    let scenario = scenario()
      .app("a") { $0.softLimitBytes = 5 * Self.MiB }
      .app("b") { $0.softLimitBytes = 5 * Self.MiB }
    let replayed = try scenario.replay(
      """
      0s,a,launch
      0s,a,footprint,6MiB
      1s,b,launch
      1s,b,footprint,7MiB
      10s,,system-memory,70MiB
      20s,,system-memory,73MiB
      30s,,end
      """, on: .fast)
    #expect(victims(replayed) == ["20000 highwater a 0"])
    #expect(replayed.story(.purge, .kill) == ["20s a kill highwater"])
  }

  @Test("An inactive limit that is passed by falling idle kills no app until memory is short")
  func inactiveLimit() throws {
    let scenario = scenario()
      .app("a") {
        $0.limitBytes = 40 * Self.MiB
        $0.inactiveLimitBytes = 20 * Self.MiB
      }
    let rows = """
      0s,a,launch
      0s,a,footprint,25MiB
      1s,b,launch
      """
    let idle = try scenario.replay(rows + "\n30s,,end", on: .fast)
    #expect(idle.story(.kill) == [])
    let grown = try scenario.replay(rows + "\n30s,a,footprint,26MiB\n40s,,end", on: .fast)
    #expect(grown.story(.kill) == ["30s a kill limit"])
    // Below soft alone nobody looks: no allocation has passed the limit.
    let short = try scenario.replay(
      rows + "\n30s,,system-memory,62MiB\n31s,,system-memory,66MiB\n40s,,end", on: .fast)
    #expect(short.story(.kill) == ["31s a kill highwater"])
    // Active again, the other limit holds.
    let active = try scenario.replay(
      rows + "\n30s,a,launch\n31s,a,footprint,40MiB\n32s,a,footprint,41MiB\n40s,,end",
      on: .fast)
    #expect(active.story(.kill).first == "32s a kill limit")
  }

  @Test("A running app is warned above 80 % of its limit, from iOS 7 on")
  func limitWarning() throws {
    for (model, expected) in [
      (PressureModelKind.ios6, []), (.ios7, ["10s a warning limit", "30s a warning limit"]),
      (.ios18, ["10s a warning limit", "30s a warning limit"]),
    ] as [(PressureModelKind, [String])] {
      let replayed = try scenario(model, ramMiB: 1000)
        .app("a") { $0.limitBytes = 100 * Self.MiB }
        .replay(
          """
          0s,a,launch
          5s,a,footprint,80MiB
          10s,a,footprint,81MiB
          15s,a,footprint,99MiB
          20s,a,footprint,70MiB
          30s,a,footprint,90MiB
          40s,a,footprint,101MiB
          50s,,end
          """, on: .fast)
      // Its user starts it again, as large as before.
      #expect(replayed.story(.warning).filter { !$0.hasPrefix("4") } == expected)
      #expect(replayed.story(.kill).first == "40s a kill limit")
      #expect(replayed.sum(\.warnings) == Int64(replayed.story(.warning).count))
    }
  }

  // MARK: Purging instead of killing

  /// With a compressor that holds nothing: purgeable memory does not count as available.
  private func compressing() -> Scenario {
    scenario().with {
      $0.configuration.device.compression = .init(ratio: 2, suspendedShare: 0)
    }
  }

  @Test("A victim whose purgeable memory is enough is spared, once")
  func purgeable() throws {
    let replayed = try compressing().replay(
      """
      0s,a,launch
      0s,a,alloc,10MiB,1,purgeable=1
      0s,a,alloc,5MiB,2
      1s,b,launch
      10s,b,footprint,77MiB
      20s,b,footprint,87MiB
      30s,,end
      """, on: .fast)
    #expect(victims(replayed) == ["10000 idle-exit nobody -", "20000 idle-exit a 0"])
    let spared = try #require(replayed.decisions.first?.candidates.first)
    #expect(spared.freedBytes == 10 * Self.MiB)
    #expect(!spared.isChosen)
    #expect(replayed.totals("a").purges == 1)
    #expect(replayed.totals("a").purgedBytes == 5 * Self.MiB)
  }

  @Test("A victim whose purgeable memory is not enough dies")
  func notEnoughPurgeable() throws {
    let rows = """
      0s,a,launch
      0s,a,alloc,2MiB,1,purgeable=1
      0s,a,alloc,5MiB,2
      1s,b,launch
      10s,b,footprint,85MiB
      30s,,end
      """
    let died = try compressing().replay(rows, on: .fast)
    #expect(victims(died) == ["10000 idle-exit a 0"])
    // What the emptied memory gave back counts too, but the app was smaller when it ended.
    #expect(died.decisions.first?.candidates.first?.freedBytes == 7 * Self.MiB)
    #expect(died.totals("a").purgedBytes == 5 * Self.MiB)
    // Where nothing is compressed, purgeable memory is available anyway.
    #expect(try victims(scenario().replay(rows, on: .fast)) == [])
  }

  @Test("Sustained pressure too empties purgeable memory before it kills")
  func purgeableUnderSustainedPressure() throws {
    let replayed = try scenario { $0.reaperPercent = 0 }.replay(
      """
      0s,a,launch
      0s,a,alloc,4MiB,1,purgeable=1
      0s,a,alloc,1MiB,2
      1s,b,launch
      1s,b,footprint,1MiB
      2s,c,launch
      2s,c,footprint,1MiB
      3s,d,launch
      10s,d,footprint,83MiB
      20s,d,footprint,81MiB
      700s,,end
      """, on: .fast)
    // 14, then 16 are available, purgeable memory included: above soft, but not yet normal.
    #expect(
      victims(replayed) == [
        "610000 sustained-memory-pressure nobody -", "610500 sustained-memory-pressure a 0",
        "611000 sustained-memory-pressure b 0",
      ])
    #expect(replayed.decisions.first?.candidates.first?.freedBytes == 4 * Self.MiB)
  }

  @Test("A kill gives back what is resident and what the compressor held of it")
  func gain() throws {
    var scenario = scenario().app("a") { $0.compressedPPM = 500_000 }
    scenario.configuration.device.compression = .init(ratio: 2.5, suspendedShare: 0)
    let replayed = try scenario.replay(
      """
      0s,a,launch
      0s,a,footprint,50MiB
      1s,b,launch
      10s,b,footprint,60MiB
      30s,,end
      """, on: .fast)
    #expect(replayed.decisions.map(\.availableBytes) == [5 * Self.MiB])
    #expect(replayed.decisions.first?.candidates.first?.freedBytes == 35 * Self.MiB)
    #expect(replayed.decisions.first?.candidates.first?.footprintBytes == 50 * Self.MiB)
  }

  // MARK: Reaper, aggressive kills, sustained pressure, freezer

  @Test("A sweep takes everyone idle for 300 s, and the next comes 300 s later")
  func reaper() throws {
    let replayed = try scenario().replay(
      """
      0s,a,launch
      1s,b,launch
      2s,c,launch
      2s,c,footprint,82MiB
      100s,a,launch
      101s,c,launch
      900s,,end
      """, on: .fast)
    // 18 are available. b is idle from 5 s on, a from 104 s on, by the third sweep's time.
    #expect(victims(replayed) == ["305000 long-idle-exit b 0", "605000 long-idle-exit a 0"])
    let older = try scenario(.ios17).replay(
      "0s,a,launch\n1s,c,launch\n2s,c,footprint,82MiB\n900s,,end", on: .fast)
    #expect(older.decisions.isEmpty)
  }

  @Test("Five idle daemons that always come back are killed at once, up to band 40")
  func aggressive() throws {
    var scenario = scenario { $0.reaperPercent = 0 }
    var rows: [String] = []
    for name in ["a", "b", "c", "d", "e"] {
      scenario = scenario.app(name, MiB: 2) {
        $0.processKind = .daemon
        $0.relaunchClass = .high
      }
      rows.append("0s,\(name),background-launch")
    }
    let text = rows.joined(separator: "\n") + "\n20s,,system-memory,87MiB\n30s,,end"
    let replayed = try scenario.replay(text, on: .fast)
    #expect(
      victims(replayed) == [
        "20000 proc-thrashing a 0", "20000 proc-thrashing b 0", "20000 proc-thrashing c 0",
        "20000 proc-thrashing d 0", "20000 proc-thrashing e 0",
      ])
    // One app in band 0 blocks it.
    let blocked = try scenario.app("f", MiB: 8).replay(
      "0s,f,launch\n" + rows.joined(separator: "\n")
        + "\n1s,,home\n20s,,system-memory,79MiB\n30s,,end", on: .fast)
    #expect(victims(blocked) == ["20000 vm-pageshortage f 0"])
  }

  @Test("After ten minutes of pressure idle apps go one by one, half a second apart")
  func sustained() throws {
    let rows = """
      0s,a,launch
      0s,a,footprint,1MiB
      1s,b,launch
      1s,b,footprint,1MiB
      2s,c,launch
      2s,c,footprint,1MiB
      3s,d,launch
      10s,d,footprint,85MiB
      700s,,end
      """
    let replayed = try scenario { $0.reaperPercent = 0 }.replay(rows, on: .fast)
    #expect(
      victims(replayed) == [
        "610000 sustained-memory-pressure a 0", "610500 sustained-memory-pressure b 0",
        "611000 sustained-memory-pressure c 0",
      ])
    let off = try scenario {
      $0.reaperPercent = 0
      $0.killsUnderSustainedPressure = false
    }.replay(rows, on: .fast)
    #expect(off.decisions.isEmpty)
    let older = try scenario(.ios14).replay(rows, on: .fast)
    #expect(older.decisions.isEmpty)
    // Back at normal in between, the time begins anew.
    let broken = try scenario { $0.reaperPercent = 0 }.replay(
      rows.replacing("700s", with: "300s,d,footprint,50MiB\n301s,d,footprint,85MiB\n700s"),
      on: .fast)
    #expect(broken.decisions.isEmpty)
  }

  @Test("A frozen app weighs nothing, stands in band 75, and outlives idle ones")
  func freezer() throws {
    let rows = """
      0s,a,launch
      0s,a,footprint,20MiB
      1s,b,launch
      1s,b,footprint,7MiB
      2s,c,launch
      20s,c,footprint,90MiB
      21s,c,footprint,96MiB
      22s,c,footprint,99MiB
      30s,,end
      """
    let replayed = try scenario { $0.freezes = true }.replay(
      rows.replacing("20s,c", with: "10s,c,footprint,60MiB\n20s,c"), on: .fast)
    // At 10 s 13 are available: a is frozen. b is too small for it.
    #expect(
      victims(replayed).prefix(3) == [
        "20000 vm-pageshortage b 0", "21000 vm-pageshortage a 75", "21000 vm-pageshortage c 100",
      ])
    #expect(replayed.decisions[1].candidates.first?.freedBytes == 0)
    #expect(replayed.decisions.prefix(3).map { $0.availableBytes / Self.MiB } == [3, 4, 4])
  }
}
