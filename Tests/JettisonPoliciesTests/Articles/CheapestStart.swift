@testable import JettisonCore

// The article on policies shows what follows, word for word.

struct CheapestStart: RankingPolicy {
  func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    var order: [(app: AppIndex, cost: Double, bytes: Int64)] = []
    for app in candidates {
      order.append((app, apps.relaunchCostSeconds(app), apps.footprintBytes(app)))
    }
    order.sort { ($0.cost, $1.bytes) < ($1.cost, $0.bytes) }
    candidates = order.map(\.app)
  }
}
