/// Reads an expression, checks its units and turns it into an ``ExpressionProgram``.
///
/// ```
/// key        = or [ "asc" | "desc" ]
/// or         = and { "or" and }
/// and        = not { "and" not }
/// not        = "not" not | comparison
/// comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
/// sum        = product { ( "+" | "-" ) product }
/// product    = signed { ( "*" | "/" ) signed }
/// signed     = "-" signed | value
/// value      = number | name | function "(" or { "," or } ")" | "(" or ")"
/// ```
struct ExpressionParser {
  /// Deepest nesting of parentheses, functions and signs.
  static let maximumDepth = 64
  /// Longest program in steps.
  static let maximumLength = 10_000

  private static let words: Set<String> = ["and", "or", "not", "asc", "desc"]

  private var lexer: ExpressionLexer
  private var program = ExpressionProgram()
  private var depth = 0

  private init(_ text: String) throws(ExpressionError) {
    lexer = ExpressionLexer(text)
    try lexer.advance()
  }

  /// Reads one key of an order: an expression, ascending unless `desc` follows it.
  ///
  /// - Complexity: O(length); nothing deeper than ``maximumDepth`` is looked into.
  static func key(
    _ text: String
  ) throws(ExpressionError) -> (program: ExpressionProgram, isDescending: Bool) {
    var parser = try ExpressionParser(text)
    _ = try parser.disjunction()
    let direction = parser.lexer.token
    if direction == .name("asc") || direction == .name("desc") { try parser.lexer.advance() }
    guard parser.lexer.token == .end else { throw parser.stray() }
    return (parser.program, direction == .name("desc"))
  }

  // MARK: Levels

  private mutating func disjunction() throws(ExpressionError) -> Dimension {
    try conditions("or", .or) { (parser) throws(ExpressionError) in try parser.conjunction() }
  }

  private mutating func conjunction() throws(ExpressionError) -> Dimension {
    try conditions("and", .and) { (parser) throws(ExpressionError) in try parser.negation() }
  }

  private mutating func conditions(
    _ word: String, _ operation: ExpressionProgram.Binary,
    _ part: (inout ExpressionParser) throws(ExpressionError) -> Dimension
  ) throws(ExpressionError) -> Dimension {
    let start = lexer.offset
    var left = try part(&self)
    while lexer.token == .name(word) {
      try need(left, word, at: start)
      try lexer.advance()
      let offset = lexer.offset
      try need(try part(&self), word, at: offset)
      try emit(.binary(operation), at: offset)
      left = .condition
    }
    return left
  }

  private func need(
    _ found: Dimension, _ word: String, at offset: Int
  ) throws(ExpressionError) {
    guard found.kind == .condition else {
      throw ExpressionError(.needsCondition(word: word, found: found), at: offset)
    }
  }

  private mutating func negation() throws(ExpressionError) -> Dimension {
    guard lexer.token == .name("not") else { return try comparison() }
    try enter()
    defer { depth -= 1 }
    let start = lexer.offset
    try lexer.advance()
    let offset = lexer.offset
    try need(try negation(), "not", at: offset)
    try emit(.unary(.not), at: start)
    return .condition
  }

  private static let comparisons: [String: ExpressionProgram.Binary] = [
    "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "==": .equal,
    "!=": .notEqual,
  ]

  private mutating func comparison() throws(ExpressionError) -> Dimension {
    let left = try sum()
    guard let (symbol, operation) = found(in: Self.comparisons) else { return left }
    let offset = lexer.offset
    try lexer.advance()
    let right = try sum()
    guard left.joined(with: right) != nil else {
      throw ExpressionError(
        .differentUnits(operation: symbol, left: left, right: right), at: offset)
    }
    try emit(.binary(operation), at: offset)
    if found(in: Self.comparisons) != nil {
      throw ExpressionError(.chainedComparison, at: lexer.offset)
    }
    return .condition
  }

  private mutating func sum() throws(ExpressionError) -> Dimension {
    var left = try product()
    while let (symbol, operation) = found(in: ["+": .add, "-": .subtract]) {
      let offset = lexer.offset
      try lexer.advance()
      let right = try product()
      guard let joined = left.joined(with: right) else {
        throw ExpressionError(
          .differentUnits(operation: symbol, left: left, right: right), at: offset)
      }
      try emit(.binary(operation), at: offset)
      // 0 - 0 is a computed number, no longer one that was written.
      left = joined.asQuantity
    }
    return left
  }

  private mutating func product() throws(ExpressionError) -> Dimension {
    var left = try signed()
    while let (symbol, operation) = found(in: ["*": .multiply, "/": .divide]) {
      let offset = lexer.offset
      try lexer.advance()
      let right = try signed()
      guard let result = operation == .multiply ? left.times(right) : left.over(right) else {
        throw ExpressionError(.unitOutOfRange(operation: symbol), at: offset)
      }
      try emit(.binary(operation), at: offset)
      left = result
    }
    return left
  }

  private mutating func signed() throws(ExpressionError) -> Dimension {
    guard lexer.token == .symbol("-") else { return try value() }
    try enter()
    defer { depth -= 1 }
    let offset = lexer.offset
    try lexer.advance()
    let dimension = try signed()
    try emit(.unary(.negate), at: offset)
    return dimension.kind == .zero ? .zero : dimension.asQuantity
  }

  private mutating func value() throws(ExpressionError) -> Dimension {
    let offset = lexer.offset
    switch lexer.token {
    case .number(let number, let dimension):
      try emit(.constant(number), at: offset)
      try lexer.advance()
      try refuseDetachedUnit()
      return dimension
    case .symbol("("):
      try enter()
      defer { depth -= 1 }
      try lexer.advance()
      let dimension = try disjunction()
      try close(offset)
      return dimension
    case .name(let name) where !Self.words.contains(name):
      try lexer.advance()
      if lexer.token == .symbol("(") { return try call(name, at: offset) }
      guard let variable = CandidateVariable(named: name) else {
        throw ExpressionError(
          ExpressionFunction(rawValue: name) == nil ? .unknownName(name) : .nameOfFunction(name),
          at: offset)
      }
      try emit(.variable(variable), at: offset)
      return variable.dimension
    default: throw ExpressionError(.expectedValue(found: lexer.token.text), at: offset)
    }
  }

  // MARK: Functions

  private mutating func call(_ name: String, at offset: Int) throws(ExpressionError) -> Dimension {
    guard let function = ExpressionFunction(rawValue: name) else {
      throw ExpressionError(.unknownFunction(name), at: offset)
    }
    try enter()
    defer { depth -= 1 }
    let open = lexer.offset
    var arguments: [(dimension: Dimension, offset: Int)] = []
    repeat {
      try lexer.advance()
      if arguments.isEmpty, lexer.token == .symbol(")") { break }
      let start = lexer.offset
      arguments.append((try disjunction(), start))
      if arguments.count > 1, function == .min || function == .max {
        try emit(.binary(function == .min ? .min : .max), at: start)
      }
    } while lexer.token == .symbol(",")
    if lexer.token != .symbol(")"), lexer.token != .end {
      throw ExpressionError(
        .expectedComma(function: name, found: lexer.token.text), at: lexer.offset)
    }
    try close(open)
    return try result(of: function, arguments, at: offset)
  }

  /// Checks the arguments of a function whose values are on the stack, and applies it.
  private mutating func result(
    of function: ExpressionFunction, _ arguments: [(dimension: Dimension, offset: Int)],
    at offset: Int
  ) throws(ExpressionError) -> Dimension {
    func count(_ isRight: Bool, _ needed: String) throws(ExpressionError) {
      guard isRight else {
        throw ExpressionError(
          .argumentCount(function: function.rawValue, needed: needed, found: arguments.count),
          at: offset)
      }
    }
    switch function {
    case .min, .max:
      try count(arguments.count >= 2, "two arguments or more")
      return try joined(arguments[...], function)
    case .if:
      try count(arguments.count == 3, "three arguments")
      try need(arguments[0].dimension, "if", at: arguments[0].offset)
      try emit(.choose, at: offset)
      return try joined(arguments[1...], function)
    case .abs, .sqrt, .log, .exp:
      try count(arguments.count == 1, "one argument")
      let argument = arguments[0].dimension.asQuantity
      if function == .log || function == .exp, !argument.isPlain {
        throw ExpressionError(
          .needsPlainNumber(function: function.rawValue, found: argument),
          at: arguments[0].offset)
      }
      try emit(.unary(Self.unary(function)), at: offset)
      guard function == .sqrt else { return argument }
      guard let root = argument.squareRoot else {
        throw ExpressionError(.unitOutOfRange(operation: "sqrt"), at: offset)
      }
      return root
    }
  }

  private static func unary(_ function: ExpressionFunction) -> ExpressionProgram.Unary {
    switch function {
    case .log: .log
    case .exp: .exp
    case .sqrt: .sqrt
    default: .abs
    }
  }

  /// The dimension that arguments share; conditions among themselves stay conditions.
  private func joined(
    _ arguments: ArraySlice<(dimension: Dimension, offset: Int)>, _ function: ExpressionFunction
  ) throws(ExpressionError) -> Dimension {
    if arguments.allSatisfy({ $0.dimension.kind == .condition }) { return .condition }
    var result = Dimension.zero
    for argument in arguments {
      guard let next = result.joined(with: argument.dimension) else {
        throw ExpressionError(
          .differentUnits(
            operation: function.rawValue, left: result, right: argument.dimension),
          at: argument.offset)
      }
      result = next
    }
    return result.asQuantity
  }

  // MARK: Pieces

  private func found(
    in operations: [String: ExpressionProgram.Binary]
  ) -> (String, ExpressionProgram.Binary)? {
    guard case .symbol(let symbol) = lexer.token, let operation = operations[symbol] else {
      return nil
    }
    return (symbol, operation)
  }

  private mutating func close(_ open: Int) throws(ExpressionError) {
    guard lexer.token == .symbol(")") else {
      throw lexer.token == .end ? ExpressionError(.unclosed, at: open) : stray()
    }
    try lexer.advance()
  }

  private func stray() -> ExpressionError {
    ExpressionError(.expectedEnd(found: lexer.token.text), at: lexer.offset)
  }

  /// `100 ms` would read as a number and a name.
  private func refuseDetachedUnit() throws(ExpressionError) {
    guard case .name(let name) = lexer.token,
      ExpressionLexer.units.contains(where: { $0.name == name })
    else { return }
    throw ExpressionError(.detachedUnit(name), at: lexer.offset)
  }

  private mutating func enter() throws(ExpressionError) {
    depth += 1
    guard depth <= Self.maximumDepth else { throw ExpressionError(.tooDeep, at: lexer.offset) }
  }

  private mutating func emit(
    _ instruction: ExpressionProgram.Instruction, at offset: Int
  ) throws(ExpressionError) {
    guard program.append(instruction) else { throw ExpressionError(.tooDeep, at: offset) }
    guard program.instructions.count <= Self.maximumLength else {
      throw ExpressionError(.tooLong, at: offset)
    }
  }
}
