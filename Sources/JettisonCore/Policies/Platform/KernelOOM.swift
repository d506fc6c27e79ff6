/// `linux-oom`: purges the app with the most points of the kernel's badness.
///
/// Points: pages resident, swapped and of page tables, plus `adj` thousandths of RAM and swap.
/// No state, O(1) per score (Linux `mm/oom_kill.c`).
struct KernelOOM: PurgePolicy {
  static func ordersFront(under model: PressureModelKind) -> Bool { true }

  let ramBytes: Int64
  let swapBytes: Int64
  let pageBytes: Int64

  init(ramBytes: Int64, swapBytes: Int64, pageBytes: Int64) {
    self.ramBytes = ramBytes
    self.swapBytes = swapBytes
    self.pageBytes = pageBytes
  }

  init(_ context: PolicyContext) {
    self.init(
      ramBytes: context.ramBytes, swapBytes: context.swapBytes, pageBytes: context.pageBytes)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    guard let points = points(app, apps: apps) else { return .greatestFiniteMagnitude }
    return -Double(points)
  }

  /// RAM and swap in pages.
  var totalPages: Int64 { ramBytes / pageBytes + swapBytes / pageBytes }

  /// The app's points; nil: it is never killed.
  func points(_ app: AppIndex, apps: borrowing AppTable) -> Int64? {
    let swapped = apps.swappedBytes(app)
    let resident = (apps.footprintBytes(app) - swapped) / pageBytes
    return KernelBadness.points(
      residentPages: resident, swapPages: swapped / pageBytes,
      pageTablePages: resident * KernelBadness.pageTableBytesPerPage / pageBytes,
      adjustment: apps.oomScoreAdjustment(app), totalPages: totalPages)
  }
}

extension PolicyDescriptor {
  static let kernelOOM = PolicyDescriptor(
    name: "linux-oom", family: "platform",
    summary: "Purges the app with the most points of the Linux kernel's badness.",
    details: """
      Points: resident pages + swapped pages + page tables (8 bytes per resident page, in whole \
      pages) + adj * ((RAM + swap in pages) / 1000), integer. adj is the catalog's, else 0. \
      Most points first; apps with adj -1000 last.
      """,
    source: "Linux mm/oom_kill.c"
  ) { _, context in KernelOOM(context) }
}
