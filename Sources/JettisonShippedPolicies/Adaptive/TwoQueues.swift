/// `2q`: purges new apps after a short stay, unless they come back soon after.
///
/// State: A1in (entered, in order of entry), Am (came back, by last use), and A1out, ghosts of what
/// was purged from A1in. O(1) per event and step (Johnson and Shasha, "2Q: a low overhead high
/// performance buffer management replacement algorithm", VLDB 1994).
struct TwoQueues: EvictionAlgorithm {
  static var residentLists: Int { 2 }
  static var boundsParts: Bool { true }
  private static let incoming = 0
  private static let main = 1
  private static let ghosts = 2

  var queues: AppQueues
  private let incomingBytes: Int64
  private let ghostBytes: Int64
  private let mainBytes: Int64
  /// The app whose ghost was hit, until it comes in.
  private var returning = AppIndex.none

  init(_ context: PolicyContext, incoming: Double, ghost: Double, main: Double) {
    queues = AppQueues(appCount: context.appCount, listCount: 3)
    let memory = Double(context.memoryBytes)
    incomingBytes = Int64(memory * incoming)
    ghostBytes = Int64(memory * ghost)
    mainBytes = context.memoryBytes - Int64(memory * (1 - main))
  }

  mutating func request(_ app: AppIndex) {
    returning = queues.take(app, from: Self.ghosts) ? app : .none
  }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    queues.insert(app, into: returning == app ? Self.main : Self.incoming, bytes: bytes)
    returning = .none
  }

  mutating func hit(_ app: AppIndex) {
    if queues.isIn(Self.main, app) { queues.move(app, to: Self.main) }
  }

  mutating func select(_ round: EvictionRound) -> AppIndex {
    let incoming = queues.oldest(Self.incoming, in: round)
    let main = queues.oldest(Self.main, in: round)
    let isOver = queues.bytes(Self.incoming) > incomingBytes && !round.keepsBound
    return (isOver && incoming != .none) || main == .none ? incoming : main
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) {
    let bytes = queues.bytes(of: app)
    guard queues.isIn(Self.incoming, app), bytes <= ghostBytes else {
      queues.remove(app)
      return
    }
    queues.trim(Self.ghosts, toFit: bytes, within: ghostBytes)
    queues.move(app, to: Self.ghosts)
  }

  func overflowBytes(inserting app: AppIndex, bytes: Int64) -> Int64 {
    guard returning == app, queues.count(Self.main) > 0 else { return 0 }
    return max(0, queues.bytes(Self.main) + bytes - mainBytes)
  }

  mutating func copy(from other: TwoQueues) {
    queues.copy(from: other.queues)
    returning = other.returning
  }
}

extension PolicyDescriptor {
  package static let twoQueues = PolicyDescriptor(
    name: "2q", family: "adaptive",
    summary: "Purges new apps after a short stay, unless they come back soon after.",
    details: """
      A1in holds apps in order of entry, whether used again or not; Am holds apps by last use; \
      A1out holds ghosts of apps purged from A1in, the oldest forgotten beyond its share of \
      memory. A launch of an app in A1out brings it into Am, any other into A1in. To purge: if \
      A1in holds more than its share of memory, its oldest, which becomes a ghost; else Am's \
      oldest; whichever list is empty of candidates yields to the other. main below 100% bounds \
      Am to that share (on ideal-cache only): what does not fit goes before a returning app comes \
      in, even if there is room. libCacheSim's TwoQ is 2q:main=75%.
      """,
    source: "Johnson and Shasha, 2Q, VLDB 1994",
    complexity: "O(1) per event, O(n) per decision",
    parameters: [
      PolicyParameter("in", "Share of memory for A1in.", default: "25%"),
      PolicyParameter("out", "Share of memory that ghosts stand for.", default: "50%"),
      PolicyParameter("main", "Largest share of memory for Am.", default: "100%"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    QueuePolicy(
      TwoQueues(
        context, incoming: try arguments.share("in", default: 0.25),
        ghost: try arguments.share("out", default: 0.5),
        main: try arguments.share("main", default: 1, mayBeAll: true)),
      context)
  }
}
