/// What reclaim does at a given amount of available memory: pages scanned, pages read again, swap
/// used and the time it makes apps wait.
///
/// Available memory is what neither system nor apps hold; beyond the low watermark it holds file
/// pages, up to a share of RAM. While it shrinks file pages are evicted, in the background as long
/// as free memory stays above the lowest watermark, by the app that allocates below it. When fewer
/// file pages are left than running apps keep touching (``WorkingSet``), these wait for pages to be
/// read again. Swap takes pages of suspended apps before it comes to that, and gives them back when
/// the app resumes, which waits.
///
/// The model knows no clock and no app but by its number: the families of pressure models that
/// count pages call it (see <doc:LinuxModels#Memory-and-reclaim>). All operations are O(1).
struct ReclaimModel: ~Copyable {
  /// Time between two ticks of background reclaim, in nanoseconds; ticks are at its multiples.
  static let tickNanoseconds: Int64 = 1_000_000_000

  let rules: ReclaimRules
  /// In bytes.
  let workingSet: WorkingSet
  /// Bytes of pages scanned so far, in all apps.
  private(set) var scannedBytes: Int64 = 0
  /// Bytes swapped out now, as they were in memory.
  private(set) var swapUsedBytes: Int64 = 0
  /// Bytes swapped out so far.
  private(set) var swappedOutBytes: Int64 = 0
  /// Bytes scanned that belong to no app yet.
  private(set) var unattributedBytes: Int64 = 0
  /// The newest tick of background reclaim, in nanoseconds.
  var lastTick: Int64 = 0
  private var swapped: Column<Int64>
  private var scanned: Column<Int64>

  init(_ rules: ReclaimRules, appCount: Int) {
    self.rules = rules
    workingSet = WorkingSet(
      size: rules.workingSetBytes, touchesPerSecond: rules.touchesPerSecond,
      readNanoseconds: rules.readNanoseconds)
    swapped = Column(repeating: 0, count: appCount)
    scanned = Column(repeating: 0, count: appCount)
  }

  init(copying other: borrowing ReclaimModel) {
    rules = other.rules
    workingSet = other.workingSet
    scannedBytes = other.scannedBytes
    swapUsedBytes = other.swapUsedBytes
    swappedOutBytes = other.swappedOutBytes
    unattributedBytes = other.unattributedBytes
    lastTick = other.lastTick
    swapped = Column(copying: other.swapped)
    scanned = Column(copying: other.scanned)
  }

  // MARK: Figures

  /// Bytes of swap that are free.
  var swapFreeBytes: Int64 { rules.swapBytes - swapUsedBytes }

  /// What of an app is swapped out, in bytes as they were in memory.
  func swappedBytes(_ app: AppIndex) -> Int64 { swapped[app.position] }

  /// What an app's swapped pages no longer take of memory, in bytes.
  func relievedBytes(_ app: AppIndex) -> Int64 { relief(of: swapped[app.position]) }

  /// Pages of an app scanned so far.
  func scannedPages(_ app: AppIndex) -> Int64 { scanned[app.position] / rules.pageBytes }

  /// Bytes of file pages in memory.
  func fileCacheBytes(availableBytes: Int64) -> Int64 {
    availableBytes > rules.lowBytes
      ? min(rules.fileCacheBytes, availableBytes - rules.lowBytes) : 0
  }

  /// Available memory below which running apps miss file pages that they touch.
  var shortageBytes: Int64 {
    rules.lowBytes.addingSaturated(min(rules.workingSetBytes, rules.fileCacheBytes))
  }

  /// How much background reclaim wants available, so that the working set stays.
  var swapTargetBytes: Int64 {
    shortageBytes.addingSaturated(rules.highBytes - rules.lowBytes)
  }

  /// The part of the working set that is missing, 0 to 1.
  func missingShare(availableBytes: Int64) -> Double {
    workingSet.missingShare(held: fileCacheBytes(availableBytes: availableBytes))
  }

  // MARK: Evicting file pages

  /// Available memory fell because an app allocated; the result is how long that app waits.
  mutating func shrink(from before: Int64, to after: Int64) -> Int64 {
    guard after < before else { return 0 }
    let evicted =
      fileCacheBytes(availableBytes: before) - fileCacheBytes(availableBytes: after)
    scan(evicted)
    let direct = min(before, rules.minimumBytes) - max(0, after)
    return direct > 0 ? reclaimDirectly(direct) : 0
  }

  /// An app reclaims bytes itself; the result is how long it waits.
  mutating func reclaimDirectly(_ bytes: Int64) -> Int64 {
    scan(bytes)
    let pages = Double(bytes) * rules.scanRatio / Double(rules.pageBytes)
    return Self.whole(pages * Double(rules.scanNanoseconds))
  }

  /// One tick in which `runningCount` apps touch a working set that is partly missing; the result is
  /// how long each of them waits.
  mutating func thrash(availableBytes: Int64, runningCount: Int) -> Int64 {
    let missing = missingShare(availableBytes: availableBytes)
    guard missing > 0, runningCount > 0 else { return 0 }
    let tick = Double(Self.tickNanoseconds)
    let stall = workingSet.stalledShare(missing: missing) * tick
    let touched = rules.touchesPerSecond * missing * (tick - stall) / 1e9
    let bytes = Self.whole(touched * Double(runningCount) * Double(rules.pageBytes))
    scan(bytes)
    return Self.whole(stall)
  }

  // MARK: Swap

  /// What can still be swapped out of an app with a footprint, in bytes.
  func swappableBytes(_ app: AppIndex, footprintBytes: Int64) -> Int64 {
    max(0, Self.whole(Double(footprintBytes) * rules.swappableShare) - swapped[app.position])
  }

  /// A footprint fell: no more than that can be swapped out.
  mutating func limitSwap(_ app: AppIndex, footprintBytes: Int64) {
    let excess = swapped[app.position] - footprintBytes
    guard excess > 0 else { return }
    swapped[app.position] -= excess
    swapUsedBytes -= excess
  }

  /// Swaps out what is left to swap of an app with a footprint, up to `wantedBytes` of memory; the
  /// result is the memory that this gives back.
  mutating func swapOut(_ app: AppIndex, footprintBytes: Int64, wantedBytes: Int64) -> Int64 {
    let before = swapped[app.position]
    let left = swappableBytes(app, footprintBytes: footprintBytes)
    let wanted = Self.whole(Double(wantedBytes) / (1 - rules.retainedShare))
    let bytes = min(left, swapFreeBytes, roundedUpToPages(wanted))
    guard bytes > 0 else { return 0 }
    swapped[app.position] += bytes
    swapUsedBytes += bytes
    swappedOutBytes = swappedOutBytes.addingSaturated(bytes)
    let newlyScanned = Self.whole(Double(bytes) * rules.scanRatio)
    scanned[app.position] = scanned[app.position].addingSaturated(newlyScanned)
    scannedBytes = scannedBytes.addingSaturated(newlyScanned)
    return relief(of: swapped[app.position]) - relief(of: before)
  }

  /// An app's pages come back because it resumes; the result is how long it waits.
  mutating func swapIn(_ app: AppIndex) -> Int64 {
    let pages = swapped[app.position] / rules.pageBytes
    forgetSwap(app)
    let (stall, overflow) = pages.multipliedReportingOverflow(by: rules.swapInNanoseconds)
    return overflow ? .max : stall
  }

  /// An app's pages in swap are given up: it has ended.
  mutating func forgetSwap(_ app: AppIndex) {
    swapUsedBytes -= swapped[app.position]
    swapped[app.position] = 0
  }

  // MARK: Whose pages

  /// Attributes scanned bytes to an app; what all apps get is what ``takeUnattributed()`` took.
  mutating func attribute(_ bytes: Int64, to app: AppIndex) {
    scanned[app.position] = scanned[app.position].addingSaturated(bytes)
  }

  /// What was scanned since the last call without regard to whose it was, in bytes.
  mutating func takeUnattributed() -> Int64 {
    defer { unattributedBytes = 0 }
    return unattributedBytes
  }

  private mutating func scan(_ reclaimedBytes: Int64) {
    let bytes = Self.whole(Double(reclaimedBytes) * rules.scanRatio)
    scannedBytes = scannedBytes.addingSaturated(bytes)
    unattributedBytes = unattributedBytes.addingSaturated(bytes)
  }

  private func relief(of bytes: Int64) -> Int64 {
    bytes - Self.whole(Double(bytes) * rules.retainedShare)
  }

  private func roundedUpToPages(_ bytes: Int64) -> Int64 {
    let (sum, overflow) = bytes.addingReportingOverflow(rules.pageBytes - 1)
    return overflow ? bytes : sum / rules.pageBytes * rules.pageBytes
  }

  /// The nearest whole number; what no footprint or run comes near to is cut off.
  static func whole(_ value: Double) -> Int64 {
    value < 1e18 ? Int64(max(0, value).rounded()) : 1_000_000_000_000_000_000
  }
}
