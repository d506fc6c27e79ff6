internal import ArgumentParser
internal import Foundation

/// The words of a command line, prepared for the argument parser.
///
/// * `--top -3` becomes `--top=-3`: the parser takes a number with a sign for an option.
/// * `--noise on` and `--noise off`, as they were written once, become `--noise` and `--no-noise`.
/// * `--pin a --pin b` becomes one option with two values: the parser's effort grows with the
///   square of the number of words.
enum CommandWords {
  /// Stands between the values of one option: no word of a command line can have it.
  static let separator: Character = "\u{0}"

  /// So many words cost the parser nothing to speak of.
  private static let few = 64

  /// Flags that were once written with a value: `--noise on`, `--noise off`.
  private static let switches: Set<String> = ["--noise", "--what-if"]

  /// The words as the parser of a program takes them best; what they mean stays.
  static func prepared(_ words: [String], for program: any ParsableCommand.Type) -> [String] {
    joined(switched(words), for: program)
  }

  private static func switched(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    var result: [String] = []
    var position = words.startIndex
    while position < end {
      let parts = words[position].split(separator: "=", maxSplits: 1).map(String.init)
      let hasNext = position + 1 < end
      let value = parts.count == 2 ? parts[1] : hasNext ? words[position + 1] : ""
      if let name = parts.first, switches.contains(name), value == "on" || value == "off" {
        result.append(value == "on" ? name : "--no-" + name.dropFirst(2))
        position += parts.count == 2 ? 1 : 2
      } else {
        result.append(words[position])
        position += 1
      }
    }
    return result + words[end...]
  }

  private static func joined(
    _ words: [String], for program: any ParsableCommand.Type
  ) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let ours = words[..<end]
    let hasSigns = zip(ours, ours.dropFirst()).contains { isOption($0) && isSigned($1) }
    guard hasSigns || ours.count > few else { return words }
    let options = ParserOptions(of: words.first { !$0.hasPrefix("-") }, in: program)
    var result: [String] = []
    // Where the first of an option's values stands.
    var places: [String: Int] = [:]
    var position = ours.startIndex
    while position < end {
      let word = ours[position]
      position += 1
      guard word.hasPrefix("--") else {
        result.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard options.withValue.contains(name) else {
        result.append(word)
        continue
      }
      var value = parts.count > 1 ? String(parts[1]) : nil
      if value == nil, position < end, isSigned(ours[position]) || !ours[position].hasPrefix("-") {
        value = ours[position]
        position += 1
      }
      guard let value else {
        result.append(word)
        continue
      }
      if options.repeated.contains(name), let place = places[name] {
        result[place] += "\(separator)\(value)"
      } else {
        places[name] = result.count
        result.append("\(name)=\(value)")
      }
    }
    return result + words[end...]
  }

  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("--") && !word.contains("=")
  }

  /// Whether a word is a number below zero, perhaps with a unit, and so no option of ours.
  private static func isSigned(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let next = word.dropFirst().first else { return false }
    return next.isASCII && (next.isNumber || next == ".")
  }
}

/// Values of an option that may be given several times.
///
/// One of these holds the values that ``CommandWords`` put together.
struct OptionValues: ExpressibleByArgument {
  let texts: [String]

  init(argument: String) {
    texts = argument.split(separator: CommandWords.separator, omittingEmptySubsequences: false)
      .map(String.init)
  }
}

extension [OptionValues] {
  /// The values in the order in which they were given.
  var texts: [String] { flatMap(\.texts) }
}

/// The long options of a command that take a value, as the parser itself lists them.
private struct ParserOptions {
  private(set) var withValue: Set<String> = []
  /// Those that may be given several times.
  private(set) var repeated: Set<String> = []

  init(of command: String?, in program: any ParsableCommand.Type) {
    let commands = Self.tree(of: program)?.command.subcommands
    let arguments = commands?.first { $0.commandName == command }?.arguments
    for argument in arguments ?? [] where argument.kind == "option" {
      for name in argument.names ?? [] where name.kind == "long" {
        withValue.insert("--\(name.name)")
        if argument.isRepeating { repeated.insert("--\(name.name)") }
      }
    }
  }

  private static func tree(of program: any ParsableCommand.Type) -> Tree? {
    do {
      _ = try program.parseAsRoot(["--experimental-dump-help"])
      return nil
    } catch {
      return try? JSONDecoder().decode(Tree.self, from: Data(program.fullMessage(for: error).utf8))
    }
  }

  private struct Tree: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let isRepeating: Bool
    let names: [Name]?
  }
}
