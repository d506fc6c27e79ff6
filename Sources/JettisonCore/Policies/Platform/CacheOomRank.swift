/// `aosp-rank`: re-ranks the least recent apps by age, size and use.
///
/// The order is that of `lru`, but the `rerank` least recently used candidates, the `preserve` most
/// recent never among them, are ordered anew by the sum of three ranks, each times its weight: by
/// last use (longest ago first), by footprint (largest first), by how often the process was
/// suspended (rarely first). The smallest sum goes first. State: one counter per app.
/// O(n log n) per decision.
struct CacheOomRank: PurgePolicy {
  static var ranksTogether: Bool { true }

  struct Weights: BitwiseCopyable, Sendable {
    var recency = 0.35
    var size = 0.15
    var uses = 0.50
  }

  private struct Entry: BitwiseCopyable {
    let app: AppIndex
    let lastUsed: Int64
    let footprintBytes: Int64
    let uses: Int64
    var place: Int
    var sum = 0.0
  }

  let rerankCount: Int
  let preserveCount: Int
  let weights: Weights
  /// Suspensions of the app's current process.
  private var uses: [Int64]
  private var entries: [Entry] = []
  private var ranks: [Double]

  init(appCount: Int, rerankCount: Int, preserveCount: Int, weights: Weights) {
    self.rerankCount = rerankCount
    self.preserveCount = preserveCount
    self.weights = weights
    uses = Array(repeating: 0, count: appCount)
    ranks = Array(repeating: 0, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .suspended: uses[event.app.position] += 1
    case .ended: uses[event.app.position] = 0
    case .requested, .launched, .launchedInBackground, .resized, .saved: break
    }
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    entries.removeAll(keepingCapacity: true)
    for (place, app) in candidates.enumerated() {
      entries.append(
        Entry(
          app: app, lastUsed: apps.lastUsedNanoseconds(app),
          footprintBytes: apps.footprintBytes(app), uses: uses[app.position], place: place))
    }
    let count = entries.count
    sort(count) { $0.lastUsed < $1.lastUsed }
    let reranked = max(0, min(rerankCount, count - preserveCount))
    add(weights.recency, reranked)
    sort(reranked) { $0.footprintBytes > $1.footprintBytes }
    add(weights.size, reranked)
    sort(reranked) { $0.uses < $1.uses }
    add(weights.uses, reranked)
    sort(reranked) { $0.sum < $1.sum }
    for (rank, entry) in entries.enumerated() { ranks[entry.app.position] = Double(rank) }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    ranks[app.position]
  }

  /// Sorts the first entries; equal ones keep their order, as in the original.
  private mutating func sort(_ count: Int, by isBefore: (Entry, Entry) -> Bool) {
    guard count > 1 else { return }
    for place in entries.indices { entries[place].place = place }
    entries[..<count].sort { a, b in
      if isBefore(a, b) { return true }
      return isBefore(b, a) ? false : a.place < b.place
    }
  }

  /// Adds each entry's rank times a weight to its sum.
  private mutating func add(_ weight: Double, _ count: Int) {
    for rank in 0..<count { entries[rank].sum += Double(rank) * weight }
  }
}

extension PolicyDescriptor {
  static let cacheOomRank = PolicyDescriptor(
    name: "aosp-rank", family: "platform",
    summary: "lru, but the least recent apps are re-ranked by age, size and use.",
    details: """
      Candidates in the order of last use, longest ago first. The first rerank of them, but none \
      of the preserve most recent, are sorted three times: by last use (longest ago first), by \
      footprint (largest first), by suspensions of the current process (fewest first); equal ones \
      keep their order. Each time an app's rank, from 0, times the weight is added to its sum. The \
      smallest sum goes first; the other candidates follow in the order of last use.
      """,
    source: "Android Open Source Project: CacheOomRanker.java (off by default there)",
    complexity: "O(1) per event, O(n log n) per decision of n candidates",
    parameters: [
      PolicyParameter("rerank", "How many of the least recent are re-ranked.", default: "8"),
      PolicyParameter("preserve", "How many of the most recent never are.", default: "3"),
      PolicyParameter("recency", "Weight of the rank by last use.", default: "0.35"),
      PolicyParameter("size", "Weight of the rank by footprint.", default: "0.15"),
      PolicyParameter("uses", "Weight of the rank by suspensions.", default: "0.5"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    CacheOomRank(
      appCount: context.appCount,
      rerankCount: try arguments.count("rerank", default: 8, in: 0...1_000_000),
      preserveCount: try arguments.count("preserve", default: 3, in: 0...1_000_000),
      weights: CacheOomRank.Weights(
        recency: try arguments.number("recency", default: 0.35),
        size: try arguments.number("size", default: 0.15),
        uses: try arguments.number("uses", default: 0.5)))
  }
}
