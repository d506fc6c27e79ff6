/// Thresholds of a run in bytes, and which rules of a pressure model apply.
///
/// Comparisons are strict: a level begins where available memory is below its threshold.
struct PressureRules: BitwiseCopyable, Sendable {
  let model: PressureModelKind
  let warnBytes: Double
  let criticalBytes: Double
  let purgeBytes: Double
  let untilBytes: Double

  init(_ configuration: RunConfiguration) {
    let thresholds = configuration.device.thresholds
    let ram = Double(configuration.device.ramBytes)
    model = configuration.pressure
    warnBytes = ram * thresholds.warnPercent / 100
    criticalBytes = ram * thresholds.criticalPercent / 100
    purgeBytes = ram * thresholds.purgePercent / 100
    untilBytes = ram * thresholds.untilPercent / 100
  }

  /// Whether apps die at a footprint of their own, and warnings go out.
  var hasLimits: Bool { model != .idealCache }

  /// How short memory is.
  @inline(__always)
  func level(availableBytes: Int64) -> PressureLevel {
    guard model != .idealCache else { return .normal }
    let available = Double(availableBytes)
    if available < criticalBytes { return .critical }
    return available < warnBytes ? .warning : .normal
  }

  /// Available memory below which a purged app's bytes were needed after all.
  var wasteThresholdBytes: Int64 {
    switch model {
    case .thresholds: Int64(purgeBytes.rounded(.up))
    case .ios4: Int64(criticalBytes.rounded(.up))
    case .idealCache: 0
    }
  }
}
