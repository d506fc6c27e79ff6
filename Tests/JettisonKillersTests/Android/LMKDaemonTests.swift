import JettisonCore
import Testing

/// lmkd's wake-ups: the worked examples of `android-lmk` section 2.9 by number, and its rules.
struct LMKDaemonTests {
  private static let marks = Watermarks(minPages: 11000, lowPages: 22000, highPages: 33000)
  private static let millisecond: Int64 = 1_000_000

  private static func daemon(_ change: (inout LMKDaemon.Settings) -> Void = { _ in }) -> LMKDaemon {
    var settings = LMKDaemon.Settings()
    change(&settings)
    return LMKDaemon(settings, watermarks: marks)
  }

  /// A reading in which background reclaim has gone on, swap is plenty and 20 % were read again.
  private static func reading(
    ms: Int64 = 100, free: Int64 = 20000, swapFree: Int64 = 524_288, refaults: Int64 = 10000,
    file: Int64 = 50000
  ) -> LMKDaemon.Reading {
    var reading = LMKDaemon.Reading()
    reading.time = ms * millisecond
    reading.backgroundScans = ms
    reading.refaults = refaults
    reading.freePages = free
    reading.activeFilePages = file / 2
    reading.inactiveFilePages = file - file / 2
    reading.swapTotalPages = 524_288
    reading.swapFreePages = swapFree
    return reading
  }

  private static func kill(_ reason: LMKDReason, _ minAdj: Int16, cuts: Bool = false)
    -> LMKDaemon.Outcome
  {
    .kill(LMKDaemon.Order(reason: reason, minAdj: minAdj, cutsLimit: cuts))
  }

  /// A daemon whose thrashing window began at 2 s with 50000 file pages and no refault.
  private static func begun(_ change: (inout LMKDaemon.Settings) -> Void = { _ in }) -> LMKDaemon {
    var daemon = daemon(change)
    _ = daemon.wake(.poll, reading(ms: 2000, free: 99999, refaults: 0))
    return daemon
  }

  // MARK: Worked examples

  @Test(
    "1 to 3: swap is low strictly below its share, and the least watermark lifts protection",
    arguments: [
      (20000, 40000, LMKDReason?.some(.lowMemoryAndSwap), Int16(201), 701),
      (10000, 40000, .lowMemoryAndSwap, 0, 701),
      (20000, 52428, .lowMemory, 701, 701),
      (20000, 52428, nil, 0, 1001),
    ] as [(Int64, Int64, LMKDReason?, Int16, Int16)])
  func swap(free: Int64, swapFree: Int64, reason: LMKDReason?, minAdj: Int16, lowMemory: Int16) {
    var daemon = Self.begun { $0.lowMemoryMinAdj = lowMemory }
    let outcome = daemon.wake(
      .partialStall, Self.reading(ms: 2500, free: free, swapFree: swapFree))
    #expect(daemon.thrashing == 19)
    #expect(outcome == reason.map { Self.kill($0, minAdj) } ?? .nothing)
  }

  @Test func `4: thrashing above the limit kills and cuts the limit`() {
    var daemon = Self.daemon()
    _ = daemon.wake(.poll, Self.reading(ms: 5000, free: 99999, refaults: 1_000_000))
    let outcome = daemon.wake(.partialStall, Self.reading(ms: 5800, refaults: 1_060_001))
    #expect(daemon.thrashing == 119)
    #expect(outcome == Self.kill(.lowMemoryAndThrashing, 201, cuts: true))
    #expect(daemon.limit == 100)
    if case .kill(let order) = outcome { daemon.didKill(order, at: 5_800_000_000) }
    #expect(daemon.limit == 90)
    #expect(daemon.thrashingMax == 0)
  }

  @Test(
    "5 to 7: growth of the last window halves for each window gone, unless it was too much",
    arguments: [(1400, 40, 20), (3200, 140, 17), (1400, 140, 140), (2000, 40, 10), (1001, 99, 49)])
  func windows(sinceMilliseconds: Int64, growth: Int64, expected: Int64) {
    var daemon = Self.begun()
    let refaults = (growth * 50001 + 99) / 100
    let reading = Self.reading(ms: 2000 + sinceMilliseconds, free: 99999, refaults: refaults)
    #expect(daemon.wake(.partialStall, reading) == .nothing)
    #expect(daemon.thrashing == expected)
    // What is left of it counts on top of the new window's growth.
    let next = Self.reading(
      ms: 2100 + sinceMilliseconds, free: 99999, refaults: refaults + 5001)
    _ = daemon.wake(.poll, next)
    #expect(daemon.thrashing == expected + 10)
  }

  @Test func `8: a victim is waited for until the timeout`() {
    for (timeout, at, isSkipped) in [
      (100, 60, true), (100, 99, true), (100, 110, false), (0, 900, true),
    ] as [(Int64, Int64, Bool)] {
      var daemon = Self.daemon { $0.killTimeoutNanoseconds = timeout * Self.millisecond }
      guard case .kill(let order) = daemon.wake(.partialStall, Self.reading(ms: 1000)) else {
        Issue.record("the first wake-up kills")
        return
      }
      daemon.didKill(order, at: 1_000_000_000)
      let outcome = daemon.wake(.partialStall, Self.reading(ms: 1000 + at))
      #expect((outcome == .skipped) == isSkipped, "timeout \(timeout) ms, \(at) ms later")
      daemon.victimDied()
      #expect(daemon.wake(.poll, Self.reading(ms: 1990)) != .skipped)
    }
  }

  @Test func `9: pressure that a kill has left is the first reason`() {
    var daemon = Self.daemon { $0.pressureAfterKillMinAdj = 0 }
    guard case .kill(let order) = daemon.wake(.partialStall, Self.reading(ms: 1000)) else {
      Issue.record("the first wake-up kills")
      return
    }
    daemon.didKill(order, at: 1_000_000_000)
    let after = Self.reading(ms: 1200, free: 10999)
    #expect(daemon.wake(.completeStall, after) == Self.kill(.pressureAfterKill, 0))
    // Only right after a kill: the next wake-up names another reason.
    #expect(daemon.wake(.poll, Self.reading(ms: 1300, free: 10999)) == Self.kill(.lowMemory, 701))
  }

  @Test func `10: nothing is killed while nothing is reclaimed or read again`() {
    var daemon = Self.daemon()
    var reading = Self.reading(ms: 1000, free: 10)
    _ = daemon.wake(.poll, reading)
    reading.time += Self.millisecond
    #expect(daemon.wake(.completeStall, reading) == .nothing)
    reading.refaults += 1
    #expect(daemon.wake(.completeStall, reading) == Self.kill(.notResponding, 0))
    reading.directScans += 1
    #expect(daemon.wake(.completeStall, reading) == Self.kill(.notResponding, 0))
    #expect(daemon.reclaimsDirectly)
  }

  @Test func `11: within a value the process set longest ago goes first`() {
    // A set at 10 s, B at 20 s, C at 15 s, A again at 30 s.
    var setAt: [(name: String, time: Int64)] = [("A", 30), ("B", 20), ("C", 15)]
    var order: [String] = []
    while !setAt.isEmpty {
      let processes = setAt.map {
        KillableProcess(adj: 950, setOrder: $0.time, residentBytes: 1)
      }
      let victim = KillableProcess.victim(among: processes, minAdj: 900, killsHeaviest: false)
      order.append(setAt.remove(at: victim ?? 0).name)
    }
    #expect(order == ["C", "B", "A"])
  }

  @Test(
    "12: from 200 down, or if told so, the heaviest goes; of equal ones the one set last",
    arguments: [(200, false, 1), (201, false, 0), (201, true, 1), (0, false, 1)]
      as [(Int16, Bool, Int)])
  func heaviest(adj: Int16, killsHeaviest: Bool, expected: Int) {
    let processes = [
      KillableProcess(adj: adj, setOrder: 5, residentBytes: 300),
      KillableProcess(adj: adj, setOrder: 50, residentBytes: 400),
      KillableProcess(adj: adj, setOrder: 40, residentBytes: 400),
    ]
    #expect(
      KillableProcess.victim(among: processes, minAdj: 0, killsHeaviest: killsHeaviest) == expected)
    #expect(
      KillableProcess.victim(among: processes, minAdj: adj + 1, killsHeaviest: killsHeaviest) == nil
    )
  }

  // MARK: Rules

  @Test func `each kill for thrashing cuts the limit, in integers, until the window ends`() {
    for (limit, decay, expected) in [
      (100, 10, [90, 81, 72]), (30, 50, [15, 7, 3]), (100, 100, [0, 0]),
    ] as [(Int64, Int64, [Int64])] {
      var daemon = Self.daemon {
        $0.thrashingLimit = limit
        $0.thrashingLimitDecay = decay
      }
      let order = LMKDaemon.Order(reason: .lowMemoryAndThrashing, minAdj: 201, cutsLimit: true)
      for cut in expected {
        daemon.didKill(order, at: 0)
        #expect(daemon.limit == cut)
      }
      _ = daemon.wake(.poll, Self.reading(ms: 300, free: 99999))
      #expect(daemon.limit == expected.last)
      _ = daemon.wake(.poll, Self.reading(ms: 1400, free: 99999, refaults: 10001))
      #expect(daemon.limit == limit)
    }
  }

  @Test func `the reasons come in their order`() {
    // Everything at once: swap low, thrashing at 400 %, below the least watermark, direct reclaim.
    var reading = Self.reading(ms: 2500, free: 5000, swapFree: 0, refaults: 200_100)
    reading.directScans = 1
    var daemon = Self.begun()
    #expect(daemon.wake(.completeStall, reading) == Self.kill(.notResponding, 0))
    daemon = Self.begun()
    #expect(daemon.wake(.partialStall, reading) == Self.kill(.lowSwapAndThrashing, 0))
    reading.refaults = 60_000
    reading.freePages = 20000
    daemon = Self.begun()
    #expect(daemon.wake(.partialStall, reading) == Self.kill(.lowSwapAndThrashing, 201))
    reading.freePages = 99999
    reading.swapFreePages = 524_288
    daemon = Self.begun()
    let direct = Self.kill(.directReclaimAndThrashing, 201, cuts: true)
    #expect(daemon.wake(.partialStall, reading) == direct)
    reading.refaults = 150_100
    daemon = Self.begun()
    let critical = Self.kill(.directReclaimAndThrashing, 0, cuts: true)
    #expect(daemon.wake(.partialStall, reading) == critical)
  }

  @Test func `the limit that kills have cut does not count for low swap`() {
    var daemon = Self.begun()
    let order = LMKDaemon.Order(reason: .lowMemoryAndThrashing, minAdj: 201, cutsLimit: true)
    daemon.didKill(order, at: 2_000_000_000)
    _ = daemon.wake(.poll, Self.reading(ms: 2200, free: 99999, refaults: 0))
    // 95 % are above 90 but not above 100.
    let reading = Self.reading(ms: 2300, free: 30000, swapFree: 0, refaults: 47_501)
    #expect(daemon.wake(.poll, reading) == .nothing)
    #expect(daemon.thrashing == 95)
  }

  @Test func `utilisation of swap kills below the low watermark if a maximum is set`() {
    var reading = Self.reading(free: 21999, swapFree: 104_288)
    reading.anonymousPages = 20000
    var daemon = Self.daemon()
    #expect(daemon.wake(.partialStall, reading) == Self.kill(.lowMemory, 701))
    // 420000 of 440000 pages are swapped: 95 %.
    daemon = Self.daemon { $0.swapUtilizationMax = 95 }
    #expect(daemon.wake(.partialStall, reading) == Self.kill(.lowMemory, 701))
    daemon = Self.daemon { $0.swapUtilizationMax = 94 }
    #expect(
      daemon.wake(.partialStall, reading) == Self.kill(.lowMemoryAndSwapUtilization, 0))
    reading.freePages = 22000
    daemon = Self.daemon { $0.swapUtilizationMax = 94 }
    #expect(daemon.wake(.partialStall, reading) == .nothing)
  }

  @Test func `little file cache after thrashing is a reason until it has recovered`() {
    var daemon = Self.begun {
      $0.fileCacheMinPages = 6400
      $0.lowMemoryMinAdj = 1001
    }
    let thrashing = Self.reading(ms: 2500, refaults: 60_000)
    let outcome = daemon.wake(.partialStall, thrashing)
    #expect(outcome == Self.kill(.lowMemoryAndThrashing, 201, cuts: true))
    let little = Self.reading(ms: 3600, free: 99999, refaults: 60_000, file: 6399)
    #expect(daemon.wake(.poll, little) == Self.kill(.lowFileCacheAfterThrashing, 201))
    let enough = Self.reading(ms: 4700, free: 99999, refaults: 60_000, file: 6400)
    #expect(daemon.wake(.poll, enough) == .nothing)
    let again = Self.reading(ms: 5800, free: 99999, refaults: 60_000, file: 100)
    #expect(daemon.wake(.poll, again) == .nothing)
  }

  @Test func `complete stalls above their limit lift protection, strictly`() {
    for (limit, stalled, minAdj) in [(100, 100, 701), (99, 99.5, 0), (50, 50, 701)]
      as [(Double, Double, Int16)]
    {
      var daemon = Self.daemon { $0.stallLimitCritical = limit }
      var reading = Self.reading()
      reading.fullStallPercent = stalled
      #expect(daemon.wake(.partialStall, reading) == Self.kill(.lowMemory, minAdj))
    }
  }

  @Test func `easily available memory limits free swap where a ratio is set`() {
    // 20000 free and 2500 inactive pages hold 45000 swapped ones, below 52428.
    var daemon = Self.daemon { $0.swapCompressionRatio = 2 }
    let outcome = daemon.wake(.partialStall, Self.reading(file: 5000))
    #expect(daemon.swapIsLow)
    #expect(outcome == Self.kill(.lowMemoryAndSwap, 201))
  }

  @Test func `a kill for low memory spares what is perceptible`() {
    var daemon = Self.daemon { $0.lowMemoryMinAdj = 50 }
    #expect(daemon.wake(.partialStall, Self.reading()) == Self.kill(.lowMemory, 201))
  }

  @Test func `reasons have lmkd's codes`() {
    #expect(LMKDReason.allCases.map(\.rawValue) == Array(0...8))
    #expect(LMKDReason(rawValue: 6) == .lowMemoryAndSwapUtilization)
  }

  @Test func `watermarks are breached strictly, the lowest first`() {
    let expected: [(Int64, Watermarks.Breach)] = [
      (10999, .min), (11000, .low), (21999, .low), (22000, .high), (32999, .high), (33000, .none),
    ]
    for (free, breach) in expected { #expect(Self.marks.breach(freePages: free) == breach) }
  }
}

/// The older strategy: `android-lmk` section 2.6.
struct LegacyLMKDaemonTests {
  private static func reading(free: Int64 = 100, used: Int64 = 900, swapped: Int64 = 100)
    -> LegacyLMKDaemon.Reading
  {
    var reading = LegacyLMKDaemon.Reading()
    reading.freePages = free
    reading.usedPages = used
    reading.usedWithSwapPages = used + swapped
    reading.swapTotalPages = 1000
    reading.swapFreePages = 900
    return reading
  }

  private static func daemon(_ change: (inout LegacyLMKDaemon.Settings) -> Void = { _ in })
    -> LegacyLMKDaemon
  {
    var settings = LegacyLMKDaemon.Settings()
    settings.isLowRAM = true
    change(&settings)
    return LegacyLMKDaemon(settings)
  }

  @Test func `each level has its lowest value`() {
    var daemon = Self.daemon()
    #expect(daemon.minimumAdj(at: .low, Self.reading()) == nil)
    #expect(daemon.minimumAdj(at: .medium, Self.reading()) == 800)
    #expect(daemon.minimumAdj(at: .critical, Self.reading()) == 0)
  }

  @Test func `much memory in swap may make medium pressure critical`() {
    var daemon = Self.daemon {
      $0.upgradesToCritical = true
      $0.upgradePressure = 91
    }
    #expect(daemon.minimumAdj(at: .medium, Self.reading()) == 0)
    #expect(daemon.minimumAdj(at: .medium, Self.reading(swapped: 10)) == 800)
  }

  @Test func `little in swap makes an event count less, or not at all, while swap is free`() {
    var daemon = Self.daemon {
      $0.upgradePressure = 80
      $0.downgradePressure = 95
    }
    #expect(daemon.minimumAdj(at: .critical, Self.reading()) == 800)
    #expect(daemon.minimumAdj(at: .critical, Self.reading(used: 960, swapped: 40)) == nil)
    var full = Self.reading(used: 960, swapped: 40)
    full.swapFreePages = 99
    #expect(daemon.minimumAdj(at: .critical, full) == 0)
  }

  @Test func `with much memory no app goes while more is free than ever at low pressure`() {
    var daemon = Self.daemon { $0.isLowRAM = false }
    #expect(daemon.minimumAdj(at: .medium, Self.reading(free: 10)) == nil)
    _ = daemon.minimumAdj(at: .low, Self.reading(free: 50))
    _ = daemon.minimumAdj(at: .low, Self.reading(free: 40))
    #expect(daemon.mostFreeAtLow == 50)
    #expect(daemon.minimumAdj(at: .medium, Self.reading(free: 49)) == 800)
    #expect(daemon.minimumAdj(at: .medium, Self.reading(free: 50)) == nil)
  }
}
