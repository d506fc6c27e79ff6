/// `swam`: purges the app that starts most cheaply, of equals the largest.
///
/// The order of SWAM's killer. Blind to use: the cheap ones go first however often they come back.
/// No state but a rank per candidate. O(n log n) per decision.
struct LowestStartCost: PurgePolicy {
  static var observesEvents: Bool { false }
  static var ranksTogether: Bool { true }

  private struct Entry {
    let app: AppIndex
    let cost: Double
    let bytes: Int64
    let position: Int
  }

  private var order: [Entry] = []
  private var ranks: [Double]

  init(appCount: Int) {
    ranks = Array(repeating: 0, count: appCount)
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    order.removeAll(keepingCapacity: true)
    for (position, app) in candidates.enumerated() {
      order.append(
        Entry(
          app: app, cost: apps.relaunchCostSeconds(app), bytes: apps.footprintBytes(app),
          position: position))
    }
    order.sort { ($0.cost, $1.bytes, $0.position) < ($1.cost, $0.bytes, $1.position) }
    for (rank, entry) in order.enumerated() { ranks[entry.app.position] = Double(rank) }
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    ranks[app.position]
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
  ) { _, context in LowestStartCost(appCount: context.appCount) }
}
