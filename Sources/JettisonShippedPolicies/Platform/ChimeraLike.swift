/// `chimera-like`: spares what was used last and what was purged lately, then takes what has been
/// idle long and frees much.
///
/// Modelled after the log lines of a vendor's killer: the most recently used apps are protected,
/// and an app is not killed twice within some hours. Both are an order here, since a policy filters
/// nothing: such apps go last. What the vendor's score is made of is not known; here it is idle
/// seconds times footprint, the largest first. State: one number per app. O(n log n) per decision.
struct ChimeraLike: RankingPolicy {
  private struct Entry: BitwiseCopyable {
    let app: AppIndex
    let lastUsed: Int64
    var group: UInt8
    let value: Double
    let place: Int

    static func precedes(_ a: Entry, _ b: Entry) -> Bool {
      if a.group != b.group { return a.group < b.group }
      return a.value != b.value ? a.value > b.value : a.place < b.place
    }
  }

  let protectedCount: Int
  let coolDownNanoseconds: Double
  private var lastPurges: [Int64]
  private var entries: [Entry] = []

  init(appCount: Int, protectedCount: Int, coolDownSeconds: Double) {
    self.protectedCount = protectedCount
    coolDownNanoseconds = coolDownSeconds * 1e9
    lastPurges = Array(repeating: .min, count: appCount)
  }

  mutating func observe(_ event: EngineEvent, apps: borrowing AppTable) {
    if event.kind == .ended, event.endCause == .purge {
      lastPurges[event.app.position] = event.timeNanoseconds
    }
  }

  mutating func rank(
    _ candidates: inout [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) {
    entries.removeAll(keepingCapacity: true)
    for (place, app) in candidates.enumerated() {
      let lastUsed = apps.lastUsedNanoseconds(app)
      let idle = Double(max(0, request.timeNanoseconds - lastUsed)) / 1e9
      entries.append(
        Entry(
          app: app, lastUsed: lastUsed, group: isCooling(app, at: request.timeNanoseconds) ? 1 : 0,
          value: idle * Double(apps.footprintBytes(app)), place: place))
    }
    entries.sort { a, b in
      a.lastUsed != b.lastUsed ? a.lastUsed > b.lastUsed : a.place > b.place
    }
    for position in entries.indices.prefix(protectedCount) { entries[position].group = 2 }
    entries.sort(by: Entry.precedes)
    candidates.removeAll(keepingCapacity: true)
    for entry in entries { candidates.append(entry.app) }
  }

  private func isCooling(_ app: AppIndex, at time: Int64) -> Bool {
    let last = lastPurges[app.position]
    return last != .min && Double(time - last) < coolDownNanoseconds
  }
}

extension PolicyDescriptor {
  package static let chimeraLike = PolicyDescriptor(
    name: "chimera-like", family: "platform",
    summary: "Purges what has been idle long and frees much; what was used or purged lately last.",
    details: """
      Three groups: first the ordinary candidates, then those purged within cooldown, last the top \
      most recently used. Within a group the largest product of idle seconds and footprint goes \
      first. The product is an assumption: the vendor's score is not published.
      """,
    source: "log lines of a vendor's killer in a user's forum post",
    complexity: "O(1) per event, O(n log n) per decision of n candidates",
    parameters: [
      PolicyParameter("top", "How many of the most recently used go last.", default: "6"),
      PolicyParameter("cooldown", "For how long a purged app goes late.", default: "4h"),
    ]
  ) { (arguments, context) throws(ConfigurationError) in
    ChimeraLike(
      appCount: context.appCount,
      protectedCount: try arguments.count("top", default: 6, in: 0...1_000_000),
      coolDownSeconds: try arguments.duration("cooldown", default: 14400))
  }
}
