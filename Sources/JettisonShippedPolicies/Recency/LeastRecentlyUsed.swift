/// `lru`: purges the app that was used longest ago.
///
/// Score: the time the app last left the front, or the start of its process if it was never
/// shown. No state, O(1) per score. The baseline of the field.
struct LeastRecentlyUsed: PurgePolicy {
  static var observesEvents: Bool { false }
  static var search: VictimSearch { .keepingScores }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    Double(apps.lastUsedNanoseconds(app))
  }
}

extension PolicyDescriptor {
  package static let leastRecentlyUsed = PolicyDescriptor(
    name: "lru", family: "recency", summary: "Purges the app that was used longest ago.",
    details: "Score: time the app last left the front; never shown: start of its process.",
    source: "folklore"
  ) { _, _ in LeastRecentlyUsed() }
}
