import JettisonCore
import JettisonTestSupport
import Testing

/// Android's killers in the engine: values, kills in their order, limits, messages.
struct AndroidEngineTests {
  private static let MiB: Int64 = 1 << 20

  /// A device of 1 GiB without reserve: lmkd is content from 102.4 MiB available on, the driver from
  /// 190.7 MiB on.
  private static func phone(
    _ sizes: [(String, Int64)], on model: PressureModelKind = .androidLMKD,
    change: (inout AndroidParameters) -> Void = { _ in }
  ) -> Scenario {
    var scenario = Scenario(ramMiB: 1024, pressure: model)
    scenario.policy = "android"
    change(&scenario.configuration.device.pressureParameters.android)
    return sizes.reduce(scenario) { $0.app($1.0, MiB: $1.1) }
  }

  private static func driverPhone(
    _ sizes: [(String, Int64)], change: (inout AndroidParameters) -> Void = { _ in }
  ) -> Scenario {
    phone(sizes, on: .androidLMK, change: change)
  }

  /// Each app is launched for ten seconds, in the order of the letters.
  private static func visits(_ apps: String, then rows: String...) -> String {
    let launches = apps.enumerated().map { "\($0.offset * 10)s,\($0.element),launch" }
    return (launches + rows).joined(separator: "\n")
  }

  private static func replay(_ scenario: Scenario, _ rows: String) throws -> Replayed {
    try scenario.replay(rows, on: .fast)
  }

  /// `app adj` of a decision's candidates, in order.
  private static func order(_ decision: DecisionRecord, _ replayed: Replayed) -> [String] {
    decision.candidates.map { "\(replayed.apps[$0.app.position]) \($0.band ?? -1)" }
  }

  /// Who ended and why, in order.
  private static func ends(_ replayed: Replayed) -> [String] {
    replayed.story(.purge, .kill).map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  // MARK: Values

  @Test func `every state has its value`() throws {
    let scenario = Self.driverPhone(
      ["front", "music", "worker", "second", "old", "left", "empty", "home", "system"].map {
        ($0, Int64(20))
      }
    ).app("home", MiB: 20) { $0.oomScoreAdj = 600 }
      .app("system", MiB: 20) { $0.oomScoreAdj = -800 }
    let replayed = try Self.replay(
      scenario,
      """
      0s,system,launch
      1s,home,launch
      2s,old,launch
      3s,music,launch
      4s,music,background-mode,1,,mode=audio
      5s,worker,launch
      6s,worker,task-begin,,1
      6s,second,launch
      7s,second,task-begin,,2
      8s,empty,background-launch
      10s,left,launch
      12s,home,launch
      14s,front,launch
      14.1s,,system-memory,1100MiB
      15s,,end
      """)
    let first = try #require(replayed.decisions.first)
    #expect(
      Self.order(first, replayed) == [
        // Home has just been left, but the catalog says what it is; `left` was before it.
        // Of two services the less recent is of the B list.
        "empty 905", "old 900", "worker 800", "left 700", "home 600", "second 500", "music 50",
        "front 0",
      ])
    #expect(first.trigger == .lowmemorykiller)
  }

  @Test func `an app that is still being stopped is perceptible`() throws {
    let scenario = Self.driverPhone([("a", 100), ("b", 100)])
    let replayed = try Self.replay(
      scenario, "0s,a,launch\n10s,b,launch\n10.5s,,system-memory,1000MiB\n11s,,end")
    #expect(Self.order(try #require(replayed.decisions.first), replayed) == ["a 200", "b 0"])
  }

  @Test func `cached apps spread from most to least recent`() throws {
    let scenario = Self.driverPhone("abcdefg".map { (String($0), Int64(20)) })
    let replayed = try Self.replay(
      scenario,
      Self.visits("abcdefg", then: "100s,,system-memory,1000MiB", "102s,,end"))
    #expect(
      Self.order(try #require(replayed.decisions.first), replayed) == [
        "a 940", "b 930", "c 920", "d 910", "e 900", "f 700", "g 0",
      ])
  }

  @Test(arguments: [PressureModelKind.androidLMK, .androidLMKD])
  func `a daemon of the catalog is native: neither cached, nor warned, nor killed`(
    model: PressureModelKind
  ) throws {
    let rows = Self.visits("abcdefg", then: "100s,,system-memory,1000MiB", "102s,,end")
    func replay(withDaemon: Bool) throws -> Replayed {
      let scenario = Self.phone("abcdefg".map { (String($0), Int64(20)) }, on: model)
        .app("worker", MiB: 30) { $0.processKind = .daemon }
      return try Self.replay(
        scenario, withDaemon ? "0s,worker,background-launch\n" + rows : rows)
    }
    let alone = try replay(withDaemon: false)
    let replayed = try replay(withDaemon: true)
    let first = try #require(replayed.decisions.first)
    #expect(Self.order(first, replayed) == Self.order(try #require(alone.decisions.first), alone))
    #expect(replayed.totals("worker").warnings == 0)
    #expect(replayed.sum { $0.warnings } > 0)
    #expect(Self.ends(replayed).contains { $0.hasPrefix("g ") })
    #expect(!Self.ends(replayed).contains { $0.hasPrefix("worker ") })
  }

  @Test func `the order in which a pass sends values decides within a value`() throws {
    let names = (0..<24).map { "app\($0 + 10)" }
    func order(oldestFirst: Bool) throws -> (names: [String], bands: [Int?]) {
      let scenario = Self.phone(names.map { ($0, Int64(1)) }) {
        $0.sendsOldestFirst = oldestFirst
        $0.cachedLimit = 0
      }
      let launches = names.enumerated().map { "\($0.offset * 10)s,\($0.element),launch" }
      let rows = launches + ["240s,,system-memory,1100MiB", "241s,,end"]
      let replayed = try Self.replay(scenario, rows.joined(separator: "\n"))
      let first = try #require(replayed.decisions.first)
      return (
        first.candidates.map { replayed.apps[$0.app.position] }, first.candidates.map(\.band)
      )
    }
    let newer = try order(oldestFirst: true)
    let older = try order(oldestFirst: false)
    #expect(newer.names.first == "app10")
    #expect(newer.names.count == 22)
    #expect(older.bands == newer.bands)
    // Sent most recent first, the more recent of one value are nearer the tail.
    #expect(older.names != newer.names)
    #expect(Set(older.names) == Set(newer.names))
  }

  // MARK: Devices

  @Test(
    "Devices of the table purge what is cached, the oldest first",
    arguments: [
      // 748 MiB for apps, content from 102 MiB on; stalls of 200 ms a second wake lmkd.
      ("nokia-1", [143, 143, 143, 143, 238], ["a purge lowMem", "b purge lowMem"]),
      // 7046 MiB for apps, content from 751 MiB on; 70 ms.
      ("pixel-6", [1400, 1400, 1400, 1400, 1400], ["a purge lowMem"]),
      ("pixel-6", [1200, 1200, 1200, 1200, 1200], []),
    ] as [(String, [Int64], [String])])
  func devices(name: String, sizes: [Int64], expected: [String]) throws {
    var scenario = Self.phone(zip(["a", "b", "c", "d", "e"], sizes).map { ($0, $1) })
    scenario.configuration.device = try DeviceTable.device(named: name)
    #expect(scenario.configuration.device.era?.pressureModel == .androidLMKD)
    let replayed = try Self.replay(scenario, Self.visits("abcde", then: "60s,,end"))
    #expect(Self.ends(replayed) == expected)
  }

  // MARK: The driver

  @Test func `the driver kills from the row that memory is below, one at a time`() throws {
    // 1024 − 5 · 170 = 174 MiB: row 5 (from 950 up); 1024 − 900 = 124 MiB: all rows.
    let scenario = Self.driverPhone([
      ("a", 170), ("b", 170), ("c", 170), ("d", 170), ("e", 170), ("f", 170),
    ])
    let replayed = try Self.replay(scenario, Self.visits("abcdef", then: "60s,,end"))
    #expect(
      replayed.story(.purge, .kill) == ["50s a purge lowmemorykiller"])
    // At 40 s nobody has 950 or more.
    let empty = replayed.decisions.filter(\.candidates.isEmpty)
    #expect(empty.map(\.timeNanoseconds).first == 40_000_000_000)
    let kill = try #require(replayed.decisions.first { !$0.candidates.isEmpty })
    #expect(
      Self.order(kill, replayed) == ["a 930", "b 920", "c 910", "d 900", "e 200", "f 0"])
    #expect(kill.targetBytes == 46080 * 4096 + 2749 * 4096)
  }

  @Test func `the driver waits for a victim that is dying, a second at most`() throws {
    for (death, expected) in [
      (0, ["20s", "20s"]), (300, ["20s", "20.3s"]), (5000, ["20s", "21.000000001s"]),
    ] as [(Int64, [String])] {
      let scenario = Self.driverPhone([("a", 50), ("b", 50), ("c", 50)]) {
        $0.deathNanoseconds = death * 1_000_000
      }
      let replayed = try Self.replay(
        scenario,
        "0s,a,launch\n5s,b,launch\n10s,c,launch\n20s,,system-memory,2000MiB\n23s,,end")
      #expect(
        replayed.story(.purge).map { String($0.split(separator: " ")[0]) } == expected)
    }
  }

  // MARK: lmkd

  @Test func `lmkd kills what is cached, the oldest first, with its timeout between`() throws {
    let scenario = Self.phone([("a", 150), ("b", 150), ("c", 150), ("d", 150), ("e", 500)])
    let replayed = try Self.replay(scenario, Self.visits("abcde", then: "60s,,end"))
    #expect(Self.ends(replayed) == ["a purge lowMem", "b purge lowMem"])
    let times = replayed.decisions.map(\.timeNanoseconds)
    #expect(times.count == 2 && times[1] - times[0] == 100_000_000)
    let first = replayed.decisions[0]
    // `d`, used before the one in front, has 700: low memory alone spares it.
    #expect(Self.order(first, replayed) == ["a 920", "b 910", "c 900"])
    #expect(first.level == .critical)
    #expect(first.targetBytes == 26203 * 4096)
  }

  @Test func `lmkd sleeps while stalls are short`() throws {
    // 103 MiB available: a little of the working set is missing, and free memory is above low.
    let scenario = Self.phone([("a", 500), ("b", 421)])
    let replayed = try Self.replay(scenario, Self.visits("ab", then: "60s,,end"))
    #expect(replayed.decisions.isEmpty)
    #expect(replayed.story(.warning).isEmpty == false)
  }

  @Test func `the deeper the shortage, the more may go`() throws {
    // Only `b`, the previous app, and what is perceptible are there besides the app in front.
    func story(_ systemMiB: Int) throws -> [String] {
      let scenario = Self.phone([("audio", 50), ("b", 50), ("c", 50)])
      let replayed = try Self.replay(
        scenario,
        """
        0s,audio,launch
        1s,audio,background-mode,1,,mode=audio
        2s,b,launch
        10s,c,launch
        20s,,system-memory,\(systemMiB)MiB
        40s,,end
        """
      )
      return Self.ends(replayed)
    }
    // 101 MiB available: low memory alone spares 700 and below.
    #expect(try story(773) == [])
    // 50 MiB: thrashing above 30 % opens all from 201 on; then all is well.
    #expect(try story(824) == ["b purge lowMemAndThrashing"])
    // Overdrawn: what a kill leaves opens everything.
    #expect(
      try story(1000).prefix(3) == [
        "b purge lowMemAndThrashing", "audio kill pressureAfterKill",
        "c kill pressureAfterKill",
      ])
  }

  @Test func `lmkd waits for a victim until it is dead or has taken too long`() throws {
    for (timeout, death, gap) in [
      (100, 100, 100), (100, 1000, 100), (500, 1000, 500), (0, 300, 300), (500, 200, 200),
    ] as [(Int, Int64, Int64)] {
      let scenario = Self.phone([("a", 50), ("b", 50), ("c", 50), ("d", 50)]) {
        $0.killTimeoutMilliseconds = timeout
        $0.deathNanoseconds = death * 1_000_000
      }
      let replayed = try Self.replay(
        scenario, Self.visits("abcd", then: "40s,,system-memory,1000MiB", "45s,,end"))
      let times = replayed.decisions.map(\.timeNanoseconds)
      try #require(times.count >= 2, "timeout \(timeout): \(replayed.story)")
      #expect(times[1] - times[0] == gap * 1_000_000, "timeout \(timeout), death \(death)")
    }
  }

  @Test func `the older strategy waits for a victim as well`() throws {
    for (timeout, death, isLong) in [
      (100, 100, false), (3000, 100, false), (3000, 3000, true), (100, 3000, false),
      (0, 3000, true), (0, 100, false),
    ] as [(Int, Int64, Bool)] {
      let scenario = Self.phone([("a", 50), ("b", 50), ("c", 50), ("d", 50)]) {
        $0.usesNewStrategy = false
        $0.killTimeoutMilliseconds = timeout
        $0.deathNanoseconds = death * 1_000_000
      }
      let replayed = try Self.replay(
        scenario, Self.visits("abcd", then: "40s,,system-memory,1000MiB", "50s,,end"))
      let times = replayed.decisions.map(\.timeNanoseconds)
      try #require(times.count >= 2, "timeout \(timeout): \(replayed.story)")
      #expect(
        (times[1] - times[0] >= 3_000_000_000) == isLong, "timeout \(timeout), death \(death)")
    }
  }

  @Test func `the older strategy follows its levels, or the driver's table`() throws {
    let sizes: [(String, Int64)] = [("a", 200), ("b", 200), ("c", 200), ("d", 200), ("e", 400)]
    let levels = Self.phone(sizes) { $0.usesNewStrategy = false }
    let byLevel = try Self.replay(levels, Self.visits("abcde", then: "60s,,end"))
    #expect(
      Set(byLevel.story(.purge).map { String($0.split(separator: " ")[3]) }).isSubset(of: [
        "mediumPressure", "criticalPressure",
      ]))
    #expect(byLevel.story(.purge).first?.contains(" a purge") == true)
    let table = Self.phone(sizes) {
      $0.usesNewStrategy = false
      $0.usesMinfreeLevels = true
    }
    let byTable = try Self.replay(table, Self.visits("abcde", then: "60s,,end"))
    #expect(byTable.story(.purge).first?.hasSuffix(" a purge minfree") == true)
  }

  // MARK: Swap

  @Test func `swap holds no more than it is large`() throws {
    // Half of each suspended app is compressed two to one: 50 MiB each, which saves 25 MiB.
    for (swap, halves) in [(nil, 148), (100, 148), (75, 123), (50, 98), (0, 48)]
      as [(Int64?, Int64)]
    {
      var scenario = Self.driverPhone([("a", 100), ("b", 100), ("c", 50)]) {
        $0.swapBytes = swap.map { $0 * Self.MiB }
      }
      scenario.configuration.device.compression = .init(ratio: 2, suspendedShare: 0.5)
      let replayed = try Self.replay(
        scenario, Self.visits("abc", then: "30s,,system-memory,750MiB", "31s,,end"))
      let first = try #require(replayed.decisions.first)
      #expect(first.availableBytes == halves * Self.MiB / 2, "swap of \(swap ?? -1) MiB")
    }
  }

  @Test func `low swap lets lmkd take more than cached apps`() throws {
    var scenario = Self.phone([("a", 100), ("b", 100), ("c", 100)]) {
      $0.swapBytes = 100 * Self.MiB
    }
    scenario.configuration.device.compression = .init(ratio: 2, suspendedShare: 0.5)
    // `a` and `b` fill swap; 90 MiB are available, and nobody is cached but `a`.
    let replayed = try Self.replay(
      scenario, "0s,a,launch\n10s,b,launch\n20s,c,launch\n30s,,system-memory,684MiB\n40s,,end")
    #expect(replayed.story(.purge, .kill).first?.hasSuffix("a purge lowMemAndSwap") == true)
  }

  // MARK: The framework

  @Test func `the framework keeps no more cached apps than it wants`() throws {
    let scenario = Self.phone("abcdefg".map { (String($0), Int64(1)) }) { $0.cachedLimit = 6 }
    let replayed = try Self.replay(scenario, Self.visits("abcdefg", then: "90s,,end"))
    // Three of six may have been shown; one more is the previous app and not cached.
    #expect(
      replayed.story(.purge) == ["50s a purge cachedLimit", "60s b purge cachedLimit"])
    #expect(replayed.decisions.allSatisfy { $0.neededBytes == 0 })
    let unlimited = Self.phone("abcdefg".map { (String($0), Int64(1)) }) { $0.cachedLimit = 0 }
    #expect(try Self.replay(unlimited, Self.visits("abcdefg", then: "90s,,end")).decisions.isEmpty)
  }

  @Test func `empty apps go by their number, and by age when there are many`() throws {
    let rows = """
      0s,a,background-launch
      10s,b,background-launch
      20s,c,background-launch
      30s,d,background-launch
      100s,e,launch
      200s,,end
      """
    let scenario = Self.phone("abcde".map { (String($0), Int64(1)) }) { $0.cachedLimit = 6 }
    #expect(try Self.replay(scenario, rows).story(.purge) == ["31s a purge emptyLimit"])
    let aged = scenario.with {
      $0.configuration.device.pressureParameters.android.emptyNanoseconds = 25_000_000_000
    }
    #expect(
      try Self.replay(aged, rows).story(.purge) == [
        "30s a purge emptyAge", "100s b purge emptyAge", "100s c purge emptyAge",
      ])
  }

  // MARK: Messages

  @Test func `apps are told when their windows are hidden and, while they run, of the level`()
    throws
  {
    let sizes: [(String, Int64)] = [("a", 300), ("b", 300), ("c", 380)]
    let replayed = try Self.replay(Self.phone(sizes), Self.visits("abc", then: "40s,,end"))
    let told = replayed.story(.message).filter { $0.contains("trim") }
    #expect(told.prefix(2) == ["10s a trimUIHidden", "20s b trimUIHidden"])
    #expect(told.dropFirst(2).allSatisfy { $0.contains("trimRunning") })
    // `a` is suspended and hears nothing; `b` is on its way and does.
    #expect(told.contains { $0.contains("b trimRunningCritical") })
    #expect(told.contains { $0.contains("c trimRunningCritical") })
    #expect(!told.dropFirst(2).contains { $0.contains(" a ") })
    let newer = Self.phone(sizes).with { $0.configuration.device.apiLevel = 34 }
    let later = try Self.replay(newer, Self.visits("abc", then: "40s,,end"))
    #expect(later.story(.message).filter { $0.contains("trim") }.count == 2)
  }

  @Test func `running apps hear when a killer has taken the last cached app`() throws {
    let scenario = Self.driverPhone([("a", 300), ("b", 300), ("c", 380)])
    let replayed = try Self.replay(scenario, Self.visits("abc", then: "40s,,end"))
    #expect(replayed.story(.purge) == ["20s a purge lowmemorykiller"])
    #expect(
      replayed.story(.message).filter { $0.contains("lowMemory") } == [
        "20s b lowMemory", "20s c lowMemory",
      ])
  }
}
