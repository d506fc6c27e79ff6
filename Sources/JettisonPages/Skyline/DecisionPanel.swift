import JettisonCore
import JettisonReports
import JettisonSupport

/// One decision as `jettison explain` tells it: the arithmetic, every candidate, who could not go,
/// and what it cost.
struct DecisionPanel {
  let decision: DecisionRecord
  let scene: SkylineScene
  let rules: DecisionRules
  /// Figures of the policy's own; nil: it has none, or was not asked.
  let terms: ScoreTerms?
  /// What followed from it: the ends that it decided.
  let ends: [SkylineDay.End]

  /// The panel, folded up behind one line.
  func write(to out: inout MarkupWriter) {
    out.markup("<details class=\"decision\"><summary>")
    out.text(title)
    out.markup("</summary><div")
    out.attribute("id", "\(scene.prefix)decision-\(decision.number)")
    out.markup(">")
    writeArithmetic(to: &out)
    if let sentence = rules.limiter(decision) { out.paragraph(sentence) }
    writeCandidates(to: &out)
    writeTerms(to: &out)
    writeSpared(to: &out)
    for sentence in consequences { out.paragraph(sentence) }
    out.markup("</div></details>")
  }

  private var title: String {
    let chosen = decision.candidates.filter(\.isChosen).map { scene.names.short($0.app) }
    let work = ends.reduce(0) { $0 + ($1.loss?.workNanoseconds ?? 0) }
    let bytes = ends.reduce(0) { $0 + ($1.loss?.bytes ?? 0) }
    let lost =
      work > 0 || bytes > 0 ? ", lost \(HumanText.lost(workNanoseconds: work, bytes: bytes))" : ""
    return "Decision \(decision.number) at \(scene.moment(decision.timeNanoseconds)): trigger "
      + "\(decision.trigger.name), level \(decision.level.name); ended "
      + Prose.listed(chosen, shown: 3) + lost
  }

  private func writeArithmetic(to out: inout MarkupWriter) {
    out.paragraph(
      "Available \(scene.size(decision.availableBytes)) of \(scene.size(scene.memoryBytes)), may "
        + "stop at \(scene.size(decision.targetBytes)), needed "
        + "\(scene.size(decision.neededBytes)). \(outcome)")
  }

  /// What was freed, and where that left memory.
  private var outcome: String {
    guard !decision.candidates.isEmpty else {
      return "There was no candidate: nothing could be ended."
    }
    let chosen = decision.candidates.filter(\.isChosen)
    guard !chosen.isEmpty else { return "No app was ended." }
    let after = decision.availableBytes + chosen.reduce(0) { $0 + $1.freedBytes }
    let verdict = after >= decision.targetBytes ? "enough" : "not enough"
    return "Then available: \(scene.size(after)), \(verdict) to stop."
  }

  private func writeCandidates(to out: inout MarkupWriter) {
    guard !decision.candidates.isEmpty else { return }
    let hasBand = decision.candidates.contains { $0.band != nil }
    out.markup("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>")
    var columns = ["rank", "app", "state"]
    if hasBand { columns.append("band") }
    columns += [
      "score", "decided by", "footprint", "frees", "ended", "idle", "unsaved work", "unsaved",
      "warned before",
    ]
    for column in columns { out.cell(column, "th") }
    out.markup("</thead><tbody>")
    for (place, candidate) in decision.candidates.enumerated() {
      if candidate.isChosen { out.markup("<tr class=\"chosen\">") } else { out.markup("<tr>") }
      out.cell("\(place + 1)")
      out.cell(scene.names.shown(candidate.app))
      out.cell(candidate.state.name)
      if hasBand { out.cell(candidate.band.map { "\($0)" } ?? "–") }
      out.cell(HumanText.figure(candidate.score))
      out.cell(candidate.tieBrokenBy.map(KnownNames.of) ?? "–")
      out.cell(scene.size(candidate.footprintBytes))
      out.cell(candidate.isChosen ? scene.size(candidate.freedBytes) : "–")
      out.cell(candidate.isChosen ? "yes" : "no")
      out.cell(HumanText.duration(nanoseconds: candidate.idleNanoseconds))
      out.cell(HumanText.duration(nanoseconds: candidate.unsavedWorkNanoseconds))
      out.cell(HumanText.size(bytes: candidate.unsavedBytes))
      out.cell(
        candidate.sinceWarningNanoseconds.map { HumanText.duration(nanoseconds: $0) } ?? "never")
    }
    out.markup("</tbody></table></div>")
  }

  /// What the scores are made of.
  private func writeTerms(to out: inout MarkupWriter) {
    let points = rules.points(decision, apps: scene.names.all, TextStyle())
    if !points.isEmpty {
      out.markup("<pre tabindex=\"0\">")
      out.text(points)
      out.markup("</pre>")
    }
    guard let terms else { return }
    out.markup("<p>What the score is made of:</p>")
    out.markup("<div class=\"scroll\" tabindex=\"0\"><table class=\"terms\"><thead><tr>")
    for name in ["rank"] + terms.names + ["score"] { out.cell(name, "th") }
    out.markup("</thead><tbody>")
    for row in terms.rows {
      out.markup("<tr>")
      for cell in row { out.cell(cell) }
    }
    out.markup("</tbody></table></div>")
  }

  private func writeSpared(to out: inout MarkupWriter) {
    guard !decision.spared.isEmpty else { return }
    out.markup("<p>Who could not go:</p><ul>")
    for app in decision.spared {
      out.markup("<li>")
      out.text(
        "\(scene.names.shown(app.app)), \(app.state.name), \(scene.size(app.footprintBytes)): "
          + app.reason.text)
      out.markup("</li>")
    }
    out.markup("</ul>")
  }

  private var consequences: [String] { ends.map { scene.story($0) } }
}
