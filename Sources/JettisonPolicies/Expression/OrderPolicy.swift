/// One key of an order: a compiled expression and its direction.
package struct OrderKey: Sendable {
  /// The key as it was written.
  package let text: String
  let program: ExpressionProgram
  let isDescending: Bool

  /// Compiles a key: an expression, ascending unless `desc` follows it.
  ///
  /// Throws ``ExpressionError`` with the place of the first mistake.
  package init(_ text: String) throws(ExpressionError) {
    self.text = text
    (program, isDescending) = try ExpressionParser.key(text)
  }

  /// The key's variables, each once, in the order of their table.
  package var variables: [CandidateVariable] {
    CandidateVariable.allCases.filter { variable in
      program.instructions.contains {
        if case .variable(variable) = $0 { true } else { false }
      }
    }
  }
}

/// A policy written as an order: the first key decides, later keys break its ties.
///
/// With one key the score is the key's value (negated under `desc`), with several the rank of the
/// app among the candidates, from 0; apps that no key tells apart share a rank. O(k·n + n log n)
/// per decision with n candidates and k keys.
struct OrderPolicy: PurgePolicy {
  static var hasTerms: Bool { true }
  static var observesEvents: Bool { false }

  static var ordering: CandidateOrdering { .byPreparedScore }

  private let keys: [OrderKey]
  private let names: [String]
  private let lambda: Double
  /// Score by app; valid for the candidates of the newest decision.
  private var scores: [Double]
  /// Values of the keys, candidate after candidate.
  private var values: [Double] = []
  /// Positions of candidates, to be put in order.
  private var order: [Int] = []

  init(keys: [OrderKey], context: PolicyContext) {
    self.keys = keys
    names = context.appNames
    lambda = context.lambda
    scores = Array(repeating: 0, count: context.appCount)
  }

  mutating func prepare(
    _ candidates: [AppIndex], for request: PurgeRequest, apps: borrowing AppTable
  ) throws(PolicyFailure) {
    values.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    for (position, app) in candidates.enumerated() {
      order.append(position)
      for (number, key) in keys.enumerated() {
        let value = key.program.value { variable in
          variable.value(of: app, for: request, lambda: lambda, apps: apps)
        }
        guard !value.isNaN else {
          throw PolicyFailure(
            "key \(number + 1), '\(key.text)', is not a number for app '\(names[app.position])'")
        }
        // -0 and 0 are equal; what is left has one order in either direction.
        values.append(key.isDescending ? -value : value)
      }
    }
    guard keys.count > 1 else {
      for (position, app) in candidates.enumerated() { scores[app.position] = values[position] }
      return
    }
    rank(candidates)
  }

  func score(_ app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable) -> Double {
    scores[app.position]
  }

  func terms(
    of app: AppIndex, for request: PurgeRequest, apps: borrowing AppTable
  ) -> [ScoreTerm] {
    var terms: [ScoreTerm] = []
    for variable in CandidateVariable.allCases
    where keys.contains(where: { $0.variables.contains(variable) }) {
      let value = variable.value(of: app, for: request, lambda: lambda, apps: apps)
      terms.append(ScoreTerm(variable.name, value))
    }
    return terms
  }

  /// Gives candidates their ranks by all keys.
  private mutating func rank(_ candidates: [AppIndex]) {
    let width = keys.count
    order.sort { [values] a, b in
      Self.compare(values, a * width, b * width, width) ?? (a < b)
    }
    var rank: Double = 0
    for (place, position) in order.enumerated() {
      if place > 0,
        Self.compare(values, order[place - 1] * width, position * width, width) != nil
      {
        rank += 1
      }
      scores[candidates[position].position] = rank
    }
  }

  /// Whether the keys from `a` on come before those from `b` on; nil if all are equal.
  private static func compare(_ values: [Double], _ a: Int, _ b: Int, _ count: Int) -> Bool? {
    for offset in 0..<count where values[a + offset] != values[b + offset] {
      return values[a + offset] < values[b + offset]
    }
    return nil
  }
}

extension PolicyDescriptor {
  /// A policy of your own, as an order of keys.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - summary: One sentence; nil: made of the keys.
  ///   - source: Where it was written down.
  ///   - keys: The first key decides, later keys break its ties.
  ///   - modifiers: What always holds, as written after a name; part of the definition's hash.
  package static func order(
    named name: String, summary: String?, source: String, keys: [OrderKey],
    modifiers: String = ""
  ) -> PolicyDescriptor {
    let list = keys.map { "'\($0.text)'" }.joined(separator: ", then ")
    var descriptor = PolicyDescriptor(
      name: name, family: "own", summary: summary ?? "Orders apps by \(list).",
      details: "Ascending unless \"desc\", the first key decides: \(list). Score: "
        + (keys.count == 1 ? "the key's value, negated under \"desc\"." : "rank among candidates."),
      source: source, complexity: "O(keys) per score, one sort per decision"
    ) { _, context in OrderPolicy(keys: keys, context: context) }
    var hash = ContentHash()
    for key in keys { hash.add(key.text) }
    hash.add(modifiers)
    descriptor.definitionHash = hash.value
    return descriptor
  }
}
