internal import JettisonCore

extension TraceFormat {
  /// The format of a SQLite database, by its tables.
  static func detectDatabase(_ input: TraceInput) throws(TraceError) -> TraceFormat {
    // Reading it afterwards counts the damage.
    var issues = ImportIssues()
    let database = try SQLiteDatabase(input, issues: &issues)
    for format in all where format.recognises?(database.tables) == true { return format }
    if issues.count(atLeast: .dataLoss) > 0 {
      throw TraceError(
        file: input.displayName, what: "is a SQLite database of which too much is lost",
        remedy: "get another copy; --format reads what there is")
    }
    let known = all.filter { $0.recognises != nil }.map(\.name)
    throw TraceError(
      file: input.displayName, what: "is a SQLite database of no known kind",
      remedy: "known are \(known.joined(separator: " and ")); --format says it outright")
  }
}
