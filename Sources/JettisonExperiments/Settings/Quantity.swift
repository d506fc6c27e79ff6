/// Reads numbers with units as people write them on a command line or in a device file.
///
/// Exact: decimal fractions are scaled as integers, so `1.5GiB` is 1610612736 and never one less.
package enum Quantity {
  private static let sizeUnits: [(suffix: String, factor: Int64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ("KB", 1000), ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000), ("B", 1),
  ]
  private static let timeUnits: [(suffix: String, factor: Int64)] = [
    ("ns", 1), ("us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("min", 60_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
  ]

  /// Bytes from `512MiB`, `1.5GB` or a bare number of bytes; nil if it is no such thing.
  package static func bytes(_ text: String) -> Int64? {
    let (number, unit) = split(text[...])
    let factor = unit.isEmpty ? 1 : sizeUnits.first { $0.suffix == unit }?.factor
    guard let factor else { return nil }
    return scaled(number, by: factor)
  }

  /// Nanoseconds from `90s`, `2h30m`, `250ms` or a bare number of nanoseconds.
  package static func nanoseconds(_ text: String) -> Int64? {
    var rest = text[...]
    var total: Int64 = 0
    var parts = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = rest[digits.endIndex...].prefix { $0.isASCII && $0.isLetter }
      rest = rest[unit.endIndex...]
      parts += 1
      // A bare number stands alone; in `1h30` the unit of 30 would be a guess.
      if unit.isEmpty, !rest.isEmpty || parts > 1 { return nil }
      let factor = unit.isEmpty ? 1 : timeUnits.first { $0.suffix == unit }?.factor
      guard let factor, let part = scaled(digits, by: factor) else { return nil }
      let (sum, overflows) = total.addingReportingOverflow(part)
      guard !overflows else { return nil }
      total = sum
    }
    return parts == 0 ? nil : total
  }

  /// A percentage from `8%` or `8`; nil if it is no number from 0 to 100.
  package static func percent(_ text: String) -> Double? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard let value = number(digits), value <= 100 else { return nil }
    return value
  }

  /// A share from 0 to 1, written `0.5` or `50%`.
  package static func share(_ text: String) -> Double? {
    if text.hasSuffix("%") { return percent(text).map { $0 / 100 } }
    guard let value = number(text[...]), value <= 1 else { return nil }
    return value
  }

  /// A plain number that is not negative.
  package static func number(_ text: Substring) -> Double? {
    guard let first = text.first, first.isASCII, first.isNumber,
      text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "e" || $0 == "-") }),
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// `on` and `off`, and the words YAML writers use for them.
  package static func flag(_ text: String) -> Bool? {
    switch text {
    case "on", "true", "yes", "1": true
    case "off", "false", "no", "0": false
    default: nil
    }
  }

  private static func split(_ text: Substring) -> (number: Substring, unit: Substring) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    return (number, text[number.endIndex...])
  }

  /// A decimal number times a factor, rounded down; nil on overflow or a stray character.
  private static func scaled(_ text: Substring, by factor: Int64) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, whole.utf8.count <= 19,
      let units = Int64(whole)
    else { return nil }
    let (base, overflows) = units.multipliedReportingOverflow(by: factor)
    guard !overflows else { return nil }
    guard parts.count == 2 else { return base }
    guard !parts[1].isEmpty, parts[1].utf8.count <= 18, let digits = Int64(parts[1]) else {
      return nil
    }
    var scale: Int64 = 1
    for _ in parts[1].utf8 { scale *= 10 }
    let (high, low) = digits.multipliedFullWidth(by: factor)
    let (fraction, _) = scale.dividingFullWidth((high, low))
    let (sum, overflowsSum) = base.addingReportingOverflow(fraction)
    return overflowsSum ? nil : sum
  }
}
