import JettisonCore
import Synchronization
import Testing

/// What runs of one trace work out together.
struct SharedWorkTests {
  /// How often something happened.
  private final class Tally: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add() { number.add(1, ordering: .relaxed) }
  }

  @Test("The first request makes the value of a type, and all others get that one")
  func once() async {
    let work = SharedWork()
    let made = Tally()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask {
          let shared = work.value {
            made.add()
            return Tally()
          }
          shared.add()
        }
      }
    }
    #expect(made.value == 1)
    #expect(work.value { Tally() }.value == 64)
  }

  @Test("Each type has a value of its own, and so has each trace")
  func apart() {
    let work = SharedWork()
    #expect(work.value { "text" } == "text")
    #expect(work.value { 7 } == 7)
    #expect(work.value { "other" } == "text")
    #expect(SharedWork().value { "other" } == "other")
  }
}
