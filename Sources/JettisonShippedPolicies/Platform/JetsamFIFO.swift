/// `jetsam-fifo`: purges in the order of iOS's own queues.
///
/// Lowest band first; inside a band the app that has stood there for longest. Only the foreground
/// band is sorted: largest coalition first, its leader last. Without bands, the app that was
/// suspended first. Source: `memorystatus` of xnu-11417.
struct JetsamFIFO: RankingPolicy {
  static var observesEvents: Bool { false }

  /// Only where apps stand in bands.
  static func ordersFront(under model: PressureModelKind) -> Bool { model.family == .jetsam }

  private let groups: [UInt32]
  private var order: [Place] = []

  /// Where one candidate stands.
  private struct Place {
    let app: AppIndex
    let band: Int16
    let order: Int64
  }

  init(_ context: PolicyContext) {
    groups = context.groups
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    order.removeAll(keepingCapacity: true)
    for app in candidates {
      let standing = apps.jetsamStanding(app)
      order.append(Place(app: app, band: standing.band, order: standing.order))
    }
    order.sort { ($0.band, $0.order) < ($1.band, $1.order) }
    sortForeground(apps)
    candidates.removeAll(keepingCapacity: true)
    for place in order { candidates.append(place.app) }
  }

  private mutating func sortForeground(_ apps: borrowing AppTable) {
    guard let first = order.firstIndex(where: { $0.band == PriorityBand.foreground }) else {
      return
    }
    let end = order[first...].firstIndex { $0.band != PriorityBand.foreground } ?? order.count
    guard end - first > 1 else { return }
    var members: [JetsamCoalition.Member] = []
    for position in first..<end {
      let app = order[position].app
      let isApp = apps.processKind(app) == .app
      members.append(
        JetsamCoalition.Member(
          position: position,
          coalition: groups.isEmpty ? app.position : Int(groups[app.position]),
          role: isApp ? .leader : .service, footprintBytes: apps.footprintBytes(app)))
    }
    let sorted = JetsamCoalition.order(members).map { order[$0] }
    order.replaceSubrange(first..<end, with: sorted)
  }
}

extension PolicyDescriptor {
  package static let jetsamFIFO = PolicyDescriptor(
    name: "jetsam-fifo", family: "platform",
    summary: "Purges in the order of iOS's queues: lowest band first, then longest in it.",
    details: """
      Under a model of iOS: by band, ascending; inside a band by place in its queue, head first. An \
      app goes to the tail whenever it asks for a band, so the head has not asked for longest. The \
      foreground band alone is sorted: the coalition (group) with the largest total footprint \
      first, inside it services before the app, larger ones before. Under other models: the app \
      that was suspended first.
      """,
    source: "apple-oss-distributions/xnu, tag xnu-11417.101.15, kern_memorystatus.c",
    complexity: "O(n log n) per decision"
  ) { _, context in JetsamFIFO(context) }
}
