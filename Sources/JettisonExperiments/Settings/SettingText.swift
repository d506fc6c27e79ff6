internal import JettisonCore
internal import JettisonSupport
internal import JettisonTraces

/// Reads the values of settings; sizes and durations are written as in catalogs.
enum SettingText {
  /// Largest size: 1 PiB, so that sums of sizes fit.
  static let largestBytes: Int64 = 1 << 50

  /// Bytes that are not negative; nil also beyond what any device has.
  static func bytes(_ text: String) -> Int64? {
    Quantity.bytes(text).flatMap { (0...largestBytes).contains($0) ? $0 : nil }
  }

  /// A duration that is not negative; what is longer than any trace counts as just that long, so
  /// that it can be added to any time.
  static func nanoseconds(_ text: String) -> Int64? {
    Quantity.nanoseconds(text).flatMap { $0 >= 0 ? min($0, TraceLimits.timeNanoseconds) : nil }
  }

  /// A percentage from `8%` or `8`; nil if it is no number from 0 to 100.
  static func percent(_ text: String) -> Double? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard let value = number(String(digits)), value <= 100 else { return nil }
    return value
  }

  /// A share from 0 to 1, written `0.5` or `50%`.
  static func share(_ text: String) -> Double? {
    if text.hasSuffix("%") { return percent(text).map { $0 / 100 } }
    guard let value = number(text), value <= 1 else { return nil }
    return value
  }

  /// A whole number that is not negative.
  static func count(_ text: String) -> Int? {
    Int(text).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// A plain decimal number that is not negative.
  static func number(_ text: String) -> Double? {
    guard text.utf8.first.map({ $0 >= 0x30 && $0 <= 0x39 }) == true,
      text.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ".") }),
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// Limits of Android's Memory Limiter: `auto`, `none`, or sets joined by `+`.
  static func limits(_ text: String) -> MemoryLimits? {
    switch text {
    case "auto": return .automatic
    case "none": return MemoryLimits.none
    default: break
    }
    var sets: [MemoryLimitSet] = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let set = limitSet(part) else { return nil }
      sets.append(set)
    }
    return .sets(sets)
  }

  /// The RAM from which on limits hold, those of visible processes and of others, and their swap:
  /// `10GiB:6GiB/3GiB/3GiB/3GiB`.
  private static func limitSet(_ text: Substring) -> MemoryLimitSet? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let ram = bytes(String(parts[0])) else { return nil }
    let limits = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      .compactMap { bytes(String($0)) }
    guard limits.count == 4, parts[1].count(where: { $0 == "/" }) == 3 else { return nil }
    return MemoryLimitSet(
      minimumRAMBytes: ram,
      visible: MemoryLimit(memoryBytes: limits[0], swapBytes: limits[2]),
      notVisible: MemoryLimit(memoryBytes: limits[1], swapBytes: limits[3]))
  }

  /// `on` and `off`, and the words YAML writers use for them.
  static func flag(_ text: String) -> Bool? {
    switch text {
    case "on", "true", "yes", "1": true
    case "off", "false", "no", "0": false
    default: nil
    }
  }
}
