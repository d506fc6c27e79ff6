/// `lru-k`: purges the app whose k-th last use is longest ago.
///
/// Uses that follow each other closely count as one, so that a bounce between two apps is no habit.
/// Apps with fewer than k uses go first, by last use. State: k + 1 times per app, kept for a while
/// after a purge. O(k) per launch, O(1) per score (O'Neil, O'Neil and Weikum, "The LRU-K page
/// replacement algorithm for database disk buffering", ACM SIGMOD 1993).
struct LastUses: PurgePolicy {
  /// What may be set; times in nanoseconds.
  struct Options: Sendable {
    var k: Int
    /// Uses closer than this are one use.
    var correlatedNanoseconds: Int64
    /// How long uses are remembered after the last, once the app is gone.
    var retainedNanoseconds: Int64
    /// Whether a purge forgets the app's uses.
    var forgets: Bool
  }

  private static let never = Int64.min

  private let options: Options
  /// k times per app, newest first.
  private var history: [Int64]
  /// Time of the newest use by app, counted or not.
  private var newest: [Int64]

  init(appCount: Int, options: Options) {
    self.options = options
    history = Array(repeating: Self.never, count: appCount * options.k)
    newest = Array(repeating: Self.never, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    switch event.kind {
    case .launched:
      use(event.app.position, at: event.timeNanoseconds, isCold: event.launchKind == .cold)
    case .ended where event.endCause == .purge && options.forgets: forget(event.app.position)
    default: break
    }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let oldest = history[app.position * options.k + options.k - 1]
    // Apps with fewer than k uses are equal: the one suspended longest ago goes.
    let score = oldest == Self.never ? -1e18 : Double(oldest)
    let last = newest[app.position]
    let isInUse =
      last != Self.never && request.timeNanoseconds - last < options.correlatedNanoseconds
    return isInUse ? score + 1e19 : score
  }

  private mutating func use(_ app: Int, at time: Int64, isCold: Bool) {
    let last = newest[app]
    newest[app] = time
    if last != Self.never {
      if isCold, time - last > options.retainedNanoseconds {
        forget(app)
        newest[app] = time
      } else if !isCold, time - last < options.correlatedNanoseconds {
        return
      }
    }
    let first = app * options.k
    // The length of a burst of correlated uses does not count as time between uses.
    let burst = isCold || history[first] == Self.never ? 0 : last - history[first]
    for place in stride(from: first + options.k - 1, to: first, by: -1) {
      let earlier = history[place - 1]
      history[place] = earlier == Self.never ? Self.never : earlier + burst
    }
    history[first] = time
  }

  private mutating func forget(_ app: Int) {
    newest[app] = Self.never
    for place in app * options.k..<(app + 1) * options.k { history[place] = Self.never }
  }
}

extension PolicyDescriptor {
  package static let lastUses = PolicyDescriptor(
    name: "lru-k", aliases: ["lru-2"], family: "recency",
    summary: "Purges the app whose k-th last use is longest ago.",
    details: """
      Score: the time of the app's k-th last launch; with fewer than k launches minus infinity, so \
      that those go first, by last use. A launch less than correlated after the one before it in \
      the same process life does not count, and the length of such a burst is added to the older \
      times when the next launch counts. An app used less than correlated ago goes after all \
      others. Times are kept after a purge (forget=on: not) and forgotten at a cold launch more \
      than retained after the last use. The literature's LRU-2 is k=2. libCacheSim's LRU_K is \
      lru-k:correlated=0,forget=on.
      """,
    source: "O'Neil, O'Neil and Weikum, The LRU-K page replacement algorithm, SIGMOD 1993",
    complexity: "O(k) per launch, O(1) per score",
    parameters: [
      PolicyParameter("k", "Which use counts, from the last: 1 to 16.", default: "2"),
      PolicyParameter(
        "correlated", "Uses closer than this are one: a duration or 0.", default: "5min"),
      PolicyParameter("retained", "How long uses of an app that is gone are kept.", default: "7d"),
      PolicyParameter("forget", "Forget uses at a purge: on or off.", default: "off"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    var correlatedSeconds = 0.0
    if arguments["correlated"] != "0" {
      correlatedSeconds = try arguments.duration("correlated", default: 300)
    }
    return LastUses(
      appCount: context.appCount,
      options: LastUses.Options(
        k: try arguments.count("k", default: 2, in: 1...16),
        correlatedNanoseconds: nanoseconds(correlatedSeconds),
        retainedNanoseconds: nanoseconds(try arguments.duration("retained", default: 604_800)),
        forgets: try arguments.isOn("forget", default: false)))
  }

  /// Seconds as nanoseconds; more than a century is a century.
  private static func nanoseconds(_ seconds: Double) -> Int64 {
    Int64((min(seconds, 3.2e9) * 1e9).rounded())
  }
}
