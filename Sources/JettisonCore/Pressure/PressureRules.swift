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
  /// Where the levels of `thresholds` end: above their thresholds.
  private let warnEndBytes: Double
  private let criticalEndBytes: Double
  /// How far memory must move for `ios-4` to note it.
  private let stepBytes: Double
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
    stepBytes = ram * thresholds.stepPercent / 100
    // A level that would end before a higher one begins would come and go at one instant.
    let end = (100 + thresholds.returnPercent) / 100
    criticalEndBytes = criticalBytes * end
    warnEndBytes = max(warnBytes, criticalBytes) * end
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
  var tracksStandings: Bool {
    @inline(__always) get { family == .jetsam || family == .android }
  }

  /// Whether page reclaim, and the time that apps stall for it, is accounted for as Linux does.
  var tracksStalls: Bool { family == .linux }

  /// The level after `level` where it follows from available memory: it begins below a threshold
  /// and ends above a larger one.
  @inline(__always)
  func level(after level: PressureLevel, availableBytes: Int64) -> PressureLevel {
    guard model != .idealCache else { return .normal }
    let available = Double(availableBytes)
    if available < criticalBytes || (level == .critical && available <= criticalEndBytes) {
      return .critical
    }
    return available < warnBytes || (level != .normal && available <= warnEndBytes)
      ? .warning : .normal
  }

  /// How short memory is where whoever sends warnings knows only what was noted last (`ios-4`).
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
