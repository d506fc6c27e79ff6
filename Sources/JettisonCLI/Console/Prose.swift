internal import JettisonReports

/// Breaks prose into lines.
enum Prose {
  /// Lines of at most `width` columns, each after `indent` blanks.
  static func wrap(_ text: String, width: Int = 88, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return lines + (line.isEmpty ? [] : [margin + line])
  }

  /// A list of labels and texts, aligned, as lines each ended.
  static func facts(_ facts: [(String, String)], style: TextStyle = TextStyle()) -> String {
    var table = TextTable([.init("", .left), .init("", .left)])
    table.hasHeader = false
    for (label, text) in facts { table.add([.init("  " + label), .init(text)]) }
    return table.rendered(style)
  }

  /// `4 s of work (2 KiB)`.
  static func lost(workNanoseconds: Int64, bytes: Int64) -> String {
    "\(HumanText.duration(nanoseconds: workNanoseconds)) of work (\(HumanText.size(bytes: bytes)))"
  }

  /// The first few names, and how many more there are: `a, b and 3 more`.
  static func listed(_ names: [String], shown: Int = 5) -> String {
    let list = names.prefix(shown).joined(separator: ", ")
    guard names.count > shown else { return names.isEmpty ? "nobody" : list }
    return "\(list) and \(names.count - shown) more"
  }

  /// `1 run`, `2 runs`.
  static func counted(_ count: Int, _ noun: String) -> String {
    HumanText.counted(Double(count), noun)
  }
}
