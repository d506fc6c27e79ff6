import JettisonCore
import JettisonReports
import JettisonTestSupport
import Testing

@testable import JettisonPages

@Suite("Scales")
struct AxisTests {
  @Test("Every value lies on its scale, in order, and so do all marks")
  func places() {
    for seed in UInt64(1)...300 {
      var random = SplitMix64(seed: seed)
      let count = Int.random(in: 1...20, using: &random)
      let size: Double = [0.001, 1, 50, 3600, 1e6, 1e10].randomElement(using: &random) ?? 1
      let isSigned = Bool.random(using: &random)
      let lowest: Double = isSigned ? -size : 0
      let values: [Double] = (0..<count).map { _ in
        Bool.random(using: &random) && Bool.random(using: &random)
          ? 0 : Double.random(in: lowest...size, using: &random)
      }.sorted()
      for unit in [MetricUnit.seconds, .bytes, .count, .share] {
        for scale in [Axis.Scale.even, .powers] where scale == .even || !isSigned {
          let axis = Axis("x", covering: values, unit: unit, scale: scale)
          let places = values.map(axis.percent)
          #expect(places == places.sorted(), "seed \(seed)")
          #expect(places.allSatisfy { (0...100).contains($0) }, "seed \(seed)")
          #expect(!axis.ticks.isEmpty && axis.ticks.count <= 30, "seed \(seed)")
          let marks = axis.ticks.map { axis.percent($0.value) }
          #expect(
            zip(marks, marks.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
          if let most = values.last, most > 0 { #expect(axis.range.upperBound >= most) }
        }
      }
    }
  }

  @Test("Powers of ten lie at even distances, and 0 below them")
  func powers() {
    let axis = Axis("x", covering: [0, 1, 10, 1000], unit: .count, scale: .powers)
    let places = [0, 1, 10, 100, 1000].map { axis.percent($0) }
    #expect(places[0] == 0)
    #expect(abs(places[1] - 10) < 1e-6)
    #expect(abs((places[2] - places[1]) - (places[4] - places[3])) < 1e-6)
    #expect(abs(places[4] - 100) < 1e-6)
    #expect(axis.ticks.map(\.label) == ["0", "1", "10", "100", "1000"])
  }

  @Test("Names beside marks do not cover each other")
  func labels() {
    let chart = Chart(
      x: Axis("x", covering: [0, 100], unit: .count),
      y: Axis("y", covering: [0, 100], unit: .count))
    let label = Labels.Label(text: "somebody", x: 50, y: 50)
    let one = Labels([label], in: chart).markup.source
    #expect(one.matches(of: /<text/).count == 2)
    // Ten at one place: one in each direction at most.
    let ten = Labels(Array(repeating: label, count: 10), in: chart).markup.source
    #expect(ten.matches(of: /<text/).count <= 8)
  }
}
