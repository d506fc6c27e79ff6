/// `linux-oom`: purges the app with the most points of the kernel's badness.
///
/// Points: pages resident, swapped and of page tables, plus `adj` thousandths of RAM and swap, less
/// what older kernels spare root. No state, O(1) per score (Linux `mm/oom_kill.c`).
struct KernelOOM: PurgePolicy {
  static var observesEvents: Bool { false }

  static func ordersFront(under model: PressureModelKind) -> Bool { true }

  let points: KernelPoints

  init(_ context: PolicyContext) {
    points = KernelPoints(context)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    guard let points = points.points(of: app, apps) else { return .greatestFiniteMagnitude }
    return -Double(points)
  }
}

extension PolicyDescriptor {
  package static let kernelOOM = PolicyDescriptor(
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

extension KernelPoints {
  init(_ context: PolicyContext) {
    self.init(
      ramBytes: context.ramBytes, swapBytes: context.swapBytes, pageBytes: context.pageBytes,
      context.linux)
  }
}
