internal import JettisonModel
internal import JettisonSupport
internal import JettisonTraces

/// Names as a trace can hold them: in its rows, and as keys of its catalog.
enum FittingName {
  /// YAML's longest key on one line, in characters, with its quotes and escapes.
  private static let longestKey = 1024
  /// Longest escape of a byte: `\u0000`.
  private static let longestEscape = 6

  /// A name, cut at its end if it is too long; `unknown` if there is none.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - suffix: What is added to it, in harmless letters.
  static func fitting(_ name: String, suffix: String = "") -> String {
    if name.isEmpty { return "unknown" + suffix }
    let room = suffix.utf8.count
    // Nearly all names.
    if (name.utf8.count + room) * longestEscape + 2 <= longestKey { return name + suffix }
    let cut = cutBytes(name, TraceLimits.nameBytes - room) + suffix
    if YAMLNode.quoted(cut).unicodeScalars.count <= longestKey { return cut }
    var short = ""
    var length = room + 2
    for scalar in name.unicodeScalars {
      let written = YAMLNode.quoted(String(scalar)).unicodeScalars.count
      // Quotes stand around it.
      length += written > 1 ? written - 2 : 1
      if length > longestKey { break }
      short.unicodeScalars.append(scalar)
    }
    return cutBytes(short, TraceLimits.nameBytes - room) + suffix
  }

  /// Whether a catalog can hold a name as it is: a control character takes the longest escape.
  static func fits(_ name: Span<UInt8>) -> Bool {
    // Nearly all names.
    if name.count * longestEscape + 2 <= longestKey { return true }
    var written = name.count + 2
    for place in 0..<name.count where name[place] < 0x20 || name[place] == 0x7F {
      written += longestEscape - 1
    }
    return written <= longestKey
  }

  private static func cutBytes(_ name: String, _ most: Int) -> String {
    if name.utf8.count <= most { return name }
    var short = ""
    var count = 0
    for scalar in name.unicodeScalars {
      count += scalar.utf8.count
      if count > most { break }
      short.unicodeScalars.append(scalar)
    }
    return short
  }
}
