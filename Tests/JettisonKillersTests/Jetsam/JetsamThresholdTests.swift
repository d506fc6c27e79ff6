import Testing

@testable import JettisonCore

/// Thresholds by RAM and era, and the levels that follow from them.
@Suite("Jetsam thresholds") struct JetsamThresholdTests {
  static let mebibyte: Int64 = 1 << 20

  static func thresholds(
    _ ramMiB: Int64, _ era: JetsamEra = .ios18, page: Int64 = 16384,
    _ change: (inout JetsamParameters) -> Void = { _ in }
  ) -> JetsamThresholds {
    var parameters = JetsamParameters()
    change(&parameters)
    return JetsamThresholds(
      ramBytes: ramMiB * mebibyte, pageBytes: page, era: era, parameters: parameters)
  }

  /// Tenths of a MiB, to the nearest.
  static func tenths(_ pages: Int64, page: Int64) -> Int64 {
    (pages * page * 10 + mebibyte / 2) / mebibyte
  }

  @Test(
    "The table by RAM, in tenths of a MiB: critical, idle, soft, reaper",
    arguments: [
      (256, [128, 256, 384, 512]), (512, [256, 512, 768, 1024]),
      (1024, [512, 1024, 1536, 2048]), (2048, [1024, 2048, 3072, 4096]),
      (3072, [1536, 3072, 4608, 6144]), (4096, [1638, 3686, 6143, 7372]),
      (6144, [2458, 5529, 9216, 11059]), (8192, [3277, 6553, 9830, 13107]),
      (16384, [6554, 13107, 19661, 26214]),
    ] as [(Int64, [Int64])])
  func table(ramMiB: Int64, expected: [Int64]) {
    let page: Int64 = ramMiB < 1024 ? 4096 : 16384
    let thresholds = Self.thresholds(ramMiB, page: page)
    let pages = [thresholds.critical, thresholds.idle, thresholds.soft, thresholds.reaper]
    for (pages, tenths) in zip(pages, expected) {
      // Whole pages lie below the exact share by less than one page.
      #expect(abs(Self.tenths(pages, page: page) - tenths) <= 1, "\(ramMiB) MiB")
    }
    #expect(thresholds.freeze == thresholds.total / 2)
    #expect(thresholds.highwater == thresholds.soft)
  }

  @Test("Pages are whole and truncated: the worked example's device")
  func workedExample() {
    let thresholds = Self.thresholds(4096)
    #expect(thresholds.total == 262_144)
    #expect(thresholds.critical == 10_485)
    #expect(thresholds.idle == 23_591)
    #expect(thresholds.soft == 39_318)
    #expect(thresholds.reaper == 47_182)
    #expect(thresholds.aggressive == 18_350)
    #expect(thresholds.hurried == 24_902)
  }

  @Test(
    "Each era has its own: critical, idle, soft, high-water and reaper in percent of 100 MiB",
    arguments: [
      (JetsamEra.ios6, [5, 5, 15, 10, 0]), (.ios7, [5, 10, 15, 15, 0]),
      (.ios12, [5, 10, 15, 15, 0]), (.ios14, [5, 10, 15, 15, 0]), (.ios17, [5, 10, 15, 15, 0]),
      (.ios18, [5, 10, 15, 15, 20]),
    ] as [(JetsamEra, [Int64])])
  func eras(era: JetsamEra, percent: [Int64]) {
    let thresholds = Self.thresholds(100, era, page: Self.mebibyte)
    #expect(
      [
        thresholds.critical, thresholds.idle, thresholds.soft, thresholds.highwater,
        thresholds.reaper,
      ] == percent)
  }

  @Test(
    "Above 3 GiB the critical share is 4 %, from iOS 14 on",
    arguments: [
      (JetsamEra.ios7, 5), (.ios12, 5), (.ios14, 4), (.ios17, 4), (.ios18, 4),
    ] as [(JetsamEra, Int64)])
  func largeDevices(era: JetsamEra, percent: Int64) {
    let large = Self.thresholds(4000, era, page: Self.mebibyte)
    #expect(large.critical == 4000 * percent / 100)
    #expect(Self.thresholds(3072, era, page: Self.mebibyte).critical == 3072 * 5 / 100)
    let raised = era.spacing == .addedPercent ? large.critical + 200 : large.critical * 9 / 4
    #expect(large.idle == raised)
    #expect(large.soft == 600)
  }

  @Test("What is set by hand holds, and the others follow a set critical threshold")
  func overrides() {
    let page = Self.mebibyte
    let own = Self.thresholds(100, page: page) {
      $0.criticalPercent = 8
      $0.reaperPercent = 0
      $0.aggressivePercent = 12.5
    }
    #expect([own.critical, own.idle, own.soft, own.reaper] == [8, 16, 24, 0])
    #expect(own.aggressive == 12)
    let low = Self.thresholds(100, .ios7, page: page) { $0.softPercent = 7 }
    // Five percent more, but never above pressure.
    #expect([low.critical, low.idle, low.soft] == [5, 7, 7])
    let most = Self.thresholds(100, page: page) { $0.criticalPercent = 100 }
    #expect(most.critical == 100)
  }

  @Test("A device without RAM has thresholds of nothing")
  func nothing() {
    let nothing = Self.thresholds(0)
    #expect(nothing.total == 0)
    let most = JetsamThresholds(
      ramBytes: .max, pageBytes: 1, era: .ios18, parameters: JetsamParameters())
    #expect(most.reaper == most.critical * 4)
  }

  // MARK: Levels

  @Test(
    "With a compressor: a level begins below 50 % and 30 %, and ends above 60 % and 35 %",
    arguments: [
      (.normal, 500, .normal), (.normal, 499, .warning), (.normal, 300, .warning),
      (.normal, 299, .critical), (.warning, 300, .warning), (.warning, 299, .critical),
      (.warning, 600, .warning), (.warning, 601, .normal), (.critical, 350, .critical),
      (.critical, 351, .warning), (.critical, 600, .warning), (.critical, 601, .normal),
    ] as [(PressureLevel, Int64, PressureLevel)])
  func compressor(before: PressureLevel, perMille: Int64, after: PressureLevel) {
    let levels = JetsamLevels(Self.thresholds(4096), JetsamParameters(), era: .ios18)
    #expect(
      levels.next(after: before, uncompressed: perMille, compressor: 1000 - perMille) == after)
  }

  @Test("In terms of the compressor: below C, below 0.43 C, above 0.54 C, above 1.5 C")
  func compressorTerms() {
    let levels = JetsamLevels(Self.thresholds(4096), JetsamParameters(), era: .ios18)
    #expect(levels.next(after: .normal, uncompressed: 9_999, compressor: 10_000) == .warning)
    #expect(levels.next(after: .warning, uncompressed: 4_285, compressor: 10_000) == .critical)
    #expect(levels.next(after: .critical, uncompressed: 5_385, compressor: 10_000) == .warning)
    #expect(levels.next(after: .warning, uncompressed: 15_001, compressor: 10_000) == .normal)
    // A public report of iOS 14.2 was at warning.
    #expect(levels.next(after: .normal, uncompressed: 95_065, compressor: 96_635) == .warning)
    #expect(levels.next(after: .normal, uncompressed: 0, compressor: 0) == .normal)
  }

  @Test(
    "Without a compressor: available pages decide, and a level ends 15 % above its threshold",
    arguments: [
      (.normal, 15_000, 0, .normal), (.normal, 14_999, 0, .warning),
      (.normal, 14_999, 4, .normal), (.normal, 14_999, 3, .warning),
      (.normal, 4_999, 4, .critical), (.warning, 17_250, 0, .warning),
      (.warning, 17_251, 0, .normal), (.critical, 5_750, 0, .critical),
      (.critical, 5_751, 0, .warning), (.critical, 20_000, 0, .normal),
      (.critical, 5_751, 4, .warning),
    ] as [(PressureLevel, Int64, Int64, PressureLevel)])
  func available(
    before: PressureLevel, available: Int64, suspended: Int64, after: PressureLevel
  ) {
    let thresholds = JetsamThresholds(
      ramBytes: 100_000, pageBytes: 1, era: .ios7, parameters: JetsamParameters())
    let levels = JetsamLevels(thresholds, JetsamParameters(), era: .ios7)
    #expect(
      levels.next(
        after: before, available: available, suspendedCount: suspended, hasFrozen: false)
        == after)
  }

  @Test(
    "iOS 6 knows one level: below soft, with four suspended apps at most, and no longer",
    arguments: [
      (.normal, 15_000, 0, .normal), (.normal, 14_999, 0, .warning),
      (.normal, 14_999, 4, .warning), (.normal, 14_999, 5, .normal),
      (.warning, 14_999, 5, .normal), (.warning, 15_000, 0, .normal),
      (.warning, 4_000, 4, .warning), (.normal, 4_000, 5, .normal),
    ] as [(PressureLevel, Int64, Int64, PressureLevel)])
  func short(before: PressureLevel, available: Int64, suspended: Int64, after: PressureLevel) {
    var parameters = JetsamParameters()
    let thresholds = JetsamThresholds(
      ramBytes: 100_000, pageBytes: 1, era: .ios6, parameters: parameters)
    func next() -> PressureLevel {
      JetsamLevels(thresholds, parameters, era: .ios6).next(
        after: before, available: available, suspendedCount: suspended, hasFrozen: false)
    }
    #expect(next() == after)
    parameters.warningSuspendedCount = 0
    #expect(next() == .normal)
  }

  @Test("A frozen process keeps the level normal where nothing is compressed")
  func frozen() {
    let levels = JetsamLevels(Self.thresholds(4096), JetsamParameters(), era: .ios18)
    #expect(
      levels.next(after: .normal, available: 20_000, suspendedCount: 0, hasFrozen: true)
        == .normal)
    #expect(
      levels.next(after: .normal, available: 1_000, suspendedCount: 0, hasFrozen: true)
        == .critical)
  }
}
