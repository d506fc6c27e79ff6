import JettisonCore
package import JettisonReports
import JettisonSupport

/// The costliest losses of runs, told as stories.
package struct LossStories {
  /// Stories that a page tells at most.
  package static let most = LossTables.listedLosses

  private struct Told {
    var run: RunRecord
    var loss: LossRecord
    /// Place among the losses of its run, from 1.
    var number: Int
  }

  private let told: [Told]
  private let total: Int64

  /// Takes the worst losses of some runs, each of which lists so many itself.
  ///
  /// Of several seeds the first is told: the others are the same story with other dice.
  package init(_ runs: [RunRecord]) {
    var seeds: [String: UInt64] = [:]
    for run in runs {
      let key = run.key.trace
      seeds[key] = min(seeds[key] ?? run.key.seed, run.key.seed)
    }
    let first = runs.filter { $0.key.seed == seeds[$0.key.trace] }
    let all = first.flatMap { run in
      (run.result?.worstLosses ?? []).enumerated().map {
        Told(run: run, loss: $0.element, number: $0.offset + 1)
      }
    }
    let order = all.indices.sorted {
      let (a, b) = (all[$0].loss, all[$1].loss)
      return a.workNanoseconds != b.workNanoseconds
        ? a.workNanoseconds > b.workNanoseconds : (-a.bytes, $0) < (-b.bytes, $1)
    }
    told = order.prefix(Self.most).map { all[$0] }
    total = first.reduce(0) { sum, run in
      sum + (run.result?.apps.reduce(0) { $0 + $1.systemLossesNoticed } ?? 0)
    }
  }

  /// The section with the stories; what it says where nothing was lost, too.
  ///
  /// - Parameter place: Whose losses they are: `under lru on iphone-4 with 512 MiB`.
  package func section(_ place: String) -> PageSection {
    let items = told.map { told in
      let names = told.run.provenance.apps
      let app = PageText.isolated(names[told.loss.app.position])
      let text = LossText(told.loss, app: app)
      let key = told.run.key
      return Markup(
        "li", [:],
        Markup("span", ["class": "title"], PageText.markup(key.trace) + Markup(", " + text.title))
          + Markup(". \(text.story) ")
          + Markup(
            "span", ["class": "meaning"], text: "Loss \(told.number) of its run, seed \(key.seed)."
          ))
    }.joined()
    return PageSection(
      id: "losses", heading: "The costliest losses", lead: [lead(place)],
      body: told.isEmpty ? Markup() : Markup("ol", ["class": "stories"], items),
      data: .array(told.map(Self.data)))
  }

  private func lead(_ place: String) -> String {
    guard total > 0 else {
      return "No user missed anything \(place): no end by the system met unsaved work."
    }
    let noticed = "Users noticed \(HumanText.count(Double(total))) \(place)"
    return told.isEmpty
      ? "\(noticed); the runs list none of them (set listedLosses before you run them)."
      : "\(noticed)."
  }

  private static func data(_ told: Told) -> PageData {
    let (key, loss) = (told.run.key, told.loss)
    return .object([
      ("trace", .text(key.trace)), ("user", .text(key.user)), ("policy", .text(key.policy)),
      ("device", .text(key.device)), ("memory_bytes", .cell(.integer(key.memoryBytes))),
      ("seed", .text("\(key.seed)")), ("number", .count(told.number)),
      ("app", .text(told.run.provenance.apps[loss.app.position])),
      ("time_ns", .cell(.integer(loss.timeNanoseconds))),
      ("work_seconds", .cell(.seconds(loss.workNanoseconds))),
      ("bytes", .cell(.integer(loss.bytes))), ("class", .text(loss.lossClass.name)),
      ("cause", .text("\(loss.endCause)")),
      ("return_ns", .cell(.integer(loss.returnNanoseconds))),
      ("decision", .cell(ReportCell(loss.decision.map(Int64.init)))),
    ])
  }
}
