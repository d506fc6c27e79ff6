/// The same numbers, written where bytes come together by the million.
extension [UInt8] {
  /// Adds a whole number.
  package mutating func append(number value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: value.magnitude)
  }

  /// Adds the digits of a whole number.
  package mutating func append(digits value: UInt64) {
    // The largest number has 20 digits; they are found from the last to the first.
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = digits.count
    var rest = value
    repeat {
      first -= 1
      let last: UInt64
      (rest, last) = rest.quotientAndRemainder(dividingBy: 10)
      digits[first] = UInt8(ascii: "0") + UInt8(last)
    } while rest > 0
    for place in first..<digits.count { append(digits[place]) }
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
