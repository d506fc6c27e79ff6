package import JettisonCore
package import JettisonSupport
internal import JettisonTraces

/// What a user asked for, as typed: on the command line, in an experiment file, or in both.
///
/// Values stay texts together with the place they come from, so that a mistake is reported where
/// it was made: an option is misuse, a line of a file is malformed input.
package struct ExperimentOptions: Sendable {
  /// The long options that say what to run; the same words are the keys of an experiment file.
  package enum Key: String, CaseIterable, Sendable {
    case policies
    case device
    case memory
    case capacity
    case footprints
    case catalog
    case saves
    case adj
    case set
    case pressure
    case noise
    case pin
    case protectRecent = "protect-recent"
    case seed
    case seeds
    case warmUp = "warm-up"
    case baseline
    case events
    case failIf = "fail-if"

    /// Whether the key takes more than one value.
    var isList: Bool {
      switch self {
      case .policies, .device, .memory, .capacity, .catalog, .set, .pin, .events, .failIf: true
      default: false
      }
    }
  }

  /// Where values were written.
  package enum Place: Sendable, Equatable {
    case commandLine(option: String)
    case file(YAMLPlace)
  }

  /// Values of one key.
  struct Entry: Sendable {
    var texts: [String]
    var place: Place
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
    entries[key] = Entry(
      texts: texts, place: .commandLine(option: option ?? "--\(key.rawValue)"))
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

  /// An error about a key, at the place where its value was written.
  package func error(_ key: Key, _ error: ConfigurationError) -> ExperimentError {
    switch entries[key]?.place {
    case .file(let place): .input(place.error("key '\(key.rawValue)': \(error)"))
    case .commandLine(let option): .option(option, error)
    case nil: .option("--\(key.rawValue)", error)
    }
  }

  /// The value of a key read by `parse`, or a default; a value that cannot be read is an error.
  func value<Value>(
    _ key: Key, or fallback: Value, form: String, _ parse: (String) -> Value?
  ) throws(ExperimentError) -> Value {
    guard let text = text(key) else { return fallback }
    guard let value = parse(text) else {
      throw error(key, .invalid(what: "value", text: text, remedy: "write \(form)"))
    }
    return value
  }

  /// The values of a list key, each read by `parse`; nil if nobody gave any.
  func values<Value>(
    _ key: Key, form: String, _ parse: (String) -> Value?
  ) throws(ExperimentError) -> [Value]? {
    guard let texts = texts(key) else { return nil }
    var result: [Value] = []
    for text in texts.flatMap({ Self.split($0) }) {
      guard let value = parse(text) else {
        throw error(key, .invalid(what: "value", text: text, remedy: "write \(form)"))
      }
      result.append(value)
    }
    return result
  }

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
