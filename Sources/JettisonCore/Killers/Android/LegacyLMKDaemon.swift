/// How strongly memory is asked for, as the older strategy of lmkd hears it.
package enum LegacyPressure: UInt8, Comparable, BitwiseCopyable, Sendable {
  case low
  case medium
  case critical

  package static func < (lhs: LegacyPressure, rhs: LegacyPressure) -> Bool {
    lhs.rawValue < rhs.rawValue
  }
}

/// The older strategy of lmkd: a lowest `oom_score_adj` for each level of pressure.
///
/// Source: `lmkd.cpp` of the Android Open Source Project.
package struct LegacyLMKDaemon: Sendable {
  /// What it is told.
  package struct Settings: Sendable, Equatable {
    package var lowAdj: Int16 = 1001
    package var mediumAdj: Int16 = 800
    package var criticalAdj: Int16 = 0
    package var upgradesToCritical = false
    package var upgradePressure: Int64 = 100
    package var downgradePressure: Int64 = 100
    package var swapFreeLowPercent: Int64 = 10
    package var isLowRAM = false

    package init() {}
  }

  /// What it reads at an event, in pages.
  package struct Reading: BitwiseCopyable, Sendable {
    package var freePages: Int64 = 0
    /// In use in memory, and in memory and swap together.
    package var usedPages: Int64 = 0
    package var usedWithSwapPages: Int64 = 0
    package var swapTotalPages: Int64 = 0
    package var swapFreePages: Int64 = 0

    package init() {}
  }

  package let settings: Settings
  /// The most that was ever free at an event of low pressure, in pages.
  package private(set) var mostFreeAtLow: Int64 = 0

  package init(_ settings: Settings) { self.settings = settings }

  /// The lowest value that may be killed at an event; nil: none.
  package mutating func minimumAdj(at event: LegacyPressure, _ reading: Reading) -> Int16? {
    if event == .low { mostFreeAtLow = max(mostFreeAtLow, reading.freePages) }
    guard let level = level(event, reading) else { return nil }
    guard settings.isLowRAM || reading.freePages < mostFreeAtLow else { return nil }
    let adj: Int16 =
      switch level {
      case .low: settings.lowAdj
      case .medium: settings.mediumAdj
      case .critical: settings.criticalAdj
      }
    return adj <= OomAdj.highest ? adj : nil
  }

  /// The level that an event counts as; nil: it is ignored.
  private func level(_ event: LegacyPressure, _ reading: Reading) -> LegacyPressure? {
    guard reading.usedWithSwapPages > 0 else { return event }
    var level = event
    let inMemory = reading.usedPages * 100 / reading.usedWithSwapPages
    if settings.upgradesToCritical, inMemory < settings.upgradePressure, level < .critical {
      level = level == .low ? .medium : .critical
    }
    let isSwapLow =
      reading.swapFreePages < reading.swapTotalPages * settings.swapFreeLowPercent / 100
    guard !isSwapLow else { return level }
    if inMemory > settings.downgradePressure { return nil }
    if level == .critical, inMemory > settings.upgradePressure { level = .medium }
    return level
  }
}
