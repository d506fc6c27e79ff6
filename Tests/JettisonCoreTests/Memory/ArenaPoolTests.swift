import Testing

@testable import JettisonCore

@Suite("Arena pools") struct ArenaPoolTests {
  private static let seeds: [UInt64] = [1, 2, 3, 20_110_418]

  @Test(
    "The hooks' bytes are the active and dirty pages all along a stream",
    arguments: seeds, [true, false])
  func identity(seed: UInt64, usesThreadCache: Bool) throws {
    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    let arena = try pool.acquire()
    var stream = AllocationStream(seed: seed)
    for part in 0..<20 {
      let footprints = stream.run(500, in: arena)
      try pool.checkIdentity()
      #expect(footprints.contains { $0 > 0 }, "seed \(seed), part \(part)")
      #expect(arena.dirtyBytes >= 0, "seed \(seed), part \(part)")
    }
  }

  @Test(
    "An arena used before gives the same footprints as a new one",
    arguments: seeds, [true, false])
  func recycled(seed: UInt64, usesThreadCache: Bool) throws {
    let fresh = try Self.footprints(seed: seed, usesThreadCache: usesThreadCache)

    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    for life in 0..<4 {
      let arena = try pool.acquire()
      var stream = AllocationStream(seed: seed)
      let again = stream.run(5_000, in: arena)
      #expect(firstDifference(again, fresh) == nil, "seed \(seed), life \(life)")
      // A life of another kind between two of the same.
      pool.release(arena)
      let other = try pool.acquire()
      #expect(other.index == arena.index)
      var others = AllocationStream(seed: seed &+ UInt64(life) &+ 99)
      _ = others.run(3_000, in: other)
      pool.release(other)
    }
  }

  @Test("What other arenas do changes nothing", arguments: seeds, [true, false])
  func busyNeighbours(seed: UInt64, usesThreadCache: Bool) throws {
    let alone = try Self.footprints(seed: seed, usesThreadCache: usesThreadCache)

    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    var arenas: [Arena] = []
    for _ in 0..<7 { arenas.append(try pool.acquire()) }
    var streams = (0..<7).map { AllocationStream(seed: seed &+ UInt64($0 == 3 ? 0 : $0 + 50)) }
    var among: [Int64] = []
    for _ in 0..<500 {
      for index in 0..<7 {
        let part = streams[index].run(10, in: arenas[index])
        if index == 3 { among += part }
      }
    }
    #expect(firstDifference(among, alone) == nil, "seed \(seed)")
    try pool.checkIdentity()
  }

  @Test("A release returns everything and the arena comes back", arguments: [true, false])
  func release(usesThreadCache: Bool) throws {
    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    var lastIndex: Int?
    for life in 0..<30 {
      let arena = try pool.acquire()
      if let lastIndex { #expect(Int(arena.index) == lastIndex, "the arena came back") }
      lastIndex = Int(arena.index)
      #expect(arena.footprintBytes == 0)
      for block in 0..<2_000 { _ = arena.allocate(bytes: Int64(block * life), alignment: 0) }
      #expect(arena.footprintBytes > 0)
      pool.release(arena)
      #expect(arena.footprintBytes == 0)
      #expect(arena.activeBytes == 0)
    }
    try pool.checkIdentity()
  }

  @Test("Arenas in use at once are different ones, each with its own footprint")
  func many() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    var arenas: [Arena] = []
    for index in 0..<60 {
      let arena = try pool.acquire()
      #expect(arena.footprintBytes == 0)
      #expect(arena.allocate(bytes: Self.blockBytes(index), alignment: 0) != 0)
      arenas.append(arena)
    }
    #expect(Set(arenas.map(\.index)).count == 60)
    try pool.checkIdentity()
    for (index, arena) in arenas.enumerated() {
      #expect(arena.footprintBytes == Self.blockBytes(index) + ArenaPool.pageBytes)
    }
    for arena in arenas { pool.release(arena) }
    var again: Set<Int> = []
    for _ in arenas { again.insert(Int(try pool.acquire().index)) }
    #expect(again.isSuperset(of: arenas.map { Int($0.index) }), "all came back")
  }

  @Test("A space that is used up gives no block and stays usable", arguments: [true, false])
  func exhaustion(usesThreadCache: Bool) throws {
    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    let arena = try pool.acquire()
    let gibibyte: Int64 = 1 << 30
    #expect(arena.allocate(bytes: 100 * gibibyte, alignment: 0) == 0)
    #expect(arena.allocate(bytes: .max, alignment: 0) == 0)
    #expect(arena.allocate(bytes: -1, alignment: 0) == 0)
    #expect(arena.allocate(bytes: 1, alignment: 1 << 62) == 0)
    #expect(arena.footprintBytes == 0)

    var blocks: [UInt] = []
    while true {
      let block = arena.allocate(bytes: 5 * gibibyte, alignment: 0)
      if block == 0 { break }
      blocks.append(block)
    }
    #expect(blocks.count == 6)
    #expect(arena.reallocate(blocks[0], bytes: 10 * gibibyte, alignment: 0) == 0)
    #expect(arena.allocate(bytes: 100, alignment: 0) != 0)
    try pool.checkIdentity()

    for block in blocks { arena.free(block) }
    arena.releaseDirtyPages()
    #expect(arena.allocate(bytes: 28 * gibibyte, alignment: 0) != 0)
    try pool.checkIdentity()
    pool.release(arena)
    #expect(arena.footprintBytes == 0)
  }

  @Test("A block of no bytes is a block, and alignments are kept")
  func unusualBlocks() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    let empty = arena.allocate(bytes: 0, alignment: 0)
    #expect(empty != 0)
    for shift in 0..<33 {
      let address = arena.allocate(bytes: 24, alignment: 1 << shift)
      #expect(address != 0)
      #expect(address % (1 << shift) == 0)
    }
    let moved = arena.reallocate(empty, bytes: 0, alignment: 4_096)
    #expect(moved % 4_096 == 0)
    arena.free(moved)
    try pool.checkIdentity()
  }

  @Test("A block keeps its place when its size class stays, and moves when it does not")
  func reallocation() throws {
    var pool = try ArenaPool(usesThreadCache: false)
    let arena = try pool.acquire()
    let small = arena.allocate(bytes: 100, alignment: 0)
    #expect(arena.reallocate(small, bytes: 112, alignment: 0) == small)
    let larger = arena.reallocate(small, bytes: 113, alignment: 0)
    #expect(larger != small)
    // A large block shrinks in place: 16 pages and one to place it in, then 8 and one.
    let large = arena.allocate(bytes: 65_536, alignment: 0)
    let before = arena.activeBytes
    let footprint = arena.footprintBytes
    #expect(arena.reallocate(large, bytes: 32_768, alignment: 0) == large)
    #expect(arena.activeBytes == before - 32_768)
    #expect(arena.footprintBytes == footprint)
  }

  @Test("Freed blocks in the thread cache go back with the dirty pages")
  func cachedBlocksReturn() throws {
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    let blocks = (0..<10_000).map { _ in arena.allocate(bytes: 512, alignment: 0) }
    for block in blocks { arena.free(block) }
    arena.returnDirtyPages()
    #expect(arena.footprintBytes > 0)
    arena.releaseDirtyPages()
    #expect(arena.footprintBytes == 0)
  }

  @Test("Two pools on two threads do not see each other")
  func twoThreads() async throws {
    let expected = try [
      Self.footprints(seed: 7, usesThreadCache: true),
      Self.footprints(seed: 8, usesThreadCache: true),
    ]
    for round in 0..<20 {
      async let first = Self.footprints(seed: 7, usesThreadCache: true)
      async let second = Self.footprints(seed: 8, usesThreadCache: true)
      let footprints = try await [first, second]
      #expect(firstDifference(footprints[0], expected[0]) == nil, "round \(round)")
      #expect(firstDifference(footprints[1], expected[1]) == nil, "round \(round)")
    }
  }

  @Test("A pool may go on on another thread")
  func changesThread() async throws {
    let expected = try Self.footprints(seed: 9, usesThreadCache: true)
    var pool = try ArenaPool(usesThreadCache: true)
    let arena = try pool.acquire()
    var stream = AllocationStream(seed: 9)
    var footprints: [Int64] = []
    for _ in 0..<50 {
      footprints += stream.run(100, in: arena)
      // Lets the pool's task go on on whatever thread is free.
      await Self.pause()
    }
    #expect(firstDifference(footprints, expected) == nil)
    try pool.checkIdentity()
    pool.release(arena)
  }

  @Test("Where a block happens to lie inside its page decides nothing")
  func chance() throws {
    var pool = try ArenaPool(usesThreadCache: false)
    let arena = try pool.acquire()
    for _ in 0..<200 {
      let block = arena.allocate(bytes: 65_536, alignment: 0)
      #expect(arena.reallocate(block, bytes: 32_768, alignment: 2_048) == block)
      arena.free(block)
    }
  }

  @concurrent
  private static func pause() async {
    await Task.yield()
  }

  /// A size class of its own for every 40 arenas: 4 to 7 times a power of two.
  private static func blockBytes(_ index: Int) -> Int64 {
    Int64(4 + index % 4) << Int64(16 + index / 4 % 10)
  }

  private static func footprints(seed: UInt64, usesThreadCache: Bool) throws -> [Int64] {
    var pool = try ArenaPool(usesThreadCache: usesThreadCache)
    let arena = try pool.acquire()
    var stream = AllocationStream(seed: seed)
    return stream.run(5_000, in: arena)
  }
}
