package import JettisonModel

/// Which columns of a table mean what: `time=when:ms,app=package,event=kind,value=5`.
package struct TableColumns: Equatable, Sendable {
  /// What a column of a table may be read as.
  package enum Role: String, CaseIterable, Sendable {
    case time, app, event, value, id, detail, user
  }

  /// How times are written.
  package enum TimeUnit: String, CaseIterable, Sendable {
    case nanoseconds = "ns"
    case microseconds = "us"
    case milliseconds = "ms"
    case seconds = "s"
    /// ISO 8601, with or without an offset.
    case iso8601 = "iso"

    /// Nanoseconds in one unit; nil for ISO 8601.
    var nanoseconds: Int64? {
      switch self {
      case .nanoseconds: 1
      case .microseconds: 1_000
      case .milliseconds: 1_000_000
      case .seconds: 1_000_000_000
      case .iso8601: nil
      }
    }
  }

  /// A column by its header or by its number from 1.
  package let columns: [Role: String]
  /// The unit of times; nil: from the column's name, or ISO 8601 if it looks so.
  package let unit: TimeUnit?

  /// Checks what `--columns` gave: our name to the table's.
  package init(_ given: [String: String]) throws(ConfigurationError) {
    var columns: [Role: String] = [:]
    var unit: TimeUnit?
    for key in given.keys.sorted() {
      guard let role = Role(rawValue: key) else {
        throw .unknown(what: "column", name: key, known: Role.allCases.map(\.rawValue))
      }
      var name = given[key] ?? ""
      if role == .time, let colon = name.lastIndex(of: ":") {
        let text = String(name[name.index(after: colon)...])
        guard let known = TimeUnit(rawValue: text) else {
          throw .unknown(what: "time unit", name: text, known: TimeUnit.allCases.map(\.rawValue))
        }
        unit = known
        name = String(name[..<colon])
      }
      guard !name.isEmpty else {
        throw .invalid(
          what: "column", text: key, remedy: "name the table's column, as in \(key)=header")
      }
      columns[role] = name
    }
    for role in [Role.time, .app] where columns[role] == nil {
      throw .invalid(
        what: "columns", text: given.keys.sorted().joined(separator: ","),
        remedy: "say which column is the \(role.rawValue), as in \(role.rawValue)=header")
    }
    self.columns = columns
    self.unit = unit
  }

  /// The unit that a header such as `time_ms` or `timestamp (s)` ends with.
  static func unit(ofHeader name: String) -> TimeUnit? {
    let word = name.split { !$0.isLetter }.last.map { $0.lowercased() } ?? ""
    return switch word {
    case "ns", "nanos", "nanoseconds": .nanoseconds
    case "us", "µs", "micros", "microseconds": .microseconds
    case "ms", "millis", "milliseconds": .milliseconds
    case "s", "sec", "secs", "seconds": .seconds
    case "iso", "iso8601": .iso8601
    default: nil
    }
  }
}
