/// Thresholds of a run in bytes, and the levels that follow from them.
///
/// Comparisons are strict: a level begins where available memory is below its threshold.
struct PressureRules: BitwiseCopyable, Sendable {
  let model: PressureModelKind
  let warnBytes: Double
  let criticalBytes: Double
  let purgeBytes: Double
  let untilBytes: Double
  /// Where the levels of `thresholds` end: above their thresholds.
  private let warnEndBytes: Double
  private let criticalEndBytes: Double
  /// How far memory must move for `ios-4` to note it.
  private let stepBytes: Double

  init(_ configuration: RunConfiguration) {
    let thresholds = configuration.device.thresholds
    let ram = Double(configuration.device.ramBytes)
    model = configuration.pressure
    warnBytes = ram * thresholds.warnPercent / 100
    criticalBytes = ram * thresholds.criticalPercent / 100
    purgeBytes = ram * thresholds.purgePercent / 100
    untilBytes = ram * thresholds.untilPercent / 100
    stepBytes = ram * thresholds.stepPercent / 100
    // A level that would end before a higher one begins would come and go at one instant.
    let end = (100 + thresholds.returnPercent) / 100
    criticalEndBytes = criticalBytes * end
    warnEndBytes = max(warnBytes, criticalBytes) * end
  }

  /// The thresholds themselves, in bytes of available memory.
  var thresholdBytes: [(key: String, bytes: Int64)] {
    [
      ("warn", warnBytes), ("until", untilBytes), ("purge", purgeBytes),
      ("critical", criticalBytes),
    ].map { (key: "thresholds.\($0.0)", bytes: Int64($0.1.rounded())) }
  }

  /// The level after `level` where it follows from available memory: it begins below a threshold
  /// and ends above a larger one.
  @inline(__always)
  func level(after level: PressureLevel, availableBytes: Int64) -> PressureLevel {
    let available = Double(availableBytes)
    if available < criticalBytes || (level == .critical && available <= criticalEndBytes) {
      return .critical
    }
    return available < warnBytes || (level != .normal && available <= warnEndBytes)
      ? .warning : .normal
  }

  /// Available memory from which on falling memory leaves a level as it is.
  func leastBytes(of level: PressureLevel) -> Double {
    switch level {
    case .normal: max(warnBytes, criticalBytes)
    case .warning: criticalBytes
    case .critical: -.infinity
    }
  }

  /// How short memory is by the last noted figure, which is all that warnings go by (`ios-4`).
  @inline(__always)
  func level(notedBytes: Int64) -> PressureLevel {
    let noted = Double(notedBytes)
    if noted < criticalBytes { return .critical }
    return noted < warnBytes ? .warning : .normal
  }

  /// What `ios-4` knows of available memory: it is noted when it has moved by a whole step, and
  /// when it passes the critical threshold.
  @inline(__always)
  func noted(_ availableBytes: Int64, after notedBytes: Int64) -> Int64 {
    let available = Double(availableBytes)
    let noted = Double(notedBytes)
    let passesCritical = (available < criticalBytes) != (noted < criticalBytes)
    return passesCritical || abs(available - noted) >= stepBytes ? availableBytes : notedBytes
  }

  /// Available memory above which falling memory stays noted as it is.
  func leastBytes(notedAs notedBytes: Int64) -> Double {
    let noted = Double(notedBytes)
    return max(noted - stepBytes, noted < criticalBytes ? -.infinity : criticalBytes.nextDown)
  }
}
