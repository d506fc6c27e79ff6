/// `clock`: purges the first app under a moving hand that has not been used since the hand was there.
///
/// State: a ring of apps in order of entry, a count of up to `bits` bits each (one bit: used or
/// not), and the hand, kept as a list whose oldest end is under the hand. O(1) per event, amortised
/// O(1) per step (Corbató, "A paging experiment with the Multics system", 1968; with counts:
/// Smith, "Sequentiality and prefetching", 1978).
struct Clock: EvictionAlgorithm {
  static var residentLists: Int { 1 }

  var queues: AppQueues
  /// The largest count.
  let maximum: UInt8

  init(appCount: Int, bits: Int) {
    queues = AppQueues(appCount: appCount, listCount: 1)
    maximum = UInt8(truncatingIfNeeded: (1 << bits) - 1)
  }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    queues.insert(app, into: 0, bytes: bytes)
  }

  mutating func hit(_ app: AppIndex) {
    queues.setMark(app, min(maximum, queues.mark(app) + 1))
  }

  mutating func select(_ round: EvictionRound) -> AppIndex {
    var isAnyAllowed: Bool
    repeat {
      isAnyAllowed = false
      var app = queues.oldest(0)
      while app != .none {
        let next = queues.newer(than: app)
        if round.allows(app) {
          guard queues.mark(app) > 0 else { return app }
          isAnyAllowed = true
          queues.move(app, to: 0, mark: queues.mark(app) - 1)
        }
        app = next
      }
    } while isAnyAllowed
    return .none
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) { queues.remove(app) }

  mutating func copy(from other: Clock) { queues.copy(from: other.queues) }
}

extension PolicyDescriptor {
  package static let clock = PolicyDescriptor(
    name: "clock", family: "recency",
    summary: "Purges the first app under a moving hand that was not used since the hand came by.",
    details: """
      Apps stand in a ring in order of entry, each with a count that is 0 at entry and grows by 1 \
      at each launch while in memory, up to 2^bits - 1. The hand looks at an app: count above 0: \
      less 1, and the hand moves on; count 0: that app goes. New apps come in behind the hand. \
      Apps that are no candidates are passed over and keep their count. Only the steps up to the \
      app that really went are taken.
      """,
    source: "Corbató, A paging experiment with the Multics system, 1968",
    complexity: "O(1) per event, O(n) per decision",
    parameters: [
      PolicyParameter("bits", "Bits of the count: 1 to 8.", default: "1")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    QueuePolicy(
      Clock(
        appCount: context.appCount, bits: try arguments.count("bits", default: 1, in: 1...8)),
      context)
  }
}
