/// When systemd-oomd acts and in which order (<doc:LinuxModels#systemd-oomd>).
enum SystemdOomdRules {
  static let swapPollNanoseconds: Int64 = 150_000_000
  static let pressurePollNanoseconds: Int64 = 1_000_000_000
  /// How long the pressure rule rests after an action.
  static let postActionNanoseconds: Int64 = 15_000_000_000
  /// How long ago pages must have been reclaimed at most for the pressure rule.
  static let reclaimWindowNanoseconds: Int64 = 30_000_000_000
  /// A candidate of the swap rule holds more than this part of all swap.
  static let swapFloorPercent: Int64 = 5

  /// Whether less than a part of a total is left; false without a total.
  static func isBelow(used: Int64, total: Int64, leftPercent: Double) -> Bool {
    guard total > 0 else { return false }
    return Double(total - used) < Double(total) * leftPercent / 100
  }

  /// Whether a control group swaps enough to be worth ending.
  static func isSwapCandidate(swapBytes: Int64, swapTotalBytes: Int64) -> Bool {
    Int128(swapBytes) * 100 > Int128(swapTotalBytes) * Int128(swapFloorPercent)
  }

  /// What decides the place of a control group; greater goes first, left to right.
  struct Key: Comparable, BitwiseCopyable, Sendable {
    /// None before avoid.
    let isAvoided: Bool
    let first: Int64
    let second: Int64

    static func < (a: Key, b: Key) -> Bool {
      if a.isAvoided != b.isAvoided { return a.isAvoided }
      if a.first != b.first { return a.first < b.first }
      return a.second < b.second
    }
  }

  /// Order of the swap rule; nil: omitted.
  static func swapKey(
    _ preference: AppProfile.KillPreference, swapBytes: Int64
  ) -> Key? {
    guard preference != .omit else { return nil }
    return Key(isAvoided: preference == .avoid, first: swapBytes, second: 0)
  }

  /// Order of the pressure rule; nil: omitted, or neither scanned nor using any memory.
  static func scanKey(
    _ preference: AppProfile.KillPreference, rate: Int64, usageBytes: Int64
  ) -> Key? {
    guard preference != .omit, rate > 0 || usageBytes > 0 else { return nil }
    return Key(isAvoided: preference == .avoid, first: rate, second: usageBytes)
  }

  /// Control groups by their keys, greatest first; equals stay in their order, those without a key
  /// are not ranked.
  static func order(_ groups: [Int], by keys: [Key?]) -> [Int] {
    var places: [Int] = groups.indices.filter { keys[$0] != nil }
    places.sort { (a: Int, b: Int) -> Bool in
      guard let first = keys[a], let second = keys[b] else { return false }
      return first != second ? first > second : a < b
    }
    return places.map { (place: Int) -> Int in groups[place] }
  }

  /// Whether pages were reclaimed since the last poll.
  static func hadReclaim(scanned: Int64, before: Int64) -> Bool { scanned > before }

  /// Growth since the last poll; a counter that fell was reset, and began at 0.
  static func rate(scanned: Int64, before: Int64) -> Int64 {
    before > scanned ? scanned : scanned - before
  }
}

/// Since when a control group's pressure has been above its limit.
struct SustainedPressure: BitwiseCopyable, Sendable {
  /// Start of the stretch without a break, in nanoseconds; nil: not above.
  private(set) var since: Int64?

  /// One poll; whether the value has been above the limit for a duration.
  mutating func poll(
    at time: Int64, percent: Double, limitPercent: Double, durationNanoseconds: Int64
  ) -> Bool {
    guard percent > limitPercent else {
      since = nil
      return false
    }
    let begin = since ?? time
    since = begin
    return time - begin >= durationNanoseconds
  }
}
