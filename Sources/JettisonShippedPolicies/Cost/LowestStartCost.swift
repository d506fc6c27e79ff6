/// `swam`: purges the app that starts most cheaply, of equals the largest.
///
/// The order of SWAM's killer. Blind to use: the cheap ones go first however often they come back.
/// No state. O(n log n) per decision.
struct LowestStartCost: RankingPolicy {
  static var observesEvents: Bool { false }

  private struct Entry {
    let app: AppIndex
    let cost: Double
    let bytes: Int64
  }

  private var order: [Entry] = []

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    order.removeAll(keepingCapacity: true)
    for app in candidates {
      order.append(
        Entry(app: app, cost: apps.relaunchCostSeconds(app), bytes: apps.footprintBytes(app)))
    }
    order.sort { ($0.cost, $1.bytes) < ($1.cost, $0.bytes) }
    candidates.removeAll(keepingCapacity: true)
    for entry in order { candidates.append(entry.app) }
  }
}

extension PolicyDescriptor {
  package static let lowestStartCost = PolicyDescriptor(
    name: "swam", family: "cost",
    summary: "Purges the app that starts most cheaply, of equals the largest.",
    details: """
      Score: the rank by relaunch cost (cold less hot latency) ascending, then footprint now \
      descending. SWAM's swapping and page cleaning are not part of it: more memory or a smaller \
      footprint stands for them.
      """,
    source: "after SWAM, MobiCom 2023",
    complexity: "O(n log n) per decision with n candidates"
  ) { _, _ in LowestStartCost() }
}
