import JettisonPolicies
import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Oracles, and the bounds that no policy may pass.
struct OracleTests {
  private static let MiB: Int64 = 1 << 20

  /// A trace of launches by letter, one a second.
  private static func trace(_ letters: String) throws -> Trace {
    var text = TraceText()
    for (launch, letter) in letters.enumerated() {
      text = text.row(Double(launch), String(letter), "launch")
    }
    return try text.end(Double(letters.count)).trace()
  }

  private static func run(
    _ policy: String, _ letters: String, capacity: Int64, sizes: [Int64],
    seconds: [Double] = []
  ) throws -> (result: RunResult, recorder: CapturingRecorder) {
    let trace = try trace(letters)
    let profiles = trace.apps.indices.map { position in
      var profile = AppProfile()
      profile.launchFootprintBytes = sizes[position] * MiB
      profile.coldLaunchNanoseconds =
        position < seconds.count ? Int64(seconds[position] * 1e9) : 1_000_000_000
      return profile
    }
    var configuration = RunConfiguration(
      device: try DeviceTable.device(named: "ideal-cache"), pressure: .idealCache,
      profiles: profiles)
    configuration.device.ramBytes = capacity * MiB
    configuration.footprints = .declared
    let recorder = CapturingRecorder()
    let result = try PolicySpec(parsing: policy).run(trace, configuration, recorder: recorder)
    return (result, recorder)
  }

  private static func purges(_ recorder: CapturingRecorder) -> [Int] {
    recorder.events.filter { $0.kind == .purge }.map(\.app.position)
  }

  @Test("Sizes: one large app goes instead of two small ones that come back later")
  func sizes() throws {
    // a (size 3) comes back first, then b and c (1 each); d needs 2 more than is free.
    let letters = "abcd" + "dadbdc"
    let run = try Self.run("belady-size", letters, capacity: 5, sizes: [3, 1, 1, 2])
    // At d: a 3 · 2, b 1 · 4, c 1 · 6 launches ahead: a and c are equal, a was used longer ago.
    #expect(Self.purges(run.recorder).first == 0)
    #expect(
      run.recorder.decisions.first?.candidates.map(\.score).map { $0 / Double(Self.MiB) }
        == [-6, -6, -4])
  }

  @Test("By seconds instead of launches the farthest app may be another")
  func clocks() throws {
    // At c (2 s): a is next in 1 launch, 100 s from now; b in 2 launches, 101 s.
    let trace = try TraceText().row(0, "a", "launch").row(1, "b", "launch").row(2, "c", "launch")
      .row(102, "a", "launch").row(103, "b", "launch").end(104).trace()
    for (clock, scores) in [("launches", [-2.0, -1]), ("seconds", [-101, -100])] {
      let configuration = try RunConfiguration.cache(ofApps: 2, for: trace)
      let recorder = CapturingRecorder()
      _ = try PolicySpec(parsing: "belady-size:clock=\(clock)").run(
        trace, configuration, recorder: recorder)
      #expect(recorder.decisions.first?.candidates.map(\.score) == scores)
    }
  }

  @Test("Costs: of two apps, the one that comes back sooner may be the cheaper to lose")
  func costs() throws {
    // At c: a is 1 launch ahead and costs 1 s, b 2 ahead and 5 s: 1/1 against 2/5.
    let run = try Self.run(
      "belady-cost", "abcab", capacity: 2, sizes: [1, 1, 1], seconds: [1, 5, 1])
    #expect(Self.purges(run.recorder).first == 0)
    let other = try Self.run(
      "belady-size", "abcab", capacity: 2, sizes: [1, 1, 1], seconds: [1, 5, 1])
    #expect(Self.purges(other.recorder).first == 1)
  }

  @Test("Apps that never come back go first, the largest of them at the front")
  func never() throws {
    for policy in ["belady", "belady-size", "belady-cost"] {
      let run = try Self.run(policy, "abcdd", capacity: 6, sizes: [1, 2, 3, 6])
      #expect(Self.purges(run.recorder) == [2, 1, 0], "\(policy)")
    }
  }

  @Test("No policy has fewer cold launches than the best choices", arguments: [false, true])
  func bound(varied: Bool) throws {
    var random = SplitMix64(seed: varied ? 11 : 10)
    for round in 0..<120 {
      let count = 2 + Int(random.next() % 3)
      let sizes = (0..<count).map { _ in varied ? 1 + Int64(random.next() % 3) : 1 }
      let largest = sizes.max() ?? 1
      let capacity = largest + Int64(random.next() % 3)
      let launches = (0..<5 + Int(random.next() % 5)).map { _ in Int(random.next() % UInt64(count))
      }
      // Apps are numbered by their names, so that only those which occur have a number.
      let used = Set(launches).sorted()
      let letters = String(launches.map { Character(UnicodeScalar(UInt8(97 + $0))) })
      let least = Self.leastColdLaunches(launches, sizes: sizes, capacity: capacity)
      for policy in PolicyRegistry.all where !policy.needsArguments {
        let run = try Self.run(
          policy.name, letters, capacity: capacity, sizes: used.map { sizes[$0] })
        let cold = Int(run.result.apps.reduce(0) { $0 + $1.coldLaunches })
        #expect(cold >= least, "\(policy.name) on \(letters) in \(capacity) of \(sizes), \(round)")
        if policy.name == "belady", !varied { #expect(cold == least, "\(letters) in \(capacity)") }
      }
    }
  }

  /// The fewest cold launches that any choice of purges leads to, by trying all.
  private static func leastColdLaunches(
    _ launches: [Int], sizes: [Int64], capacity: Int64
  ) -> Int {
    let sets = 0..<1 << sizes.count
    let bytes = sets.map { set in
      sizes.indices.reduce(0) { $0 + (set >> $1 & 1 == 1 ? sizes[$1] : 0) }
    }
    var least = [Int?](repeating: nil, count: sets.count)
    least[0] = 0
    for app in launches {
      var next = [Int?](repeating: nil, count: sets.count)
      for set in sets {
        guard let cost = least[set] else { continue }
        let total = cost + (set >> app & 1 == 1 ? 0 : 1)
        // Whatever stays, the app launched is among it, and all of it fits.
        for kept in sets where kept | (set | 1 << app) == set | 1 << app && kept >> app & 1 == 1 {
          if bytes[kept] <= capacity { next[kept] = min(next[kept] ?? .max, total) }
        }
      }
      least = next
    }
    return least.compactMap { $0 }.min() ?? 0
  }
}
