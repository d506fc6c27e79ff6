import JettisonCore

/// The file of `jettison savings`.
package enum SavingsTable {
  /// `savings.csv`.
  package static let rows = ReportTable<SavingsRow>(
    fileName: "savings.csv", rowMeaning: "app, device, memory size and saving habit",
    fields: keyFields + SavingsRow.metrics.map(figureField) + comparisonFields)

  private static let keyFields: [ReportTable<SavingsRow>.Field] = [
    .init("app", "text", "Name of the app, decoded.") { ReportCell($0.app) },
    .init("policy", "text", "Purge policy with its parameters.") { ReportCell($0.policy) },
    .init("device", "text", "Name of the device.") { ReportCell($0.device) },
    .init("memory_bytes", "bytes", RunTables.memoryText) { .integer($0.memoryBytes) },
    .init("habit", "text", "When the app saves; the first habit is the baseline.") {
      ReportCell($0.habit)
    },
    .init("save_when", "text", "The habit as save.when of a catalog; empty: as captured.") {
      ReportCell($0.when ?? "")
    },
    .init(
      "save_thread", "main, queue, task", "The habit as save.thread; empty: as the app has it."
    ) { ReportCell($0.thread ?? "") },
    .init("users", "count", "Users whose traces have the app.") { .integer(Int64($0.users)) },
  ]

  /// A metric of `apps.csv`, summed over traces.
  private static func figureField(_ metric: Metric) -> ReportTable<SavingsRow>.Field {
    .init(metric.name, metric.unit.rawValue, metric.documentation) {
      ReportCell(real: $0.figures[metric.name])
    }
  }

  private static let comparisonFields: [ReportTable<SavingsRow>.Field] = [
    .init(
      "lost_work_per_user_day_seconds", "seconds",
      "system_lost_work_noticed_seconds of the app per user-day, mean over users."
    ) { ReportCell(real: $0.lostPerDay) },
    .init("mean_difference", "seconds", "That of the habit less that of the baseline.") {
      ReportCell(real: $0.comparison?.meanDifference)
    },
    .init("low", "seconds", "Lower end of the interval of it, as in comparison.csv.") {
      ReportCell(real: $0.comparison?.low)
    },
    .init("high", "seconds", "Upper end of that interval.") {
      ReportCell(real: $0.comparison?.high)
    },
    .init("method", "text", "How the interval was found, as in comparison.csv.") {
      ReportCell($0.comparison?.method.rawValue ?? "")
    },
    .init("p_value", "share", "As in comparison.csv.") {
      ReportCell(real: $0.comparison?.pValue)
    },
    .init("p_adjusted", "share", "As in comparison.csv; over the habits.") {
      ReportCell(real: $0.comparison?.pAdjusted)
    },
    .init(
      "least_writing", "0 or 1",
      "1: of the habits that lose nothing at any system end, the one that writes the fewest bytes."
    ) { ReportCell($0.isFrugal) },
  ]
}
