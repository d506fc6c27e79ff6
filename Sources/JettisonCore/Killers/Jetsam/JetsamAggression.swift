/// Aggressive kills: many at once, when idle processes come back as fast as they go.
struct JetsamAggression: BitwiseCopyable, Sendable {
  private static let smallRAMBytes: Int64 = 512 << 20

  let count: Int64
  let relaunchPercent: Double
  let periodNanoseconds: Int64
  /// Activations since the last reset.
  private(set) var activations = 0
  /// When the count was last reset, in nanoseconds; `.min`: never.
  private(set) var lastReset: Int64 = .min
  /// All processes up to this band go now; `.min`: none.
  private(set) var target: Int16 = .min
  /// How many may still be killed.
  private(set) var remaining: Int64 = 0

  init(_ parameters: JetsamParameters, ramBytes: Int64) {
    count = Int64(parameters.aggressiveCount)
    relaunchPercent = parameters.aggressiveRelaunchPercent
    periodNanoseconds =
      parameters.aggressivePeriodNanoseconds
      ?? (ramBytes <= Self.smallRAMBytes ? 8_000_000_000 : 6_000_000_000)
  }

  /// Whether bands 0 and 10 hold enough processes of which nearly all are likely to come back, and
  /// memory is short enough.
  func isCalledFor(
    idleCount: Int64, likelyCount: Int64, availablePages: Int64, thresholds: JetsamThresholds
  ) -> Bool {
    // An empty band has no victim, however few are asked for.
    idleCount > 0 && idleCount >= count
      && Double(likelyCount) * 100 >= Double(idleCount) * relaunchPercent
      && availablePages <= thresholds.aggressive
  }

  /// The band up to which an activation kills.
  static func band(activation: Int) -> Int16 {
    switch activation {
    case ...2: PriorityBand.mail
    case 3, 4: PriorityBand.uiSupport
    default: PriorityBand.driver
    }
  }

  /// Whether an activation is going on.
  var isActive: Bool { target != .min }

  /// Begins an activation: kills at most twice as many as there are below the target.
  mutating func begin(at now: Int64) {
    if lastReset == .min || now - lastReset > periodNanoseconds { reset(at: now) }
    activations += 1
    target = Self.band(activation: activations)
  }

  /// Sets how many may go.
  mutating func limit(toTwice belowTarget: Int64) { remaining = 2 * belowTarget }

  /// One is gone.
  mutating func killed() {
    remaining -= 1
    if remaining <= 0 { stop() }
  }

  /// No process is left up to the target, or enough have gone.
  mutating func stop() {
    target = .min
    remaining = 0
  }

  /// There are no candidates, or the period is over.
  mutating func reset(at now: Int64) {
    activations = 0
    lastReset = now
  }
}
