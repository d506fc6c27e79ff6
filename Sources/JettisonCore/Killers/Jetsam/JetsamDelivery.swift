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

  /// What a change of level asks for.
  struct Walk: BitwiseCopyable, Sendable, Equatable {
    /// When the first process is told, or everyone told again from the next time on.
    let start: Int64
    /// Processes that heard of this level before hear of it again.
    let tellsAgain: Bool
  }

  let lowestBand: Int16
  let minimumBytes: Int64
  let spacingNanoseconds: Int64
  let restNanoseconds: Int64
  let fallNanoseconds: Int64
  let renewalNanoseconds: Int64
  /// Whether who comes to run while a level lasts hears of it (else of the next one).
  let tellsLatecomers: Bool
  /// The level has fallen, not risen, to where it is.
  private(set) var isFalling = false
  /// When the level changed, or everyone was told again, last.
  private var levelSince: Int64 = 0
  /// Ends of the rests that have begun; `.min`: none.
  private var warningRestEnd: Int64 = .min
  private var criticalRestEnd: Int64 = .min

  init(era: JetsamEra, parameters: JetsamParameters) {
    lowestBand = Int16(clamping: parameters.warningBand)
    minimumBytes = parameters.warningMinimumBytes ?? era.warningMinimumBytes
    spacingNanoseconds = parameters.warningSpacingNanoseconds
    restNanoseconds = parameters.warningRestNanoseconds ?? era.warningRestNanoseconds
    fallNanoseconds = parameters.warningFallNanoseconds ?? era.warningFallNanoseconds
    renewalNanoseconds = parameters.warningRenewalNanoseconds ?? era.warningRenewalNanoseconds
    tellsLatecomers = !era.hasLevels
  }

  /// Whether a process may hear at all; the suspended never do.
  func mayHear(band: Int16, footprintBytes: Int64, isSuspended: Bool) -> Bool {
    !isSuspended && band >= lowestBand && footprintBytes >= minimumBytes
  }

  /// Time to the next process: none once memory is really short.
  func spacing(availablePages: Int64, thresholds: JetsamThresholds) -> Int64 {
    availablePages <= thresholds.hurried ? 0 : spacingNanoseconds
  }

  /// The level changed; the result is what follows, nil: no process is warned.
  ///
  /// A rise is sent at once; a fall must have lasted for a while. A walk that is under way goes on
  /// with the new level. Between warning and critical, a level that everyone has heard rests: before
  /// its rest is over no process is warned, after it all are.
  mutating func changeLevel(
    from before: PressureLevel, to level: PressureLevel, isWalking: Bool, at now: Int64
  ) -> Walk? {
    levelSince = now
    isFalling = level < before
    let start = isFalling ? now + fallNanoseconds : now
    let isSawtooth = before != .normal && level != .normal && !isWalking
    guard isSawtooth else { return Walk(start: start, tellsAgain: false) }
    let restEnd = level == .critical ? criticalRestEnd : warningRestEnd
    guard restEnd <= now else { return nil }
    if level == .critical { criticalRestEnd = .min } else { warningRestEnd = .min }
    return Walk(start: start, tellsAgain: restEnd != .min)
  }

  /// All processes were warned: the level's rest begins.
  mutating func rest(_ level: PressureLevel, at now: Int64) {
    isFalling = false
    let end = now + restNanoseconds
    if level == .critical { criticalRestEnd = end } else { warningRestEnd = end }
  }

  /// Whether no process is warned before a time just because memory moves at the same level.
  func isQuiet(until time: Int64) -> Bool { !tellsLatecomers && time <= quietUntil }

  /// The last instant before everyone is told again.
  var quietUntil: Int64 { levelSince.addingSaturated(renewalNanoseconds) - 1 }

  /// Whether the level has lasted for so long that everyone is told again; the time begins anew.
  mutating func renews(at now: Int64) -> Bool {
    guard now - levelSince >= renewalNanoseconds else { return false }
    levelSince = now
    return true
  }
}
