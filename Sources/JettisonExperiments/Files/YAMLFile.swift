internal import Foundation
internal import Yams

/// A small YAML file whose top level is a mapping, read with the line of every key.
struct YAMLFile {
  /// Files larger than this are not settings that a person wrote.
  static let limitBytes = 1 << 20

  let path: String
  let root: Node.Mapping

  /// Reads and parses a file.
  init(path: String) throws(ExperimentError) {
    self.path = path
    let text = try Self.text(of: path)
    let node: Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch {
      throw Self.syntaxError(error, path: path)
    }
    guard case .mapping(let mapping)? = node else {
      throw .file(path: path, line: 1, .notMapping(what: "the file"))
    }
    self.root = mapping
  }

  private static func text(of path: String) throws(ExperimentError) -> String {
    let data: Data
    do {
      data = try InputFile.read(path, limitBytes: limitBytes + 1)
    }
    guard data.count <= limitBytes else {
      throw .file(path: path, line: nil, .tooLarge(limitBytes: limitBytes))
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw .file(path: path, line: nil, .notUTF8)
    }
    return text
  }

  private static func syntaxError(_ error: any Error, path: String) -> ExperimentError {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _),
      YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      return .file(path: path, line: mark.line, .syntax(problem))
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let key = duplicates.min() ?? "?"
      return .file(path: path, line: context.mark.line, .duplicateKey(key))
    default:
      return .file(path: path, line: nil, .syntax("\(error)"))
    }
  }

  /// An error at the place of a node.
  func error(_ problem: ExperimentError.FileProblem, at node: Node) -> ExperimentError {
    .file(path: path, line: node.mark?.line, problem)
  }

  /// The entries of a mapping: plain keys with their nodes, anchors refused.
  func entries(
    of mapping: Node.Mapping
  ) throws(ExperimentError) -> [(key: String, keyNode: Node, value: Node)] {
    var result: [(key: String, keyNode: Node, value: Node)] = []
    for (key, value) in mapping {
      // An anchor is refused before anything under it is visited: aliases may nest without end.
      guard key.anchor == nil, value.anchor == nil else { throw error(.alias, at: key) }
      guard let text = key.scalar?.string else { throw error(.notScalar(key: "?"), at: key) }
      result.append((text, key, value))
    }
    return result
  }

  /// The texts of a scalar or of a list of scalars.
  func texts(of value: Node, key: String) throws(ExperimentError) -> [String] {
    guard case .sequence(let sequence) = value else { return [try text(of: value, key: key)] }
    var result: [String] = []
    for element in sequence { result.append(try text(of: element, key: key)) }
    return result
  }

  /// The text of a scalar.
  func text(of value: Node, key: String) throws(ExperimentError) -> String {
    guard value.anchor == nil else { throw error(.alias, at: value) }
    guard case .scalar(let scalar) = value else { throw error(.notScalar(key: key), at: value) }
    return scalar.string
  }
}
