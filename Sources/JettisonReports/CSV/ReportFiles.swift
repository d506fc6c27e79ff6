internal import JettisonSupport

/// The files of one directory of reports, `columns.md` among them.
///
/// They are created under hidden names and get their names together in ``publish()``: an error before
/// leaves what was there untouched.
final class ReportFiles {
  /// Where they belong, without a slash at its end.
  let directory: String
  private(set) var files: [OutputFile] = []
  /// Tables that are not written, by path and header line.
  private var absent: [(path: String, header: String)] = []

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

  /// Does without a table: a file that an earlier run left of it would stand beside figures of another
  /// run, under the same keys.
  func leaveOut<Row>(_ table: ReportTable<Row>) {
    let header = table.fields.map(\.column.name).joined(separator: ",") + "\n"
    absent.append(("\(directory)/\(table.fileName)", header))
  }

  /// Writes `columns.md` and closes all files: that tells of a full disk, before any file replaces an
  /// older one.
  func finish() throws(ReportError) {
    let columns = try OutputFile(path: "\(directory)/columns.md")
    try columns.write(ColumnsDocument.text)
    files.append(columns)
    for file in files { try file.complete() }
  }

  /// Gives all files their names, and removes those of tables that are left out.
  ///
  /// A file of that name which is no report stays.
  func publish() throws(ReportError) {
    for file in files { try file.publish() }
    for (path, header) in absent where FileSystem.isFile(path, beginningWith: header) {
      FileSystem.removeFile(path)
    }
  }
}
