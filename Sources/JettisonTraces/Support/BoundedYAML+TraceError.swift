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
}
