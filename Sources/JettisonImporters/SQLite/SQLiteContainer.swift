internal import JettisonModel
public import JettisonTraces

extension TraceContainer {
  /// SQLite databases: their tables say of which format they are.
  public static let sqlite = TraceContainer(
    sniff: { SQLiteDatabase.begins($0) },
    detect: { (input, formats) throws(TraceError) in
      // Reading it afterwards counts the damage.
      var issues = ImportIssues()
      let database = try SQLiteDatabase(input, issues: &issues)
      for format in formats where format.recognises?(database.tables) == true { return format }
      if issues.count(atLeast: .dataLoss) > 0 {
        throw TraceError(
          file: input.displayName, what: "is a SQLite database of which too much is lost",
          remedy: "get another copy; `TraceLoader.load(format:)` reads what there is")
      }
      let known = formats.filter { $0.recognises != nil }.map(\.name)
      throw TraceError(
        file: input.displayName, what: "is a SQLite database of an unknown kind",
        remedy:
          "known are \(known.joined(separator: " and ")); name one with `TraceLoader.load(format:)`"
      )
    })
}
