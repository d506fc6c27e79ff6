/// How short memory is, by compressor arithmetic or by available pages.
struct JetsamLevels: Sendable, Equatable {
  let thresholds: JetsamThresholds
  let parameters: JetsamParameters
  let era: JetsamEra

  /// A level that would end before it begins ends where it begins: else it would come and go for
  /// ever at one instant.
  init(_ thresholds: JetsamThresholds, _ parameters: JetsamParameters, era: JetsamEra) {
    self.thresholds = thresholds
    self.era = era
    var parameters = parameters
    parameters.criticalUntilPercent = max(
      parameters.criticalUntilPercent, parameters.criticalBelowPercent)
    parameters.warningUntilPercent = max(
      parameters.warningUntilPercent, parameters.warningBelowPercent,
      parameters.criticalBelowPercent)
    self.parameters = parameters
  }

  /// The level after `level`, from what is not compressed (ANC) and what the compressor holds, in
  /// pages.
  ///
  /// A level begins below one share of both together and ends above a larger one.
  func next(after level: PressureLevel, uncompressed: Int64, compressor: Int64) -> PressureLevel {
    let both = Double(uncompressed) + Double(compressor)
    func isBelow(_ percent: Double) -> Bool { Double(uncompressed) * 100 < both * percent }
    func isAbove(_ percent: Double) -> Bool { Double(uncompressed) * 100 > both * percent }
    switch level {
    case .normal:
      if isBelow(parameters.criticalBelowPercent) { return .critical }
      return isBelow(parameters.warningBelowPercent) ? .warning : .normal
    case .warning:
      if isBelow(parameters.criticalBelowPercent) { return .critical }
      return isAbove(parameters.warningUntilPercent) ? .normal : .warning
    case .critical:
      if isAbove(parameters.warningUntilPercent) { return .normal }
      return isAbove(parameters.criticalUntilPercent) ? .warning : .critical
    }
  }

  /// The level after `level` where nothing is compressed, from available pages.
  func next(
    after level: PressureLevel, available: Int64, suspendedCount: Int64, hasFrozen: Bool
  ) -> PressureLevel {
    let enough = parameters.warningSuspendedCount.map(Int64.init) ?? era.warningSuspendedCount
    let warns = available < thresholds.soft && !hasFrozen && suspendedCount < enough
    guard era.hasLevels else { return warns ? .warning : .normal }
    if available < thresholds.critical { return .critical }
    let staysCritical = level == .critical && !isPast(thresholds.critical, available)
    if staysCritical { return .critical }
    if warns { return .warning }
    let staysWarned = level != .normal && !isPast(thresholds.soft, available)
    return staysWarned ? .warning : .normal
  }

  private func isPast(_ threshold: Int64, _ available: Int64) -> Bool {
    Double(available) * 100 > Double(threshold) * (100 + parameters.levelReturnPercent)
  }
}
