/// `lirs`: purges apps whose last two uses lie far apart, however recent the last one is.
///
/// State: the set LIR of apps with a short gap between their uses, a list Q of the others in memory
/// (HIR) by last use, ghosts of purged HIR apps, and a stack S of all of them by last use that ends
/// at a LIR app. Amortised O(1) per event and step (Jiang and Zhang, "LIRS: an efficient low
/// inter-reference recency set replacement policy", ACM SIGMETRICS 2002).
struct InterReferenceRecency: EvictionAlgorithm {
  static var residentLists: Int { 2 }
  private static let low = 0
  private static let high = 1
  private static let ghosts = 2

  var queues: AppQueues
  /// S: one list over the same apps.
  private var stack: AppQueues
  private let memoryBytes: Int64
  /// What HIR apps may hold: their share, or the largest app seen.
  private var highBytes: Int64

  init(_ context: PolicyContext, highShare: Double) {
    queues = AppQueues(appCount: context.appCount, listCount: 3)
    stack = AppQueues(appCount: context.appCount, listCount: 1)
    memoryBytes = context.memoryBytes
    highBytes = Int64(Double(memoryBytes) * highShare)
  }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    highBytes = max(highBytes, bytes)
    let hasShortGap = stack.isIn(0, app)
    let isFilling = queues.bytes(Self.low) + bytes <= memoryBytes - highBytes
    queues.insert(app, into: hasShortGap || isFilling ? Self.low : Self.high, bytes: bytes)
    stack.insert(app, into: 0, bytes: 0)
    if hasShortGap { demote() }
    prune()
  }

  mutating func hit(_ app: AppIndex) {
    let hasShortGap = stack.isIn(0, app)
    stack.insert(app, into: 0, bytes: 0)
    if queues.isIn(Self.high, app) {
      queues.move(app, to: hasShortGap ? Self.low : Self.high)
      if hasShortGap { demote() }
    }
    prune()
  }

  mutating func select(_ round: EvictionRound) -> AppIndex {
    let high = queues.oldest(Self.high, in: round)
    if high != .none { return high }
    var app = stack.oldest(0)
    while app != .none, !(queues.isIn(Self.low, app) && round.allows(app)) {
      app = stack.newer(than: app)
    }
    return app
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) {
    if queues.isIn(Self.high, app), stack.isIn(0, app) {
      queues.move(app, to: Self.ghosts)
    } else {
      leave(app)
    }
  }

  mutating func leave(_ app: AppIndex) {
    queues.remove(app)
    stack.remove(app)
    prune()
  }

  mutating func copy(from other: InterReferenceRecency) {
    queues.copy(from: other.queues)
    stack.copy(from: other.stack)
    highBytes = other.highBytes
  }

  /// LIR apps from the bottom of S become HIR until the others fit; the newest always stays.
  private mutating func demote() {
    while queues.bytes(Self.low) > memoryBytes - highBytes, queues.count(Self.low) > 1 {
      prune()
      let app = stack.oldest(0)
      guard app != .none, app != stack.newest(0) else { return }
      stack.remove(app)
      queues.move(app, to: Self.high)
    }
  }

  /// S ends at a LIR app: what lies below has a longer gap than any of them.
  private mutating func prune() {
    while true {
      let app = stack.oldest(0)
      guard app != .none, !queues.isIn(Self.low, app) else { return }
      stack.remove(app)
      if queues.isIn(Self.ghosts, app) { queues.remove(app) }
    }
  }
}

extension PolicyDescriptor {
  package static let interReferenceRecency = PolicyDescriptor(
    name: "lirs", family: "adaptive",
    summary: "Purges apps whose last two uses lie far apart, however recent the last one is.",
    details: """
      Apps are LIR (short gap between uses) or HIR. A stack S holds apps by last use, LIR and HIR, \
      in memory or not; a list Q holds the HIR apps in memory by last use. HIR apps may hold a \
      share of memory (at least the largest app seen), LIR apps the rest. Entry: LIR while LIR \
      apps have room, or if the app is still in S as a ghost; else HIR; on top of S, HIR also at \
      the newest end of Q. Use: to the top of S; a HIR app that was in S becomes LIR, one that was \
      not moves to the newest end of Q. When LIR apps hold more than their part, the one at the \
      bottom of S becomes HIR, at the newest end of Q. After each step HIR apps and ghosts below \
      the last LIR app leave S, and ghosts are forgotten with that. To purge: Q's oldest, a ghost \
      if it is in S; with no candidate in Q the lowest LIR app in S.
      """,
    source: "Jiang and Zhang, LIRS, ACM SIGMETRICS 2002",
    complexity: "O(1) amortised per event, O(n) per decision",
    parameters: [
      PolicyParameter("hir", "Share of memory for apps with long gaps.", default: "10%")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    QueuePolicy(
      InterReferenceRecency(context, highShare: try arguments.share("hir", default: 0.1)),
      context)
  }
}
