extension ReportTable {
  /// Writes the header row.
  func writeHeader(to writer: CSVWriter) throws(ReportError) {
    try writer.write { line in
      for field in fields { line.append(.text(field.column.name)) }
    }
  }

  /// Writes one row whose first fields were encoded before: rows of one run share their key.
  func write(
    _ row: Row, encodedKey: [UInt8], keyCount: Int, to writer: CSVWriter
  ) throws(ReportError) {
    try writer.write { line in
      line.append(encoded: encodedKey)
      for place in keyCount..<fields.count { line.append(fields[place].cell(row)) }
    }
  }

  /// Writes one row.
  func write(_ row: Row, to writer: CSVWriter) throws(ReportError) {
    try writer.write { line in
      for field in fields { line.append(field.cell(row)) }
    }
  }
}
