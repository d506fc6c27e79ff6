import JettisonCore
import Testing

/// The driver's table and choice: the worked examples of `android-lmk` sections 1.3 and 1.4.
struct LowMemoryKillerTests {
  private static let MiB: Int64 = 1 << 20

  struct Row: Sendable {
    let ramMiB: Int64
    let pixels: Int64
    let is64Bit: Bool
    let pages: [Int64]
  }

  @Test(
    "The table follows from RAM and display",
    arguments: [
      Row(
        ramMiB: 300, pixels: 320 * 480, is64Bit: false,
        pages: [3072, 4608, 6144, 9216, 10752, 12288]),
      Row(
        ramMiB: 512, pixels: 480 * 800, is64Bit: false,
        pages: [10181, 13139, 16097, 19880, 22838, 27928]),
      Row(
        ramMiB: 700, pixels: 480 * 800, is64Bit: false,
        pages: [18432, 23040, 27648, 32256, 36864, 46080]),
      Row(
        ramMiB: 300, pixels: 1280 * 800, is64Bit: false,
        pages: [18432, 23040, 27648, 32256, 36864, 46080]),
      Row(
        ramMiB: 1024, pixels: 480 * 800, is64Bit: true,
        pages: [18432, 23040, 27648, 32256, 55296, 80640]),
    ])
  func table(row: Row) {
    let table = MinfreeTable(
      ramBytes: row.ramMiB * Self.MiB, displayPixels: row.pixels, is64Bit: row.is64Bit)
    #expect(table.rows.map(\.pages) == row.pages)
    #expect(table.rows.map(\.adj) == [0, 100, 200, 250, 900, 950])
    #expect(table.highestPages == row.pages[5])
  }

  @Test func `overlays scale the whole table by its last row`() {
    func table(_ absolute: Int64?, _ adjustment: Int64) -> [Int64] {
      MinfreeTable(
        ramBytes: 300 * Self.MiB, displayPixels: 0, is64Bit: false, absoluteKiB: absolute,
        adjustmentKiB: adjustment
      ).rows.map(\.pages)
    }
    #expect(table(98304, 0) == [6144, 9216, 12288, 18432, 21504, 24576])
    #expect(table(nil, 49152) == [6144, 9216, 12288, 18432, 21504, 24576])
    #expect(table(98304, -49152) == [3072, 4608, 6144, 9216, 10752, 12288])
    #expect(table(0, 0) == [0, 0, 0, 0, 0, 0])
    #expect(table(.max, .max).allSatisfy { $0 >= 0 })
  }

  @Test func `the range of Android 9 has its own values`() {
    let table = MinfreeTable(
      ramBytes: 1 << 30, displayPixels: 0, is64Bit: true, hasNarrowRange: true)
    #expect(table.rows.map(\.adj) == [0, 100, 200, 300, 900, 906])
  }

  private static let table = MinfreeTable(ramBytes: 1 << 30, displayPixels: 0, is64Bit: true)

  @Test(
    "Both figures must be below the same row, strictly",
    arguments: [
      (free: 50000, file: 70000, adj: Int16?.some(950)),
      (50000, 55000, 900), (80640, 100, nil), (80639, 80639, 950), (100, 80640, nil),
      (0, 18431, 0), (0, 18432, 100), (18431, 0, 0), (-500, 23039, 100),
    ])
  func row(free: Int64, file: Int64, adj: Int16?) {
    #expect(Self.table.minimumAdj(otherFreePages: free, otherFilePages: file) == adj)
  }

  @Test func `the driver's own rows are searched like written ones, and an empty table spares all`()
  {
    let own = MinfreeTable([
      MinfreeTable.Row(adj: 0, pages: 1536), MinfreeTable.Row(adj: 58, pages: 2048),
      MinfreeTable.Row(adj: 352, pages: 4096), MinfreeTable.Row(adj: 705, pages: 16384),
    ])
    #expect(own.minimumAdj(otherFreePages: 2047, otherFilePages: 2000) == 58)
    #expect(MinfreeTable([]).minimumAdj(otherFreePages: 0, otherFilePages: 0) == nil)
    #expect(MinfreeTable([]).highestPages == 0)
  }

  @Test func `the driver waits a second for a victim that holds memory`() {
    func maySelect(_ now: Int64, _ last: Int64?, _ holds: Bool) -> Bool {
      LowMemoryKiller.maySelect(at: now, lastKill: last, victimHoldsMemory: holds)
    }
    #expect(maySelect(5, nil, true))
    #expect(maySelect(5, 4, false))
    #expect(!maySelect(1_000_000_004, 4, true))
    #expect(maySelect(1_000_000_005, 4, true))
  }

  @Test func `file pages that cannot be given up do not count`() {
    #expect(
      LowMemoryKiller.otherFilePages(
        filePages: 100, sharedPages: 30, unevictablePages: 10, swapCachePages: 5) == 55)
    #expect(
      LowMemoryKiller.otherFilePages(
        filePages: 10, sharedPages: 30, unevictablePages: 0, swapCachePages: 0) == 0)
  }
}
