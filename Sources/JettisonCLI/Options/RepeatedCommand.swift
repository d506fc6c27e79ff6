internal import Foundation

/// The command line as a page shows it: what gives the same figures again.
enum RepeatedCommand {
  /// Options that say where results go and how many runs at a time, each with a value.
  private static let valued: Set<String> = [
    "--csv", "--html", "--junit", "--perfetto", "--beside", "--detail", "--events", "--sample",
    "--jobs",
  ]
  /// The same without a value.
  private static let flags: Set<String> = ["--json", "--quiet", "-q"]

  /// The command that runs, as a shell takes it.
  static var text: String { text(of: Array(CommandLine.arguments.dropFirst())) }

  /// The words of a command line without what changes no figure.
  static func text(of words: [String]) -> String {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    var kept = ["jettison"]
    var position = words.startIndex
    while position < end {
      let word = words[position]
      position += 1
      let name = word.prefix { $0 != "=" }
      if valued.contains(String(name)) {
        if name.endIndex == word.endIndex { position += 1 }
      } else if !flags.contains(word) {
        kept.append(word)
      }
    }
    return (kept + words[min(position, words.endIndex)...]).map(quoted).joined(separator: " ")
  }

  /// A word so that a shell takes it as it is.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || "-_./,:=+@%".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : inQuotes(word)
  }

  /// A word in quotes, whatever it is.
  static func inQuotes(_ word: String) -> String { "'\(word.replacing("'", with: "'\\''"))'" }
}
