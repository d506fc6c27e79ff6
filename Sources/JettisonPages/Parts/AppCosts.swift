package import JettisonCore
package import JettisonReports
import JettisonSupport

/// What the system's ends cost the users of each app, under a policy and under others.
package struct AppCosts {
  /// Figures of an app: sums over traces, each a mean over seeds.
  private struct Row {
    var name: String
    var users: Set<String> = []
    /// By policy, then by metric; terms are added up in ascending order at the end, so that the
    /// order of traces changes no digit.
    var terms: [[[Double]]]
    /// Their sums.
    private var figures: [[Double]] = []

    init(_ name: String, policies: Int) {
      self.name = name
      terms = Array(
        repeating: Array(repeating: [], count: AppCosts.metrics.count), count: policies)
    }

    mutating func addUp() {
      figures = terms.map { $0.map { $0.sorted().reduce(0, +) } }
      terms = []
    }

    func figure(_ policy: Int, _ metric: Int) -> Double { figures[policy][metric] }

    /// Whether an end by the system cost a user something.
    var costs: Bool { figures.contains { $0.dropLast().contains { $0 > 0 } } }
  }

  /// What is told of an app, costs first: columns of `apps.csv`.
  package static let metrics: [Metric] = [
    "system_lost_work_noticed_seconds", "system_losses_noticed", "system_relaunch_wait_seconds",
    "relaunches_after_system_end", "launches",
  ].map { name in
    guard let metric = MetricTable.apps.first(where: { $0.name == name }) else {
      preconditionFailure("the table has a metric \(name)")
    }
    return metric
  }
  private static let titles = ["work lost", "losses", "waiting", "relaunches", "launches"]

  private let policies: [String]
  private let rows: [Row]

  /// Takes the runs of some users on one device.
  ///
  /// - Parameters:
  ///   - runs: Their runs; those under other policies are skipped.
  ///   - policies: The policies that are shown, the most important first.
  package init(_ runs: [RunRecord], policies: [String]) {
    self.policies = policies
    var places: [String: Int] = [:]
    var rows: [Row] = []
    var cells: [[String]: [RunRecord]] = [:]
    var order: [[String]] = []
    for run in runs where policies.contains(run.key.policy) {
      let cell = [run.key.policy, run.key.trace]
      if cells[cell] == nil { order.append(cell) }
      cells[cell, default: []].append(run)
    }
    for cell in order {
      guard let seeds = cells[cell], let policy = policies.firstIndex(of: cell[0]) else { continue }
      let readers = seeds.compactMap { $0.metricReader() }
      guard let first = seeds.first, readers.count == seeds.count else { continue }
      for (position, app) in first.provenance.apps.enumerated() {
        let place = places[app] ?? rows.count
        if place == rows.count {
          places[app] = place
          rows.append(Row(app, policies: policies.count))
        }
        rows[place].users.insert(first.key.user)
        for (number, metric) in Self.metrics.enumerated() {
          let values = readers.map { $0.value(of: metric, app: AppIndex(position)).number ?? 0 }
          rows[place].terms[policy][number].append(
            values.sorted().reduce(0, +) / Double(values.count))
        }
      }
    }
    for place in rows.indices { rows[place].addUp() }
    self.rows = rows.filter(\.costs).sorted { a, b in
      for metric in Self.metrics.indices where a.figure(0, metric) != b.figure(0, metric) {
        return a.figure(0, metric) > b.figure(0, metric)
      }
      return a.name < b.name
    }
  }

  /// Whether no end by the system cost the user of any app anything.
  package var isEmpty: Bool { rows.isEmpty }

  /// The table: figures under the first policy, and the work lost under the others.
  package var table: Markup {
    var table = PageTable(
      "Apps, by what the system's ends cost their users",
      [.words("app"), .figures("users")]
        + Self.titles.map { .figures($0) }
        + policies.dropFirst().map { .figures("work lost, \(PageText.name($0, longest: 32))") })
    for row in rows {
      table.add(
        [.name(row.name), .figure(Double(row.users.count), unit: .count)]
          + Self.metrics.enumerated().map { place, metric in
            .figure(row.figure(0, place), unit: metric.unit)
          }
          + policies.indices.dropFirst().map { .figure(row.figure($0, 0), unit: .seconds) })
    }
    return table.markup
  }

  /// The same, exactly.
  package var data: PageData {
    .object([
      ("policies", .array(policies.map { .text($0) })),
      ("metrics", .array(Self.metrics.map { .text($0.name) })),
      (
        "apps",
        .array(
          rows.map { row in
            .object([
              ("app", .text(row.name)), ("users", .count(row.users.count)),
              (
                "figures",
                .array(
                  policies.indices.map { policy in
                    .array(Self.metrics.indices.map { .real(row.figure(policy, $0)) })
                  })
              ),
            ])
          })
      ),
    ])
  }
}
