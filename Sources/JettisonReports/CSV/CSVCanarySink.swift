/// Writes the reports of runs in which memory is taken away into a directory: `canary.csv`, `runs.csv`
/// and `columns.md`, see <doc:Reports>.
///
/// All files are created at once and get their names together in ``publish()``: an error before leaves
/// what was there untouched.
public final class CSVCanarySink: CanarySink, FileOutput {
  private let files: ReportFiles
  private let rows: CSVWriter
  private let runs: CSVWriter
  package var outputFiles: [OutputFile] { files.files }

  /// Makes the directory if need be, and all files in it under temporary names.
  ///
  /// - Parameter directory: Where the files belong.
  /// - Throws: ``ReportError`` if one of them cannot be made.
  public init(directory: String) throws(ReportError) {
    files = try ReportFiles(directory: directory)
    rows = try files.open(CanaryTable.rows)
    runs = try files.open(RunTables.runs)
  }

  /// Writes everything and closes all files.
  ///
  /// - Throws: ``ReportError`` if they cannot be written.
  public func finish(_ rows: [CanaryRow], runs: [RunRecord]) throws(ReportError) {
    for row in rows { try CanaryTable.rows.write(row, to: self.rows) }
    for run in runs { try RunTables.runs.write(run, to: self.runs) }
    try files.finish()
  }

  /// Gives all files their names.
  ///
  /// - Throws: ``ReportError`` if one of them cannot have it.
  public func publish() throws(ReportError) {
    try files.publish()
  }
}
