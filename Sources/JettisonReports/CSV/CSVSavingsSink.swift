/// Writes the reports of a comparison of saving habits into a directory: `savings.csv` and
/// `columns.md`, see <doc:Reports>.
///
/// Both files are created at once and get their names together in ``publish()``: an error before leaves
/// what was there untouched.
public final class CSVSavingsSink: SavingsSink, FileOutput {
  private let files: ReportFiles
  private let rows: CSVWriter
  package var outputFiles: [OutputFile] { files.files }

  /// Makes the directory if need be, and both files in it under temporary names.
  ///
  /// - Parameter directory: Where the files belong.
  /// - Throws: ``ReportError`` if one of them cannot be made.
  public init(directory: String) throws(ReportError) {
    files = try ReportFiles(directory: directory)
    rows = try files.open(SavingsTable.rows)
  }

  /// Writes everything and closes both files.
  ///
  /// - Throws: ``ReportError`` if they cannot be written.
  public func finish(_ rows: [SavingsRow]) throws(ReportError) {
    for row in rows { try SavingsTable.rows.write(row, to: self.rows) }
    try files.finish()
  }

  /// Gives both files their names.
  ///
  /// - Throws: ``ReportError`` if one of them cannot have it.
  public func publish() throws(ReportError) {
    try files.publish()
  }
}
