internal import Foundation
internal import JettisonCore
internal import Yams

/// An experiment written down: the options of `compare` as keys of a YAML mapping.
///
/// ```yaml
/// traces: [captures, one.csv]          # relative to this file
/// policies: [lru, "gdsf:cost=1"]
/// device: [iphone-4, my-phone.yaml]    # device files too
/// memory: [512MiB, 1GiB]
/// set: {thresholds.purge: [8%, 10%], decay: 5s}
/// seeds: 5
/// ```
///
/// An option on the command line wins over the key of its name.
package enum ExperimentFile {
  /// Whether a path looks like an experiment file and not like a trace.
  package static func isOne(_ path: String) -> Bool {
    path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  /// Replaces the experiment file that stands in place of traces, if there is one, by what it says.
  package static func expand(
    _ options: ExperimentOptions
  ) throws(ExperimentError) -> ExperimentOptions {
    guard let path = options.traces.first(where: isOne) else { return options }
    guard options.traces.count == 1 else {
      throw .misuse(
        what: "\(path): an experiment file names its own traces",
        remedy: "give it alone, or list all traces in it")
    }
    var result = options
    result.traces = []
    let file = try YAMLFile(path: path)
    let known = ["traces"] + ExperimentOptions.Key.allCases.map(\.rawValue)
    for (text, keyNode, value) in try file.entries(of: file.root) {
      if text == "traces" {
        result.traces = try file.texts(of: value, key: text).map { resolved($0, in: path) }
      } else if let key = ExperimentOptions.Key(rawValue: text) {
        try add(key, value, at: keyNode, of: file, to: &result)
      } else {
        throw file.error(.setting(.unknown(what: "key", name: text, known: known)), at: keyNode)
      }
    }
    guard !result.traces.isEmpty else {
      throw .file(path: path, line: nil, .missingKey("traces"))
    }
    return result
  }

  private static func add(
    _ key: ExperimentOptions.Key, _ value: Node, at keyNode: Node, of file: YAMLFile,
    to options: inout ExperimentOptions
  ) throws(ExperimentError) {
    var texts: [String]
    if key == .set, case .mapping(let mapping) = value {
      texts = []
      for (name, _, inner) in try file.entries(of: mapping) {
        texts.append("\(name)=\(try file.texts(of: inner, key: name).joined(separator: ","))")
      }
    } else {
      texts = try file.texts(of: value, key: key.rawValue)
    }
    if !key.isList, texts.count != 1 {
      throw file.error(.notScalar(key: key.rawValue), at: keyNode)
    }
    if key == .catalog || key == .device {
      texts = texts.map { key == .catalog || isOne($0) ? resolved($0, in: file.path) : $0 }
    }
    options.addDefault(key, texts, path: file.path, line: keyNode.mark?.line)
  }

  /// A path written in a file, seen from where the program runs.
  private static func resolved(_ path: String, in file: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    let directory = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return directory.isEmpty ? path : directory.joined(separator: "/") + "/" + path
  }
}
