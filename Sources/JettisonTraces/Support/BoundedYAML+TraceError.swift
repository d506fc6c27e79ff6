package import JettisonSupport

extension YAMLPlace {
  /// An error at this place.
  package func error(_ what: String, _ remedy: String = "") -> TraceError {
    TraceError(file: file, line: line, position: position, what: what, remedy: remedy)
  }
}

extension BoundedYAML {
  /// Reads one document: see ``parse(_:file:linesBefore:charactersBefore:)``.
  package static func load(
    _ text: String, file: String, linesBefore: Int = 0, charactersBefore: Int = 0
  ) throws(TraceError) -> YAMLNode? {
    do throws(YAMLError) {
      return try parse(
        text, file: file, linesBefore: linesBefore, charactersBefore: charactersBefore)
    } catch {
      throw error.place.error(error.what, error.remedy)
    }
  }

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
