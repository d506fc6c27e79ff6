/// Units of time as people write them behind a number.
package enum DurationUnit: String, CaseIterable, Sendable {
  case ns, us, ms, s, m, min, h, d

  /// What one of them is, in nanoseconds.
  package var nanoseconds: Int64 {
    switch self {
    case .ns: 1
    case .us: 1_000
    case .ms: 1_000_000
    case .s: 1_000_000_000
    case .m, .min: 60_000_000_000
    case .h: 3_600_000_000_000
    case .d: 86_400_000_000_000
    }
  }

  /// What one of them is, in seconds.
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Cuts a text into what stands before its unit, and the unit; nil: it has none.
  package static func split(_ text: String) -> (number: Substring, unit: DurationUnit)? {
    let letters = text.reversed().prefix { ("a"..."z").contains($0) }.count
    return DurationUnit(rawValue: String(text.suffix(letters))).map { (text.dropLast(letters), $0) }
  }
}
