/// Sweeps of processes that have been idle for long.
///
/// A sweep begins below the reaper threshold and kills everyone it finds, even if memory recovers,
/// as long as the system is healthy.
struct JetsamReaper: BitwiseCopyable, Sendable {
  let ageNanoseconds: Int64
  let intervalNanoseconds: Int64
  private(set) var isSweeping = false
  /// When the last sweep ended, in nanoseconds; `.min`: there was none.
  private(set) var lastEnd: Int64 = .min

  init(_ parameters: JetsamParameters) {
    ageNanoseconds = parameters.reaperAgeNanoseconds
    intervalNanoseconds = parameters.reaperIntervalNanoseconds
  }

  /// Whether a process may be swept: long in band 0, and not likely to be wanted again soon.
  func isReapable(_ kind: JetsamClass, _ standing: Standing, at now: Int64) -> Bool {
    isSweepable(kind, standing) && now - standing.sinceNanoseconds >= ageNanoseconds
  }

  /// Whether a process may be swept once it is old enough.
  func isSweepable(_ kind: JetsamClass, _ standing: Standing) -> Bool {
    guard standing.band == PriorityBand.idle else { return false }
    return switch kind {
    case .app, .system, .daemon(.low), .daemon(.unknown): true
    case .daemon(.medium), .daemon(.high): false
    }
  }

  /// When a sweep may begin if the oldest sweepable process is idle since `oldest`.
  func start(oldest: Int64) -> Int64 {
    let ripe = oldest + ageNanoseconds
    return lastEnd == .min ? ripe : max(ripe, lastEnd + intervalNanoseconds)
  }

  mutating func begin() { isSweeping = true }

  mutating func end(at now: Int64) {
    isSweeping = false
    lastEnd = now
  }
}
