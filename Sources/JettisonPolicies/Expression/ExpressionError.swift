/// Why an expression cannot be used, and at which character.
///
/// The payload holds facts; ``what`` and ``remedy`` are the sentence.
package struct ExpressionError: Error, Equatable, Sendable {
  /// What is wrong.
  enum Kind: Equatable, Sendable {
    case unexpectedCharacter(String)
    case malformedNumber(String)
    case unknownUnit(String)
    case detachedUnit(String)
    case unknownName(String)
    case unknownFunction(String)
    case nameOfFunction(String)
    case expectedValue(found: String)
    case expectedEnd(found: String)
    case expectedComma(function: String, found: String)
    case unclosed
    case argumentCount(function: String, needed: String, found: Int)
    case chainedComparison
    case tooDeep
    case tooLong
    case differentUnits(operation: String, left: Dimension, right: Dimension)
    case needsPlainNumber(function: String, found: Dimension)
    case needsCondition(word: String, found: Dimension)
    case unitOutOfRange(operation: String)
  }

  let kind: Kind
  /// Where, in Unicode scalars from the start of the text.
  package let offset: Int

  init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// What is wrong, without the place.
  package var what: String {
    switch kind {
    case .unexpectedCharacter(let text): "unexpected '\(text)'"
    case .malformedNumber(let text): "'\(text)' is not a number"
    case .unknownUnit(let text): unknown("unit", text, Self.units)
    case .detachedUnit(let text): "the unit '\(text)' stands apart from its number"
    case .unknownName(let text):
      unknown("name", text, CandidateVariable.allCases.map(\.name))
    case .unknownFunction(let text):
      unknown("function", text, ExpressionFunction.allCases.map(\.rawValue))
    case .nameOfFunction(let text): "'\(text)' is a function"
    case .expectedValue(let found): "a value is missing before \(found)"
    case .expectedEnd(let found): "\(found) does not belong here"
    case .expectedComma(let function, let found):
      "\(found) does not belong into the arguments of '\(function)'"
    case .unclosed: "a parenthesis that is not closed"
    case .argumentCount(let function, let needed, let found):
      "'\(function)' takes \(needed), not \(found)"
    case .chainedComparison: "two comparisons in a row"
    case .tooDeep: "an expression nested deeper than \(ExpressionParser.maximumDepth) levels"
    case .tooLong: "an expression of more than \(ExpressionParser.maximumLength) steps"
    case .differentUnits(let operation, let left, let right):
      "'\(operation)' cannot join \(left.description) and \(right.description)"
    case .needsPlainNumber(let function, let found):
      "'\(function)' needs a plain number, not \(found.description)"
    case .needsCondition(let word, let found):
      "'\(word)' needs a condition, not \(found.description)"
    case .unitOutOfRange(let operation): "'\(operation)' leads to a unit that means nothing"
    }
  }

  /// What to do about it; empty if nothing helps beyond ``what``.
  package var remedy: String {
    switch kind {
    case .unexpectedCharacter(let text): Self.remedies[text] ?? ""
    case .malformedNumber: "write digits such as 12 or 0.5, with the unit next to them"
    case .detachedUnit(let text): "write 1\(text) without a blank"
    case .nameOfFunction(let text): "write \(text)(…)"
    case .unknownUnit, .unknownName, .unknownFunction: ""
    case .expectedValue: "write a name, a number or a parenthesis there"
    case .expectedEnd, .expectedComma: "write an operator between two values"
    case .unclosed: "write ')'"
    case .argumentCount: "separate arguments by commas"
    case .chainedComparison: "write 'a < b and b < c'"
    case .tooDeep, .tooLong: "spread it over several keys"
    case .differentUnits(_, let left, let right):
      left.isPlain || right.isPlain
        ? "give the number a unit: 100MB, 30s" : "divide each by a unit: idle_time / 1s"
    case .needsPlainNumber(let function, let found):
      "divide by a unit: \(function)(x / \(found == .time ? "1s" : "1MB"))"
    case .needsCondition: "compare it with something: x > 0"
    case .unitOutOfRange: "divide by a unit first"
    }
  }

  /// Operators of other languages, and what they are called here.
  private static let remedies = [
    "=": "write == to compare", "&": "write 'and'", "|": "write 'or'", "!": "write 'not'",
    "^": "write x * x for a square", "%": "write a share next to its number: 25%",
    ".": "write a digit before the point: 0.5", "-": "", "\"": "names need no quotes",
    "'": "names need no quotes",
  ]

  private static let units = ExpressionLexer.units.map(\.name)

  private func unknown(_ what: String, _ name: String, _ known: [String]) -> String {
    ConfigurationError.unknown(what: what, name: name, known: known).description
  }
}
