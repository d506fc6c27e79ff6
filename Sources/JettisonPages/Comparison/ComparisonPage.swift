package import JettisonCore
package import JettisonReports
import JettisonSupport

/// The page of `jettison compare`: which policy, how sure, and at what price.
package struct ComparisonPage {
  private let groups: [ComparisonGroup]
  private let runs: [RunRecord]
  private let comparisons: [Comparison]
  /// Devices that were tried with several memory sizes.
  private let curves: [RAMCurve]

  /// Takes the results of an experiment.
  ///
  /// - Parameters:
  ///   - runs: Every run.
  ///   - comparisons: Every policy against the baseline.
  ///   - baseline: The policy that others are compared with.
  ///   - view: Which policies are oracles.
  ///   - gates: The conditions of `--fail-if`.
  package init(
    runs: [RunRecord], comparisons: [Comparison], baseline: String, view: ComparisonView,
    gates: [MetricGate] = []
  ) {
    self.runs = runs
    self.comparisons = comparisons
    let groups = ComparisonGroup.all(of: runs, comparisons, baseline: baseline, view: view)
    self.groups = groups
    var devices: [String] = []
    for group in groups where !devices.contains(group.device) { devices.append(group.device) }
    curves = devices.flatMap { device in
      [true, false].compactMap { isPerDay in
        let own = groups.filter { $0.device == device && $0.figures.isPerDay == isPerDay }
        return RAMCurve(own, gates: gates, runs: runs)
      }
    }
  }

  /// The whole page.
  ///
  /// - Parameter command: What was asked for, as a shell takes it.
  package func page(command: String) -> Page {
    var page = Page(
      title: "jettison compare",
      question: curves.isEmpty
        ? "Which policy loses the least work, how sure is that, and what does it cost?"
        : "How much memory is enough, under which policy, and how sure is that?")
    page.answer = answer
    page.facts = RepeatFacts(command: command, runs: runs)
    page.sections =
      curves.enumerated().map { $1.section($0 + 1) } + comparedSections + apps
      + [losses].compactMap { $0 }
    page.files = RunFiles.all(runs: runs, comparisons: comparisons)
    return page
  }

  private var answer: String {
    if let sentence = curves.lazy.compactMap(\.sentence).first { return Self.plain(sentence) }
    for group in groups {
      if let sentence = ComparisonFinding(group).sentence, group.equality == nil {
        return Self.plain("On \(group.place): \(sentence)")
      }
    }
    return groups.first?.equality.map(Self.plain) ?? "There was nothing to compare."
  }

  // MARK: Devices and memory sizes

  private var comparedSections: [PageSection] {
    let compared = groups.filter { $0.equality == nil }
    let equal = groups.compactMap(\.equality)
    var sections = compared.enumerated().map { section($1, $0 + 1) }
    if !equal.isEmpty {
      sections.append(
        PageSection(
          id: "equal", heading: compared.isEmpty ? "No difference" : "Where nothing differs",
          body: Markup("ul", [:], equal.map { Markup("li", text: Self.plain($0)) }.joined())))
    }
    return sections
  }

  private func section(_ group: ComparisonGroup, _ number: Int) -> PageSection {
    let policies = ComparedPolicy.all(of: group)
    let field = PolicyField(group, policies)
    let work = DifferenceFigure(group, policies, ComparisonGroup.work, "work lost")
    let waiting = DifferenceFigure(group, policies, ComparisonGroup.waiting, "waiting")
    let differences = work.markup + waiting.markup
    // Where policies are few, the differences stand beside the field.
    let isShort = group.ranked.count <= 9
    let figures =
      isShort
      ? Self.beside(field.figure(height: 420), Markup("div", [:], differences))
      : field.figure(height: 460) + Self.beside(work.markup, waiting.markup)
    return PageSection(
      id: "compared-\(number)", heading: Self.plain(group.heading),
      link: Self.plain(group.place),
      lead: [ComparisonFinding(group).sentence.map(Self.plain)].compactMap { $0 } + failures(group),
      body: figures + PolicyTable(group, policies).markup,
      data: .object([
        ("device", .text(group.device)), ("memory_bytes", .cell(.integer(group.memoryBytes))),
        ("baseline", .text(group.baseline)), ("policies", field.data),
      ]))
  }

  private static func beside(_ first: Markup, _ second: Markup) -> Markup {
    Markup("div", ["class": "beside"], first + second)
  }

  private func failures(_ group: ComparisonGroup) -> [String] {
    group.figures.policies.compactMap { policy in
      group.figures.failures[policy].map { Self.plain("\(policy) failed: \($0)") }
    }
  }

  /// A sentence with names in it.
  private static func plain(_ text: String) -> String { PageText.name(text, longest: 600) }

  // MARK: Apps and losses

  /// Policies whose work lost stands in the table of apps, beside the baseline.
  private static let policiesByApp = 5

  private var apps: [PageSection] {
    var body = Markup()
    var data: [PageData] = []
    for group in groups {
      let costs = AppCosts(runs(of: group), policies: policiesByApp(group))
      guard !costs.isEmpty else { continue }
      let heading = "\(Self.plain(group.place)), under \(PageText.name(group.baseline))"
      // The first is open; more of them would hide what follows.
      body += Markup(
        "details", ["open": data.isEmpty ? "" : nil],
        Markup("summary", text: heading) + costs.table)
      data.append(
        .object([
          ("device", .text(group.device)), ("memory_bytes", .cell(.integer(group.memoryBytes))),
          ("costs", costs.data),
        ]))
    }
    guard !data.isEmpty else { return [] }
    return [
      PageSection(
        id: "apps", heading: "App by app",
        lead: [
          "Sums over all traces, means over seeds; apps whose ends cost nothing are not shown."
        ],
        body: body, data: .array(data))
    ]
  }

  private func policiesByApp(_ group: ComparisonGroup) -> [String] {
    let others = group.ranked.map { $0[0] }.filter { $0 != group.baseline }
    return [group.baseline] + others.prefix(Self.policiesByApp)
  }

  private func runs(of group: ComparisonGroup) -> [RunRecord] {
    runs.filter {
      $0.key.device == group.device && $0.key.memoryBytes == group.memoryBytes
        && group.figures.hasUser($0.key.user)
    }
  }

  private var losses: PageSection? {
    guard let group = groups.first else { return nil }
    let own = runs(of: group).filter { $0.key.policy == group.baseline }
    return LossStories(own).section(
      "under \(PageText.name(group.baseline)) on \(Self.plain(group.place))")
  }
}
