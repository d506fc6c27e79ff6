import Testing

@testable import JettisonExperiments

@Suite("Observed and simulated kills are paired")
struct OutcomeMatchingTests {
  /// Kills written as `a10 b12`: an app and a time.
  private static func outcomes(_ text: String) -> [TimedOutcome] {
    text.split(separator: " ").map { word in
      TimedOutcome(
        timeNanoseconds: Int64(word.dropFirst()) ?? -1,
        key: Int(word.utf8.first ?? 0))
    }
  }

  struct Pairing: Sendable, CustomTestStringConvertible {
    let observed: String
    let simulated: String
    /// Position of the partner of each observed kill; −1: none.
    let partners: [Int]
    var testDescription: String { "\(observed) with \(simulated)" }
  }

  @Test(
    "Each kill has at most one partner, of its own app and within ten",
    arguments: [
      Pairing(observed: "a10", simulated: "a10", partners: [0]),
      Pairing(observed: "a10", simulated: "a20", partners: [0]),
      Pairing(observed: "a10", simulated: "a21", partners: [-1]),
      Pairing(observed: "a30", simulated: "a20", partners: [0]),
      Pairing(observed: "a10", simulated: "b10", partners: [-1]),
      Pairing(observed: "a10", simulated: "", partners: [-1]),
      Pairing(observed: "a10 a11", simulated: "a11", partners: [0, -1]),
      Pairing(observed: "a10 b10", simulated: "b10 a12", partners: [1, 0]),
      // The nearer of two, where the other is free…
      Pairing(observed: "a10", simulated: "a5 a11", partners: [1]),
      // …but not where that would leave another kill without one.
      Pairing(observed: "a10 a18", simulated: "a5 a12", partners: [0, 1]),
      Pairing(observed: "a10 a30", simulated: "a12 a14 a29 a31", partners: [0, 2]),
    ])
  func pairs(_ pairing: Pairing) {
    let simulated = Self.outcomes(pairing.simulated)
    let matching = OutcomeMatching(
      observed: Self.outcomes(pairing.observed), simulated: simulated, windowNanoseconds: 10)
    #expect(matching.partners == pairing.partners.map { $0 < 0 ? nil : $0 })
    for (position, partner) in matching.partners.enumerated() {
      if let partner { #expect(matching.observedPartners[partner] == position) }
    }
    #expect(
      matching.observedPartners.compactMap { $0 }.count
        == matching.partners.compactMap { $0 }.count)
  }

  struct Moments: Sendable, CustomTestStringConvertible {
    let observed: String
    let simulated: String
    /// One letter per moment: exact, same set, or different.
    let verdict: String
    var testDescription: String { "\(observed) with \(simulated)" }
  }

  @Test(
    "A moment is exact if the same apps went in the same order, and no others",
    arguments: [
      Moments(observed: "a10", simulated: "a12", verdict: "e"),
      Moments(observed: "a10 b11", simulated: "a12 b12", verdict: "e"),
      Moments(observed: "a10 b11", simulated: "b10 a12", verdict: "s"),
      Moments(observed: "a10 b11", simulated: "a12", verdict: "d"),
      Moments(observed: "a10 b11", simulated: "a12 b12 c12", verdict: "d"),
      // More than ten apart: two moments; a kill between them lies within the window of both, or of
      // one.
      Moments(observed: "a10 b21", simulated: "a10 b21 c15", verdict: "dd"),
      Moments(observed: "a10 b22", simulated: "a10 c17 b22", verdict: "dd"),
      Moments(observed: "a10 b28", simulated: "a10 c17 b28", verdict: "de"),
      Moments(observed: "a10 b28", simulated: "a10 c21 b28", verdict: "ed"),
      Moments(observed: "a10 b40", simulated: "a10 c25 b40", verdict: "ee"),
      Moments(observed: "a10", simulated: "a10 c21", verdict: "e"),
      Moments(observed: "a10 b18 c26", simulated: "a10 b18 c26", verdict: "e"),
      Moments(observed: "", simulated: "a1", verdict: ""),
    ])
  func moments(_ example: Moments) {
    let observed = Self.outcomes(example.observed)
    let simulated = Self.outcomes(example.simulated)
    let moments = KillMoments(
      observed: observed, simulated: simulated,
      matching: OutcomeMatching(observed: observed, simulated: simulated, windowNanoseconds: 10),
      windowNanoseconds: 10)
    let verdict = moments.ranges.indices.map { moment in
      moments.isExact[moment] ? "e" : moments.isSameSet[moment] ? "s" : "d"
    }
    #expect(verdict.joined() == example.verdict)
    #expect(moments.momentOfKill.count == observed.count)
  }

  @Test("No pairing of kills of one app in order has more pairs", arguments: 0..<200)
  func mostPairs(_ seed: Int) {
    var state = UInt64(seed)
    func draw(_ limit: UInt64) -> Int64 {
      // Wrapping on purpose: a generator of numbers modulo 2^64.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % limit)
    }
    func kills() -> [TimedOutcome] {
      (0..<draw(7)).map { _ in draw(60) }.sorted().map { TimedOutcome(timeNanoseconds: $0, key: 0) }
    }
    let (observed, simulated) = (kills(), kills())
    let matching = OutcomeMatching(
      observed: observed, simulated: simulated, windowNanoseconds: 5)
    // Longest common subsequence, where two are equal if they are near.
    var best = [[Int]](
      repeating: [Int](repeating: 0, count: simulated.count + 1), count: observed.count + 1)
    for i in observed.indices {
      for j in simulated.indices {
        let isNear = abs(observed[i].timeNanoseconds - simulated[j].timeNanoseconds) <= 5
        best[i + 1][j + 1] = max(best[i][j + 1], best[i + 1][j], best[i][j] + (isNear ? 1 : 0))
      }
    }
    #expect(
      matching.partners.compactMap { $0 }.count == best[observed.count][simulated.count],
      "seed \(seed)")
  }

  @Test(
    "By chance: the share of all shifts along the capture that bring a kill near",
    arguments: [
      ([50], 0.2), ([], 0), ([50, 70], 0.4),
      // Ten of the twenty after the first are the second one's too.
      ([50, 60], 0.3), ([50, 50], 0.2),
      // The capture is a ring: from 95 to 5 it is ten.
      ([5, 95], 0.3), ([0, 20, 40, 60, 80], 1),
    ] as [([Int64], Double)])
  func chance(times: [Int64], share: Double) {
    #expect(
      ChanceOfTime.share(of: times, from: 100, to: 200, windowNanoseconds: 10) == share,
      "shifting the capture itself changes nothing")
    #expect(ChanceOfTime.share(of: times, from: 0, to: 100, windowNanoseconds: 0) == 0)
    let isAny = !times.isEmpty
    #expect(
      ChanceOfTime.share(of: times, from: 0, to: 100, windowNanoseconds: 100) == (isAny ? 1 : 0))
    #expect(
      ChanceOfTime.share(of: times, from: 0, to: 0, windowNanoseconds: 10) == (isAny ? 1 : 0))
  }
}
