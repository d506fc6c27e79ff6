/// What the kernel counts of each app of a run: ``KernelBadness`` of what the engine knows of it.
package struct KernelPoints: BitwiseCopyable, Sendable {
  /// RAM and swap in pages, or what the parameters say in their place.
  package let totalPages: Int64
  let pageBytes: Int64
  let pageTableBytesPerPage: Int64
  let rootBonus: KernelBadness.RootBonus

  package init(ramBytes: Int64, swapBytes: Int64, pageBytes: Int64, _ parameters: LinuxParameters) {
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

  /// The app's points; nil: it is never killed.
  package func points(of app: AppIndex, _ apps: borrowing AppTable) -> Int64? {
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
