import Foundation
import JettisonCore
import Testing

@testable import JettisonSynthetic
@testable import JettisonTraces

@Suite("Draws of synthetic users")
struct SyntheticDrawTests {
  @Test("Portable logarithm and exponential agree with the system's")
  func portableMath() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let x = PortableMath.exp(random.uniform(-300, 300))
      #expect(abs(PortableMath.ln(x) - log(x)) <= 4e-16 * max(1, abs(log(x))))
      let y = random.uniform(-40, 40)
      #expect(abs(PortableMath.exp(y) / exp(y) - 1) <= 1e-15)
    }
    #expect(PortableMath.ln(1) == 0)
    #expect(PortableMath.exp(0) == 1)
    #expect(PortableMath.ln(0) == -.infinity)
  }

  @Test("Draws have the moments of their distributions")
  func distributions() {
    var random = SplitMix64(seed: 2)
    let count = 40_000
    func mean(_ draw: (inout SplitMix64) -> Double) -> Double {
      var sum = 0.0
      for _ in 0..<count { sum += draw(&random) }
      return sum / Double(count)
    }
    // Tolerances are about four standard errors.
    #expect(abs(mean { $0.normal() }) < 0.02)
    #expect(
      abs(
        mean {
          let x = $0.normal(); return x * x
        } - 1) < 0.03)
    #expect(abs(mean { $0.exponential() } - 1) < 0.02)
    #expect(abs(mean { Double($0.geometric(mean: 2.5)) } - 2.5) < 0.06)
    #expect(abs(mean { $0.gamma(shape: 3) } - 3) < 0.04)
    #expect(abs(mean { $0.gamma(shape: 0.2) } - 0.2) < 0.01)
    #expect(abs(mean { Double($0.pick([1, 0, 3]) ?? 9) } - 1.5) < 0.02)
    #expect(random.pick([0, 0]) == nil)
  }
}
