/// Levels of free memory, in pages, at which reclaim begins, hastens and ends.
package struct Watermarks: BitwiseCopyable, Sendable, Equatable {
  /// The lowest mark that is breached.
  package enum Breach: UInt8, Comparable, BitwiseCopyable, Sendable {
    case min
    case low
    case high
    case none

    package static func < (lhs: Breach, rhs: Breach) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  package let minPages: Int64
  package let lowPages: Int64
  package let highPages: Int64

  package init(minPages: Int64, lowPages: Int64, highPages: Int64) {
    self.minPages = minPages
    self.lowPages = lowPages
    self.highPages = highPages
  }

  /// The marks that a kernel sets itself: from mark to mark a quarter of the lowest, or 0.1 % of RAM
  /// where that is more, and on top of the upper two what ActivityManager asks for.
  ///
  /// Source: `mm/page_alloc.c` (`__setup_per_zone_wmarks`); Android's `extra_free_kbytes`.
  package init(minimumBytes: Int64, extraBytes: Int64, ramBytes: Int64, pageBytes: Int64) {
    let minimum = Double(minimumBytes)
    let gap = max(minimum / 4, Double(ramBytes) / 1000)
    let low = minimum + Double(extraBytes) + gap
    func pages(_ bytes: Double) -> Int64 { Int64(min(bytes / Double(pageBytes), 4e15)) }
    minPages = pages(minimum)
    lowPages = pages(low)
    highPages = pages(low + gap)
  }

  /// The lowest mark that so few free pages breach.
  @inline(__always)
  package func breach(freePages: Int64) -> Breach {
    if freePages < minPages { return .min }
    if freePages < lowPages { return .low }
    return freePages < highPages ? .high : .none
  }
}
