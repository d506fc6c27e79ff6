import JettisonCore

/// The file of `jettison canary`.
package enum CanaryTable {
  /// `canary.csv`.
  package static let rows = ReportTable<CanaryRow>(
    fileName: "canary.csv", rowMeaning: "run and class of apps",
    fields: RunTables.keyFields { $0.key } + [
      .init("pressure", "text", "Pressure model.") { ReportCell($0.model) },
      .init(
        "class", CanaryClass.allCases.map(\.rawValue).joined(separator: ", "),
        "What the apps are to their user, the least important first."
      ) { ReportCell($0.appClass.rawValue) },
      .init("apps", "count", "Apps of the class in memory before any was taken away.") {
        .integer(Int64($0.apps))
      },
      .init("died", "count", "Those that died.") { .integer(Int64($0.deaths.count)) },
      .init(
        "first_taken_bytes", "bytes", "Taken away when the first of them died; empty: none did."
      ) { ReportCell($0.deaths.first?.takenBytes) },
      .init(
        "first_available_bytes", "bytes",
        "Available when that was decided; may be negative, empty without a decision."
      ) { ReportCell($0.deaths.first?.availableBytes) },
      .init("first_app", "text", "The app that died first.") {
        ReportCell($0.deaths.first?.app ?? "")
      },
      .init("first_cause", "text", "The rule that it died by, as in events.csv.") {
        ReportCell($0.deaths.first?.cause ?? "")
      },
      .init(
        "last_taken_bytes", "bytes", "Taken away when the last of them died; empty: some live."
      ) { $0.deaths.count < $0.apps ? .empty : ReportCell($0.deaths.last?.takenBytes) },
      .init("deaths_bytes", "text", "Taken away at the death of each, in order.") {
        ReportCell($0.deaths.map { "\($0.takenBytes)" }.joined(separator: ";"))
      },
      .init("step_bytes", "bytes", "Taken away at a time.") { .integer($0.stepBytes) },
      .init("taken_bytes", "bytes", "Taken away in all.") { .integer($0.takenBytes) },
    ])
}
