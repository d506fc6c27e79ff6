import JettisonCore
import JettisonTestSupport
import Testing

/// The Memory Limiter of the fast engine against that of the slow obvious one, where nothing else of
/// lmkd's comes to pass; a failure prints its case with its seed.
struct MemoryLimiterPropertyTests {
  private static let MiB: Int64 = 1 << 20

  /// A device on which memory is never short, with limits that random apps meet.
  private static func make(_ seed: UInt64) -> RandomCase {
    var random = RandomTrace.make(seed: seed)
    var generator = SplitMix64(seed: KeyedRandom.mix(seed ^ 0x4D4C))
    func pick(_ choices: [Int64]) -> Int64 {
      choices[Int.random(in: choices.indices, using: &generator)]
    }
    func limit(_ choices: [Int64]) -> MemoryLimit {
      MemoryLimit(memoryBytes: pick(choices) * MiB, swapBytes: pick([0, 1, 5, 10]) * MiB)
    }
    random.configuration.pressure = .androidLMKD
    random.configuration.capacityApps = nil
    random.configuration.device.isIdealCache = false
    random.configuration.device.ramBytes = 64 << 30
    random.configuration.device.limitBytes = nil
    var android = AndroidParameters()
    android.usesMemoryLimiter = true
    android.memoryLimits = .sets([
      MemoryLimitSet(
        minimumRAMBytes: 0, visible: limit([5, 10, 20, 30]), notVisible: limit([3, 10, 15]))
    ])
    android.limiterPollNanoseconds = pick([1, 5, 30]) * 1_000_000_000
    android.limiterGraceNanoseconds = pick([0, 1, 30]) * 1_000_000_000
    android.limiterRaiseBytes = pick([0, 1, 5]) * MiB
    android.limiterMarginBytes = pick([0, 1, 2]) * MiB
    android.cachedLimit = 0
    // Nobody waits for swap, and it is never full.
    android.swapBytes = 1 << 40
    android.reclaimNanoseconds = 0
    android.swapInNanoseconds = 0
    random.configuration.device.pressureParameters.android = android
    for name in random.profiles.keys.sorted() {
      random.profiles[name]?.limitBytes = -1
      random.profiles[name]?.userID = pick([-1, -1, 1000, 10_000]) == 1000 ? 1000 : -1
    }
    random.rows.removeAll { $0.kind == .adj }
    return random
  }

  @Test("The fast engine tells the same story as the model engine", arguments: 0..<10)
  func differential(block: Int) throws {
    for seed in UInt64(block * 100)..<UInt64(block * 100 + 100) {
      let random = Self.make(seed)
      guard try !Self.differences(random).isEmpty else { continue }
      let small = shrink(random) { ((try? Self.differences($0)) ?? []).isEmpty == false }
      let lines = try Self.differences(small)
      Issue.record("seed \(seed)\n\(small)\n\(lines.joined(separator: "\n"))")
      return
    }
  }

  /// The model knows no values of `oom_score_adj`: these are not compared.
  private static func differences(_ random: RandomCase) throws -> [String] {
    var fast = try random.run(on: .fast)
    for decision in fast.decisions.indices {
      for candidate in fast.decisions[decision].candidates.indices {
        fast.decisions[decision].candidates[candidate].band = nil
      }
    }
    return try random.runModel().differences(from: fast)
  }

  @Test("The cases meet what they are about")
  func coverage() throws {
    var kills: Int64 = 0
    var suspended = 0
    var inFront: Int64 = 0
    for seed in 0..<400 as Range<UInt64> {
      let outcome = try Self.make(seed).run(on: .fast)
      kills += outcome.result.apps.reduce(0) { $0 + $1.limitKills }
      inFront += outcome.result.apps.reduce(0) { $0 + $1.limitKillsInFront }
      suspended +=
        outcome.decisions.count { $0.candidates.contains { $0.state == .suspended } }
    }
    #expect(kills > 100)
    #expect(inFront > 20)
    #expect(suspended > 20)
  }

  @Test("A run repeats itself, and the limiter ends no app that never held too much")
  func victims() throws {
    for seed in 0..<200 as Range<UInt64> {
      let random = Self.make(seed)
      let outcome = try random.run(on: .fast)
      #expect(try random.run(on: .fast).differences(from: outcome, comparingScores: true) == [])
      guard
        case .sets(let sets) = random.configuration.device.pressureParameters.android.memoryLimits
      else { continue }
      let least =
        sets.map {
          min(
            $0.visible.memoryBytes + $0.visible.swapBytes,
            $0.notVisible.memoryBytes + $0.notVisible.swapBytes)
        }.min() ?? 0
      for (app, totals) in outcome.result.apps.enumerated()
      where totals.limitKills > 0 && random.configuration.warmUpNanoseconds == 0 {
        let most = outcome.result.footprints[app].footprintBytesMax
        #expect(most > least, "seed \(seed)\n\(random)")
      }
    }
  }
}
