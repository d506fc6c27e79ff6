package import JettisonCore

/// Everything one run yields, for comparison.
package struct ModelOutcome: Sendable {
  package var result: RunResult
  package var events: [EventRecord]
  package var decisions: [DecisionRecord]

  package init(result: RunResult, events: [EventRecord], decisions: [DecisionRecord]) {
    self.result = result
    self.events = events
    self.decisions = decisions
  }
}
