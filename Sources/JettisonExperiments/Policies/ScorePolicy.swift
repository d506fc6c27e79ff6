package import JettisonCore
internal import JettisonPolicies
internal import JettisonTraces

extension PolicyDescriptor {
  /// The policy `scores` before its file is read.
  package static let scores = importedScores(ScoreTable([]))
}

extension PolicySpec {
  /// The same policy with the file that it names read, where it is `scores`.
  ///
  /// - Throws: ``ExperimentError/input(_:)`` for a file that is missing or malformed.
  func readingScores(_ text: String) throws(ExperimentError) -> PolicySpec? {
    guard descriptor.name == PolicyDescriptor.scores.name, let path = arguments["file"] else {
      return nil
    }
    let table: ScoreTable
    do throws(TraceError) {
      table = try ScoreFile.read(path)
    } catch {
      throw .input(error)
    }
    // What could be parsed once can be parsed again.
    return try? PolicySpec(parsing: text, among: [.importedScores(table)])
  }
}
