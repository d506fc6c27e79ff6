import JettisonCore
import JettisonTestSupport
import Testing

/// Whom the policies choose, and the ideal cache.
struct EnginePolicyTests {
  static let MiB: Int64 = 1 << 20

  /// Launches `a`, `b`, `c`, `a`, `d`; then memory is short until one of them is gone.
  static let visits = """
    0s,a,launch
    10s,b,launch
    20s,c,launch
    30s,a,launch
    35s,b,edit,0,,work_ms=100000
    40s,d,launch
    50s,,system-memory,35MiB
    """

  func scenario(_ policy: String) -> Scenario {
    let costs: [(String, Int64, Int64)] = [("a", 10, 6), ("b", 20, 3), ("c", 15, 1), ("d", 12, 1)]
    let start = Scenario().with { $0.policy = policy }
    return costs.reduce(start) { scenario, cost in
      scenario.app(cost.0, MiB: cost.1) { $0.coldLaunchNanoseconds = seconds(Double(cost.2)) }
    }
  }

  @Test(arguments: enginesUnderTest)
  func `each policy chooses its victim`(engine: NamedEngine) throws {
    // lru: b left first. fifo: a started first. mru: a left last. size: b is the largest.
    // lfu-decay: b and c were launched once; b earlier, so that it has decayed further.
    // gdsf: a 2·6/10, b 3/20, c 1/15. landlord-loss: a 6/10, b 103/20, c 1/15.
    for (policy, victim) in [
      ("lru", "b"), ("fifo", "a"), ("mru", "a"), ("size", "b"), ("lfu-decay", "b"),
      ("gdsf", "c"), ("landlord-loss", "c"),
    ] {
      let replayed = try scenario(policy).replay(Self.visits, on: engine)
      #expect(replayed.story(.purge).first == "50s \(victim) purge thresholds", "\(policy)")
    }
  }

  @Test(arguments: enginesUnderTest)
  func `apps with nothing unsaved go first under the saved form`(engine: NamedEngine) throws {
    let replayed = try scenario("lru").with { $0.modifiers = "+saved" }
      .replay(Self.visits, on: engine)
    #expect(replayed.story(.purge).first == "50s c purge thresholds")
    // By its score `b` would go first: it has not been used for longest.
    let candidates = try #require(replayed.decisions.first?.candidates)
    #expect(candidates.map(\.app.rawValue) == [2, 0, 1])
    #expect(candidates.map(\.tieBrokenBy) == [.score, .group, .group])
    #expect(candidates[1].score > candidates[2].score)
  }

  @Test(arguments: enginesUnderTest)
  func `the random policy draws by seed, app and decision`(engine: NamedEngine) throws {
    var victims: Set<String> = []
    for seed in UInt64(1)...20 {
      let replayed = try scenario("random").with { $0.configuration.seed = seed }
        .replay(Self.visits, on: engine)
      #expect(replayed.system.drew)
      let random = KeyedRandom(seed: seed, key: try Trace(rows: Self.visits).drawKey)
      let scores = ["a", "b", "c"].map {
        (
          random.uniform(entity: KeyedRandom.entity($0), episode: 1, purpose: .randomVictim), $0
        )
      }
      let victim = try #require(scores.min { $0.0 < $1.0 }?.1)
      #expect(replayed.story(.purge).first == "50s \(victim) purge thresholds", "seed \(seed)")
      victims.insert(victim)
    }
    #expect(victims == ["a", "b", "c"])
  }

  @Test(arguments: enginesUnderTest)
  func `equal scores fall to the suspended longest, then the largest, then the first name`(
    engine: NamedEngine
  ) throws {
    let present = """
      0s,a,present,10MiB,,state=suspended;since_ns=5
      0s,b,present,20MiB,,state=suspended;since_ns=5
      0s,c,present,10MiB,,state=suspended;since_ns=9
      0s,d,present,10MiB,,state=suspended;since_ns=5
      0s,,system-memory,45MiB
      """
    let replayed = try Scenario().with { $0.policy = "lfu-decay" }.replay(present, on: engine)
    let candidates = try #require(replayed.decisions.first?.candidates)
    #expect(candidates.map(\.app.rawValue) == [2, 1, 0, 3])
    #expect(candidates.map(\.tieBrokenBy) == [.suspendedAt, .footprint, .app, .app])
  }

  // MARK: Ideal cache

  func cache(apps: Int64?, bytesMiB: Int64 = 100) -> Scenario {
    Scenario(ramMiB: bytesMiB, pressure: .idealCache)
      .with { $0.configuration.capacityApps = apps }
  }

  @Test(arguments: enginesUnderTest)
  func `the ideal cache counts hits and misses like a cache`(engine: NamedEngine) throws {
    var rows: [String] = []
    var stack: [String] = []
    var hits: Int64 = 0
    for (time, letter) in "abcabdacbdaabbcdeabcde".enumerated() {
      let app = String(letter)
      rows.append("\(time)s,\(app),launch")
      if let depth = stack.firstIndex(of: app) {
        if depth < 3 { hits += 1 }
        stack.remove(at: depth)
      }
      stack.insert(app, at: 0)
    }
    let replayed = try cache(apps: 3).replay(rows.joined(separator: "\n"), on: engine)
    #expect(replayed.sum(\.hotLaunches) == hits)
    #expect(replayed.sum(\.coldLaunches) == 22 - hits)
    #expect(replayed.sum(\.warmLaunches) == 0)
    #expect(replayed.story(.warning) == [])
  }

  @Test(arguments: enginesUnderTest)
  func `the ideal cache makes room before it inserts`(engine: NamedEngine) throws {
    let replayed = try cache(apps: nil).app("a", MiB: 60).app("b", MiB: 40).app("c", MiB: 1)
      .replay("0s,a,launch\n5s,b,launch\n9s,c,launch\n20s,,end", on: engine)
    #expect(
      replayed.story.suffix(8) == [
        "9s b inactive T5", "9s b background T5", "9s b suspended T7", "9s a purge capacity",
        "9s a not-running T10", "9s c inactive T1", "9s c active T1", "9s c launch cold",
      ])
    #expect(replayed.decisions.map(\.targetBytes) == [1 * Self.MiB])
    #expect(replayed.system.footprintBytesPeak == 100 * Self.MiB)
  }

  @Test(arguments: enginesUnderTest)
  func `on the ideal cache a size changes at launches, and growth purges others`(
    engine: NamedEngine
  ) throws {
    let replayed = try cache(apps: nil).app("a", MiB: 60).app("b", MiB: 30)
      .replay(
        "0s,a,launch\n5s,b,launch\n6s,b,footprint,90MiB\n9s,b,launch\n10s,b,launch\n10s,b,footprint,7MiB",
        on: engine)
    #expect(
      replayed.story(.purge, .launch).suffix(3) == [
        "9s a purge capacity", "9s b launch hot", "10s b launch hot",
      ])
    #expect(replayed.footprint("b").footprintBytesMax == 90 * Self.MiB)
  }

  @Test(arguments: enginesUnderTest, ["lru", "mru", "size"])
  func `on the ideal cache the app in front goes last`(
    engine: NamedEngine, policy: String
  ) throws {
    let start = cache(apps: nil).with { $0.policy = policy }
      .app("a", MiB: 50).app("b", MiB: 30).app("c", MiB: 40)
    // 80 of 100 MiB are taken when `c` starts, 90 when `b` does: `a` is in front both times.
    let replayed = try start.replay(
      """
      0s,b,launch
      10s,a,launch
      20s,c,background-launch,,,reason=push
      30s,b,background-launch,,,reason=push
      40s,a,launch
      50s,,end
      """, on: engine)
    #expect(
      replayed.story(.purge, .launch) == [
        "0s b launch cold", "10s a launch cold", "20s b purge capacity",
        "20s c launch background", "30s c purge capacity", "30s b launch background",
        "40s a launch hot",
      ])
    // Beside the app in front there is room for no more than 50 MiB.
    let crowded = try start.app("d", MiB: 60).replay(
      "0s,b,launch\n5s,a,launch\n10s,d,background-launch,,,reason=push\n50s,,end", on: engine)
    #expect(crowded.story(.purge) == ["10s b purge capacity", "10s a purge capacity"])
    #expect(crowded.system.footprintBytesPeak == 80 * Self.MiB)
  }
}
