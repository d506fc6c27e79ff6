import JettisonSupport

/// Writes rows of fields as RFC 4180 CSV with `\n`, quoted only where needed.
package final class CSVWriter {
  /// Where the rows go.
  package let file: OutputFile
  private var row: [UInt8] = []
  private var isFirst = true

  /// Writes to a file.
  package init(_ file: OutputFile) {
    self.file = file
  }

  /// Adds one field to the row.
  package func append(_ cell: ReportCell) {
    if !isFirst { row.append(UInt8(ascii: ",")) }
    isFirst = false
    Self.append(cell, to: &row)
  }

  /// Adds fields that were encoded before, such as a run's key; never none.
  package func append(encoded fields: [UInt8]) {
    if !isFirst { row.append(UInt8(ascii: ",")) }
    isFirst = false
    row.append(contentsOf: fields)
  }

  /// Ends the row.
  package func endRow() throws(ReportError) {
    row.append(UInt8(ascii: "\n"))
    try file.write(row)
    row.removeAll(keepingCapacity: true)
    isFirst = true
  }

  /// Encodes fields without a line end.
  package static func encoded(_ cells: [ReportCell]) -> [UInt8] {
    let writer = CSVWriter(OutputFile(descriptor: -1, name: ""))
    for cell in cells { writer.append(cell) }
    return writer.row
  }

  /// One field as it stands in a row.
  package static func text(of cell: ReportCell) -> String {
    var field: [UInt8] = []
    append(cell, to: &field)
    return String(decoding: field, as: UTF8.self)
  }

  /// Adds one field as it stands in a row.
  package static func append(_ cell: ReportCell, to row: inout [UInt8]) {
    switch cell {
    case .empty: break
    case .integer(let value): row.append(number: value)
    case .unsigned(let value): row.append(digits: value)
    case .seconds(let value): row.append(secondsOf: value)
    case .real(let value): row.append(real: value)
    case .text(let text): append(text, to: &row)
    }
  }

  /// Adds one text, harmless to spreadsheets and quoted where CSV needs it.
  private static func append(_ text: String, to row: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let needsQuotes = text.utf8.contains {
      $0 == quote || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n")
        || $0 == UInt8(ascii: "\r")
    }
    if needsQuotes { row.append(quote) }
    if let first = text.utf8.first, formulaStarts.contains(first) {
      row.append(UInt8(ascii: "'"))
    }
    for byte in text.utf8 {
      if byte == quote { row.append(quote) }
      row.append(byte)
    }
    if needsQuotes { row.append(quote) }
  }

  /// First bytes at which a spreadsheet takes a text for a formula.
  private static let formulaStarts: [UInt8] = Array("=+-@\t\r".utf8)
}
