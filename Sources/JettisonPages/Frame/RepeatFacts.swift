package import JettisonReports
import JettisonSupport

/// What is needed to make a page again.
package struct RepeatFacts: Sendable {
  /// Most rows that a list of traces shows; `runs.csv` has all.
  static let mostTraces = 200

  /// The command as a shell takes it, without what changes no figure; empty: there is none.
  package var command = ""
  /// What was at work, and on what.
  package var rows: [(term: String, value: String)] = []
  /// The traces with what identifies them.
  package private(set) var traces: [[String]] = []
  /// Traces that are not listed.
  package private(set) var omittedTraces = 0

  /// Nothing yet.
  package init() {}

  /// Takes what runs say of themselves.
  ///
  /// - Parameters:
  ///   - command: The command as a shell takes it; empty: there is none.
  ///   - runs: Every run.
  ///   - policies: The policies, where runs are named after something else.
  package init(command: String, runs: [RunRecord], policies: [String]? = nil) {
    self.command = PrintableText.clean(command)
    add("Jettison", runs.map(\.provenance.jettisonVersion))
    add("jemalloc", runs.compactMap(\.provenance.jemallocVersion))
    add("device", runs.map { "\($0.key.device) with \(PageFacts.memory(of: $0))" })
    add("policy", policies ?? runs.map(\.key.policy))
    add(
      "policy file",
      runs.compactMap { run in
        run.provenance.policyHash.map { "\(run.key.policy): \(NumberText.hash($0))" }
      })
    add("catalog", runs.flatMap(\.provenance.catalogPaths))
    add("seed", runs.map { "\($0.key.seed)" })
    var seen: Set<String> = []
    for run in runs where seen.insert(run.key.trace).inserted {
      guard traces.count < Self.mostTraces else { continue }
      traces.append([
        run.key.trace, run.key.user, NumberText.hash(run.provenance.traceHash),
        run.provenance.catalogHash.map(NumberText.hash) ?? "–",
        "\(run.provenance.traceIssueCount)",
      ])
    }
    omittedTraces = seen.count - traces.count
  }

  /// Different values, each once, in the order of the runs.
  private mutating func add(_ term: String, _ values: [String]) {
    var seen: Set<String> = []
    let different = values.filter { seen.insert($0).inserted }
    guard !different.isEmpty else { return }
    let shown = different.prefix(40).map { PageText.name($0) }
    let rest = different.count - shown.count
    rows.append((term, (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: ", ")))
  }
}

/// Facts of runs in words.
package enum PageFacts {
  /// The memory that a run had: bytes, or apps.
  package static func memory(of run: RunRecord) -> String {
    ReplaySummary.memory(run.configuration, run.key.memoryBytes)
  }
}
