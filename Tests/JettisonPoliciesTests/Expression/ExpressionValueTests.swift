import Foundation
import JettisonTestSupport
import Testing

@testable import JettisonCore
@testable import JettisonPolicies

/// What expressions are worth.
struct ExpressionValueTests {
  private static func value(
    _ text: String, _ figures: [CandidateVariable: Double] = [:]
  ) throws -> Double {
    try OrderKey(text).program.value { figures[$0] ?? 0 }
  }

  @Test(
    "Numbers count in bytes, seconds and shares",
    arguments: [
      ("12", 12), ("0.5", 0.5), ("1e3", 1000), ("1.5e-1", 0.15), ("1B", 1), ("2KB", 2000),
      ("3MB", 3e6), ("1.5GB", 1.5e9), ("1TB", 1e12), ("1KiB", 1024), ("1MiB", 1_048_576),
      ("1GiB", 1_073_741_824), ("1TiB", 1_099_511_627_776), ("5ns", 5e-9), ("5us", 5e-6),
      ("100ms", 0.1), ("30s", 30), ("2m", 120), ("2min", 120), ("3h", 10800), ("1d", 86400),
      ("2h30m", 9000), ("1d12h", 129_600), ("25%", 0.25), ("0", 0), ("1E2", 100),
    ] as [(String, Double)])
  func numbers(text: String, value: Double) throws {
    #expect(try abs(Self.value(text) - value) <= value * 1e-15)
  }

  @Test(
    "Operators bind as in arithmetic",
    arguments: [
      ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("10 - 4 - 3", 3), ("100 / 10 / 5", 2),
      ("-2 * 3", -6), ("2 - -3", 5), ("--2", 2), ("1 + 2 < 4", 1), ("not 1 > 2 and 2 > 1", 1),
      ("1 > 2 or 2 > 1 and 3 > 2", 1), ("(1 > 2 or 2 > 1) and 3 < 2", 0), ("not not 1 > 2", 0),
      ("1 == 1", 1), ("1 != 1", 0), ("2 >= 2", 1), ("2 <= 1", 0), ("max(1, 5, 3)", 5),
      ("min(4, 2, 3)", 2), ("abs(-3)", 3), ("sqrt(9)", 3), ("exp(0)", 1), ("log(1)", 0),
      ("if(2 > 1, 10, 20)", 10), ("if(1 > 2, 10, 20)", 20), ("3 * (2 > 1)", 3),
      ("sqrt(4MB * 9MB) / 1MB", 6), ("footprint > 0", 0), ("0 < unsaved_work", 0),
    ] as [(String, Double)])
  func operators(text: String, value: Double) throws {
    #expect(try Self.value(text) == value)
  }

  @Test("Division by zero is infinite, and what is undefined is not a number")
  func undefined() throws {
    #expect(try Self.value("1 / launches") == .infinity)
    #expect(try Self.value("-1 / launches") == -.infinity)
    #expect(try Self.value("launches / launches").isNaN)
    #expect(try Self.value("log(launches)") == -.infinity)
    #expect(try Self.value("log(launches - 1)").isNaN)
    #expect(try Self.value("sqrt(launches - 1)").isNaN)
    #expect(try Self.value("exp(1000 + launches)") == .infinity)
    #expect(try Self.value("1 / launches - 1 / launches").isNaN)
    // What is not a number stays so, whatever it meets.
    for text in [
      "x > 0", "0 >= x", "x == x", "x != x", "min(x, 1)", "min(1, x)", "max(1, x)", "not x > 0",
      "x > 0 and 1 > 0", "x > 0 or 1 < 0", "if(x > 0, 1, 2)", "-x", "abs(x)",
    ] {
      let full = text.replacing("x", with: "(launches / launches)")
        .replacing("ma(launches / launches)", with: "max")
      #expect(try Self.value(full).isNaN, "\(full)")
    }
    // Guards do not depend on what they guard.
    let ratio = "age / suspended_time > 2"
    #expect(try Self.value("suspended_time > 0 and \(ratio)") == 0)
    #expect(try Self.value("\(ratio) and suspended_time > 0") == 0)
    #expect(try Self.value("suspended_time == 0 or \(ratio)") == 1)
    #expect(try Self.value("if(suspended_time > 0, age / suspended_time, 1)") == 1)
  }

  @Test("The examples of the contract compile, with their directions")
  func contract() throws {
    #expect(try !OrderKey("unsaved_work > 0").isDescending)
    #expect(try OrderKey("idle_time desc").isDescending)
    let ratio = try OrderKey("footprint / (launch_cost + 100ms) desc")
    #expect(ratio.variables == [.footprint, .launchCost])
    let value = ratio.program.value { $0 == .footprint ? 120e6 : 0.5 }
    #expect(value == 200e6)
    #expect(try !OrderKey("age asc").isDescending)
  }

  @Test("Random expressions are worth what a slow evaluator says")
  func random() throws {
    let seed: UInt64 = 4711
    var random = SplitMix64(seed: seed)
    for round in 0..<5000 {
      let tree = Tree.random(&random, depth: 1 + Int(random.next() % 5), of: nil)
      var figures: [CandidateVariable: Double] = [:]
      for variable in CandidateVariable.allCases {
        figures[variable] = Tree.figure(of: variable, &random)
      }
      let text = tree.text(&random)
      let found = try Self.value(text, figures)
      let wanted = tree.value(figures)
      #expect(
        found == wanted || (found.isNaN && wanted.isNaN),
        "seed \(seed), round \(round): \(text) is \(found), not \(wanted)")
    }
  }
}

/// An expression as a tree: an evaluator of its own, and a writer with as few parentheses as the
/// precedence of operators allows, and some more.
private indirect enum Tree {
  case number(String, Double)
  case variable(CandidateVariable)
  case prefix(String, Tree)
  case infix(String, Tree, Tree)
  case call(String, [Tree])

  enum Kind { case plain, bytes, time, condition }

  static func figure(of variable: CandidateVariable, _ random: inout SplitMix64) -> Double {
    if variable.dimension == .condition { return Double(random.next() % 2) }
    switch random.next() % 8 {
    case 0: return 0
    case 1: return .infinity
    case 2: return -3
    default: return Double(random.next() % 1000) / 8
    }
  }

  static func random(_ random: inout SplitMix64, depth: Int, of kind: Kind?) -> Tree {
    let kind = kind ?? [Kind.plain, .bytes, .time, .condition][Int(random.next() % 4)]
    guard depth > 0, random.next() % 8 != 0 else { return leaf(&random, of: kind) }
    func next(_ kind: Kind) -> Tree { Tree.random(&random, depth: depth - 1, of: kind) }
    if kind == .condition {
      switch random.next() % 4 {
      case 0: return .prefix("not", next(.condition))
      case 1:
        return .infix(random.next() % 2 == 0 ? "and" : "or", next(.condition), next(.condition))
      default:
        let sides = [Kind.plain, .bytes, .time][Int(random.next() % 3)]
        let operators = ["<", "<=", ">", ">=", "==", "!="]
        return .infix(operators[Int(random.next() % 6)], next(sides), next(sides))
      }
    }
    switch random.next() % 9 {
    case 0: return .prefix("-", next(kind))
    case 1: return .infix("+", next(kind), next(kind))
    case 2: return .infix("-", next(kind), next(kind))
    case 3: return .infix("*", next(kind), next(.plain))
    case 4: return .infix("/", next(kind), next(.plain))
    case 5:
      return .call(random.next() % 2 == 0 ? "min" : "max", [next(kind), next(kind), next(kind)])
    case 6: return .call("if", [next(.condition), next(kind), next(kind)])
    case 7: return .call("abs", [next(kind)])
    default:
      guard kind == .plain else { return .call("sqrt", [.infix("*", next(kind), next(kind))]) }
      switch random.next() % 4 {
      case 0: return .call("log", [next(.plain)])
      case 1: return .call("exp", [next(.plain)])
      case 2: return .infix("/", next(.bytes), next(.bytes))
      default: return .infix("/", next(.time), next(.time))
      }
    }
  }

  private static func leaf(_ random: inout SplitMix64, of kind: Kind) -> Tree {
    let dimension: JettisonPolicies.Dimension =
      switch kind {
      case .plain: .number
      case .bytes: .bytes
      case .time: .time
      case .condition: .condition
      }
    let number = Double(random.next() % 100) / 4
    switch kind {
    case .plain where random.next() % 2 == 0: return .number("\(number)", number)
    case .bytes where random.next() % 2 == 0: return .number("\(number)KB", number * 1e3)
    case .time where random.next() % 2 == 0: return .number("\(number)h", number * 3600)
    default: break
    }
    let fitting = CandidateVariable.allCases.filter { $0.dimension == dimension }
    return .variable(fitting[Int(random.next() % UInt64(fitting.count))])
  }

  func value(_ figures: [CandidateVariable: Double]) -> Double {
    switch self {
    case .number(_, let value): return value
    case .variable(let variable): return figures[variable] ?? .nan
    case .prefix(let name, let tree):
      let value = tree.value(figures)
      return name == "-" ? -value : truth(value).map { $0 ? 0 : 1 } ?? .nan
    case .infix(let name, let left, let right):
      return Self.joined(name, left.value(figures), right.value(figures))
    case .call(let name, let trees):
      let values = trees.map { $0.value(figures) }
      if name == "if" { return truth(values[0]).map { $0 ? values[1] : values[2] } ?? .nan }
      if values.contains(where: \.isNaN) { return .nan }
      switch name {
      case "min": return values.min() ?? .nan
      case "max": return values.max() ?? .nan
      case "abs": return values[0].magnitude
      case "sqrt": return sqrt(values[0])
      case "log": return log(values[0])
      default: return exp(values[0])
      }
    }
  }

  private func truth(_ value: Double) -> Bool? { value.isNaN ? nil : value != 0 }

  private static func joined(_ name: String, _ a: Double, _ b: Double) -> Double {
    let isUndefined = a.isNaN || b.isNaN
    switch name {
    case "+": return a + b
    case "-": return a - b
    case "*": return a * b
    case "/": return a / b
    case "and":
      if [a, b].contains(0) { return 0 }
      return isUndefined ? .nan : 1
    case "or":
      if [a, b].contains(1) { return 1 }
      return isUndefined ? .nan : 0
    default: break
    }
    if isUndefined { return .nan }
    let holds =
      switch name {
      case "<": a < b
      case "<=": a < b || a == b
      case ">": b < a
      case ">=": b < a || a == b
      case "==": a == b
      default: a < b || b < a
      }
    return holds ? 1 : 0
  }

  private var strength: Int {
    switch self {
    case .number, .variable, .call: 7
    case .prefix("-", _): 6
    case .prefix: 3
    case .infix(let name, _, _):
      switch name {
      case "*", "/": 5
      case "+", "-": 4
      case "and": 1
      case "or": 0
      default: 2
      }
    }
  }

  func text(_ random: inout SplitMix64) -> String {
    switch self {
    case .number(let text, _): return text
    case .variable(let variable): return variable.name
    case .prefix(let name, let tree):
      // 'not' takes a comparison, a sign takes a value.
      let inner = tree.text(&random, atLeast: name == "-" ? 6 : 2)
      return name == "-" ? "-" + inner : "not " + inner
    case .infix(let name, let left, let right):
      let own = strength
      let comparison = own == 2
      let a = left.text(&random, atLeast: comparison ? 4 : own)
      let b = right.text(&random, atLeast: comparison ? 4 : own + 1)
      let blank = random.next() % 2 == 0 || own < 2 ? " " : ""
      return a + blank + name + blank + b
    case .call(let name, let trees):
      return "\(name)(" + trees.map { $0.text(&random) }.joined(separator: ", ") + ")"
    }
  }

  private func text(_ random: inout SplitMix64, atLeast strength: Int) -> String {
    let text = text(&random)
    return self.strength < strength || random.next() % 6 == 0 ? "(\(text))" : text
  }
}
