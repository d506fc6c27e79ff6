internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonReports
internal import JettisonTraces

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Says whether traces are well-formed, and what they provide.",
    discussion: """
      Lists every issue with its line, what can never act on the trace (settings of the catalog, \
      a threshold that available memory never reaches, modifiers and options that match no app), \
      and how often each transition, end and class of loss occurs. For that the trace is replayed \
      with declared footprints, on its own device under lru unless the options say otherwise. The \
      status is 65 if a trace is malformed. '-' reads standard input.
      """)

  @Argument(help: ArgumentHelp("Traces.", valueName: "trace"))
  var traces: [String]

  @Option(help: ArgumentHelp("The format; see 'jettison formats'.", valueName: "name"))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Policies whose modifiers are checked (default: lru).", valueName: "a,b,c|all"))
  var policies: String?

  @OptionGroup(title: "What to check with the traces")
  var experiment: ExperimentOptionGroup

  func run() throws {
    let format = try format.map { (name) throws(ConfigurationError) in try TraceFormat.named(name) }
    try TraceCollection.checkFiles(traces, remedy: "name the traces in it")
    var options = experiment.options(traces: traces, policies: policies, option: "--policies")
    if experiment.footprints == nil { options.add(.footprints, "declared") }
    let planner = try RunPlanner(options, for: .replay)
    var worst: Int32 = 0
    for path in traces {
      do {
        let input = try TraceInput(path: path)
        for trace in try TraceLoader.loadAll(input, format: format) {
          let catalog = try Catalog(for: trace, at: input.displayName, file: experiment.catalog)
          let loaded = LoadedTrace(path: input.displayName, trace: trace, catalog: catalog)
          let report = TraceReport(loaded).text
          let idle = Self.idleRules(try planner.plan([loaded]), loaded.path)
          try Console.print(Console.lines(report + idle))
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

extension CheckCommand {
  /// What never acts on a trace, and why it cannot be replayed if so.
  private static func idleRules(_ plan: RunPlan, _ path: String) -> String {
    var results: [Int: RunResult] = [:]
    // The path comes first in every line anyway.
    var lines = plan.notes.map { note in
      "note: " + (note.hasPrefix("\(path): ") ? String(note.dropFirst(path.count + 2)) : note)
    }
    for (position, run) in plan.runs.enumerated() {
      let peak = CachedPeak(plan.traces[0].trace, profiles: run.configuration.profiles)
      if let excess = peak?.excess(in: run.configuration), !lines.contains("warning: \(excess)") {
        lines.append("warning: \(excess)")
      }
      let spec = plan.policies[run.policy].spec
      let key = plan.key(of: position)
      let tally = position == 0 ? LifeTally() : nil
      do throws(RunError) {
        results[position] = try spec.run(
          plan.traces[0].trace, run.configuration, recorder: tally)
        lines += tally?.lines.map { "\(key.policy) on \(key.device): \($0)" } ?? []
      } catch {
        lines.append("\(key.policy): cannot be replayed: \(error)")
      }
    }
    lines += plan.blocksWithoutDecisions(results).map { "idle: \($0)" }
    return lines.map { "  \(TextStyle.clean("\(path): \($0)"))\n" }.joined()
  }
}

/// What `check` says about a well-formed trace.
struct TraceReport {
  private let loaded: LoadedTrace
  private var trace: Trace { loaded.trace }
  private var path: String { loaded.path }

  init(_ loaded: LoadedTrace) {
    self.loaded = loaded
  }

  /// The report as lines, each ended.
  var text: String {
    var text = "\(path): well-formed: \(Prose.counted(trace.events.count, "event")), "
    text += "\(Prose.counted(trace.apps.count, "app")), "
    text += "\(HumanText.duration(nanoseconds: trace.index.endNanoseconds)), "
    text += "user \(TextStyle.clean(trace.header.user))\n"
    text += "  provides: \(provided)\n"
    for line in IssueText.lines(loaded.issues, path: path) {
      text += "  \(TextStyle.clean(line))\n"
    }
    for line in idleSettings { text += "  \(TextStyle.clean(path)): idle: \(line)\n" }
    return text
  }

  /// What the trace holds, with counts.
  private var provided: String {
    let kinds = EventKind.allCases.filter { trace.index.kindCounts[Int($0.rawValue)] > 0 }
    return kinds.map { "\(trace.index.kindCounts[Int($0.rawValue)]) \($0.name)" }
      .joined(separator: ", ")
  }

  /// Entries of the catalog that this trace gives no occasion to.
  private var idleSettings: [String] {
    var lines: [String] = []
    for entry in loaded.catalog.sortedEntries {
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
        !when.triggers.isDisjoint(with: [.resign, .background]) || when.timerNanoseconds > 0
      {
        lines.append(
          "catalog: '\(name)': resign, background and timer saves are those of the trace, not of "
            + "'when'")
      }
    }
    return lines
  }
}
