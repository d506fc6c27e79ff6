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
  private var day: Int64 = 0
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

  /// Takes what an app writes from the budget, to which every day adds; false if it is not enough.
  mutating func spend(_ bytes: Int64, at now: Int64) -> Bool {
    let today = now / Self.dayNanoseconds
    if today > day {
      let (earned, overflows) = dailyBytes.multipliedReportingOverflow(by: today - day)
      budgetBytes = overflows ? .max / 2 : min(.max / 2, budgetBytes) + min(.max / 2, earned)
      day = today
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
