package import JettisonCore
internal import JettisonSupport
package import JettisonTraces

/// Reads the side file of scores that were computed elsewhere: CSV with the columns `episode`,
/// `app`, `score` and, where wanted, `trace`.
///
/// Columns are found by name; those that begin with `x-` are ignored, other unknown ones refused.
package enum ScoreFile {
  /// What a column holds.
  private enum Column: String, CaseIterable {
    case episode
    case app
    case score
    case trace
  }

  /// Reads the file at a path, `-` being standard input.
  ///
  /// - Throws: ``TraceError`` with line and column for everything that cannot be understood.
  ///
  /// Complexity: O(n log n) for n rows.
  package static func read(_ path: String) throws(TraceError) -> ScoreTable {
    let input = try TraceInput(path: path)
    var line = DelimitedLine()
    var positions: [Column: Int]?
    var rows: [ScoreTable.Row] = []
    try input.forEachLine { (bytes, number) throws(TraceError) in
      guard line.split(bytes, by: UInt8(ascii: ",")) else {
        throw TraceError(
          file: path, line: number, what: "a quoted field does not end on its line",
          remedy: "close it with a quotation mark before the next comma")
      }
      if line.count == 1, line.isBlank(0) { return }
      if let positions {
        rows.append(try row(line, positions, file: path, number: number))
      } else {
        positions = try columns(of: line, file: path, number: number)
      }
    }
    guard positions != nil else {
      throw TraceError(
        file: path, what: "the file is empty", remedy: "begin it with the row 'episode,app,score'")
    }
    return ScoreTable(rows)
  }

  private static func columns(
    of line: DelimitedLine, file: String, number: Int
  ) throws(TraceError) -> [Column: Int] {
    var positions: [Column: Int] = [:]
    for position in 0..<line.count {
      let name = line.text(position)
      if name.hasPrefix("x-") { continue }
      guard let column = Column(rawValue: name) else {
        throw TraceError(
          file: file, line: number, column: name, what: "there is no such column",
          remedy: "columns are episode, app, score, trace, and any that begin with x-")
      }
      guard positions.updateValue(position, forKey: column) == nil else {
        throw TraceError(
          file: file, line: number, column: name, what: "the column is there twice",
          remedy: "keep one of them")
      }
    }
    for column in Column.allCases where column != .trace && positions[column] == nil {
      throw TraceError(
        file: file, line: number, column: column.rawValue, what: "the column is missing",
        remedy: "begin the file with the row 'episode,app,score'")
    }
    return positions
  }

  private static func row(
    _ line: DelimitedLine, _ positions: [Column: Int], file: String, number: Int
  ) throws(TraceError) -> ScoreTable.Row {
    func text(_ column: Column) throws(TraceError) -> String {
      guard let position = positions[column] else { return "" }
      guard position < line.count else {
        throw TraceError(
          file: file, line: number, column: column.rawValue,
          what: "the row ends before it", remedy: "write as many fields as the first row has")
      }
      return line.text(position)
    }
    let episodeText = try text(.episode)
    guard let episode = Int(episodeText), episode >= 0 else {
      throw TraceError(
        file: file, line: number, column: "episode", what: "'\(episodeText)' is not a launch",
        remedy: "write the position of a launch row of the trace, from 0")
    }
    let scoreText = try text(.score)
    guard let score = Double(scoreText), !score.isNaN else {
      throw TraceError(
        file: file, line: number, column: "score", what: "'\(scoreText)' is not a number",
        remedy: "write a number such as 0.25")
    }
    let app = try text(.app)
    guard !app.isEmpty else {
      throw TraceError(
        file: file, line: number, column: "app", what: "no app is named",
        remedy: "write the app's name as the trace has it")
    }
    let trace = try text(.trace)
    return ScoreTable.Row(
      episode: episode, app: app, score: score, trace: trace.isEmpty ? nil : trace)
  }
}
