import Testing

@testable import JettisonExperiments

/// Differences and what SciPy 1.17.1 says about them.
///
/// ```python
/// scipy.stats.bootstrap((d,), numpy.mean, n_resamples=10_000, method="BCa", rng=drawn)
/// scipy.stats.permutation_test(
///     (d,), numpy.mean, permutation_type="samples", n_resamples=numpy.inf)
/// ```
///
/// `drawn` is a generator whose `integers` yields the draws of `KeyedRandom(seed: 1, user: "")`
/// in the order (resample, place), so that the ends agree to rounding and not by chance. Values
/// are multiples of a power of two: SciPy takes equal sums for different where rounding differs.
struct SciPyCase: Sendable, CustomTestStringConvertible {
  var name: String
  var differences: [Double]
  var bca: (low: Double, high: Double)
  var percentile: (low: Double, high: Double)
  var pValue: Double

  var testDescription: String { name }

  static let all = [
    SciPyCase(
      name: "skewed",
      differences: [0, -1.5, -0.25, -7, 0, -3.25, 1, -12.5, -0.5, -2, 0.75, -30],
      bca: (-13.187858359650368, -1.3958333333333333),
      percentile: (-10.229166666666666, -0.75), pValue: 0.029296875),
    SciPyCase(
      name: "close to zero",
      differences: [10, -15, 25, -2, 6, -18, 9, 4, -7, 12, -22, 3, 1],
      bca: (-6.461538461538462, 7.230769230769231),
      percentile: (-6.386538461538445, 7.230769230769231), pValue: 0.915771484375),
    SciPyCase(
      name: "twenty users",
      differences: [
        -10, -25, 5, -8, -30, 15, -2, -44, 9, -22, -17, 3, -6, -51, -8, 24, -33, -12, 1, -29,
      ],
      bca: (-20.7, -4.05), percentile: (-20.55, -3.798750000000018), pValue: 0.012969970703125),
  ]
}

@Suite("Statistics of paired differences")
struct StatisticsTests {
  @Test("The BCa interval is SciPy's", arguments: SciPyCase.all)
  func bca(_ expected: SciPyCase) throws {
    let means = Bootstrap.resampledMeans(of: [expected.differences], seed: 1)
    let interval = Bootstrap.interval(of: expected.differences, resampledMeans: means[0])
    #expect(interval.isCorrected)
    #expect(abs(interval.low - expected.bca.low) < 1e-9)
    #expect(abs(interval.high - expected.bca.high) < 1e-9)
  }

  @Test("Ties stay ties in any unit", arguments: SciPyCase.all)
  func scale(_ expected: SciPyCase) throws {
    let scaled = expected.differences.map { $0 / 86_400 }
    let interval = Bootstrap.interval(
      of: scaled, resampledMeans: Bootstrap.resampledMeans(of: [scaled], seed: 1)[0])
    #expect(abs(interval.low * 86_400 - expected.bca.low) < 1e-9)
    #expect(abs(interval.high * 86_400 - expected.bca.high) < 1e-9)
    #expect(SignFlipTest.pValue(scaled, seed: 1) == expected.pValue)
  }

  @Test("The resampled means have SciPy's percentiles", arguments: SciPyCase.all)
  func percentiles(_ expected: SciPyCase) throws {
    let sorted = Bootstrap.resampledMeans(of: [expected.differences], seed: 1)[0].sorted()
    #expect(abs(Bootstrap.quantile(sorted, 0.025) - expected.percentile.low) < 1e-9)
    #expect(abs(Bootstrap.quantile(sorted, 0.975) - expected.percentile.high) < 1e-9)
  }

  @Test("The exact sign-flip probability is SciPy's", arguments: SciPyCase.all)
  func exactPermutation(_ expected: SciPyCase) throws {
    let pValue = try #require(SignFlipTest.pValue(expected.differences, seed: 1))
    #expect(abs(pValue - expected.pValue) < 1e-12)
  }

  @Test("Counting halves finds what counting every pattern finds", arguments: 1...9)
  func halvesAgainstAll(_ count: Int) throws {
    // Many ties, zeros among them: sums that are equal must count as equal.
    let differences = (0..<count).map { Double(($0 * 7) % 5 - 1) / 10 }
    let observed = abs(differences.reduce(0, +))
    var extreme = 0
    for pattern in 0..<(1 << count) {
      var sum = 0.0
      for place in 0..<count {
        sum += pattern >> place & 1 == 0 ? differences[place] : -differences[place]
      }
      if abs(sum) >= observed - 1e-12 { extreme += 1 }
    }
    let expected = Double(extreme) / Double(1 << count)
    #expect(SignFlipTest.pValue(differences, seed: 1) == expected)
  }

  @Test("More than twenty users are tested by draws, close to the exact value")
  func drawnPermutation() throws {
    // scipy.stats.permutation_test with 2,000,000 draws: 0.6693 (standard error 0.0003).
    let differences = (0..<30).map { Double(($0 * 37) % 23 - 10) / 4 }
    let pValue = try #require(SignFlipTest.pValue(differences, seed: 1))
    #expect(abs(pValue - 0.6693) < 0.02)
    #expect(SignFlipTest.pValue(differences, seed: 1) == pValue)
    #expect(SignFlipTest.pValue(differences, seed: 2) != pValue)
  }

  @Test("A probability is never 0, and 1 where nothing differs")
  func extremeProbabilities() {
    #expect(SignFlipTest.pValue([], seed: 1) == nil)
    #expect(SignFlipTest.pValue([-3], seed: 1) == 1)
    #expect(SignFlipTest.pValue([0, 0, 0], seed: 1) == 1)
    #expect(SignFlipTest.pValue([1, -1], seed: 1) == 1)
    // Both the pattern seen and its mirror image, of 2^3.
    #expect(SignFlipTest.pValue([1, 2, 3], seed: 1) == 0.25)
    #expect(SignFlipTest.pValue(Array(repeating: 1, count: 64), seed: 1) == 1.0 / 10_001)
    #expect(SignFlipTest.pValue(Array(repeating: 0, count: 64), seed: 1) == 1)
  }

  @Test("Equal values have the percentile interval, which is the value")
  func degenerate() {
    for value in [0.0, -2.5, 0.1] {
      let values = [Double](repeating: value, count: 12)
      let means = Bootstrap.resampledMeans(of: [values], seed: 1)
      let interval = Bootstrap.interval(of: values, resampledMeans: means[0])
      #expect(!interval.isCorrected)
      #expect(abs(interval.low - value) < 1e-12)
      #expect(abs(interval.high - value) < 1e-12)
    }
  }

  @Test("A series has the same draws whatever stands beside it")
  func commonDraws() {
    let first = SciPyCase.all[0].differences
    let second = first.map { $0 * 3 + 1 }
    let alone = Bootstrap.resampledMeans(of: [first], seed: 9)
    let together = Bootstrap.resampledMeans(of: [second, first], seed: 9)
    #expect(alone[0] == together[1])
    #expect(alone[0] != Bootstrap.resampledMeans(of: [first], seed: 10)[0])
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
    // One below, one above, two ties: (1 + 0 + 0.5 + 0.5) / 4.
    #expect(PairedStatistics.shareBelowZero([-1, 2, 0, 0]) == 0.5)
  }

  @Test("The normal distribution is SciPy's")
  func normal() {
    // scipy.stats.norm.ppf and .cdf
    let quantiles = [
      (1e-10, -6.361340902404056), (0.001, -3.090232306167813), (0.025, -1.9599639845400545),
      (0.3, -0.5244005127080409), (0.5, 0), (0.9, 1.2815515655446004),
      (0.999999, 4.753424308817087),
    ]
    for (p, x) in quantiles {
      #expect(abs(NormalDistribution.quantile(p) - x) < 1e-9, "quantile of \(p)")
    }
    let cumulative = [
      (-8.0, 6.22096057427174e-16), (-1.96, 0.024997895148220435),
      (-0.3, 0.3820885778110474), (0.7, 0.758036347776927), (3.5, 0.9997673709209645),
    ]
    for (x, p) in cumulative {
      #expect(abs(NormalDistribution.cumulative(x) - p) < 1e-13 * max(p, 1e-3), "below \(x)")
    }
    #expect(NormalDistribution.quantile(0) == -.infinity)
    #expect(NormalDistribution.quantile(1) == .infinity)
  }
}
