/// Text without characters that would move the cursor or end a line: names come from captures.
package enum PrintableText {
  /// A text in which each of them is replaced by U+FFFD.
  package static func clean(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate: cleaned.append("\u{FFFD}")
      // Marks of writing direction can make a name look like another.
      case .format
      where (0x202A...0x202E).contains(scalar.value)
        || (0x2066...0x2069).contains(scalar.value):
        cleaned.append("\u{FFFD}")
      default: cleaned.append(scalar)
      }
    }
    return String(cleaned)
  }

  /// A message of one or more lines, each without such characters.
  ///
  /// Lines after the first are set in, so that none of them passes for a message of its own.
  package static func message(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { position, line in
      let cleaned = clean(String(String.UnicodeScalarView(line)))
      return position == 0 || cleaned.isEmpty || cleaned.hasPrefix("  ") ? cleaned : "  " + cleaned
    }.joined(separator: "\n")
  }
}
