internal import JettisonSupport

/// Breaks text for people into lines: the one place where lines are broken.
package enum Prose {
  /// Lines of at most `width` columns, broken at blanks, each after `indent` blanks.
  ///
  /// A word that is wider stands whole on a line of its own. Blanks at which no line may break
  /// (U+00A0) become blanks.
  package static func wrap(_ text: String, width: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ") {
      let size = TextStyle.displayWidth(word)
      if !line.isEmpty, indent + used + 1 + size > width {
        lines.append(margin + line)
        (line, used) = ("", 0)
      }
      used += line.isEmpty ? size : size + 1
      line += line.isEmpty ? String(word) : " \(word)"
    }
    if !line.isEmpty { lines.append(margin + line) }
    return lines.map { $0.replacing("\u{A0}", with: " ") }
  }

  /// Lines as wide as the style is, each after `indent` blanks.
  package static func wrap(_ text: String, _ style: TextStyle, indent: Int = 0) -> [String] {
    wrap(text, width: style.width ?? .max, indent: indent)
  }

  /// Words between which no line breaks, such as a number and its unit.
  static func together(_ text: String) -> String { text.replacing(" ", with: "\u{A0}") }

  /// A text as lines, each ended, as wide as the style is.
  package static func paragraph(_ text: String, _ style: TextStyle) -> String {
    wrap(text, style).map { $0 + "\n" }.joined()
  }

  /// A list of labels and texts, aligned, as lines each ended.
  package static func facts(_ facts: [(String, String)], _ style: TextStyle) -> String {
    var table = TextTable([.init("", .left), .init("", .left)])
    table.hasHeader = false
    for (label, text) in facts { table.add([.init("  " + label), .init(text)]) }
    return table.rendered(style)
  }

  /// `4 s of work (2 KiB)`.
  package static func lost(workNanoseconds: Int64, bytes: Int64) -> String {
    "\(HumanText.duration(nanoseconds: workNanoseconds)) of work (\(HumanText.size(bytes: bytes)))"
  }

  /// The first few names, and how many more there are: `a, b and 3 more`.
  package static func listed(_ names: [String], shown: Int = 5) -> String {
    let list = names.prefix(shown).joined(separator: ", ")
    guard names.count > shown else { return names.isEmpty ? "no app" : list }
    return "\(list) and \(names.count - shown) more"
  }

  /// `1 run`, `2 runs`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    HumanText.counted(Double(count), noun)
  }

  /// Lines of at most `width` columns in which nothing sticks out: a word that is wider goes on in
  /// the next line, if it can after a sign such as a dot.
  static func fill(_ text: String, width: Int) -> [String] {
    guard TextStyle.displayWidth(text) > width else { return [text] }
    return wrap(text, width: width).flatMap { broken($0, width: max(1, width)) }
  }

  private static func broken(_ line: String, width: Int) -> [String] {
    guard TextStyle.displayWidth(line) > width else { return [line] }
    var room = width
    var end = line.startIndex
    var afterSign: String.Index?
    while end < line.endIndex {
      room -= TextStyle.displayWidth(line[end...end])
      // At least one character, however wide.
      if room < 0, end > line.startIndex { break }
      let isSign = ".-_:/,=+;@".contains(line[end])
      end = line.index(after: end)
      if isSign { afterSign = end }
    }
    let place = afterSign ?? end
    guard place < line.endIndex else { return [line] }
    return [String(line[..<place])] + broken(String(line[place...]), width: width)
  }
}
