/// Extents that stand for the memory of an app that a trace gives only as a total.
///
/// The addresses are kept with the arena, so that a ballast is one number and ends with the arena:
/// one that was released is empty, and its app starts again with a new `Ballast()`.
struct Ballast: BitwiseCopyable {
  /// The number of extents.
  private(set) var extentCount = 0

  /// Adds or removes ballast until the footprint of the arena is `total`, rounded up to the page.
  ///
  /// Dirty pages are returned first, so that the total stays what it is until the app moves it.
  /// Ballast grows by the fewest extents: repeatedly the largest size class whose extent fits. It
  /// falls by freeing the newest extents, filling up what was too much, and the pages go back at
  /// once.
  ///
  /// - Returns: False if live blocks alone exceed the total, and then there is no ballast; or if
  ///   the address space of the arena is used up, and then the footprint stays below the total.
  /// - Complexity: O(log total) calls of the allocator, each some 0.5 to 2 µs.
  mutating func set(total: Int64, in arena: Arena) -> Bool {
    assert(extentCount == arena.ballastCount, "a ballast is used with one arena, up to its end")
    defer { extentCount = arena.ballastCount }
    let target = Self.roundedUpToPage(total)
    if arena.footprintBytes == target, arena.dirtyBytes == 0 { return true }
    arena.returnDirtyPages()
    if arena.footprintBytes > target { Self.lower(to: target, in: arena) }
    return Self.raise(to: target, in: arena)
  }

  /// Frees the newest extents until the footprint is at most the target, or none is left.
  private static func lower(to target: Int64, in arena: Arena) {
    var footprint = arena.footprintBytes
    while footprint > target, arena.ballastCount > 0 { footprint -= arena.popBallast() }
    arena.returnDirtyPages()
    // What is left are live blocks, and freed ones that the thread cache still holds.
    if arena.footprintBytes > target { arena.releaseDirtyPages() }
  }

  /// Adds extents until the footprint is the target.
  private static func raise(to target: Int64, in arena: Arena) -> Bool {
    while arena.footprintBytes < target {
      let (block, extent) = largestExtent(within: target - arena.footprintBytes)
      if !arena.pushBallast(blockBytes: block, extentBytes: extent) { return false }
    }
    return arena.footprintBytes == target
  }

  /// The block with the largest extent of at most `bytes`, which are at least a page.
  ///
  /// jemalloc's large size classes are 4, 5, 6 and 7 times a power of two, from four pages on, and
  /// a large block has one page more to place itself in. Blocks of one to three pages are small
  /// ones that fill a slab of their own.
  private static func largestExtent(within bytes: Int64) -> (block: Int64, extent: Int64) {
    let page = ArenaPool.pageBytes
    let pages = bytes / page
    if pages < 5 {
      let block = min(pages, 3) * page
      return (block, block)
    }
    let lowestBit = Int64.bitWidth - 3 - (pages - 1).leadingZeroBitCount
    let block = (((pages - 1) >> lowestBit) << lowestBit) * page
    return (block, block + page)
  }

  static func roundedUpToPage(_ bytes: Int64) -> Int64 {
    let page = ArenaPool.pageBytes
    let (sum, overflow) = max(0, bytes).addingReportingOverflow(page - 1)
    return (overflow ? Int64.max : sum) / page * page
  }
}
