/// `mru`: purges the app that was just left.
///
/// Score: `lru` reversed. No state, O(1) per score. Deliberately bad, and the worst case for
/// unsaved state.
struct MostRecentlyUsed: PurgePolicy {
  static var observesEvents: Bool { false }
  static var search: VictimSearch { .keepingScores }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    -Double(apps.lastUsedNanoseconds(app))
  }
}

extension PolicyDescriptor {
  package static let mostRecentlyUsed = PolicyDescriptor(
    name: "mru", family: "recency", summary: "Purges the app that was just left.",
    details: "Score: lru reversed.", source: "folklore"
  ) { _, _ in MostRecentlyUsed() }
}
