internal import JettisonCore
internal import JettisonSupport
internal import JettisonTraces

/// What a user asked for, as written: on the command line, in an experiment file, or in both.
///
/// Texts stay together with the place they come from, so that a mistake is reported where it was
/// made: an option is misuse, a line of a file is malformed input. ``specification(for:)`` reads
/// them; nothing below it knows options or files.
package struct SpecificationText: Sendable {
  package typealias Key = ExperimentSpecification.Key

  /// Texts of one key.
  private struct Entry: Sendable {
    var texts: [String]
    var place: ExperimentSpecification.Place
  }

  /// Files and directories to replay.
  package var traces: [String] = []
  /// Whether arenas are checked against the allocator's statistics.
  package var checksArenas = false
  /// Whether an error issue of an input is fatal.
  package var isStrict = false
  private var entries: [Key: Entry] = [:]

  /// Nothing asked for: every default.
  package init() {}

  /// Adds what an option says; without values it was not given.
  package mutating func add(_ key: Key, _ texts: [String], option: String? = nil) {
    guard !texts.isEmpty else { return }
    entries[key] = Entry(texts: texts, place: .option(option ?? "--\(key.rawValue)"))
  }

  /// Adds what an option says; nil if it was not given.
  package mutating func add(_ key: Key, _ text: String?, option: String? = nil) {
    if let text { add(key, [text], option: option) }
  }

  /// Adds what a line of an experiment file says, unless the command line says otherwise.
  mutating func addDefault(_ key: Key, _ texts: [String], place: YAMLPlace) {
    guard entries[key] == nil else { return }
    entries[key] = Entry(texts: texts, place: .file(place))
  }

  /// The values of a key; nil if nobody gave any.
  package func texts(_ key: Key) -> [String]? { entries[key]?.texts }

  /// The value of a key; nil if nobody gave one.
  package func text(_ key: Key) -> String? { entries[key]?.texts.last }

  /// Where values were written.
  var places: [Key: ExperimentSpecification.Place] { entries.mapValues(\.place) }

  /// An error about a key, at the place where its value was written.
  func error(_ key: Key, _ error: ConfigurationError) -> ExperimentError {
    (entries[key]?.place ?? .option("--\(key.rawValue)")).error(key, error)
  }
}

extension ExperimentSpecification {
  /// Where a value was written.
  enum Place: Sendable, Equatable {
    /// After an option.
    case option(String)
    /// In an experiment file.
    case file(YAMLPlace)

    /// An error about the value.
    func error(_ key: Key, _ error: ConfigurationError) -> ExperimentError {
      switch self {
      case .option(let option): .value(option, error)
      case .file(let place): .input(place.error("key '\(key.rawValue)': \(error)"))
      }
    }
  }
}

extension SpecificationText {
  /// The parts of a comma-separated list, blanks around them taken off.
  package static func split(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let blanks: Set<Character> = [" ", "\t"]
      let start = part.firstIndex { !blanks.contains($0) } ?? part.endIndex
      let end = part.lastIndex { !blanks.contains($0) }.map { part.index(after: $0) } ?? start
      return String(part[start..<end])
    }
  }

  /// The policies of a comma-separated list whose policies may have parameters with commas.
  ///
  /// A part such as `half_life=1d` that names no policy belongs to the policy before it:
  /// `gdsf:cost=1,half_life=1d,lru` is two policies.
  package static func splitPolicies(_ text: String) -> [String] {
    var result: [String] = []
    for part in split(text) {
      let head = part.prefix { $0 != ":" && $0 != "+" }
      if head.contains("="), let last = result.last, last.contains(":") {
        result[result.count - 1] = last + "," + part
      } else {
        result.append(part)
      }
    }
    return result
  }
}
