/// Cuts the text of an expression into numbers, names and operators.
struct ExpressionLexer {
  enum Token: Equatable {
    case number(Double, Dimension)
    case name(String)
    /// An operator, a parenthesis or a comma.
    case symbol(String)
    case end

    /// The token as an error names it.
    var text: String {
      switch self {
      case .number: "a number"
      case .name(let name): "'\(name)'"
      case .symbol(let symbol): "'\(symbol)'"
      case .end: "the end"
      }
    }
  }

  /// Units of numbers: what one of them is in bytes, seconds or as a plain number.
  static let units: [(name: String, amount: Double, dimension: Dimension)] =
    [
      ("B", 1, .bytes), ("KB", 1e3, .bytes), ("MB", 1e6, .bytes), ("GB", 1e9, .bytes),
      ("TB", 1e12, .bytes), ("KiB", 1024, .bytes), ("MiB", 1_048_576, .bytes),
      ("GiB", 1_073_741_824, .bytes), ("TiB", 1_099_511_627_776, .bytes),
    ] + DurationUnit.allCases.map { ($0.rawValue, $0.seconds, .time) } + [("%", 0.01, .number)]

  private let scalars: [Unicode.Scalar]
  private var position = 0
  /// The token to look at.
  private(set) var token = Token.end
  /// Where it begins, in Unicode scalars.
  private(set) var offset = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Goes on to the next token.
  mutating func advance() throws(ExpressionError) {
    while position < scalars.count, Self.isBlank(scalars[position]) { position += 1 }
    offset = position
    guard position < scalars.count else {
      token = .end
      return
    }
    let scalar = scalars[position]
    if Self.isDigit(scalar) {
      token = try number()
    } else if Self.isLetter(scalar) {
      token = .name(take { Self.isLetter($0) || Self.isDigit($0) })
    } else {
      token = try symbol(scalar)
    }
  }

  private mutating func symbol(_ scalar: Unicode.Scalar) throws(ExpressionError) -> Token {
    let next = position + 1 < scalars.count ? scalars[position + 1] : nil
    switch scalar {
    case "+", "-", "*", "/", "(", ")", ",":
      position += 1
      return .symbol(String(scalar))
    case "<", ">", "=", "!":
      guard next == "=" else {
        guard scalar == "<" || scalar == ">" else { break }
        position += 1
        return .symbol(String(scalar))
      }
      position += 2
      return .symbol("\(scalar)=")
    default: break
    }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let shown =
      scalar.properties.generalCategory == .control ? "U+\(digits)" : String(Character(scalar))
    throw ExpressionError(.unexpectedCharacter(shown), at: position)
  }

  /// A number with its unit; `2h30m` is one number.
  private mutating func number() throws(ExpressionError) -> Token {
    var sum: Double = 0
    var isFirst = true
    while true {
      let start = position
      let digits = digits()
      guard let amount = Double(digits), amount.isFinite else { throw malformed(from: start) }
      let unitStart = position
      let unit = take { Self.isLetter($0) || $0 == "%" }
      guard !unit.isEmpty else {
        let isCutOff = position < scalars.count && scalars[position] == "."
        guard isFirst, !isCutOff else { throw malformed(from: offset) }
        return .number(amount, amount == 0 ? .zero : .number)
      }
      guard let known = Self.units.first(where: { $0.name == unit }) else {
        throw ExpressionError(.unknownUnit(unit), at: unitStart)
      }
      sum += amount * known.amount
      guard position < scalars.count, Self.isDigit(scalars[position]) || scalars[position] == "."
      else {
        if !isFirst, known.dimension != .time { throw malformed(from: offset) }
        return .number(sum, known.dimension)
      }
      guard known.dimension == .time else { throw malformed(from: offset) }
      isFirst = false
    }
  }

  /// Digits with a fraction and an exponent.
  private mutating func digits() -> String {
    var text = take(Self.isDigit)
    if position < scalars.count, scalars[position] == "." {
      position += 1
      text += "." + take(Self.isDigit)
    }
    guard position < scalars.count, scalars[position] == "e" || scalars[position] == "E" else {
      return text
    }
    var next = position + 1
    if next < scalars.count, scalars[next] == "-" || scalars[next] == "+" { next += 1 }
    guard next < scalars.count, Self.isDigit(scalars[next]) else { return text }
    text.unicodeScalars.append(contentsOf: scalars[position..<next])
    position = next
    return text + take(Self.isDigit)
  }

  /// An error about everything that hangs together from `start` on.
  private mutating func malformed(from start: Int) -> ExpressionError {
    position = start
    let text = take { Self.isLetter($0) || Self.isDigit($0) || $0 == "." || $0 == "%" }
    return ExpressionError(.malformedNumber(String(text.prefix(40))), at: start)
  }

  private mutating func take(_ isWanted: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while position < scalars.count, isWanted(scalars[position]) { position += 1 }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    "a"..."z" ~= scalar || "A"..."Z" ~= scalar || scalar == "_"
  }
}
