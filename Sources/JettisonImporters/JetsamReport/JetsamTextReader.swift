internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads the jetsam reports of iOS 4 to 8: `Key: value` lines and a table of processes.
///
/// A row is a name, a UUID in angle brackets, and columns that every version has its own set of.
/// The footprint is the first whole number after the UUID (CPU times have a fraction). Reasons
/// stand in brackets, states in parentheses.
struct JetsamTextReader {
  private(set) var report = JetsamReport()
  /// Whether anything of a report was met.
  private(set) var isReport = false
  private var hasEnd = false
  private var lastLine = 0

  /// Reads all bytes and counts what is wrong with them.
  mutating func read(_ bytes: Span<UInt8>, issues: inout ImportIssues) {
    var splitter = LineSplitter()
    splitter.feed(bytes) { line, number in take(line, number, &issues) }
    // A last line without its end may be cut within a number.
    splitter.finish { line, number in
      lastLine = number
      if line.equals("**End**") { hasEnd = true }
    }
    if !hasEnd {
      issues.add(
        .dataLoss, "the report has no end: what followed is lost", line: max(lastLine, 1))
    }
  }

  private mutating func take(_ line: Span<UInt8>, _ number: Int, _ issues: inout ImportIssues) {
    lastLine = number
    if hasEnd || line.isEmpty { return }
    if let row = Self.row(line) {
      isReport = true
      var process = Self.process(row, line)
      process.line = number
      if process.pages == nil {
        issues.add(.error, "a process without a number of pages", line: number)
      }
      report.add(process, issues: &issues)
      return
    }
    let text = String(decoding: Array(span: line), as: UTF8.self)
    if text == "**End**" {
      hasEnd = true
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      takeHeader(String(text[..<colon]), String(value), number, &issues)
    } else if text.contains("<") {
      issues.add(.error, "the line is not a process", line: number)
    }
  }

  private mutating func takeHeader(
    _ key: String, _ value: String, _ number: Int, _ issues: inout ImportIssues
  ) {
    switch key {
    case "Hardware Model": report.product = value
    case "OS Version": report.system = value
    case "Date": report.date = JetsamReport.moment(value)
    case "Time since snapshot":
      let milliseconds = value.prefix { $0 != " " }
      if let age = Quantity.integer(String(milliseconds)), (0...1_000_000_000).contains(age) {
        report.ageSeconds = age / 1000
      }
    case "Free pages": setPages(\.free, value, number, &issues)
    case "Active pages": setPages(\.active, value, number, &issues)
    case "Inactive pages": setPages(\.inactive, value, number, &issues)
    case "Speculative pages": setPages(\.speculative, value, number, &issues)
    case "Wired pages": setPages(\.wired, value, number, &issues)
    case "Purgeable pages": setPages(\.purgeable, value, number, &issues)
    case "File-backed pages": setPages(\.fileBacked, value, number, &issues)
    case "Compressor Size": setPages(\.compressor, value, number, &issues)
    case "Uncompressed Pages in Compressor": setPages(\.uncompressed, value, number, &issues)
    default: break
    }
  }

  private mutating func setPages(
    _ pages: WritableKeyPath<JetsamReport.Pages, Int64?>, _ value: String, _ number: Int,
    _ issues: inout ImportIssues
  ) {
    isReport = true
    guard let count = Quantity.integer(value) else {
      issues.add(.error, "a number of pages is not a number", line: number)
      return
    }
    report.pages[keyPath: pages] = count
  }
}

// MARK: - Rows

extension JetsamTextReader {
  /// A row of the table: where its name and its UUID end.
  fileprivate struct Row {
    let name: Range<Int>
    let columns: Range<Int>
  }

  /// Whether a line is a row of the table, for detection by content.
  static func isRow(_ line: Span<UInt8>) -> Bool { row(line) != nil }

  fileprivate static func row(_ line: Span<UInt8>) -> Row? {
    var start = 0
    while start < line.count, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
    var open = start
    while open < line.count, line[open] != UInt8(ascii: "<") { open += 1 }
    var position = open + 1
    var digits = 0
    while position < line.count, line[position] != UInt8(ascii: ">") {
      guard line[position] == UInt8(ascii: "-") || isHexadecimal(line[position]) else { return nil }
      if line[position] != UInt8(ascii: "-") { digits += 1 }
      position += 1
    }
    guard digits == 32, position < line.count else { return nil }
    var end = open
    while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
    guard end > start else { return nil }
    return Row(name: start..<end, columns: position + 1..<line.count)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }

  private static func process(_ row: Row, _ line: Span<UInt8>) -> JetsamReport.Process {
    var process = JetsamReport.Process()
    process.name = String(decoding: Array(span: line.extracting(row.name)), as: UTF8.self)
    let columns = String(decoding: Array(span: line.extracting(row.columns)), as: UTF8.self)
    for column in columns.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      if column.hasPrefix("["), column.hasSuffix("]") {
        process.reason = String(column.dropFirst().dropLast())
      } else if column.hasPrefix("("), column.hasSuffix(")") {
        take(String(column.dropFirst().dropLast()), isOldest: row.isOldest(line), &process)
      } else if process.pages == nil, let pages = Quantity.integer(String(column)) {
        process.pages = pages
      }
    }
    return process
  }

  /// A word in parentheses: a state, or in the oldest layout what became of the process.
  private static func take(
    _ word: String, isOldest: Bool, _ process: inout JetsamReport.Process
  ) {
    switch word {
    case "jettisoned": process.reason = word
    // Until iOS 6 this was the mark of the app in front.
    case "active" where isOldest: process.states.insert(.front)
    default: process.states.insert(.init(word: word))
    }
  }
}

extension JetsamTextReader.Row {
  /// Whether the row has a single number: the layout of iOS 4 to 6.
  fileprivate func isOldest(_ line: Span<UInt8>) -> Bool {
    var numbers = 0
    var isInside = false
    for position in columns {
      let byte = line[position]
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { break }
      let isSpace = byte == 0x20 || byte == 0x09
      if !isSpace, !isInside { numbers += 1 }
      isInside = !isSpace
    }
    return numbers <= 1
  }
}
