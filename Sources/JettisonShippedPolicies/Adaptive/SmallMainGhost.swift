/// `s3fifo`: lets new apps prove themselves in a small queue, and purges from there first.
///
/// State: a small queue S, a main queue M, a list G of apps purged from S (ghosts), and a count of
/// up to 3 uses per app. O(1) per event, amortised O(1) per step (Yang et al., "FIFO queues are all
/// you need for cache eviction", ACM SOSP 2023).
struct SmallMainGhost: EvictionAlgorithm {
  /// Where apps come in before the first purge, while S is over its share.
  enum Fill: String, CaseIterable, Sendable {
    case small, main
  }

  /// What may be set.
  struct Options: Sendable {
    var smallShare: Double
    var ghostShare: Double
    /// Uses after entry that an app needs to get from S to M.
    var threshold: UInt8
    /// Whether M's share is looked at again after each app that S hands over.
    var rechecks: Bool
    var fill: Fill
  }

  static var residentLists: Int { 2 }
  private static let small = 0
  private static let main = 1
  private static let ghosts = 2

  var queues: AppQueues
  private let options: Options
  private let memoryBytes: Int64
  private let ghostBytes: Int64
  /// What S may hold: its share, or the largest app seen.
  private var smallBytes: Int64
  private var hasPurged = false
  /// The app whose ghost was hit, until it comes in.
  private var returning = AppIndex.none

  init(_ context: PolicyContext, options: Options) {
    queues = AppQueues(appCount: context.appCount, listCount: 3)
    self.options = options
    memoryBytes = context.memoryBytes
    smallBytes = Int64(Double(memoryBytes) * options.smallShare)
    ghostBytes = Int64(Double(memoryBytes) * options.ghostShare)
  }

  mutating func request(_ app: AppIndex) {
    returning = queues.take(app, from: Self.ghosts) ? app : .none
  }

  mutating func enter(_ app: AppIndex, bytes: Int64) {
    smallBytes = max(smallBytes, bytes)
    let isSmallFull = queues.bytes(Self.small) >= smallBytes
    let fillsMain = options.fill == .main && !hasPurged && isSmallFull
    queues.insert(
      app, into: returning == app || fillsMain ? Self.main : Self.small, bytes: bytes)
    returning = .none
  }

  mutating func hit(_ app: AppIndex) { queues.setMark(app, min(3, queues.mark(app) + 1)) }

  mutating func select(_ round: EvictionRound) -> AppIndex {
    hasPurged = true
    var isDraining = false
    while true {
      let small = queues.oldest(Self.small, in: round)
      let main = queues.oldest(Self.main, in: round)
      let isMainOver = queues.bytes(Self.main) > memoryBytes - smallBytes
      if small == .none || (isMainOver && !isDraining && main != .none) {
        return selectMain(main, round)
      }
      guard queues.mark(small) >= options.threshold else { return small }
      queues.move(small, to: Self.main, mark: 0)
      isDraining = !options.rechecks
    }
  }

  /// Second chances: a used app goes to the newest end with one use less.
  private mutating func selectMain(_ oldest: AppIndex, _ round: EvictionRound) -> AppIndex {
    var app = oldest
    while app != .none, queues.mark(app) > 0 {
      queues.move(app, to: Self.main, mark: queues.mark(app) - 1)
      app = queues.oldest(Self.main, in: round)
    }
    return app
  }

  mutating func purge(_ app: AppIndex, _ round: EvictionRound) {
    let bytes = queues.bytes(of: app)
    guard queues.isIn(Self.small, app), bytes <= ghostBytes else {
      queues.remove(app)
      return
    }
    queues.trim(Self.ghosts, toFit: bytes, within: ghostBytes)
    queues.move(app, to: Self.ghosts)
  }

  mutating func copy(from other: SmallMainGhost) {
    queues.copy(from: other.queues)
    smallBytes = other.smallBytes
    hasPurged = other.hasPurged
    returning = other.returning
  }
}

extension PolicyDescriptor {
  package static let smallMainGhost = PolicyDescriptor(
    name: "s3fifo", aliases: ["s3-fifo"], family: "adaptive",
    summary: "Lets new apps prove themselves in a small queue, and purges from there first.",
    details: """
      Queues in order of entry: S (a share of memory, at least the largest app seen), M (the \
      rest) and G, ghosts of apps purged from S (a share of memory, oldest forgotten first). An \
      app counts its launches after entry, up to 3. A launch of an app in G brings it into M, any \
      other into S. To purge: if M holds more than its share or S is empty, look at M's oldest: \
      count above 0: less 1, back to M's newest end; else it goes. Otherwise look at S's oldest: \
      count of at least threshold: to M with count 0; else it goes and is remembered in G. \
      recheck=on looks at M's share again after each app handed over, recheck=off goes on with S \
      until an app goes or S is empty. fill=main brings apps into M before the first purge of the \
      run while S is full. Apps that are no candidates are passed over. libCacheSim's S3FIFO is \
      s3fifo:recheck=off,fill=main.
      """,
    source: "Yang et al., FIFO queues are all you need for cache eviction, ACM SOSP 2023",
    complexity: "O(1) per event, O(n) per decision",
    parameters: [
      PolicyParameter("small", "Share of memory for S.", default: "10%"),
      PolicyParameter("ghost", "Share of memory that ghosts stand for.", default: "90%"),
      PolicyParameter("threshold", "Uses that bring an app from S to M: 1 to 3.", default: "2"),
      PolicyParameter("recheck", "Look at M's share after each move: on or off.", default: "on"),
      PolicyParameter("fill", "Where apps go while S is full: small or main.", default: "small"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    let options = SmallMainGhost.Options(
      smallShare: try arguments.share("small", default: 0.1),
      ghostShare: try arguments.share("ghost", default: 0.9),
      threshold: UInt8(
        truncatingIfNeeded: try arguments.count("threshold", default: 2, in: 1...3)),
      rechecks: try arguments.isOn("recheck", default: true),
      fill: try arguments.choice("fill", default: SmallMainGhost.Fill.small))
    return QueuePolicy(SmallMainGhost(context, options: options), context)
  }
}
