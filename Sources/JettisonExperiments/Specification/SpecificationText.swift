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

  /// Adds what a line of an experiment file says, unless the command line says otherwise: of settings,
  /// one by one.
  mutating func addDefault(_ key: Key, _ texts: [String], place: YAMLPlace) {
    guard let asked = entries[key] else {
      entries[key] = Entry(texts: texts, place: .file(place))
      return
    }
    guard key == .set else { return }
    let names = Set(asked.texts.map(Self.name))
    entries[key]?.texts = texts.filter { !names.contains(Self.name($0)) } + asked.texts
  }

  /// What a setting is called.
  private static func name(_ setting: String) -> Substring { setting.prefix { $0 != "=" } }

  /// The values of a key; nil if none was given.
  package func texts(_ key: Key) -> [String]? { entries[key]?.texts }

  /// The value of a key; nil if none was given.
  package func text(_ key: Key) -> String? { entries[key]?.texts.last }

  /// Everything that may be the path of a file to read: traces, and the values of keys, such as a
  /// catalog, a device or a policy.
  package var inputs: [String] { traces + entries.values.flatMap(\.texts) }

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
