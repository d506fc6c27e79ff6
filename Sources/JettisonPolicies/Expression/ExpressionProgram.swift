#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A function that expressions may call.
enum ExpressionFunction: String, CaseIterable {
  case min
  case max
  case abs
  case log
  case exp
  case sqrt
  case `if`
}

/// An expression in postfix form: what is evaluated for every candidate.
///
/// A value that is not a number stays one through every step, with two exceptions that make
/// guards possible: `false and x` and `true or x` do not depend on `x`, and `if` only on the
/// branch taken. Bytes count in bytes, time in seconds; a condition is 1 or 0.
struct ExpressionProgram: Sendable {
  enum Instruction: BitwiseCopyable, Sendable {
    case constant(Double)
    case variable(CandidateVariable)
    case unary(Unary)
    case binary(Binary)
    /// The second or the third value from the top, by the first.
    case choose
  }

  enum Unary: UInt8, BitwiseCopyable, Sendable {
    case negate, not, abs, log, exp, sqrt
  }

  enum Binary: UInt8, BitwiseCopyable, Sendable {
    case add, subtract, multiply, divide
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual
    case and, or, min, max
  }

  /// Most values at a time.
  static let stackSize = 64

  private(set) var instructions: [Instruction] = []
  private var depth = 0

  /// Adds a step; false if it needs more room than there is.
  mutating func append(_ instruction: Instruction) -> Bool {
    instructions.append(instruction)
    switch instruction {
    case .constant, .variable: depth += 1
    case .unary: break
    case .binary: depth -= 1
    case .choose: depth -= 2
    }
    return depth <= Self.stackSize
  }

  /// The value of the expression for one candidate, whose figures `read` tells.
  ///
  /// - Complexity: O(instructions), without allocation.
  func value(_ read: (CandidateVariable) -> Double) -> Double {
    var stack = InlineArray<64, Double>(repeating: 0)
    var top = -1
    for instruction in instructions {
      switch instruction {
      case .constant(let value):
        top += 1
        stack[top] = value
      case .variable(let variable):
        top += 1
        stack[top] = read(variable)
      case .unary(let operation): stack[top] = Self.apply(operation, stack[top])
      case .binary(let operation):
        top -= 1
        stack[top] = Self.apply(operation, stack[top], stack[top + 1])
      case .choose:
        top -= 2
        let condition = stack[top]
        if !condition.isNaN { stack[top] = condition != 0 ? stack[top + 1] : stack[top + 2] }
      }
    }
    return stack[0]
  }

  private static func apply(_ operation: Unary, _ x: Double) -> Double {
    switch operation {
    case .negate: -x
    case .not: x.isNaN ? x : (x == 0 ? 1 : 0)
    case .abs: Swift.abs(x)
    case .log: logarithm(x)
    case .exp: exponential(x)
    case .sqrt: x.squareRoot()
    }
  }

  private static func apply(_ operation: Binary, _ a: Double, _ b: Double) -> Double {
    switch operation {
    case .add: return a + b
    case .subtract: return a - b
    case .multiply: return a * b
    case .divide: return a / b
    case .and:
      if a == 0 || b == 0 { return 0 }
      return a.isNaN || b.isNaN ? .nan : 1
    case .or:
      // A NaN differs from 0, and decides nothing.
      if (a != 0 && !a.isNaN) || (b != 0 && !b.isNaN) { return 1 }
      return a.isNaN || b.isNaN ? .nan : 0
    default: break
    }
    guard !a.isNaN, !b.isNaN else { return .nan }
    switch operation {
    case .less: return a < b ? 1 : 0
    case .lessOrEqual: return a <= b ? 1 : 0
    case .greater: return a > b ? 1 : 0
    case .greaterOrEqual: return a >= b ? 1 : 0
    case .equal: return a == b ? 1 : 0
    case .notEqual: return a != b ? 1 : 0
    case .min: return Swift.min(a, b)
    default: return Swift.max(a, b)
    }
  }
}

// Names of the C library beside cases of the same name.
private func logarithm(_ x: Double) -> Double { log(x) }
private func exponential(_ x: Double) -> Double { exp(x) }
