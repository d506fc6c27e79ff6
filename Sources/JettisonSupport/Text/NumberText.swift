/// Numbers as text that reads back exactly, the same everywhere: no locale, no thousands.
package enum NumberText {
  /// Seconds as the shortest exact decimal: `1.5`, `0.000000001`, `-4`.
  package static func seconds(nanoseconds: Int64) -> String {
    var bytes: [UInt8] = []
    bytes.append(secondsOf: nanoseconds)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The shortest decimal that reads back as the same number, written out where it has at most
  /// 21 digits before the point and six zeros after it; `inf`, `-inf`; empty for no number.
  package static func real(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "" : value < 0 ? "-inf" : "inf" }
    // Most figures are whole, or short: neither needs to be taken apart.
    if let whole = whole(value) { return String(whole) }
    let text = value.description
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")) else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let mantissa = text[..<mark].drop { $0 == "-" }.split(separator: ".")
    let digits = mantissa[0] + (mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : "")
    let exponent = Int(text[text.utf8.index(after: mark)...]) ?? 0
    return decimal(
      String(digits), point: mantissa[0].utf8.count + exponent, isNegative: value < 0)
  }

  /// A number without a fraction, as long as it is counted exactly.
  static func whole(_ value: Double) -> Int64? {
    guard let whole = Int64(exactly: value), whole.magnitude < 1 << 53 else { return nil }
    return whole
  }

  /// Digits as a decimal, the last of them not 0.
  ///
  /// - Parameter point: How many digits stand before the point; 0 or less: zeros come first.
  static func decimal(_ digits: String, point: Int, isNegative: Bool) -> String {
    let sign = isNegative ? "-" : ""
    guard point > -6, point <= 21 else {
      let fraction = digits.dropFirst()
      return "\(sign)\(digits.prefix(1))\(fraction.isEmpty ? "" : ".\(fraction)")e\(point - 1)"
    }
    if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
    let missing = point - digits.utf8.count
    if missing >= 0 { return sign + digits + String(repeating: "0", count: missing) }
    return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
  }

  /// A hash as sixteen hexadecimal digits.
  package static func hash(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
