/// How short memory is, by compressor arithmetic or by available pages.
///
/// Only the figures that are read: they are looked at whenever memory moves.
struct JetsamLevels: BitwiseCopyable, Sendable, Equatable {
  // Shares of what is not compressed, in percent.
  private let warningBelow: Double
  private let warningUntil: Double
  private let criticalBelow: Double
  private let criticalUntil: Double
  // Available pages.
  private let soft: Int64
  private let critical: Int64
  /// How far beyond its threshold a level ends, in percent of that.
  private let returnPercent: Double
  /// So many suspended apps keep the level from being a warning.
  private let enoughSuspended: Int64
  private let hasLevels: Bool

  /// A level that would end before it begins ends where it begins: else it would come and go for
  /// ever at one instant.
  init(_ thresholds: JetsamThresholds, _ parameters: JetsamParameters, era: JetsamEra) {
    warningBelow = parameters.warningBelowPercent
    criticalBelow = parameters.criticalBelowPercent
    criticalUntil = max(parameters.criticalUntilPercent, criticalBelow)
    warningUntil = max(parameters.warningUntilPercent, warningBelow, criticalBelow)
    soft = thresholds.soft
    critical = thresholds.critical
    returnPercent = parameters.levelReturnPercent
    enoughSuspended =
      parameters.warningSuspendedCount.map(Int64.init) ?? era.warningSuspendedCount
    hasLevels = era.hasLevels
  }

  /// The level after `level`, from what is not compressed (ANC) and what the compressor holds, in
  /// pages.
  ///
  /// A level begins below one share of both together and ends above a larger one.
  @inline(__always)
  func next(after level: PressureLevel, uncompressed: Int64, compressor: Int64) -> PressureLevel {
    let both = Double(uncompressed) + Double(compressor)
    func isBelow(_ percent: Double) -> Bool { Double(uncompressed) * 100 < both * percent }
    func isAbove(_ percent: Double) -> Bool { Double(uncompressed) * 100 > both * percent }
    switch level {
    case .normal:
      if isBelow(criticalBelow) { return .critical }
      return isBelow(warningBelow) ? .warning : .normal
    case .warning:
      if isBelow(criticalBelow) { return .critical }
      return isAbove(warningUntil) ? .normal : .warning
    case .critical:
      if isAbove(warningUntil) { return .normal }
      return isAbove(criticalUntil) ? .warning : .critical
    }
  }

  /// The level after `level` where nothing is compressed, from available pages.
  func next(
    after level: PressureLevel, available: Int64, suspendedCount: Int64, hasFrozen: Bool
  ) -> PressureLevel {
    let warns = available < soft && !hasFrozen && suspendedCount < enoughSuspended
    guard hasLevels else { return warns ? .warning : .normal }
    if available < critical { return .critical }
    let staysCritical = level == .critical && !isPast(critical, available)
    if staysCritical { return .critical }
    if warns { return .warning }
    let staysWarned = level != .normal && !isPast(soft, available)
    return staysWarned ? .warning : .normal
  }

  private func isPast(_ threshold: Int64, _ available: Int64) -> Bool {
    Double(available) * 100 > Double(threshold) * (100 + returnPercent)
  }
}
