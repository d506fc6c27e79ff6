internal import JettisonReports
internal import JettisonSupport

extension Prose {
  /// Lines as wide as standard output, each after `indent` blanks.
  static func wrap(_ text: String, indent: Int = 0) -> [String] {
    wrap(text, width: Console.width, indent: indent)
  }

  /// A list of labels and texts, aligned, as lines each ended.
  static func facts(_ facts: [(String, String)], style: TextStyle = Console.style) -> String {
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
