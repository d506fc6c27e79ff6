/// How short memory is, by compressor arithmetic or by available pages.
struct JetsamLevels: BitwiseCopyable, Sendable, Equatable {
  let thresholds: JetsamThresholds
  let warningBelowPPM: Int64
  let criticalBelowPPM: Int64
  let criticalUntilPPM: Int64
  let warningUntilPPM: Int64
  let returnPPM: Int64
  let suspendedCount: Int64

  init(_ thresholds: JetsamThresholds, _ parameters: JetsamParameters) {
    self.thresholds = thresholds
    warningBelowPPM = parameters.warningBelowPPM
    criticalBelowPPM = parameters.criticalBelowPPM
    criticalUntilPPM = parameters.criticalUntilPPM
    warningUntilPPM = parameters.warningUntilPPM
    returnPPM = parameters.levelReturnPPM
    suspendedCount = parameters.warningSuspendedCount
  }

  /// The level after `level`, from what is not compressed (ANC) and what the compressor holds, in
  /// pages.
  ///
  /// A level begins below one share of both together and ends above a larger one.
  func next(after level: PressureLevel, uncompressed: Int64, compressor: Int64) -> PressureLevel {
    let both = Double(uncompressed) + Double(compressor)
    func isBelow(_ ppm: Int64) -> Bool { Double(uncompressed) * 1e6 < both * Double(ppm) }
    func isAbove(_ ppm: Int64) -> Bool { Double(uncompressed) * 1e6 > both * Double(ppm) }
    switch level {
    case .normal:
      if isBelow(criticalBelowPPM) { return .critical }
      return isBelow(warningBelowPPM) ? .warning : .normal
    case .warning:
      if isBelow(criticalBelowPPM) { return .critical }
      return isAbove(warningUntilPPM) ? .normal : .warning
    case .critical:
      if isAbove(warningUntilPPM) { return .normal }
      return isAbove(criticalUntilPPM) ? .warning : .critical
    }
  }

  /// The level after `level` where nothing is compressed, from available pages.
  func next(
    after level: PressureLevel, available: Int64, suspendedCount: Int64, hasFrozen: Bool
  ) -> PressureLevel {
    if available < thresholds.critical { return .critical }
    let warns =
      available < thresholds.soft && !hasFrozen && suspendedCount < self.suspendedCount
    let staysCritical = level == .critical && !isPast(thresholds.critical, available)
    if staysCritical { return .critical }
    if warns { return .warning }
    let staysWarned = level != .normal && !isPast(thresholds.soft, available)
    return staysWarned ? .warning : .normal
  }

  private func isPast(_ threshold: Int64, _ available: Int64) -> Bool {
    Double(available) * 1e6 > Double(threshold) * Double(returnPPM)
  }
}
