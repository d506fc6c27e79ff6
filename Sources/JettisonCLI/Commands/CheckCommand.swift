internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonSupport
internal import JettisonTraces

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Says whether traces are well-formed, and what they provide.",
    discussion: """
      Lists every issue of reading and of replaying with its line, what can never act on the trace \
      (settings of the catalog, a threshold that available memory never reaches, modifiers and \
      options that match no app), and how often each transition, end and class of loss occurs. For \
      that the trace is replayed as 'jettison replay' does, on its own device under lru unless the \
      options say otherwise. The status is 65 if a trace is malformed. '-' reads standard input.
      """)

  @Argument(help: ArgumentHelp("Traces.", valueName: "trace"))
  var traces: [String]

  @Option(help: ArgumentHelp("The format; see 'jettison formats'.", valueName: "name"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Policies whose modifiers are checked (default: lru).", valueName: "a,b,c|all"))
  var policies: [OptionValues] = []

  @OptionGroup(title: "What to check with the traces")
  var experiment: ExperimentOptionGroup

  func run() throws {
    let format = try format.map { (name) throws(ConfigurationError) in try TraceFormat.named(name) }
    try TraceCollection.checkFiles(traces, remedy: "name the traces in it")
    let asked = try experiment.text(
      traces: traces, policies: policies.texts, option: "--policies"
    ).specification(for: .inspect)
    let planner = try RunPlanner(asked)
    let catalogs = try CatalogFile.read(asked)
    var worst: Int32 = 0
    for path in traces {
      do {
        let input = try TraceInput(path: path)
        for trace in try TraceLoader.loadAll(input, format: format) {
          let loaded = try TraceCollection.loaded(trace, from: input, catalogs)
          let report = TraceReport(loaded, ReplayReport(try planner.plan([loaded])))
          try Console.print(Console.lines(report.text))
          if experiment.strict, trace.issues.count(atLeast: .error) > 0 {
            worst = worst == 0 ? 65 : worst
          }
        }
      } catch let error as TraceError {
        Console.say(error.description)
        if worst == 0 { worst = error.exitStatus }
      }
    }
    if let status = ExitStatus(rawValue: worst), status != .done { throw CommandFailure(status) }
  }
}

/// What `check` learns by replaying a trace.
struct ReplayReport {
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

/// What `check` says about a well-formed trace.
struct TraceReport {
  private let loaded: LoadedTrace
  private let replay: ReplayReport
  private var trace: Trace { loaded.trace }
  private var path: String { loaded.path }

  init(_ loaded: LoadedTrace, _ replay: ReplayReport) {
    self.loaded = loaded
    self.replay = replay
  }

  /// The report as lines, each ended.
  var text: String {
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
        lines.append("catalog: '\(name)': edits are those of the trace, not of 'edits'")
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
          "catalog: '\(name)': resign, background, edit and timer saves are those of the trace, not "
            + "of 'when'")
      }
    }
    return lines
  }
}
