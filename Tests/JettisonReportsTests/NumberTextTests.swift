import JettisonCore
import JettisonSupport
import Testing

@testable import JettisonReports

@Suite("Numbers as text")
struct NumberTextTests {
  @Test(
    "Seconds are the shortest exact decimal",
    arguments: [
      (0, "0"), (1, "0.000000001"), (-1, "-0.000000001"), (1_500_000_000, "1.5"),
      (4_000_000_000, "4"), (-4_000_000_000, "-4"), (1_000_000_010, "1.00000001"),
      (100_000_000, "0.1"), (-999_999_999, "-0.999999999"),
      (Int64.max, "9223372036.854775807"), (Int64.min, "-9223372036.854775808"),
    ])
  func seconds(_ nanoseconds: Int64, _ text: String) {
    #expect(NumberText.seconds(nanoseconds: nanoseconds) == text)
  }

  static let realCases: [(Double, String)] = [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-2.5, "-2.5"), (0.1, "0.1"), (1e15, "1000000000000000"),
    (1e16, "10000000000000000"), (1.5e20, "150000000000000000000"),
    (1e21, "1e21"), (-1.25e300, "-1.25e300"), (0.0001, "0.0001"), (1e-5, "0.00001"),
    (-1.25e-6, "-0.00000125"), (1e-7, "1e-7"), (Double.leastNonzeroMagnitude, "5e-324"),
    (9_007_199_254_740_992, "9007199254740992"), (1.0 / 3, "0.3333333333333333"),
    (.infinity, "inf"), (-.infinity, "-inf"), (.nan, ""),
  ]

  @Test("Reals are written out where that is readable", arguments: realCases)
  func reals(_ value: Double, _ text: String) {
    #expect(NumberText.real(value) == text)
  }

  @Test("Every real reads back as itself")
  func realsRoundTrip() {
    var random = SplitMix64(seed: 20_260_801)
    for _ in 0..<20_000 {
      let bits = random.next()
      let value = Double(bitPattern: bits)
      guard value.isFinite else { continue }
      let text = NumberText.real(value)
      #expect(Double(text) == value, "bits \(bits) of seed 20260801 gave \(text)")
      let ordinary = Double(Int64(bitPattern: bits) >> 20) / 1024
      #expect(Double(NumberText.real(ordinary)) == ordinary, "bits \(bits)")
      #expect(!NumberText.real(ordinary).contains("e"), "bits \(bits)")
    }
  }

  @Test("Every time reads back as itself, digit by digit")
  func secondsRoundTrip() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let time = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
      let text = NumberText.seconds(nanoseconds: time)
      let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
      let fraction = parts.count > 1 ? String(parts[1]) : ""
      let padded = fraction + String(repeating: "0", count: 9 - fraction.count)
      #expect(UInt64(String(parts[0]) + padded) == time.magnitude, "\(time) of seed 7 gave \(text)")
      #expect(text.hasPrefix("-") == (time < 0))
      #expect(!fraction.hasSuffix("0"))
    }
  }

  @Test("Hashes have sixteen digits")
  func hashes() {
    #expect(NumberText.hash(0) == "0000000000000000")
    #expect(NumberText.hash(0xabc) == "0000000000000abc")
    #expect(NumberText.hash(.max) == "ffffffffffffffff")
  }
}
