/// What a value of an expression measures: bytes, time, a product of powers of both, or nothing.
struct Dimension: Equatable, BitwiseCopyable, Sendable {
  /// Whether the value is a quantity or says yes or no.
  enum Kind: UInt8, BitwiseCopyable, Sendable {
    case quantity
    /// 0 or 1, from a comparison.
    case condition
    /// The number 0 as written: it fits every unit.
    case zero
  }

  /// Exponents count in sixteenths, so that a root can be taken of a root.
  private static let one: Int16 = 16
  /// Largest exponent, as an amount: nothing meaningful comes near.
  private static let limit: Int16 = 64 * one

  let kind: Kind
  private let bytesExponent: Int16
  private let timeExponent: Int16

  private init(_ kind: Kind, bytes: Int16 = 0, time: Int16 = 0) {
    self.kind = kind
    bytesExponent = bytes
    timeExponent = time
  }

  static let number = Dimension(.quantity)
  static let bytes = Dimension(.quantity, bytes: one)
  static let time = Dimension(.quantity, time: one)
  static let condition = Dimension(.condition)
  static let zero = Dimension(.zero)

  /// Whether the value has no unit: a plain number, a condition (0 or 1), or 0.
  var isPlain: Bool { bytesExponent == 0 && timeExponent == 0 }

  /// The dimension that two values share; nil if they have none in common.
  func joined(with other: Dimension) -> Dimension? {
    if kind == .zero { return other.kind == .zero ? .zero : other.asQuantity }
    if other.kind == .zero { return asQuantity }
    let (a, b) = (asQuantity, other.asQuantity)
    return a == b ? a : nil
  }

  /// The dimension of a product; nil if an exponent grows out of all proportion.
  func times(_ other: Dimension) -> Dimension? {
    Self.checked(bytesExponent + other.bytesExponent, timeExponent + other.timeExponent)
  }

  /// The dimension of a quotient; nil if an exponent grows out of all proportion.
  func over(_ other: Dimension) -> Dimension? {
    Self.checked(bytesExponent - other.bytesExponent, timeExponent - other.timeExponent)
  }

  /// The dimension of a square root; nil if too many roots were taken already.
  var squareRoot: Dimension? {
    guard bytesExponent % 2 == 0, timeExponent % 2 == 0 else { return nil }
    return Dimension(.quantity, bytes: bytesExponent / 2, time: timeExponent / 2)
  }

  /// A condition taken as a number.
  var asQuantity: Dimension {
    Dimension(.quantity, bytes: bytesExponent, time: timeExponent)
  }

  private static func checked(_ bytes: Int16, _ time: Int16) -> Dimension? {
    guard abs(bytes) <= limit, abs(time) <= limit else { return nil }
    return Dimension(.quantity, bytes: bytes, time: time)
  }

  /// The dimension in words: `bytes`, `time`, `bytes/time`, `a plain number`, `a condition`.
  var description: String {
    if kind == .condition { return "a condition" }
    if isPlain { return "a plain number" }
    let parts = [("bytes", bytesExponent), ("time", timeExponent)].filter { $0.1 != 0 }
    let above = parts.filter { $0.1 > 0 }.map { Self.power($0.0, $0.1) }
    let below = parts.filter { $0.1 < 0 }.map { Self.power($0.0, -$0.1) }
    let numerator = above.isEmpty ? "1" : above.joined(separator: "*")
    return ([numerator] + below).joined(separator: "/")
  }

  private static func power(_ name: String, _ exponent: Int16) -> String {
    if exponent == one { return name }
    return exponent % one == 0
      ? "\(name)^\(exponent / one)" : "\(name)^\(Double(exponent) / Double(one))"
  }
}
