package import JettisonReports

/// The files of runs, as `--csv` writes them.
package enum RunFiles {
  /// Those of an experiment.
  package static func all(runs: [RunRecord], comparisons: [Comparison]) -> [DataFile] {
    let rows = runs.compactMap { RunTables.MetricRow($0) }
    return [
      DataFile(RunTables.comparison, comparisons),
      DataFile(RunTables.summary, rows),
      DataFile(
        RunTables.apps, rows.lazy.flatMap(\.byApp),
        count: rows.reduce(0) { $0 + $1.appCount }),
      DataFile(RunTables.runs, runs),
      DataFile(name: "columns.md", meaning: "what the columns mean", text: ColumnsDocument.text),
    ]
  }
}
