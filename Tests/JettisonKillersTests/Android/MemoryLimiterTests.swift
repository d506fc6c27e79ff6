import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Android's Memory Limiter in the engine, beside lmkd.
struct MemoryLimiterTests {
  private static let MiB: Int64 = 1 << 20

  /// A phone of 4 GiB and API level 37: visible apps may hold 2048 MiB and swap 1024, others 1024
  /// and 512.
  private static func phone(
    _ apps: String = "abc", pressure: PressureModelKind = .androidLMKD,
    _ change: (inout Device) -> Void = { _ in }
  ) -> Scenario {
    var scenario = Scenario(ramMiB: 4096, pressure: pressure)
    scenario.policy = "android"
    scenario.configuration.device.apiLevel = 37
    change(&scenario.configuration.device)
    return apps.reduce(scenario) { $0.app(String($1), MiB: 20) }
  }

  private static func ends(_ replayed: Replayed) -> [String] { replayed.story(.purge, .kill) }

  // MARK: On and off

  @Test func `it is on from API level 37 on, from 3200 MiB of RAM on, and beside lmkd only`() {
    func isOn(
      api: Int? = 37, ramMiB: Int64 = 3200, _ model: PressureModelKind = .androidLMKD,
      _ change: (inout AndroidParameters) -> Void = { _ in }
    ) -> Bool {
      var scenario = Scenario(ramMiB: ramMiB, pressure: model)
      scenario.configuration.device.apiLevel = api
      change(&scenario.configuration.device.pressureParameters.android)
      return scenario.configuration.memoryLimiter != nil
    }
    #expect(isOn())
    #expect(!isOn(api: 36))
    #expect(!isOn(api: nil))
    #expect(isOn(api: 31) { $0.usesMemoryLimiter = true })
    #expect(!isOn { $0.usesMemoryLimiter = false })
    #expect(!isOn(ramMiB: 3199))
    #expect(isOn(ramMiB: 1024) { $0.limiterMinimumRAMBytes = 0 })
    #expect(!isOn(.androidLMK))
    #expect(!isOn(.linuxOOM))
  }

  // MARK: Limits by state

  @Test func `the app before the one in front is not visible, older ones are cached and safe`()
    throws
  {
    // 1600 MiB is more than others may hold, and less than visible ones may.
    let rows = "0s,a,launch\n1s,a,footprint,1600MiB\n10s,b,launch\n"
    let previous = try Self.phone().replay(rows + "90s,,end", on: .fast)
    // Polled at 40 s, ended at 70 s, though it has been suspended since 11 s.
    #expect(Self.ends(previous) == ["70s a kill memoryLimiter"])
    let cached = try Self.phone().replay(rows + "20s,c,launch\n900s,,end", on: .fast)
    #expect(Self.ends(cached) == [])
  }

  @Test func `an app that comes to the front in time lives`() throws {
    let rows = "0s,a,launch\n1s,a,footprint,1600MiB\n10s,,home\n39s,a,launch\n900s,,end"
    #expect(Self.ends(try Self.phone().replay(rows, on: .fast)) == [])
  }

  @Test func `an app that comes to the front too late dies there`() throws {
    let rows = "0s,a,launch\n1s,a,footprint,1600MiB\n10s,,home\n41s,a,launch\n70.5s,,end"
    let replayed = try Self.phone().replay(rows, on: .fast)
    #expect(Self.ends(replayed) == ["70s a kill memoryLimiter"])
    #expect(replayed.totals("a").limitKillsInFront == 1)
  }

  @Test func `while the screen is off the app on top stays visible`() throws {
    let rows = "0s,a,launch\n1s,a,footprint,1600MiB\n10s,,screen,0\n900s,,end"
    let scenario = Self.phone { $0.lock = .background }
    #expect(Self.ends(try scenario.replay(rows, on: .fast)) == [])
  }

  @Test func `home ends that at once, also behind a screen that is off`() throws {
    let rows = "0s,a,launch\n1s,a,footprint,1600MiB\n10s,,screen,0\n20s,,home\n90s,,end"
    let scenario = Self.phone { $0.lock = .background }
    // Not visible any longer, it still runs for a second, and that is enough to be noticed.
    #expect(Self.ends(try scenario.replay(rows, on: .fast)) == ["80s a kill memoryLimiter"])
  }

  @Test func `what is pinned has no limits`() throws {
    let rows = "0s,a,launch\n1s,a,footprint,3500MiB\n"
    let pinned = try Self.phone().replay(rows + "2s,a,pin,1\n900s,,end", on: .fast)
    #expect(Self.ends(pinned) == [])
    // Also when its end was due.
    let late = try Self.phone().replay(rows + "35s,a,pin,1\n900s,,end", on: .fast)
    #expect(Self.ends(late) == [])
    let protected = Self.phone().with { $0.modifiers = "+protect=a" }
    #expect(Self.ends(try protected.replay(rows + "900s,,end", on: .fast)) == [])
  }

  @Test func `a captured value decides where the life cycle says less`() throws {
    func ends(adj: Int) throws -> [String] {
      let rows = """
        0s,a,background-launch
        0s,a,background-mode,1,,mode=other
        1s,a,adj,\(adj)
        2s,a,footprint,1600MiB
        90s,,end
        """
      return Self.ends(try Self.phone().replay(rows, on: .fast))
    }
    #expect(try ends(adj: -800) == [])
    #expect(try ends(adj: 100) == [])
    #expect(try ends(adj: 200) == ["62s a kill memoryLimiter"])
    #expect(try ends(adj: 900) == [])
  }

  // MARK: Ends

  @Test func `an end is a kill of the system with its loss, whatever the state`() throws {
    let rows = """
      0s,a,launch
      1s,a,footprint,1600MiB
      5s,a,edit,100,,work_ms=20000
      10s,b,launch
      100s,a,launch
      101s,,end
      """
    let replayed = try Self.phone().replay(rows, on: .fast)
    let totals = replayed.totals("a")
    #expect(totals.limitKills == 1)
    #expect(totals.purges == 0)
    #expect(totals.killLossEvents == 1)
    #expect(totals.systemLostWorkNoticedNanoseconds == 20_000_000_000)
    #expect(totals.relaunchesAfterSystemEnd == 1)
    #expect(
      replayed.story(.loss) == ["70s a loss no-save 100 B 20s yes"])
    #expect(replayed.decisions.map(\.number) == [1])
    #expect(replayed.decisions.first?.neededBytes == 0)
    // What ActivityManager ends itself is no sign of low memory.
    #expect(replayed.story(.message).filter { $0.contains("lowMemory") } == [])
  }

  @Test func `lmkd still does its work`() throws {
    let rows = """
      0s,a,launch
      10s,b,launch
      20s,c,launch
      21s,c,footprint,1900MiB
      30s,,system-memory,2150MiB
      40s,,end
      """
    let replayed = try Self.phone().replay(rows, on: .fast)
    #expect(replayed.decisions.contains { $0.trigger == .lowMem })
    #expect(replayed.sum(\.limitKills) == 0)
  }

  // MARK: Reclaim

  /// Available memory after a last footprint row, in MiB, and the run.
  private static func available(
    _ rows: String, _ change: (inout Device) -> Void = { _ in }
  ) throws -> (MiB: Int64, system: SystemTotals) {
    var scenario = phone("a") { $0.compression = .init(ratio: 2, suspendedShare: 0.5) }
    change(&scenario.configuration.device)
    let trace = try Trace(rows: rows)
    scenario.configuration.profiles = trace.apps.map { scenario.profiles[$0] ?? AppProfile() }
    let recorder = CapturingRecorder()
    let result = try PolicySpec(parsing: "android")
      .run(trace, scenario.configuration, recorder: recorder)
    let last = try #require(recorder.footprints.last)
    return (last.availableBytes / MiB, result.system)
  }

  @Test func `what is above the raised limit is swapped, and the app waits for it`() throws {
    let rows = "0s,a,launch\n10s,a,footprint,2500MiB\n20s,a,footprint,2501MiB\n21s,,end"
    let run = try Self.available(rows)
    // 2500 - 2148 = 352 MiB are swapped, which gives half of them back.
    #expect(run.MiB == 4096 - 2501 + 176)
    // 90112 pages of 4 µs.
    #expect(run.system.criticalLevelNanoseconds > 0)
    let off = try Self.available(rows) {
      $0.pressureParameters.android.usesMemoryLimiter = false
    }
    #expect(off.MiB == 4096 - 2501)
    #expect(off.system.criticalLevelNanoseconds == 0)
  }

  @Test func `no more is swapped than the app and the device allow`() throws {
    let rows = "0s,a,launch\n10s,a,footprint,2500MiB\n20s,a,footprint,2501MiB\n21s,,end"
    let narrow = MemoryLimit(memoryBytes: 2048 * Self.MiB, swapBytes: 100 * Self.MiB)
    let byApp = try Self.available(rows) {
      $0.pressureParameters.android.memoryLimits = .sets([
        MemoryLimitSet(minimumRAMBytes: 0, visible: narrow, notVisible: narrow)
      ])
    }
    #expect(byApp.MiB == 4096 - 2501 + 50)
    let byDevice = try Self.available(rows) {
      $0.pressureParameters.android.swapBytes = 10 * Self.MiB
    }
    #expect(byDevice.MiB == 4096 - 2501 + 5)
  }

  @Test func `freed pages are not read back`() throws {
    // Without waiting for its own reclaim, reading back would be all that the app waits for.
    let rows = "0s,a,launch\n10s,a,footprint,2500MiB\n20s,a,footprint,2400MiB\n21s,,end"
    let run = try Self.available(rows) {
      $0.pressureParameters.android.reclaimNanoseconds = 0
      $0.pressureParameters.android.swapInNanoseconds = 1_000_000
    }
    #expect(run.system.criticalLevelNanoseconds == 0)
  }
}
