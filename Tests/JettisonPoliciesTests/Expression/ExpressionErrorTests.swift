import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonPolicies

/// What is wrong with an expression, and at which character.
struct ExpressionErrorTests {
  struct Mistake: CustomTestStringConvertible {
    let text: String
    /// Character of the mistake, from 1.
    let column: Int
    let sentence: String

    init(_ text: String, _ column: Int, _ sentence: String) {
      self.text = text
      self.column = column
      self.sentence = sentence
    }

    var testDescription: String { text }
  }

  private static let names = CandidateVariable.allCases.map(\.name).joined(separator: ", ")
  private static let functions = "min, max, abs, log, exp, sqrt, if"
  private static let units =
    "B, KB, MB, GB, TB, KiB, MiB, GiB, TiB, ns, us, ms, s, m, min, h, d, %"

  static let syntax = [
    Mistake(
      "", 1, "a value is missing before the end (write a name, a number or a parenthesis there)"),
    Mistake(
      "1 +", 4, "a value is missing before the end (write a name, a number or a parenthesis there)"),
    Mistake(
      "idle_time * desc", 13,
      "a value is missing before 'desc' (write a name, a number or a parenthesis there)"),
    Mistake(
      "* 2", 1, "a value is missing before '*' (write a name, a number or a parenthesis there)"),
    Mistake(
      "footprint launches", 11,
      "'launches' does not belong here (write an operator between two values)"),
    Mistake("2 3", 3, "a number does not belong here (write an operator between two values)"),
    Mistake(
      "age desc desc", 10, "'desc' does not belong here (write an operator between two values)"),
    Mistake("1)", 2, "')' does not belong here (write an operator between two values)"),
    Mistake("(1 + 2", 1, "a parenthesis that is not closed (write ')')"),
    Mistake("2 * max(1, 2", 8, "a parenthesis that is not closed (write ')')"),
    Mistake(
      "max(1 2)", 7,
      "a number does not belong into the arguments of 'max' (write an operator between two values)"),
    Mistake("min(1)", 1, "'min' takes two arguments or more, not 1 (separate arguments by commas)"),
    Mistake("sqrt()", 1, "'sqrt' takes one argument, not 0 (separate arguments by commas)"),
    Mistake("1 + log(1, 2)", 5, "'log' takes one argument, not 2 (separate arguments by commas)"),
    Mistake(
      "if(is_front, 1)", 1, "'if' takes three arguments, not 2 (separate arguments by commas)"),
    Mistake("1 < 2 < 3", 7, "two comparisons in a row (write 'a < b and b < c')"),
    Mistake("age = 3s", 5, "unexpected '=' (write == to compare)"),
    Mistake("is_front && is_front", 10, "unexpected '&' (write 'and')"),
    Mistake("is_front || is_front", 10, "unexpected '|' (write 'or')"),
    Mistake("!is_front", 1, "unexpected '!' (write 'not')"),
    Mistake("launches^2", 9, "unexpected '^' (write x * x for a square)"),
    Mistake("launches % 2", 10, "unexpected '%' (write a share next to its number: 25%)"),
    Mistake("2 * .5", 5, "unexpected '.' (write a digit before the point: 0.5)"),
    Mistake("'age'", 1, "unexpected ''' (names need no quotes)"),
    Mistake("age + é", 7, "unexpected 'é'"),
    Mistake("launches + \u{1F600}", 12, "unexpected '\u{1F600}'"),
    Mistake("age; launches", 4, "unexpected ';'"),
  ]

  static let numbers = [
    Mistake(
      "1.2.3", 1,
      "'1.2.3' is not a number (write digits such as 12 or 0.5, with the unit next to them)"
    ),
    Mistake(
      "footprint > 1MB2", 13,
      "'1MB2' is not a number (write digits such as 12 or 0.5, with the unit next to them)"),
    Mistake(
      "1h2", 1, "'1h2' is not a number (write digits such as 12 or 0.5, with the unit next to them)"
    ),
    Mistake(
      "1e999", 1,
      "'1e999' is not a number (write digits such as 12 or 0.5, with the unit next to them)"),
    Mistake(
      "age > 100 ms", 11, "the unit 'ms' stands apart from its number (write 1ms without a blank)"),
    Mistake("age > 10sec", 9, "unknown unit 'sec'; known: \(units)"),
    Mistake("footprint / 10mb", 15, "unknown unit 'mb' (did you mean 'MB'?); known: \(units)"),
    Mistake("3footprint", 2, "unknown unit 'footprint'; known: \(units)"),
  ]

  static let unknownNames = [
    Mistake(
      "footprnt", 1, "unknown name 'footprnt' (did you mean 'footprint'?); known: \(names)"),
    Mistake(
      "age + Footprint", 7, "unknown name 'Footprint' (did you mean 'footprint'?); known: \(names)"),
    Mistake("age / xyzzy", 7, "unknown name 'xyzzy'; known: \(names)"),
    Mistake("sqr(age)", 1, "unknown function 'sqr' (did you mean 'sqrt'?); known: \(functions)"),
    Mistake("age(1)", 1, "unknown function 'age'; known: \(functions)"),
    Mistake("1 + log", 5, "'log' is a function (write log(…))"),
  ]

  static let dimensions = [
    Mistake(
      "footprint + idle_time", 11,
      "'+' cannot join bytes and time (divide each by a unit: idle_time / 1s)"),
    Mistake(
      "unsaved_work < footprint", 14,
      "'<' cannot join time and bytes (divide each by a unit: idle_time / 1s)"),
    Mistake(
      "footprint > 100", 11,
      "'>' cannot join bytes and a plain number (give the number a unit: 100MB, 30s)"),
    Mistake(
      "footprint / launch_cost + launches", 25,
      "'+' cannot join bytes/time and a plain number (give the number a unit: 100MB, 30s)"),
    Mistake(
      "footprint * footprint / age / age - 1/age", 35,
      "'-' cannot join bytes^2/time^2 and 1/time (divide each by a unit: idle_time / 1s)"),
    Mistake(
      "min(1s, footprint)", 9,
      "'min' cannot join time and bytes (divide each by a unit: idle_time / 1s)"),
    Mistake(
      "if(is_front, 1s, footprint)", 18,
      "'if' cannot join time and bytes (divide each by a unit: idle_time / 1s)"),
    Mistake(
      "log(footprint)", 5, "'log' needs a plain number, not bytes (divide by a unit: log(x / 1MB))"),
    Mistake(
      "1 + exp( age)", 10, "'exp' needs a plain number, not time (divide by a unit: exp(x / 1s))"),
    Mistake(
      "sqrt(age) > age", 11,
      "'>' cannot join time^0.5 and time (divide each by a unit: idle_time / 1s)"),
    Mistake(
      "footprint and is_front", 1,
      "'and' needs a condition, not bytes (compare it with something: x > 0)"),
    Mistake(
      "is_front or age", 13, "'or' needs a condition, not time (compare it with something: x > 0)"),
    Mistake(
      "not launches", 5,
      "'not' needs a condition, not a plain number (compare it with something: x > 0)"),
    Mistake(
      "if(1, 2, 3)", 4,
      "'if' needs a condition, not a plain number (compare it with something: x > 0)"),
    Mistake(
      "sqrt(sqrt(sqrt(sqrt(sqrt(age)))))", 1,
      "'sqrt' leads to a unit that means nothing (divide by a unit first)"),
  ]

  @Test(
    "A mistake names its character and what to do",
    arguments: [syntax, numbers, unknownNames, dimensions].flatMap(\.self))
  func mistakes(mistake: Mistake) throws {
    let error = try #require(throws: ExpressionError.self) { _ = try OrderKey(mistake.text) }
    #expect(error.offset + 1 == mistake.column)
    let sentence = error.remedy.isEmpty ? error.what : "\(error.what) (\(error.remedy))"
    #expect(sentence == mistake.sentence)
  }

  @Test("Deep nesting gets a sentence", arguments: [65, 1000, 100_000])
  func depth(count: Int) throws {
    let deep = [
      (String(repeating: "(", count: count) + "1" + String(repeating: ")", count: count), 65),
      (String(repeating: "-", count: count) + "1", 65),
      (String(repeating: "not ", count: count) + "is_front", 4 * 64 + 1),
      (
        String(repeating: "abs(", count: count) + "1" + String(repeating: ")", count: count), 4 * 65
      ),
      (String(repeating: "(", count: count), 65),
    ]
    for (text, column) in deep {
      let error = try #require(throws: ExpressionError.self) { _ = try OrderKey(text) }
      #expect(error.what == "an expression nested deeper than 64 levels")
      #expect(error.remedy == "spread it over several keys")
      #expect(error.offset + 1 == column)
    }
  }

  @Test("What needs too many intermediate values, or too many steps, gets a sentence")
  func size() throws {
    let wide = String(repeating: "1 + 1 * (", count: 40) + "1" + String(repeating: ")", count: 40)
    let error = try #require(throws: ExpressionError.self) { _ = try OrderKey(wide) }
    #expect(error.kind == .tooDeep)
    let long = "1" + String(repeating: " + 1", count: 10_000)
    let other = try #require(throws: ExpressionError.self) { _ = try OrderKey(long) }
    #expect(other.what == "an expression of more than 10000 steps")
    // Deepest and longest that is legal.
    _ = try OrderKey(String(repeating: "(", count: 64) + "1" + String(repeating: ")", count: 64))
    _ = try OrderKey("1" + String(repeating: " + 1", count: 4999))
    let units = String(repeating: "age * ", count: 70) + "1"
    let third = try #require(throws: ExpressionError.self) { _ = try OrderKey(units) }
    #expect(third.what == "'*' leads to a unit that means nothing")
  }

  @Test("No text makes the parser trap")
  func fuzz() {
    let seed: UInt64 = 20_261_121
    var random = SplitMix64(seed: seed)
    let pieces =
      CandidateVariable.allCases.map(\.name) + ExpressionFunction.allCases.map(\.rawValue)
      + [
        "(", ")", ",", "+", "-", "*", "/", "<", "<=", "==", "!=", "and", "or", "not", "desc", "asc",
      ]
      + [
        "1", "0", "2.5", "1e3", "1e", "100ms", "2h30m", "5MB", "25%", ".", "=", "&", "é", "\u{0}",
        " ",
      ]
    for round in 0..<20_000 {
      var text = ""
      for _ in 0..<(random.next() % 12) {
        text += pieces[Int(random.next() % UInt64(pieces.count))]
        if random.next() % 2 == 0 { text += " " }
      }
      do throws(ExpressionError) {
        let key = try OrderKey(text)
        _ = key.program.value { _ in 1 }
      } catch {
        let length = text.unicodeScalars.count
        #expect(
          error.offset >= 0 && error.offset <= length, "seed \(seed), round \(round): \(text)")
        #expect(!error.what.isEmpty)
      }
    }
  }
}
