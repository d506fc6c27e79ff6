import JettisonCore
import JettisonTestSupport
import Testing

/// What holds on every trace, checked on the model engine itself.
struct ModelPropertyTests {
  /// Seeds of the cases; a failure prints the case, which is enough to repeat it.
  static let seeds: [UInt64] = Array(1...400)

  @Test func `random cases replay twice alike`() throws {
    for seed in Self.seeds {
      let random = RandomTrace.make(seed: seed)
      let first = try random.runModel()
      let second = try random.runModel()
      #expect(first.differences(from: second, comparingScores: true) == [], "\(random)")
    }
  }
}
