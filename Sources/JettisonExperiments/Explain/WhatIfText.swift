internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport

/// The same moment under other policies, side by side.
struct WhatIfText {
  private let explanation: DecisionExplanation
  private let decision: DecisionRecord
  private let policy: String
  private let apps: [String]
  private let style: TextStyle

  /// Places of an order that are shown.
  private static let shownPlaces = 10

  init(
    _ explanation: DecisionExplanation, _ decision: DecisionRecord, policy: String,
    apps: [String], _ style: TextStyle
  ) {
    self.explanation = explanation
    self.decision = decision
    self.policy = policy
    self.apps = apps
    self.style = style
  }

  /// One line for each policy, the one in force first, and what went wrong.
  var rendered: String {
    var table = TextTable([
      .init("policy", .left), .init("order", .left), .init("purges", .left),
      .init("frees", .right), .init("work lost", .right), .init("unsaved lost", .right),
      .init("relaunches cost", .right),
    ])
    let own = decision.candidates.map(\.app)
    table.add(row(policy, .bold, own, decision.candidates.filter(\.isChosen).map(\.app)))
    var failures = ""
    for other in explanation.alternatives {
      guard let failure = other.failure else {
        table.add(row(other.policy, nil, other.order, other.victims))
        continue
      }
      table.add([.init(other.policy), .init("failed", .red)])
      failures += Prose.paragraph(
        "\(TextStyle.clean(other.policy)) failed: \(TextStyle.clean(failure))", style)
    }
    var text = Prose.paragraph(
      "What if: the same moment under other policies, by the ranks above", style)
    text += table.rendered(style) + failures
    let oracles = explanation.alternatives.filter(\.isOracle).map(\.policy)
    if !oracles.isEmpty {
      let verb = oracles.count == 1 ? "looks" : "look"
      text += Prose.paragraph(
        "\(oracles.joined(separator: ", ")) \(verb) into the future.", style)
    }
    return text
  }

  private func row(
    _ name: String, _ emphasis: TextStyle.Emphasis?, _ order: [AppIndex], _ victims: [AppIndex]
  ) -> [TextTable.Cell] {
    let facts = explanation.candidates.filter { victims.contains($0.app) }
    let work = facts.reduce(Int64(0)) { $0 + $1.unsavedWorkNanoseconds }
    let unsaved = facts.reduce(Int64(0)) { $0 + $1.unsavedBytes }
    let cost = facts.reduce(0.0) { $0 + $1.relaunchCostSeconds }
    return [
      .init(name, emphasis), .init(ranks(order)), .init(ranks(victims)),
      .init(HumanText.size(bytes: facts.reduce(Int64(0)) { $0 + $1.freedBytes })),
      .init(HumanText.duration(nanoseconds: work)), .init(HumanText.size(bytes: unsaved)),
      .init(HumanText.duration(seconds: cost)),
    ]
  }

  /// Apps by their ranks in the order of the policy in force.
  private func ranks(_ apps: [AppIndex]) -> String {
    let places = apps.prefix(Self.shownPlaces).compactMap { app in
      decision.candidates.firstIndex { $0.app == app }.map { "\($0 + 1)" }
    }
    return places.joined(separator: " ") + (apps.count > Self.shownPlaces ? " …" : "")
  }
}
