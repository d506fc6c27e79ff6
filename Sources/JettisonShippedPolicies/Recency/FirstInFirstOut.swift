/// `fifo`: purges the app whose process began first.
///
/// Score: start of the process. No state, O(1) per score. A useful floor.
struct FirstInFirstOut: PurgePolicy {
  static var observesEvents: Bool { false }
  static var search: VictimSearch { .keepingScores }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    Double(apps.processStartNanoseconds(app))
  }
}

extension PolicyDescriptor {
  package static let firstInFirstOut = PolicyDescriptor(
    name: "fifo", family: "recency", summary: "Purges the app whose process began first.",
    details: "Score: start of the process.", source: "folklore"
  ) { _, _ in FirstInFirstOut() }
}
