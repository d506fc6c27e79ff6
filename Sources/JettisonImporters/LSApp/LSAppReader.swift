internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Reads the rows of an LSApp table: `user_id, session_id, timestamp, app_name, event_type`,
/// parted by tabs or commas, in any order of columns.
///
/// Users and apps become small numbers, so that a row costs no memory of its own.
struct LSAppReader {
  /// What happened.
  enum Event {
    case opened, closed
    /// The user did something in an app, or the recorder lost track: nothing comes to the front.
    case interaction, broken
  }

  /// One row, understood.
  struct Row {
    let user: UInt32
    /// Seconds since 1970, local.
    let seconds: Int64
    let app: UInt32
    let event: Event
  }

  private struct Layout {
    var user = 0
    var time = 0
    var app = 0
    var event = 0
    var delimiter = UInt8(ascii: "\t")
    var width: Int { max(user, time, app, event) + 1 }
  }

  private var line = DelimitedLine()
  private var layout: Layout?
  private var users = ByteTable()
  private var apps = ByteTable()

  /// Whether a line is the header of such a table.
  static func isHeader(_ text: Span<UInt8>) -> Bool {
    var line = DelimitedLine()
    return layout(of: text, &line) != nil
  }

  /// The name of a user.
  func user(_ number: UInt32) -> String { String(decoding: users[number], as: UTF8.self) }

  /// The name of an app.
  func app(_ number: UInt32) -> String { String(decoding: apps[number], as: UTF8.self) }

  /// Reads one line, counted from 1; nil if it is no row (counted, unless blank or the header).
  mutating func read(
    _ text: Span<UInt8>, number: Int, file: String, issues: inout ImportIssues
  ) throws(TraceError) -> Row? {
    guard let layout else {
      guard let found = Self.layout(of: text, &line) else {
        throw TraceError(
          file: file, line: number, what: "the columns are not those of an LSApp table",
          remedy: "the first row is user_id, session_id, timestamp, app_name, event_type")
      }
      layout = found
      return nil
    }
    if text.isEmpty { return nil }
    guard line.split(text, by: layout.delimiter) else {
      issues.add(.error, "a quoted field does not end on its line", line: number)
      return nil
    }
    guard line.count >= layout.width else {
      issues.add(.error, "the row is too short for its columns", line: number)
      return nil
    }
    let moment = line.withTrimmed(layout.time, CivilTime.moment)
    guard let moment, moment.nanoseconds >= 0 else {
      issues.add(.error, "the time is not like 2018-01-16 06:01:05", line: number)
      return nil
    }
    guard let event = line.withTrimmed(layout.event, Self.event) else {
      issues.add(
        .error, "an unknown event: expected Opened, Closed, User Interaction or Broken",
        line: number)
      return nil
    }
    guard line.withTrimmed(layout.user, Self.isName), line.withTrimmed(layout.app, Self.isName)
    else {
      issues.add(.error, "the row names no user or no app, or too long a one", line: number)
      return nil
    }
    return Row(
      user: line.withTrimmed(layout.user) { users.number(of: $0) },
      seconds: moment.nanoseconds / 1_000_000_000,
      app: line.withTrimmed(layout.app) { apps.number(of: $0) }, event: event)
  }

  private static func isName(_ field: Span<UInt8>) -> Bool {
    (1...TraceLimits.nameBytes / 4).contains(field.count) && FittingName.fits(field)
  }

  private static func layout(of text: Span<UInt8>, _ line: inout DelimitedLine) -> Layout? {
    let delimiter = DelimitedLine.sniffDelimiter(text)
    guard text.count < 256, line.split(text, by: delimiter) else { return nil }
    let names = (0..<line.count).map { line.text($0) }
    guard names.contains("session_id"), let user = names.firstIndex(of: "user_id"),
      let time = names.firstIndex(of: "timestamp"), let app = names.firstIndex(of: "app_name"),
      let event = names.firstIndex(of: "event_type")
    else { return nil }
    return Layout(user: user, time: time, app: app, event: event, delimiter: delimiter)
  }

  private static func event(_ text: Span<UInt8>) -> Event? {
    switch text.count {
    case 6 where text.starts(with: "Opened"): .opened
    case 6 where text.starts(with: "Closed"): .closed
    case 6 where text.starts(with: "Broken"): .broken
    case 16 where text.starts(with: "User Interaction"): .interaction
    default: nil
    }
  }
}
