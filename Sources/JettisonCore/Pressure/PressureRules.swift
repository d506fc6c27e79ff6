/// Thresholds of a run in bytes, and which rules of a pressure model apply.
///
/// Comparisons are strict: a level begins where available memory is below its threshold.
struct PressureRules: BitwiseCopyable, Sendable {
  let model: PressureModelKind
  let family: PressureModelKind.Family
  let warnBytes: Double
  let criticalBytes: Double
  let purgeBytes: Double
  let untilBytes: Double
  /// Where jetsam begins to kill idle apps.
  private let jetsamIdleBytes: Int64
  /// Where Android's killer is content.
  private let contentBytes: Int64

  init(_ configuration: RunConfiguration) {
    let thresholds = configuration.device.thresholds
    let ram = Double(configuration.device.ramBytes)
    model = configuration.pressure
    family = model.family
    warnBytes = ram * thresholds.warnPercent / 100
    criticalBytes = ram * thresholds.criticalPercent / 100
    purgeBytes = ram * thresholds.purgePercent / 100
    untilBytes = ram * thresholds.untilPercent / 100
    let device = configuration.device
    let jetsam = JetsamThresholds(
      ramBytes: device.ramBytes, pageBytes: device.pageBytes, era: JetsamEra(model),
      parameters: device.pressureParameters.jetsam)
    jetsamIdleBytes = jetsam.idle * device.pageBytes
    contentBytes = family == .android ? AndroidRules(configuration).contentBytes : 0
  }

  /// Whether apps die at a footprint of their own, and warnings go out.
  var hasLimits: Bool { model != .idealCache }

  /// Whether apps stand in bands, or have an `oom_score_adj`, that the engine keeps up to date.
  var tracksStandings: Bool { family == .jetsam || family == .android }

  /// Whether page reclaim, and the time that apps stall for it, is accounted for as Linux does.
  var tracksStalls: Bool { family == .linux }

  /// How short memory is where the level follows from available memory alone.
  @inline(__always)
  func level(availableBytes: Int64) -> PressureLevel {
    guard model != .idealCache else { return .normal }
    let available = Double(availableBytes)
    if available < criticalBytes { return .critical }
    return available < warnBytes ? .warning : .normal
  }

  /// Available memory below which a purged app's bytes were needed after all.
  var wasteThresholdBytes: Int64 {
    switch family {
    case .thresholds: Int64(purgeBytes.rounded(.up))
    case .jetsam: jetsamIdleBytes
    case .android: contentBytes
    case .ios4, .linux: Int64(criticalBytes.rounded(.up))
    case .idealCache: 0
    }
  }
}
