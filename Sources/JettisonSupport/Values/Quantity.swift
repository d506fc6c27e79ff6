/// Numbers with units as people write them in headers, catalogs and details: exact, without
/// floating point where the result is an integer.
package enum Quantity {
  /// A 64-bit integer: digits with an optional minus sign, nothing else.
  package static func integer(_ text: String) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(text)
  }

  /// A plain decimal (`12`, `0.5`, `-3.25`) times `scale`, rounded half up in magnitude; nil if it
  /// is no plain decimal or does not fit 64 bits.
  package static func scaled(_ text: String, by scale: Int64) -> Int64? {
    var bytes = text.utf8[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes = bytes.dropFirst() }
    var whole: Int64 = 0
    var fraction: Int64 = 0
    var divisor: Int64 = 1
    var digitCount = 0
    var isFraction = false
    for byte in bytes {
      if byte == UInt8(ascii: "."), !isFraction, digitCount > 0 {
        isFraction = true
        digitCount = 0
        continue
      }
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      let digit = Int64(byte - 0x30)
      digitCount += 1
      if !isFraction {
        guard let next = whole.timesTenPlus(digit) else { return nil }
        whole = next
      } else if divisor < 1_000_000_000 {
        // Both stay below 10^9; digits after the ninth cannot matter to any unit here.
        fraction = fraction * 10 + digit
        divisor *= 10
      }
    }
    guard digitCount > 0 else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
    let part = fraction.multipliedFullWidth(by: scale)
    let (quotient, remainder) = divisor.dividingFullWidth(part)
    let rounded = quotient + (remainder >= divisor - remainder ? 1 : 0)
    let (sum, overflow2) = product.addingReportingOverflow(rounded)
    if overflow || overflow2 { return nil }
    return isNegative ? -sum : sum
  }

  /// A size in bytes: `120MB`, `512MiB`, `1.5GB`, `4096`.
  package static func bytes(_ text: String) -> Int64? {
    unit(
      text,
      [
        ("", 1), ("B", 1), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000),
        ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TB", 1_000_000_000_000),
        ("TiB", 1 << 40),
      ])
  }

  /// A size as it can be written: in the largest binary unit that leaves no rest.
  package static func text(bytes: Int64) -> String {
    let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
    let unit = units.first { bytes > 0 && bytes % (1 << $0.1) == 0 }
    return unit.map { "\(bytes >> $0.1)\($0.0)" } ?? "\(bytes)"
  }

  /// A span of time in nanoseconds: `900ms`, `30s`, `2h30m`, `1d`; a bare `0` needs no unit.
  package static func nanoseconds(_ text: String) -> Int64? {
    if text == "0" { return 0 }
    var total: Int64 = 0
    var rest = text[...]
    if rest.isEmpty || rest.first == "-" { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { $0 == "." || ("0"..."9").contains($0) }
      let unit = rest[number.endIndex...].prefix { ("a"..."z").contains($0) }
      rest = rest[unit.endIndex...]
      guard let scale = timeUnits.first(where: { $0.0 == unit })?.1,
        let part = scaled(String(number), by: scale)
      else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      if overflow { return nil }
      total = sum
    }
    return total
  }

  /// A span of time in the largest unit up to seconds that leaves a whole number: `30s`, `1500ms`.
  package static func text(nanoseconds: Int64) -> String {
    let unit = timeUnits.last { $0.1 <= 1_000_000_000 && nanoseconds % $0.1 == 0 } ?? ("ns", 1)
    return "\(nanoseconds / unit.1)\(unit.0)"
  }

  /// A share in parts per million: `25%`, `0.9`.
  package static func partsPerMillion(_ text: String) -> Int64? {
    text.hasSuffix("%") ? scaled(String(text.dropLast()), by: 10_000) : scaled(text, by: 1_000_000)
  }

  /// Bytes per minute: `10MB/min`, `1MB/s`.
  package static func bytesPerMinute(_ text: String) -> Int64? {
    guard let (amount, period) = rate(text), let bytes = bytes(amount) else { return nil }
    return period == "min" ? bytes : product(bytes, 60)
  }

  /// Bytes per second: `80MB/s`, `200/s`, `12KB/s`; per minute is rounded to whole bytes.
  package static func bytesPerSecond(_ text: String) -> Int64? {
    guard let (amount, period) = rate(text), let bytes = bytes(amount) else { return nil }
    return period == "s" ? bytes : bytes / 60
  }

  private static let timeUnits: [(String, Int64)] = [
    ("ns", 1), ("us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ("m", 60_000_000_000), ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
  ]

  private static func rate(_ text: String) -> (amount: String, period: String)? {
    for period in ["min", "s"] where text.hasSuffix("/" + period) {
      return (String(text.dropLast(period.utf8.count + 1)), period)
    }
    return nil
  }

  private static func unit(_ text: String, _ units: [(String, Int64)]) -> Int64? {
    let number = text.prefix { $0 == "." || $0 == "-" || ("0"..."9").contains($0) }
    var name = text[number.endIndex...]
    if name.first == " " { name = name.dropFirst() }
    guard let scale = units.first(where: { $0.0 == name })?.1 else { return nil }
    return scaled(String(number), by: scale)
  }

  private static func product(_ a: Int64, _ b: Int64) -> Int64? {
    let (result, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? nil : result
  }
}

extension Int64 {
  /// Ten times the number plus a digit, or nil if that does not fit.
  package func timesTenPlus(_ digit: Int64) -> Int64? {
    let (product, overflow) = multipliedReportingOverflow(by: 10)
    let (sum, overflow2) = product.addingReportingOverflow(digit)
    return overflow || overflow2 ? nil : sum
  }
}
