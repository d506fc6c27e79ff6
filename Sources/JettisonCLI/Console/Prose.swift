internal import JettisonReports

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

  /// `1 run`, `2 runs`.
  static func counted(_ count: Int, _ noun: String) -> String {
    HumanText.counted(Double(count), noun)
  }
}
