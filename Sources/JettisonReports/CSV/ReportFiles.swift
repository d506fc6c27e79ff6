/// The files of one directory of reports, `columns.md` among them.
///
/// They are created under hidden names and get their names together in ``publish()``: an error before
/// leaves what was there untouched.
final class ReportFiles {
  /// Where they belong, without a slash at its end.
  let directory: String
  private var files: [OutputFile] = []

  /// Makes the directory if need be.
  init(directory: String) throws(ReportError) {
    try ReportDirectory.make(directory)
    self.directory =
      directory.count > 1 && directory.hasSuffix("/")
      ? String(directory.dropLast()) : directory
  }

  /// Creates the file of a table, with its header.
  func open<Row>(_ table: ReportTable<Row>) throws(ReportError) -> CSVWriter {
    let writer = CSVWriter(try OutputFile(path: "\(directory)/\(table.fileName)"))
    try table.writeHeader(to: writer)
    files.append(writer.file)
    return writer
  }

  /// Writes `columns.md` and closes all files: that tells of a full disk, before any file replaces an
  /// older one.
  func finish() throws(ReportError) {
    let columns = try OutputFile(path: "\(directory)/columns.md")
    try columns.write(ColumnsDocument.text)
    files.append(columns)
    for file in files { try file.complete() }
  }

  /// Gives all files their names.
  func publish() throws(ReportError) {
    for file in files { try file.publish() }
  }
}
