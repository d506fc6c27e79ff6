/// Writes the reports of a validation into a directory: `validation.csv`, `validation-summary.csv` and
/// `columns.md`, see <doc:Reports>.
///
/// All files are created at once and get their names together in ``publish()``: an error before leaves
/// what was there untouched.
public final class CSVValidationSink: ValidationSink, FileOutput {
  private let files: ReportFiles
  private let rows: CSVWriter
  private let summary: CSVWriter
  package var outputFiles: [OutputFile] { files.files }

  /// Makes the directory if need be, and all files in it under temporary names.
  ///
  /// - Parameter directory: Where the files belong.
  /// - Throws: ``ReportError`` if one of them cannot be made.
  public init(directory: String) throws(ReportError) {
    files = try ReportFiles(directory: directory)
    rows = try files.open(ValidationTables.rows)
    summary = try files.open(ValidationTables.summary)
  }

  /// Writes everything and closes all files.
  ///
  /// - Throws: ``ReportError`` if they cannot be written.
  public func finish(_ runs: [ValidatedRun]) throws(ReportError) {
    for run in runs {
      try ValidationTables.summary.write(run, to: summary)
      for row in run.rows { try ValidationTables.rows.write(row, to: rows) }
    }
    try files.finish()
  }

  /// Gives all files their names.
  ///
  /// - Throws: ``ReportError`` if one of them cannot have it.
  public func publish() throws(ReportError) {
    try files.publish()
  }
}
