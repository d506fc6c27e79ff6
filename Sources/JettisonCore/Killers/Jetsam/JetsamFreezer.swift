/// Freezing of suspended apps to flash; off unless a parameter turns it on.
struct JetsamFreezer: BitwiseCopyable, Sendable {
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  let isOn: Bool
  let minimumBytes: Int64
  let count: Int64
  let dailyBytes: Int64
  let spacingNanoseconds: Int64
  /// Apps that are frozen or were and live on.
  private(set) var frozenCount: Int64 = 0
  private(set) var lastFreeze: Int64 = .min
  /// When the interval of the budget began: a day at least.
  private var intervalStart: Int64 = 0
  private var budgetBytes: Int64

  init(_ parameters: JetsamParameters) {
    isOn = parameters.freezes
    minimumBytes = parameters.freezerMinimumBytes
    count = Int64(parameters.freezerCount)
    dailyBytes = parameters.freezerDailyBytes
    spacingNanoseconds = parameters.freezerSpacingNanoseconds
    budgetBytes = parameters.freezerDailyBytes
  }

  /// Whether a process can be frozen: a suspended app, not too small, in one of the low bands.
  func isCandidate(
    _ process: JetsamProcess, band: Int16, isSuspended: Bool, footprintBytes: Int64
  ) -> Bool {
    guard case .app = process.kind, isSuspended, !process.wasFrozen else { return false }
    return band <= PriorityBand.opportunistic && footprintBytes >= minimumBytes
  }

  /// Whether the freezer may work now.
  func mayFreeze(availablePages: Int64, thresholds: JetsamThresholds, at now: Int64) -> Bool {
    isOn && availablePages <= thresholds.freeze && frozenCount < count && now >= nextFreeze
  }

  /// When enough time has passed since the last app.
  var nextFreeze: Int64 { lastFreeze == .min ? .min : lastFreeze + spacingNanoseconds }

  /// Takes what an app writes from the budget; false if it is not enough.
  ///
  /// An interval ends with the first write a day or more after its beginning: the time that it
  /// took, in days, is what it adds to what is left.
  mutating func spend(_ bytes: Int64, at now: Int64) -> Bool {
    let elapsed = now - intervalStart
    if elapsed >= Self.dayNanoseconds {
      let earned = Int128(dailyBytes) * Int128(elapsed) / Int128(Self.dayNanoseconds)
      budgetBytes = Int64(min(Int128(Int64.max / 2), Int128(budgetBytes) + earned))
      intervalStart = now
    }
    guard bytes <= budgetBytes else { return false }
    budgetBytes -= bytes
    lastFreeze = now
    frozenCount += 1
    return true
  }

  /// A frozen app has ended.
  mutating func forget() { frozenCount -= 1 }
}
