/// Available pages below which jetsam acts; every comparison is strict.
///
/// All arithmetic is in whole numbers, and quotients are truncated, as in the kernel.
struct JetsamThresholds: BitwiseCopyable, Sendable, Equatable {
  private static let gibibyte: Int64 = 1 << 30

  /// Pages of RAM.
  let total: Int64
  /// Anyone may be killed, in ascending band order.
  let critical: Int64
  /// Band 0 may be killed.
  let idle: Int64
  /// Pressure; purging is enough from here on.
  let soft: Int64
  /// Processes over their limit may be killed.
  let highwater: Int64
  /// Long-idle processes may be swept; 0: never.
  let reaper: Int64
  /// The freezer may work.
  let freeze: Int64
  /// Available pages up to which aggressive kills may happen.
  let aggressive: Int64

  /// The thresholds of a device with `ramBytes` of RAM, an era and what was set by hand.
  ///
  /// - Precondition: `pageBytes` is positive.
  init(
    ramBytes: Int64, pageBytes: Int64, era: JetsamEra, parameters: JetsamParameters
  ) {
    let total = max(0, ramBytes) / max(1, pageBytes)
    func pages(_ percent: Double?, else pages: Int64) -> Int64 {
      percent.map { min(total, Int64(Double(total) * max(0, $0) / 100)) } ?? pages
    }
    let isLarge = ramBytes > 3 * Self.gibibyte
    let percent: Int64 = era.isLeanerOnLargeDevices && isLarge ? 4 : 5
    let critical = pages(
      parameters.criticalPercent, else: Self.part(total, percent, over: 100))
    let soft: Int64
    let idle: Int64
    let reaper: Int64
    switch era.spacing {
    case .addedPercent:
      soft = pages(parameters.softPercent, else: Self.part(total, 15, over: 100))
      idle = min(critical + Self.part(total, 5, over: 100), max(soft, critical))
      reaper = 0
    case .multiplied:
      let quarters = Self.quarters(ramBytes: ramBytes)
      soft = pages(parameters.softPercent, else: Self.part(critical, quarters.soft, over: 4))
      idle = Self.part(critical, quarters.idle, over: 4)
      reaper = era.hasReaper ? Self.part(critical, quarters.reaper, over: 4) : 0
    }
    self.total = total
    self.critical = critical
    self.soft = soft
    self.idle = pages(parameters.idlePercent, else: era.idleRule == .none ? critical : idle)
    let highwater = era.highwaterPercent.map { Self.part(total, $0, over: 100) } ?? soft
    self.highwater = pages(parameters.highwaterPercent, else: highwater)
    self.reaper = pages(parameters.reaperPercent, else: reaper)
    freeze = pages(parameters.freezePercent, else: 0)
    aggressive = pages(parameters.aggressivePercent, else: 0)
  }

  /// Multiples of the critical threshold, in quarters.
  private static func quarters(ramBytes: Int64) -> (idle: Int64, soft: Int64, reaper: Int64) {
    switch ramBytes {
    case ...(3 * gibibyte): (8, 12, 16)
    case ...(6 * gibibyte): (9, 15, 18)
    default: (8, 12, 16)
    }
  }

  /// A part of a number of pages, truncated.
  private static func part(_ pages: Int64, _ numerator: Int64, over denominator: Int64) -> Int64 {
    Int64(clamping: Int128(pages) * Int128(numerator) / Int128(denominator))
  }

  /// Pages up to which warnings follow one another without a pause.
  var hurried: Int64 { soft - (soft - critical) / 2 }
}

extension JetsamThresholds {
  /// Those of a run.
  init(_ configuration: RunConfiguration) {
    let device = configuration.device
    self.init(
      ramBytes: device.ramBytes, pageBytes: device.pageBytes,
      era: JetsamEra(configuration.pressure), parameters: device.pressureParameters.jetsam)
  }
}
