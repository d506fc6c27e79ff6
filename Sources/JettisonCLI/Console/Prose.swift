internal import JettisonReports

extension Prose {
  /// Lines as wide as standard output, each after `indent` blanks.
  static func wrap(_ text: String, indent: Int = 0) -> [String] {
    wrap(text, width: Console.width, indent: indent)
  }

  /// A list of labels and texts, aligned, as lines each ended.
  static func facts(_ facts: [(String, String)]) -> String {
    self.facts(facts, Console.style)
  }
}
