internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// What is known of each candidate of a decision, beyond its place.
struct CandidateText {
  private let explanation: DecisionExplanation
  private let decision: DecisionRecord
  private let style: TextStyle

  init(_ explanation: DecisionExplanation, _ decision: DecisionRecord, _ style: TextStyle) {
    self.explanation = explanation
    self.decision = decision
    self.style = style
  }

  /// The table as lines, each ended; and what the policy itself knows, if it knows anything.
  var rendered: String {
    var table = TextTable([
      .init("rank", .right), .init("idle", .right), .init("suspended for", .right),
      .init("in memory for", .right), .init("launches", .right), .init("relaunch costs", .right),
      .init("unsaved work", .right), .init("unsaved", .right), .init("warned before", .right),
    ])
    for (place, candidate) in decision.candidates.enumerated() {
      guard let facts = facts(of: candidate) else { continue }
      table.add([
        .init("\(place + 1)"), .init(HumanText.duration(nanoseconds: candidate.idleNanoseconds)),
        .init(facts.suspendedNanoseconds.map(since) ?? "–"),
        .init(since(facts.processStartNanoseconds)), .init("\(facts.launchCount)"),
        .init(HumanText.duration(seconds: facts.relaunchCostSeconds)),
        .init(HumanText.duration(nanoseconds: candidate.unsavedWorkNanoseconds)),
        .init(HumanText.size(bytes: candidate.unsavedBytes)),
        .init(
          candidate.sinceWarningNanoseconds.map { HumanText.duration(nanoseconds: $0) }
            ?? "never"),
      ])
    }
    return table.rendered(style) + terms
  }

  /// Figures of the policy's own, by rank.
  private var terms: String {
    guard let terms = ScoreTerms(explanation, decision) else { return "" }
    var table = TextTable(
      [.init("rank", .right)] + terms.names.map { .init($0, .right) } + [.init("score", .right)])
    for row in terms.rows { table.add(row.map { .init($0) }) }
    return "\nWhat the score is made of\n" + table.rendered(style)
  }

  private func facts(of candidate: CandidateRecord) -> DecisionExplanation.Facts? {
    explanation.candidates.first { $0.app == candidate.app }
  }

  private func since(_ time: Int64) -> String {
    HumanText.duration(nanoseconds: decision.timeNanoseconds - time)
  }
}
