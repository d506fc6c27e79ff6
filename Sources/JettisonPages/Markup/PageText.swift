import JettisonSupport

/// Words of users and apps as a page shows them.
package enum PageText {
  /// Longest name that stands in a page; files have the whole one.
  static let longestName = 80

  /// A name without characters that do something else than being read, without its middle where it
  /// is very long.
  package static func name(_ text: String, longest: Int = longestName) -> String {
    let clean = PrintableText.clean(String(text.unicodeScalars.prefix(4 * longest)))
    guard clean.count > longest || text.unicodeScalars.count > 4 * longest else { return clean }
    let half = (longest - 1) / 2
    let end = PrintableText.clean(String(text.unicodeScalars.suffix(2 * longest)))
    return "\(clean.prefix(longest - 1 - half))…\(end.suffix(half))"
  }

  /// A name in a sentence: the direction of one does not reach the other.
  static func isolated(_ text: String) -> String {
    let name = name(text)
    return name.utf8.allSatisfy { $0 < 0x80 } ? name : "\u{2068}\(name)\u{2069}"
  }

  /// A name in the line of a page: its direction is its own.
  package static func markup(_ text: String, longest: Int = longestName) -> Markup {
    Markup("bdi", text: name(text, longest: longest))
  }
}
