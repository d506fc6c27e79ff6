/// `earlyoom`: purges the app with the largest `oom_score`, corrected by preference.
///
/// The order of earlyoom's daemon; equal scores fall back to the larger resident set. No state,
/// O(n log n) per decision (rfjakob/earlyoom).
struct Earlyoom: RankingPolicy {
  static var observesEvents: Bool { false }
  static var followsPlatform: Bool { true }

  static func ordersFront(under model: PressureModelKind) -> Bool { true }

  private let kernel: KernelPoints
  let sortsByRSS: Bool

  init(_ context: PolicyContext, sortsByRSS: Bool) {
    kernel = KernelPoints(context)
    self.sortsByRSS = sortsByRSS
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    var order: [(app: AppIndex, process: EarlyoomProcess)] = []
    for app in candidates { order.append((app, process(app, apps: apps))) }
    // Live apps have pages, so that the pairs order totally; the engine's order decides the rest.
    order.sort { a, b in
      a.process.isPreferred(to: b.process, byRSS: sortsByRSS)
        && !b.process.isPreferred(to: a.process, byRSS: sortsByRSS)
    }
    candidates = order.map(\.app)
  }

  private func process(_ app: AppIndex, apps: borrowing AppTable) -> EarlyoomProcess {
    let resident = max(1, apps.footprintBytes(app) - apps.swappedBytes(app))
    let points = kernel.points(of: app, apps)
    let score = points.map { KernelBadness.score(points: $0, totalPages: kernel.totalPages) }
    let wish: Int64 =
      switch apps.killPreference(app) {
      case .prefer: 1
      case .avoid, .omit: -1
      case .none: 0
      }
    return EarlyoomProcess(
      score: (score ?? 0) + wish * EarlyoomRules.preferenceScore,
      residentBytes: sortsByRSS ? resident + wish * EarlyoomRules.preferenceBytes : resident)
  }
}

extension PolicyDescriptor {
  /// What is compared first.
  private enum EarlyoomSort: String, CaseIterable {
    case score
    case rss
  }

  package static let earlyoom = PolicyDescriptor(
    name: "earlyoom", family: "platform",
    summary: "Purges the app with the largest oom_score, as earlyoom's daemon does.",
    details: """
      oom_score = max(0, (1000 + 1000 * points / pages of RAM and swap) * 2 / 3), integer, with the \
      points of linux-oom; plus 300 where the catalog says preference: prefer, less 300 for avoid \
      and omit. Largest first; equal scores: the larger resident set. sort=rss: the larger resident \
      set first, 3 GiB more for prefer and less for avoid; equal sets: the larger score.
      """,
    source: "rfjakob/earlyoom", complexity: "O(n log n) per decision",
    parameters: [
      PolicyParameter("sort", "What is compared first: score or rss.", default: "score")
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    Earlyoom(
      context,
      sortsByRSS: try arguments.choice("sort", default: EarlyoomSort.score) == .rss)
  }
}
