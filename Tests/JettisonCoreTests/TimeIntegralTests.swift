import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Means over time are exact, however often somebody looks.
struct TimeIntegralTests {
  @Test func `an example by hand`() {
    var integral = TimeIntegral()
    integral.change(by: 3, at: 10)
    integral.change(by: -1, at: 20)
    // 0 for 10, 3 for 10, 2 for 20.
    #expect(integral.value == 2)
    #expect(integral.mean(over: 40, until: 40) == (30.0 + 40.0) / 40.0)
  }

  @Test func `the warm-up is forgotten, the number is not`() {
    var integral = TimeIntegral()
    integral.change(by: 5, at: 0)
    integral.restart(at: 100)
    integral.change(by: -5, at: 150)
    #expect(integral.mean(over: 100, until: 200) == 2.5)
  }

  @Test func `looking more often changes nothing, and whole numbers are not rounded on the way`() {
    for seed: UInt64 in 1...300 {
      var random = SplitMix64(seed: seed)
      var one = TimeIntegral()
      var often = TimeIntegral()
      var sum: Int128 = 0
      var value: Int64 = 0
      var time: Int64 = 0
      for _ in 0..<200 {
        let next = time + Int64.random(in: 0...86_400_000_000_000, using: &random)
        sum += Int128(value) * Int128(next - time)
        for _ in 0..<3 { often.change(by: 0, at: Int64.random(in: time...next, using: &random)) }
        time = next
        let delta = Int64.random(in: -value...(8 << 30), using: &random)
        one.change(by: delta, at: time)
        often.change(by: delta, at: time)
        value += delta
      }
      guard time > 0 else { continue }
      let mean = one.mean(over: time, until: time)
      #expect(mean == often.mean(over: time, until: time), "seed \(seed)")
      #expect(mean == Double(sum) / Double(time), "seed \(seed)")
    }
  }
}
