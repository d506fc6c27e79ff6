import JettisonTestSupport
import Testing

@testable import JettisonCore

/// Who gets which value, who is kept and who is told: `android-lmk` sections 3.3 to 3.5.
struct ActivityManagerTests {
  struct Walk: Sendable {
    let apps: String
    let shown: Int
    let empty: Int
    let adjs: [Int16]
    var range = CachedSlots.Range.wide
    var limit: Int? = 16
  }

  private static func times(_ adj: Int16, _ count: Int) -> [Int16] {
    Array(repeating: adj, count: count)
  }

  @Test(
    "Cached apps spread over their slots, as many per slot as the last pass suggests",
    arguments: [
      Walk(
        apps: "CECCEEC", shown: 4, empty: 3, adjs: [900, 905, 910, 920, 915, 925, 930]),
      Walk(
        apps: String(repeating: "C", count: 25), shown: 25, empty: 0,
        adjs: stride(from: 900, through: 970, by: 10).flatMap { times(Int16($0), 3) } + [980]),
      Walk(
        apps: String(repeating: "C", count: 13), shown: 10, empty: 0,
        adjs: stride(from: 900, through: 990, by: 10).map { Int16($0) } + times(999, 3)),
      Walk(
        apps: String(repeating: "E", count: 12), shown: 0, empty: 0,
        adjs: stride(from: 905, through: 995, by: 10).map { Int16($0) } + times(999, 2)),
      // 40 empty apps count as no more than the framework keeps: 16, two per slot.
      Walk(apps: "EEEEE", shown: 0, empty: 40, adjs: [905, 905, 915, 915, 925]),
      Walk(apps: "EEEEE", shown: 0, empty: 40, adjs: [905, 905, 905, 905, 915], limit: nil),
      Walk(
        apps: "CCCCCC", shown: 1, empty: 0, adjs: [900, 901, 903, 905, 906, 906], range: .narrow),
      Walk(apps: "EEEEE", shown: 0, empty: 2, adjs: [900, 902, 904, 906, 906], range: .narrow),
      Walk(apps: "CCCC", shown: 6, empty: 0, adjs: [900, 900, 901, 901], range: .narrow),
    ])
  func slots(walk: Walk) {
    var slots = CachedSlots(
      range: walk.range, shownBefore: walk.shown, emptyBefore: walk.empty, limit: walk.limit)
    #expect(walk.apps.map { slots.take(wasShown: $0 == "C") } == walk.adjs)
  }

  @Test func `limits follow from how many cached apps are kept`() {
    let usual = CachedAppLimits(maximum: 32)
    #expect([usual.empty, usual.shown] == [16, 16])
    #expect([usual.trimEmpty, usual.trimCached] == [8, 5])
    let odd = CachedAppLimits(maximum: 61)
    #expect([odd.empty, odd.shown] == [30, 31])
    let none = CachedAppLimits(maximum: nil)
    #expect([none.empty, none.shown] == [nil, nil])
    #expect([none.trimEmpty, none.trimCached] == [8, 5])
  }

  @Test(
    "The factor counts what is left to give up",
    arguments: [
      (0, 0, .critical), (3, 0, .critical), (2, 2, .low), (5, 0, .low), (5, 1, .moderate),
      (5, 8, .moderate), (6, 0, .normal), (0, 9, .normal),
    ] as [(Int, Int, MemoryFactor)])
  func factor(cached: Int, empty: Int, expected: MemoryFactor) {
    #expect(MemoryFactor.byCounts(cached: cached, empty: empty) == expected)
  }

  @Test func `the factor worsens only when apps have gone, and improves at any time`() {
    #expect(MemoryFactor.normal.updated(to: .critical, appCount: 5, countBefore: 5) == .normal)
    #expect(MemoryFactor.normal.updated(to: .critical, appCount: 4, countBefore: 5) == .critical)
    #expect(MemoryFactor.critical.updated(to: .low, appCount: 9, countBefore: 5) == .low)
  }

  @Test func `running apps hear by factor`() {
    let factors: [MemoryFactor] = [.normal, .moderate, .low, .critical]
    #expect(factors.map(\.runningLevel.rawValue) == [0, 5, 10, 15])
    #expect(factors.map(\.pressureLevel) == [.normal, .warning, .warning, .critical])
    #expect(TrimLevel.allCases.map(\.rawValue) == [0, 5, 10, 15, 20, 40])
  }
}

/// Free pages and file cache as functions of available memory.
struct FileCacheModelTests {
  private static let model = FileCacheModel(
    watermarks: Watermarks(minPages: 50, lowPages: 80, highPages: 100), workingSetPages: 900,
    touchesPerSecond: 25_000, readNanoseconds: 100_000)

  @Test(
    "Free memory stays at the high mark until the working set no longer fits",
    arguments: [
      (5000, 100, 4900), (1000, 100, 900), (999, 99, 900), (500, 50, 450), (0, 0, 0),
      (-300, 0, 0),
    ])
  func split(available: Int64, free: Int64, file: Int64) {
    #expect(Self.model.freePages(availablePages: available) == free)
    #expect(Self.model.filePages(availablePages: available) == file)
  }

  @Test func `the way back gives the least available memory`() {
    for free in [0, 1, 50, 80, 99, 100] as [Int64] {
      let available = Self.model.availablePages(freePages: free)
      #expect(Self.model.freePages(availablePages: available) >= free)
      #expect(available == 0 || Self.model.freePages(availablePages: available - 1) < free)
    }
    for file in [0, 450, 899, 900, 2000] as [Int64] {
      let available = Self.model.availablePages(filePages: file)
      #expect(Self.model.filePages(availablePages: available) >= file)
    }
    #expect(Self.model.availablePages(filePages: 2000) == 2100)
  }

  @Test func `what is missing is waited for`() {
    #expect(Self.model.missingShare(availablePages: 1000) == 0)
    #expect(Self.model.refaultsPerSecond(availablePages: 1000) == 0)
    #expect(Self.model.missingShare(availablePages: 600) == 0.4)
    // A load of 0.4 · 25000 · 0.1 ms = 1: half of the time.
    #expect(Self.model.stalledShare(availablePages: 600) == 0.5)
    #expect(Self.model.refaultsPerSecond(availablePages: 600) == 5000)
    #expect(Self.model.missingShare(availablePages: -1) == 1)
  }

  @Test func `what a tick does is divided and rounded as the library does it`() {
    for seed: UInt64 in 1...300 {
      var random = SplitMix64(seed: seed)
      let high = Int64.random(in: 0...40_000, using: &random)
      let touches = Double.random(in: 0...50_000, using: &random)
      let model = FileCacheModel(
        watermarks: Watermarks(minPages: high / 3, lowPages: high / 2, highPages: high),
        workingSetPages: Int64.random(in: 1...300_000, using: &random), touchesPerSecond: touches,
        readNanoseconds: Int64.random(in: 1...400_000, using: &random))
      for _ in 0..<100 {
        let available = Int64.random(in: -10...(model.comfortPages + 10), using: &random)
        let running = Int.random(in: 0...9, using: &random)
        let free =
          available >= model.comfortPages ? high : max(0, available) * high / model.comfortPages
        #expect(model.freePages(availablePages: available) == free, "seed \(seed)")
        let flow = model.flow(availablePages: available, runningCount: running)
        let size = model.workingSet.size
        let file = max(0, available) - free
        let isShort = running > 0 && file < size && available < model.comfortPages
        let missing = isShort ? Double(size - file) * (1 / Double(size)) : 0
        let load = missing * model.workingSet.load(missing: 1)
        let progress = 1 / (1 + load)
        let perTick = touches * 100_000_000 / 1e9
        #expect(flow.filePages == file, "seed \(seed)")
        #expect(
          flow.stallNanoseconds == Int64((load * progress * 100_000_000).rounded()),
          "seed \(seed)")
        #expect(
          flow.refaultPages == Int64((missing * progress * perTick * Double(running)).rounded()),
          "seed \(seed)")
      }
      let whole = Double(Int64.random(in: 0...(1 << 40), using: &random))
      for value in [whole, whole + 0.5, (whole + 0.5).nextDown, (whole + 0.5).nextUp, 0.5, 1.5] {
        #expect(FileCacheModel.rounded(value) == Int64(value.rounded()), "\(value)")
      }
    }
  }

  @Test func `watermarks follow the kernel's rules`() {
    #expect(KernelReserve.minimumBytes(ramBytes: 1 << 30) == 4096 << 10)
    #expect(KernelReserve.minimumBytes(ramBytes: 1 << 33) == 11585 << 10)
    #expect(KernelReserve.minimumBytes(ramBytes: 1 << 20) == 128 << 10)
    #expect(KernelReserve.minimumBytes(ramBytes: .max) == 256 << 20)
    let marks = Watermarks(
      minimumBytes: 4096 << 10, extraBytes: 480 * 854 * 12, ramBytes: 1 << 30, pageBytes: 4096)
    #expect(marks == Watermarks(minPages: 1024, lowPages: 2487, highPages: 2749))
  }
}
