extension PolicyArguments {
  /// A finite number above 0.
  package func positive(_ key: String, default fallback: Double) throws(ConfigurationError)
    -> Double
  {
    let value = try number(key, default: fallback)
    guard value > 0 else {
      throw .invalid(
        what: "parameter '\(key)'", text: self[key] ?? "", remedy: "write a number above 0")
    }
    return value
  }

  /// A number within a range.
  package func number(
    _ key: String, default fallback: Double, in range: ClosedRange<Double>
  ) throws(ConfigurationError) -> Double {
    guard let text = self[key] else { return fallback }
    guard let value = Double(text), range.contains(value) else {
      throw .invalid(
        what: "parameter '\(key)'", text: text,
        remedy: "write a number from \(Self.plain(range.lowerBound)) to "
          + Self.plain(range.upperBound))
    }
    return value
  }
}
