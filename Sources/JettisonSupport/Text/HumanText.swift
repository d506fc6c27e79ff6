/// Numbers as people read them: rounded, with units.
///
/// Files have the exact ones.
package enum HumanText {
  /// A time in the two largest units that matter: `790 ms`, `4.2 s`, `2 min 5 s`, `3 d 4 h`.
  package static func duration(nanoseconds: Int64) -> String {
    duration(seconds: Double(nanoseconds) / 1e9)
  }

  /// See ``duration(nanoseconds:)``.
  package static func duration(seconds: Double) -> String {
    guard seconds.isFinite else { return NumberText.real(seconds) }
    let sign = seconds < 0 ? "-" : ""
    let magnitude = seconds.magnitude
    // Each unit is left as soon as its rounded figure would reach the next one.
    if magnitude < 0.9995 {
      let milliseconds = magnitude * 1000
      guard milliseconds > 0 else { return "0 s" }
      return milliseconds < 0.5 ? "\(sign)<1 ms" : "\(sign)\(whole(milliseconds)) ms"
    }
    if magnitude < 59.95 { return "\(sign)\(tenths(magnitude)) s" }
    if magnitude < 3599.5 { return sign + pair(magnitude, 60, 1, "min", "s") }
    if magnitude < 86_370 { return sign + pair(magnitude, 3600, 60, "h", "min") }
    return sign + pair(magnitude, 86_400, 3600, "d", "h")
  }

  /// A size in binary units, as memory is sold: `512 MiB`, `57.2 MiB`.
  package static func size(bytes: Double) -> String {
    guard bytes.isFinite else { return NumberText.real(bytes) }
    let sign = bytes < 0 ? "-" : ""
    var magnitude = bytes.magnitude
    guard magnitude.rounded() >= 1024 else { return "\(sign)\(whole(magnitude)) B" }
    var unit = "KiB"
    magnitude /= 1024
    for larger in ["MiB", "GiB", "TiB", "PiB", "EiB"] where magnitude >= 1023.95 {
      magnitude /= 1024
      unit = larger
    }
    return "\(sign)\(tenths(magnitude)) \(unit)"
  }

  /// See ``size(bytes:)-(Double)``.
  package static func size(bytes: Int64) -> String { size(bytes: Double(bytes)) }

  /// What a loss came to: work where there was any, else bytes.
  package static func lost(workNanoseconds: Int64, bytes: Int64) -> String {
    workNanoseconds > 0 ? duration(nanoseconds: workNanoseconds) : size(bytes: bytes)
  }

  /// A count, or a mean of counts with one decimal.
  package static func count(_ value: Double) -> String {
    guard value.isFinite else { return NumberText.real(value) }
    return (value < 0 ? "-" : "") + tenths(value.magnitude)
  }

  /// A mean per day, which may be small: two digits that count below 1, as in 0.048.
  package static func rate(_ value: Double) -> String {
    guard value.isFinite, value != 0, value.magnitude < 0.995 else { return count(value) }
    var scale = 10.0
    while value.magnitude * scale < 9.95, scale < 1e15 { scale *= 10 }
    return NumberText.real((value * scale).rounded() / scale)
  }

  /// A change as a percentage with its sign, without the sign of percent: `-35`, `+0.4`.
  package static func change(_ share: Double) -> String {
    let percent = share * 100
    let text = percent.magnitude < 0.995 ? rate(percent) : whole(percent)
    return percent > 0 ? "+\(text)" : text
  }

  /// A share as a percentage without decimals.
  package static func percent(_ share: Double) -> String {
    guard share.isFinite else { return NumberText.real(share) }
    return "\(share < 0 ? "-" : "")\(whole(share.magnitude * 100)) %"
  }

  /// `1 purge`, `2 purges`; one as it is written decides.
  package static func counted(_ count: Double, _ noun: String) -> String {
    let text = self.count(count)
    return "\(text) \(noun)\(text == "1" ? "" : "s")"
  }

  /// A figure of any size: whole numbers as they are, others with six digits.
  package static func figure(_ value: Double) -> String {
    guard value.isFinite, value != 0, value != value.rounded() || value.magnitude > 1e15 else {
      return NumberText.real(value)
    }
    // Scientific notation as the digits come, cut by rounding at the power of ten they begin at.
    var power = 0
    var leading = value.magnitude
    while leading >= 10, power < 400 { (leading, power) = (leading / 10, power + 1) }
    while leading < 1, power > -400 { (leading, power) = (leading * 10, power - 1) }
    // Nearer to the ends of what a number can hold, these digits are not its shortest.
    var digits = Int((leading * 1e5).rounded())
    guard power.magnitude < 300 else {
      let rounded = Double("\(digits)e\(power - 5)") ?? value.magnitude
      return NumberText.real(value < 0 ? -rounded : rounded)
    }
    let point = power + (digits < 1_000_000 ? 1 : 2)
    while digits % 10 == 0 { digits /= 10 }
    return NumberText.decimal(String(digits), point: point, isNegative: value < 0)
  }

  private static func pair(
    _ seconds: Double, _ large: Double, _ small: Double, _ largeName: String, _ smallName: String
  ) -> String {
    let steps = (seconds / small).rounded()
    let perLarge = large / small
    let count = (steps / perLarge).rounded(.down)
    let rest = steps - count * perLarge
    return rest == 0
      ? "\(whole(count)) \(largeName)"
      : "\(whole(count)) \(largeName) \(whole(rest)) \(smallName)"
  }

  /// A number without decimals; larger than any count, it is written as it stands.
  private static func whole(_ value: Double) -> String { NumberText.real(value.rounded()) }

  /// A number with one decimal below 100, unless it is 0.
  private static func tenths(_ value: Double) -> String {
    guard value < 99.95 else { return whole(value) }
    let (whole, tenth) = Int((value * 10).rounded()).quotientAndRemainder(dividingBy: 10)
    return tenth == 0 ? "\(whole)" : "\(whole).\(tenth)"
  }
}
