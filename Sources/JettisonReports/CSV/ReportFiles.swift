internal import JettisonSupport

/// The files of one directory of reports, `columns.md` among them.
///
/// They are created under hidden names and get their names together in ``finish()``: an error before
/// leaves what was there untouched.
final class ReportFiles {
  /// Where they belong, without a slash at its end.
  let directory: String
  private var tables: [OutputFile] = []

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
    tables.append(writer.file)
    return writer
  }

  /// Writes `columns.md` and gives all files their names.
  func finish() throws(ReportError) {
    let columns = try OutputFile(path: "\(directory)/columns.md")
    try columns.write(ColumnsDocument.text)
    let files = tables + [columns]
    // Closing tells of a full disk; only then does any file replace an older one.
    for file in files { try file.complete() }
    try AtomicFile.together { () throws(ReportError) in
      for file in files { try file.publish() }
    }
  }
}
