import JettisonModel
import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Victims found one by one are those that asking about everybody finds.
///
/// A recorder that wants decisions makes the engine rank all candidates; without it the engine keeps
/// scores, or lets queues name who goes. Everything else that a run tells must be the same.
struct VictimSearchTests {
  /// Every policy, and those that have other queues, bounds or keys by their arguments.
  static let names =
    EveryPolicyTests.plain + [
      "clock:bits=3", "lfu:perfect=on", "gds:cost=1", "gdsf:cost=1", "arc:unit=1", "2q:main=75%",
      "2q:in=5%,out=10%", "slru:segments=4,entry=room,bound=on", "slru:segments=16",
      "s3fifo:recheck=off,fill=main", "s3fifo:small=30%,ghost=70%,threshold=1",
      "w-tinylfu:sample=1", "lfu-decay:half_life=1h", "adaptsize:every=50",
    ]
  static let modifiers = ["", "+protect=app1*", "+saved", "+recent=2", "+until=20%"]

  @Test("A run ends the same apps whether all are ranked or not", arguments: names)
  func unranked(name: String) throws {
    for (seed, (trace, configuration)) in try Self.crowds.get() {
      try Self.compare(name, trace, configuration, "seed \(seed)", leastPurges: 100)
    }
  }

  @Test("The same holds with modifiers", arguments: modifiers)
  func modified(modifier: String) throws {
    let (trace, configuration) = try Self.crowd(seed: 11)
    for name in ["lru", "gdsf", "sieve", "s3fifo", "lirs"] {
      try Self.compare(name + modifier, trace, configuration, "seed 11", leastPurges: 50)
    }
  }

  @Test("The same holds in awkward little traces", arguments: names)
  func awkward(name: String) throws {
    for (comment, (trace, configuration)) in try Self.littleOnes.get() {
      try Self.compare(name, trace, configuration, comment, leastPurges: 0)
    }
  }

  @Test(
    "The same holds in traces of nothing but launches, whoever listens",
    arguments: names
      + ["lru", "sieve", "hyperbolic", "2q:main=40%", "slru:bound=on"].flatMap { name in
        modifiers.map { name + $0 }
      })
  func launches(name: String) throws {
    let spec = try PolicySpec(parsing: name)
    var purges: Int64 = 0
    for seed in UInt64(0)..<40 {
      let launches = try RandomLaunches(seed: seed)
      func run(_ recorder: (any Recorder)?) throws -> RunResult {
        try spec.run(launches.trace, launches.configuration, recorder: recorder)
      }
      let alone = try run(nil)
      // Who hears of events makes the engine go by the verbs that know every case.
      #expect(try run(CapturingRecorder(wantsDecisions: false)) == alone, "seed \(seed)")
      #expect(try run(CapturingRecorder()) == alone, "seed \(seed)")
      purges += alone.apps.reduce(0) { $0 + $1.purges }
    }
    #expect(purges > 1000)
  }

  @Test("Kept candidates know who is first, few or many", arguments: [5, 64, 65, 1000])
  func kept(most: Int) throws {
    var random = SplitMix64(seed: UInt64(most))
    var tree = CandidateTree(appCount: 2 * most)
    var order = CandidateOrder(appCount: 2 * most)
    var candidates: [AppIndex: Candidate] = [:]
    for step in 0..<3000 {
      let app = AppIndex(Int(random.next() % UInt64(2 * most)))
      if candidates.count == most || (step > 2 * most && random.next() % 2 == 0) {
        // Half of the time whoever is first, as a purge would.
        let first = order.first()
        let victim = random.next() % 2 == 0 && first != .none ? first : app
        tree.remove(victim)
        order.remove(victim)
        candidates[victim] = nil
      } else {
        // Scores that rise, with many that are equal and others that do not.
        let scores = [0, -0.0, 1, .infinity, -.infinity, Double(random.next() % 100)]
        let place = Int(random.next() % 20)
        let candidate = Candidate(
          app: app, group: 0, score: place < scores.count ? scores[place] : Double(step / 10),
          suspendedAt: Int64(random.next() % 3), footprintBytes: Int64(random.next() % 3))
        tree.put(candidate)
        order.put(candidate)
        candidates[app] = candidate
      }
      if random.next() % 3 > 0 {
        let first = candidates.values.min(by: Candidate.precedes)?.app ?? .none
        try #require((tree.first()?.app ?? .none) == first, "step \(step)")
        try #require(order.first() == first, "step \(step)")
      }
    }
    for candidate in candidates.values.sorted(by: Candidate.precedes) {
      #expect(tree.first()?.app == candidate.app)
      #expect(order.first() == candidate.app)
      tree.remove(candidate.app)
      order.remove(candidate.app)
    }
    #expect(tree.first() == nil)
    #expect(order.first() == .none)
  }

  private static func compare(
    _ name: String, _ trace: Trace, _ configuration: RunConfiguration, _ comment: String,
    leastPurges: Int
  ) throws {
    let spec = try PolicySpec(parsing: name)
    func run(ranks: Bool) -> (Result<RunResult, RunError>, [EventRecord]) {
      let recorder = CapturingRecorder(wantsDecisions: ranks)
      let result = Result { () throws(RunError) in
        try spec.run(trace, configuration, recorder: recorder)
      }
      return (result, recorder.events)
    }
    let ((ranked, rankedRows), (plain, plainRows)) = (run(ranks: true), run(ranks: false))
    guard case .success(let expected) = ranked else {
      // An app that is larger than the cache fails both.
      #expect((try? plain.get()) == nil, "\(name) \(comment)")
      return
    }
    let purges = rankedRows.count { $0.kind == .purge }
    #expect(purges >= leastPurges, "\(name) \(comment)")
    #expect(rankedRows == plainRows, "\(name) \(comment)")
    #expect(try plain.get() == expected, "\(name) \(comment)")
  }

  private typealias Inputs = (Trace, RunConfiguration)

  /// Made once for all policies.
  private static let crowds = Result {
    try (UInt64(1)...5).map { (seed: $0, inputs: try crowd(seed: $0)) }
  }

  private static let littleOnes = Result {
    try (UInt64(0)..<100).map { (seed) throws -> (comment: String, inputs: Inputs) in
      var random = RandomTrace.make(seed: seed)
      random.configuration.pressure = .idealCache
      random.configuration.device.isIdealCache = seed % 2 == 0
      if seed % 3 == 0 { random.configuration.capacityApps = 2 }
      random.configuration.protectRecentCount = 0
      return ("seed \(seed)\n\(random)", try random.inputs())
    }
  }

  /// Some 150 of 300 apps fit: launches, background launches, ends, pins, edits and sizes that
  /// change while an app is in memory, often several at one instant.
  private static func crowd(seed: UInt64) throws -> Inputs {
    var random = SplitMix64(seed: seed)
    var text = TraceText()
    var time = 0.0
    // Only who lives in the capture can end in it.
    var living: Set<String> = []
    for _ in 0..<2500 {
      if random.next() % 4 > 0 { time += Double(random.next() % 40) / 4 }
      // Popular apps have small numbers.
      let app = "app\(min(random.next() % 300, random.next() % 300))"
      switch random.next() % 40 {
      case 0...1:
        guard living.remove(app) != nil else { continue }
        text = text.row(time, app, random.next() % 2 == 0 ? "quit" : "crash")
      case 2: text = text.row(time, app, "pin", value: 1)
      case 3...4: text = text.row(time, app, "pin", value: 0)
      case 5...7:
        text = text.row(time, app, "background-launch")
        living.insert(app)
      case 8...11: text = text.row(time, app, "footprint", value: Int64(random.next() % 300))
      case 12...14: text = text.row(time, "", "home")
      case 15...16:
        text = text.row(time, app, "launch")
        text = text.row(time, app, "edit", value: 100, detail: "work_ms=2000")
        living.insert(app)
      default:
        text = text.row(time, app, "launch")
        living.insert(app)
      }
    }
    let trace = try text.end(time + 100).trace()
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: trace.apps.indices.map { position in
        var profile = AppProfile()
        profile.launchFootprintBytes = Int64(50 + position * 37 % 200)
        profile.coldLaunchNanoseconds = Int64(1 + position % 5) * 1_000_000_000
        profile.saveTriggers = position % 2 == 0 ? .background : []
        return profile
      })
    configuration.device.ramBytes = 20_000
    configuration.footprints = .declared
    return (trace, configuration)
  }
}
