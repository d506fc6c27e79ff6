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
