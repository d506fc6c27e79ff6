/// Whom the kernel kills when an allocation fails after reclaim: the task with the most points.
///
/// Points are pages: resident, swapped, and those of page tables, plus `adj` thousandths of all
/// memory. All divisions are the kernel's integer ones. Source: Linux `mm/oom_kill.c`
/// (<doc:LinuxModels#linux-oom>).
package enum KernelBadness {
  /// `oom_score_adj` of a task that is never killed.
  package static let never = -1000

  /// The points of a task; nil: it is never killed.
  ///
  /// - Parameters:
  ///   - residentPages: Pages in memory.
  ///   - swapPages: Pages in swap.
  ///   - pageTablePages: Whole pages of page tables.
  ///   - adjustment: `oom_score_adj`, -1000 to 1000.
  ///   - totalPages: RAM and swap in pages.
  package static func points(
    residentPages: Int64, swapPages: Int64, pageTablePages: Int64, adjustment: Int,
    totalPages: Int64
  ) -> Int64? {
    guard adjustment > never else { return nil }
    return residentPages + swapPages + pageTablePages + Int64(adjustment) * (totalPages / 1000)
  }

  /// What older kernels take off the points of root's processes.
  package struct RootBonus: BitwiseCopyable, Sendable, Equatable {
    /// Part of the task's own points, in percent.
    package var pointsPercent: Double = 0
    /// Part of RAM and swap, in percent.
    package var totalPercent: Double = 0

    /// A bonus of so much; 0: none.
    package init(pointsPercent: Double = 0, totalPercent: Double = 0) {
      self.pointsPercent = pointsPercent
      self.totalPercent = totalPercent
    }

    /// The bonus of a task in whole pages; that of the total goes by its thousandth, like `adj`.
    ///
    /// - Parameters:
    ///   - pages: The task's points without `adj`.
    ///   - totalPages: RAM and swap in pages.
    package func pages(of pages: Int64, totalPages: Int64) -> Int64 {
      let ofPoints = Double(pages) * pointsPercent / 100
      let ofTotal = Double(totalPages / 1000) * totalPercent * 10
      return Int64(min(1e18, ofPoints)) + Int64(min(1e18, ofTotal))
    }
  }

  /// `/proc/<pid>/oom_score` since Linux 5.9: 0 to about 2000, two thirds of 1000 for a task
  /// without memory and adjustment.
  package static func score(points: Int64, totalPages: Int64) -> Int64 {
    max(0, (1000 + perMille(points, of: totalPages)) * 2 / 3)
  }

  /// Truncated toward zero; no footprint comes near to what would not fit.
  private static func perMille(_ points: Int64, of totalPages: Int64) -> Int64 {
    guard totalPages > 0 else { return 0 }
    let (product, overflow) = points.multipliedReportingOverflow(by: 1000)
    return overflow ? (points < 0 ? -1000 : 1000) : product / totalPages
  }
}
