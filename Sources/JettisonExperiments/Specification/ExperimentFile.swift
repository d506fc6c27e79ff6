internal import JettisonCore
internal import JettisonSupport
internal import JettisonTraces

/// An experiment written down: the options of `compare` as keys of a YAML mapping.
///
/// ```yaml
/// traces: [captures, one.csv]          # relative to this file
/// policies: [lru, "gdsf:cost=1", mine.yaml]
/// device: [iphone-4, my-phone.yaml]    # device files too
/// memory: [512MiB, 1GiB]
/// set: {thresholds.purge: [8%, 10%], decay: 5s}
/// seeds: 5
/// ```
///
/// An option on the command line wins over the key of its name.
package enum ExperimentFile {
  /// Replaces the experiment file that stands in place of traces, if there is one, by what it says.
  package static func expand(
    _ text: SpecificationText
  ) throws(ExperimentError) -> SpecificationText {
    guard let path = text.traces.first(where: YAMLFile.isOne) else { return text }
    guard text.traces.count == 1 else {
      throw .misuse(
        what: "\(path): an experiment file names its own traces",
        remedy: "give it alone, or list all traces in it")
    }
    return try read(path, below: text)
  }

  /// What a file says, where `text` does not say otherwise.
  static func read(
    _ path: String, below text: SpecificationText = SpecificationText()
  ) throws(ExperimentError) -> SpecificationText {
    var result = text
    result.traces = []
    let known = ["traces"] + SpecificationText.Key.allCases.map(\.rawValue)
    for entry in try YAMLFile.root(of: path) {
      if entry.key == "traces" {
        result.traces = try YAMLFile.texts(of: entry).map { resolved($0, in: path) }
      } else if let key = SpecificationText.Key(rawValue: entry.key) {
        try add(key, entry, of: path, to: &result)
      } else {
        let error = ConfigurationError.unknown(what: "key", name: entry.key, known: known)
        throw .input(entry.place.error("\(error)"))
      }
    }
    guard !result.traces.isEmpty else {
      throw .input(
        TraceError(file: path, what: "names no traces", remedy: "write 'traces: [a.csv]'"))
    }
    return result
  }

  private static func add(
    _ key: SpecificationText.Key, _ entry: YAMLEntry, of path: String,
    to text: inout SpecificationText
  ) throws(ExperimentError) {
    var texts: [String] = []
    if key == .set, let mapping = entry.value.mapping {
      for inner in mapping {
        texts.append("\(inner.key)=\(try settingText(of: inner))")
      }
    } else {
      texts = key.isList ? try YAMLFile.texts(of: entry) : [try YAMLFile.text(of: entry)]
    }
    switch key {
    case .catalog: texts = texts.map { resolved($0, in: path) }
    case .device: texts = texts.map { YAMLFile.isOne($0) ? resolved($0, in: path) : $0 }
    case .policies, .baseline:
      guard !texts.isEmpty else {
        throw .input(entry.place.error("key 'policies' names no policy", "write 'policies: [lru]'"))
      }
      texts = texts.flatMap(ListText.policies(of:))
        .map { PolicyFile.split($0) == nil ? scoresResolved($0, in: path) : resolved($0, in: path) }
    case .events:
      guard !texts.isEmpty else {
        throw .input(entry.place.error("key 'events' names no event", "write 'events: [purge]'"))
      }
    default: break
    }
    text.addDefault(key, texts, place: entry.place)
  }

  /// The values of a setting; a list among them is one value, such as the triggers of a save.
  private static func settingText(of entry: YAMLEntry) throws(ExperimentError) -> String {
    guard let sequence = entry.value.sequence, sequence.contains(where: { $0.sequence != nil })
    else { return try YAMLFile.texts(of: entry).joined(separator: ",") }
    return sequence.map(\.canonicalText).joined(separator: ",")
  }

  /// A policy with the path of its scores, if it has some, as ``resolved(_:in:)``.
  private static func scoresResolved(_ policy: String, in file: String) -> String {
    guard policy.hasPrefix("\(PolicyDescriptor.scores.name):"),
      let mark = policy.firstRange(of: /[:,]file=/)
    else { return policy }
    return policy[..<mark.upperBound] + resolved(String(policy[mark.upperBound...]), in: file)
  }

  /// A path written in a file, seen from where the program runs.
  private static func resolved(_ path: String, in file: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    let directory = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return directory.isEmpty ? path : directory.joined(separator: "/") + "/" + path
  }
}
