import JettisonCore

/// The files of `jettison validate`.
package enum ValidationTables {
  /// `validation-summary.csv`.
  package static let summary = ReportTable<ValidatedRun>(
    fileName: "validation-summary.csv", rowMeaning: "run that did not fail",
    fields: RunTables.keyFields { $0.key } + [
      .init("window_seconds", "seconds", "What counts as about the same time.") {
        .seconds($0.windowNanoseconds)
      },
      .init("adj", ranksUnit, ranksText) { ReportCell(ranks($0.usesCapturedRanks)) },
    ]
      + ValidationMetric.all.map { metric in
        .init(metric.name, metric.unit, metric.documentation) { row in
          ReportCell(metric.value(row.figures))
        }
      })

  /// `validation.csv`.
  package static let rows = ReportTable<ValidationRow>(
    fileName: "validation.csv",
    rowMeaning:
      "observed kill and warning, simulated one that was not observed, and measured available memory",
    fields: RunTables.keyFields { $0.key } + whatFields + playFields + rankFields)

  private static let ranksUnit = "captured, modelled"
  private static let ranksText =
    "Whose ranks (oom_score_adj) counted; empty where the capture has none or the model asks for none."

  private static func ranks(_ areCaptured: Bool?) -> String {
    areCaptured.map { $0 ? "captured" : "modelled" } ?? ""
  }

  private static let whatFields: [ReportTable<ValidationRow>.Field] = [
    .init("adj", ranksUnit, ranksText) { ReportCell(ranks($0.usesCapturedRanks)) },
    .init(
      "kind", words(ValidationRow.Kind.allCases.map(\.rawValue)),
      "Whether the capture has it or only the simulation."
    ) { ReportCell($0.kind.rawValue) },
    .init("time_ns", "nanoseconds", "Time since the start of the trace.") {
      .integer($0.timeNanoseconds)
    },
    .init("app", "text", "Name of the app; empty: a warning to the whole device.") {
      ReportCell($0.app)
    },
    .init(
      "cause", "text", "Cause in the capture; of a simulated kill, the rule behind it."
    ) { ReportCell($0.cause) },
    .init("band", "number", "Band or oom_score_adj in the capture; empty if it has none.") {
      ReportCell($0.band)
    },
    .init(
      "moment", "number",
      "Number of the moment: observed kills that follow each other within the window."
    ) { ReportCell($0.moment.map(Int64.init)) },
  ]

  private static let playFields: [ReportTable<ValidationRow>.Field] = [
    .init(
      "outcome", words(ValidationRow.Outcome.allCases.map(\.rawValue)),
      "What the other side has of it, and if nothing, why."
    ) { ReportCell($0.outcome.rawValue) },
    .init("matched", "0 or 1", "1: both sides have it at about the same time.") {
      ReportCell($0.isMatched)
    },
    .init("same_set", "0 or 1", "1: and the whole moment has the same victims.") {
      ReportCell($0.isSameSet)
    },
    .init("exact", "0 or 1", "1: in the same order too.") { ReportCell($0.isExact) },
    .init(
      "chance_matched", "share",
      "Chance of a match if all kills of the simulation were moved along the capture at random."
    ) { ReportCell(real: $0.chanceOfMatch) },
    .init(
      "offset_seconds", "seconds",
      "Simulated less observed time: of a match, or of the end that came too early or late."
    ) { ReportCell(nanoseconds: $0.offsetNanoseconds) },
    .init("other_app", "text", "First victim of the decision that ended another app.") {
      ReportCell($0.otherApp)
    },
    .init("reason", "text", "Why it was no candidate, or how it had ended in the simulation.") {
      ReportCell($0.reason)
    },
    .init("decision", "number", "Decision of the simulation, as in decisions.csv of a replay.") {
      ReportCell($0.decision.map(Int64.init))
    },
    .init("decision_rank", "number", "Place of the app in that decision, from 1.") {
      ReportCell($0.decisionRank.map(Int64.init))
    },
    .init(
      "level", "normal, warning, critical",
      "Level of a warning; of an observed kill, that of the simulation just before it."
    ) { ReportCell($0.level?.name ?? "") },
    .init(
      "available_bytes", "bytes",
      "Available memory of the simulation: just before a kill, after all rows of a measurement's "
        + "instant."
    ) { ReportCell($0.availableBytes) },
    .init("observed_bytes", "bytes", "Available memory that the capture measured.") {
      ReportCell($0.observedBytes)
    },
    .init("difference_bytes", "bytes", "Simulated less measured available memory.") {
      ReportCell($0.differenceBytes)
    },
  ]

  private static let rankFields: [ReportTable<ValidationRow>.Field] = [
    .init(
      "rank", "number",
      "Place that the policy gives the app when the run follows the capture, from 1; empty: "
        + "it could not be ranked."
    ) { ReportCell($0.rank.map(Int64.init)) },
    .init("candidates", "apps", "How many it had to choose from.") {
      ReportCell($0.candidateCount.map(Int64.init))
    },
    .init("top_1", "0 or 1", "1: the policy puts it first.") { row in
      row.rank == nil ? .empty : ReportCell(row.rank == 1)
    },
    .init("top_3", "0 or 1", "1: among the first three.") { row in
      row.rank == nil ? .empty : ReportCell(row.isTop3)
    },
    .init("reciprocal_rank", "share", "1 by the rank.") { ReportCell(real: $0.reciprocalRank) },
    .init("chance_top_1", "share", "Chance of a random order to have it first.") {
      ReportCell(real: $0.chanceOfFirst)
    },
    .init("chance_top_3", "share", "Chance of a random order to have it among its first three.") {
      ReportCell(real: $0.chanceOfTop3)
    },
    .init("chance_reciprocal_rank", "share", "Expected 1 by the rank under a random order.") {
      ReportCell(real: $0.chanceOfReciprocalRank)
    },
  ]

  private static func words(_ names: [String]) -> String { names.joined(separator: ", ") }
}
