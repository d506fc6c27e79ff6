/// `linux-oom`: purges the app with the most points of the kernel's badness.
///
/// Points: pages resident, swapped and of page tables, plus `adj` thousandths of RAM and swap, less
/// what older kernels spare root. No state, O(1) per score (Linux `mm/oom_kill.c`).
struct KernelOOM: PurgePolicy {
  static var observesEvents: Bool { false }

  static func ordersFront(under model: PressureModelKind) -> Bool { true }

  /// RAM and swap in pages, or what the parameters say in their place.
  let totalPages: Int64
  let pageBytes: Int64
  let pageTableBytesPerPage: Int64
  let rootBonus: KernelBadness.RootBonus

  init(ramBytes: Int64, swapBytes: Int64, pageBytes: Int64, _ parameters: LinuxParameters) {
    totalPages =
      parameters.totalBytes > 0
      ? parameters.totalBytes / pageBytes : ramBytes / pageBytes + swapBytes / pageBytes
    self.pageBytes = pageBytes
    // More is absurd; sums and products fit.
    pageTableBytesPerPage = min(pageBytes, parameters.pageTableBytesPerPage)
    rootBonus = KernelBadness.RootBonus(
      pointsPercent: parameters.rootBonusPointsPercent,
      totalPercent: parameters.rootBonusTotalPercent)
  }

  init(_ context: PolicyContext) {
    self.init(
      ramBytes: context.ramBytes, swapBytes: context.swapBytes, pageBytes: context.pageBytes,
      context.linux)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    guard let points = points(app, apps: apps) else { return .greatestFiniteMagnitude }
    return -Double(points)
  }

  /// The app's points; nil: it is never killed.
  func points(_ app: AppIndex, apps: borrowing AppTable) -> Int64? {
    let swapped = apps.swappedBytes(app)
    let resident = (apps.footprintBytes(app) - swapped) / pageBytes
    let tables = resident * pageTableBytesPerPage / pageBytes
    let points = KernelBadness.points(
      residentPages: resident, swapPages: swapped / pageBytes, pageTablePages: tables,
      adjustment: apps.oomScoreAdjustment(app), totalPages: totalPages)
    guard let points, apps.isRoot(app) else { return points }
    let pages = resident + swapped / pageBytes + tables
    return points - rootBonus.pages(of: pages, totalPages: totalPages)
  }
}

extension PolicyDescriptor {
  static let kernelOOM = PolicyDescriptor(
    name: "linux-oom", family: "platform",
    summary: "Purges the app with the most points of the Linux kernel's badness.",
    details: """
      Points: resident pages + swapped pages + page tables (8 bytes per resident page, in whole \
      pages) + adj * ((RAM + swap in pages) / 1000), integer. adj is the trace's, else the \
      catalog's, else 0; oom.total takes the place of RAM and swap. \
      oom.root-bonus-points and oom.root-bonus-total take off what older kernels spare root (uid: \
      0 in the catalog). \
      Most points first; apps with adj -1000 last.
      """,
    source: "Linux mm/oom_kill.c"
  ) { _, context in KernelOOM(context) }
}
