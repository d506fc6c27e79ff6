/// `sieve`: purges the first app unused since, from a hand that moves from old to new.
///
/// State: a list in order of entry, one bit per app, and the hand, which stays where it is when
/// apps come in. O(1) per event, amortised O(1) per step (Zhang et al., "SIEVE is simpler than
/// LRU", USENIX NSDI 2024).
struct Sieve: EvictionAlgorithm {
  static var residentLists: Int { 1 }

  var queues: AppQueues
  /// Where the search goes on; none: at the oldest app.
  private var hand = AppIndex.none

  init(appCount: Int) {
    queues = AppQueues(appCount: appCount, listCount: 1)
  }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    stepOff(app)
    queues.insert(app, into: 0, bytes: bytes)
  }

  mutating func hit(_ app: AppIndex) { queues.setMark(app, 1) }

  /// From the hand to the newest app, then twice around: after that every mark is cleared.
  mutating func select(_ round: EvictionRound) -> AppIndex {
    var app = hand == .none ? queues.oldest(0) : hand
    for _ in 0..<3 {
      while app != .none {
        if round.allows(app) {
          guard queues.mark(app) > 0 else {
            hand = app
            return app
          }
          queues.setMark(app, 0)
        }
        app = queues.newer(than: app)
      }
      app = queues.oldest(0)
    }
    return .none
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) { leave(app) }

  mutating func leave(_ app: AppIndex) {
    stepOff(app)
    queues.remove(app)
  }

  mutating func copy(from other: Sieve) {
    queues.copy(from: other.queues)
    hand = other.hand
  }

  private mutating func stepOff(_ app: AppIndex) {
    if hand == app { hand = queues.newer(than: app) }
  }
}

extension PolicyDescriptor {
  package static let sieve = PolicyDescriptor(
    name: "sieve", family: "adaptive",
    summary: "Purges the first unused app from a hand that moves from old to new apps.",
    details: """
      A list in order of entry, a bit per app (0 at entry, 1 at each later launch) and a hand that \
      begins at the oldest. Bit 1: cleared, and the hand moves to the next newer app, from the \
      newest to the oldest; bit 0: that app goes, and the hand stands on the next newer one. \
      Unlike in clock, apps keep their place and new ones come in at the newest end, wherever the \
      hand is. Apps that are no candidates are passed over and keep their bit.
      """,
    source: "Zhang et al., SIEVE is simpler than LRU, USENIX NSDI 2024",
    complexity: "O(1) per event, O(n) per decision"
  ) { _, context in QueuePolicy(Sieve(appCount: context.appCount), context) }
}
