import Foundation
import JettisonCore
import Testing

@testable import JettisonReports

/// Differences and what an independent calculation says about them.
///
/// ```python
/// error = statistics.stdev(d) / math.sqrt(len(d))
/// # For each of 9,999 resamples r, drawn by SplitMix64 from the sorted differences:
/// mean - error * (fmean(r) - mean) / (stdev(r) / math.sqrt(len(r)))
/// # and, beside the 250th of them from either end:
/// mean -+ scipy.stats.t.ppf(0.975, len(d) - 1) * error
/// ```
///
/// The draws are those of `SplitMix64`, so that the ends agree to rounding and not by chance.
struct IntervalCase: Sendable, CustomTestStringConvertible {
  var name: String
  var differences: [Double]
  var low: Double
  var high: Double
  var pValue: Double

  var testDescription: String { name }

  static let all = [
    IntervalCase(
      name: "skewed",
      differences: [0, -1.5, -0.25, -7, 0, -3.25, 1, -12.5, -0.5, -2, 0.75, -30],
      low: -26.827394373107513, high: 1.0449331606779024, pValue: 0.10033792900402758),
    IntervalCase(
      name: "close to zero",
      differences: [10, -15, 25, -2, 6, -18, 9, 4, -7, 12, -22, 3, 1],
      low: -7.929581780177433, high: 8.44651338038754, pValue: 0.9096),
    IntervalCase(
      name: "twenty users",
      differences: [
        -10, -25, 5, -8, -30, 15, -2, -44, 9, -22, -17, 3, -6, -51, -8, 24, -33, -12, 1, -29,
      ],
      low: -21.330067103020234, high: -2.880511285037965, pValue: 0.012621326675483031),
    IntervalCase(
      name: "half of them equal",
      differences: [Double](repeating: 0, count: 12) + [
        3, 1, 0.5, 9, 2, 4, 1.5, 0.25, 6, 2.5, 1, 30,
      ],
      low: -0.11464341129259203, high: 11.694868289410115, pValue: 0.05990713287423964),
  ]
}

/// Populations of differences: half of the users do not differ, the others by a skewed amount.
enum SkewedPopulation: String, CaseIterable, Sendable {
  case exponential
  case logNormal = "log-normal, sigma 1"
  case mixedExponential = "exponential, one in five the other way"
  case mixedLogNormal = "log-normal, three in ten the other way"

  /// The mean of the whole population.
  var mean: Double {
    switch self {
    case .exponential: 0.5
    case .logNormal: 0.5 * exp(0.5)
    case .mixedExponential: 0.5 * 0.6
    case .mixedLogNormal: 0.5 * 0.4 * exp(0.5)
    }
  }

  /// The difference of one user.
  func draw(_ random: inout SplitMix64) -> Double {
    guard random.uniform() < 0.5 else { return 0 }
    let sign = random.uniform()
    switch self {
    case .exponential: return -log(1 - random.uniform())
    case .logNormal: return exp(Self.normal(&random))
    case .mixedExponential: return -log(1 - random.uniform()) * (sign < 0.8 ? 1 : -1)
    case .mixedLogNormal: return exp(Self.normal(&random)) * (sign < 0.7 ? 1 : -1)
    }
  }

  /// Box and Muller.
  private static func normal(_ random: inout SplitMix64) -> Double {
    let radius = (-2 * log(1 - random.uniform())).squareRoot()
    return radius * cos(2 * .pi * random.uniform())
  }
}

@Suite("Statistics of paired differences")
struct StatisticsTests {
  @Test(
    "The interval and its probability agree with an independent calculation",
    arguments: IntervalCase.all)
  func interval(_ expected: IntervalCase) throws {
    let interval = try #require(PairedInterval(expected.differences, seed: 1))
    #expect(abs(interval.low - expected.low) < 1e-9)
    #expect(abs(interval.high - expected.high) < 1e-9)
    #expect(abs(interval.pValue - expected.pValue) < 1e-12)
  }

  @Test("Users in another order, and another unit", arguments: IntervalCase.all)
  func order(_ expected: IntervalCase) throws {
    let interval = try #require(PairedInterval(expected.differences, seed: 1))
    #expect(PairedInterval(expected.differences.reversed(), seed: 1) == interval)
    let scaled = try #require(PairedInterval(expected.differences.map { $0 * -4096 }, seed: 1))
    // Mirrored: the draws fall on other users, so the ends agree only roughly.
    #expect((scaled.low < 0) == (interval.high > 0))
    let larger = try #require(PairedInterval(expected.differences.map { $0 * 4096 }, seed: 1))
    #expect(larger.low == interval.low * 4096 && larger.high == interval.high * 4096)
    #expect(larger.pValue == interval.pValue)
  }

  @Test("An interval leaves out 0 exactly where its probability is at most 5 %")
  func agreement() throws {
    var random = SplitMix64(seed: 17)
    var sure = 0
    for sample in 0..<400 {
      let population = SkewedPopulation.allCases[sample % SkewedPopulation.allCases.count]
      let shift = Double(sample % 7) / 10
      let values = (0..<(10 + sample % 25)).map { _ in
        let value = population.draw(&random)
        return value == 0 ? 0 : value - shift
      }
      guard let interval = PairedInterval(values, seed: 1, resampleCount: 399) else { continue }
      let leavesOut = interval.low > 0 || interval.high < 0
      #expect(leavesOut == (interval.pValue <= 0.05), "sample \(sample): \(interval)")
      sure += leavesOut ? 1 : 0
      let mean = PairedStatistics.mean(values)
      #expect(interval.low <= mean && mean <= interval.high, "sample \(sample)")
    }
    #expect(sure > 40 && sure < 360)
  }

  /// Of 95 % intervals about 95 % must hold the truth: measured, for no formula is exact where half
  /// of the users do not differ and the others are skewed.
  @Test("How often the interval holds the true mean", arguments: SkewedPopulation.allCases)
  func coverage(_ population: SkewedPopulation) {
    let samples = 1000
    for users in [12, 30] {
      var random = SplitMix64(seed: UInt64(users))
      var given = 0
      var held = 0
      for sample in 0..<samples {
        let values = (0..<users).map { _ in population.draw(&random) }
        guard
          let interval = PairedInterval(values, seed: UInt64(sample), resampleCount: 399)
        else { continue }
        given += 1
        if interval.low <= population.mean, population.mean <= interval.high { held += 1 }
      }
      let share = Double(held) / Double(given)
      print("\(population.rawValue), \(users) users: \(share) of \(given) intervals")
      #expect(share >= (users < 30 ? 0.90 : 0.93), "\(users) users: \(share)")
      if users >= 30 { #expect(share <= 0.97, "\(users) users: \(share)") }
    }
  }

  @Test("Nothing is said where too few users differ, or all by the same")
  func withheld() {
    func interval(_ values: [Double]) -> PairedInterval? { PairedInterval(values, seed: 1) }
    let zeros = [Double](repeating: 0, count: 20)
    #expect(interval([]) == nil)
    #expect(interval(zeros) == nil)
    #expect(interval(zeros + [1, 2, 3, 4, 5]) == nil)
    #expect(interval(zeros + [1, 2, 3, 4, 5, 6]) != nil)
    #expect(interval([Double](repeating: -2.5, count: 12)) == nil)
    #expect(interval([Double](repeating: 0.1, count: 12)) == nil)
  }

  @Test("Student's distribution is SciPy's")
  func student() {
    // 2 * scipy.stats.t.sf(t, freedom) for t = 0.5, 2 and 6, and scipy.stats.t.ppf(0.975, freedom)
    let expected: [(Int, [Double], Double)] = [
      (1, [0.7048327646991335, 0.2951672353008665, 0.10513691342250688], 12.706204736174694),
      (2, [0.6666666666666667, 0.18350341907227397, 0.02667147321542477], 4.302652729749462),
      (3, [0.651447964848151, 0.13932596855884305, 0.009272714892284666], 3.1824463052837078),
      (4, [0.6433299631818633, 0.11611652351681556, 0.0038825370469605107], 2.7764451051977934),
      (7, [0.6324071356892844, 0.08561932856297605, 0.0005422583420028105], 2.364624251592784),
      (11, [0.6269262191838468, 0.07080395506803458, 8.926129204069131e-05], 2.200985160091639),
      (29, [0.6208480841937812, 0.05494363718296717, 1.5927908426174689e-06], 2.045229642132703),
      (200, [0.6176247523164609, 0.04685318618707097, 9.115120348810346e-09], 1.9718962236339088),
    ]
    for (freedom, probabilities, distance) in expected {
      let student = StudentDistribution(freedom: freedom)
      for (t, probability) in zip([0.5, 2, 6], probabilities) {
        #expect(abs(student.probability(beyond: t) - probability) < 1e-13, "\(freedom), \(t)")
        #expect(student.probability(beyond: -t) == student.probability(beyond: t))
      }
      #expect(abs(student.distance(leaving: 0.05) - distance) < 1e-9, "\(freedom)")
    }
  }

  @Test("Users needed, by hand")
  func usersNeeded() {
    // Mean 2, standard deviation 2: (2.801585 / 1)² = 7.85.
    #expect(PairedStatistics.usersNeeded([0, 2, 4]) == 8)
    // Mean 1, standard deviation 2: four times as many, 31.4.
    #expect(PairedStatistics.usersNeeded([-1, 1, 3]) == 32)
    #expect(PairedStatistics.usersNeeded([1, -1]) == nil)
    #expect(PairedStatistics.usersNeeded([3, 3]) == nil)
    #expect(PairedStatistics.usersNeeded([3]) == nil)
    #expect(PairedStatistics.usersNeeded([]) == nil)
  }

  @Test("Users who would show a difference among several, by the tables of the normal distribution")
  func usersNeededAmongTests() {
    for (share, distance) in [(0.05, 1.959964), (0.01, 2.575829), (0.001, 3.290527)] {
      #expect(abs(NormalDistribution.distance(leaving: share) - distance) < 1e-6)
    }
    #expect(PairedStatistics.usersNeeded(100, amongTests: 1) == 100)
    // ((2.575829 + 0.841621) / (1.959964 + 0.841621))² = 1.488.
    #expect(PairedStatistics.usersNeeded(100, amongTests: 5) == 149)
  }

  @Test("Holm's correction, by hand")
  func holm() {
    // Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1 = 0.04, 0.06, 0.06, 0.04; then rising.
    let adjusted = PairedStatistics.holm([0.04, 0.01, 0.03, 0.02])
    for (value, expected) in zip(adjusted, [0.06, 0.04, 0.06, 0.06]) {
      #expect(abs(value - expected) < 1e-12)
    }
    #expect(PairedStatistics.holm([0.5, 0.9]) == [1, 1])
    #expect(PairedStatistics.holm([]) == [])
  }

  @Test("Median, mean and share below zero, by hand")
  func simple() {
    #expect(PairedStatistics.median([3, 1, 2]) == 2)
    #expect(PairedStatistics.median([4, 1, 2, 3]) == 2.5)
    #expect(PairedStatistics.mean([1, 2, 6]) == 3)
    // Sums in another order are no difference.
    #expect(PairedStatistics.difference(0.1 + 0.2, 0.3) == 0)
    #expect(PairedStatistics.difference(0.3, 0.2) > 0.09)
    // Not 0.09999999999999999, by which equal users would differ.
    #expect(PairedStatistics.mean(Array(repeating: 0.1, count: 10)) == 0.1)
    // One below, one above, two ties: (1 + 0 + 0.5 + 0.5) / 4.
    #expect(PairedStatistics.shareBelowZero([-1, 2, 0, 0]) == 0.5)
  }

  @Test("What is not finite, and what is too large to add up")
  func edges() {
    let (infinite, none) = (Double.infinity, Double.nan)
    #expect(PairedStatistics.mean([infinite]) == infinite)
    #expect(PairedStatistics.mean([1, -infinite]) == -infinite)
    #expect(PairedStatistics.mean([infinite, -infinite]).isNaN)
    #expect(PairedStatistics.mean([1, none]).isNaN)
    // The difference of the two is beyond the largest number, their mean is 0.
    #expect(PairedStatistics.mean([1e308, -1e308]) == 0)
    #expect(PairedStatistics.median([1e308, 1.5e308]) == 1.25e308)
    #expect(PairedStatistics.median([none, 1, 2, 3]).isNaN)
    #expect(PairedStatistics.median([1, 2, infinite]) == 2)
    #expect(PairedStatistics.difference(infinite, 5) == infinite)
    #expect(PairedStatistics.difference(5, infinite) == -infinite)
    #expect(PairedStatistics.difference(none, 1).isNaN)
    // Two tests and one that was none: 0.02 × 2, then 0.03 × 1, which must not be less.
    let adjusted = PairedStatistics.holm([0.03, none, 0.02])
    #expect(adjusted[0] == 0.04 && adjusted[1].isNaN && adjusted[2] == 0.04)
    for value in [infinite, none] {
      #expect(PairedStatistics.standardError([1, value]).isNaN)
      #expect(PairedStatistics.usersNeeded([1, 2, value]) == nil)
      #expect(PairedInterval([1, 2, 3, 4, 5, 6, 7, value]) == nil)
    }
  }
}
