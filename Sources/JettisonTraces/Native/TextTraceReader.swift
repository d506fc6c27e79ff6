package import JettisonModel
internal import JettisonSupport

/// Reads trace format 1 as text, fed in pieces of any size.
///
/// Budget: 100 ns per row of 40 bytes; no allocation per row.
package struct TextTraceReader: ~Copyable {
  /// The first line of every text trace.
  package static let firstLine = "# jettison-trace: 1"
  /// Longest line in bytes.
  package static let maximumLineBytes = 1 << 20
  /// What few rows are shorter than.
  private static let usualRowBytes = 28

  private enum Phase {
    case firstLine, header, rows
  }

  private let file: String
  private let traceName: String
  private var builder: TraceBuilder
  private var phase = Phase.firstLine
  /// Number of the line being read, from 1.
  private var line = 0
  /// The start of a line whose end was not fed yet.
  private var carry: [UInt8] = []
  private var headerYAML: [UInt8] = []
  private var header: TraceHeader
  private var columns: [HeaderColumn] = []
  /// Whether the columns are exactly the format's, in its order.
  private var isUsual = false
  private var words = EventWords()

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - file: The file as the user named it.
  ///   - traceName: The name of the trace.
  ///   - storage: Where events are kept.
  package init(
    file: String, traceName: String, storage: TraceStorage
  ) throws(TraceError) {
    self.file = file
    self.traceName = traceName
    builder = try TraceBuilder(storage: storage, file: file)
    header = TraceHeader(user: traceName)
  }

  /// Takes the next bytes of the file.
  package mutating func feed(_ bytes: Span<UInt8>) throws(TraceError) {
    // A file comes in one piece.
    if phase == .firstLine { builder.reserve(rows: bytes.count / Self.usualRowBytes) }
    var start = 0
    if !carry.isEmpty {
      let end = bytes.lineEnd(from: 0)
      try extendCarry(bytes.extracting(0..<(end ?? bytes.count)))
      guard let end else { return }
      let whole = carry
      carry.removeAll(keepingCapacity: true)
      try take(whole.span)
      start = end + 1
    }
    while start < bytes.count {
      if isUsual, let next = try takeKnownRow(bytes, from: start) {
        start = next
        continue
      }
      guard let end = bytes.lineEnd(from: start) else {
        try extendCarry(bytes.extracting(start..<bytes.count))
        return
      }
      try take(bytes.extracting(start..<end))
      start = end + 1
    }
  }

  /// Ends the file and makes the trace.
  package consuming func finish() throws(TraceError) -> Trace {
    if !carry.isEmpty {
      let rest = carry
      try take(rest.span)
    }
    switch phase {
    case .firstLine:
      throw TraceError(
        file: file, what: "is empty", remedy: "a trace begins with '\(Self.firstLine)'")
    case .header:
      throw TraceError(
        file: file, line: line, what: "the file ends before the header row",
        remedy: "write '\(HeaderColumn.allNames)'")
    case .rows: break
    }
    let (name, header, file) = (traceName, header, file)
    return try builder.finish(name: name, header: header, file: file)
  }

  private mutating func extendCarry(_ bytes: Span<UInt8>) throws(TraceError) {
    guard carry.count + bytes.count <= Self.maximumLineBytes else {
      throw error("a line of more than \(Self.maximumLineBytes) bytes", "", atLine: line + 1)
    }
    carry.reserveCapacity(carry.count + bytes.count)
    for position in 0..<bytes.count { carry.append(bytes[position]) }
  }

  private func error(
    _ what: String, _ remedy: String, column: String? = nil, atLine: Int? = nil
  ) -> TraceError {
    TraceError(file: file, line: atLine ?? line, column: column, what: what, remedy: remedy)
  }

  private func error(_ fault: TextRowFault) -> TraceError {
    let isKnown = fault.field.map { columns.indices.contains($0) } ?? false
    return error(
      fault.what, fault.remedy, column: isKnown ? fault.field.map { columns[$0].name } : nil)
  }

  /// The fields of a row, split slowly and completely.
  private func fields(_ row: Span<UInt8>) throws(TraceError) -> [TextField] {
    do throws(TextRowFault) {
      return try TextField.fields(of: row)
    } catch {
      throw self.error(error)
    }
  }
}

// MARK: - Lines

extension TextTraceReader {
  private mutating func take(_ whole: Span<UInt8>) throws(TraceError) {
    line += 1
    var text = whole
    if let last = text.indices.last, text[last] == 0x0D { text = text.extracting(droppingLast: 1) }
    guard text.count <= Self.maximumLineBytes else {
      throw error("a line of more than \(Self.maximumLineBytes) bytes", "")
    }
    switch phase {
    case .rows: try takeRow(text)
    case .header: try takeHeader(text)
    case .firstLine:
      try checkFirstLine(text)
      phase = .header
    }
  }

  private func checkFirstLine(_ text: Span<UInt8>) throws(TraceError) {
    let isRight = text.count == Self.firstLine.utf8.count && text.starts(with: Self.firstLine)
    if !isRight { throw Self.firstLineError(text, file: file) }
  }

  /// Says what is wrong with the first line of something that is to be a trace.
  static func firstLineError(_ text: Span<UInt8>, file: String) -> TraceError {
    let remedy = "the first line is exactly '\(firstLine)'"
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
      return TraceError(
        file: file, line: 1, what: "a byte-order mark", remedy: "save the file without one")
    }
    let prefix = "# jettison-trace:"
    guard text.starts(with: prefix) else {
      return TraceError(file: file, line: 1, what: "is not a trace", remedy: remedy)
    }
    let rest = text.extracting(prefix.utf8.count..<min(text.count, prefix.utf8.count + 40))
    let version = String(decoding: Array(span: rest), as: UTF8.self)
    return TraceError(
      file: file, line: 1, what: "format version '\(version.drop { $0 == " " })' is not known",
      remedy: remedy)
  }

  /// The error for an input that no format recognises.
  static func firstLineError(_ input: TraceInput) -> TraceError {
    let first = Array(input.prefix.prefix { $0 != 0x0A && $0 != 0x0D })
    let error = firstLineError(first.span, file: input.displayName)
    return TraceError(
      file: error.file, line: error.line, what: error.what,
      remedy: "\(error.remedy); a capture that is not recognised needs `TraceLoader.load(format:)`")
  }

  private mutating func takeHeader(_ text: Span<UInt8>) throws(TraceError) {
    if text.isEmpty {
      builder.issues.add(.info, "empty line", line: line)
      headerYAML.append(0x0A)
    } else if text[0] == UInt8(ascii: "#") {
      let hasSpace = text.count > 1 && text[1] == 0x20
      for position in (hasSpace ? 2 : 1)..<text.count { headerYAML.append(text[position]) }
      headerYAML.append(0x0A)
      if headerYAML.count > BoundedYAML.maximumBytes {
        throw error(
          "a header of more than \(BoundedYAML.maximumBytes) bytes",
          "move its apps to a side file (catalog:)")
      }
    } else {
      try endHeader()
      let fields = try fields(text)
      do throws(TextRowFault) {
        columns = try HeaderColumn.columns(of: fields)
      } catch {
        throw self.error(error)
      }
      for column in columns where column.role == .ignored {
        builder.issues.add(.info, "column '\(column.name)' ignored", line: line)
      }
      isUsual = columns.map(\.name) == TraceColumn.allCases.map(\.rawValue)
      phase = .rows
    }
  }

  private mutating func endHeader() throws(TraceError) {
    guard let text = String(validating: headerYAML, as: UTF8.self) else {
      throw error("the header is not UTF-8", "save the file as UTF-8", atLine: 2)
    }
    headerYAML = []
    header = try TraceHeader(
      yaml: text, traceName: traceName, file: file, linesBefore: 1, charactersBefore: 2,
      issues: &builder.issues)
  }
}

// MARK: - Known rows

extension TextTraceReader {
  /// A row in which nothing is new.
  private struct KnownRow {
    let time: Int64
    let app: UInt32?
    let kind: EventKind
    let value: Int64?
    let id: Int64?
    let detail: UInt32
    /// Where the next row begins.
    let next: Int
  }

  /// Takes a row in which nothing is new, and returns where the next one begins.
  ///
  /// Nearly all rows are such: plain numbers, an app, an event and a detail that stood in rows before.
  /// Any other, be it right or wrong, is left to ``take(_:)``: nil.
  private mutating func takeKnownRow(
    _ bytes: Span<UInt8>, from start: Int
  ) throws(TraceError) -> Int? {
    guard let row = knownRow(bytes, from: start) else { return nil }
    line += 1
    do throws(TraceFault) {
      try builder.append(
        row.kind, time: row.time, app: row.app, value: row.value, id: row.id, detail: row.detail,
        line: line)
    } catch {
      throw TraceError(error, file: file, line: line)
    }
    return row.next
  }

  private func knownRow(_ bytes: Span<UInt8>, from start: Int) -> KnownRow? {
    var position = start
    guard let time = bytes.number(&position), bytes.take(",", &position),
      let appEnd = bytes.firstIndex(of: UInt8(ascii: ","), from: position)
    else { return nil }
    var app: UInt32?
    if appEnd > position {
      app = builder.knownApp(encoded: bytes.extracting(position..<appEnd))
      if app == nil { return nil }
    }
    position = appEnd + 1
    guard let eventEnd = bytes.firstIndex(of: UInt8(ascii: ","), from: position),
      let kind = words.kind(bytes.extracting(position..<eventEnd))
    else { return nil }
    position = eventEnd + 1
    let value = bytes.number(&position)
    guard bytes.take(",", &position) else { return nil }
    let id = bytes.number(&position)
    guard bytes.take(",", &position), let end = bytes.firstIndex(of: 0x0A, from: position),
      let detail = builder.knownDetail(bytes.extracting(position..<end), for: kind),
      end - start <= Self.maximumLineBytes
    else { return nil }
    return KnownRow(
      time: time, app: app, kind: kind, value: value, id: id, detail: detail, next: end + 1)
  }
}

// MARK: - Rows

extension TextTraceReader {
  /// Splits a row at its commas; rows with quotes go the slow way.
  private mutating func takeRow(_ text: Span<UInt8>) throws(TraceError) {
    if text.isEmpty {
      builder.issues.add(.info, "empty line", line: line)
      return
    }
    if text[0] == UInt8(ascii: "#") {
      throw error("a comment after the header row", "comments belong into the header")
    }
    var ranges = InlineArray<6, FieldRange>(repeating: FieldRange())
    var position = 0
    var number = 0
    while true {
      let start = position
      while position < text.count, text[position] != UInt8(ascii: ",") { position += 1 }
      if position > start, text[start] == UInt8(ascii: "\"") {
        try takeQuotedRow(fields(text))
        return
      }
      guard number < columns.count else { throw try fieldCount(fields(text).count) }
      let role = columns[number].role
      if role == .ignored {
        try checkIgnored(text.extracting(start..<position), number, isQuoted: false)
      } else {
        ranges[Int(role.rawValue)] = FieldRange(start: start, end: position)
      }
      number += 1
      if position == text.count { break }
      position += 1
    }
    guard number == columns.count else { throw fieldCount(number) }
    try takeFields(
      time: text.extracting(ranges[0].range), app: text.extracting(ranges[1].range),
      event: text.extracting(ranges[2].range), value: text.extracting(ranges[3].range),
      id: text.extracting(ranges[4].range), detail: text.extracting(ranges[5].range),
      areQuoted: QuotedFields())
  }

  private mutating func takeQuotedRow(_ fields: [TextField]) throws(TraceError) {
    guard fields.count == columns.count else { throw fieldCount(fields.count) }
    var known = Array(repeating: TextField(), count: 6)
    for (number, field) in fields.enumerated() {
      let role = columns[number].role
      if role == .ignored {
        try checkIgnored(field.bytes.span, number, isQuoted: true)
      } else {
        known[Int(role.rawValue)] = field
      }
    }
    let (time, app, event) = (known[0].bytes, known[1].bytes, known[2].bytes)
    let (value, id, detail) = (known[3].bytes, known[4].bytes, known[5].bytes)
    try takeFields(
      time: time.span, app: app.span, event: event.span, value: value.span, id: id.span,
      detail: detail.span,
      areQuoted: QuotedFields(
        app: known[1].isQuoted, event: known[2].isQuoted, detail: known[5].isQuoted))
  }

  private mutating func takeFields(
    time: Span<UInt8>, app: Span<UInt8>, event: Span<UInt8>, value: Span<UInt8>,
    id: Span<UInt8>, detail: Span<UInt8>, areQuoted: QuotedFields
  ) throws(TraceError) {
    let kind = words.kind(event)
    if kind == nil { try checkIgnoredEvent(event, isQuoted: areQuoted.event) }
    let time = try integer(time, .time)
    let value = try integer(value, .value)
    let id = try integer(id, .id)
    guard let kind else {
      try checkIgnored(app, column(.app), isQuoted: areQuoted.app)
      try checkIgnored(detail, column(.detail), isQuoted: areQuoted.detail)
      try ignore(event, time: time)
      return
    }
    guard let time else {
      throw error("is empty", "write nanoseconds since the start", column: "time_ns")
    }
    do throws(TraceFault) {
      let app = try app.isEmpty ? nil : builder.app(encoded: app, isQuoted: areQuoted.app)
      let detail =
        try builder.detail(detail, for: kind, isQuoted: areQuoted.detail, line: line)
      try builder.append(
        kind, time: time, app: app, value: value, id: id, detail: detail, line: line)
    } catch {
      throw TraceError(error, file: file, line: line)
    }
  }

  /// Checks the word of an event that is not known: it must begin with `x-`.
  private func checkIgnoredEvent(_ event: Span<UInt8>, isQuoted: Bool) throws(TraceError) {
    if event.starts(with: "x-") {
      try checkIgnored(event, column(.event), isQuoted: isQuoted)
      return
    }
    let name = String(decoding: Array(span: event), as: UTF8.self)
    if name.isEmpty {
      throw error("is empty", "name what happened, such as 'launch'", column: "event")
    }
    let unknown = ConfigurationError.unknown(
      what: "event", name: name, known: EventKind.allCases.map(\.name))
    throw error("\(unknown)", "", column: "event")
  }

  /// Counts an event that begins with `x-`; its time obeys the order of the rows.
  private mutating func ignore(_ event: Span<UInt8>, time: Int64?) throws(TraceError) {
    do throws(TraceFault) {
      try builder.skip(to: time ?? builder.lastTime)
    } catch {
      throw TraceError(error, file: file, line: line)
    }
    let name = String(decoding: Array(span: event), as: UTF8.self)
    builder.issues.add(.info, "event '\(name)' ignored", line: line)
  }

  /// A 64-bit integer, or nil for an empty field.
  @inline(__always)
  private mutating func integer(
    _ text: Span<UInt8>, _ column: TraceColumn
  ) throws(TraceError) -> Int64? {
    if text.isEmpty { return nil }
    guard let number = Self.integer(text) else { throw notInteger(text, column) }
    return number
  }

  /// The 64-bit integer that a text is, or nil.
  ///
  /// Knows no reader: the compiler would lend one that does not change it a copy of itself, twice
  /// the work of reading a number.
  private static func integer(_ text: Span<UInt8>) -> Int64? {
    let isNegative = text[0] == UInt8(ascii: "-")
    var position = isNegative ? 1 : 0
    var number: Int64 = 0
    var isValid = position < text.count
    while position < text.count {
      let digit = text[position] &- 0x30
      // Counted downwards, because the smallest number has no positive twin.
      let (product, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = product.subtractingReportingOverflow(Int64(digit))
      if digit > 9 || overflow || overflow2 {
        isValid = false
        break
      }
      number = sum
      position += 1
    }
    if !isNegative, number == .min { isValid = false }
    guard isValid else { return nil }
    return isNegative ? number : -number
  }

  private func notInteger(_ text: Span<UInt8>, _ column: TraceColumn) -> TraceError {
    let shown = String(
      decoding: Array(span: text.extracting(first: 40)), as: UTF8.self)
    let remedy =
      switch column {
      case .time: "write whole nanoseconds since the start"
      case .id: "write a whole number"
      default: "write a whole number without a unit, or nothing"
      }
    return error("'\(shown)' is not a 64-bit integer", remedy, column: column.rawValue)
  }

  private func fieldCount(_ count: Int) -> TraceError {
    error(
      "a row of \(count) field\(count == 1 ? "" : "s") under \(columns.count) columns",
      count > columns.count ? "write commas in names as %2C" : "an empty field needs its comma")
  }

  /// Checks a field that nothing reads: others that read the trace must be able to.
  private func checkIgnored(
    _ text: Span<UInt8>, _ column: Int, isQuoted: Bool
  ) throws(TraceError) {
    var isASCII = true
    for position in 0..<text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "\""), !isQuoted { throw error(.quoteInside(column)) }
      if byte >= 0x80 { isASCII = false }
    }
    if !isASCII, String(validating: Array(span: text), as: UTF8.self) == nil {
      throw error(
        "text that is not UTF-8", "save the file as UTF-8", column: columns[column].name)
    }
  }

  /// Position of a required column.
  private func column(_ role: HeaderColumn.Role) -> Int {
    columns.firstIndex { $0.role == role } ?? 0
  }
}

extension TextTraceReader {
  /// Which fields of a row had quotes, of those in which it makes a difference.
  private struct QuotedFields {
    var app = false
    var event = false
    var detail = false
  }

  /// Where a field is in its line.
  private struct FieldRange: BitwiseCopyable {
    var start = 0
    var end = 0
    var range: Range<Int> { start..<end }
  }

  /// The words of the column `event`.
  private struct EventWords {
    private var table = ByteTable()
    private let kinds = EventKind.allCases

    init() {
      for kind in kinds { _ = table.insert(Array(kind.name.utf8).span) }
    }

    func kind(_ word: Span<UInt8>) -> EventKind? {
      table.find(word).map { kinds[Int($0)] }
    }
  }
}
