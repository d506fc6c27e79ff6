import JettisonCore
import JettisonSupport

/// How policies compare, in a table for each device and memory size: the answer of
/// `jettison compare`.
///
/// The largest group of users comes first. Users with less than a day of trace follow all others,
/// in totals: they enter no rate.
package struct ComparisonSummary {
  /// Most policies whose names are explained below the tables.
  private static let explainedPolicies = 12
  /// Policies that are shown user by user, where users are few.
  private static let policiesByUser = 5

  private let groups: [ComparisonGroup]
  private let baseline: String
  private let view: ComparisonView
  private let isImputed: Bool

  /// Takes the runs of an experiment and their comparison with a baseline.
  package init(
    runs: [RunRecord], comparisons: [Comparison], baseline: String,
    view: ComparisonView = ComparisonView()
  ) {
    groups = ComparisonGroup.all(of: runs, comparisons, baseline: baseline, view: view)
    self.baseline = baseline
    self.view = view
    isImputed = runs.contains(where: \.provenance.isImputed)
  }

  /// Everything as lines, each ended.
  package func rendered(_ style: TextStyle) -> String {
    var parts: [String] = []
    for (position, group) in groups.enumerated() {
      let isFirstTotal =
        !group.figures.isPerDay && (position == 0 || groups[position - 1].figures.isPerDay)
      if isFirstTotal {
        parts.append(style.heading("Users with less than a day of trace: totals, in no rate"))
      }
      parts.append(rendered(group, style))
    }
    let tables = groups.filter { $0.equality == nil }
    if !tables.isEmpty {
      parts.append(Prose.paragraph(legend(tables, style), style))
      parts.append(notes(tables, style))
    }
    if isImputed { parts.append(ReplaySummary.imputedNote(style)) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func rendered(_ group: ComparisonGroup, _ style: TextStyle) -> String {
    if let equality = group.equality { return Prose.paragraph(equality, style) }
    var text = style.heading(group.heading) + ComparisonTable(group).table.rendered(style)
    var below = group.shown.filter { $0.count > 1 }.map { names in
      "Equal in every run: \(names.map(TextStyle.clean).joined(separator: " = "))."
    }
    if group.omittedCount > 0 {
      below.append(
        "And \(HumanText.counted(Double(group.omittedCount), "more row")): a larger --top shows "
          + "them; --csv and --json have all.")
    }
    if let sentence = ComparisonFinding(group).sentence { below.append(sentence) }
    if !below.isEmpty {
      text += "\n" + below.map { Prose.paragraph($0, style) }.joined()
    }
    for policy in group.figures.policies {
      guard let failure = group.figures.failures[policy] else { continue }
      let sentence = "\(TextStyle.clean(policy)) failed: \(TextStyle.clean(failure))"
      text += "\n" + style.emphasised(sentence, .red) + "\n"
    }
    return text + byUser(group, style)
  }

  // MARK: Users one by one

  /// The work lost user by user, where users are too few for an interval.
  private func byUser(_ group: ComparisonGroup, _ style: TextStyle) -> String {
    let rows = group.shown.compactMap { names in
      group.rows.first { $0.policy == names[0] && $0.metric == ComparisonGroup.work.name }
    }.filter { $0.method == .values && $0.differences.count > 1 }.prefix(Self.policiesByUser)
    guard let first = rows.first else { return "" }
    var table = TextTable(
      [.init("user", .left)] + rows.map { .init(TextStyle.clean($0.policy), .right) })
    for user in first.differences.map(\.user) {
      table.add(
        [.init(user)]
          + rows.map { row in
            let own = row.differences.first { $0.user == user }
            return .init(HumanText.difference(own?.difference, unit: .seconds))
          })
    }
    let title = "Work lost per day less that under \(TextStyle.clean(baseline)), user by user:"
    return "\n" + Prose.paragraph(title, style) + table.rendered(style)
  }

  // MARK: Below the tables

  private func legend(_ groups: [ComparisonGroup], _ style: TextStyle) -> String {
    let order = view.sort.map { "Best first by \($0.name)." } ?? "Best first by the work lost."
    var sentences = [order]
    if groups.contains(where: \.figures.isPerDay) {
      sentences.append("Figures of users with a day of trace or more are means per user-day.")
    }
    if groups.contains(where: { $0.figures.seeds.count > 1 }) {
      sentences.append("They are means over seeds; sd over seeds says how far those lie apart.")
    }
    if groups.contains(where: { $0.figures.isPerDay && $0.figures.isOneDraw }) {
      sentences.append(
        "What is left to chance is drawn once; --seeds 20 takes the mean of 20 draws.")
    }
    sentences.append(
      "Work lost: unsaved work that was gone when the system ended an app, for whatever reason, "
        + "and that the user missed. Waiting: how much longer launches took because the system "
        + "had ended the app. Front kills: apps killed in the user's hand. "
        + (groups.contains(where: \.tellsBackgroundKills)
          ? "Background kills: apps and daemons killed at work behind it. " : "")
        + "Purges: suspended apps ended to free memory."
        + (groups.contains(where: \.tellsBeyondMemory)
          ? " Beyond memory: time with more memory in use than there is." : ""))
    if groups.contains(where: { $0.figures.policies.count > 1 }) {
      let isLess = (view.sort?.preference ?? .lower) == .lower
      sentences.append(
        "Change: against \(TextStyle.clean(baseline))\(isLess ? "; below 0 is better" : "").")
    }
    if groups.contains(where: { $0.rows.contains { $0.users > 1 } }) {
      sentences.append(
        "* marks what chance does not explain: p ≤ \(NumberText.real(Comparison.sureUpTo)) "
          + "over users, corrected for the number of policies.")
    }
    if groups.contains(where: Self.hasDoubt) {
      sentences.append("? marks what is so without that correction only.")
    }
    let omitted = groups.flatMap { ComparisonTable($0).table.omitted(style) }
    if !omitted.isEmpty {
      let titles = omitted.enumerated().filter { omitted.firstIndex(of: $1) == $0 }.map(\.element)
      sentences.append("Not shown for lack of room: \(titles.joined(separator: ", ")).")
    }
    return sentences.joined(separator: " ")
  }

  /// Whether a change that is shown is significant only before correcting for the number of policies.
  private static func hasDoubt(_ group: ComparisonGroup) -> Bool {
    group.shown.contains { names in
      [ComparisonGroup.work, ComparisonGroup.waiting].contains {
        group.change($0, names[0])?.certainty == .doubtful
      }
    }
  }

  /// What the names of the policies mean that are shown: policies first, then modifiers.
  private func notes(_ groups: [ComparisonGroup], _ style: TextStyle) -> String {
    var notes: [ComparisonView.Note] = []
    for policy in groups.flatMap(\.shown).map({ $0[0] }) {
      for note in view.notes[policy] ?? [] where !notes.contains(note) { notes.append(note) }
    }
    guard !notes.isEmpty else { return "" }
    guard notes.count <= Self.explainedPolicies else {
      return Prose.paragraph("'jettison policies NAME' explains a policy.", style)
    }
    var table = TextTable([.init("", .left), .init("", .left)])
    table.hasHeader = false
    let isModifier: (ComparisonView.Note) -> Bool = { $0.name.hasPrefix("+") }
    for note in notes.filter({ !isModifier($0) }) + notes.filter(isModifier) {
      table.add([.init(note.name), .init(note.text)])
    }
    return table.rendered(style)
  }
}
