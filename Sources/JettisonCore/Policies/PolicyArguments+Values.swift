extension PolicyArguments {
  /// A share above 0 and below 1 (or up to 1): `10%` or `0.1`.
  package func share(
    _ key: String, default fallback: Double, mayBeAll: Bool = false
  ) throws(ConfigurationError) -> Double {
    guard let text = self[key] else { return fallback }
    let isPercent = text.hasSuffix("%")
    let value = Double(text.dropLast(isPercent ? 1 : 0)).map { isPercent ? $0 / 100 : $0 }
    guard let value, value > 0, value < 1 || (mayBeAll && value == 1) else {
      throw .invalid(
        what: "parameter '\(key)'", text: text,
        remedy: "write a share such as 10%, above 0 and \(mayBeAll ? "up to" : "below") 100%")
    }
    return value
  }

  /// A whole number within a range.
  package func count(
    _ key: String, default fallback: Int, in range: ClosedRange<Int>
  ) throws(ConfigurationError) -> Int {
    guard let text = self[key] else { return fallback }
    guard let value = Int(text), range.contains(value) else {
      throw .invalid(
        what: "parameter '\(key)'", text: text,
        remedy: "write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// A switch: `on` or `off`.
  package func isOn(_ key: String, default fallback: Bool) throws(ConfigurationError) -> Bool {
    try choice(key, default: fallback ? OnOff.on : .off) == .on
  }

  /// What a switch may say.
  private enum OnOff: String, CaseIterable {
    case on, off
  }
}
