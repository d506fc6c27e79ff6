/// Thresholds of free memory by `oom_score_adj`: from which value on apps may go when how little
/// is free.
///
/// Source: `ProcessList.java`; <doc:AndroidModel#Kernel-driver> has the figures.
package struct MinfreeTable: Sendable, Equatable {
  /// One threshold.
  package struct Row: BitwiseCopyable, Sendable, Equatable {
    /// From this value on apps may go.
    package let adj: Int16
    /// Below this many free pages, and as few of file cache.
    package let pages: Int64

    package init(adj: Int16, pages: Int64) {
      self.adj = adj
      self.pages = pages
    }
  }

  /// Rows, ascending in both figures.
  package let rows: [Row]

  package init(_ rows: [Row]) { self.rows = rows }

  /// Values of the six rows from Android 10 on.
  package static let adjs: [Int16] = [0, 100, 200, 250, 900, 950]
  /// The same up to Android 9.
  package static let narrowAdjs: [Int16] = [0, 100, 200, 300, 900, 906]
  private static let lowKiB: [Double] = [12288, 18432, 24576, 36864, 43008, 49152]
  private static let highKiB: [Double] = [73728, 92160, 110592, 129024, 147456, 184320]
  private static let pageBytes: Double = 4096

  /// The table that ActivityManager computes from RAM and display.
  ///
  /// - Parameters:
  ///   - ramBytes: RAM in bytes.
  ///   - displayPixels: Width times height of the display.
  ///   - is64Bit: Whether apps are 64-bit: they get more for the last two rows.
  ///   - absoluteKiB: What the last row is set to, the others in proportion; nil: as computed.
  ///   - adjustmentKiB: What is added to the last row, to the others in proportion.
  ///   - hasNarrowRange: Whether cached apps have 900 to 906.
  package init(
    ramBytes: Int64, displayPixels: Int64, is64Bit: Bool, absoluteKiB: Int64? = nil,
    adjustmentKiB: Int64 = 0, hasNarrowRange: Bool = false
  ) {
    let ramMiB = Double(ramBytes) / Double(1 << 20)
    let byMemory = (ramMiB - 350) / 350
    let byDisplay = (Double(displayPixels) - 384_000) / (1_024_000 - 384_000)
    let scale = min(1, max(0, max(byMemory, byDisplay)))
    var high = Self.highKiB
    if is64Bit {
      high[4] = high[4] * 3 / 2
      high[5] = high[5] * 7 / 4
    }
    var sizes = zip(Self.lowKiB, high).map { ($0 + ($1 - $0) * scale).rounded(.towardZero) }
    let last = max(1, sizes[5])
    if let absoluteKiB {
      sizes = sizes.map { (Double(absoluteKiB) * $0 / last).rounded(.towardZero) }
    }
    if adjustmentKiB != 0 {
      let base = max(1, sizes[5])
      sizes = sizes.map {
        max(0, $0 + (Double(adjustmentKiB) * $0 / base).rounded(.towardZero))
      }
    }
    rows = zip(hasNarrowRange ? Self.narrowAdjs : Self.adjs, sizes).map { adj, size in
      // Saturates: a table may be set absurdly large.
      let pages = min(size * 1024 / Self.pageBytes, 4e15)
      return Row(adj: adj, pages: Int64(pages))
    }
  }

  /// The lowest adj that may be killed: that of the first row above both figures.
  ///
  /// Comparisons are strict, and both must hold for the same row: much file cache alone keeps
  /// everything alive. Nil: no app may go.
  package func minimumAdj(otherFreePages: Int64, otherFilePages: Int64) -> Int16? {
    rows.first { otherFreePages < $0.pages && otherFilePages < $0.pages }?.adj
  }

  /// Most pages at which any app may go.
  package var highestPages: Int64 { rows.map(\.pages).max() ?? 0 }
}

/// The in-kernel low-memory killer of devices up to about Android 9.
///
/// Source: `drivers/staging/android/lowmemorykiller.c`.
package enum LowMemoryKiller {
  /// How long the driver waits for a victim that still holds memory, in nanoseconds.
  package static let pendingKillNanoseconds: Int64 = 1_000_000_000

  /// File pages that could be given up: shared memory and pages in the swap cache could not.
  package static func otherFilePages(
    filePages: Int64, sharedPages: Int64, unevictablePages: Int64, swapCachePages: Int64
  ) -> Int64 {
    max(0, filePages - sharedPages - unevictablePages - swapCachePages)
  }

  /// Whether another victim may be selected.
  ///
  /// - Parameters:
  ///   - lastKill: When the last victim was killed; nil: none was.
  ///   - victimHoldsMemory: Whether it is dying still.
  package static func maySelect(at now: Int64, lastKill: Int64?, victimHoldsMemory: Bool) -> Bool {
    guard let lastKill, victimHoldsMemory else { return true }
    return now - lastKill > pendingKillNanoseconds
  }
}
