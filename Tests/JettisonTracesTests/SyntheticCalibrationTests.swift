import JettisonCore
import Testing

@testable import JettisonTraces

/// What the studies behind the recipe measured, held against generated users
/// (`exact LRU over app counts, no immediate repeats`).
@Suite("Synthetic users resemble real ones")
struct SyntheticCalibrationTests {
  /// Share of launches that find their app among the `capacity` most recent ones.
  private static func hitShares(_ launches: [Int], capacities: ClosedRange<Int>) -> [Double] {
    var hits = [Int](repeating: 0, count: capacities.upperBound + 1)
    var stack: [Int] = []
    var total = 0
    for app in launches where app != stack.first {
      total += 1
      if let depth = stack.firstIndex(of: app) {
        stack.remove(at: depth)
        for capacity in capacities where depth < capacity { hits[capacity] += 1 }
      }
      stack.insert(app, at: 0)
    }
    return capacities.map { Double(hits[$0]) / Double(max(total, 1)) }
  }

  @Test("LRU hits as often as published, averaged over 60 users and 14 days")
  func hitRatios() {
    var shares = [Double](repeating: 0, count: 9)
    let users = 60
    for user in 0..<users {
      var launches: [Int] = []
      SyntheticDays.run(streams: SyntheticStreams(seed: 1, user: "user-\(user)"), days: 14) {
        if $0.kind == .launch, let app = $0.app { launches.append(app) }
      }
      for (position, share) in Self.hitShares(launches, capacities: 5...13).enumerated() {
        shares[position] += share / Double(users)
      }
    }
    let mean = shares.reduce(0, +) / 9
    print("hit@5 \(shares[0]) mean \(mean)")
    #expect(abs(shares[0] - 0.76) <= 0.03)
    #expect(abs(mean - 0.89) <= 0.02)
  }
}
