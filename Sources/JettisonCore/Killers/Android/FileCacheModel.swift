/// How available memory divides into free pages and file cache, and what is read again when the
/// cache gets too small.
///
/// The kernel fills unused memory with file pages, so that free memory stays at the
/// high watermark. While the ``WorkingSet`` of running apps fits, nothing is read twice. Below, cache
/// and free memory shrink in the same proportion, and running apps wait for what is missing. All
/// figures are assumed: <doc:AndroidModel#Memory>.
package struct FileCacheModel: BitwiseCopyable, Sendable {
  package let watermarks: Watermarks
  /// In pages.
  let workingSet: WorkingSet
  // What a flow is worked out with: dividing is what takes longest there.
  private let workingSetInverse: Double
  private let comfortInverse: Double
  /// Load with all of the working set missing.
  private let wholeLoad: Double
  /// Pages that a running app touches from one tick to the next if it never waits.
  private let touchesPerTick: Double

  package init(
    watermarks: Watermarks, workingSetPages: Int64, touchesPerSecond: Double,
    readNanoseconds: Int64
  ) {
    self.watermarks = watermarks
    workingSet = WorkingSet(
      size: workingSetPages, touchesPerSecond: touchesPerSecond, readNanoseconds: readNanoseconds)
    workingSetInverse = 1 / Double(max(1, workingSetPages))
    comfortInverse = 1 / Double(max(1, workingSetPages + watermarks.highPages))
    wholeLoad = workingSet.load(missing: 1)
    touchesPerTick = touchesPerSecond * Double(AndroidState.tickNanoseconds) / 1e9
  }

  /// Available pages from which on the working set fits and free memory is at the high mark.
  package var comfortPages: Int64 { workingSet.size + watermarks.highPages }

  /// Free pages of so many that are available.
  @inline(__always)
  package func freePages(availablePages: Int64) -> Int64 {
    part(of: watermarks.highPages, availablePages)
  }

  /// Pages of file cache of so many that are available.
  @inline(__always)
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
    guard workingSet.size > 0, filePages < workingSet.size else {
      return filePages.addingSaturated(watermarks.highPages)
    }
    let share = Double(filePages) / Double(workingSet.size)
    return Int64((share * Double(comfortPages)).rounded(.up))
  }

  /// The part of the working set that is missing, 0 to 1.
  package func missingShare(availablePages: Int64) -> Double {
    guard availablePages < comfortPages else { return 0 }
    return workingSet.missingShare(held: filePages(availablePages: availablePages))
  }

  /// The share of its time that a running app waits for file pages, 0 to 1.
  package func stalledShare(availablePages: Int64) -> Double {
    workingSet.stalledShare(missing: missingShare(availablePages: availablePages))
  }

  /// File pages that a running app reads again in a second.
  package func refaultsPerSecond(availablePages: Int64) -> Double {
    let missing = missingShare(availablePages: availablePages)
    return missing * workingSet.touchesPerSecond / (1 + workingSet.load(missing: missing))
  }

  /// What so many running apps do from one tick to the next with so many pages available, in whole
  /// nanoseconds and pages, so that many ticks are a multiple of one.
  @inline(__always)
  func flow(availablePages: Int64, runningCount: Int) -> FilePageFlow {
    let file = filePages(availablePages: availablePages)
    var flow = FilePageFlow(filePages: file)
    guard runningCount > 0, availablePages < comfortPages, file < workingSet.size else {
      return flow
    }
    let missing = Double(workingSet.size - file) * workingSetInverse
    let load = missing * wholeLoad
    let progress = 1 / (1 + load)
    flow.stallNanoseconds = Self.rounded(
      load * progress * Double(AndroidState.tickNanoseconds))
    flow.refaultPages = Self.rounded(
      missing * progress * touchesPerTick * Double(runningCount))
    switch watermarks.breach(freePages: max(0, availablePages) - file) {
    case .min: flow.directScans = flow.refaultPages
    case .low: flow.backgroundScans = flow.refaultPages
    case .high, .none: break
    }
    return flow
  }

  /// The nearest integer to a number from 0 to 2^52, as `rounded()` has it but without a call, a
  /// branch, or a check of what is known.
  @inline(__always)
  static func rounded(_ value: Double) -> Int64 {
    // There is no fraction from 2^52 on, so that the processor rounds, a half to the even side.
    let sum = value + 0x1p52
    let isHalfDown: Int64 = value - (sum - 0x1p52) == 0.5 ? 1 : 0
    return Int64(bitPattern: sum.bitPattern & 0xF_FFFF_FFFF_FFFF) &+ isHalfDown
  }

  @inline(__always)
  private func part(of pages: Int64, _ available: Int64) -> Int64 {
    guard available < comfortPages else { return pages }
    guard available > 0 else { return 0 }
    let product = Double(pages) * Double(available)
    guard product < 0x1p52 else { return Int64(product / Double(comfortPages)) }
    // By the inverse it is one off at most.
    let guess = Self.rounded(max(0, product * comfortInverse - 0.5))
    let rest = pages &* available &- guess &* comfortPages
    return rest < 0 ? guess - 1 : rest < comfortPages ? guess : guess + 1
  }
}

/// What happens from one tick to the next while nothing changes, because running apps miss file
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

  /// Whether no app waits and nothing is read.
  var isStill: Bool { stallNanoseconds == 0 && refaultPages == 0 }
}
