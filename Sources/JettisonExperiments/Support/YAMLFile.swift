internal import JettisonSupport
internal import JettisonTraces

/// What files of experiments, devices and policies share.
package enum YAMLFile {
  /// Whether a path looks like one of them and not like a trace.
  package static func isOne(_ path: String) -> Bool {
    path.hasSuffix(".yaml") || path.hasSuffix(".yml")
  }

  /// The entries of a file whose top level is a mapping.
  static func root(of path: String) throws(ExperimentError) -> [YAMLEntry] {
    do throws(TraceError) {
      guard let node = try BoundedYAML.load(contentsOf: path) else {
        throw TraceError(file: path, what: "is empty", remedy: "write 'key: value' lines")
      }
      guard let mapping = node.mapping else {
        throw node.place.error("is not a mapping", "write 'key: value' lines")
      }
      return mapping
    } catch {
      throw .input(error)
    }
  }

  /// The text of an entry that has one value.
  static func text(of entry: YAMLEntry) throws(ExperimentError) -> String {
    guard let text = entry.value.scalar else {
      throw .input(entry.place.error("key '\(entry.key)' needs one value", "write one"))
    }
    return text
  }

  /// The texts of an entry that has one value or a list.
  static func texts(of entry: YAMLEntry) throws(ExperimentError) -> [String] {
    guard let sequence = entry.value.sequence else { return [try text(of: entry)] }
    var texts: [String] = []
    for element in sequence {
      guard let text = element.scalar else {
        throw .input(
          element.place.error("key '\(entry.key)' needs a list of values", "write [a, b]"))
      }
      texts.append(text)
    }
    return texts
  }
}
