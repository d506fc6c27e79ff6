import JettisonReports
import JettisonSupport

/// What a validation says of every captured kill: a row for each, a column for each policy, the rank
/// that the policy gave to the app that really died.
struct ValidationMatrix {
  /// One policy on one device, over all traces.
  struct Column: Equatable {
    /// The policy, with whatever else tells it from other columns.
    let name: String
    var ranked = 0
    var first = 0
    var reciprocalRanks = 0.0
    var chanceOfFirst = 0.0

    /// Share of the ranked kills whose victim is first.
    var share: Double? { ranked == 0 ? nil : Double(first) / Double(ranked) }
  }

  /// A captured kill, and what each column has of it; nil: the run failed, or counts later only.
  struct Row {
    let trace: String
    let time: Int64
    let app: String
    let cause: String
    let band: Int64?
    fileprivate(set) var cells: [ValidationRow?]

    /// How many could have died, where any column knows.
    var candidateCount: Int? { cells.lazy.compactMap { $0?.candidateCount }.first }
  }

  private(set) var columns: [Column] = []
  private(set) var rows: [Row] = []

  /// Puts runs together, in the order of the experiment.
  init(_ runs: [ValidatedRun]) {
    let names = Self.names(of: runs)
    var places: [String: Int] = [:]
    for name in names where places[name] == nil {
      places[name] = columns.count
      columns.append(Column(name: name))
    }
    /// By trace, app, time, and how many alike came before it.
    var known: [KillKey: Int] = [:]
    for (run, name) in zip(runs, names) {
      guard let column = places[name] else { continue }
      var counts: [KillKey: Int] = [:]
      for row in run.rows where row.kind == .observedKill {
        var key = KillKey(trace: run.key.trace, app: row.app, time: row.timeNanoseconds, ordinal: 0)
        let ordinal = counts[key, default: 0]
        counts[key] = ordinal + 1
        key.ordinal = ordinal
        let place = known[key] ?? rows.count
        if place == rows.count {
          known[key] = place
          rows.append(
            Row(
              trace: run.key.trace, time: row.timeNanoseconds, app: row.app, cause: row.cause,
              band: row.band, cells: Array(repeating: nil, count: columns.count)))
        }
        rows[place].cells[column] = row
        columns[column].add(row)
      }
    }
  }

  private struct KillKey: Hashable {
    let trace: String
    let app: String
    let time: Int64
    var ordinal: Int
  }

  /// What tells runs apart beside the trace: the policy, and where they differ, device, memory, seed
  /// and whose ranks counted.
  private static func names(of runs: [ValidatedRun]) -> [String] {
    /// Whether runs of one trace differ in something.
    func differ<Value: Hashable>(_ value: (ValidatedRun) -> Value) -> Bool {
      var seen: [String: Value] = [:]
      return runs.contains { run in
        let own = value(run)
        defer { seen[run.key.trace] = own }
        return seen[run.key.trace].map { $0 != own } ?? false
      }
    }
    let devices = differ(\.key.device)
    let memories = differ(\.key.memoryBytes)
    let seeds = differ(\.key.seed)
    let ranks = differ(\.usesCapturedRanks)
    return runs.map { run in
      var name = run.key.policy
      if devices { name += ", \(run.key.device)" }
      if memories { name += ", \(HumanText.size(bytes: run.key.memoryBytes))" }
      if seeds { name += ", seed \(run.key.seed)" }
      if ranks, let captured = run.usesCapturedRanks {
        name += captured ? ", adj captured" : ", adj modelled"
      }
      return name
    }
  }
}

extension ValidationMatrix.Column {
  fileprivate mutating func add(_ row: ValidationRow) {
    guard let rank = row.rank else { return }
    ranked += 1
    first += rank == 1 ? 1 : 0
    reciprocalRanks += row.reciprocalRank ?? 0
    chanceOfFirst += row.chanceOfFirst ?? 0
  }
}
