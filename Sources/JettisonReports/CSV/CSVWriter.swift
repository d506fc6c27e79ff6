import JettisonSupport

/// Writes rows of fields as RFC 4180 CSV with `\n`, quoted only where needed.
package final class CSVWriter {
  /// Where the rows go.
  package let file: OutputFile
  private var row = CSVRow()

  /// Writes to a file.
  package init(_ file: OutputFile) {
    self.file = file
  }

  /// Writes one row, to which `fill` adds the fields.
  package func write(_ fill: (inout CSVRow) -> Void) throws(ReportError) {
    // Outside of the object while it is filled: the compiler checks every access to what is within.
    var row = CSVRow()
    swap(&row, &self.row)
    fill(&row)
    row.end()
    try file.write(row.bytes)
    row.clear()
    self.row = row
  }

  /// Encodes fields without a line end.
  package static func encoded(_ cells: [ReportCell]) -> [UInt8] {
    var row = CSVRow()
    for cell in cells { row.append(cell) }
    return row.bytes
  }

  /// One field as it stands in a row.
  package static func text(of cell: ReportCell) -> String {
    String(decoding: encoded([cell]), as: UTF8.self)
  }
}

/// A row of CSV in the making.
package struct CSVRow {
  /// What was added so far.
  package private(set) var bytes: [UInt8] = []
  private var isFirst = true

  /// Adds one field.
  package mutating func append(_ cell: ReportCell) {
    separate()
    bytes.append(cell)
  }

  /// Adds fields that were encoded before, such as a run's key; never none.
  package mutating func append(encoded fields: [UInt8]) {
    separate()
    bytes.append(contentsOf: fields)
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  fileprivate mutating func end() {
    bytes.append(UInt8(ascii: "\n"))
  }

  fileprivate mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    isFirst = true
  }
}

extension [UInt8] {
  /// Adds one field as it stands in a row.
  package mutating func append(_ cell: ReportCell) {
    switch cell {
    case .empty: break
    case .integer(let value): append(number: value)
    case .unsigned(let value): append(digits: value)
    case .seconds(let value): append(secondsOf: value)
    case .real(let value): append(real: value)
    case .text(let text): append(harmless: text)
    }
  }

  /// Adds one text, harmless to spreadsheets and quoted where CSV needs it.
  private mutating func append(harmless text: String) {
    let start = count
    append(contentsOf: text.utf8)
    // Nearly every text may stand as it is.
    let (isFormula, needsQuotes) = Self.dangers(span.extracting(start...))
    guard isFormula || needsQuotes else { return }
    removeLast(count - start)
    let quote = UInt8(ascii: "\"")
    if needsQuotes { append(quote) }
    if isFormula { append(UInt8(ascii: "'")) }
    for byte in text.utf8 {
      if byte == quote { append(quote) }
      append(byte)
    }
    if needsQuotes { append(quote) }
  }

  /// Whether a spreadsheet takes a text for a formula, and whether CSV needs quotes around it.
  private static func dangers(_ text: Span<UInt8>) -> (isFormula: Bool, needsQuotes: Bool) {
    guard !text.isEmpty else { return (false, false) }
    var needsQuotes = false
    for place in text.indices {
      switch text[place] {
      case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        needsQuotes = true
      default: break
      }
    }
    switch text[0] {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      return (true, needsQuotes)
    default: return (false, needsQuotes)
    }
  }
}
