/// `size`: purges the largest app first.
///
/// Score: the footprint now, negated. No state, O(1) per score. Fewest purges per byte, blind to
/// reuse and loss (Williams et al., SIGCOMM 1996).
struct LargestFirst: PurgePolicy {
  static var observesEvents: Bool { false }
  static var search: VictimSearch { .keepingScores }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    -Double(apps.footprintBytes(app))
  }
}

extension PolicyDescriptor {
  package static let largestFirst = PolicyDescriptor(
    name: "size", family: "size", summary: "Purges the largest app first.",
    details: "Score: the footprint now, negated.",
    source: "Williams et al., SIGCOMM 1996"
  ) { _, _ in LargestFirst() }
}
