internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads rows of a table whose columns the user has named.
///
/// A table has a header if any column is given by its name, or if the first row's time is none.
/// Times that lie after 1990 count from the epoch: the trace then starts at the whole second
/// before its first row. Smaller times count from the start of the trace.
struct TableReader {
  /// One row, understood.
  struct Row {
    /// Nanoseconds, from whatever the table counts from.
    let nanoseconds: Int64
    /// Offset of the written time from UTC, where there was one.
    let offsetSeconds: Int64?
    let event: TableEvent
    let app: String?
    let value: Int64?
    let id: Int64?
    let detail: String?
  }

  /// Where the columns are.
  private struct Layout {
    var positions: [TableColumns.Role: Int] = [:]
    var width = 0
    var unit: TableColumns.TimeUnit?
  }

  private let columns: TableColumns
  private let file: String
  private let onlyUser: String?
  private var line = DelimitedLine()
  private var delimiter = UInt8(ascii: ",")
  private var layout: Layout?
  private var isBeforeRows = true
  /// The user whose rows are read.
  private(set) var user: String?

  /// Begins a table.
  ///
  /// - Parameters:
  ///   - columns: What the user said of them.
  ///   - user: Whose rows to read, where the table has a column for it; nil: the only one's.
  ///   - file: The file as the user named it.
  init(columns: TableColumns, user: String?, file: String) {
    self.columns = columns
    self.onlyUser = user
    self.file = file
    self.user = user
  }

  /// Reads one line, counted from 1; nil if it is no row (counted, unless blank or the header).
  mutating func read(
    _ text: Span<UInt8>, number: Int, issues: inout ImportIssues
  ) throws(TraceError) -> Row? {
    if layout == nil { delimiter = DelimitedLine.sniffDelimiter(text) }
    guard line.split(text, by: delimiter) else {
      issues.add(.error, "a quoted field does not end on its line", line: number)
      return nil
    }
    if line.count == 1, line.trimmed(0).isEmpty { return nil }
    guard let layout else {
      let found = try findColumns(number)
      self.layout = found.layout
      return found.isHeader ? nil : try row(found.layout, number, &issues)
    }
    return try row(layout, number, &issues)
  }

  // MARK: Columns

  private func findColumns(_ number: Int) throws(TraceError) -> (layout: Layout, isHeader: Bool) {
    let header = (0..<line.count).map { line.text($0) }
    var layout = Layout()
    var isHeader = false
    for role in TableColumns.Role.allCases {
      guard let name = columns.columns[role] else { continue }
      if let position = header.firstIndex(of: name) {
        isHeader = true
        layout.positions[role] = position
      } else if let column = Int(name), column >= 1 {
        guard column <= header.count else {
          throw TraceError(
            file: file, line: number, what: "there is no column \(column) for the \(role.rawValue)",
            remedy: "the first row has \(header.count) columns")
        }
        layout.positions[role] = column - 1
      } else {
        throw TraceError(
          file: file, line: number, column: name, what: "the table has no such column",
          remedy: "it has \(header.prefix(20).joined(separator: ", "))")
      }
    }
    layout.width = (layout.positions.values.max() ?? 0) + 1
    layout.unit = columns.unit
    guard let time = layout.positions[.time] else { return (layout, isHeader) }
    if layout.unit == nil { layout.unit = TableColumns.unit(ofHeader: header[time]) }
    if !isHeader {
      let isNumber = Quantity.scaled(header[time], by: 1) != nil
      isHeader = !isNumber && CivilTime.moment(Array(header[time].utf8)[...]) == nil
    }
    return (layout, isHeader)
  }

  // MARK: Rows

  private mutating func row(
    _ layout: Layout, _ number: Int, _ issues: inout ImportIssues
  ) throws(TraceError) -> Row? {
    guard line.count >= layout.width else {
      issues.add(.error, "the row is too short for its columns", line: number)
      return nil
    }
    guard try isWanted(layout, number, &issues) else { return nil }
    let unit = try timeUnit(layout, number)
    guard let time = time(layout, unit) else {
      issues.add(
        .error,
        unit == .iso8601
          ? "the time is not ISO 8601 such as 2011-04-18T11:00:00"
          : "the time is not a number from 0 that fits the unit \(unit.rawValue)", line: number)
      return nil
    }
    let word = text(.event, layout) ?? ""
    guard let event = TableEvent(word: word) else {
      issues.add(.error, "the event is none of a trace", line: number)
      return nil
    }
    guard let value = integer(.value, layout), let id = integer(.id, layout) else {
      issues.add(.error, "a value or id is not a whole number", line: number)
      return nil
    }
    let detail = text(.detail, layout)
    return Row(
      nanoseconds: time.nanoseconds, offsetSeconds: time.offset, event: event,
      app: text(.app, layout), value: value.number, id: id.number, detail: detail)
  }

  /// The text of a column; nil if the table has none for it, or the field is empty.
  private func text(_ role: TableColumns.Role, _ layout: Layout) -> String? {
    guard let position = layout.positions[role] else { return nil }
    let text = line.text(position)
    return text.isEmpty ? nil : text
  }

  /// A column's number, which may be absent; nil if it is no number.
  private func integer(
    _ role: TableColumns.Role, _ layout: Layout
  ) -> (number: Int64?, Void)? {
    guard let text = text(role, layout) else { return (nil, ()) }
    guard let number = Quantity.scaled(text, by: 1) else { return nil }
    return (number, ())
  }

  private mutating func isWanted(
    _ layout: Layout, _ number: Int, _ issues: inout ImportIssues
  ) throws(TraceError) -> Bool {
    guard let name = text(.user, layout) else { return true }
    guard let user else {
      self.user = name
      return true
    }
    if name == user { return true }
    guard onlyUser != nil else {
      throw TraceError(
        file: file, line: number, column: "user",
        what: "'\(name)' is a second user after '\(user)'", remedy: "choose one with --user")
    }
    issues.add(.info, "a row of another user is left out", line: number)
    return false
  }

  private mutating func timeUnit(
    _ layout: Layout, _ number: Int
  ) throws(TraceError) -> TableColumns.TimeUnit {
    if let unit = layout.unit { return unit }
    let position = layout.positions[.time] ?? 0
    guard CivilTime.moment(line.trimmed(position)) != nil else {
      let name = columns.columns[.time] ?? "time"
      throw TraceError(
        file: file, line: number, column: name,
        what: "'\(line.text(position).prefix(40))' does not say its unit",
        remedy: "write --columns time=\(name):ms (or ns, us, s, iso)")
    }
    self.layout?.unit = .iso8601
    return .iso8601
  }

  private func time(
    _ layout: Layout, _ unit: TableColumns.TimeUnit
  ) -> (nanoseconds: Int64, offset: Int64?)? {
    let position = layout.positions[.time] ?? 0
    if let scale = unit.nanoseconds {
      guard let time = Quantity.scaled(line.text(position), by: scale), time >= 0 else {
        return nil
      }
      return (time, nil)
    }
    guard let moment = CivilTime.moment(line.trimmed(position)), moment.nanoseconds >= 0 else {
      return nil
    }
    return (moment.nanoseconds, moment.offsetSeconds)
  }
}

/// What the event column of a table says.
enum TableEvent: Equatable {
  case event(EventKind)
  /// The app was closed: the way home if it is the one in front.
  case closed
  /// Something happened in an app that was shown already.
  case ignored

  /// Words of trace format 1, and those of common usage logs; nothing is a launch.
  init?(word: String) {
    if word.isEmpty {
      self = .event(.launch)
      return
    }
    let word = word.lowercased()
    if let kind = Self.kinds[word] {
      self = .event(kind)
      return
    }
    switch word {
    case "open", "opened", "start", "started", "foreground", "resumed", "activity_resumed",
      "move_to_foreground":
      self = .event(.launch)
    case "close", "closed", "background", "paused", "activity_paused", "move_to_background":
      self = .closed
    case "user interaction", "user_interaction", "interaction", "broken": self = .ignored
    default: return nil
    }
  }

  private static let kinds = Dictionary(
    uniqueKeysWithValues: EventKind.allCases.map { ($0.name, $0) })
}
