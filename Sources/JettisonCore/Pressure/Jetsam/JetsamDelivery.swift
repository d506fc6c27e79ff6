/// Who hears that memory is short, in what order and how soon after one another.
struct JetsamDelivery: BitwiseCopyable, Sendable {
  /// A process that may hear, with what decides its turn.
  struct Hearer: BitwiseCopyable, Sendable {
    let app: AppIndex
    let band: Int16
    let footprintBytes: Int64

    /// The lowest band is first while pressure rises or holds, the highest while it falls.
    ///
    /// Of one band, the largest goes first, then the smaller name.
    static func precedes(_ a: Hearer, _ b: Hearer, isFalling: Bool) -> Bool {
      if a.band != b.band { return (a.band < b.band) != isFalling }
      if a.footprintBytes != b.footprintBytes { return a.footprintBytes > b.footprintBytes }
      return a.app < b.app
    }
  }

  let lowestBand: Int16
  let minimumBytes: Int64
  let spacingNanoseconds: Int64
  let restNanoseconds: Int64
  let fallNanoseconds: Int64
  let renewalNanoseconds: Int64
  /// The level has fallen, not risen, to where it is.
  private(set) var isFalling = false
  private var levelSince: Int64 = 0
  private var warningRestEnd: Int64 = .min
  private var criticalRestEnd: Int64 = .min

  init(era: JetsamEra, parameters: JetsamParameters) {
    lowestBand = Int16(clamping: parameters.warningBand)
    minimumBytes = parameters.warningMinimumBytes ?? era.warningMinimumBytes
    spacingNanoseconds = parameters.warningSpacingNanoseconds
    restNanoseconds = parameters.warningRestNanoseconds ?? era.warningRestNanoseconds
    fallNanoseconds = parameters.warningFallNanoseconds
    renewalNanoseconds = parameters.warningRenewalNanoseconds
  }

  /// Whether a process may hear at all; the suspended never do.
  func mayHear(band: Int16, footprintBytes: Int64, isSuspended: Bool) -> Bool {
    !isSuspended && band >= lowestBand && footprintBytes >= minimumBytes
  }

  /// Time to the next process: none once memory is really short.
  func spacing(availablePages: Int64, thresholds: JetsamThresholds) -> Int64 {
    availablePages <= thresholds.hurried ? 0 : spacingNanoseconds
  }

  /// The level changed; the result is when to act on it.
  ///
  /// A rise is told at once. A fall must have lasted for a while.
  mutating func changeLevel(
    from before: PressureLevel, to level: PressureLevel, at now: Int64
  ) -> Int64 {
    levelSince = now
    isFalling = level < before
    return isFalling ? now + fallNanoseconds : now
  }

  /// Nobody is left to tell; the result is when everyone is told again.
  ///
  /// A rest that has begun is not prolonged by those who were told meanwhile.
  mutating func rest(_ level: PressureLevel, at now: Int64) -> Int64 {
    isFalling = false
    var end = level == .critical ? criticalRestEnd : warningRestEnd
    if end <= now { end = now + restNanoseconds }
    if level == .critical { criticalRestEnd = end } else { warningRestEnd = end }
    let renewal = levelSince + renewalNanoseconds
    return renewal > now ? min(end, renewal) : end
  }
}
