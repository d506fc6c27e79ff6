package import JettisonCore
internal import JettisonSupport

/// By which rules a run decides, in sentences: `explain` and pages say the same.
package struct DecisionRules: Sendable {
  private let configuration: RunConfiguration
  private let policy: PolicySpec

  /// The rules of a run.
  package init(_ configuration: RunConfiguration, _ policy: PolicySpec) {
    self.configuration = configuration
    self.policy = policy
  }

  /// The values by which the pressure model opens decisions.
  package var pressure: String {
    let model = configuration.pressure
    return "Pressure model \(model.rawValue): \(model.text.rule(configuration))"
  }

  /// How the Memory Limiter came to end an app; nil: it did not.
  package func limiter(_ decision: DecisionRecord) -> String? {
    guard decision.trigger == .memoryLimiter, let limiter = configuration.memoryLimiter else {
      return nil
    }
    let grace = HumanText.duration(nanoseconds: limiter.graceNanoseconds)
    let poll = HumanText.duration(nanoseconds: limiter.pollNanoseconds)
    return "The Memory Limiter ended the app, however much memory was available. Above its limit "
      + "the app was polled every \(poll); the poll \(grace) before this decision found that it held "
      + "more than its limits of memory and swap together. What it freed since then, or which "
      + "limits it had since then, did not save it."
  }

  /// What the scores are, a paragraph each.
  package var scores: [String] {
    var paragraphs = ["The lowest score goes first. \(policy.descriptor.details)"]
    if !policy.modifiers.isEmpty {
      paragraphs.append("Modifiers: " + policy.modifiers.sentences.joined(separator: " "))
    }
    return paragraphs
  }

  /// Whether the policy can name the parts of a score: asking it takes a replay.
  package var tellTerms: Bool { policy.descriptor.hasTerms }

  /// What the scores of a decision say under the pressure model, as lines each ended; empty: nothing
  /// more.
  ///
  /// - Parameter apps: Names to show, by `AppIndex`.
  package func points(
    _ decision: DecisionRecord, apps: [String], _ style: TextStyle
  ) -> String {
    configuration.pressure.text.scores(decision, by: policy, configuration, apps: apps, style)
  }
}

/// Figures of the policy's own that a score is made of.
package struct ScoreTerms: Sendable {
  /// What they are called.
  package let names: [String]
  /// A row per candidate in the order of the decision: its rank, the figures, the score.
  package let rows: [[String]]

  /// Takes what a policy said of the candidates of a decision; nil: it knows nothing of its own.
  package init?(_ explanation: DecisionExplanation, _ decision: DecisionRecord) {
    guard let names = explanation.candidates.first?.terms.map(\.name), !names.isEmpty else {
      return nil
    }
    self.names = names
    rows = decision.candidates.enumerated().compactMap { place, candidate in
      explanation.candidates.first { $0.app == candidate.app }.map { facts in
        ["\(place + 1)"] + facts.terms.map { HumanText.figure($0.value) }
          + [HumanText.figure(candidate.score)]
      }
    }
  }
}
