import JettisonCore
import JettisonSupport

/// At how much memory each class of apps first dies, a line per run: the answer of
/// `jettison canary`.
package struct CanarySummary {
  private let runs: [[CanaryRow]]

  /// Takes rows in their order: those of one run follow each other.
  package init(_ rows: [CanaryRow]) {
    var runs: [[CanaryRow]] = []
    for row in rows {
      if let last = runs.last?.first, last.key == row.key, last.model == row.model {
        runs[runs.count - 1].append(row)
      } else {
        runs.append([row])
      }
    }
    self.runs = runs
  }

  /// A table per trace, as lines each ended, and what its figures say.
  package func rendered(_ style: TextStyle) -> String {
    var traces: [String] = []
    for run in runs where !traces.contains(run[0].key.trace) { traces.append(run[0].key.trace) }
    let tables = traces.map { trace in
      let own = runs.filter { $0[0].key.trace == trace }
      return style.heading(Self.heading(trace, own)) + table(of: own).rendered(style)
    }
    return (tables + [Self.legend.map { Prose.paragraph($0, style) }.joined()])
      .joined(separator: "\n")
  }

  private static func heading(_ trace: String, _ runs: [[CanaryRow]]) -> String {
    let apps = runs[0].map { row in "\(row.apps) \(row.appClass.rawValue)" }
    return "\(trace): \(apps.joined(separator: ", "))"
  }

  private static let legend = [
    "MiB that had been taken away when the first app of each class died. An app in front that the "
      + "system ends is opened again; only its first end counts."
  ]

  private func table(of runs: [[CanaryRow]]) -> TextTable {
    let hasSeeds = Set(runs.map(\.[0].key.seed)).count > 1
    var table = TextTable(
      [
        .init("device", .left), .init("RAM", .right), .init("killer", .left),
        .init("policy", .left),
      ] + (hasSeeds ? [.init("seed", .right)] : [])
        + CanaryClass.allCases.map { .init($0.rawValue, .right) } + [.init("step", .right, rank: 1)]
    )
    for run in runs {
      let key = run[0].key
      table.add(
        [
          .init(key.device), .init(HumanText.size(bytes: key.memoryBytes)), .init(run[0].model),
          .init(key.policy),
        ] + (hasSeeds ? [.init("\(key.seed)")] : [])
          + CanaryClass.allCases.map { Self.cell($0, run) }
          + [.init(Self.step(run[0].stepBytes))])
    }
    return table
  }

  private static func cell(_ appClass: CanaryClass, _ run: [CanaryRow]) -> TextTable.Cell {
    guard let row = run.first(where: { $0.appClass == appClass }), row.apps > 0 else { return "–" }
    guard let first = row.deaths.first else { return "survives" }
    return .init(Self.mebibytes(first.takenBytes))
  }

  /// Steps below a MiB have a unit of their own.
  private static func step(_ bytes: Int64) -> String {
    bytes < 1 << 20 ? HumanText.size(bytes: bytes) : mebibytes(bytes)
  }

  /// One unit for all, so that lines compare at a glance.
  private static func mebibytes(_ bytes: Int64) -> String {
    HumanText.count(Double(bytes) / Double(1 << 20))
  }
}
