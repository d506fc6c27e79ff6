/// The same numbers, written where bytes come together by the million.
extension [UInt8] {
  /// Adds a whole number.
  package mutating func append(number value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: value.magnitude)
  }

  /// Adds the digits of a whole number.
  package mutating func append(digits value: UInt64) {
    let (rest, last) = value.quotientAndRemainder(dividingBy: 10)
    if rest > 0 { append(digits: rest) }
    append(UInt8(ascii: "0") + UInt8(last))
  }

  /// Adds a number as ``NumberText/real(_:)`` has it.
  package mutating func append(real value: Double) {
    if let whole = NumberText.whole(value) {
      append(number: whole)
    } else {
      append(contentsOf: NumberText.real(value).utf8)
    }
  }

  /// Adds seconds as ``NumberText/seconds(nanoseconds:)`` has them.
  package mutating func append(secondsOf nanoseconds: Int64) {
    var (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    if nanoseconds < 0 { append(UInt8(ascii: "-")) }
    append(digits: whole)
    guard rest > 0 else { return }
    append(UInt8(ascii: "."))
    var scale: UInt64 = 100_000_000
    while rest > 0 {
      (whole, rest) = rest.quotientAndRemainder(dividingBy: scale)
      append(UInt8(ascii: "0") + UInt8(whole))
      scale /= 10
    }
  }
}
