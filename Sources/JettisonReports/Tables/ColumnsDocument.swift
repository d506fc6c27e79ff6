/// The data dictionary, written from the tables that write the headers.
package enum ColumnsDocument {
  /// A file and what `columns.md` says about it.
  package struct File: Sendable {
    /// Name of the file.
    package let name: String
    /// What a row stands for.
    package let rowMeaning: String
    /// Its columns in order.
    package let columns: [ReportColumn]

    fileprivate init<Row>(_ table: ReportTable<Row>) {
      name = table.fileName
      rowMeaning = table.rowMeaning
      columns = table.columns
    }
  }

  /// All files, small ones first.
  package static let files: [File] = [
    File(RunTables.runs), File(RunTables.summary), File(RunTables.apps),
    File(RunTables.comparison), File(DetailTables.events), File(DetailTables.decisions),
    File(DetailTables.footprints), File(ValidationTables.summary), File(ValidationTables.rows),
    File(SavingsTable.rows), File(CanaryTable.rows),
  ]

  /// `columns.md`.
  package static let text: String = {
    var lines = [
      "# Columns of the reports",
      "",
      "An empty field means that the column does not apply; it never stands for 0. Times are in",
      "seconds unless a name ends in `_ns`, sizes in bytes. Text that a spreadsheet would run as a",
      "formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) begins with `'`.",
      "`events.csv`, `decisions.csv` and `footprints.csv` are written where they are asked for,",
      "`validation.csv` and `validation-summary.csv` by `jettison validate`, `savings.csv` by",
      "`jettison savings`, `canary.csv` by `jettison canary`.",
    ]
    for file in files {
      lines += [
        "", "## \(file.name)", "", "One row per \(file.rowMeaning).", "",
        "| Column | Unit or values | Meaning |", "|---|---|---|",
      ]
      lines += file.columns.map { "| `\($0.name)` | \($0.unit) | \($0.documentation) |" }
    }
    return lines.joined(separator: "\n") + "\n"
  }()
}
