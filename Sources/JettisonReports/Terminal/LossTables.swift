import JettisonCore
import JettisonSupport

/// Who lost what in a run: the tables with which the answer of `jettison replay` ends.
package struct LossTables {
  /// Losses that are listed at most.
  package static let listedLosses = 10
  /// Apps that are listed at most, and one more where it would be the only other.
  static let listedApps = 10

  /// What is told of each app, in the order of the columns.
  enum Figure: Int, CaseIterable {
    case launches, relaunches, losses, work, waiting

    var title: String {
      switch self {
      case .launches: "launches"
      case .relaunches: "relaunches"
      case .losses: "losses noticed"
      case .work: "work lost"
      case .waiting: "waiting"
      }
    }

    var metric: Metric {
      let name =
        switch self {
        case .launches: "launches"
        case .relaunches: "relaunches_after_system_end"
        case .losses: "system_losses_noticed"
        case .work: "system_lost_work_noticed_seconds"
        case .waiting: "system_relaunch_wait_seconds"
        }
      guard let metric = MetricTable.apps.first(where: { $0.name == name }) else {
        preconditionFailure("the table has a metric \(name)")
      }
      return metric
    }

    /// What costs the user most comes first.
    static let byWeight: [Figure] = [.work, .losses, .waiting, .relaunches, .launches]
  }

  /// Figures of an app, or of several together.
  struct Row: Equatable {
    var name: String
    var figures: [Double]

    subscript(_ figure: Figure) -> Double { figures[figure.rawValue] }
  }

  private let names: [String]
  /// The seed whose losses are told, where it is one of several.
  private let seed: UInt64?
  private let losses: [LossRecord]
  /// All noticed losses under that seed.
  private let lossCount: Double
  /// All apps, worst first.
  private let apps: [Row]
  private let total: Row

  /// Takes what the seeds of a run yielded and the names of its apps.
  ///
  /// - Parameters:
  ///   - readers: One per seed, at least one: losses are told of the first, figures are means.
  ///   - names: By ``AppIndex``.
  ///   - firstSeed: The seed of the first.
  init(_ readers: [MetricReader], apps names: [String], firstSeed: UInt64) {
    self.names = names
    seed = readers.count > 1 ? firstSeed : nil
    losses = readers.first?.result.worstLosses ?? []
    func row(_ name: String, _ app: AppIndex?) -> Row {
      Row(
        name: name,
        figures: Figure.allCases.map { figure in
          let metric = figure.metric
          let values = readers.map { $0.value(of: metric, app: app).number ?? 0 }
          return SeedSpread(values)?.mean ?? 0
        })
    }
    lossCount = readers.first.map { $0.value(of: Figure.losses.metric).number ?? 0 } ?? 0
    total = row("all", nil)
    apps = names.indices.map { ($0, row(names[$0], AppIndex($0))) }.sorted { a, b in
      let decisive = Figure.byWeight.first { a.1[$0] != b.1[$0] }
      return decisive.map { a.1[$0] > b.1[$0] } ?? (a.0 < b.0)
    }.map(\.1)
  }

  /// The worst losses as lines, each ended; empty if no user noticed any.
  func worst(_ style: TextStyle) -> String {
    guard !losses.isEmpty else { return "" }
    var table = TextTable([
      .init("loss", .right), .init("when", .right), .init("app", .left), .init("lost", .right),
      .init("why not saved", .left), .init("decision", .right),
    ])
    for (place, loss) in losses.enumerated() {
      table.add([
        .init("\(place + 1)"), .init(HumanText.duration(nanoseconds: loss.timeNanoseconds)),
        .init(names[loss.app.position]),
        .init(HumanText.lost(workNanoseconds: loss.workNanoseconds, bytes: loss.bytes)),
        .init(loss.lossClass.name), .init(loss.decision.map { "\($0)" } ?? "–"),
      ])
    }
    let classes = LossClass.allCases.filter { lossClass in
      losses.contains { $0.lossClass == lossClass }
    }
    let more = lossCount - Double(losses.count)
    return style.heading("Worst losses" + (seed.map { " of seed \($0)" } ?? ""))
      + table.rendered(style)
      + classes.map { Prose.paragraph("\($0.name): \($0.reason).", style) }.joined()
      + (more > 0 ? "\(HumanText.count(more)) more are not shown.\n" : "")
      + Prose.paragraph(
        "'jettison explain TRACE --loss N' with the same options tells the story of one.", style)
  }

  /// The rows of the table of apps: the worst, and all others together.
  var appRows: [Row] {
    guard apps.count > Self.listedApps + 1 else { return apps }
    let others = apps.dropFirst(Self.listedApps)
    let sums = Figure.allCases.map { figure in others.reduce(0) { $0 + $1[figure] } }
    return apps.prefix(Self.listedApps)
      + [Row(name: HumanText.counted(Double(others.count), "other"), figures: sums)]
  }

  /// The apps as lines, each ended; empty if no end by the system cost the user anything.
  func byApp(_ style: TextStyle) -> String {
    guard total[.losses] > 0 || total[.relaunches] > 0 else { return "" }
    var table = TextTable(
      [.init("app", .left)] + Figure.allCases.map { .init($0.title, .right) })
    for row in appRows {
      table.add(
        [.init(row.name)]
          + Figure.allCases.map { .init(HumanText.value(row[$0], unit: $0.metric.unit)) })
    }
    let rest = appRows.count < apps.count ? "'--csv DIR' writes all apps, in apps.csv.\n" : ""
    return style.heading("Apps, by what the system's ends cost the user") + table.rendered(style)
      + rest
  }
}
