internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads rows of a table whose columns the user has named.
///
/// A table has a header if any column is given by its name, or if the first row's time is not a time.
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
    /// The number of the app's spelling, from 0: see ``TableReader/appNames``.
    let app: Int?
    let value: Int64?
    let id: Int64?
    let detail: String?
  }

  /// Where the columns are.
  private struct Layout {
    var time = 0
    var app: Int?
    var event: Int?
    var value: Int?
    var id: Int?
    var detail: Int?
    var user: Int?
    var width = 0
    var unit: TableColumns.TimeUnit?

    init(_ positions: [TableColumns.Role: Int], _ unit: TableColumns.TimeUnit?) {
      time = positions[.time] ?? 0
      app = positions[.app]
      event = positions[.event]
      value = positions[.value]
      id = positions[.id]
      detail = positions[.detail]
      user = positions[.user]
      width = (positions.values.max() ?? 0) + 1
      self.unit = unit
    }
  }

  private let columns: TableColumns
  private let zone: Int64?
  private let file: String
  private let onlyUser: String?
  private var line = DelimitedLine()
  private var delimiter = UInt8(ascii: ",")
  private var layout: Layout?
  /// Apps and events as rows spell them, each understood once.
  private var appTable = ByteTable()
  private(set) var appNames: [String] = []
  private var eventTable = ByteTable()
  private var events: [TableEvent] = []
  /// The user whose rows are read.
  private(set) var user: String?

  /// Begins a table.
  ///
  /// - Parameters:
  ///   - columns: What the user said of them.
  ///   - user: Whose rows to read, where the table has a column for it; nil: the only one's.
  ///   - zone: Seconds ahead of UTC of times that do not say; nil: not known.
  ///   - file: The file as the user named it.
  init(columns: TableColumns, user: String?, zone: Int64?, file: String) {
    self.columns = columns
    self.zone = zone
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
    if line.count == 1, line.isBlank(0) { return nil }
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
    var positions: [TableColumns.Role: Int] = [:]
    var isHeader = false
    for role in TableColumns.Role.allCases {
      guard let name = columns.columns[role] else { continue }
      if let position = header.firstIndex(of: name) {
        isHeader = true
        positions[role] = position
      } else if let column = Int(name), column >= 1 {
        guard column <= header.count else {
          throw TraceError(
            file: file, line: number, what: "there is no column \(column) for the \(role.rawValue)",
            remedy: "the first row has \(header.count) columns")
        }
        positions[role] = column - 1
      } else {
        throw TraceError(
          file: file, line: number, column: name, what: "the table has no such column",
          remedy: "it has \(header.prefix(20).joined(separator: ", "))")
      }
    }
    var layout = Layout(positions, columns.unit)
    guard let time = positions[.time] else { return (layout, isHeader) }
    if layout.unit == nil { layout.unit = TableColumns.unit(ofHeader: header[time]) }
    if !isHeader {
      let isNumber = Quantity.scaled(header[time], by: 1) != nil
      isHeader = !isNumber && CivilTime.moment(Array(header[time].utf8).span) == nil
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
    guard let event = event(layout.event) else {
      issues.add(.error, "an unknown event: a trace can't hold it", line: number)
      return nil
    }
    if event == .event(.launch), let position = layout.event, line.isBlank(position) {
      issues.add(.info, "a blank event is taken for a launch", line: number)
    }
    guard let value = integer(layout.value), let id = integer(layout.id) else {
      issues.add(.error, "a value or id is not a whole number", line: number)
      return nil
    }
    return Row(
      nanoseconds: time.nanoseconds, offsetSeconds: time.offset, event: event,
      app: app(layout.app), value: value.number, id: id.number, detail: text(layout.detail))
  }

  /// The text of a column; nil if the table has none for it, or the field is empty.
  private func text(_ position: Int?) -> String? {
    guard let position, !line.isBlank(position) else { return nil }
    return line.text(position)
  }

  /// The app of a row; nil if the field is empty.
  private mutating func app(_ position: Int?) -> Int? {
    guard let position else { return nil }
    if let known = line.withField(position, { appTable.find($0) }) { return Int(known) }
    guard let name = text(position) else { return nil }
    appNames.append(name)
    return Int(line.withField(position) { appTable.insert($0) })
  }

  /// The event of a row; nil if there is none of its name.
  private mutating func event(_ position: Int?) -> TableEvent? {
    guard let position else { return TableEvent(word: "") }
    if let known = line.withField(position, { eventTable.find($0) }) { return events[Int(known)] }
    guard let event = TableEvent(word: text(position) ?? "") else { return nil }
    _ = line.withField(position) { eventTable.insert($0) }
    events.append(event)
    return event
  }

  /// A column's number, which may be absent; nil if it is no number.
  private func integer(_ position: Int?) -> (number: Int64?, Void)? {
    if let position, let number = line.number(position) { return (number, ()) }
    guard let text = text(position) else { return (nil, ()) }
    guard let number = Quantity.scaled(text, by: 1) else { return nil }
    return (number, ())
  }

  private mutating func isWanted(
    _ layout: Layout, _ number: Int, _ issues: inout ImportIssues
  ) throws(TraceError) -> Bool {
    guard let name = text(layout.user) else {
      guard onlyUser != nil, layout.user != nil else { return true }
      issues.add(.info, "a row of no user is ignored", line: number)
      return false
    }
    guard let user else {
      self.user = name
      return true
    }
    if name == user { return true }
    guard onlyUser != nil else {
      throw TraceError(
        file: file, line: number, column: "user",
        what: "'\(name)' is a second user after '\(user)'",
        remedy: "choose one with `ImportOptions.user`")
    }
    issues.add(.info, "a row of another user is ignored", line: number)
    return false
  }

  private mutating func timeUnit(
    _ layout: Layout, _ number: Int
  ) throws(TraceError) -> TableColumns.TimeUnit {
    if let unit = layout.unit { return unit }
    let position = layout.time
    guard line.withTrimmed(position, CivilTime.moment) != nil else {
      let name = columns.columns[.time] ?? "time"
      throw TraceError(
        file: file, line: number, column: name,
        what: "'\(line.text(position).prefix(40))' does not say its unit",
        remedy: "write `ImportOptions.columns` time=\(name):ms (or ns, us, s, iso)")
    }
    self.layout?.unit = .iso8601
    return .iso8601
  }

  private func time(
    _ layout: Layout, _ unit: TableColumns.TimeUnit
  ) -> (nanoseconds: Int64, offset: Int64?)? {
    let position = layout.time
    if let scale = unit.nanoseconds {
      if let number = line.number(position) {
        let (time, overflow) = number.multipliedReportingOverflow(by: scale)
        return overflow ? nil : (time, zone)
      }
      guard let time = Quantity.scaled(line.text(position), by: scale), time >= 0 else {
        return nil
      }
      return (time, zone)
    }
    guard let moment = line.withTrimmed(position, CivilTime.moment) else { return nil }
    let isLocal = moment.offsetSeconds == nil
    let time = moment.nanoseconds - (isLocal ? (zone ?? 0) * 1_000_000_000 : 0)
    return time < 0 ? nil : (time, moment.offsetSeconds ?? zone)
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
