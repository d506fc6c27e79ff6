/// `jetsam-largest`: purges the largest app of the lowest band.
///
/// What Apple's support engineers describe: suspended apps go starting with the biggest. The
/// kernel's source says otherwise (see ``JetsamFIFO``), but user space may reorder a band.
struct JetsamLargest: PurgePolicy {
  static var observesEvents: Bool { false }

  /// Above every footprint, so that a band counts for more; the sum stays exact.
  private static let bandWeight = 0x1p44

  /// Only where apps stand in bands.
  static func ordersFront(under model: PressureModelKind) -> Bool { model.family == .jetsam }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    let band = max(0, apps.jetsamStanding(app).band)
    return Double(band) * Self.bandWeight - Double(apps.footprintBytes(app))
  }
}

extension PolicyDescriptor {
  package static let jetsamLargest = PolicyDescriptor(
    name: "jetsam-largest", family: "platform",
    summary: "Purges the largest app of the lowest band.",
    details: """
      Score: band × 2^44 − footprint in bytes; without bands, minus the footprint. Apple's own staff \
      describe this order; in the kernel's source only the foreground band is sorted by size.
      """,
    source: "Apple developer forums, thread 828150"
  ) { _, _ in JetsamLargest() }
}
