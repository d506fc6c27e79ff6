import Testing

@testable import JettisonSupport

@Suite("A map on several cores")
struct ConcurrentMapTests {
  @Test("Values come in the order of the places", arguments: [-1, 0, 1, 2, 3, 100])
  func order(jobs: Int) async {
    /// The first places take longest.
    @Sendable func value(_ place: Int) -> Int {
      (0..<(40 - place) * 1000).reduce(place) { $0 &* 31 &+ $1 }
    }
    let values = await (3..<40).concurrentMap(jobs: jobs, value)
    #expect(values == (3..<40).map(value))
  }

  @Test("No place, no value")
  func empty() async {
    #expect(await (5..<5).concurrentMap(jobs: 2) { $0 } == [])
  }
}
