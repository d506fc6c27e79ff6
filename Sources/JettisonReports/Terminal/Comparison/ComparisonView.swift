package import JettisonCore

/// What of a comparison is shown, and in which order.
package struct ComparisonView: Sendable {
  /// What is said about a policy or a modifier.
  package struct Note: Sendable, Hashable {
    package var name: String
    package var text: String

    /// Makes a note.
    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// By which metric policies are put in order, the best first; nil: by the work lost.
  package var sort: Metric?
  /// How many policies are shown in each table, the baseline beside them; nil: all.
  package var top: Int?
  /// What the names of a policy mean: the policy itself, then its modifiers.
  package var notes: [String: [Note]] = [:]
  /// Policies that see the future, which are yardsticks and no answer.
  package var oracles: Set<String> = []

  /// Everything, the least work lost first.
  package init() {}
}
