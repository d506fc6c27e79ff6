/// `aosp-rank`: re-ranks the least recent apps by age, size and use.
///
/// The order is that of ActivityManager's list: apps that were never shown in this life, then the
/// others, each by last use. The `rerank` suspended candidates nearest to its end, none of the
/// `preserve` running apps at its top among them, are ordered anew by the sum of three ranks, each
/// times its weight: by last use (longest ago first), by footprint (largest first), by how often the
/// process was suspended (rarely first). The smallest sum goes first. State: one counter per app.
/// O(n log n) per decision.
struct CacheOomRank: RankingPolicy {
  /// Suspensions of the app's current process.
  private var uses: [Int64]
  private var list: RecencyList
  private var isCandidate: [Bool]

  init(appCount: Int, rerankCount: Int, preserveCount: Int, weights: RecencyList.Weights) {
    list = RecencyList(rerankCount: rerankCount, preserveCount: preserveCount, weights: weights)
    uses = Array(repeating: 0, count: appCount)
    isCandidate = Array(repeating: false, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .suspended: uses[event.app.position] += 1
    case .ended: uses[event.app.position] = 0
    case .requested, .launched, .launchedInBackground, .resized, .saved: break
    }
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    for app in candidates { isCandidate[app.position] = true }
    list.entries.removeAll(keepingCapacity: true)
    for position in isCandidate.indices where isListed(AppIndex(position), apps) {
      let app = AppIndex(position)
      list.entries.append(
        RecencyList.Entry(
          number: position, isCached: isCandidate[position] && apps.state(app) == .suspended,
          lastUsed: apps.lastUsedNanoseconds(app), footprintBytes: apps.footprintBytes(app),
          uses: uses[position]))
      list.entries[list.entries.count - 1].listClass = Self.listClass(app, apps)
    }
    list.sortByRecency()
    list.rerank()
    for app in candidates { isCandidate[app.position] = false }
    candidates.removeAll(keepingCapacity: true)
    for entry in list.entries { candidates.append(AppIndex(entry.number)) }
  }

  /// Daemons and parts of the system are in no list of ActivityManager's.
  private func isListed(_ app: AppIndex, _ apps: borrowing AppTable) -> Bool {
    isCandidate[app.position]
      || (apps.state(app) != .notRunning && apps.processKind(app) == .app)
  }

  /// The app in front is at the top; apps that were never shown are below the others.
  private static func listClass(_ app: AppIndex, _ apps: borrowing AppTable) -> Int {
    let state = apps.state(app)
    if state == .active || state == .inactive { return 2 }
    return apps.wasShown(app) ? 1 : 0
  }
}

/// ActivityManager's list of processes, least recent first, and how its end is re-ranked.
struct RecencyList: Sendable {
  struct Weights: BitwiseCopyable, Sendable {
    var recency = 0.35
    var size = 0.15
    var uses = 0.50
  }

  struct Entry: BitwiseCopyable, Sendable {
    /// Whose it is.
    let number: Int
    /// Whether it may be re-ranked: cached, and not just listed.
    let isCached: Bool
    let lastUsed: Int64
    let footprintBytes: Int64
    let uses: Int64
    /// Which part of the list it stands in, from the end on.
    var listClass = 0
    var sum = 0.0
  }

  let rerankCount: Int
  let preserveCount: Int
  let weights: Weights
  var entries: [Entry] = []
  private var ranked: [Entry] = []

  init(rerankCount: Int, preserveCount: Int, weights: Weights) {
    self.rerankCount = rerankCount
    self.preserveCount = preserveCount
    self.weights = weights
  }

  /// Puts the entries in the order of the list; equal ones keep theirs.
  mutating func sortByRecency() {
    entries.sort { ($0.listClass, $0.lastUsed) < ($1.listClass, $1.lastUsed) }
  }

  /// Re-ranks cached entries in their places; all others stay where they are.
  ///
  /// Equal ones keep their order, as in the original.
  ///
  /// - Complexity: O(n log n).
  mutating func rerank() {
    ranked.removeAll(keepingCapacity: true)
    let reach = max(0, entries.count - preserveCount)
    for entry in entries.prefix(reach) where entry.isCached && ranked.count < rerankCount {
      ranked.append(entry)
    }
    ranked.sort { $0.lastUsed < $1.lastUsed }
    add(weights.recency)
    ranked.sort { $0.footprintBytes > $1.footprintBytes }
    add(weights.size)
    ranked.sort { $0.uses < $1.uses }
    add(weights.uses)
    ranked.sort { $0.sum < $1.sum }
    var next = 0
    for place in entries.indices where next < ranked.count && entries[place].isCached {
      entries[place] = ranked[next]
      next += 1
    }
  }

  /// Adds each entry's rank times a weight to its sum.
  private mutating func add(_ weight: Double) {
    for rank in ranked.indices { ranked[rank].sum += Double(rank) * weight }
  }
}

extension PolicyDescriptor {
  package static let cacheOomRank = PolicyDescriptor(
    name: "aosp-rank", family: "platform",
    summary: "lru, but the least recent apps are re-ranked by age, size and use.",
    details: """
      Running apps in the order of a list, last out first: those never shown in this life, the \
      others, the one in front, each by last use. Of the first rerank suspended ones, none of the \
      preserve apps at the top of the list among them, each is ranked three times: by last use \
      (longest ago first), by footprint (largest first), by suspensions of the current process \
      (fewest first); equal ones keep their order. Each time an app's rank, from 0, times the \
      weight is added to its sum. The smallest sum goes first; all others keep their place.
      """,
    source: "Android Open Source Project: CacheOomRanker.java (off by default there)",
    complexity: "O(1) per event, O(n log n) per decision of n candidates",
    parameters: [
      PolicyParameter("rerank", "How many of the least recent are re-ranked.", default: "8"),
      PolicyParameter(
        "preserve", "How many running apps at the top of the list never are.", default: "3"),
      PolicyParameter("recency", "Weight of the rank by last use.", default: "0.35"),
      PolicyParameter("size", "Weight of the rank by footprint.", default: "0.15"),
      PolicyParameter("uses", "Weight of the rank by suspensions.", default: "0.5"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    CacheOomRank(
      appCount: context.appCount,
      rerankCount: try arguments.count("rerank", default: 8, in: 0...1_000_000),
      preserveCount: try arguments.count("preserve", default: 3, in: 0...1_000_000),
      weights: RecencyList.Weights(
        recency: try arguments.number("recency", default: 0.35),
        size: try arguments.number("size", default: 0.15),
        uses: try arguments.number("uses", default: 0.5)))
  }
}
