internal import JettisonCore
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

/// What replaying a trace tells of it.
private struct ReplayCheck {
  /// Issues of the first run.
  private(set) var issues = ImportIssues()
  /// What is told of the runs: notes on what never acts, and what the first one gave occasion to.
  private(set) var lines: [String] = []

  /// Replays a plan for one trace.
  init(_ plan: RunPlan) {
    let loaded = plan.traces[0]
    var results: [Int: RunResult] = [:]
    // The path comes first in every line anyway.
    let prefix = "\(loaded.path): "
    lines = plan.notes.map { note in
      "note: " + (note.hasPrefix(prefix) ? String(note.dropFirst(prefix.count)) : note)
    }
    for (position, run) in plan.runs.enumerated() {
      let peak = CachedPeak(loaded.trace, profiles: run.configuration.profiles)
      if let excess = peak?.excess(in: run.configuration), !lines.contains("warning: \(excess)") {
        lines.append("warning: \(excess)")
      }
      let key = plan.key(of: position)
      let tally = position == 0 ? LifeTally(loaded.trace.lines) : nil
      do throws(RunError) {
        results[position] = try plan.policies[run.policy].spec.run(
          loaded.trace, run.configuration, recorder: tally)
        guard let tally else { continue }
        issues = tally.issues
        lines += tally.lines.map { "\(key.policy) on \(key.device): \($0)" }
      } catch {
        lines.append("\(key.policy): cannot be replayed: \(error)")
      }
    }
    lines += plan.blocksWithoutDecisions(results).map { "idle: \($0)" }
  }
}

/// What there is to say about a well-formed trace: its issues of reading and replaying, what can never
/// act on it, and what it gives occasion to.
package struct TraceCheck {
  private let loaded: LoadedTrace
  private let replay: ReplayCheck
  private var trace: Trace { loaded.trace }
  private var path: String { loaded.path }

  /// Replays a plan for one trace.
  package init(of plan: RunPlan) {
    loaded = plan.traces[0]
    replay = ReplayCheck(plan)
  }

  /// The report as lines, each ended.
  package var text: String {
    var text = "\(path): well-formed: \(Prose.counted(trace.events.count, "event")), "
    text += "\(Prose.counted(trace.apps.count, "app")), "
    text += "\(HumanText.duration(nanoseconds: trace.index.endNanoseconds)), "
    text += "user \(TextStyle.clean(trace.header.user))\n"
    text += "  provides: \(provided)\n"
    for line in IssueText.lines(issues, path: path) { text += "  \(TextStyle.clean(line))\n" }
    let lines = idleSettings.map { "idle: \($0)" } + replay.lines
    for line in lines { text += "  \(TextStyle.clean("\(path): \(line)"))\n" }
    return text
  }

  /// Issues of reading and of replaying, as a replay counts them.
  private var issues: ImportIssues {
    var issues = loaded.issues
    for issue in replay.issues.all {
      issues.add(issue.severity, issue.text, count: issue.count, lines: issue.lines)
    }
    return issues
  }

  /// What the trace holds, with counts.
  private var provided: String {
    let kinds = EventKind.allCases.filter { trace.index.kindCounts[Int($0.rawValue)] > 0 }
    return kinds.map { "\(trace.index.kindCounts[Int($0.rawValue)]) \($0.name)" }
      .joined(separator: ", ")
  }

  /// Entries of catalogs that this trace gives no occasion to, each once.
  private var idleSettings: [String] {
    loaded.catalogs.reduce(into: []) { lines, named in
      for line in idleSettings(of: named.catalog) where !lines.contains(line) { lines.append(line) }
    }
  }

  private func idleSettings(of catalog: Catalog) -> [String] {
    var lines: [String] = []
    for entry in catalog.sortedEntries {
      let name = TextStyle.clean(entry.name)
      guard let position = trace.apps.firstIndex(of: entry.name) else {
        lines.append("catalog: '\(name)' is not in the trace")
        continue
      }
      let facts = trace.index.facts[position]
      if entry.edits != nil, entry.edits?.isNone == false, facts.contains(.edits) {
        lines.append("catalog: '\(name)': edits come from the trace, not from 'edits'")
      }
      if let footprint = entry.footprint, !facts.isDisjoint(with: .memory),
        footprint.growthBytesPerMinute > 0
          || max(footprint.backgroundBytes, footprint.suspendedBytes) >= 0
      {
        lines.append(
          "catalog: '\(name)': memory is that of the trace, not of 'growth', 'background' and "
            + "'suspended'")
      }
      if let when = entry.save?.when, facts.contains(.saves),
        !when.triggers.isDisjoint(with: .ownTime) || when.timerNanoseconds > 0
      {
        lines.append(
          "catalog: '\(name)': resign, background, edit and timer saves come from the trace, not "
            + "of 'when'")
      }
    }
    return lines
  }
}
