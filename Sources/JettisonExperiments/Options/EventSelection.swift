package import JettisonCore

extension ExperimentOptions {
  /// The kinds of rows that `events.csv` is to have (`--events purge,kill`); nil: all.
  package func eventKinds() throws(ExperimentError) -> Set<RecordedKind>? {
    guard let texts = texts(.events) else { return nil }
    var kinds: Set<RecordedKind> = []
    for name in texts.flatMap({ Self.split($0) }) {
      guard let kind = RecordedKind.allCases.first(where: { $0.name == name }) else {
        throw error(
          .events,
          .unknown(what: "event", name: name, known: RecordedKind.allCases.map(\.name)))
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
