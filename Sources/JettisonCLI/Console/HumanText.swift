internal import JettisonReports

/// Numbers for people: rounded, with units, the same everywhere.
enum HumanText {
  /// A size in megabytes (1000), as traces and catalogs write it: `57.2 MB`.
  static func megabytes(_ bytes: Double) -> String {
    "\(decimal(bytes / 1_000_000, places: 1)) MB"
  }

  /// A size in megabytes.
  static func megabytes(_ bytes: Int64) -> String { megabytes(Double(bytes)) }

  /// A size of RAM, exact where it is a round one: `512 MiB`, `1 GiB`.
  static func memory(_ bytes: Int64) -> String {
    for (unit, factor) in [("GiB", Int64(1) << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    where bytes >= factor && bytes % factor == 0 {
      return "\(bytes / factor) \(unit)"
    }
    return bytes >= 1_000_000 ? megabytes(bytes) : "\(bytes) B"
  }

  /// A time in the two largest units that matter: `330 ms`, `4 s`, `1 min 10 s`, `2 h 5 min`.
  static func duration(seconds: Double) -> String {
    guard seconds.isFinite else { return "-" }
    let sign = seconds < 0 ? "-" : ""
    let value = seconds.magnitude
    if value == 0 { return "0 s" }
    if value < 0.9995 { return "\(sign)\(decimal(value * 1000, places: value < 0.01 ? 1 : 0)) ms" }
    if value < 59.95 { return "\(sign)\(decimal(value, places: value < 10 ? 1 : 0)) s" }
    // Beyond any trace, and beyond what the integers below hold.
    guard value < 1e12 else { return "\(sign)\(decimal(value / 86_400, places: 0)) d" }
    let whole = Int64(value.rounded())
    if whole < 3600 { return sign + pair(whole / 60, "min", whole % 60, "s") }
    if whole < 86_400 { return sign + pair(whole / 3600, "h", whole % 3600 / 60, "min") }
    return sign + pair(whole / 86_400, "d", whole % 86_400 / 3600, "h")
  }

  /// A time in nanoseconds.
  static func duration(nanoseconds: Int64) -> String {
    duration(seconds: Double(nanoseconds) / 1e9)
  }

  /// A number with a fixed number of decimals at most; zeros at the end are left out.
  static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return NumberText.real(value) }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return NumberText.real(rounded == 0 ? 0 : rounded)
  }

  /// A share as a percentage: `12.5 %`.
  static func percent(_ share: Double) -> String { "\(decimal(share * 100, places: 1)) %" }

  /// A number with its noun: `1 launch`, `2 launches`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  private static func pair(_ a: Int64, _ unitA: String, _ b: Int64, _ unitB: String) -> String {
    b == 0 ? "\(a) \(unitA)" : "\(a) \(unitA) \(b) \(unitB)"
  }
}
