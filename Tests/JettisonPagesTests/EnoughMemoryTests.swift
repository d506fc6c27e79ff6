import JettisonCore
import JettisonTestSupport
import Testing

@testable import JettisonPages

@Suite("How much memory is enough")
struct EnoughMemoryTests {
  @Test("The smallest size from which on all larger ones suffice")
  func smallest() {
    // Two users: means 9, 4, 6, 1, 0.
    let values: [[Double]?] = [[8, 10], [4, 4], [6, 6], [0, 2], [0, 0]]
    let answers = EnoughMemory(values).answers([10, 5, 1, 0])
    #expect(answers.map(\.place) == [0, 3, 3, 4])
    #expect(answers.allSatisfy { $0.interval == nil }, "two users are too few")
    // A size at which runs failed is not enough, nor is any below it.
    let failed = EnoughMemory([[0, 0], nil, [0, 0]]).answers([1])
    #expect(failed[0].place == 2)
    #expect(EnoughMemory([[5, 5], [5, 5]]).answers([1])[0].place == nil)
  }

  @Test("Intervals hold the place, and are that of a resampling written out")
  func intervals() {
    for seed in UInt64(1)...20 {
      var random = SplitMix64(seed: seed)
      let users = Int.random(in: 10...30, using: &random)
      let values: [[Double]?] = (0..<6).map { size in
        (0..<users).map { _ in Double.random(in: 0...(6 / Double(size + 1)), using: &random) }
      }
      let answer = EnoughMemory(values).answers([1])[0]
      guard let interval = answer.interval else {
        Issue.record("seed \(seed): \(users) users are enough for an interval")
        continue
      }
      var slow = SplitMix64(seed: 1)
      var places: [Int] = []
      for _ in 0..<1999 {
        let sample = (0..<users).map { _ in
          Int(slow.next().multipliedFullWidth(by: UInt64(users)).high)
        }
        var place = 6
        while place > 0, let own = values[place - 1],
          sample.reduce(0, { $0 + own[$1] }) / Double(users) <= 1
        {
          place -= 1
        }
        places.append(place)
      }
      places.sort()
      #expect(interval == places[49]...places[1999 - 50], "seed \(seed)")
      #expect(interval.contains(answer.place ?? 6), "seed \(seed)")
    }
  }

  @Test("A knee is where a curve bends, and a straight line has none")
  func knees() {
    func knee(_ heights: [Double]) -> Int? {
      Knee.place(heights.enumerated().map { (Double($0), $1) })
    }
    #expect(knee([100, 10, 5, 2, 0]) == 1)
    #expect(knee([100, 95, 90, 10, 0]) == nil || knee([100, 95, 90, 10, 0]) == 3)
    #expect(knee([4, 3, 2, 1, 0]) == nil)
    #expect(knee([0, 1, 2]) == nil)
    #expect(knee([3, 3, 3]) == nil)
    #expect(knee([1, 0]) == nil)
  }
}
