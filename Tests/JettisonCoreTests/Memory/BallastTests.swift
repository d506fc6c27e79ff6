import Testing

@testable import JettisonCore

@Suite("Ballast") struct BallastTests {
  private static var page: Int64 { ArenaPool.pageBytes }

  @Test("Every page count up to 3000 is realised exactly, from nothing and from the one before")
  func everyPageCount() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let rising = try pool.acquire()
    var risingBallast = Ballast()
    let fresh = try pool.acquire()
    var freshBallast = Ballast()
    for pages in 0...Int64(3_000) {
      #expect(risingBallast.set(total: pages * Self.page, in: rising) == true)
      #expect(rising.footprintBytes == pages * Self.page)
      #expect(freshBallast.set(total: pages * Self.page, in: fresh) == true)
      #expect(fresh.footprintBytes == pages * Self.page)
      #expect(fresh.dirtyBytes == 0)
      #expect(freshBallast.extentCount <= 12, "\(pages) pages")
      #expect(freshBallast.set(total: 0, in: fresh) == true)
      #expect(freshBallast.extentCount == 0)
      #expect(fresh.footprintBytes == 0)
    }
    try pool.checkIdentity()
    for pages in (0...Int64(3_000)).reversed() {
      #expect(risingBallast.set(total: pages * Self.page, in: rising) == true)
      #expect(rising.footprintBytes == pages * Self.page)
      #expect(rising.dirtyBytes == 0)
    }
    #expect(risingBallast.extentCount == 0)
    try pool.checkIdentity()
  }

  @Test("A total is rounded up to the page, and below nothing there is nothing")
  func rounding() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    #expect(ballast.set(total: 1, in: arena) == true)
    #expect(arena.footprintBytes == Self.page)
    #expect(ballast.set(total: Self.page, in: arena) == true)
    #expect(arena.footprintBytes == Self.page)
    #expect(ballast.set(total: Self.page + 1, in: arena) == true)
    #expect(arena.footprintBytes == 2 * Self.page)
    #expect(ballast.set(total: -5, in: arena) == true)
    #expect(arena.footprintBytes == 0)
  }

  // 60 MB are 14,649 pages: 14,336 + 1, 256 + 1, 48 + 1 and 5 + 1.
  @Test("Sixty megabytes are four extents", .enabled(if: ArenaPool.pageBytes == 4_096))
  func sixtyMegabytes() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    #expect(ballast.set(total: 60_000_000, in: arena) == true)
    #expect(arena.footprintBytes == 60_002_304)
    #expect(ballast.extentCount == 4)
  }

  @Test(
    "Large totals are realised exactly by few extents",
    arguments: [
      1_500_000_000, 4_294_967_296, 4_294_967_297, 16_000_000_000,
      30_000_000_001,
    ] as [Int64])
  func largeTotals(total: Int64) throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    #expect(ballast.set(total: total, in: arena) == true)
    #expect(arena.footprintBytes == (total + Self.page - 1) / Self.page * Self.page)
    #expect(ballast.extentCount <= 12)
    #expect(ballast.set(total: total / 3, in: arena) == true)
    #expect(arena.footprintBytes == (total / 3 + Self.page - 1) / Self.page * Self.page)
    try pool.checkIdentity()
  }

  @Test("A total beyond the address space is refused, and a smaller one is right again")
  func beyondTheSpace() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    for total in [100_000_000_000, Int64.max] {
      #expect(ballast.set(total: total, in: arena) == false)
      #expect(arena.footprintBytes < total)
      try pool.checkIdentity()
    }
    #expect(ballast.set(total: 60_000_000, in: arena) == true)
    #expect(arena.footprintBytes == 60_002_304)
  }

  @Test(
    "Random totals among live blocks are exact", arguments: [1, 2, 3, 4] as [UInt64], [true, false])
  func amongBlocks(seed: UInt64, usesThreadCache: Bool) throws {
    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    let arena = try pool.acquire()
    var ballast = Ballast()
    var stream = AllocationStream(seed: seed)
    var random = AllocationStream(seed: seed &+ 1_000)
    var exact = 0
    for step in 0..<400 {
      _ = stream.run(random.next(below: 50), in: arena)
      let total = Int64(random.next(below: 800_000_000))
      let target = (total + Self.page - 1) / Self.page * Self.page
      if ballast.set(total: total, in: arena) {
        exact += 1
        #expect(arena.footprintBytes == target, "seed \(seed), step \(step)")
      } else {
        #expect(ballast.extentCount == 0, "seed \(seed), step \(step)")
        #expect(arena.footprintBytes > target, "seed \(seed), step \(step)")
      }
      #expect(arena.dirtyBytes == 0, "seed \(seed), step \(step)")
      if step % 20 == 0 { try pool.checkIdentity() }
    }
    #expect(exact > 200, "seed \(seed)")
    pool.release(arena)
    #expect(arena.footprintBytes == 0)
  }

  @Test("Live blocks above a total leave no ballast")
  func liveBlocksAbove() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    let block = arena.allocate(bytes: 10 << 20, alignment: 0)
    #expect(ballast.set(total: 20 << 20, in: arena) == true)
    #expect(ballast.extentCount > 0)
    #expect(ballast.set(total: 5 << 20, in: arena) == false)
    #expect(ballast.extentCount == 0)
    #expect(arena.footprintBytes == (10 << 20) + Self.page)
    arena.free(block)
    #expect(ballast.set(total: 5 << 20, in: arena) == true)
    #expect(arena.footprintBytes == 5 << 20)
  }

  @Test("Freed blocks in the thread cache do not stand in the way of a total")
  func cachedBlocks() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    let blocks = (0..<1_000).map { _ in arena.allocate(bytes: 512, alignment: 0) }
    for block in blocks { arena.free(block) }
    #expect(arena.activeBytes > 0)
    #expect(ballast.set(total: Self.page, in: arena) == true)
    #expect(arena.footprintBytes == Self.page)
  }

  @Test("Allocations move the footprint from a total, and freed pages are dirty")
  func allocationsMoveIt() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    #expect(ballast.set(total: 30 << 20, in: arena) == true)
    let block = arena.allocate(bytes: 1 << 20, alignment: 0)
    #expect(arena.footprintBytes == (31 << 20) + Self.page)
    arena.free(block)
    #expect(arena.footprintBytes == (31 << 20) + Self.page)
    #expect(arena.dirtyBytes == (1 << 20) + Self.page)
    arena.releaseDirtyPages()
    #expect(arena.footprintBytes == 30 << 20)
  }

  @Test("Ballast ends with its arena")
  func endsWithTheArena() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var ballast = Ballast()
    #expect(ballast.set(total: 30 << 20, in: arena) == true)
    pool.release(arena)
    let next = try pool.acquire()
    #expect(next.index == arena.index)
    var nextBallast = Ballast()
    #expect(nextBallast.set(total: 1 << 20, in: next) == true)
    #expect(next.footprintBytes == 1 << 20)
    #expect(nextBallast.set(total: 0, in: next) == true)
    #expect(next.footprintBytes == 0)
  }
}
