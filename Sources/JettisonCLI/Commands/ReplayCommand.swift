internal import ArgumentParser
internal import JettisonCore
internal import JettisonExperiments
internal import JettisonPages
internal import JettisonReports

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays traces under one policy and says what it cost the user.",
    discussion: """
      Prints a summary to read; --csv writes the reports. '-' reads a trace from standard input.
      """)

  @Argument(
    help: ArgumentHelp("Traces.", valueName: "trace"),
    completion: .file())
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "The purge policy; see 'jettison policies' (default: lru).", valueName: "policy"),
    completion: .policies)
  var policy: String?

  @OptionGroup(title: "What to replay on")
  var experiment: ExperimentOptionGroup

  @OptionGroup(title: "Results")
  var reports: ReportOptionGroup

  @OptionGroup(title: "Perfetto")
  var perfetto: PerfettoOptionGroup

  func run() async throws {
    try Self.check(traces, policy: policy, command: "replay")
    try TraceCollection.checkFiles(
      traces, remedy: "name traces in it, or use 'jettison compare' for all of them")
    let session = try await ExperimentSession.run(
      experiment.text(traces: traces, policies: [policy].compactMap { $0 }, option: "--policy"),
      for: .replay, reports: reports, perfetto: perfetto,
      page: { path, _ in try ReplayPageSink(path: path, command: RepeatedCommand.text) },
      isQuiet: experiment.quiet)
    let summaries = ReplaySummary.all(session.result.runs).map { $0.rendered(Console.style) }
    try Console.print(summaries.joined(separator: "\n"))
    try session.judge()
  }

  /// Refuses what only `compare` takes: several policies, and an experiment file.
  static func check(
    _ traces: [String], policy: String?, command: String
  ) throws(ExperimentError) {
    if let policy, policy == "all" || ListText.policies(of: policy).count > 1 {
      throw .misuse(
        what: "--policy '\(policy)': \(command) runs one policy",
        remedy: "use 'jettison compare --policies \(policy)'")
    }
    if let file = traces.first(where: YAMLFile.isOne) {
      throw .misuse(
        what: "\(file): \(command) takes traces", remedy: "run an experiment file with compare")
    }
  }
}
