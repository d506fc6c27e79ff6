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

  /// The same by way of the library's own text, taken apart.
  private static func slowly(_ value: Double) -> String {
    let sign = value < 0 ? "-" : ""
    let parts = value.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = String(mantissa[0] + mantissa[1]).drop { $0 == "0" }
    var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    point -= String(mantissa[0] + mantissa[1]).count - digits.count
    while digits.last == "0" { digits.removeLast() }
    guard point > -6, point <= 21 else {
      let rest = digits.dropFirst()
      return "\(sign)\(digits.prefix(1))\(rest.isEmpty ? "" : "." + rest)e\(point - 1)"
    }
    let left =
      point > 0
      ? digits.prefix(point) + String(repeating: "0", count: max(0, point - digits.count)) : "0"
    let right =
      point > 0 ? String(digits.dropFirst(point)) : String(repeating: "0", count: -point) + digits
    return "\(sign)\(left)\(right.isEmpty ? "" : "." + right)"
  }

  @Test("Reals, in text and in bytes, agree with a slower way")
  func realsBySlowerWay() {
    var random = SplitMix64(seed: 99)
    for _ in 0..<20_000 {
      let bits = random.next()
      let scale = Double(sign: .plus, exponent: Int(random.next() % 120) - 60, significand: 1)
      let whole = Double(Int64(bitPattern: bits) >> Int64(random.next() % 64))
      for value in [Double(bitPattern: bits), whole, whole / 10, whole / 1000, whole * scale]
      where value.isFinite && value != 0 {
        let text = Self.slowly(value)
        #expect(NumberText.real(value) == text, "bits \(bits) of seed 99")
        var bytes: [UInt8] = []
        bytes.append(real: value)
        #expect(String(decoding: bytes, as: UTF8.self) == text, "bits \(bits) of seed 99")
      }
      var bytes: [UInt8] = []
      bytes.append(number: Int64(bitPattern: bits))
      bytes.append(digits: bits)
      #expect(String(decoding: bytes, as: UTF8.self) == "\(Int64(bitPattern: bits))\(bits)")
    }
  }

  @Test("Figures have six digits, those of the number rounded by the library")
  func figures() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let scale = Double(sign: .plus, exponent: Int(random.next() % 400) - 200, significand: 1)
      let value = Double(Int64(bitPattern: random.next())) * scale
      guard value != value.rounded() || value.magnitude > 1e15 else { continue }
      let figure = Double(HumanText.figure(value)) ?? .nan
      #expect(abs(figure - value) <= value.magnitude * 5.0001e-6, "\(value) of seed 5")
      #expect(HumanText.figure(value) == NumberText.real(figure), "\(value) of seed 5")
      let digits = HumanText.figure(value).prefix { $0 != "e" }.filter(\.isNumber)
      let counted = digits.drop { $0 == "0" }.reversed().drop { $0 == "0" }
      #expect(counted.count <= 6, "\(value) of seed 5")
      let tenths = (value.magnitude.truncatingRemainder(dividingBy: 99) * 10).rounded() / 10
      #expect(HumanText.count(tenths) == NumberText.real(tenths), "\(tenths)")
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
