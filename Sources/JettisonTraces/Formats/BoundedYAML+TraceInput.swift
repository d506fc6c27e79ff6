package import JettisonSupport

extension BoundedYAML {
  /// Reads the document in a file, or on standard input for `-`; nil if it is empty.
  package static func load(contentsOf path: String) throws(TraceError) -> YAMLNode? {
    try read(path).root
  }

  /// Reads the document in a file together with its text, to show lines of it.
  ///
  /// The root is nil if the document is empty.
  package static func read(_ path: String) throws(TraceError) -> (root: YAMLNode?, text: String) {
    let input = try TraceInput(path: path)
    let text = try input.withBytes { (bytes) throws(TraceError) -> String in
      guard bytes.count <= maximumBytes else {
        throw TraceError(
          file: input.displayName, what: "a YAML file of \(bytes.count) bytes",
          remedy: "at most \(maximumBytes) bytes are read")
      }
      guard let text = String(validating: Array(span: bytes), as: UTF8.self) else {
        throw TraceError(
          file: input.displayName, what: "text that is not UTF-8", remedy: "save it as UTF-8")
      }
      return text
    }
    return (try load(text, file: input.displayName), text)
  }
}
