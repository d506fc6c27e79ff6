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

  /// `min_free_kbytes` as a kernel sets it, in bytes: 4 √(RAM in KiB) KiB, 128 KiB to 256 MiB.
  package static func kernelMinimumBytes(ramBytes: Int64) -> Int64 {
    let kibibytes = (Double(ramBytes) / 1024 * 16).squareRoot().rounded(.down)
    return Int64(min(262_144, max(128, kibibytes))) * 1024
  }

  /// The lowest mark that so few free pages breach.
  @inline(__always)
  package func breach(freePages: Int64) -> Breach {
    if freePages < minPages { return .min }
    if freePages < lowPages { return .low }
    return freePages < highPages ? .high : .none
  }
}

/// How available memory divides into free pages and file cache, and what is read again when the
/// cache gets too small.
///
/// The kernel fills with file pages whatever nobody asks for, so that free memory stays at the
/// high watermark. Running apps keep coming back to a *working set* of file pages. While it fits,
/// nothing is read twice. Below, cache and free memory shrink in the same proportion, and a running
/// app waits for what is missing: with a part `s` missing, an app that touches `r` pages a second
/// that take `t` to read waits the share `x / (1 + x)` of its time, `x = s · r · t`. All figures are
/// assumed: <doc:AndroidModel#Memory>.
package struct FileCacheModel: BitwiseCopyable, Sendable {
  package let watermarks: Watermarks
  /// File pages that are touched again and again.
  package let workingSetPages: Int64
  /// Pages of it that a running app touches in a second of progress.
  package let touchesPerSecond: Double
  /// Time to read a page again, in nanoseconds.
  package let readNanoseconds: Int64

  package init(
    watermarks: Watermarks, workingSetPages: Int64, touchesPerSecond: Double,
    readNanoseconds: Int64
  ) {
    self.watermarks = watermarks
    self.workingSetPages = workingSetPages
    self.touchesPerSecond = touchesPerSecond
    self.readNanoseconds = readNanoseconds
  }

  /// Available pages from which on the working set fits and free memory is at the high mark.
  package var comfortPages: Int64 { workingSetPages + watermarks.highPages }

  /// Free pages of so many that are available.
  package func freePages(availablePages: Int64) -> Int64 {
    part(of: watermarks.highPages, availablePages)
  }

  /// Pages of file cache of so many that are available.
  package func filePages(availablePages: Int64) -> Int64 {
    max(0, availablePages) - freePages(availablePages: availablePages)
  }

  /// The least available pages of which at least so many are free.
  package func availablePages(freePages: Int64) -> Int64 {
    guard watermarks.highPages > 0 else { return 0 }
    let share = Double(freePages) / Double(watermarks.highPages)
    return Int64((share * Double(comfortPages)).rounded(.up))
  }

  /// The least available pages of which at least so many are file cache.
  package func availablePages(filePages: Int64) -> Int64 {
    guard workingSetPages > 0, filePages < workingSetPages else {
      return filePages.addingSaturated(watermarks.highPages)
    }
    let share = Double(filePages) / Double(workingSetPages)
    return Int64((share * Double(comfortPages)).rounded(.up))
  }

  /// The part of the working set that is missing, 0 to 1.
  package func missingShare(availablePages: Int64) -> Double {
    guard availablePages < comfortPages, workingSetPages > 0 else { return 0 }
    let held = filePages(availablePages: availablePages)
    return max(0, 1 - Double(held) / Double(workingSetPages))
  }

  /// The share of its time that a running app waits for file pages, 0 to 1.
  package func stalledShare(availablePages: Int64) -> Double {
    let load = load(missing: missingShare(availablePages: availablePages))
    return load / (1 + load)
  }

  /// File pages that a running app reads again in a second.
  package func refaultsPerSecond(availablePages: Int64) -> Double {
    let missing = missingShare(availablePages: availablePages)
    return missing * touchesPerSecond / (1 + load(missing: missing))
  }

  /// What so many running apps do from one look to the next with so many pages available, in whole
  /// nanoseconds and pages, so that many looks are a multiple of one.
  func flow(availablePages: Int64, runningCount: Int, nanoseconds: Int64) -> FilePageFlow {
    let file = filePages(availablePages: availablePages)
    var flow = FilePageFlow(filePages: file)
    let missing = missingShare(availablePages: availablePages)
    guard missing > 0, runningCount > 0 else { return flow }
    let load = load(missing: missing)
    flow.stallNanoseconds = Int64((load / (1 + load) * Double(nanoseconds)).rounded())
    let touched = missing * touchesPerSecond / (1 + load) * Double(nanoseconds) / 1e9
    flow.refaultPages = Int64((touched * Double(runningCount)).rounded())
    switch watermarks.breach(freePages: max(0, availablePages) - file) {
    case .min: flow.directScans = flow.refaultPages
    case .low: flow.backgroundScans = flow.refaultPages
    case .high, .none: break
    }
    return flow
  }

  private func load(missing: Double) -> Double {
    missing * touchesPerSecond * Double(readNanoseconds) / 1e9
  }

  private func part(of pages: Int64, _ available: Int64) -> Int64 {
    guard available < comfortPages else { return pages }
    guard available > 0 else { return 0 }
    return Int64(Double(pages) * Double(available) / Double(comfortPages))
  }
}

/// What happens from one look to the next while nothing changes, because running apps miss file
/// pages.
struct FilePageFlow: BitwiseCopyable, Equatable {
  /// How long each running app waits, in nanoseconds.
  var stallNanoseconds: Int64 = 0
  /// Pages that all of them read again.
  var refaultPages: Int64 = 0
  /// Pages scanned for it by apps themselves.
  var directScans: Int64 = 0
  /// Pages scanned for it in the background.
  var backgroundScans: Int64 = 0
  /// Pages of file cache.
  let filePages: Int64

  /// Whether nobody waits and nothing is read.
  var isStill: Bool { stallNanoseconds == 0 && refaultPages == 0 }
}
