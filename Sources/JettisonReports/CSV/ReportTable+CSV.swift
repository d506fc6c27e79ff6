extension ReportTable {
  /// Writes the header row.
  func writeHeader(to writer: CSVWriter) throws(ReportError) {
    for field in fields { writer.append(.text(field.column.name)) }
    try writer.endRow()
  }

  /// Writes one row whose first fields were encoded before: rows of one run share their key.
  func write(
    _ row: borrowing Row, encodedKey: [UInt8], keyCount: Int, to writer: CSVWriter
  ) throws(ReportError) {
    writer.append(encoded: encodedKey)
    for field in fields[keyCount...] { writer.append(field.cell(row)) }
    try writer.endRow()
  }

  /// Writes one row.
  func write(_ row: borrowing Row, to writer: CSVWriter) throws(ReportError) {
    for field in fields { writer.append(field.cell(row)) }
    try writer.endRow()
  }
}
